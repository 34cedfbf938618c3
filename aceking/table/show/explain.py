"""A round in sentences, from its events: staked, dealt, decided, ruled, answered and paid, with the clauses."""

from collections.abc import Iterable
from typing import get_args

from msgspec import UnsetType
from msgspec.structs import replace

from aceking.cards.card import Card, name, names
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.words import Actor, Remedy
from aceking.settle.bought import with_bought
from aceking.settle.judge import judge
from aceking.settle.lines import Line
from aceking.table import event as ev
from aceking.table.acts import ACTS
from aceking.table.awarding import is_award
from aceking.table.base import RULES
from aceking.table.evolve import evolve
from aceking.table.options import in_force
from aceking.table.place import DEALER, Place
from aceking.table.show.view import hand_words
from aceking.table.state import LAYOUT, METER, TRAY, Deck, Round, Table

_RULINGS: dict[Remedy, str] = {
    "void-round": "the round is void",
    "void-hand": "the hand is void",
    "continue": "the round goes on",
    "complete-hand": "the hand is completed from the deck",
    "discard-and-use-next": "the card is laid aside and the next one used",
    "use-as-next": "the card is used as the next one",
    "becomes-up-card": "the card becomes the dealer's up-card",
    "rebuild": "the cards go where they were meant to fall",
    "offer-choice": "the players concerned may go on or take their bets back",
    "offer-choice-to-all": "every player may go on or take the bets back",
    "ask-supervisor": "a supervisor decides",
    "ask-house": "the house decides",
    "deemed-fold": "the hand counts as folded",
    "forfeit-wagers": "all wagers of the box are lost",
    "return-excess": "what is too much goes back",
    "return-stake": "the stake goes back",
    "return-all-stakes": "all stakes go back",
    "record-violation": "it is put on the record",
    "stands": "the bet stands",
    "hold-deal": "the deal waits",
    "record-stands": "the record stands",
    "correct-record": "the record was wrong",
    "as-reported": "it was as reported",
    "as-miscount": "it is ruled on as a hand with a wrong number of cards",
    "replace-from-stub": "the card is laid aside and the stub fills the hand",
    "deemed-stay": "the hand stays in without a bet",
    "no-effect": "nothing follows",
}
_OUTCOMES = {
    "lose": "is lost",
    "push": "is a push: nothing is taken or paid",
    "returned": "goes back",
    "void": "is void and goes back",
}


def explain(book: Book, events: Iterable[ev.Event]) -> list[str]:
    """The sentences of a round, or of several."""
    told = tuple(events)
    teller = Teller(book, told)
    for event in told:
        teller.tell(event)
    return teller.finish()


def rulings_in_words(then: Remedy) -> str:
    """What a ruling means, for people."""
    return _RULINGS.get(then, then.replace("-", " "))


def bare(book: Book, events: Iterable[ev.Event]) -> Table:
    """A table with nothing on it, on which the events of a round can happen again."""
    decks = {name: Deck(name=name, back=name, since=0) for one in events if (name := getattr(one, "deck", None))}
    return Table(id="", book=book.id, digest=book.digest, mode="live", decks=decks)


def followed(table: Table, event: ev.Event) -> Table:
    """The table after an event; a round says under which options of the house it was played."""
    if isinstance(event, ev.RoundOpened):
        table = replace(table, options=event.options)
    return evolve(table, event)


_WORDS = frozenset({"box", "the", *get_args(Actor)})


class Teller:
    """Follows the events with a table of its own, so that every sentence knows what went before."""

    def __init__(self, book: Book, events: tuple[ev.Event, ...]) -> None:
        self.table = bare(book, events)
        self.text = book
        self.sentences: list[str] = []
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

    def tell(self, event: ev.Event) -> None:
        """One event: first what it says, with the table before or after it as the sentence needs."""
        if isinstance(event, ev.Dealt):
            self.table = evolve(self.table, event)
            self.dealt.setdefault(event.to, []).append(event.card)
            self.deal_clause = event.clause
            return
        if isinstance(event, ev.RoundOpened):
            self.before = dict(self.table.accounts)
            self.looked = set()
        self.table = followed(self.table, event)
        sentence = self._sentence(event)
        if sentence is None:
            return
        self._tell_deal()
        for one in [sentence] if isinstance(sentence, str) else sentence:
            # A person is written as he writes himself, a part that nobody has taken as any first word.
            self.sentences.append(one[0].upper() + one[1:] if one.split(" ", 1)[0] in _WORDS else one)

    def finish(self) -> list[str]:
        """All sentences; what was dealt last is not forgotten."""
        self._tell_deal()
        return self.sentences

    # What an event says

    def _sentence(self, event: ev.Event) -> str | list[str] | None:
        match event:
            case ev.RoundOpened():
                call = self.book.wagers.opens
                said = f": {call}" if call is not None else ""
                return f"Round {event.number} of {self.book.title} is open for bets{said}{_by(event)}."
            case ev.Acted():
                return self._acted(event)
            case ev.Staked() | ev.Returned():
                return self._chips(event)
            case ev.Trayed():
                return None if event.meter is None else f"The meter stands at {self._money(event.meter)}{_by(event)}."
            case ev.UpCard():
                return f"The dealer shows {name(Card(event.card))}{_by(event)}."
            case ev.Rearranged():
                places = "; ".join(f"{_place(to)} {_cards(held) or 'nothing'}" for to, held in event.hands)
                return f"The cards are put where they were meant to fall: {places}{_by(event)}."
            case ev.Looked() if event.box in self.looked:
                return None
            case ev.Looked() | ev.Swapped() | ev.Discarded() | ev.Decided() | ev.Claimed():
                return self._played(event)
            case ev.DealerCardChosen() | ev.DealerDrew():
                return self._bought(event)
            case ev.Settled():
                return self._settled(event)
            case ev.Unmoved():
                line = self.round.lines[event.line]
                return f"What was settled of the {line.wager} of {self._whose(line.seat)} is undone{_by(event)}."
            case ev.Violated():
                return f"On the record, by {event.by}: {event.what}. {self._says(event.clause)}"
            case ev.Ruled() | ev.Asked() | ev.Answered():
                return self._ruled(event)
            case ev.RoundEnded():
                return self._ended()
            case _:
                return self._rarer(event)

    def _rarer(self, event: ev.Event) -> str | None:
        match event:
            case ev.Selected():
                what = "is picked for its award" if event.hand is not None else "is not picked any more"
                return f"Box {event.box} {what} by {event.by}{_by(event)}."
            case ev.Kept():
                return f"The price of {self._money(event.amount)} of box {event.box} stays with the house{_by(event)}."
            case ev.HandVoided():
                return f"{self._whose(event.box)} is out of the round{_by(event)}."
            case ev.Forfeited():
                return f"{self._whose(event.box)} forfeits all wagers{_by(event)}."
            case ev.RoundVoided():
                return f"The round is void: it has no result{_by(event)}."
            case ev.DeckGone():
                return f"The {event.deck} deck leaves the table{_by(event)}."
            case ev.Unshuffled():
                return f"The {event.deck} deck must be shuffled again{_by(event)}."
            case ev.Left():
                return f"{self._whose(event.box)} has left, and folds when it is asked{_by(event)}."
            case ev.Corrected():
                return f"{event.by} corrects the record, because: {event.reason}{_by(event)}."
            case ev.AwardLocked():
                return f"The meter sets {self._money(event.amount)} aside for box {event.box}{_by(event)}."
            case ev.AwardLost() if not event.back:
                return f"{self._whose(event.box)} has no award in this round{_by(event)}."
            case ev.CourseTaken():
                return f"Without the jackpot the house goes on: {event.course.replace('-', ' ')}{_by(event)}."
            case ev.Suspended():
                return f"The games stand still for {event.cause}{_by(event)}."
            case ev.OptionChanged():
                rows = event.value.items() if isinstance(event.value, dict) else ()
                chosen = ", ".join(f"{row} {value}" for row, value in rows) if rows else event.value
                return f"The house chooses {chosen} for {event.option}{_by(event)}."
            case _:
                return None

    def _acted(self, event: ev.Acted) -> str | list[str] | None:
        if event.act == "reveal":
            return [f"The cards are revealed{_by(event)}.", *self._bank()]
        told = ACTS[event.act].told
        by = f"the {event.by}" if event.by == event.role else event.by
        return (
            f"{told.format(by=by, box=event.box, closes=self.book.wagers.closes)}{_by(event)}."
            if told is not None
            else None
        )

    def _bank(self) -> list[str]:
        """The dealer's hand, or the cards that all share."""
        held = self.round.dealer
        if len(held) == 5 and self.book.dealer is not None:
            by = judge(self.book)
            strength = by.strength(tuple(Card(one) for one in held))
            plays = "and qualifies" if by.qualifies[strength] else "and does not qualify"
            where = self.book.cite("dealer.qualifies_with")
            return [f"The dealer holds {_cards(held)}, {by.words_at(strength)}, {plays} ({where})."]
        return [f"The community cards are {_cards(self.round.community)}."] if self.round.community else []

    def _bought(self, event: ev.DealerCardChosen | ev.DealerDrew) -> str:
        """Who pays for a card for the dealer, and the hand that it makes for those."""
        if isinstance(event, ev.DealerCardChosen):
            price = self._money(self.round.boxes[event.box].paid)
            does = f"buys a card for the dealer at {price}" if event.buys else "buys no card for the dealer"
            return f"{self._whose(event.box)} {does}{_by(event)}."
        by = judge(self.book)
        held = with_bought(self.book, tuple(Card(one) for one in self.round.dealer), Card(event.card))
        strength = by.strength(held)
        plays = "and qualifies" if by.qualifies[strength] else "and does not qualify"
        who = f"For those who paid the dealer takes {name(Card(event.card))}"
        return f"{who} and holds {names(held)}, {by.words_at(strength)}, {plays}{_by(event)}."

    def _chips(self, event: ev.Staked | ev.Returned) -> str | None:
        amount, whose = self._money(event.amount), self._whose(event.box)
        wager = self._wager(event.wager)
        if isinstance(event, ev.Returned):
            return f"{amount} of the {wager} of {whose} goes back{_by(event)}."
        if event.wager in ("bet", "exchange", "bought"):
            return None  # the decision or the exchange tells it
        how = " with a coupon" if event.coupon else "" if event.lit else ", and the light stays dark"
        return f"{event.player} stakes {amount} on the {wager} of box {event.box}{how}{_by(event)}."

    def _played(self, event: ev.Looked | ev.Swapped | ev.Discarded | ev.Decided | ev.Claimed) -> str:
        box = self.round.boxes[event.box]
        match event:
            case ev.Looked():
                self.looked.add(box.number)
                what = f"{box.player} looks at the cards of box {box.number}"
            case ev.Swapped():
                change = f"{name(Card(event.give))} for {name(Card(event.take))}"
                price = f"at a price of {self._money(box.fee)}" if not box.also else "with it"
                what = f"{box.player} exchanges {change} in box {box.number} {price}"
            case ev.Discarded():
                what = f"{box.player} lays aside {name(Card(event.card))} in box {box.number}"
            case ev.Claimed():
                what = f"Notice is given of the hand of box {box.number}"
            case ev.Decided():
                what = self._decision(event)
        return f"{what}{_by(event)}."

    def _decision(self, event: ev.Decided) -> str:
        box = self.round.boxes[event.box]
        if event.deemed:
            return f"Box {box.number} {'counts as folded' if event.choice == 'fold' else 'stays in without a bet'}"
        does = {
            "bet": f"bets {self._money(box.bet)} on",
            "fold": "folds",
            "stay": "stays without a bet in",
            "declare": "declares an instant winner in",
        }
        blind = "" if box.seen else ", without having looked"
        return f"{box.player} {does[event.choice]} box {box.number}{blind}"

    def _settled(self, event: ev.Settled) -> list[str]:
        """What each seat holds, and why each wager is paid or taken."""
        sentences = []
        for seat in dict.fromkeys(line.seat for line in event.lines):
            box = self.round.boxes[seat]
            words = hand_words(self.book, self.round, box)
            if words is not None:
                kept = box.kept
                shared = " with the community cards" if len(kept) < 5 and "reveal" in self.round.acts else ""
                sentences.append(f"{self._whose(seat)} has {_cards(kept)}{shared}: {words}.")
            sentences += [self._line(line, event.from_meter) for line in event.lines if line.seat == seat]
        if event.from_meter and event.meter_after is not None:
            sentences.append(f"The meter goes to {self._money(event.meter_after)}.")
        return sentences

    def _line(self, line: Line, from_meter: dict[int, int]) -> str:
        if not isinstance(line.envy_of, UnsetType):
            paid = f"the {line.wager} of {self._whose(line.seat)} wins {self._money(line.pays)}"
            return f"For the hand of {self._whose(line.envy_of)} {paid}. {self._says(line.clause)}"
        what = f"The {self._wager(line.wager)} of {self._money(line.stake)} of {self._whose(line.seat)}"
        became = _OUTCOMES.get(line.outcome) or f"wins {self._money(line.pays)}"
        off = from_meter.get(line.seat, 0) if is_award(line) else 0
        source = f", {self._money(off)} of it from the meter" if off else ""
        return f"{what} {became}{source}. {self._says(line.clause)}"

    def _ruled(self, event: ev.Ruled | ev.Asked | ev.Answered) -> str:
        match event:
            case ev.Ruled():
                where = f" at box {', '.join(map(str, event.boxes))}" if event.boxes else ""
                what = f"Mishap: {event.mishap.replace('-', ' ')}{where}."
                why = f" ({event.why})" if event.why else ""
                return f"{what} The ruling: {rulings_in_words(event.then)}{why}. {self._says(event.clause)}"
            case ev.Asked():
                silent = "The book is silent. " if event.unregulated else ""
                about = event.what or event.mishap.replace("-", " ")
                against = f"; the record: {event.record}" if event.record else ""
                return f"{silent}Question {event.question} goes to {event.of}: {about}{against}{_by(event)}."
            case ev.Answered() if event.box is not None:
                goes_on = "goes on with the hand" if event.then == "continue" else "takes the bet back"
                return f"{self._whose(event.box)} {goes_on}{_by(event)}."
            case ev.Answered():
                reason = f", because: {event.reason}" if event.reason else ""
                answer = rulings_in_words(event.then)
                return f"{event.by} answers question {event.question}: {answer}{reason}{_by(event)}."

    def _ended(self) -> list[str]:
        people = sorted(set(self.table.accounts) - {LAYOUT, TRAY, METER})
        gains = {who: self.table.accounts[who] - self.before.get(who, 0) for who in people}
        own = {box.player for box in self.round.boxes.values()}
        nets = [f"{who} {'+' if gains[who] > 0 else ''}{self._money(gains[who])}" for who in people if who in own]
        return [f"The round is over. Net: {', '.join(nets) or 'nobody played'}."]

    # Words

    def _tell_deal(self) -> None:
        """What was dealt since the last sentence, place by place."""
        if self.dealt:
            places = "; ".join(f"{_place(to)} {_cards(tuple(held))}" for to, held in self.dealt.items())
            where = f" ({self.deal_clause})" if self.deal_clause else ""
            up = self.round.up
            shows = f", {name(Card(up))} face up" if up is not None and up in self.dealt.get(DEALER, ()) else ""
            self.sentences.append(f"The cards fall: {places}{shows}{where}.")
            self.dealt = {}

    def _whose(self, number: int) -> str:
        box = self.round.boxes.get(number)
        return f"box {number} ({box.player})" if box is not None and box.player else f"box {number}"

    def _wager(self, wager: str) -> str:
        if wager in ("side", "progressive", "bonus"):
            return "progressive bet" if self.book.progressive is not None else "bonus bet"
        return {"exchange": "price of the exchange", "bought": "price of the dealer's card"}.get(wager, wager)

    def _money(self, amount: int) -> str:
        return shown(amount, decimals=self.book.decimals)

    def _says(self, clause: str | None) -> str:
        if clause is None:
            return "No clause governs it."
        if clause in self.quoted:
            return f"{clause} again."
        self.quoted.add(clause)
        if clause not in self.book.clauses:
            return f"{clause}: {RULES.get(clause.removeprefix('BASE-'), clause).rstrip('.')}."
        return f"{clause}: {self.book.clauses[clause].says.rstrip('.')}."


def _by(event: ev.Event) -> str:
    return f" ({event.clause})" if event.clause else ""


def _place(to: Place) -> str:
    words = {"burn": "burnt:", "boxed": "laid aside:", "dealer": "the dealer", "community": "the community"}
    return words.get(to.kind, to.words)


def _cards(numbers: tuple[int, ...]) -> str:
    return names(tuple(Card(one) for one in numbers))
