"""The story of a round in sentences with clauses, from its events."""

from collections.abc import Iterable
from typing import get_args

from msgspec import UnsetType
from msgspec.structs import replace

from aceking.cards.card import CardId, name, names
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.sentence import Said, said
from aceking.rules.words import Actor
from aceking.settlement.dealer_card import with_bought
from aceking.settlement.judge import judge
from aceking.settlement.lines import Line
from aceking.table import event as ev
from aceking.table.acts import ACTS
from aceking.table.base_procedure import RULES
from aceking.table.cards.place import DEALER, Place
from aceking.table.evolve import evolve
from aceking.table.money.award_lines import is_award
from aceking.table.options import in_force
from aceking.table.show.phrases import DECISIONS, OUTCOMES, PLACES, rulings_in_words
from aceking.table.show.view import hand_words
from aceking.table.state import LAYOUT, METER, TRAY, Deck, Round, TableState


def explain(book: Book, events: Iterable[ev.TableEvent]) -> list[str]:
    """Return the sentences of one or several rounds."""
    all_events = tuple(events)
    teller = Teller(book, all_events)
    for event in all_events:
        teller.tell(event)
    return teller.finish()


def bare(book: Book, events: Iterable[ev.TableEvent]) -> TableState:
    """Return an empty table to which the events of a round can be applied again."""
    decks = {name: Deck(name=name, back=name, since=0) for one in events if (name := getattr(one, "deck", None))}
    return TableState(id="", book=book.id, digest=book.digest, mode="live", decks=decks)


def evolve_with_options(table: TableState, event: ev.TableEvent) -> TableState:
    """Return the table after an event; a new round sets the options that it was played under."""
    if isinstance(event, ev.RoundOpened):
        table = replace(table, options=event.options)
    return evolve(table, event)


_WORDS = frozenset({"box", "the", *get_args(Actor)})


class Teller:
    """Applies the events to a table of its own, so that every sentence knows the state at its event."""

    def __init__(self, book: Book, events: tuple[ev.TableEvent, ...]) -> None:
        self.table = bare(book, events)
        self.text = book
        self.sentences: list[str] = []
        self.said: list[Said] = []  # the same sentences, not yet in words
        self.quoted: set[str] = set()
        self.deal_clause: str | None = None
        self.dealt: dict[Place, list[int]] = {}
        self.before: dict[str, int] = {}
        self.looked: set[int] = set()

    @property
    def book(self) -> Book:
        return in_force(self.text, self.table)

    @property
    def round(self) -> Round:
        assert self.table.round is not None
        return self.table.round

    def tell(self, event: ev.TableEvent) -> None:
        """Apply one event and add its sentence, if it has one."""
        if isinstance(event, ev.Dealt):
            self.table = evolve(self.table, event)
            self.dealt.setdefault(event.to, []).append(event.card)
            self.deal_clause = event.clause
            return
        if isinstance(event, ev.RoundOpened):
            self.before = dict(self.table.accounts)
            self.looked = set()
        self.table = evolve_with_options(self.table, event)
        sentence = self._sentence(event)
        if sentence is None:
            return
        self._tell_deal()
        for part in [sentence] if isinstance(sentence, Said) else sentence:
            self._say(part)

    def _say(self, sentence: Said) -> None:
        """Add a sentence; a role or a box at its beginning gets a capital, a person's name stays as it is."""
        text = str(sentence)
        self.said.append(sentence)
        self.sentences.append(text[0].upper() + text[1:] if text.split(" ", 1)[0] in _WORDS else text)

    def finish(self) -> list[str]:
        """Return all sentences, including the last cards dealt."""
        self._tell_deal()
        return self.sentences

    # The sentence of an event

    def _sentence(self, event: ev.TableEvent) -> Said | list[Said] | None:
        cite = _cite(event)
        match event:
            case ev.RoundOpened():
                call, title = self.book.wagers.opens, self.book.title
                if call is None:
                    return said(
                        "Round {round} of {title} is open for bets{cite}.", round=event.number, title=title, cite=cite
                    )
                words = "Round {round} of {title} is open for bets: {call}{cite}."
                return said(words, round=event.number, title=title, call=call, cite=cite)
            case ev.Acted():
                return self._acted(event)
            case ev.Staked() | ev.Returned():
                return self._chips(event)
            case ev.Trayed():
                if event.meter is None:
                    return None
                return said("The meter stands at {amount}{cite}.", amount=self._money(event.meter), cite=cite)
            case ev.UpCard():
                return said("The dealer shows {cards}{cite}.", cards=name(CardId(event.card)), cite=cite)
            case ev.Rearranged():
                lie = [
                    said("{place} {cards}", place=_place(to), cards=_cards(held) or said("nothing"))
                    for to, held in event.hands
                ]
                return said(
                    "The cards are put where they were meant to fall: {places}{cite}.", places=_joined(lie), cite=cite
                )
            case ev.Looked() if event.box in self.looked:
                return None
            case ev.Looked() | ev.Swapped() | ev.Discarded() | ev.Decided() | ev.Claimed():
                return self._played(event)
            case ev.DealerCardChosen() | ev.DealerDrew():
                return self._bought(event)
            case ev.RoundSettled():
                return self._settled(event)
            case ev.Unmoved():
                line = self.round.lines[event.line]
                words = "What was settled of the {wager} of {whose} is undone{cite}."
                return said(words, wager=said(line.wager), whose=self._whose(line.seat), cite=cite)
            case ev.Violated():
                words = "On the record, by {by}: {what}. {says}"
                return said(words, by=event.by, what=event.what, says=self._says(event.clause))
            case ev.Ruled() | ev.Asked() | ev.Answered():
                return self._ruled(event)
            case ev.RoundEnded():
                return self._ended()
            case _:
                return self._rarer(event)

    def _rarer(self, event: ev.TableEvent) -> Said | None:
        cite = _cite(event)
        match event:
            case ev.Selected() if event.hand is not None:
                return said("Box {box} is picked for its award by {by}{cite}.", box=event.box, by=event.by, cite=cite)
            case ev.Selected():
                return said("Box {box} is not picked any more by {by}{cite}.", box=event.box, by=event.by, cite=cite)
            case ev.Kept():
                words = "The price of {amount} of box {box} stays with the house{cite}."
                return said(words, amount=self._money(event.amount), box=event.box, cite=cite)
            case ev.HandVoided():
                return said("{whose} is out of the round{cite}.", whose=self._whose(event.box), cite=cite)
            case ev.Forfeited():
                return said("{whose} forfeits all wagers{cite}.", whose=self._whose(event.box), cite=cite)
            case ev.RoundVoided():
                return said("The round is void: it has no result{cite}.", cite=cite)
            case ev.DeckGone():
                return said("The {deck} deck leaves the table{cite}.", deck=event.deck, cite=cite)
            case ev.Unshuffled():
                return said("The {deck} deck must be shuffled again{cite}.", deck=event.deck, cite=cite)
            case ev.Left():
                return said(
                    "{whose} has left, and folds when it is asked{cite}.", whose=self._whose(event.box), cite=cite
                )
            case ev.Corrected():
                words = "{by} corrects the record, because: {reason}{cite}."
                return said(words, by=event.by, reason=event.reason, cite=cite)
            case ev.AwardLocked():
                words = "The meter sets {amount} aside for box {box}{cite}."
                return said(words, amount=self._money(event.amount), box=event.box, cite=cite)
            case ev.AwardLost() if not event.back:
                return said("{whose} has no award in this round{cite}.", whose=self._whose(event.box), cite=cite)
            case ev.CourseTaken():
                words = "Without the jackpot the house goes on: {course}{cite}."
                return said(words, course=event.course.replace("-", " "), cite=cite)
            case ev.Suspended():
                return said("The games stand still for {cause}{cite}.", cause=event.cause, cite=cite)
            case ev.OptionChanged():
                rows = event.value.items() if isinstance(event.value, dict) else ()
                chosen = ", ".join(f"{row} {value}" for row, value in rows) if rows else event.value
                return said(
                    "The house chooses {chosen} for {option}{cite}.", chosen=chosen, option=event.option, cite=cite
                )
            case _:
                return None

    def _acted(self, event: ev.Acted) -> Said | list[Said] | None:
        if event.act == "reveal":
            return [said("The cards are revealed{cite}.", cite=_cite(event)), *self._bank()]
        text = ACTS[event.act].text
        if text is None:
            return None
        by = f"the {event.by}" if event.by == event.role else event.by
        known = {"by": by, "box": event.box, "closes": self.book.wagers.closes}
        return said(
            f"{text}{{cite}}.", cite=_cite(event), **{key: one for key, one in known.items() if f"{{{key}}}" in text}
        )

    def _bank(self) -> list[Said]:
        """The dealer's hand, or the community cards."""
        held = self.round.dealer
        if len(held) == 5 and self.book.dealer is not None:
            rater = judge(self.book)
            strength = rater.strength(tuple(CardId(one) for one in held))
            known = {
                "cards": _cards(held),
                "hand": rater.words_at(strength),
                "clause": self.book.cite("dealer.qualifies_with"),
            }
            if rater.qualifies[strength]:
                return [said("The dealer holds {cards}, {hand}, and qualifies ({clause}).", **known)]
            return [said("The dealer holds {cards}, {hand}, and does not qualify ({clause}).", **known)]
        shared = self.round.community
        return [said("The community cards are {cards}.", cards=_cards(shared))] if shared else []

    def _bought(self, event: ev.DealerCardChosen | ev.DealerDrew) -> Said:
        """Who pays for a card for the dealer, and the dealer's hand for those players."""
        cite = _cite(event)
        if isinstance(event, ev.DealerCardChosen):
            whose = self._whose(event.box)
            if not event.buys:
                return said("{whose} buys no card for the dealer{cite}.", whose=whose, cite=cite)
            price = self._money(self.round.boxes[event.box].paid)
            return said("{whose} buys a card for the dealer at {amount}{cite}.", whose=whose, amount=price, cite=cite)
        rater = judge(self.book)
        held = with_bought(self.book, tuple(CardId(one) for one in self.round.dealer), CardId(event.card))
        rank = rater.strength(held)
        known = {"taken": name(CardId(event.card)), "cards": names(held), "hand": rater.words_at(rank), "cite": cite}
        words = "For those who paid the dealer takes {taken} and holds {cards}, {hand}, and does not qualify{cite}."
        if rater.qualifies[rank]:
            words = "For those who paid the dealer takes {taken} and holds {cards}, {hand}, and qualifies{cite}."
        return said(words, **known)

    def _chips(self, event: ev.Staked | ev.Returned) -> Said | None:
        known = {"amount": self._money(event.amount), "wager": self._wager(event.wager), "cite": _cite(event)}
        if isinstance(event, ev.Returned):
            return said("{amount} of the {wager} of {whose} goes back{cite}.", whose=self._whose(event.box), **known)
        if event.wager in ("bet", "exchange", "bought"):
            return None  # the sentence of the decision or the exchange says it
        how: Said | str = ""
        if event.coupon:
            how = said(" with a coupon")
        elif not event.lit:
            how = said(", and the light stays dark")
        words = "{player} stakes {amount} on the {wager} of box {box}{how}{cite}."
        return said(words, player=event.player, box=event.box, how=how, **known)

    def _played(self, event: ev.Looked | ev.Swapped | ev.Discarded | ev.Decided | ev.Claimed) -> Said:
        box = self.round.boxes[event.box]
        known: dict[str, object] = {"player": box.player, "box": box.number, "cite": _cite(event)}
        match event:
            case ev.Looked():
                self.looked.add(box.number)
                return said("{player} looks at the cards of box {box}{cite}.", **known)
            case ev.Swapped():
                known |= {"cards": name(CardId(event.give)), "taken": name(CardId(event.take))}
                if box.also:
                    return said("{player} exchanges {cards} for {taken} in box {box} with it{cite}.", **known)
                words = "{player} exchanges {cards} for {taken} in box {box} at a price of {amount}{cite}."
                return said(words, amount=self._money(box.fee), **known)
            case ev.Discarded():
                return said("{player} lays aside {cards} in box {box}{cite}.", cards=name(CardId(event.card)), **known)
            case ev.Claimed():
                return said("Notice is given of the hand of box {box}{cite}.", box=box.number, cite=_cite(event))
            case ev.Decided():
                return self._decision(event)

    def _decision(self, event: ev.Decided) -> Said:
        box, cite = self.round.boxes[event.box], _cite(event)
        if event.deemed and event.choice == "fold":
            return said("Box {box} counts as folded{cite}.", box=box.number, cite=cite)
        if event.deemed:
            return said("Box {box} stays in without a bet{cite}.", box=box.number, cite=cite)
        known: dict[str, object] = {"player": box.player, "box": box.number, "cite": cite}
        known["blind"] = "" if box.seen else said(", without having looked")
        if event.choice == "bet":
            known["amount"] = self._money(box.bet)
        return said(DECISIONS[event.choice], **known)

    def _settled(self, event: ev.RoundSettled) -> list[Said]:
        """The hand of each seat, and why each wager is paid or taken."""
        sentences = []
        for seat in dict.fromkeys(line.seat for line in event.lines):
            box = self.round.boxes[seat]
            words = hand_words(self.book, self.round, box)
            if words is not None:
                kept = box.kept
                shared = len(kept) < 5 and "reveal" in self.round.acts
                known = {"whose": self._whose(seat), "cards": _cards(kept), "hand": words}
                sentences.append(
                    said("{whose} has {cards} with the community cards: {hand}.", **known)
                    if shared
                    else said("{whose} has {cards}: {hand}.", **known)
                )
            sentences += [self._line(line, event.from_meter) for line in event.lines if line.seat == seat]
        if event.from_meter and event.meter_after is not None:
            sentences.append(said("The meter goes to {amount}.", amount=self._money(event.meter_after)))
        return sentences

    def _line(self, line: Line, from_meter: dict[int, int]) -> Said:
        known = {"wager": self._wager(line.wager), "whose": self._whose(line.seat), "says": self._says(line.clause)}
        if not isinstance(line.envy_of, UnsetType):
            known |= {"wager": said(line.wager), "other": self._whose(line.envy_of), "pays": self._money(line.pays)}
            return said("For the hand of {other} the {wager} of {whose} wins {pays}. {says}", **known)
        known["stake"] = self._money(line.stake)
        off = from_meter.get(line.seat, 0) if is_award(line) else 0
        if off:
            known |= {"pays": self._money(line.pays), "off": self._money(off)}
            return said("The {wager} of {stake} of {whose} wins {pays}, {off} of it from the meter. {says}", **known)
        if line.outcome == "win":
            known["pays"] = self._money(line.pays)
        return said(OUTCOMES[line.outcome], **known)

    def _ruled(self, event: ev.Ruled | ev.Asked | ev.Answered) -> Said:
        match event:
            case ev.Ruled():
                where = said(" at box {boxes}", boxes=", ".join(map(str, event.boxes))) if event.boxes else ""
                why = said(" ({why})", why=event.why) if event.why else ""
                known = {"mishap": event.mishap.replace("-", " "), "where": where, "why": why}
                ruling, says = said(rulings_in_words(event.then)), self._says(event.clause)
                return said(
                    "Mishap: {mishap}{where}. The ruling: {ruling}{why}. {says}", ruling=ruling, says=says, **known
                )
            case ev.Asked():
                return self._asked(event)
            case ev.Answered() if event.box is not None:
                whose, cite = self._whose(event.box), _cite(event)
                if event.then == "continue":
                    return said("{whose} goes on with the hand{cite}.", whose=whose, cite=cite)
                return said("{whose} takes the bet back{cite}.", whose=whose, cite=cite)
            case ev.Answered():
                reason = said(", because: {reason}", reason=event.reason) if event.reason else ""
                ruling, cite = said(rulings_in_words(event.then)), _cite(event)
                words = "{by} answers question {question}: {ruling}{reason}{cite}."
                return said(words, by=event.by, question=event.question, ruling=ruling, reason=reason, cite=cite)

    def _asked(self, event: ev.Asked) -> Said:
        known: dict[str, object] = {"question": event.question, "of": event.of, "cite": _cite(event)}
        known["about"] = (
            said("{what}", what=event.what) if event.what else said("{mishap}", mishap=event.mishap.replace("-", " "))
        )
        known["against"] = said("; the record: {record}", record=event.record) if event.record else ""
        if event.unregulated:
            return said("The book is silent. Question {question} goes to {of}: {about}{against}{cite}.", **known)
        return said("Question {question} goes to {of}: {about}{against}{cite}.", **known)

    def _ended(self) -> list[Said]:
        people = sorted(set(self.table.accounts) - {LAYOUT, TRAY, METER})
        gains = {who: self.table.accounts[who] - self.before.get(who, 0) for who in people}
        own = {box.player for box in self.round.boxes.values()}
        nets = [f"{who} {'+' if gains[who] > 0 else ''}{self._money(gains[who])}" for who in people if who in own]
        return [said("The round is over. Net: {nets}.", nets=", ".join(nets) or said("nobody played"))]

    # Words

    def _tell_deal(self) -> None:
        """Add a sentence with the cards dealt since the last one, place by place."""
        if self.dealt:
            lie = [
                said("{place} {cards}", place=_place(to), cards=_cards(tuple(held))) for to, held in self.dealt.items()
            ]
            known: dict[str, object] = {
                "places": _joined(lie),
                "cite": f" ({self.deal_clause})" if self.deal_clause else "",
            }
            up = self.round.up
            if up is not None and up in self.dealt.get(DEALER, ()):
                self._say(said("The cards fall: {places}, {up} face up{cite}.", up=name(CardId(up)), **known))
            else:
                self._say(said("The cards fall: {places}{cite}.", **known))
            self.dealt = {}

    def _whose(self, number: int) -> str:
        box = self.round.boxes.get(number)
        return f"box {number} ({box.player})" if box is not None and box.player else f"box {number}"

    def _wager(self, wager: str) -> Said:
        if wager in ("side", "progressive", "bonus"):
            return said("progressive bet") if self.book.progressive is not None else said("bonus bet")
        if wager == "bought":
            return said("price of the dealer's card")
        return said("price of the exchange") if wager == "exchange" else said(wager)

    def _money(self, amount: int) -> str:
        return shown(amount, decimals=self.book.decimals)

    def _says(self, clause: str | None) -> Said:
        if clause is None:
            return said("No clause governs it.")
        if clause in self.quoted:
            return said("{clause} again.", clause=clause)
        self.quoted.add(clause)
        known = self.book.clauses
        says = known[clause].says if clause in known else RULES.get(clause.removeprefix("BASE-"), clause)
        return said("{clause}: {says}.", clause=clause, says=says.rstrip("."))


def _cite(event: ev.TableEvent) -> str:
    return f" ({event.clause})" if event.clause else ""


def _place(to: Place) -> Said:
    return said("box {box}", box=to.number) if to.kind == "box" else said(PLACES.get(to.kind, to.words))


def _joined(parts: list[Said]) -> Said:
    """Return the parts in a row; the separators are the same in every language."""
    return said(
        "; ".join(f"{{p{place}}}" for place in range(len(parts))),
        **{f"p{place}": one for place, one in enumerate(parts)},
    )


def _cards(numbers: tuple[int, ...]) -> str:
    return names(tuple(CardId(one) for one in numbers))
