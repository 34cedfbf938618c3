"""Run the house's part of a round: do what is due, so that a game or a test only gives the players' acts."""

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
from aceking.table.state import Mode, TableState


class DriverError(RuntimeError):
    """The engine refused an act of the driver: a bug, or a table that needs a person."""


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
) -> TableState:
    """Return a table of this book, not yet opened."""
    usual = {name: option.default for name, option in book.options.items()} | dict(book.fixed)
    return TableState(
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


#: Constants, since a union in the call would be created for every card.
_DEALS = (c.DealCard, c.DealPacket)
_OF_THE_DEAL = (c.RemoveDevice, c.CountChips, c.TellOneHand, c.Burn, *_DEALS)


class Driver:
    """Drives one table through `decide` and `evolve`, and keeps the shoe and the record."""

    def __init__(self, book: Book, table: TableState | None = None) -> None:
        self._book = book
        self.table = new_table(book) if table is None else table
        self.shoe = NO_SHOE
        self.events: list[ev.TableEvent] = []

    @property
    def book(self) -> Book:
        """Return the book under the current options of the table."""
        return in_force(self._book, self.table)

    def do(self, command: c.TableCommand) -> tuple[ev.TableEvent, ...] | Refusal:
        """Run one command. Return its events, or the refusal."""
        result = run(self.book, self.table, command, self.shoe)
        if isinstance(result, Refusal):
            return result
        self.table, events = result
        for event in events:
            if type(event) is ev.WasCut:
                self.shoe = self.shoe.after(event)
        self.events += events
        return events

    def must(self, act: c.Act | c.Report) -> tuple[ev.TableEvent, ...]:
        """Run one act of the house. Raises DriverError if it is refused."""
        result = self.do(act)
        if isinstance(result, Refusal):
            name = act.do if isinstance(act, c.Act) else act.mishap
            raise DriverError(f"{name}: {result.reason} ({result.clause})")
        return result

    def until(self, stop: Callable[[c.Act | c.Report], bool], silent: Collection[int] = ()) -> c.Act | c.Report | None:
        """Do what is due until `stop` is true of the next act, and return that act; None if people must act first."""
        while (act := due(self.book, self.table, silent=silent)) is not None:
            if stop(act):
                return act
            self.must(act)
        return None

    def seal(self, order: Sequence[int], deck: str) -> None:
        """Fix the order of the deal; if the deck is cut, the order before the cut is worked out from it."""
        cards = tuple(order)
        lies = (*cards[-CUT:], *cards[:-CUT]) if cuts(self.book) else cards
        self.shoe = self.shoe.with_order(deck, lies)

    def open_table(self) -> None:
        """Do everything before the first shuffle: notices, deck, inspection, spread, wash, as the book has it."""
        self.until(_is(c.Shuffle, c.OpenBets))

    def shuffle(self, order: Sequence[int] = ()) -> None:
        """Shuffle the next deck, cut it if the book wants it, and load it."""
        act = self.until(_is(c.Shuffle, c.OpenBets))
        if isinstance(act, c.Shuffle):
            if order and act.deck is not None:
                self.seal(order, act.deck)
            self.must(replace(act, sealed=bool(order)))
        self.until(_is(c.OpenBets))

    def open_bets(self, order: Sequence[int] = ()) -> None:
        """Shuffle the deck into this order, and open betting."""
        self.shuffle(order)
        self.must(c.OpenBets())

    def close_bets(self, meter: int | None = None) -> None:
        """Close the bets; the side bets are locked out, counted and put in the tray."""
        current = self.table.live_round
        if current is None or current.phase == "betting":
            if isinstance(reset := due(self.book, self.table), c.EndGame):
                self.must(reset)
            self.must(c.StartGame(meter=meter) if "START GAME" in orders(self.book) else c.CloseBets(meter=meter))
        while isinstance(act := due(self.book, self.table), c.LockOut | c.CountChips):
            self.must(replace(act, meter=meter) if isinstance(act, c.CountChips) else act)

    def deal_some(self, count: int) -> None:
        """Deal `count` cards or packets."""
        for _ in range(count):
            self.must(c.DealPacket() if in_packets(self.book) else c.DealCard())

    def deal(self, count: int | None = None) -> None:
        """Deal from the deck's order: the rest of the deal, or `count` cards or packets."""
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
        """Do up-card, stub and count, as the book has them; then let the players look."""
        while isinstance(
            act := due(self.book, self.table, reports=False), c.TurnUpCard | c.CountStub | c.RackStub | c.GoAhead
        ):
            self.must(act)
            if isinstance(act, c.GoAhead):
                return

    def look(self, number: int, *, declares: bool = True) -> None:
        """Look for a player. A hand for a share of the meter is announced by the program, and play goes on."""
        self.must(c.Look(box=number))
        act = due(self.book, self.table)
        if declares and isinstance(act, c.Claim) and act.box == number:
            self.must(act)
            if isinstance(after := due(self.book, self.table), c.ResumeTables):
                self.must(after)

    def finish(self, silent: Collection[int] = ()) -> None:
        """Reveal, settle, pay awards and collect, in the book's order. `silent` boxes do not announce a jackpot.

        Raises DriverError if players or staff must act first.
        """
        number = self.table.round.number if self.table.round is not None else 0
        self.until(lambda act: self.table.live_round is None, silent)
        current = self.table.round
        if current is None or self.table.live_round is not None or current.number != number:
            waits = [f"{one.of} must answer question {one.number}" for one in self.table.questions if one.holds_play]
            raise DriverError(waits[0] if waits else "the players have not decided")

    def play_rounds(self, count: int) -> None:
        """Play whole rounds in which one player antes and folds, or stays if the book has no fold."""
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
        """Return the decision that stakes nothing more."""
        if "fold" in self.book.decide.choices:
            return c.Fold(box=number)
        current = self.table.round
        assert current is not None
        held = current.boxes[number].cards
        return c.Stay(box=number, discard=c.as_aside(held[len(held) - self.book.hands.discards :]))


def _is(*kinds: type[c.Act]) -> Callable[[c.Act | c.Report], bool]:
    return lambda act: isinstance(act, kinds)
