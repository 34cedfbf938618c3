"""The events of a meter. Each has all that it changes, so that replaying needs no rules.

`parts` are fractions of a minor unit, `scale` of them to one (see state.py); other amounts are minor units.
"""

from datetime import datetime

import msgspec

from aceking.award.authority import AwardRole
from aceking.meter.commands import AnyCommand, Configure, Feed
from aceking.meter.state import MeterAward, Retirement, Shown, SinceHit, Trigger
from aceking.rules.words import Course


class MeterEvent(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that happened, and when."""

    at: datetime


class Configured(MeterEvent, frozen=True, tag="configured"):
    """The parameters were set: who, when, old and new (R5)."""

    new: Configure
    old: Configure | None
    scale: int
    rate_parts: int
    hidden_parts: int
    books: dict[str, str]  # the digest of each book


class Enrolled(MeterEvent, frozen=True, tag="enrolled"):
    """A person has a role."""

    name: str
    role: AwardRole
    by: str
    second: str | None
    on_word_of: str | None  # the one person who vouches for them; None if two do


class MeterOpened(MeterEvent, frozen=True, tag="opened"):
    """The meter is in operation."""

    by: str


class Closed(MeterEvent, frozen=True, tag="closed"):
    """The meter is out of operation."""

    by: str


class Retired(MeterEvent, frozen=True, tag="retired"):
    """The meter is out of service for good."""

    record: Retirement


class TriggerDrawn(MeterEvent, frozen=True, tag="trigger-drawn"):
    """The trigger of a must-hit-by meter was drawn: its commitment and range are known, not its value."""

    drawn: Trigger
    by: str


class TriggerReached(MeterEvent, frozen=True, tag="trigger-reached"):
    """A wager reached the trigger: its award is final, the meter is refilled, and the seed is revealed."""

    award: MeterAward
    shown: Shown
    since: SinceHit  # the history that the next hit starts from


class TriggerShown(MeterEvent, frozen=True, tag="trigger-shown"):
    """The trigger of a retired meter is revealed."""

    shown: Shown


class MeterSuspended(MeterEvent, frozen=True, tag="suspended"):
    """Tables start no round until they are resumed."""

    tables: tuple[str, ...]
    by: str
    reason: str
    clause: str


class MeterResumed(MeterEvent, frozen=True, tag="resumed"):
    """Tables go on."""

    tables: tuple[str, ...]
    by: str


class Contributed(MeterEvent, frozen=True, tag="contributed"):
    """Wagers fed the meter, in parts."""

    table: str
    wagers: int
    wagered: int
    to_meter: int
    to_reserve: int
    to_overflow: int


class GameStarted(MeterEvent, frozen=True, tag="game-started"):
    """Bets are closed, lights are on."""

    table: str
    game: int
    seats: tuple[int, ...]
    by: str


class GameEnded(MeterEvent, frozen=True, tag="game-ended"):
    """The round is over, lights are off."""

    table: str
    game: int
    by: str


class MeterRoundVoided(MeterEvent, frozen=True, tag="round-voided"):
    """The round was voided. The `from_` fields are the contributions that were reversed, in parts."""

    table: str
    game: int
    by: str
    reason: str
    feed: Feed
    clause: str
    from_meter: int
    from_reserve: int
    from_overflow: int


class HandsShown(MeterEvent, frozen=True, tag="hands-shown"):
    """A paused table has shown all its hands."""

    table: str
    by: str


class SeatChosen(MeterEvent, frozen=True, tag="seat-chosen"):
    """The dealer selected the seat of a winner."""

    table: str
    seat: int
    by: str


class Recognised(MeterEvent, frozen=True, tag="recognised"):
    """The dealer pressed the button of a hand."""

    award: MeterAward
    waiting: tuple[str, ...] = ()


class TakenBack(MeterEvent, frozen=True, tag="taken-back"):
    """The dealer pressed the button again: the award is taken back."""

    id: str
    by: str


class Released(MeterEvent, frozen=True, tag="released"):
    """The money set aside for unsigned awards is back on the meter, because their order or number changed."""

    ids: tuple[str, ...]
    amount: int
    seed_house: int
    seed_reserve: int


class Locked(MeterEvent, frozen=True, tag="locked"):
    """An amount is set aside for an award."""

    id: str
    amount: int
    from_meter: int
    clause: str
    came: SinceHit


class Reseeded(MeterEvent, frozen=True, tag="reseeded"):
    """The meter was refilled to its reset value, first from the reserve, then by the house."""

    id: str
    from_house: int
    from_reserve: int


class Overflowed(MeterEvent, frozen=True, tag="overflowed"):
    """What exceeded the limit went to overflow, in parts."""

    parts: int


class SupervisorCalled(MeterEvent, frozen=True, tag="supervisor-called"):
    """The dealer called a supervisor."""

    id: str
    by: str


class AwardVerified(MeterEvent, frozen=True, tag="verified"):
    """Another person confirmed win, light and cards."""

    id: str
    by: str
    number: int


class AwardSigned(MeterEvent, frozen=True, tag="signed"):
    """A card was swiped: only an adjustment can undo the award now."""

    id: str
    by: str
    role: AwardRole
    amount: int
    sealed: tuple[str, ...]  # the awards whose amounts are final with this one
    since: SinceHit  # the history that the next hit starts from
    frozen: int | None  # the value for the next award of the occasion, in parts
    fed_in: int


class WinPagePrinted(MeterEvent, frozen=True, tag="win-page-printed"):
    """The win page of an award was printed."""

    id: str
    by: str


class Paid(MeterEvent, frozen=True, tag="paid"):
    """The award was paid to the player."""

    id: str
    by: str
    from_meter: int
    from_tray: int


class Adjusted(MeterEvent, frozen=True, tag="adjusted"):
    """The meter was changed by hand: identity, reason, before, after (R17)."""

    by: str
    second: str
    reason: str
    amount: int
    before: int  # parts
    after: int


class AwardUndone(MeterEvent, frozen=True, tag="award-undone"):
    """A final award was undone by hand; its money is back on the meter, its refill is taken back."""

    id: str
    by: str
    second: str
    reason: str
    from_meter: int
    seed_house: int
    seed_reserve: int
    recovered: int  # what the player was paid and must give back
    anew: tuple[str, ...]  # awards that shared with it: their amounts must be computed again
    before: int  # parts
    after: int


class Faulted(MeterEvent, frozen=True, tag="faulted"):
    """The progressive failed at a table, with the ruling on the round."""

    table: str
    by: str
    value: int
    boxes: tuple[int, ...]
    ruling: str
    clause: str | None  # None: a person's ruling where the book is silent
    this_round: bool


class CourseChosen(MeterEvent, frozen=True, tag="course-chosen"):
    """The house chose how to go on after a fault."""

    table: str
    by: str
    course: Course
    notice: bool
    clause: str


class FaultCleared(MeterEvent, frozen=True, tag="fault-cleared"):
    """The progressive works again."""

    table: str
    by: str


class MeterAnswered(MeterEvent, frozen=True, tag="answered"):
    """A command with an id was carried out or refused; the same command again changes nothing."""

    id: str
    digest: str


class MeterRefused(MeterEvent, frozen=True, tag="refused"):
    """A command was refused; no money moved."""

    command: AnyCommand
    reason: str
    clause: str
    decides: str | None = None  # who has the last word, if the book is silent


AnyEvent = (
    Configured
    | Enrolled
    | MeterOpened
    | Closed
    | Retired
    | TriggerDrawn
    | TriggerReached
    | TriggerShown
    | MeterSuspended
    | MeterResumed
    | Contributed
    | GameStarted
    | GameEnded
    | MeterRoundVoided
    | HandsShown
    | SeatChosen
    | Recognised
    | TakenBack
    | Released
    | Locked
    | Reseeded
    | Overflowed
    | SupervisorCalled
    | AwardVerified
    | AwardSigned
    | WinPagePrinted
    | Paid
    | Adjusted
    | AwardUndone
    | Faulted
    | CourseChosen
    | FaultCleared
    | MeterAnswered
    | MeterRefused
)
