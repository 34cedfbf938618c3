"""The requests that people send to the floor. Sender, role and time come from the session and the server.

A request has an id made by its sender: sent twice, it is carried out once and answered the same.
"""

from typing import Annotated, Any, Literal

import msgspec

from aceking.house.floor.events import Minor
from aceking.house.floor.roles import Role
from aceking.house.names import Currency, Day, Name
from aceking.rules.words import Actor
from aceking.table.commands import BoxNumber, CardNumber
from aceking.table.player import PlayerCommand
from aceking.table.state import Mode

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
SignedAmount = Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]
Seconds = Annotated[int, msgspec.Meta(ge=1, le=3600)]


class _Request(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, tag_field="ask"):
    """Base of all requests; its tag field is `ask`."""


class _AtTable(_Request, frozen=True, kw_only=True):
    table: Name


class Expects(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The round and phase that the sender has seen; a request that arrives later is refused."""

    round: int
    phase: str | None = None


# At a table


class PlayRequest(_AtTable, tag="play", frozen=True, kw_only=True):
    """A player's act at their own box."""

    act: PlayerCommand
    expects: Expects | None = None


class TableAct(_AtTable, tag="act", frozen=True, kw_only=True):
    """An act, a report, a ruling or a choice of staff or of a device, in the words of the table."""

    act: dict[str, Any]
    role: Actor | None = None
    player: Name | None = None  # at a live table: the player whose act is entered


class SitRequest(_AtTable, tag="sit", frozen=True, kw_only=True):
    """Take a box; at a live table a dealer names the player who takes it."""

    box: BoxNumber
    player: Name | None = None


class Rise(_AtTable, tag="rise", frozen=True, kw_only=True):
    """Give up a box; at a live table a dealer names the player who leaves it."""

    box: BoxNumber
    player: Name | None = None


class BuyIn(_AtTable, tag="buy-in", frozen=True, kw_only=True):
    """Buy chips from one's purse; at a live table a dealer names the player whose cash they take."""

    amount: Minor
    player: Name | None = None


class CashOut(_AtTable, tag="cash-out", frozen=True, kw_only=True):
    """Put chips back into one's purse."""

    amount: Minor


class AddWord(_AtTable, tag="add-word", frozen=True, kw_only=True):
    """Add a word to the seed of this round."""

    word: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class SayReady(_AtTable, tag="ready", frozen=True, kw_only=True):
    """Say that no more time to bet is needed."""


class Read(_AtTable, tag="read", frozen=True, kw_only=True):
    """A reading of a device at a live table: a card that leaves the shoe, or a chip at a box's sensor."""

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
    """Assign persons to a role at a table; with no persons, anybody who has the role may act in it."""

    role: Actor
    persons: tuple[Name, ...] = ()


class CloseTable(_AtTable, tag="close-table", frozen=True, kw_only=True):
    """Begin no new round, and take the table off when nothing is in play. `back` keeps it open."""

    back: bool = False


class FileBook(_Request, tag="file-book", frozen=True, kw_only=True):
    """Put a book on file that is not shipped."""

    files: dict[str, str]


# Money


class Deposit(_Request, tag="deposit", frozen=True, kw_only=True):
    """Put a player's money into their purse."""

    player: Name
    currency: Currency
    amount: Minor


class Withdraw(_Request, tag="withdraw", frozen=True, kw_only=True):
    """Take a player's money out of their purse."""

    player: Name
    currency: Currency
    amount: Minor


class Fill(_AtTable, tag="fill", frozen=True, kw_only=True):
    """Chips from the cage to a tray; a negative amount is a credit back. Asked by the pit, confirmed by a cashier."""

    amount: SignedAmount


class PutFloat(_Request, tag="float", frozen=True, kw_only=True):
    """Money of the house into the cage; a negative amount takes it out. Asked by a cashier, confirmed by an
    executive."""

    currency: Currency
    amount: SignedAmount


class Approve(_Request, tag="approve", frozen=True, kw_only=True):
    """Confirm what another person asked for, or decline it with a reason."""

    number: int
    given: bool = True
    reason: Annotated[str, msgspec.Meta(max_length=200)] = ""


# Meters


class OnMeter(_Request, tag="meter", frozen=True, kw_only=True):
    """A command of a meter in its own words, without the fields `by`, `second` and `at`."""

    meter: Name
    act: dict[str, Any]


# People


class AddPerson(_Request, tag="add-person", frozen=True, kw_only=True):
    """Let a person log in."""

    name: Name
    role: Role
    shown: Annotated[str, msgspec.Meta(max_length=60)] = ""


class GiveRole(_Request, tag="give-role", frozen=True, kw_only=True):
    """Give a person another role."""

    name: Name
    role: Role


class Bar(_Request, tag="bar", frozen=True, kw_only=True):
    """Bar a person from logging in; `back` lifts it."""

    name: Name
    reason: Text
    back: bool = False


class CloseDay(_Request, tag="close-day", frozen=True, kw_only=True):
    """Close a gaming day."""

    day: Day


AnyRequest = (
    PlayRequest
    | TableAct
    | SitRequest
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


# Requests of the house itself: no client can send them


What = Literal["close-bets", "decision", "next-round"]


class Tick(_AtTable, tag="tick", frozen=True, kw_only=True):
    """A deadline of a table has passed."""

    what: What


class ConnectionLost(_AtTable, tag="gone", frozen=True, kw_only=True):
    """The last connection of a player dropped."""

    player: Name


class ConnectionBack(_AtTable, tag="back", frozen=True, kw_only=True):
    """A player is connected again."""

    player: Name


class FoundHouse(_Request, tag="found", frozen=True, kw_only=True):
    """The first entry of a log: a house with its name, its currencies and its first people."""

    name: Text
    currencies: dict[Currency, Annotated[int, msgspec.Meta(ge=0, le=4)]]
    people: dict[Name, Role] = {}
    float: Annotated[int, msgspec.Meta(ge=0, le=10**15)] = 0  # the house's own money, minor units of each currency


class Start(_Request, tag="start", frozen=True, kw_only=True):
    """The program was started, in this version."""

    program: str


class SignDay(_Request, tag="sign-day", frozen=True, kw_only=True):
    """The signature of the house under the chain up to the close of a day."""

    day: str
    upto: int
    root: str
    public: str
    signature: str


class Note(_Request, tag="note", frozen=True, kw_only=True):
    """An event for the people stream: a log-in, a refusal, a lock-out, a password."""

    event: dict[str, Any]


OwnRequest = Tick | ConnectionLost | ConnectionBack | FoundHouse | Start | SignDay | Note


class Sender(msgspec.Struct, frozen=True):
    """The person who sends a request, and their role."""

    name: str
    role: Role | Literal["house"]


#: The house itself: clocks, the web server, the program that deals.
HOUSE = Sender("house", "house")
