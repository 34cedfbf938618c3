"""The state of a meter: its counters, its tables, the open awards and the last hits.

Money on the meter is counted in parts. A minor unit has `scale` parts, enough that every contribution is a whole number
of them, so that no fraction is lost. Awards and refills are whole minor units.
"""

from datetime import datetime
from fractions import Fraction
from typing import Literal

import msgspec

from aceking.award import steps
from aceking.award.authority import AwardRole
from aceking.meter.commands import Configure
from aceking.rules.words import Course

#: Hits that the state keeps (R2).
HITS_LISTED = 25

#: The `hand` of an award by trigger, without cards.
MUST_HIT_BY = steps.MUST_HIT_BY

MeterPhase = Literal["new", "closed", "open", "retired"]


class SinceHit(msgspec.Struct, frozen=True, kw_only=True):
    """The history of the value since all of it was last won (R21), in parts: start + fed + adjusted - taken."""

    start: int = 0  # the base, or the reset value plus the fraction that was left
    own: int = 0  # the house's part of `start`
    fed: int = 0
    adjusted: int = 0
    taken: int = 0  # by smaller awards
    at: datetime | None = None


class MeterAward(steps.Award, frozen=True, kw_only=True):
    """An award with what it takes off the meter, and the times of its steps."""

    id: str
    table: str
    game: int
    book: str
    number: int  # in the order of recognition, from 1
    recognised: datetime
    major: bool  # it depends on the meter or changes it, so that the order of winners matters
    dealt: datetime | None = None
    let_stand: str | None = None  # the executive who accepted an award that was signed before its turn
    fed: int = 0  # parts fed since the occasion opened
    at_value: int | None = None  # the value before a fault, if it is paid by that
    from_meter: int = 0
    seed_house: int = 0  # the refill after this award, paid by the house
    seed_reserve: int = 0  # and paid by the reserve
    clause: str = ""
    sealed: bool = False  # the amount is final
    shares: tuple[str, ...] = ()  # the awards whose amounts became final with this one
    anew: bool = False  # one of those was undone: the amount must be computed again
    verified: int | None = None  # the place in the order of verification
    verified_at: datetime | None = None
    signed_at: datetime | None = None
    printed_at: datetime | None = None
    paid_at: datetime | None = None
    came: SinceHit = SinceHit()

    @property
    def from_tray(self) -> int:
        return self.amount - self.from_meter


class TableFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of the progressive at a table."""

    at: datetime
    value: int  # the last display, in minor units
    boxes: tuple[int, ...]
    this_round: bool  # the round goes on and is paid by `value`
    course: Course | None = None
    notice: bool = False


class MeterTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table that feeds the meter."""

    book: str
    running: bool = False
    game: int = 0
    started: datetime | None = None
    lit: tuple[int, ...] = ()
    chosen: int | None = None
    suspended: bool = False
    fault: TableFault | None = None
    wagers: int = 0
    fed: int = 0  # to meter, reserve and overflow, in parts
    game_fed: int = 0  # to the meter in this round
    game_reserve: int = 0
    game_overflow: int = 0


class Counters(msgspec.Struct, frozen=True, kw_only=True):
    """All money that went in, and where it is (R2). In parts, except wagers, wagered, hits, won and won_tray."""

    wagers: int = 0
    wagered: int = 0
    base: int = 0
    seeded: int = 0  # refills paid by the house
    contributed: int = 0  # to meter, reserve and overflow together
    adjusted: int = 0
    value: int = 0
    locked: int = 0  # set aside for unsigned awards
    owed: int = 0  # signed and not yet paid
    paid: int = 0
    overflow: int = 0
    reserve: int = 0
    reserve_used: int = 0
    hits: int = 0
    won: int = 0  # of all awards, from meter and tray
    won_tray: int = 0
    retired: int = 0  # moved away when the meter was retired


class Retirement(msgspec.Struct, frozen=True, kw_only=True):
    """Where the money of a retired meter went, in parts."""

    at: datetime
    by: str
    second: str
    reason: str
    to: Literal["meter", "players", "house"]
    place: str
    moved: int  # to `place`
    recovered: int  # by the house, of its own money


class Trigger(msgspec.Struct, frozen=True, kw_only=True):
    """A drawn trigger, still secret: uniform from `low` to `high`, in minor units."""

    commitment: str
    low: int
    high: int
    at: datetime


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A revealed trigger: reached by an award, or of a retired meter."""

    drawn: Trigger
    seed: str
    trigger: int
    award: str | None
    at: datetime


class Occasion(msgspec.Struct, frozen=True, kw_only=True):
    """Winners who are paid in one order: from the first recognised until all are signed or taken back."""

    frozen: int  # the value that they are paid from, in parts
    first: int  # the number of the award that opened it
    came: SinceHit  # the history of that value
    fed: int = 0  # contributions since it opened, in parts
    fed_in: int = 0  # the part of `fed` that `frozen` includes
    moved: bool = False  # one of them is signed
    waiting: tuple[str, ...] = ()  # tables in mid-round whose hands are not shown yet


class MeterState(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the next decision on a meter needs."""

    phase: MeterPhase = "new"
    config: Configure | None = None
    scale: int = 1
    rate_parts: int = 0  # to the meter for each minor unit wagered
    hidden_parts: int = 0
    clock: datetime | None = None  # the time of the last event: an earlier command is refused
    people: dict[str, AwardRole] = {}
    on_word_of: dict[str, str] = {}  # person: the one person who vouches for them
    tables: dict[str, MeterTable] = {}
    left: dict[str, MeterTable] = {}  # tables that have left the meter
    counters: Counters = Counters()
    occasion: Occasion | None = None
    awards: dict[str, MeterAward] = {}
    hits: tuple[MeterAward, ...] = ()
    since: SinceHit = SinceHit()
    adjustment: str = ""  # the key of the last one, to refuse the same line twice
    recognised: int = 0
    verified: int = 0
    retired: Retirement | None = None
    trigger: Trigger | None = None  # of a must-hit-by meter: the secret one
    shown: tuple[Shown, ...] = ()  # the revealed ones
    answered: dict[str, dict[str, str]] = {}  # bucket: command id: digest of the command
    events: int = 0
    refusals: int = 0

    @property
    def ceiling(self) -> int | None:
        """The limit of a must-hit-by meter; None if hands win the meter."""
        return None if self.config is None else self.config.ceiling


def identity(state: MeterState) -> int:
    """Return what went in less what is there, in parts: always 0."""
    has = state.counters
    went_in = has.base + has.seeded + has.contributed + has.adjusted
    return went_in - (has.value + has.locked + has.owed + has.paid + has.overflow + has.reserve + has.retired)


def display(state: MeterState) -> int:
    """Return what the displays show, in whole minor units."""
    return state.counters.value // state.scale


def carried(state: MeterState) -> Fraction:
    """Return the fraction of a minor unit that the displays do not show."""
    return Fraction(state.counters.value % state.scale, state.scale)


def pending(state: MeterState) -> tuple[MeterAward, ...]:
    """Return the unsigned awards that depend on the meter, as displays announce them."""
    return tuple(one for one in state.awards.values() if one.major and one.open)


class MeterDisplay(msgspec.Struct, frozen=True, kw_only=True):
    """What the display of a table shows."""

    table: str
    value: int
    pending: tuple[tuple[str, int, int], ...]  # table, seat, amount
    won: tuple[tuple[str, int, int], ...]  # signed, until the round at that table ends
    suspended: bool
    without_jackpot: bool


def screens(state: MeterState) -> tuple[MeterDisplay, ...]:
    """Return the display of every table: the same value and announcements on each."""
    waits = tuple((one.table, one.seat, one.amount) for one in pending(state))
    won = tuple((one.table, one.seat, one.amount) for one in state.awards.values() if one.signed)
    return tuple(
        MeterDisplay(
            table=name,
            value=display(state),
            pending=waits,
            won=won,
            suspended=table.suspended,
            without_jackpot=table.fault is not None and not table.fault.this_round,
        )
        for name, table in state.tables.items()
    )


def finer(has: Counters, grown: int) -> Counters:
    """Return the same money in smaller parts, as a new rate needs them."""
    names = ("base", "seeded", "contributed", "adjusted", "value", "paid", "overflow", "reserve", "reserve_used")
    return msgspec.structs.replace(has, **{name: getattr(has, name) * grown for name in names})


def finer_since(since: SinceHit, grown: int) -> SinceHit:
    """Return the same history in smaller parts."""
    names = ("start", "own", "fed", "adjusted", "taken")
    return msgspec.structs.replace(since, **{name: getattr(since, name) * grown for name in names})
