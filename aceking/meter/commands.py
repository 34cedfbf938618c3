"""What people and devices ask of a link. Time, persons and amounts come with the command; nothing is reached for.

Amounts are whole minor units. A person is named as in the roster, which says what his role is.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec

from aceking.award.authority import Role
from aceking.rules.words import Course

Feed = Literal["kept", "reversed"]
#: A moment with its offset from universal time, so that two clocks can be compared.
Moment = Annotated[datetime, msgspec.Meta(tz=True)]


class Command(msgspec.Struct, frozen=True, kw_only=True, tag_field="do", forbid_unknown_fields=True):
    """A command, and when it was given. `id` is its sender's: given twice, the command is carried out once."""

    at: Moment
    id: str | None = None  # its sender's own: given twice, the command is carried out once


class Configure(Command, frozen=True, tag="configure"):
    """The parameters of the meter (R1), set by two persons of different roles while nothing runs (R5)."""

    by: str
    second: str
    tables: dict[str, str]  # each table's book
    currency: str
    base: int  # what the meter starts from
    reset: int  # what it returns to when all of it is won
    rate: str  # of each wager, to the meter: `70%`
    hidden_rate: str = "0%"  # of each wager, to the reserve for the next reset
    limit: int | None = None  # what exceeds it goes to overflow
    contribution_max: int | None = None  # what no single contribution can reasonably exceed
    executive_from: int | None = None  # from this amount on an executive signs
    awards: dict[str, str] = {}  # what the house posts: a share of the meter, or an amount
    odds: dict[str, int] = {}  # "one in so many", where the house states it
    internal_order: Literal["from-right", "from-first-dealt"] | None = None  # where a book leaves it to the house
    options: dict[str, dict[str, Any]] = {}  # the options of each book
    people: dict[str, Role] = {}
    # Left out it is not written either: no record without such a meter has the key.
    must_hit_by: int | msgspec.UnsetType = msgspec.UNSET  # by when the wager that reaches a sealed trigger wins it

    @property
    def ceiling(self) -> int | None:
        """What a must-hit-by meter is won by at the latest; None: hands win this meter."""
        return None if self.must_hit_by is msgspec.UNSET else self.must_hit_by


class Enrol(Command, frozen=True, tag="enrol"):
    """A person is given a role by an executive; with a second person he stands on more than one's word (R16)."""

    by: str
    name: str
    role: Role
    second: str | None = None


class Open(Command, frozen=True, tag="open"):
    """The link goes into operation."""

    by: str


class Close(Command, frozen=True, tag="close"):
    """The link goes out of operation."""

    by: str


class Retire(Command, frozen=True, tag="retire"):
    """The meter is taken out of service for good: who, why, and where its money goes (R5, R6)."""

    by: str
    second: str
    reason: str
    to: Literal["meter", "players", "house"]  # another meter's base, a distribution, or back to who put it in
    place: str = ""  # the name of that meter, or of the distribution
    seed: Literal["goes-along", "recovered"] = "goes-along"  # what the house had put in


class Draw(Command, frozen=True, tag="draw"):
    """A trigger is drawn for a must-hit-by meter. Only the commitment is said; the seed lies apart until the hit."""

    by: str
    commitment: str  # of the seed; a script has `seed` in its place, of 64 hexadecimal digits


class Suspend(Command, frozen=True, tag="suspend"):
    """Tables stop starting rounds; none named: all of them."""

    by: str
    reason: str
    tables: tuple[str, ...] = ()


class Resume(Command, frozen=True, tag="resume"):
    """Tables go on; none named: all of them."""

    by: str
    tables: tuple[str, ...] = ()


class Contribute(Command, frozen=True, tag="contribute"):
    """A table reports wagers of a round in which nobody won: the feed without the lights."""

    table: str
    wagers: int = 1


class StartGame(Command, frozen=True, tag="start-game"):
    """START GAME: bets are closed, and the seats with a wager are lit."""

    table: str
    by: str
    seats: tuple[int, ...] = ()


class EndGame(Command, frozen=True, tag="end-game"):
    """END GAME: everything is settled, and the lights go out."""

    table: str
    by: str


class VoidRound(Command, frozen=True, tag="void-round"):
    """The round is annulled and stakes go back; `feed` is the ruling where the book has none."""

    table: str
    by: str
    reason: str
    feed: Feed | None = None


class ShownAll(Command, frozen=True, tag="shown-all"):
    """A table that was paused in mid-round has shown all its hands: whoever shares is known."""

    table: str
    by: str


class SelectSeat(Command, frozen=True, tag="select-seat"):
    """The dealer picks the winner's place."""

    table: str
    by: str
    seat: int


class SelectHand(Command, frozen=True, tag="select-hand"):
    """The dealer presses the button of the hand; pressed again, it is taken back."""

    table: str
    by: str
    hand: str
    cards: str
    dealt: Moment | None = None  # when the full hand lay before the player
    play: Literal["bet", "fold"] = "bet"
    exchanged: bool = False
    claimed: bool = True  # the player spoke up
    dealer_qualifies: bool = False
    let_stand: str | None = None  # the executive who lets an award stand that was signed before its turn


class CallSupervisor(Command, frozen=True, tag="call-supervisor"):
    """The dealer calls for the check."""

    table: str
    by: str
    seat: int


class Verify(Command, frozen=True, tag="verify"):
    """Another person has seen the win, the light and the cards, and confirms."""

    table: str
    by: str
    seat: int
    hand: str
    cards: str
    light: bool


class Sign(Command, frozen=True, tag="sign"):
    """A card is swiped for an amount."""

    table: str
    by: str
    seat: int
    amount: int


class PrintWinPage(Command, frozen=True, tag="win-page"):
    """The paper of an award is printed."""

    table: str
    by: str
    seat: int


class Pay(Command, frozen=True, tag="pay"):
    """The dealer pays a signed award."""

    table: str
    by: str
    seat: int
    amount: int


class Adjust(Command, frozen=True, tag="adjust"):
    """A manual adjustment: of the meter by an amount, or `undo` of a final award. Two persons and a reason (R17)."""

    by: str
    second: str
    reason: str
    amount: int = 0
    undo: str | None = None  # the award's id


class Fault(Command, frozen=True, tag="fault"):
    """The progressive does not fully work at a table; `ruling` is the person's where the book has none."""

    table: str
    by: str
    dealt: bool  # a card of this round has left the shoe
    looked: bool  # a player has seen his cards
    boxes: tuple[int, ...] = ()  # the places that are affected
    ruling: Literal["void-round", "pay-at-last-value"] | None = None


class ChooseCourse(Command, frozen=True, tag="choose-course"):
    """How the house goes on after a fault; none named: what the book's option says."""

    table: str
    by: str
    course: Course | None = None
    notice: bool = False  # the players are told by a sign


class ClearFault(Command, frozen=True, tag="clear-fault"):
    """The progressive works again."""

    table: str
    by: str


AnyCommand = (
    Configure
    | Enrol
    | Open
    | Close
    | Retire
    | Draw
    | Suspend
    | Resume
    | Contribute
    | StartGame
    | EndGame
    | VoidRound
    | ShownAll
    | SelectSeat
    | SelectHand
    | CallSupervisor
    | Verify
    | Sign
    | PrintWinPage
    | Pay
    | Adjust
    | Fault
    | ChooseCourse
    | ClearFault
)
