"""The dealer's and the devices' part of a round: what the book orders next, done in its order.

A game, a test or a program only says what the players do. The same steps are the hints of a live table.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import ActName
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.deal import burns, due_places, in_packets
from aceking.table.dealer.due import is_done_with, is_turned
from aceking.table.decide import run
from aceking.table.options import in_force
from aceking.table.phases.awards import is_award, unqualified
from aceking.table.phases.equipment import fitting, missing
from aceking.table.phases.majors import is_major, is_suspended
from aceking.table.phases.opening import BACKS, DECKS, counts_by_device, next_deck
from aceking.table.procedure.boxes import several_boxes
from aceking.table.procedure.orders import count_is_due, orders
from aceking.table.procedure.round import EARLY, unsettled_early
from aceking.table.reckon import owed
from aceking.table.state import Mode, Table


class DriverError(RuntimeError):
    """The driver asked for something that the engine refused: a bug, or a table that a person must look at."""


def new_table(
    book: Book,
    *,
    table_id: str = "1",
    mode: Mode = "electronic",
    people: Mapping[str, tuple[str, ...]] | None = None,
    ante_min: int | None = None,
    ante_max: int | None = None,
    decide_seconds: int | None = None,
    awards: Mapping[str, str] | None = None,
    reset: int | None = None,
) -> Table:
    """A table of this book, not yet opened."""
    usual = {name: option.default for name, option in book.options.items()} | dict(book.fixed)
    return Table(
        id=table_id,
        book=book.id,
        digest=book.digest,
        mode=mode,
        options={name: value for name, value in book.chosen.items() if value != usual[name]},
        people=dict(people or {}),
        ante_min=ante_min,
        ante_max=ante_max,
        decide_seconds=decide_seconds,
        awards=dict(awards or {}),
        reset=reset,
    )


class Driver:
    """Drives one table through decide and evolve, and keeps the record."""

    def __init__(self, book: Book, table: Table | None = None) -> None:
        self._book = book
        self.table = new_table(book) if table is None else table
        self.events: list[ev.Event] = []

    @property
    def book(self) -> Book:
        """The book under the options that the table has now."""
        return in_force(self._book, self.table)

    def do(self, act: Act) -> tuple[ev.Event, ...] | Refusal:
        """One act by anybody."""
        result = run(self.book, self.table, act)
        if isinstance(result, Refusal):
            return result
        self.table, events = result
        self.events += events
        return events

    def must(self, act: Act) -> tuple[ev.Event, ...]:
        """One act of the house's own, which the engine has no reason to refuse."""
        result = self.do(act)
        if isinstance(result, Refusal):
            raise DriverError(f"{act.do}: {result.reason} ({result.clause})")
        return result

    def open_table(self) -> None:
        """Everything before the first round: notices, deck, inspection, spread, wash, as far as the book has it."""
        if self.table.open:
            return
        self.must(Act(do="notice-given", note="rules, limits, pays and number of games"))
        for name in missing(self.book, self.table):
            self.must(fitting(self.book, name))
        decks = DECKS[: self.book.deck.decks]
        for deck, back in zip(decks, BACKS, strict=False):
            size, extras = self.book.deck.size, _extras(self.book)
            self.must(Act(do="deck-registered", deck=deck, method=back, count=size, note=extras))
        self.must(Act(do="table-configured"))
        self.must(Act(do="table-opened"))
        for deck in decks if self.book.opening is not None else ():
            for act in self.book.opening.acts if self.book.opening is not None else ():
                if act not in ("shuffle", "deck-registered"):
                    self.must(Act(do=act, deck=deck))

    def open_bets(self, order: Sequence[int] = ()) -> None:
        """The deck is shuffled in this order, cut where the book wants it, loaded, and betting opens."""
        self.open_table()
        self.shuffle(order)
        self.must(Act(do="bets-opened"))

    def shuffle(self, order: Sequence[int] = ()) -> None:
        """The deck whose turn it is is mixed and loaded; another waits in the shuffler."""
        cards = tuple(order) or None
        deck = next_deck(self.table)
        by_hand = self.book.cut is not None and self.book.shuffle is not None and self.book.shuffle.method == "manual"
        # The order that is given is the order of the deal: before a cut it lay as many cards further on.
        self.must(Act(do="shuffle", deck=deck, cards=_uncut(cards) if cards is not None and by_hand else cards))
        if counts_by_device(self.book):
            self.must(Act(do="device-count", deck=deck, count=self.book.deck.size))
        if by_hand:
            self.must(Act(do="cover-card-laid", deck=deck))
            self.must(Act(do="cut", deck=deck, count=_CUT))
            self.must(Act(do="cover-card-to-rack", deck=deck))
        loads: ActName = "deck-held" if self.book.deal.method == "hand" else "deck-loaded"
        self.must(Act(do=loads, deck=deck))
        for other in self.table.decks:
            if other != deck:
                self.must(Act(do="deck-to-shuffler", deck=other))

    def close_bets(self, meter: int | None = None) -> None:
        """No more bets; the side bets are locked out, counted and put in the tray."""
        closes_by_key = "START GAME" in orders(self.book)
        if closes_by_key:
            self.must(Act(do="START GAME", amount=meter))
            return
        self.must(Act(do="no-more-bets"))
        if "lock-out" in orders(self.book):
            self.must(Act(do="lock-out"))
        current = self.table.round
        assert current is not None
        lights = sum(bool(box.side and box.lit) for box in current.boxes.values())
        self.must(Act(do="chip-light-count", count=lights, amount=meter))

    def deal_some(self, count: int) -> None:
        """So many cards or packets of the deal, and no more."""
        for _ in range(count):
            self.must(Act(do="packet-dealt" if in_packets(self.book) else "card-dealt"))

    def play_rounds(self, count: int) -> None:
        """Whole rounds in which one player antes and folds, or stays where nobody folds."""
        least = self.table.ante_min or 10 ** (self.book.decimals + 1)
        for _ in range(count):
            self.open_bets(range(self.book.deck.size))
            self.must(Act(do="ante", box=1, player="player 1", amount=least))
            self.close_bets()
            self.deal()
            self.look(1, declares=False)
            self.must(self._least(1))
            self.finish()

    def _least(self, number: int) -> Act:
        """The decision that stakes nothing more."""
        if "fold" in self.book.decide.choices:
            return Act(do="decision", box=number, choice="fold")
        current = self.table.round
        assert current is not None
        return Act(do="decision", box=number, choice="stay", card=current.boxes[number].cards[-1])

    def deal(self, count: int | None = None) -> None:
        """The deal from the deck's order: what is left of it, or so many cards or packets."""
        current = self.table.round
        assert current is not None
        if "one-hand-notice" in orders(self.book) and "one-hand-notice" not in current.acts and several_boxes(current):
            self.must(Act(do="one-hand-notice"))
        if burns(self.book) and not current.sequence:
            self.must(Act(do="burn"))
        left = [place.to for place in due_places(self.book, current)[current.placed :]]
        packets = in_packets(self.book)
        for _ in (list(dict.fromkeys(left)) if packets else left)[:count]:
            self.must(Act(do="packet-dealt" if packets else "card-dealt"))
        if count is None:
            self.after_deal()

    def after_deal(self) -> None:
        """Up-card, stub and count, as the book has them; then the players may look."""
        book, current = self.book, self.table.round
        assert current is not None
        if book.dealer is not None and current.up is None:
            self.must(Act(do="up-card"))
        if count_is_due(book, self.table) and not current.counted:
            self.must(Act(do="stub-count", count=len(current.order)))
        if self.table.live_round is None:
            return
        if book.exchange is None and book.stub is not None and book.stub.goes_to == "rack":
            self.must(Act(do="stub-to-rack"))
        self.must(Act(do="go-ahead"))

    def look(self, number: int, *, declares: bool = True) -> None:
        """A player looks. The program itself declares a hand for a share of the meter, and play goes on after it."""
        self.must(Act(do="look", box=number))
        current = self.table.live_round
        if current is not None and declares and is_major(self.book, current.boxes[number]):
            self.must(Act(do="claim", box=number))
            if is_suspended(self.table):
                self.must(Act(do="resume-tables"))

    def finish(self, silent: Collection[int] = ()) -> None:
        """Reveal, settlement, awards and collection, in the book's order. Silent boxes give no notice of a jackpot."""
        for act in self.early_acts():
            self.must(act)
        self.must(Act(do="reveal"))
        current = self.table.round
        assert current is not None
        # The program itself gives notice of a jackpot hand, so that nothing is lost by silence.
        if self.book.progressive is not None:
            for box in current.live:
                if box.side and box.lit and not box.claimed and not box.racked and box.number not in silent:
                    self.must(Act(do="claim", box=box.number))
        if "announce-no-hand" in orders(self.book) and unqualified(self.book, current):
            self.must(Act(do="announce-no-hand"))
        for act in self.closing_acts():
            self.must(act)

    def early_acts(self) -> Iterator[Act]:
        """Chips and cards of hands that folded or were declared, where the book wants them gone before the reveal."""
        wanted = {need for order in orders(self.book).get("reveal", ()) for need in order.needs}
        current = self.table.round
        assert current is not None
        choices = [choice for need, choice in EARLY.items() if need in wanted]
        for number in sorted(number for choice in choices for number in unsettled_early(self.book, current, choice)):
            outcomes = {line.outcome for _, line in owed(current) if line.seat == number}
            if "lose" in outcomes:
                yield Act(do="collect-chips", box=number)
            if outcomes - {"lose"}:
                yield Act(do="pay", box=number)
            yield Act(do="collect-cards", box=number)

    def closing_acts(self) -> Iterator[Act]:
        """What is left to do after the reveal, one act after another."""
        current = self.table.round
        assert current is not None
        for box in sorted(current.live, key=lambda one: -one.number):
            if not box.racked and is_turned(self.book, current, box):
                yield Act(do="turn-hand", box=box.number)
        yield from self._settle()
        current = self.table.round
        assert current is not None
        for box in sorted(current.boxes.values(), key=lambda one: -one.number):
            if box.cards and not box.racked:
                does: ActName = "collect-award-cards" if box.number in current.selected else "collect-cards"
                if current.from_meter.get(box.number):
                    yield Act(do="documentation-complete", box=box.number)
                if "fold-count" in orders(self.book) and box.choice == "fold":
                    yield Act(do="fold-count", box=box.number, count=len(box.cards))
                yield Act(do=does, box=box.number, count=len(box.cards))
        yield Act(do="collect-cards")
        yield Act(do="END GAME" if "END GAME" in orders(self.book) else "round-ended")

    def _settle(self) -> Iterator[Act]:
        """Chips, line by line in order: the engine reckons the round at the first of them."""
        yield Act(do="reckon")
        while True:
            current = self.table.round
            assert current is not None
            waiting = owed(current)
            if not waiting or self.table.questions:
                return
            _, line = waiting[0]
            if not is_award(line):
                yield Act(do="collect-chips" if line.outcome == "lose" else "pay", box=line.seat)
                after = self.table.round
                if after is not None and is_done_with(self.book, after, line.seat):
                    yield Act(do="collect-cards", box=line.seat)
                continue
            yield Act(do="select-winner", box=line.seat, by="dealer")
            if "call-supervisor" in orders(self.book):
                yield Act(do="call-supervisor", box=line.seat)
            yield Act(do="supervisor-validated", box=line.seat, by="supervisor")
            if "card-swipe" in orders(self.book):
                yield Act(do="card-swipe", box=line.seat, by="executive", method="executive")
            yield Act(do="pay-award", box=line.seat)


_CUT = 26


def _uncut(order: tuple[int, ...]) -> tuple[int, ...]:
    """The order before a cut that leads to this one."""
    return (*order[-_CUT:], *order[:-_CUT])


def _extras(book: Book) -> str:
    return ", ".join(book.deck.extra_cards)
