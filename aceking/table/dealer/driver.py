"""The house's part of a round: a loop over what is due, so that a game or a test only says what players do."""

from collections.abc import Callable, Collection, Mapping, Sequence

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.deal_order import in_packets
from aceking.table.cards.decks import cuts
from aceking.table.cards.shoe import NO_SHOE
from aceking.table.dealer.next_act import CUT, due
from aceking.table.decide import run
from aceking.table.options import in_force
from aceking.table.procedure.orders import orders
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
    attended: bool = True,
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
        attended=attended,
    )


#: Kept apart: a union in the call would be made anew for every card.
_DEALS = (c.DealCard, c.DealPacket)
_OF_THE_DEAL = (c.RemoveDevice, c.CountChips, c.TellOneHand, c.Burn, *_DEALS)


class Driver:
    """Drives one table through decide and evolve, keeps the shoe and the record."""

    def __init__(self, book: Book, table: Table | None = None) -> None:
        self._book = book
        self.table = new_table(book) if table is None else table
        self.shoe = NO_SHOE
        self.events: list[ev.Event] = []

    @property
    def book(self) -> Book:
        """The book under the options that the table has now."""
        return in_force(self._book, self.table)

    def do(self, command: c.Command) -> tuple[ev.Event, ...] | Refusal:
        """One command by anybody."""
        result = run(self.book, self.table, command, self.shoe)
        if isinstance(result, Refusal):
            return result
        self.table, events = result
        for event in events:
            if type(event) is ev.WasCut:
                self.shoe = self.shoe.after(event)
        self.events += events
        return events

    def must(self, act: c.Act | c.Report) -> tuple[ev.Event, ...]:
        """One act of the house's own, which the engine has no reason to refuse."""
        result = self.do(act)
        if isinstance(result, Refusal):
            name = act.do if isinstance(act, c.Act) else act.mishap
            raise DriverError(f"{name}: {result.reason} ({result.clause})")
        return result

    def until(self, stop: Callable[[c.Act | c.Report], bool], silent: Collection[int] = ()) -> c.Act | c.Report | None:
        """Does what is due until this would be next, and returns it; None where people must act first."""
        while (act := due(self.book, self.table, silent=silent)) is not None:
            if stop(act):
                return act
            self.must(act)
        return None

    def seal(self, order: Sequence[int], deck: str) -> None:
        """The order of the deal is fixed: before a cut it lay as many cards further on."""
        cards = tuple(order)
        lies = (*cards[-CUT:], *cards[:-CUT]) if cuts(self.book) else cards
        self.shoe = self.shoe.with_order(deck, lies)

    def open_table(self) -> None:
        """Everything before the first shuffle: notices, deck, inspection, spread, wash, as far as the book has it."""
        self.until(_is(c.Shuffle, c.OpenBets))

    def shuffle(self, order: Sequence[int] = ()) -> None:
        """The deck whose turn it is is mixed, cut where the book wants it, and loaded; another waits."""
        act = self.until(_is(c.Shuffle, c.OpenBets))
        if isinstance(act, c.Shuffle):
            if order and act.deck is not None:
                self.seal(order, act.deck)
            self.must(replace(act, sealed=bool(order)))
        self.until(_is(c.OpenBets))

    def open_bets(self, order: Sequence[int] = ()) -> None:
        """The deck is shuffled in this order, and betting opens."""
        self.shuffle(order)
        self.must(c.OpenBets())

    def close_bets(self, meter: int | None = None) -> None:
        """No more bets; the side bets are locked out, counted and put in the tray."""
        current = self.table.live_round
        if current is None or current.phase == "betting":
            if isinstance(reset := due(self.book, self.table), c.EndGame):
                self.must(reset)
            self.must(c.StartGame(meter=meter) if "START GAME" in orders(self.book) else c.CloseBets(meter=meter))
        while isinstance(act := due(self.book, self.table), c.LockOut | c.CountChips):
            self.must(replace(act, meter=meter) if isinstance(act, c.CountChips) else act)

    def deal_some(self, count: int) -> None:
        """So many cards or packets of the deal, and no more."""
        for _ in range(count):
            self.must(c.DealPacket() if in_packets(self.book) else c.DealCard())

    def deal(self, count: int | None = None) -> None:
        """The deal from the deck's order: what is left of it, or so many cards or packets."""
        dealt = 0
        while count is None or dealt < count:
            act = due(self.book, self.table)
            fails = isinstance(act, c.Report) and act.mishap == "shoe-fault"
            if act is None or not (fails or isinstance(act, _OF_THE_DEAL)):
                break
            self.must(act)
            dealt += isinstance(act, _DEALS)
        if count is None:
            self.after_deal()

    def after_deal(self) -> None:
        """Up-card, stub and count, as the book has them; then the players may look."""
        while isinstance(
            act := due(self.book, self.table, reports=False), c.TurnUpCard | c.CountStub | c.RackStub | c.GoAhead
        ):
            self.must(act)
            if isinstance(act, c.GoAhead):
                return

    def look(self, number: int, *, declares: bool = True) -> None:
        """A player looks. The program itself declares a hand for a share of the meter, and play goes on after it."""
        self.must(c.Look(box=number))
        act = due(self.book, self.table)
        if declares and isinstance(act, c.Claim) and act.box == number:
            self.must(act)
            if isinstance(after := due(self.book, self.table), c.ResumeTables):
                self.must(after)

    def finish(self, silent: Collection[int] = ()) -> None:
        """Reveal, settlement, awards and collection, in the book's order. Silent boxes give no notice of a jackpot."""
        number = self.table.round.number if self.table.round is not None else 0
        self.until(lambda act: self.table.live_round is None, silent)
        current = self.table.round
        if current is None or self.table.live_round is not None or current.number != number:
            waits = [f"{one.of} must answer question {one.number}" for one in self.table.questions if one.holds_play]
            raise DriverError(waits[0] if waits else "the players have not decided")

    def play_rounds(self, count: int) -> None:
        """Whole rounds in which one player antes and folds, or stays where nobody folds."""
        least = self.table.ante_min or 10 ** (self.book.decimals + 1)
        for _ in range(count):
            self.open_bets(range(self.book.deck.size))
            self.must(c.Ante(box=1, player="player 1", amount=least))
            self.close_bets()
            self.deal()
            self.look(1, declares=False)
            self.must(self._least(1))
            self.finish()

    def _least(self, number: int) -> c.Act:
        """The decision that stakes nothing more."""
        if "fold" in self.book.decide.choices:
            return c.Fold(box=number)
        current = self.table.round
        assert current is not None
        held = current.boxes[number].cards
        return c.Stay(box=number, discard=c.as_aside(held[len(held) - self.book.hands.discards :]))


def _is(*kinds: type[c.Act]) -> Callable[[c.Act | c.Report], bool]:
    return lambda act: isinstance(act, kinds)
