"""The commands of a meter. Time, persons and amounts are fields of the command; nothing is read from outside.

Amounts are whole minor units. A person is named as in the roster, which has their role.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from aceking.award.authority import AwardRole
from aceking.rules.words import Course

Feed = Literal["kept", "reversed"]
#: A time with its UTC offset, so that two clocks can be compared.
MeterTime = Annotated[datetime, msgspec.Meta(tz=True)]


class MeterCommand(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """A command, and when it was given."""

    at: MeterTime
    id: str | None = None  # chosen by the sender: given twice, the command is carried out once


class Configure(MeterCommand, frozen=True, tag="configure"):
    """Set the parameters of the meter (R1): two persons of different roles, while the meter is closed (R5)."""

    by: str
    second: str
    tables: dict[str, str]  # the book of each table
    currency: str
    base: int  # the first value of the meter
    reset: int  # its value after all of it is won
    rate: str  # the share of each wager for the meter: `70%`
    hidden_rate: str = "0%"  # the share of each wager for the reserve, which pays the next reset
    limit: int | None = None  # what exceeds it goes to overflow
    contribution_max: int | None = None  # a larger contribution is refused as unreasonable
    executive_from: int | None = None  # from this amount up an executive signs
    awards: dict[str, str] = {}  # the awards that the house posts: a share of the meter, or an amount
    odds: dict[str, int] = {}  # N of "one in N", if the house states it
    internal_order: Literal["from-right", "from-first-dealt"] | None = None  # if a book leaves it to the house
    options: dict[str, dict[str, Any]] = {}  # the options of each book
    people: dict[str, AwardRole] = {}
    # Unset, it is not written: records of other meters do not have the key.
    must_hit_by: int | msgspec.UnsetType = msgspec.UNSET  # the limit at which it is won at the latest, by trigger

    @property
    def ceiling(self) -> int | None:
        """The limit of a must-hit-by meter; None if hands win the meter."""
        return None if self.must_hit_by is msgspec.UNSET else self.must_hit_by


class Enrol(MeterCommand, frozen=True, tag="enrol"):
    """Give a person a role: an executive alone, or with a second person, so that two vouch for them (R16)."""

    by: str
    name: str
    role: AwardRole
    second: str | None = None


class Open(MeterCommand, frozen=True, tag="open"):
    """Put the meter into operation."""

    by: str


class Close(MeterCommand, frozen=True, tag="close"):
    """Take the meter out of operation."""

    by: str


class Retire(MeterCommand, frozen=True, tag="retire"):
    """Take the meter out of service for good: who, why, and where its money goes (R5, R6)."""

    by: str
    second: str
    reason: str
    to: Literal["meter", "players", "house"]  # to another meter's base, to a distribution, or back to the house
    place: str = ""  # the name of that meter, or of the distribution
    seed: Literal["goes-along", "recovered"] = "goes-along"  # what becomes of the house's own money


class DrawTrigger(MeterCommand, frozen=True, tag="draw"):
    """Draw a trigger for a must-hit-by meter. The command has the commitment; the seed stays secret until the hit."""

    by: str
    commitment: str  # of the seed; a script has `seed` instead, with 64 hexadecimal digits


class Suspend(MeterCommand, frozen=True, tag="suspend"):
    """Stop tables from starting rounds; all of them if none is named."""

    by: str
    reason: str
    tables: tuple[str, ...] = ()


class Resume(MeterCommand, frozen=True, tag="resume"):
    """Let tables start rounds again; all of them if none is named."""

    by: str
    tables: tuple[str, ...] = ()


class Contribute(MeterCommand, frozen=True, tag="contribute"):
    """A table reports the wagers of a round without winners; no lights are involved."""

    table: str
    wagers: int = 1


class StartMeterGame(MeterCommand, frozen=True, tag="start-game"):
    """START GAME: bets are closed, and the seats with a wager are lit."""

    table: str
    by: str
    seats: tuple[int, ...] = ()


class EndMeterGame(MeterCommand, frozen=True, tag="end-game"):
    """END GAME: everything is settled, and the lights go out."""

    table: str
    by: str


class VoidRound(MeterCommand, frozen=True, tag="void-round"):
    """Void the round and return the stakes; `feed` is the ruling if the book has none."""

    table: str
    by: str
    reason: str
    feed: Feed | None = None


class ShownAll(MeterCommand, frozen=True, tag="shown-all"):
    """A table that was paused in mid-round has shown all its hands: all who share an award are known."""

    table: str
    by: str


class SelectSeat(MeterCommand, frozen=True, tag="select-seat"):
    """The dealer selects the seat of a winner."""

    table: str
    by: str
    seat: int


class SelectHand(MeterCommand, frozen=True, tag="select-hand"):
    """The dealer presses the button of a hand; a second press takes it back."""

    table: str
    by: str
    hand: str
    cards: str
    dealt: MeterTime | None = None  # when the player's hand was complete
    play: Literal["bet", "fold"] = "bet"
    exchanged: bool = False
    claimed: bool = True  # the player gave notice of the hand
    dealer_qualifies: bool = False
    let_stand: str | None = None  # the executive who accepts an award that was signed before its turn


class CallMeterSupervisor(MeterCommand, frozen=True, tag="call-supervisor"):
    """The dealer calls a supervisor."""

    table: str
    by: str
    seat: int


class VerifyAward(MeterCommand, frozen=True, tag="verify"):
    """Another person confirms the win, the light and the cards."""

    table: str
    by: str
    seat: int
    hand: str
    cards: str
    light: bool


class SignAward(MeterCommand, frozen=True, tag="sign"):
    """A card is swiped for an amount."""

    table: str
    by: str
    seat: int
    amount: int


class PrintAwardPage(MeterCommand, frozen=True, tag="win-page"):
    """Print the win page of an award."""

    table: str
    by: str
    seat: int


class PayMeterAward(MeterCommand, frozen=True, tag="pay"):
    """The dealer pays a signed award."""

    table: str
    by: str
    seat: int
    amount: int


class AdjustMeter(MeterCommand, frozen=True, tag="adjust"):
    """Change the meter by an amount, or `undo` a final award: two persons and a reason (R17)."""

    by: str
    second: str
    reason: str
    amount: int = 0
    undo: str | None = None  # the award's id


class ReportFault(MeterCommand, frozen=True, tag="fault"):
    """The progressive does not work at a table; `ruling` is the person's if the book has none."""

    table: str
    by: str
    dealt: bool  # a card of this round has left the shoe
    looked: bool  # a player has seen their cards
    boxes: tuple[int, ...] = ()  # the boxes that are affected
    ruling: Literal["void-round", "pay-at-last-value"] | None = None


class ChooseCourse(MeterCommand, frozen=True, tag="choose-course"):
    """Choose how the house goes on after a fault; without `course` the book's option applies."""

    table: str
    by: str
    course: Course | None = None
    notice: bool = False  # a notice tells the players


class ClearFault(MeterCommand, frozen=True, tag="clear-fault"):
    """The progressive works again."""

    table: str
    by: str


AnyCommand = (
    Configure
    | Enrol
    | Open
    | Close
    | Retire
    | DrawTrigger
    | Suspend
    | Resume
    | Contribute
    | StartMeterGame
    | EndMeterGame
    | VoidRound
    | ShownAll
    | SelectSeat
    | SelectHand
    | CallMeterSupervisor
    | VerifyAward
    | SignAward
    | PrintAwardPage
    | PayMeterAward
    | AdjustMeter
    | ReportFault
    | ChooseCourse
    | ClearFault
)
