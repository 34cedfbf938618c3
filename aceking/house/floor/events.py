"""What has happened on the floor besides the acts of tables and meters. Nothing but events changes a state."""

from typing import Annotated, Any, Literal

import msgspec

from aceking.house.floor.roles import Role
from aceking.rules.words import Actor
from aceking.table.commands import CardNumber
from aceking.table.state import Mode

Minor = Annotated[int, msgspec.Meta(gt=0, le=10**15)]


class _Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="is"):
    """Events of the floor have tags of their own beside those of the table."""


# The house


class HouseFounded(_Event, tag="house-founded", frozen=True, kw_only=True):
    """A house, and the currencies that it takes with the decimals of each."""

    name: str
    currencies: dict[str, int]


class Started(_Event, tag="started", frozen=True, kw_only=True):
    """The program was started, in this version: what comes after was decided by it."""

    program: str


class BookFiled(_Event, tag="book-filed", frozen=True, kw_only=True):
    """A book that is not shipped, whole, so that the log alone can be replayed."""

    id: str
    digest: str
    files: dict[str, str]  # the text of the book under its name, and of what it includes


class TableListed(_Event, tag="table-listed", frozen=True, kw_only=True):
    """A table came to the floor: what is worked out over all tables sees by this that there is one more."""

    table: str


class Totals(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a table has done since it stands, in minor units; of rounds that have a result."""

    rounds: int = 0
    voids: int = 0
    hands: int = 0
    antes: int = 0
    antes_squared: int = 0  # the sum of their squares: how far a result may lie from what is expected
    bets: int = 0
    fees: int = 0
    sides: int = 0
    won: int = 0  # by the house, on antes, bets and prices
    won_sides: int = 0  # by the tray, on side wagers
    paid_meter: int = 0  # off the meter
    bought: int = 0  # chips for money
    cashed: int = 0


class DayClosed(_Event, tag="day-closed", frozen=True, kw_only=True):
    """A gaming day is over: what every table had done, and what every meter stood at, by then."""

    day: str
    by: str
    tables: dict[str, Totals]
    meters: dict[str, int]  # liability: what the meter holds for players, in whole minor units


class DaySigned(_Event, tag="day-signed", frozen=True, kw_only=True):
    """The chain up to the close of a day, signed by the house."""

    day: str
    upto: int  # the entry that closed it
    root: str  # its hash
    public: str
    signature: str


# People


class PersonAdded(_Event, tag="person-added", frozen=True, kw_only=True):
    """Somebody may log in, in one part."""

    name: str
    role: Role
    by: str
    shown: str = ""  # how others see the name


class RoleGiven(_Event, tag="role-given", frozen=True, kw_only=True):
    """Somebody has another part from now on."""

    name: str
    role: Role
    by: str


class PersonBarred(_Event, tag="person-barred", frozen=True, kw_only=True):
    """Somebody may no longer log in; `back`: he may again."""

    name: str
    by: str
    reason: str
    back: bool = False


class PasswordSet(_Event, tag="password-set", frozen=True, kw_only=True):
    """A password was set or changed; what it is lies apart."""

    name: str
    by: str


class LoggedIn(_Event, tag="logged-in", frozen=True, kw_only=True):
    """Somebody came; a session before that is over."""

    name: str


class LoggedOut(_Event, tag="logged-out", frozen=True, kw_only=True):
    """Somebody went."""

    name: str


class AccessRefused(_Event, tag="access-refused", frozen=True, kw_only=True):
    """Somebody wanted what he may not, or gave a wrong password."""

    name: str
    what: str
    why: str


class LockedOut(_Event, tag="locked-out", frozen=True, kw_only=True):
    """An account is closed for a while after repeated failures."""

    name: str
    until: int


# The cage


class Deposited(_Event, tag="deposited", frozen=True, kw_only=True):
    """A player's money came into his purse at the cage."""

    player: str
    currency: str
    amount: Minor
    by: str


class Withdrawn(_Event, tag="withdrawn", frozen=True, kw_only=True):
    """A player took money out."""

    player: str
    currency: str
    amount: Minor
    by: str


class Floated(_Event, tag="floated", frozen=True, kw_only=True):
    """The house put its own money into the cage, or took it out again with an amount below nothing."""

    currency: str
    amount: int
    by: str
    second: str


class ToTable(_Event, tag="to-table", frozen=True, kw_only=True):
    """Money of a purse, or else of the float, went to a table; below nothing: it came back."""

    table: str
    currency: str
    amount: int
    player: str | None = None


class TriggerWon(_Event, tag="trigger-won", frozen=True, kw_only=True):
    """A player's wager has reached the trigger of a must-hit-by meter: the money is his when it is signed for."""

    meter: str
    award: str
    table: str
    box: int
    player: str
    amount: Minor


class TriggerPaid(_Event, tag="trigger-paid", frozen=True, kw_only=True):
    """What a trigger gave went from the meter into the player's purse."""

    meter: str
    award: str
    player: str
    currency: str
    amount: Minor


class Asked(_Event, tag="approval-asked", frozen=True, kw_only=True):
    """Something that takes two persons was asked for; another must confirm it."""

    number: int
    what: msgspec.Raw
    by: str
    role: Role
    of: tuple[Role, ...]


class Settled(_Event, tag="approval-given", frozen=True, kw_only=True):
    """The second person confirmed, or declined."""

    number: int
    by: str
    given: bool
    reason: str = ""


# A table


class TableSet(_Event, tag="table-set", frozen=True, kw_only=True):
    """A table stands on the floor, with everything that is posted at it."""

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
    """Who has a part at the table now."""

    role: Actor
    persons: tuple[str, ...]
    by: str


class Closing(_Event, tag="closing", frozen=True, kw_only=True):
    """No new round begins; `back`: rounds go on."""

    by: str
    back: bool = False


class TableGone(_Event, tag="table-gone", frozen=True, kw_only=True):
    """The table is closed, and what lay in its tray is back in the cage."""

    by: str
    tray: int


class Seated(_Event, tag="seated", frozen=True, kw_only=True):
    """A player took a box."""

    box: int
    player: str


class Rose(_Event, tag="rose", frozen=True, kw_only=True):
    """A player gave a box up."""

    box: int
    player: str


class BoughtIn(_Event, tag="bought-in", frozen=True, kw_only=True):
    """Chips for money of the player's purse, or for cash that goes into the drop box."""

    player: str
    amount: Minor
    cash: bool = False
    by: str


class CashedOut(_Event, tag="cashed-out", frozen=True, kw_only=True):
    """Chips back into the player's purse."""

    player: str
    amount: Minor


class Filled(_Event, tag="filled", frozen=True, kw_only=True):
    """Chips from the cage to the tray, or a credit back with an amount below nothing; two persons."""

    amount: int
    by: str
    second: str


class Ready(_Event, tag="ready", frozen=True, kw_only=True):
    """A player wants no more time to bet."""

    player: str


class Rang(_Event, tag="rang", frozen=True, kw_only=True):
    """A clock of the house ran out: to bet, to decide, or until the next round."""

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
    """A shoe has read a card as it left."""

    device: str
    card: CardNumber


class LightRead(_Event, tag="light-read", frozen=True, kw_only=True):
    """A sensor sees a chip on the side wager of a box, or sees none any more."""

    device: str
    box: int
    on: bool


class Committed(_Event, tag="committed", frozen=True, kw_only=True):
    """The order of a deck is fixed by a seed of which this is shown."""

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
OfCage = Deposited | Withdrawn | Floated | ToTable | TriggerWon | TriggerPaid | Asked | Settled
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
    | Rang
    | WentAway
    | CameBack
    | CardRead
    | LightRead
    | Committed
    | WordAdded
    | SeedShown
)
