"""The events of the floor, besides those of tables and meters. Nothing but events changes a state."""

from typing import Annotated, Any, Literal

import msgspec

from aceking.house.floor.roles import Role
from aceking.rules.words import Actor
from aceking.table.commands import CardNumber
from aceking.table.state import Mode

Minor = Annotated[int, msgspec.Meta(gt=0, le=10**15)]


class _Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="is"):
    """Base of the floor's events: the tag field is `is`, and no tag is one of the table's events."""


# The house


class HouseFounded(_Event, tag="house-founded", frozen=True, kw_only=True):
    """A house was founded; its currencies, each with its decimals."""

    name: str
    currencies: dict[str, int]


class Started(_Event, tag="started", frozen=True, kw_only=True):
    """The program was started in this version, which decides the entries that follow."""

    program: str


class BookFiled(_Event, tag="book-filed", frozen=True, kw_only=True):
    """A book that is not shipped was put on file, as text, so that the log alone can be replayed."""

    id: str
    digest: str
    files: dict[str, str]  # by name: the text of the book and of the files that it includes


class TableListed(_Event, tag="table-listed", frozen=True, kw_only=True):
    """A table was put on the floor; a day's close rests on this stream, so it sees a new table."""

    table: str


class Totals(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The totals of a table since it was set up, in minor units; hands and stakes count rounds with a result.

    The win itself is in the ledger; `won_sides` and `paid_meter` split it.
    """

    rounds: int = 0
    voids: int = 0
    hands: int = 0
    antes: int = 0
    antes_squared: int = 0  # the sum of their squares, for the standard deviation of the expected win
    bets: int = 0
    fees: int = 0
    sides: int = 0
    won_sides: int = 0  # by the tray, on side wagers
    paid_meter: int = 0  # off the meter
    bought: int = 0  # chips for money
    cashed: int = 0


class DayClosed(_Event, tag="day-closed", frozen=True, kw_only=True):
    """A gaming day was closed, with the totals of every table and the liability of every meter."""

    day: str
    by: str
    tables: dict[str, Totals]
    win: dict[str, int]  # by table, since it was set up (ledger.win)
    meters: dict[str, int]  # liability: what the meter holds for players, in whole minor units


class DaySigned(_Event, tag="day-signed", frozen=True, kw_only=True):
    """The house signed the chain up to the close of a day."""

    day: str
    upto: int  # the entry that closed it
    root: str  # its hash
    public: str
    signature: str


# People


class PersonAdded(_Event, tag="person-added", frozen=True, kw_only=True):
    """A person may log in, in one role."""

    name: str
    role: Role
    by: str
    shown: str = ""  # the name that others see


class RoleGiven(_Event, tag="role-given", frozen=True, kw_only=True):
    """A person was given another role."""

    name: str
    role: Role
    by: str


class PersonBarred(_Event, tag="person-barred", frozen=True, kw_only=True):
    """A person may no longer log in; `back`: they may again."""

    name: str
    by: str
    reason: str
    back: bool = False


class PasswordSet(_Event, tag="password-set", frozen=True, kw_only=True):
    """A password was set or changed. Its hash is stored outside the log."""

    name: str
    by: str


class LoggedIn(_Event, tag="logged-in", frozen=True, kw_only=True):
    """A person logged in, which ended their session before."""

    name: str


class LoggedOut(_Event, tag="logged-out", frozen=True, kw_only=True):
    """A person logged out."""

    name: str


class AccessRefused(_Event, tag="access-refused", frozen=True, kw_only=True):
    """A person asked for what is not for them, or gave a wrong password."""

    name: str
    what: str
    why: str


class LockedOut(_Event, tag="locked-out", frozen=True, kw_only=True):
    """An account was locked for a time after repeated failures."""

    name: str
    until: int


# The cage


class Deposited(_Event, tag="deposited", frozen=True, kw_only=True):
    """A player's money went into their purse at the cage."""

    player: str
    currency: str
    amount: Minor
    by: str


class Withdrawn(_Event, tag="withdrawn", frozen=True, kw_only=True):
    """A player took money out of their purse."""

    player: str
    currency: str
    amount: Minor
    by: str


class Floated(_Event, tag="floated", frozen=True, kw_only=True):
    """The house put its own money into the cage; a negative amount was taken out."""

    currency: str
    amount: int
    by: str
    second: str


class ToTable(_Event, tag="to-table", frozen=True, kw_only=True):
    """Money went from a purse, or from the float, to a table; a negative amount came back."""

    table: str
    currency: str
    amount: int
    player: str | None = None


class TriggerWon(_Event, tag="trigger-won", frozen=True, kw_only=True):
    """A player's wager reached the trigger of a must-hit-by meter; the money is theirs once it is signed for."""

    meter: str
    award: str
    table: str
    box: int
    player: str
    amount: Minor


class TriggerPaid(_Event, tag="trigger-paid", frozen=True, kw_only=True):
    """A trigger's award went from the meter into the player's purse."""

    meter: str
    award: str
    player: str
    currency: str
    amount: Minor


class ApprovalAsked(_Event, tag="approval-asked", frozen=True, kw_only=True):
    """A person asked for something that a second person must confirm."""

    number: int
    what: msgspec.Raw
    by: str
    role: Role
    of: tuple[Role, ...]


class ApprovalSettled(_Event, tag="approval-given", frozen=True, kw_only=True):
    """The second person confirmed or declined it."""

    number: int
    by: str
    given: bool
    reason: str = ""


# A table


class TableSet(_Event, tag="table-set", frozen=True, kw_only=True):
    """A table was put on the floor, with everything that is posted at it."""

    id: str
    name: str
    book: str
    digest: str
    currency: str
    mode: Mode
    options: dict[str, Any] = {}
    ante_min: int
    ante_max: int
    decide_seconds: int
    bet_seconds: int
    pause_seconds: int
    grace_seconds: int
    awards: dict[str, str] = {}
    reset: int | None = None
    meter: str | None = None
    must_hit: tuple[str, ...] = ()  # must-hit-by meters that its side wager feeds too
    attended: bool = True
    by: str


class Assigned(_Event, tag="assigned", frozen=True, kw_only=True):
    """Persons were assigned to a role at the table."""

    role: Actor
    persons: tuple[str, ...]
    by: str


class Closing(_Event, tag="closing", frozen=True, kw_only=True):
    """No new round begins; `back`: rounds go on."""

    by: str
    back: bool = False


class TableGone(_Event, tag="table-gone", frozen=True, kw_only=True):
    """The table was taken off; the contents of its tray are back in the cage."""

    by: str
    tray: int


class Seated(_Event, tag="seated", frozen=True, kw_only=True):
    """A player took a box."""

    box: int
    player: str


class Rose(_Event, tag="rose", frozen=True, kw_only=True):
    """A player gave up a box."""

    box: int
    player: str


class BoughtIn(_Event, tag="bought-in", frozen=True, kw_only=True):
    """A player bought chips from their purse, or for cash, which goes into the drop box."""

    player: str
    amount: Minor
    cash: bool = False
    by: str


class CashedOut(_Event, tag="cashed-out", frozen=True, kw_only=True):
    """A player put chips back into their purse."""

    player: str
    amount: Minor


class Filled(_Event, tag="filled", frozen=True, kw_only=True):
    """Chips went from the cage to the tray, by two persons; a negative amount is a credit back."""

    amount: int
    by: str
    second: str


class Ready(_Event, tag="ready", frozen=True, kw_only=True):
    """A player needs no more time to bet."""

    player: str


class DeadlinePassed(_Event, tag="rang", frozen=True, kw_only=True):
    """A deadline of the table passed: to bet, to decide, or until the next round."""

    what: Literal["close-bets", "decision", "next-round"]


class WentAway(_Event, tag="went-away", frozen=True, kw_only=True):
    """The last connection of a player dropped."""

    player: str
    at: int


class CameBack(_Event, tag="came-back", frozen=True, kw_only=True):
    """A player is connected again."""

    player: str
    at: int


class CardRead(_Event, tag="card-read", frozen=True, kw_only=True):
    """A shoe read a card as it left."""

    device: str
    card: CardNumber


class LightRead(_Event, tag="light-read", frozen=True, kw_only=True):
    """A sensor saw a chip on the side wager of a box, or saw that it is gone."""

    device: str
    box: int
    on: bool


class Committed(_Event, tag="committed", frozen=True, kw_only=True):
    """The order of a deck was fixed by a seed; this is its commitment."""

    deck: str
    commitment: str


class WordAdded(_Event, tag="word-added", frozen=True, kw_only=True):
    """A player added a word to the seed of the deck in use."""

    player: str
    word: str


class SeedShown(_Event, tag="seed-shown", frozen=True, kw_only=True):
    """The round is over, or the deck was not dealt: the seed of its order, with the words that were added."""

    deck: str
    round: int
    seed: str
    words: tuple[str, ...] = ()


OfHouse = HouseFounded | Started | BookFiled | TableListed | DayClosed | DaySigned
OfPeople = PersonAdded | RoleGiven | PersonBarred | PasswordSet | LoggedIn | LoggedOut | AccessRefused | LockedOut
OfCage = Deposited | Withdrawn | Floated | ToTable | TriggerWon | TriggerPaid | ApprovalAsked | ApprovalSettled
OfTable = (
    TableSet
    | Assigned
    | Closing
    | TableGone
    | Seated
    | Rose
    | BoughtIn
    | CashedOut
    | Filled
    | Ready
    | DeadlinePassed
    | WentAway
    | CameBack
    | CardRead
    | LightRead
    | Committed
    | WordAdded
    | SeedShown
)
