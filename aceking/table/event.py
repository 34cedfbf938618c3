"""Events of a table. Events are facts: nothing but events changes the state."""

from typing import Any, Literal

import msgspec

from aceking.rules.decisions import Choice
from aceking.rules.words import ActName, Actor, Circumstance, Course, Mishap, Remedy, Topic
from aceking.settlement.lines import Line
from aceking.table.cards.place import Pile, Place
from aceking.table.commands import CardNumber, Correction, Face, TableSide

#: "ante", "bet", "exchange", or the name of a side wager.
WagerName = str
DeviceStatus = Literal["fitted", "jammed", "faulty", "removed"]


class _Event(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False, tag_field="is"
):
    """Every event has the clause that governs it; None for the table's base procedure."""

    clause: str | None = None


# Table and decks


class Acted(_Event, tag="acted", frozen=True, kw_only=True):
    """An act of procedure was done: for the table as long as it exists, for a deck, or in the round."""

    act: ActName
    by: str
    role: Actor
    at: int
    box: int | None = None
    deck: str | None = None
    standing: bool = False
    remark: str | None = None


class DeviceSet(_Event, tag="device-set", frozen=True, kw_only=True):
    """A device was fitted, stopped, found faulty or removed."""

    device: str
    status: DeviceStatus
    version: str | None = None
    model: str | None = None
    side: TableSide | None = None


class NoticeShown(_Event, tag="notice-shown", frozen=True, kw_only=True):
    """A notice is displayed."""

    about: tuple[Topic, ...] = ()
    option: str | None = None
    where: str | None = None


class ApprovalFiled(_Event, tag="approval-filed", frozen=True, kw_only=True):
    """An outside approval is on file."""

    of: Literal["model", "maker"]
    model: str


class CourseTaken(_Event, tag="course-taken", frozen=True, kw_only=True):
    """The house chose how to go on while the jackpot is out of order."""

    course: Course
    boxes: tuple[int, ...] = ()


class Suspended(_Event, tag="suspended", frozen=True, kw_only=True):
    """The games are suspended."""

    cause: str


class Resumed(_Event, tag="resumed", frozen=True, kw_only=True):
    """The games go on."""


class OptionChanged(_Event, tag="option-changed", frozen=True, kw_only=True):
    """The house changed one of its choices; the notice of the change is used up."""

    option: str
    value: str | int | bool | dict[str, str | int]


class DeckAdded(_Event, tag="deck-added", frozen=True, kw_only=True):
    """A deck came to the table."""

    deck: str
    back: str
    at: int


class Shuffled(_Event, tag="shuffled", frozen=True, kw_only=True):
    """A deck was shuffled; its order is sealed if a generator or a device fixed it."""

    deck: str
    method: str
    sealed: bool = False


class WasCut(_Event, tag="was-cut", frozen=True, kw_only=True):
    """A deck was cut: `count` cards from the top went below the rest."""

    deck: str
    count: int


class Uncut(_Event, tag="uncut", frozen=True, kw_only=True):
    """The cut of a deck does not count: it is cut again."""

    deck: str


class Held(_Event, tag="held", frozen=True, kw_only=True):
    """The dealer holds the deck in this hand for the round."""

    hand: TableSide


class Unshuffled(_Event, tag="unshuffled", frozen=True, kw_only=True):
    """A deck must be shuffled again before it is dealt."""

    deck: str


class LaidIdle(_Event, tag="laid-idle", frozen=True, kw_only=True):
    """A deck lies spread while nobody plays, this side up."""

    deck: str
    face: Face


class DeckGone(_Event, tag="deck-gone", frozen=True, kw_only=True):
    """A deck left the table."""

    deck: str


# The round


class RoundOpened(_Event, tag="round-opened", frozen=True, kw_only=True):
    """Betting is open on a new round, which is played by this book under these options of the house."""

    number: int
    at: int
    deck: str | None = None
    book: str = ""
    digest: str = ""
    options: dict[str, Any] = {}


class Staked(_Event, tag="staked", frozen=True, kw_only=True):
    """Chips went down on the layout."""

    box: int
    player: str
    wager: WagerName
    amount: int
    lit: bool = True  # the light of a side wager
    coupon: bool = False  # a coupon stands for the chip
    games: int = 0  # other games that the player has on the hand


class Returned(_Event, tag="returned", frozen=True, kw_only=True):
    """Chips were returned to the player."""

    box: int
    wager: WagerName
    amount: int


class Trayed(_Event, tag="trayed", frozen=True, kw_only=True):
    """The side wagers were counted and put in the tray."""

    meter: int | None = None


class Told(_Event, tag="told", frozen=True, kw_only=True):
    """A player with several boxes was told that they may look at one hand."""

    player: str


class Dealt(_Event, tag="dealt", frozen=True, kw_only=True):
    """A card left the deck."""

    card: CardNumber
    to: Place
    face: Face = "down"
    stray: bool = False  # it went to a place that was not due


class UpCard(_Event, tag="up-card", frozen=True, kw_only=True):
    """A card of the dealer lies face up."""

    card: CardNumber


class Rearranged(_Event, tag="rearranged", frozen=True, kw_only=True):
    """Cards were put back where they should have been dealt."""

    hands: tuple[tuple[Place, tuple[CardNumber, ...]], ...]


class Looked(_Event, tag="looked", frozen=True, kw_only=True):
    """A player saw the cards of a box."""

    box: int
    at: int


class Swapped(_Event, tag="swapped", frozen=True, kw_only=True):
    """A card was exchanged for the next of the deck, and its price is lost."""

    box: int
    give: CardNumber
    take: CardNumber


class Discarded(_Event, tag="discarded", frozen=True, kw_only=True):
    """A card was discarded."""

    box: int
    card: CardNumber


class Decided(_Event, tag="decided", frozen=True, kw_only=True):
    """A box has made its decision."""

    box: int
    choice: Choice
    deemed: bool = False


class DealerCardOffered(_Event, tag="dealer-card-offered", frozen=True, kw_only=True):
    """The dealer has no hand, and these boxes may buy a card for the dealer."""

    boxes: tuple[int, ...]


class DealerCardChosen(_Event, tag="dealer-card-chosen", frozen=True, kw_only=True):
    """A box buys a card for the dealer, or declines."""

    box: int
    buys: bool


class DealerDrew(_Event, tag="dealer-drew", frozen=True, kw_only=True):
    """The bought card was drawn for the dealer."""

    card: CardNumber


class Claimed(_Event, tag="claimed", frozen=True, kw_only=True):
    """A player announced a jackpot hand."""

    box: int


class Left(_Event, tag="left", frozen=True, kw_only=True):
    """A player left before deciding: when the decision is due, it counts as a fold."""

    box: int


# Money


class RoundSettled(_Event, tag="settled", frozen=True, kw_only=True):
    """The amounts owed, line by line, in the order of taking and paying. No chip moves by it.

    With `again` it replaces the previous settlement, and the lines in `moved` have moved already.
    """

    lines: tuple[Line, ...]
    from_meter: dict[int, int] = {}
    meter_after: int | None = None
    again: bool = False
    moved: tuple[int, ...] = ()


class Moved(_Event, tag="moved", frozen=True, kw_only=True):
    """The chips of one line moved, or stay with the player."""

    line: int


class Unmoved(_Event, tag="unmoved", frozen=True, kw_only=True):
    """The move of a line's chips was undone."""

    line: int


class Kept(_Event, tag="kept", frozen=True, kw_only=True):
    """The price of an exchange stays with the house although the hand is void."""

    box: int
    amount: int


class HandVoided(_Event, tag="hand-voided", frozen=True, kw_only=True):
    """A box is out of the round without a result."""

    box: int


class Forfeited(_Event, tag="forfeited", frozen=True, kw_only=True):
    """A box loses all its wagers of the round."""

    box: int


class AwardLost(_Event, tag="award-lost", frozen=True, kw_only=True):
    """A box gets no award of the progressive in this round, since it was backed out; `back`: it may get one again."""

    box: int
    back: bool = False


class AwardLocked(_Event, tag="award-locked", frozen=True, kw_only=True):
    """The meter fixed the award of a box, whatever the table worked out."""

    box: int
    amount: int
    from_meter: int = 0


class Selected(_Event, tag="selected", frozen=True, kw_only=True):
    """The dealer picked the box and hand of an award, or took the pick back."""

    box: int
    hand: str | None
    by: str
    amount: int = 0


class Racked(_Event, tag="racked", frozen=True, kw_only=True):
    """Cards went to the discard rack, in this order; of the stub only the number."""

    what: Pile
    cards: tuple[CardNumber, ...] = ()
    count: int = 0
    exposed: bool = False
    back: bool = False  # they were taken out again


class RoundVoided(_Event, tag="round-voided", frozen=True, kw_only=True):
    """The round has no result."""


class RoundEnded(_Event, tag="round-ended", frozen=True, kw_only=True):
    """All of the round is paid, taken and collected."""

    at: int
    counted: bool = False  # the deck was counted in this round


# Mishaps


class Violated(_Event, tag="violated", frozen=True, kw_only=True):
    """A duty of the book was not done, or a forbidden thing was: recorded, without a sanction."""

    what: str
    by: str
    at: int


class Ruled(_Event, tag="ruled", frozen=True, kw_only=True):
    """The book decides a mishap; `why` says why nothing follows from it."""

    mishap: Mishap
    given: tuple[Circumstance, ...]
    then: Remedy
    boxes: tuple[int, ...] = ()
    cards: tuple[CardNumber, ...] = ()
    why: str = ""


class Asked(_Event, tag="asked", frozen=True, kw_only=True):
    """A question is open: a person of that rank, or each of these boxes, must answer before play goes on.

    If a report and the record differ, it has both.
    """

    clause: str  # the clause that asks, or gives a person the last word
    question: int
    mishap: Mishap
    of: str  # "supervisor", "Gaming Management", "players" …
    boxes: tuple[int, ...] = ()
    cards: tuple[CardNumber, ...] = ()
    unregulated: bool = False
    what: str = ""
    record: str = ""
    given: tuple[Circumstance, ...] = ()


class Answered(_Event, tag="answered", frozen=True, kw_only=True):
    """A question was answered; `box` if a player chose."""

    question: int
    then: Remedy
    by: str
    reason: str = ""
    box: int | None = None
    closes: bool = True


class ClockRead(_Event, tag="clock-read", frozen=True, kw_only=True):
    """The time at which something was reported, ruled or chosen."""

    at: int


class Corrected(_Event, tag="corrected", frozen=True, kw_only=True):
    """The person with the last word found the record wrong; `now` is what it says from here on."""

    now: Correction
    by: str
    reason: str


TableEvent = (
    Acted
    | DeviceSet
    | NoticeShown
    | ApprovalFiled
    | CourseTaken
    | Suspended
    | Resumed
    | OptionChanged
    | DeckAdded
    | Shuffled
    | WasCut
    | Uncut
    | Held
    | Unshuffled
    | LaidIdle
    | DeckGone
    | RoundOpened
    | Staked
    | Returned
    | Trayed
    | Told
    | Dealt
    | UpCard
    | Rearranged
    | Looked
    | Swapped
    | Discarded
    | Decided
    | DealerCardOffered
    | DealerCardChosen
    | DealerDrew
    | Claimed
    | Left
    | RoundSettled
    | Moved
    | Unmoved
    | Kept
    | HandVoided
    | Forfeited
    | AwardLost
    | AwardLocked
    | Selected
    | Racked
    | RoundVoided
    | ClockRead
    | RoundEnded
    | Violated
    | Ruled
    | Asked
    | Answered
    | Corrected
)
