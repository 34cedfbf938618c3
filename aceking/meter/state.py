"""A link as it stands: the meter with its counters, the tables, the awards in hand and the last hits.

Money on the meter is counted in parts: a minor unit has `scale` of them, so many that a contribution is always a whole
number. Nothing smaller exists, so no fraction is ever lost. Awards and refills are whole minor units.
"""

from datetime import datetime
from fractions import Fraction
from typing import Literal

import msgspec

from aceking.award import steps
from aceking.award.authority import Role
from aceking.meter.commands import Configure
from aceking.rules.words import Course

#: How many hits are listed (R2).
HITS_LISTED = 25

#: What stands for the hand of an award that a trigger gives and no cards.
MUST_HIT_BY = steps.MUST_HIT_BY

Phase = Literal["new", "closed", "open", "retired"]


class SinceHit(msgspec.Struct, frozen=True, kw_only=True):
    """How the value came about since all of it was last won (R21), in parts: start + fed + adjusted - taken."""

    start: int = 0  # the base, or the reset value with the fraction that was left
    own: int = 0  # of that, what the house put in
    fed: int = 0
    adjusted: int = 0
    taken: int = 0  # by lesser awards
    at: datetime | None = None


class Award(steps.Award, frozen=True, kw_only=True):
    """An award on its way, with what it does to the meter, and when."""

    id: str
    table: str
    game: int
    book: str
    number: int  # in the order of recognition
    recognised: datetime
    major: bool  # it touches the meter, so that its turn matters
    dealt: datetime | None = None
    let_stand: str | None = None  # who let an award stand that was signed before its turn
    fed: int = 0  # parts fed since the occasion opened
    at_value: int | None = None
    from_meter: int = 0
    seed_house: int = 0  # what the refill at this award's turn cost the house
    seed_reserve: int = 0  # and the reserve
    clause: str = ""
    sealed: bool = False  # the amount is final
    shares: tuple[str, ...] = ()  # the awards whose amounts became final together with this one
    anew: bool = False  # one of those was backed out: the amount is to be reckoned anew
    verified: int | None = None  # the place in the order of confirmation
    verified_at: datetime | None = None
    signed_at: datetime | None = None
    printed_at: datetime | None = None
    paid_at: datetime | None = None
    came: SinceHit = SinceHit()

    @property
    def from_tray(self) -> int:
        """What the tray pays of it."""
        return self.amount - self.from_meter


class TableFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault of the progressive at a table."""

    at: datetime
    value: int  # what was shown last, in minor units
    boxes: tuple[int, ...]
    this_round: bool  # the round goes on and is paid by that value
    course: Course | None = None
    notice: bool = False


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """A table of the link."""

    book: str
    running: bool = False
    game: int = 0
    started: datetime | None = None
    lit: tuple[int, ...] = ()
    chosen: int | None = None
    suspended: bool = False
    fault: TableFault | None = None
    wagers: int = 0
    fed: int = 0  # parts, to meter, reserve and overflow
    game_fed: int = 0  # of this round: to the meter
    game_reserve: int = 0
    game_overflow: int = 0


class Counters(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that ever went in and where it is (R2). In parts, but wagers, wagered, hits and won."""

    wagers: int = 0
    wagered: int = 0
    base: int = 0
    seeded: int = 0  # refills paid by the house
    contributed: int = 0  # to meter, reserve and overflow together
    adjusted: int = 0
    value: int = 0
    locked: int = 0  # set aside for awards that nobody has signed yet
    owed: int = 0  # signed and not yet paid
    paid: int = 0
    overflow: int = 0
    reserve: int = 0
    reserve_used: int = 0
    hits: int = 0
    won: int = 0  # of all awards, from meter and tray
    won_tray: int = 0
    retired: int = 0  # taken off when the meter was retired


class Retirement(msgspec.Struct, frozen=True, kw_only=True):
    """Where the money of a retired meter went, in parts."""

    at: datetime
    by: str
    second: str
    reason: str
    to: Literal["meter", "players", "house"]
    place: str
    moved: int  # to that place
    recovered: int  # by the house, of what it had put in


class Trigger(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger that is drawn and not known: a whole number of minor units, each from low to high equally likely."""

    commitment: str
    low: int
    high: int
    at: datetime


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """A trigger that is known: reached by an award, or shown when its meter was retired."""

    drawn: Trigger
    seed: str
    trigger: int
    award: str | None
    at: datetime


class Occasion(msgspec.Struct, frozen=True, kw_only=True):
    """Winners who belong together: from the first recognised until all of them are signed or taken back."""

    frozen: int  # the value they are paid from, in parts
    first: int  # the number of the award that opened it
    came: SinceHit  # how it came about
    fed: int = 0  # what came in meanwhile
    fed_in: int = 0  # how much of that the frozen value has
    moved: bool = False  # somebody of them has been signed
    waiting: tuple[str, ...] = ()  # tables in mid-round whose hands are not shown yet


class LinkState(msgspec.Struct, frozen=True, kw_only=True):
    """A link: everything that the next decision needs."""

    phase: Phase = "new"
    config: Configure | None = None
    scale: int = 1
    rate_parts: int = 0  # to the meter for each minor unit wagered
    hidden_parts: int = 0
    clock: datetime | None = None  # of the last event: no command comes before it
    people: dict[str, Role] = {}
    on_word_of: dict[str, str] = {}  # who is on the roster because one person alone put him there
    tables: dict[str, Table] = {}
    left: dict[str, Table] = {}  # tables that are no longer on the link, as they were
    counters: Counters = Counters()
    occasion: Occasion | None = None
    awards: dict[str, Award] = {}
    hits: tuple[Award, ...] = ()
    since: SinceHit = SinceHit()
    adjustment: str = ""  # the last one by hand, so that the same line twice is not two
    recognised: int = 0
    verified: int = 0
    retired: Retirement | None = None
    trigger: Trigger | None = None  # of a must-hit-by meter: the one that waits to be reached
    shown: tuple[Shown, ...] = ()  # those before it
    answered: dict[str, dict[str, str]] = {}  # commands by their ids, in drawers: the digest of each
    events: int = 0
    refusals: int = 0

    @property
    def ceiling(self) -> int | None:
        """What a must-hit-by meter is won by at the latest; None: hands win this meter."""
        return None if self.config is None else self.config.ceiling


def identity(state: LinkState) -> int:
    """What went in less what is there, in parts (R3): always 0."""
    has = state.counters
    went_in = has.base + has.seeded + has.contributed + has.adjusted
    return went_in - (has.value + has.locked + has.owed + has.paid + has.overflow + has.reserve + has.retired)


def display(state: LinkState) -> int:
    """What the displays show: whole minor units."""
    return state.counters.value // state.scale


def carried(state: LinkState) -> Fraction:
    """The fraction of a minor unit that the displays do not show and the meter keeps."""
    return Fraction(state.counters.value % state.scale, state.scale)


def pending(state: LinkState) -> tuple[Award, ...]:
    """The awards of the meter that no one has signed yet, as every display announces them."""
    return tuple(one for one in state.awards.values() if one.major and one.open)


class Screen(msgspec.Struct, frozen=True, kw_only=True):
    """What the display of a table shows (R9)."""

    table: str
    value: int
    pending: tuple[tuple[str, int, int], ...]  # table, seat, amount
    won: tuple[tuple[str, int, int], ...]  # signed, until the game at that table ends
    suspended: bool
    without_jackpot: bool


def screens(state: LinkState) -> tuple[Screen, ...]:
    """Every display of the link: the same value and the same announcements on each of them."""
    waits = tuple((one.table, one.seat, one.amount) for one in pending(state))
    won = tuple((one.table, one.seat, one.amount) for one in state.awards.values() if one.signed)
    return tuple(
        Screen(
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
    """The same money in smaller parts, where a new rate needs them."""
    names = ("base", "seeded", "contributed", "adjusted", "value", "paid", "overflow", "reserve", "reserve_used")
    return msgspec.structs.replace(has, **{name: getattr(has, name) * grown for name in names})


def finer_since(since: SinceHit, grown: int) -> SinceHit:
    """The same history in smaller parts."""
    names = ("start", "own", "fed", "adjusted", "taken")
    return msgspec.structs.replace(since, **{name: getattr(since, name) * grown for name in names})


_ENCODER = msgspec.json.Encoder(order="sorted")


def state_bytes(state: LinkState) -> bytes:
    """The state as JSON, always the same bytes for the same state."""
    return _ENCODER.encode(state)
