"""What people ask of the floor. Who asks, in which part and when comes from session and server, never from a wish.

A wish has an id made by its sender: sent twice it is carried out once and answered the same.
"""

from typing import Annotated, Any, Literal

import msgspec

from aceking.house.floor.roles import Role
from aceking.rules.words import Actor
from aceking.table.commands import BoxNumber, CardNumber
from aceking.table.player import PlayerCommand
from aceking.table.state import Mode

Name = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9._-]{0,39}$")]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Minor = Annotated[int, msgspec.Meta(gt=0, le=10**15)]
Currency = Annotated[str, msgspec.Meta(pattern="^[A-Z]{3,5}$")]
Signed = Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]
Seconds = Annotated[int, msgspec.Meta(ge=1, le=3600)]


class _Wish(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="ask"):
    """Something that somebody asks for."""


class _AtTable(_Wish, frozen=True, kw_only=True):
    table: Name


class Expects(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the sender has seen: a request that comes too late for it is refused instead of misunderstood."""

    round: int
    phase: str | None = None


# At a table


class Play(_AtTable, tag="play", frozen=True, kw_only=True):
    """A player's act at a box."""

    act: PlayerCommand
    expects: Expects | None = None


class Act(_AtTable, tag="act", frozen=True, kw_only=True):
    """An act, a report, a ruling or a choice of staff or of a device, in the words of the table."""

    act: dict[str, Any]
    role: Actor | None = None
    player: Name | None = None  # at a live table: what this player did, entered for him


class Sit(_AtTable, tag="sit", frozen=True, kw_only=True):
    """Take a box; at a live table a dealer names the player who takes it."""

    box: BoxNumber
    player: Name | None = None


class Rise(_AtTable, tag="rise", frozen=True, kw_only=True):
    """Give a box up; at a live table a dealer names the player who leaves it."""

    box: BoxNumber
    player: Name | None = None


class BuyIn(_AtTable, tag="buy-in", frozen=True, kw_only=True):
    """Chips for money of one's purse; a dealer names the player whose cash he takes."""

    amount: Minor
    player: Name | None = None


class CashOut(_AtTable, tag="cash-out", frozen=True, kw_only=True):
    """Chips back into the purse."""

    amount: Minor


class AddWord(_AtTable, tag="add-word", frozen=True, kw_only=True):
    """A word of one's own for the seed of this round."""

    word: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class SayReady(_AtTable, tag="ready", frozen=True, kw_only=True):
    """No more time to bet is wanted."""


class Read(_AtTable, tag="read", frozen=True, kw_only=True):
    """What a device at a live table has read: a card that leaves the shoe, or a chip at a box's sensor."""

    card: CardNumber | None = None
    box: BoxNumber | None = None
    on: bool = True


# The floor


class SetTable(_AtTable, tag="set-table", frozen=True, kw_only=True):
    """Put a table on the floor."""

    name: Text
    book: str
    mode: Mode = "electronic"
    options: dict[str, Any] = {}
    ante_min: Minor
    ante_max: Minor
    decide_seconds: Seconds = 30
    bet_seconds: Seconds = 20
    pause_seconds: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 5
    grace_seconds: Annotated[int, msgspec.Meta(ge=0, le=3600)] = 30
    awards: dict[str, str] = {}
    reset: Minor | None = None
    meter: Name | None = None
    must_hit: tuple[Name, ...] = ()  # must-hit-by meters that its side wager feeds too
    attended: bool = True


class Assign(_AtTable, tag="assign", frozen=True, kw_only=True):
    """Who has a part at a table from now on; nobody: it is anybody's of that part."""

    role: Actor
    persons: tuple[Name, ...] = ()


class CloseTable(_AtTable, tag="close-table", frozen=True, kw_only=True):
    """No new round; when nothing is in play any more, the table is taken off. `back`: it stays."""

    back: bool = False


class FileBook(_Wish, tag="file-book", frozen=True, kw_only=True):
    """Put a book that is not shipped on file."""

    files: dict[str, str]


# Money


class Deposit(_Wish, tag="deposit", frozen=True, kw_only=True):
    """A player's money into his purse."""

    player: Name
    currency: Currency
    amount: Minor


class Withdraw(_Wish, tag="withdraw", frozen=True, kw_only=True):
    """A player's money out of his purse."""

    player: Name
    currency: Currency
    amount: Minor


class Fill(_AtTable, tag="fill", frozen=True, kw_only=True):
    """Chips from the cage to a tray; below nothing: a credit back. Asked by the pit, confirmed by a cashier."""

    amount: Signed


class PutFloat(_Wish, tag="float", frozen=True, kw_only=True):
    """Money of the house into the cage; below nothing: out of it. Asked by a cashier, confirmed by an executive."""

    currency: Currency
    amount: Signed


class Approve(_Wish, tag="approve", frozen=True, kw_only=True):
    """Confirm what another asked for, or decline it with a reason."""

    number: int
    given: bool = True
    reason: Annotated[str, msgspec.Meta(max_length=200)] = ""


# Meters


class OnMeter(_Wish, tag="meter", frozen=True, kw_only=True):
    """A command of a meter in its own words; who, the second person and the time come from elsewhere."""

    meter: Name
    act: dict[str, Any]


# People


class AddPerson(_Wish, tag="add-person", frozen=True, kw_only=True):
    """Somebody may log in from now on."""

    name: Name
    role: Role
    shown: Annotated[str, msgspec.Meta(max_length=60)] = ""


class GiveRole(_Wish, tag="give-role", frozen=True, kw_only=True):
    """Somebody has another part from now on."""

    name: Name
    role: Role


class Bar(_Wish, tag="bar", frozen=True, kw_only=True):
    """Somebody may no longer log in; `back`: he may again."""

    name: Name
    reason: Text
    back: bool = False


class CloseDay(_Wish, tag="close-day", frozen=True, kw_only=True):
    """The gaming day is over."""

    day: Annotated[str, msgspec.Meta(pattern=r"^\d{4}-\d\d-\d\d$")]


Wish = (
    Play
    | Act
    | Sit
    | Rise
    | BuyIn
    | CashOut
    | AddWord
    | SayReady
    | Read
    | SetTable
    | Assign
    | CloseTable
    | FileBook
    | Deposit
    | Withdraw
    | Fill
    | PutFloat
    | Approve
    | OnMeter
    | AddPerson
    | GiveRole
    | Bar
    | CloseDay
)


# What the house itself asks for, and no page can


What = Literal["close-bets", "decision", "next-round"]


class Tick(_AtTable, tag="tick", frozen=True, kw_only=True):
    """The time of a clock has come."""

    what: What


class Gone(_AtTable, tag="gone", frozen=True, kw_only=True):
    """The last connection of a player dropped."""

    player: Name


class Back(_AtTable, tag="back", frozen=True, kw_only=True):
    """A player is connected again."""

    player: Name


class Found(_Wish, tag="found", frozen=True, kw_only=True):
    """The first entry of a log: a house with its name, its currencies and the people who start it."""

    name: Text
    currencies: dict[Currency, Annotated[int, msgspec.Meta(ge=0, le=4)]]
    people: dict[Name, Role] = {}
    float: Annotated[int, msgspec.Meta(ge=0, le=10**15)] = 0  # of the house's own, in each currency


class Start(_Wish, tag="start", frozen=True, kw_only=True):
    """The program was started, in this version."""

    program: str


class SignDay(_Wish, tag="sign-day", frozen=True, kw_only=True):
    """The signature of the house under the chain up to the close of a day."""

    day: str
    upto: int
    root: str
    public: str
    signature: str


class Note(_Wish, tag="note", frozen=True, kw_only=True):
    """What the gateway puts on the record of people: a log-in, a refusal, a lock-out, a password."""

    event: dict[str, Any]


Own = Tick | Gone | Back | Found | Start | SignDay | Note


class Sender(msgspec.Struct, frozen=True):
    """Who asks."""

    name: str
    role: Role | Literal["house"]


#: The house itself: clocks, the gateway, the program that deals.
HOUSE = Sender("house", "house")
