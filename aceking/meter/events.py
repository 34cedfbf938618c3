"""What has happened on a link. Each event has all that it changes, so that replaying needs no rules.

`parts` are fractions of a minor unit, `scale` to one (see state.py); plain amounts are minor units.
"""

from datetime import datetime

import msgspec

from aceking.award.authority import Role
from aceking.meter.commands import AnyCommand, Configure, Feed
from aceking.meter.state import Award, Retirement, Shown, SinceHit, Trigger
from aceking.rules.words import Course


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """Something that happened, and when."""

    at: datetime


class Configured(Event, frozen=True, tag="configured"):
    """The parameters were set: who, when, old and new (R5)."""

    new: Configure
    old: Configure | None
    scale: int
    rate_parts: int
    hidden_parts: int
    books: dict[str, str]  # the digest of each book


class Enrolled(Event, frozen=True, tag="enrolled"):
    """A person has a role."""

    name: str
    role: Role
    by: str
    second: str | None
    on_word_of: str | None  # the one person who vouches for him, where no other does


class Opened(Event, frozen=True, tag="opened"):
    """The link is in operation."""

    by: str


class Closed(Event, frozen=True, tag="closed"):
    """The link is out of operation."""

    by: str


class Retired(Event, frozen=True, tag="retired"):
    """The meter is out of service for good."""

    record: Retirement


class TriggerDrawn(Event, frozen=True, tag="trigger-drawn"):
    """The trigger of a must-hit-by meter is drawn: its commitment and its range, and not what it is."""

    drawn: Trigger
    by: str


class TriggerReached(Event, frozen=True, tag="trigger-reached"):
    """A wager reached the trigger: the award is set aside and final, the meter refilled, and the seed is shown."""

    award: Award
    shown: Shown
    since: SinceHit  # what the next hit will have come from


class TriggerShown(Event, frozen=True, tag="trigger-shown"):
    """A trigger that nobody will reach is shown, because its meter is out of service."""

    shown: Shown


class Suspended(Event, frozen=True, tag="suspended"):
    """Tables start no round until they are resumed."""

    tables: tuple[str, ...]
    by: str
    reason: str
    clause: str


class Resumed(Event, frozen=True, tag="resumed"):
    """Tables go on."""

    tables: tuple[str, ...]
    by: str


class Contributed(Event, frozen=True, tag="contributed"):
    """Wagers fed the meter, in parts."""

    table: str
    wagers: int
    wagered: int
    to_meter: int
    to_reserve: int
    to_overflow: int


class GameStarted(Event, frozen=True, tag="game-started"):
    """Bets are closed, lights are on."""

    table: str
    game: int
    seats: tuple[int, ...]
    by: str


class GameEnded(Event, frozen=True, tag="game-ended"):
    """The round is over, lights are off."""

    table: str
    game: int
    by: str


class RoundVoided(Event, frozen=True, tag="round-voided"):
    """The round was annulled. What it fed stays, or goes back: the parts say how much of it does."""

    table: str
    game: int
    by: str
    reason: str
    feed: Feed
    clause: str
    from_meter: int
    from_reserve: int
    from_overflow: int


class HandsShown(Event, frozen=True, tag="hands-shown"):
    """A paused table has no winner that is not known."""

    table: str
    by: str


class SeatChosen(Event, frozen=True, tag="seat-chosen"):
    """The dealer picked a place."""

    table: str
    seat: int
    by: str


class Recognised(Event, frozen=True, tag="recognised"):
    """The dealer pressed the button of a hand."""

    award: Award
    waiting: tuple[str, ...] = ()


class TakenBack(Event, frozen=True, tag="taken-back"):
    """The dealer pressed it again."""

    id: str
    by: str


class Released(Event, frozen=True, tag="released"):
    """What was set aside for unsigned awards is on the meter again, because their order or number changed."""

    ids: tuple[str, ...]
    amount: int
    seed_house: int
    seed_reserve: int


class Locked(Event, frozen=True, tag="locked"):
    """An amount is set aside for an award."""

    id: str
    amount: int
    from_meter: int
    clause: str
    came: SinceHit


class Reseeded(Event, frozen=True, tag="reseeded"):
    """The meter is refilled to its reset value, from the reserve as far as that goes, else by the house."""

    id: str
    from_house: int
    from_reserve: int


class Overflowed(Event, frozen=True, tag="overflowed"):
    """What exceeds the limit left the meter, in parts."""

    parts: int


class SupervisorCalled(Event, frozen=True, tag="supervisor-called"):
    """The dealer called for the check."""

    id: str
    by: str


class Verified(Event, frozen=True, tag="verified"):
    """Another person confirmed win, light and cards."""

    id: str
    by: str
    number: int


class Signed(Event, frozen=True, tag="signed"):
    """A card was swiped: the award is logged, and only an adjustment undoes it."""

    id: str
    by: str
    role: Role
    amount: int
    sealed: tuple[str, ...]  # the awards whose amounts are final with this one
    since: SinceHit  # what the next hit will have come from
    frozen: int | None  # the value for the next of the occasion, in parts
    fed_in: int


class WinPagePrinted(Event, frozen=True, tag="win-page-printed"):
    """The paper of an award."""

    id: str
    by: str


class Paid(Event, frozen=True, tag="paid"):
    """The player has the money."""

    id: str
    by: str
    from_meter: int
    from_tray: int


class Adjusted(Event, frozen=True, tag="adjusted"):
    """The meter was changed by hand: identity, reason, before, after (R17)."""

    by: str
    second: str
    reason: str
    amount: int
    before: int  # parts
    after: int


class AwardUndone(Event, frozen=True, tag="award-undone"):
    """A final award was taken off the record by hand; its part of the meter is back, its refill recovered."""

    id: str
    by: str
    second: str
    reason: str
    from_meter: int
    seed_house: int
    seed_reserve: int
    recovered: int  # what the player had been paid, and must give back
    anew: tuple[str, ...]  # awards that shared with it: their amounts are to be reckoned anew
    before: int  # parts
    after: int


class Faulted(Event, frozen=True, tag="faulted"):
    """The progressive failed at a table, and this is the ruling."""

    table: str
    by: str
    value: int
    boxes: tuple[int, ...]
    ruling: str
    clause: str | None  # None: a person's ruling where the book is silent
    this_round: bool


class CourseChosen(Event, frozen=True, tag="course-chosen"):
    """How the house goes on."""

    table: str
    by: str
    course: Course
    notice: bool
    clause: str


class FaultCleared(Event, frozen=True, tag="fault-cleared"):
    """The progressive works again."""

    table: str
    by: str


class Answered(Event, frozen=True, tag="answered"):
    """A command with an id was carried out or refused; the same again changes nothing."""

    id: str
    digest: str


class Refused(Event, frozen=True, tag="refused"):
    """A command was not carried out: nothing moved, and this is the record of it."""

    command: AnyCommand
    reason: str
    clause: str
    decides: str | None = None  # who has the last word, where the book is silent


AnyEvent = (
    Configured
    | Enrolled
    | Opened
    | Closed
    | Retired
    | TriggerDrawn
    | TriggerReached
    | TriggerShown
    | Suspended
    | Resumed
    | Contributed
    | GameStarted
    | GameEnded
    | RoundVoided
    | HandsShown
    | SeatChosen
    | Recognised
    | TakenBack
    | Released
    | Locked
    | Reseeded
    | Overflowed
    | SupervisorCalled
    | Verified
    | Signed
    | WinPagePrinted
    | Paid
    | Adjusted
    | AwardUndone
    | Faulted
    | CourseChosen
    | FaultCleared
    | Answered
    | Refused
)
