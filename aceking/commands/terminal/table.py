"""The terminal table: rounds, decisions and the coach."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import get_args

from aceking.api.table import PLAYER, RefusedError, Table
from aceking.cards.card import CardId
from aceking.commands.terminal.past_rounds import rounds
from aceking.commands.terminal.prompts import Asker, LeaveError, whole
from aceking.commands.terminal.screen import Screen
from aceking.commands.terminal.session import Coach, Record, SessionError, TerminalSession
from aceking.exact.caps import is_shared_cap
from aceking.exact.choices import Forfeit, choice_of, choices, cost, counted_sides, forfeits
from aceking.exact.unpriced import UnpricedError, check_bought, check_choices
from aceking.rules.decisions import DECISIONS
from aceking.rules.odds import amount
from aceking.rules.reading.did_you_mean import suggestion
from aceking.settlement.amounts import exchange_price
from aceking.settlement.side_wagers import stake_refused
from aceking.table import commands as c
from aceking.table.money.limits import ante_limits
from aceking.table.money.settling import ante_in_play
from aceking.table.show.offers import Offer

_OFFERED_BY = frozenset(one.letter for one in DECISIONS.values())
_ROUNDS_SHOWN = 10


def _offered(letter: str, offer: Offer) -> str:
    """A choice with its letter marked: (f)old."""
    price = {"bet": f" {offer.amount}", "exchange": f" a card for {offer.amount}"}.get(offer.do, "")
    return offer.do.replace(letter, f"({letter})", 1) + price


def _more(letter: str, offer: Offer) -> str:
    """Return the prompt for another size of the offer before it."""
    return f"({letter}) {offer.amount}" if offer.count is None else f"({letter}) {offer.count} for {offer.amount}"


class TerminalTable:
    """One player at a table of one book."""

    def __init__(self, session: TerminalSession, table: Table, record: Record | None) -> None:
        self.session = session
        self.table = table
        self.record = record
        self.screen = Screen(table.book)
        self.before = self.chips + self.staked  # chips at the start of the round
        self.knows_ruling = False  # the ruling on leaving was shown
        anytime = {
            "c": self.next_coach,
            "g": self.screen.lesson,
            "r": lambda: self.screen.pays(self.table.state.awards),
            "l": self.show_rounds,
            "w": lambda: self.screen.sentences(self.table.told() or ["No round is over yet."]),
        }
        self.asker = Asker(self.screen, anytime, self.may_leave)

    # The session

    def run(self, *, again: bool = False) -> None:
        """Play rounds until the player leaves or has no chips left."""
        screen = self.screen
        screen.title()
        if again:
            screen.say(f"Resumed with {screen.chips(self.chips)} in chips.")
        else:
            screen.lesson()
        screen.say(("Enter h for help, q to leave.", "dim"))
        try:
            if self.in_hand:
                screen.say("You had left in the middle of a hand.")
                self.walk_away()
            while self.can_go_on():
                self.round()
        except (LeaveError, EOFError, KeyboardInterrupt):
            screen.out.print()
            self.walk_away()
        finally:
            self.save()
        screen.farewell(self.session, self.chips, None if self.record is None else self.record.name)

    def save(self) -> None:
        """Save the session; if that fails, say so and play on without a record."""
        if self.record is None:
            return
        try:
            self.record.write(self.session, self.table)
        except (SessionError, OSError) as failed:
            reason = failed.strerror if isinstance(failed, OSError) else failed
            self.screen.wrong(f"This session is no longer saved: {reason}.")
            self.record = None

    @property
    def chips(self) -> int:
        """The chips of the player that are not on the table, in minor units."""
        chips = self.session.brought + self.table.state.accounts.get(PLAYER, 0)
        assert chips >= 0, "a player stakes only chips that they have"
        return chips

    @property
    def staked(self) -> int:
        """The chips of the player on the table, in minor units."""
        current = self.table.state.live_round
        boxes = [] if current is None else [box for box in current.boxes.values() if box.player == PLAYER]
        return sum(box.ante + box.beside + box.bet + box.fee + box.paid for box in boxes)

    def needed(self, ante: int) -> int:
        """Return the chips needed to play a whole round with this ante on every box."""
        rules = self.table.book.progressive or self.table.book.bonus
        side = rules.stake if self.session.side and rules is not None else 0
        return self.session.boxes * (ante * (1 + self.table.book.bet.antes) + side + sum(self.session.sides.values()))

    def most(self) -> int:
        """Return the largest ante for which the chips last to the end of the round."""
        whole = 1 + self.table.book.bet.antes
        return max((self.chips - self.needed(0)) // (whole * self.session.boxes), 0)

    def can_go_on(self) -> bool:
        """Return True if the chips are enough for another round; otherwise offer to buy more."""
        least = ante_limits(self.table.book, self.table.state)[0] or 1
        while self.chips < self.needed(least):
            self.screen.say(f"You have {self.screen.chips(self.chips)} in chips: too little for another round.")
            if self.session.side and self.chips >= self.needed(least) - self.needed(0):
                self.screen.say("The side bet is taken off.")
                self.session.side = False
                continue
            if self.session.sides:
                self.screen.say("The wagers beside the ante are taken off.")
                self.session.sides = {}
                continue
            word = self.asker.ask("Chips to buy, or Enter to leave?")
            if not word:
                return False
            self.session.brought += self.asker.chips(word, "What you buy") or 0
        return True

    # A round

    def round(self) -> None:
        """Play one round."""
        ante = self.ask_ante()
        self.before = self.chips
        try:
            self.place(self.table.copy(), ante)
        except RefusedError as refused:
            self.screen.wrong(f"Refused: {refused.reason}.", refused.clause)
            return
        self.place(self.table, ante)
        self.table.deal(look=False)
        boxes = self.table.boxes()
        self.look(boxes)
        for box in boxes:
            self.decide(box, alone=len(boxes) == 1)
        self.buy(alone=len(boxes) == 1)
        self.finish()

    def place(self, table: Table, ante: int) -> None:
        """Place antes and side bets on all boxes."""
        if not table.playing:
            table.open()
        for box in range(1, self.session.boxes + 1):
            table.do(c.Ante(box=box, player=PLAYER, amount=ante))
            if self.session.side:
                table.side(box=box)
            for name, stake in self.session.sides.items():
                table.do(c.SideBet(box=box, player=PLAYER, amount=stake, wager=name))

    def ask_ante(self) -> int:
        """Ask for the ante of the next round."""
        while True:
            usual = min(self.session.ante, self.most())
            self.screen.status(self.session, self.chips, self.table.meter)
            word = self.asker.ask(f"Ante? [{self.screen.chips(usual)}]")
            if word.lower() == "s":
                self.toggle_side()
                continue
            if word.lower().split()[:1] == ["s"]:
                self.toggle_named_side(word.split()[1:])
                continue
            if word.lower().split()[:1] in (["n"], ["boxes"]):
                self.take_boxes(word.split()[1:])
                continue
            ante = self.asker.chips(word, "An ante") if word else usual
            if ante is None or not ante:
                continue
            if self.needed(ante) > self.chips:
                chips, wanted, most = (self.screen.chips(one) for one in (self.chips, ante, self.most()))
                self.screen.wrong(f"{chips} is not enough to play out an ante of {wanted}: the most is {most}.")
                continue
            if word:
                self.session.ante = ante
            return ante

    def toggle_side(self) -> None:
        """Turn the side bet on or off."""
        book, session = self.table.book, self.session
        if book.progressive is None and (book.bonus is None or not book.bonus.offered):
            self.screen.wrong("This table has no side bet.")
            return
        session.side = not session.side
        if self.needed(1) > self.chips:
            session.side = not session.side
            self.screen.wrong("You do not have enough chips for that.")

    def toggle_named_side(self, words: Sequence[str]) -> None:
        """Turn a named side wager on, with the least or the given stake, or off."""
        book, session = self.table.book, self.session
        name = words[0].lower()
        if name not in book.sides:
            there = f"there are {', '.join(book.sides)}" if book.sides else "this table has none by name"
            self.screen.wrong(f"There is no side wager {name}: {there}{suggestion(name, book.sides)}.")
            return
        before = dict(session.sides)
        switch = words[1].lower() if len(words) > 1 else "off" if name in session.sides else "on"
        if switch == "off":
            session.sides = {one: stake for one, stake in before.items() if one != name}
            return
        side = book.sides[name]
        stake = side.stake or side.min if switch == "on" else self.asker.chips(switch, "A stake")
        if stake is None:
            return
        if refused := stake_refused(book, name, stake):
            self.screen.wrong(f"Refused: {refused.reason}.", refused.clause)
            return
        session.sides = {**session.sides, name: stake}
        if self.needed(1) > self.chips:
            session.sides = before
            self.screen.wrong("You do not have enough chips for that.")

    def take_boxes(self, words: Sequence[str]) -> None:
        """Set the number of boxes, if the book allows it."""
        wanted = whole(words[0]) if len(words) == 1 else None
        if not wanted:
            self.screen.wrong("Say how many boxes: n 2.")
            return
        was = self.session.boxes
        self.session.boxes = wanted
        try:
            self.place(self.table.copy(), 1 if self.most() < 1 else min(self.session.ante, self.most()))
        except RefusedError as refused:
            self.session.boxes = was
            self.screen.wrong(f"Refused: {refused.reason}.", refused.clause)
        if self.needed(1) > self.chips:
            self.session.boxes = was
            self.screen.wrong("You do not have enough chips for that.")

    def look(self, boxes: Sequence[int]) -> None:
        """Look at all hands, or at a chosen one if the book allows only one."""
        seen = self.table.book.table.hands_seen
        if seen is None or len(boxes) <= seen:
            for box in boxes:
                self.table.look(box)
            self.save()
            return
        self.save()
        clause = self.table.book.cite("table.hands_seen")
        self.screen.say("You may look at one of your hands.", (f"  {clause}", "dim"))
        while True:
            word = self.asker.ask(f"Which box? [{boxes[0]}]") or str(boxes[0])
            chosen = whole(word)
            if chosen is not None and chosen in boxes:
                self.table.look(chosen)
                return
            self.screen.wrong(f"Your boxes are {', '.join(map(str, boxes))}.")

    def finish(self) -> None:
        """Print the result of the round and save the session."""
        boxes = self.table.boxes()
        self.screen.result(self.table, boxes)
        net = self.chips - self.before
        self.screen.net(net)
        self.save()

    # A decision

    def offers(self, box: int) -> dict[str, Offer]:
        """Return what the player may do at a box and has the chips for, by letter."""
        found: dict[str, Offer] = {}
        for one in self.table.offers():
            if one.box == box and (letter := one.letter) is not None:
                if letter not in found:
                    found[letter] = one
                elif self.amount(one) <= self.chips:
                    found[f"{letter}{one.count or one.antes}"] = one
        return {letter: one for letter, one in found.items() if one.do != "exchange" or self.can_exchange(box, one)}

    def amount(self, offer: Offer) -> int:
        """Return the price of an offer in minor units."""
        return amount(offer.amount or "0", decimals=self.table.book.decimals)

    def can_exchange(self, box: int, offer: Offer) -> bool:
        """Return True if the chips are enough for an exchange, the bet after it, and the bets of the other boxes."""
        book, state = self.table.book, self.table.state
        assert book.exchange is not None
        current = state.live_round
        owing = [one for one in current.dealt_in if one.player == PLAYER and one.owes_decision] if current else []
        bets = sum(ante_in_play(book, state, one) * book.bet.antes for one in owing)
        return self.chips >= bets + exchange_price(book, self.ante(box), offer.count or 1)

    def ante(self, box: int) -> int:
        """Return the ante of a box that is in play."""
        current = self.table.state.round
        assert current is not None
        return ante_in_play(self.table.book, self.table.state, current.boxes[box])

    def decide(self, box: int, *, alone: bool) -> None:
        """Ask for decisions on a box until none is left."""
        shown = False
        while offers := self.offers(box):
            lost = forfeits(self.table.book, self.table.state, box)
            if not shown:
                self.screen.hand(self.table, box, alone=alone)
                self.screen.before(offers.values(), lost)
                if self.session.coach == "values":
                    self.show_values(box)
            shown = True
            prompt = ", ".join(
                _offered(letter, one) if letter in _OFFERED_BY else _more(letter, one) for letter, one in offers.items()
            )
            word = self.asker.ask(f"{prompt}?" if alone else f"Box {box}: {prompt}?").lower()
            if word == "v":
                self.show_values(box)
                continue
            act = self.act_for(word, box, offers, lost)
            if act is not None and self.do(act, box):
                shown = False
        self.table.finish()

    def buy(self, *, alone: bool) -> None:
        """Ask each box that may buy a card for a dealer without a hand."""
        if self.table.buying:
            self.screen.bank(self.table)
        while self.table.buying:
            box = self.table.buying[0]
            price = next((one for one in self.table.offers() if one.box == box and one.go_on), None)
            can_pay = price is not None and self.amount(price) <= self.chips
            asks = f"Buy the dealer a card for {price.amount}?" if price is not None else ""
            wants = can_pay and self.asker.sure(asks if alone else f"Box {box}: {asks}")
            self.table.buy_dealer_card(buys=wants, box=box)
            self.save()

    def show_values(self, box: int) -> None:
        """Print the value of each choice, or why there is none."""
        values, book = choices(self.table.book, self.table.state, box), self.table.book
        if values is None:
            try:
                check_choices(book)
                check_bought(book)
            except UnpricedError as wrong:
                self.screen.say(str(wrong))
                return
            self.screen.say(f"Nobody has looked at this hand. What a blind bet costs: aceking strategy {book.id}")
            return
        self.screen.values(values, self.ante(box), self.counted(box))

    def counted(self, box: int) -> str:
        """Return what the values include besides ante and bet, and what they leave out."""
        current, rules = self.table.state.round, self.table.book.bet
        assert current is not None
        place = current.boxes[box]
        parts = ["the side bet"] * place.lit + ["the price of the exchange"] * bool(place.fee)
        notes = [f"{' and '.join(parts)} counted"] if parts else []
        if rules.cap is not None and max(rules.pays.values()) * rules.antes * self.ante(box) > rules.cap:
            notes.append(f"the most that is paid, {self.screen.chips(rules.cap)}, counted")
        if (most := self.table.book.table.round_cap) is not None:
            shared = is_shared_cap(self.table.book, "table.round_cap") and len(current.live) > 1
            state = "left out" if shared else "counted"
            notes.append(f"the most that a round pays, {self.screen.chips(most)}, {state}")
        if left_out := [name for name in place.named if name not in counted_sides(self.table.book, place)]:
            notes.append(f"{' and '.join(left_out)} left out")
        if any(one.seen and one.player == PLAYER and one is not place for one in current.boxes.values()):
            notes.append("what your other hands show left out")
        return "; ".join(notes)

    def act_for(self, word: str, box: int, offers: Mapping[str, Offer], lost: Mapping[str, Forfeit]) -> c.Act | None:
        """Return the act for a word; None if there is none or the player does not confirm it."""
        names = {one.do: letter for letter, one in reversed([*offers.items()])}
        offer = offers.get(names.get(word, word))
        if offer is None:
            may = ", ".join(f"{letter} {one.do}" for letter, one in offers.items())
            self.screen.wrong(f"{word or 'That'} is not a choice here: {may}{suggestion(word, names)}.")
            return None
        forfeit = lost.get(offer.do)
        if forfeit is not None and forfeit.grave:
            self.screen.forfeit(forfeit)
            if not self.asker.sure(f"{offer.do.capitalize()} anyway?"):
                return None
        if offer.count is not None:
            given = self.asker.several(f"Which {offer.count} cards do you give?", offer.cards, offer.count)
            return None if given is None else c.Exchange(box=box, give=given)
        chosen = self.chosen_cards(offer)
        if chosen is None:
            return None
        aside = c.as_aside(chosen)
        match offer.do:
            case "bet":
                return c.Bet(box=box, amount=None if offer.antes is None else self.amount(offer), discard=aside)
            case "stay":
                return c.Stay(box=box, discard=aside)
            case "exchange":
                return c.Exchange(box=box, give=chosen)
            case _:
                return c.DECISION_ACTS[offer.do](box=box)

    def chosen_cards(self, offer: Offer) -> tuple[CardId, ...] | None:
        """Ask for the cards to exchange or discard. Returns None if the player does not name them."""
        if not offer.cards:
            return ()
        number = 1 if offer.do == "exchange" else self.table.book.hands.discards
        if number > 1:
            return self.asker.several(f"Which {number} cards do you lay aside?", offer.cards, number)
        asks = "Which card do you give?" if offer.do == "exchange" else "Which card do you lay aside?"
        chosen = self.asker.card(asks, offer.cards)
        return None if chosen is None else (chosen,)

    def do(self, act: c.Act, box: int) -> bool:
        """Do the act and let the coach judge it. Returns False if it was refused."""
        state, book = self.table.state, self.table.book
        try:
            self.table.do(act)
        except RefusedError as refused:
            self.screen.wrong(f"Refused: {refused.reason}.", refused.clause)
            return False
        if self.session.coach != "off":
            known = choices(book, state, box)
            name = choice_of(act, self.ante(box))
            lost = None if known is None else cost(book, state, box, name, among=known)
            if lost is not None and known is not None:
                self.judge(act, box, lost, known.best)
        self.save()
        return True

    def judge(self, act: c.Act, box: int, lost: Fraction, best: str) -> None:
        """Count the decision, and print it if it was a mistake."""
        assert self.table.round is not None
        mistake = self.session.judge(self.table.round, box, choice_of(act, self.ante(box)), best, lost, self.ante(box))
        if mistake is not None:
            self.screen.mistake(mistake, self.session)

    # At any time

    def next_coach(self) -> None:
        """Switch the coach to its next mode: values, mistakes, off."""
        modes: tuple[Coach, ...] = get_args(Coach)
        self.session.coach = modes[(modes.index(self.session.coach) + 1) % len(modes)]
        self.screen.coach(self.session.coach)

    def show_rounds(self) -> None:
        """Print the last rounds of the session."""
        past = list(rounds(self.table.book, self.table.events))
        self.screen.rounds(past[-_ROUNDS_SHOWN:])
        if not past:
            self.screen.say("No round is over yet.", indent=2)

    # Leaving

    def may_leave(self) -> bool:
        """Return True if the player may leave. During a hand, show the ruling and ask first."""
        if not self.in_hand:
            return True
        trial = self.table.copy().leave()
        self.screen.say("If you leave now:")
        self.screen.ruling(trial.events[len(self.table.events) :])
        self.knows_ruling = self.asker.sure("Leave?")
        return self.knows_ruling

    @property
    def in_hand(self) -> bool:
        """True while cards are dealt and the round is not over."""
        current = self.table.state.live_round
        return current is not None and bool(current.sequence)

    def walk_away(self) -> None:
        """Leave during a hand, by the ruling of the book or the posted rule of the house."""
        if not self.in_hand:
            return
        known = len(self.table.events)
        self.table.leave()
        if not self.knows_ruling:
            self.screen.ruling(self.table.events[known:])
        if self.table.playing:
            self.screen.say("Your chips stay on the table until the house has decided.")
            return
        self.finish()
