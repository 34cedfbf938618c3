"""The terminal table itself: rounds, decisions, and what the coach says to them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import get_args

from aceking.api.table import PLAYER, RefusedError, Table
from aceking.cards.card import Card
from aceking.commands.terminal.past_rounds import rounds
from aceking.commands.terminal.prompts import Asker, LeaveError, whole
from aceking.commands.terminal.screen import Screen
from aceking.commands.terminal.session import Coach, KeptError, Record, Session
from aceking.exact.caps import is_shared_cap
from aceking.exact.choices import Forfeit, choice_of, choices, cost, counted_sides, forfeits
from aceking.rules.odds import amount
from aceking.rules.reading.did_you_mean import near
from aceking.settlement.amounts import exchange_price
from aceking.settlement.side_wagers import stake_refused
from aceking.table import commands as c
from aceking.table.money.limits import ante_limits
from aceking.table.money.settling import ante_in_play
from aceking.table.show.offers import Offer

_LETTERS = {"bet": "b", "fold": "f", "stay": "s", "declare": "d", "exchange": "x"}
_OFFERED = {
    "bet": "(b)et {amount}",
    "fold": "(f)old",
    "stay": "(s)tay",
    "declare": "(d)eclare",
    "exchange": "e(x)change a card for {amount}",
}
_OFFERED_BY = frozenset(_LETTERS.values())
_ROUNDS_SHOWN = 10


def _more(letter: str, offer: Offer) -> str:
    """Another size of what was offered before it."""
    return f"({letter}) {offer.amount}" if offer.count is None else f"({letter}) {offer.count} for {offer.amount}"


class TerminalTable:
    """One player at a table of one book."""

    def __init__(self, session: Session, table: Table, record: Record | None) -> None:
        self.session = session
        self.table = table
        self.record = record
        self.screen = Screen(table.book)
        self.before = self.chips + self.staked  # what the player had when the round began
        self.knows_ruling = False  # he was told what leaving means
        anytime = {
            "c": self.next_coach,
            "g": self.screen.lesson,
            "r": lambda: self.screen.pays(self.table.state.awards),
            "l": self.show_rounds,
            "w": lambda: self.screen.sentences(self.table.told() or ["No round yet."]),
        }
        self.asker = Asker(self.screen, anytime, self.may_leave)

    # The session

    def run(self, *, again: bool = False) -> None:
        """Rounds until the player leaves or has no chips left."""
        screen = self.screen
        screen.title()
        if again:
            screen.say(f"Taken up again, with {screen.chips(self.chips)} in chips.")
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
            self.keep()
        screen.farewell(self.session, self.chips, None if self.record is None else self.record.name)

    def keep(self) -> None:
        """What has happened goes to the record; where that can no longer be, the game goes on without it."""
        if self.record is None:
            return
        try:
            self.record.write(self.session, self.table)
        except (KeptError, OSError) as failed:
            told = failed.strerror if isinstance(failed, OSError) else failed
            self.screen.wrong(f"Nothing more is kept of this session: {told}.")
            self.record = None

    @property
    def chips(self) -> int:
        """What the player has in hand: what he brought, and what the table's own accounts say."""
        found = self.session.brought + self.table.state.accounts.get(PLAYER, 0)
        assert found >= 0, "nobody stakes chips that he has not"
        return found

    @property
    def staked(self) -> int:
        """The chips of the player that lie on the table."""
        current = self.table.state.live_round
        boxes = [] if current is None else [box for box in current.boxes.values() if box.player == PLAYER]
        return sum(box.ante + box.beside + box.bet + box.fee + box.paid for box in boxes)

    def needed(self, ante: int) -> int:
        """The chips that it takes to play a round out with this ante on every box."""
        rules = self.table.book.progressive or self.table.book.bonus
        side = rules.stake if self.session.side and rules is not None else 0
        return self.session.boxes * (ante * (1 + self.table.book.bet.antes) + side + sum(self.session.sides.values()))

    def most(self) -> int:
        """The greatest ante for which the chips are enough to the end of the round."""
        whole = 1 + self.table.book.bet.antes
        return max((self.chips - self.needed(0)) // (whole * self.session.boxes), 0)

    def can_go_on(self) -> bool:
        """Whether there are chips for another round; else more may be bought."""
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
        """One round from ante to pay."""
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
        """Antes and side bets on all boxes."""
        if not table.playing:
            table.open()
        for box in range(1, self.session.boxes + 1):
            table.do(c.Ante(box=box, player=PLAYER, amount=ante))
            if self.session.side:
                table.side(box=box)
            for name, stake in self.session.sides.items():
                table.do(c.SideBet(box=box, player=PLAYER, amount=stake, wager=name))

    def ask_ante(self) -> int:
        """The ante of the next round."""
        while True:
            usual = min(self.session.ante, self.most())
            self.screen.status(self.session, self.chips, self.table.meter)
            word = self.asker.ask(f"Ante? [{self.screen.chips(usual)}]")
            if word.lower() == "s":
                self.turn_side()
                continue
            if word.lower().split()[:1] == ["s"]:
                self.turn_named(word.split()[1:])
                continue
            if word.lower().split()[:1] in (["n"], ["boxes"]):
                self.take_boxes(word.split()[1:])
                continue
            ante = self.asker.chips(word, "An ante") if word else usual
            if ante is None or not ante:
                continue
            if self.needed(ante) > self.chips:
                told = f"An ante of {self.screen.chips(ante)} cannot be played out with {self.screen.chips(self.chips)}"
                self.screen.wrong(f"{told}: the most is {self.screen.chips(self.most())}.")
                continue
            if word:
                self.session.ante = ante
            return ante

    def turn_side(self) -> None:
        """The side bet on or off."""
        book, session = self.table.book, self.session
        if book.progressive is None and (book.bonus is None or not book.bonus.offered):
            self.screen.wrong("This table has no side bet.")
            return
        session.side = not session.side
        if self.needed(1) > self.chips:
            session.side = not session.side
            self.screen.wrong("You have not the chips for that.")

    def turn_named(self, words: Sequence[str]) -> None:
        """A side wager by name: on with the least stake or the one that is said, and off again."""
        book, session = self.table.book, self.session
        name = words[0].lower()
        if name not in book.sides:
            there = f"there are {', '.join(book.sides)}" if book.sides else "this table has none by name"
            self.screen.wrong(f"There is no side wager {name}: {there}{near(name, book.sides)}.")
            return
        before = dict(session.sides)
        said = words[1].lower() if len(words) > 1 else "off" if name in session.sides else "on"
        if said == "off":
            session.sides = {one: stake for one, stake in before.items() if one != name}
            return
        side = book.sides[name]
        stake = side.stake or side.min if said == "on" else self.asker.chips(said, "A stake")
        if stake is None:
            return
        if refused := stake_refused(book, name, stake):
            self.screen.wrong(f"Refused: {refused.reason}.", refused.clause)
            return
        session.sides = {**session.sides, name: stake}
        if self.needed(1) > self.chips:
            session.sides = before
            self.screen.wrong("You have not the chips for that.")

    def take_boxes(self, words: Sequence[str]) -> None:
        """How many boxes the player takes: the book says whether it may be more than one."""
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
            self.screen.wrong("You have not the chips for that.")

    def look(self, boxes: Sequence[int]) -> None:
        """The player looks at his hands, or at the one that he chooses where the book lets him see only one."""
        seen = self.table.book.table.hands_seen
        if seen is None or len(boxes) <= seen:
            for box in boxes:
                self.table.look(box)
            self.keep()
            return
        self.keep()
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
        """The round is over: what it came to, on the screen and on the record."""
        boxes = self.table.boxes()
        self.screen.result(self.table, boxes)
        net = self.chips - self.before
        self.screen.net(net)
        self.keep()

    # A decision

    def offers(self, box: int) -> dict[str, Offer]:
        """What the player may do at a box now and has the chips for, by letter."""
        found: dict[str, Offer] = {}
        for one in self.table.offers():
            if one.box == box and one.do in _LETTERS:
                letter = _LETTERS[one.do]
                if letter not in found:
                    found[letter] = one
                elif self.amount(one) <= self.chips:
                    found[f"{letter}{one.count or one.antes}"] = one
        return {letter: one for letter, one in found.items() if one.do != "exchange" or self.can_exchange(box, one)}

    def amount(self, offer: Offer) -> int:
        """The chips that an offer asks for."""
        return amount(offer.amount or "0", decimals=self.table.book.decimals)

    def can_exchange(self, box: int, offer: Offer) -> bool:
        """Whether the chips pay for an exchange, the bet after it, and the bets of the other boxes."""
        book, state = self.table.book, self.table.state
        assert book.exchange is not None
        current = state.live_round
        owing = [one for one in current.dealt_in if one.player == PLAYER and one.owes_decision] if current else []
        bets = sum(ante_in_play(book, state, one) * book.bet.antes for one in owing)
        return self.chips >= bets + exchange_price(book, self.ante(box), offer.count or 1)

    def ante(self, box: int) -> int:
        """The ante of a box that counts."""
        current = self.table.state.round
        assert current is not None
        return ante_in_play(self.table.book, self.table.state, current.boxes[box])

    def decide(self, box: int, *, alone: bool) -> None:
        """The player's decision on a box, asked until the book takes one."""
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
                _OFFERED[one.do].format(amount=one.amount) if letter in _OFFERED_BY else _more(letter, one)
                for letter, one in offers.items()
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
        """Where the dealer has no hand and the book lets players buy a card for it, each box is asked."""
        if self.table.buying:
            self.screen.bank(self.table)
        while self.table.buying:
            box = self.table.buying[0]
            price = next((one for one in self.table.offers() if one.box == box and one.go_on), None)
            can_pay = price is not None and self.amount(price) <= self.chips
            asks = f"Buy the dealer a card for {price.amount}?" if price is not None else ""
            wants = can_pay and self.asker.sure(asks if alone else f"Box {box}: {asks}")
            self.table.buy_dealer_card(buys=wants, box=box)
            self.keep()

    def show_values(self, box: int) -> None:
        """What each choice is worth now."""
        found = choices(self.table.book, self.table.state, box)
        if found is None and self.table.book.bought is not None:
            self.screen.say("A game in which a card may be bought for the dealer is not priced.")
            return
        if found is None:
            book = self.table.book.id
            self.screen.say(f"Nobody has looked at this hand. What a blind bet costs: aceking strategy {book}")
            return
        self.screen.values(found, self.ante(box), self.counted(box))

    def counted(self, box: int) -> str:
        """What the values hold besides ante and bet, and what they leave out."""
        current, rules = self.table.state.round, self.table.book.bet
        assert current is not None
        place = current.boxes[box]
        parts = ["the side bet"] * place.lit + ["the price of the exchange"] * bool(place.fee)
        told = [f"{' and '.join(parts)} counted"] if parts else []
        if rules.cap is not None and max(rules.pays.values()) * rules.antes * self.ante(box) > rules.cap:
            told.append(f"the most that is paid, {self.screen.chips(rules.cap)}, counted")
        if (most := self.table.book.table.round_cap) is not None:
            shared = is_shared_cap(self.table.book, "table.round_cap") and len(current.live) > 1
            told.append(f"the most that a round pays, {self.screen.chips(most)}, {'left out' if shared else 'counted'}")
        if left_out := [name for name in place.named if name not in counted_sides(self.table.book, place)]:
            told.append(f"{' and '.join(left_out)} left out")
        if any(one.seen and one.player == PLAYER and one is not place for one in current.boxes.values()):
            told.append("what your other hands show left out")
        return "; ".join(told)

    def act_for(self, word: str, box: int, offers: Mapping[str, Offer], lost: Mapping[str, Forfeit]) -> c.Act | None:
        """The act that a word stands for, once the player is sure of it."""
        names = {one.do: letter for letter, one in reversed([*offers.items()])}
        offer = offers.get(names.get(word, word))
        if offer is None:
            may = ", ".join(f"{letter} {one.do}" for letter, one in offers.items())
            self.screen.wrong(f"{word or 'That'} is not a choice here: {may}{near(word, names)}.")
            return None
        given_up = lost.get(offer.do)
        if given_up is not None and given_up.grave:
            self.screen.forfeit(given_up)
            if not self.asker.sure(f"{offer.do.capitalize()} all the same?"):
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
            case "fold":
                return c.Fold(box=box)
            case "declare":
                return c.Declare(box=box)
            case _:
                return c.Exchange(box=box, give=chosen)

    def chosen_cards(self, offer: Offer) -> tuple[Card, ...] | None:
        """The cards that are given or laid aside; None where the player did not name them."""
        if not offer.cards:
            return ()
        number = 1 if offer.do == "exchange" else self.table.book.hands.discards
        if number > 1:
            return self.asker.several(f"Which {number} cards do you lay aside?", offer.cards, number)
        asks = "Which card do you give?" if offer.do == "exchange" else "Which card do you lay aside?"
        one = self.asker.card(asks, offer.cards)
        return None if one is None else (one,)

    def do(self, act: c.Act, box: int) -> bool:
        """Does it, and says what it cost against the best choice."""
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
        self.keep()
        return True

    def judge(self, act: c.Act, box: int, lost: Fraction, best: str) -> None:
        """Takes the decision into the account of the session."""
        assert self.table.round is not None
        found = self.session.judge(self.table.round, box, choice_of(act, self.ante(box)), best, lost, self.ante(box))
        if found is not None:
            self.screen.mistake(found, self.session)

    # At any time

    def next_coach(self) -> None:
        """What the coach says: values before a decision, what mistakes cost after it, or nothing."""
        modes: tuple[Coach, ...] = get_args(Coach)
        self.session.coach = modes[(modes.index(self.session.coach) + 1) % len(modes)]
        self.screen.coach(self.session.coach)

    def show_rounds(self) -> None:
        """The last rounds of the session."""
        past = list(rounds(self.table.book, self.table.events))
        self.screen.rounds(past[-_ROUNDS_SHOWN:])
        if not past:
            self.screen.say("No round yet.", indent=2)

    # Leaving

    def may_leave(self) -> bool:
        """In mid-hand the player is told first what his leaving would mean."""
        if not self.in_hand:
            return True
        trial = self.table.copy().leave()
        self.screen.say("If you leave now:")
        self.screen.ruling(trial.events[len(self.table.events) :])
        self.knows_ruling = self.asker.sure("Leave?")
        return self.knows_ruling

    @property
    def in_hand(self) -> bool:
        """Whether the cards are out, and the round is not over."""
        current = self.table.state.live_round
        return current is not None and bool(current.sequence)

    def walk_away(self) -> None:
        """Leaving in the middle of a round: the book rules, or the posted rule of the house does."""
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
