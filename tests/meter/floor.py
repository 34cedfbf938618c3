"""A floor for tests: a meter with its people, driven by short calls, checked after every event."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from aceking.award.authority import AwardRole
from aceking.meter.commands import (
    AdjustMeter,
    AnyCommand,
    CallMeterSupervisor,
    Configure,
    EndMeterGame,
    Open,
    PayMeterAward,
    PrintAwardPage,
    SelectHand,
    SelectSeat,
    ShownAll,
    SignAward,
    StartMeterGame,
    VerifyAward,
)
from aceking.meter.events import AnyEvent, MeterAnswered, MeterRefused
from aceking.meter.evolve import evolve
from aceking.meter.state import MeterAward, MeterState, display, identity
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal
from tests.meter.acting import act, replay, state_bytes

START = datetime(2026, 1, 5, 21, 0, 0, tzinfo=UTC)
PEOPLE: dict[str, AwardRole] = {
    "Dora": "dealer",
    "Dan": "dealer",
    "Sam": "supervisor",
    "Sue": "supervisor",
    "Eva": "executive",
    "Max": "executive",
    "Root": "administrator",
}
ROYALS = {1: "As Ks Qs Js Ts", 3: "Ad Kd Qd Jd Td", 5: "Ah Kh Qh Jh Th", 7: "Ac Kc Qc Jc Tc"}
STRAIGHT_FLUSHES = {1: "9s 8s 7s 6s 5s", 3: "9d 8d 7d 6d 5d", 5: "9c 8c 7c 6c 5c", 7: "9h 8h 7h 6h 5h"}
POSTED = {
    "washington": {
        "royal_flush": "100%",
        "straight_flush": "10%",
        "four_of_a_kind": "500",
        "full_house": "100",
        "flush": "50",
    },
    "exchange": {"four_of_a_kind": "500", "full_house": "150", "flush": "75"},
    "section10": {},
    "rws": {},
}
UNIT = 100


def book_with(name: str, options: Mapping[str, Any]) -> Book:
    """A book with options that it takes."""
    book = with_options(load_book(name), options)
    assert isinstance(book, Book)
    return book


def invariant(state: MeterState) -> None:
    """Check what holds after every event."""
    has = state.counters
    assert identity(state) == 0
    assert min(has.value, has.locked, has.owed, has.paid, has.overflow, has.reserve, has.reserve_used) >= 0
    open_majors = [one for one in state.awards.values() if one.major and one.open]
    assert has.locked == sum(one.from_meter for one in open_majors) * state.scale
    unsealed = [one for one in open_majors if not one.sealed]
    held = sum(one.from_meter - one.seed_house - one.seed_reserve for one in unsealed) * state.scale
    came = state.since
    assert came.start + came.fed + came.adjusted - came.taken == has.value + held


class Floor:
    """A meter under test."""

    def __init__(
        self,
        tables: Mapping[str, str],
        *,
        options: Mapping[str, Mapping[str, Any]] | None = None,
        value: int = 100_000,
        reset: int = 10_000,
        opened: bool = True,
        **more: Any,
    ) -> None:
        names = sorted(set(tables.values()))
        self.books = {name: book_with(name, (options or {}).get(name, {})) for name in names}
        self.state = MeterState()
        self.events: list[AnyEvent] = []
        self.seeds: dict[str, bytes] = {}  # of triggers, by commitment: what lies apart
        self.clock = self.started = START
        posted = {row: one for name in names for row, one in POSTED[name].items()}
        settings: dict[str, Any] = {
            "by": "Sam",
            "second": "Eva",
            "tables": dict(tables),
            "currency": self.books[names[0]].currency,
            "base": value * UNIT,
            "reset": reset * UNIT,
            "rate": "70%",
            "awards": posted,
            "people": PEOPLE,
        }
        self.settings = {**settings, **more}
        self.do(Configure(at=self.now(), **self.settings))
        if opened:
            self.open()

    def open(self) -> None:
        """The meter goes into operation, if it is configured."""
        self.do(Open(at=self.now(), by="Sam"))

    def now(self) -> datetime:
        """Move the clock on by a second and return it."""
        self.clock += timedelta(seconds=1)
        return self.clock

    def do(self, command: AnyCommand) -> MeterRefused | None:
        """Gives a command; the refusal, if it was refused. A refusal moves nothing."""
        before = self.state
        after, events = act(self.books, before, command, self.seeds)
        step = before
        for event in events:
            step = evolve(step, event)
        assert step == after
        self.state = after
        self.events += events
        if self.state.config is not None:
            invariant(self.state)
        if events and isinstance(events[0], MeterRefused):
            assert not [one for one in events[1:] if not isinstance(one, MeterAnswered)]
            assert after.counters == before.counters
            assert after.awards == before.awards
            assert after.tables == before.tables
            return events[0]
        return None

    def ok(self, command: AnyCommand) -> None:
        """A command that must be carried out."""
        refused = self.do(command)
        assert refused is None, f"{refused.reason} ({refused.clause})"

    def no(self, command: AnyCommand) -> tuple[str | None, str]:
        """A command that must be refused: the clause and the reason."""
        refused = self.do(command)
        assert refused is not None, "it was carried out"
        return refused.clause, refused.reason

    def start(self, table: str, *seats: int) -> None:
        """START GAME with these seats lit; the deal takes a minute."""
        self.started = self.now()
        self.ok(StartMeterGame(at=self.started, table=table, by="Dora", seats=seats))
        self.clock += timedelta(seconds=60)

    def dealt(self, seconds: int) -> datetime:
        """A moment of the deal that began last."""
        return self.started + timedelta(seconds=seconds)

    def hand(self, table: str, seat: int, hand: str, cards: str, **more: Any) -> SelectHand:
        """The seat chosen, and the command for the hand."""
        self.ok(SelectSeat(at=self.now(), table=table, by="Dora", seat=seat))
        more.setdefault("dealt", self.clock)
        return SelectHand(at=self.now(), table=table, by="Dora", hand=hand, cards=cards, **more)

    def select(self, table: str, seat: int, hand: str, cards: str, **more: Any) -> None:
        """Select a seat and its hand."""
        self.ok(self.hand(table, seat, hand, cards, **more))

    def confirm(self, table: str, seat: int) -> None:
        """Call the supervisor and verify the hand."""
        award = self.award(table, seat)
        self.ok(CallMeterSupervisor(at=self.now(), table=table, by="Dora", seat=seat))
        self.ok(
            VerifyAward(at=self.now(), table=table, by="Sam", seat=seat, hand=award.hand, cards=award.cards, light=True)
        )

    def award(self, table: str, seat: int) -> MeterAward:
        """The award that stands at a seat; what was backed out there stands no more."""
        here = (one for one in self.state.awards.values() if (one.table, one.seat) == (table, seat))
        return next(one for one in here if not one.gone)

    def signature(self, table: str, seat: int, by: str = "Eva", amount: int | None = None) -> SignAward:
        """A swipe for the amount that is due, or for another."""
        due = self.award(table, seat).amount if amount is None else amount
        return SignAward(at=self.now(), table=table, by=by, seat=seat, amount=due)

    def sign_and_pay(self, table: str, seat: int) -> int:
        """Sign, print and pay an award; return what was paid, in minor units."""
        self.ok(self.signature(table, seat))
        self.ok(PrintAwardPage(at=self.now(), table=table, by="Sam", seat=seat))
        amount = self.award(table, seat).amount
        self.ok(PayMeterAward(at=self.now(), table=table, by="Dora", seat=seat, amount=amount))
        return amount

    def end(self, *tables: str) -> None:
        """End the game at each table."""
        for table in tables:
            self.ok(EndMeterGame(at=self.now(), table=table, by="Dora"))

    def adjust_by(self, amount: int) -> None:
        """An adjustment in whole units, properly signed."""
        self.ok(AdjustMeter(at=self.now(), by="Sam", second="Eva", reason="a count", amount=amount * UNIT))

    def bring_to(self, value: int) -> None:
        """Brings the display to a round value in whole units, whatever the lit seats have fed."""
        if amount := value * UNIT - self.shows:
            self.ok(AdjustMeter(at=self.now(), by="Sam", second="Eva", reason="a round value", amount=amount))

    def shown_all(self) -> None:
        """Every paused table reports that it has no other winner."""
        occasion = self.state.occasion
        for table in () if occasion is None else occasion.waiting:
            self.ok(ShownAll(at=self.now(), table=table, by="Dora"))

    @property
    def shows(self) -> int:
        """The display, in minor units."""
        return display(self.state)

    def replayed(self) -> None:
        """The events alone give the same state, byte for byte."""
        assert state_bytes(replay(self.events)) == state_bytes(self.state)


def refusal_of(found: object) -> Refusal:
    """A value that must be a refusal."""
    assert isinstance(found, Refusal)
    return found
