"""What has happened at a table. Events are facts: nothing but events changes the state."""

from typing import Any, Literal

import msgspec

from aceking.rules.words import ActName, Actor, Circumstance, Incident, Outcome
from aceking.settle.lines import Line
from aceking.table.command import CardNumber

WagerName = Literal["ante", "bet", "exchange", "side"]


class _Event(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Every event says by which clause it stands; None where the book is silent and nothing forbids it."""

    clause: str | None = None


class Acted(_Event, tag="acted", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """An act of procedure was done."""

    act: ActName
    by: str
    role: Actor
    at: int
    box: int | None = None
    deck: str | None = None
    note: str | None = None


class DeckAdded(_Event, tag="deck-added", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A deck came to the table."""

    deck: str
    back: str
    at: int


class Shuffled(_Event, tag="shuffled", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A deck was mixed. The order is known where a generator or a device gave it."""

    deck: str
    method: str
    order: tuple[CardNumber, ...] = ()


class WasCut(_Event, tag="was-cut", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A deck was cut: so many cards from the top went below the rest."""

    deck: str
    count: int


class DeckGone(_Event, tag="deck-gone", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A deck left the table."""

    deck: str


class RoundOpened(_Event, tag="round-opened", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """Betting is open on a new round, which is played by this book under these options of the house."""

    number: int
    at: int
    deck: str | None = None
    book: str = ""
    digest: str = ""
    options: dict[str, Any] = {}


class Staked(_Event, tag="staked", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """Chips went down on the layout."""

    box: int
    player: str
    wager: WagerName
    amount: int
    lit: bool = True  # the light of a side bet
    coupon: bool = False  # which stands for the chip


class Returned(_Event, tag="returned", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """Chips went back to the player."""

    box: int
    wager: WagerName
    amount: int


class Trayed(_Event, tag="trayed", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """The side bets were counted and put in the tray."""

    meter: int | None = None


class Dealt(_Event, tag="dealt", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A card left the deck."""

    card: CardNumber
    to: str  # "box 3", "dealer", "community", "burn", "boxed"
    face: Literal["up", "down"] = "down"


class UpCard(_Event, tag="up-card", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A card of the dealer lies face up."""

    card: CardNumber


class Rearranged(_Event, tag="rearranged", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """Cards were put back where they were meant to fall."""

    hands: dict[str, tuple[CardNumber, ...]]


class Looked(_Event, tag="looked", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A player saw the cards of a box."""

    box: int
    at: int


class Swapped(_Event, tag="swapped", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A card was exchanged for another, its price lost."""

    box: int
    give: CardNumber
    take: CardNumber


class Discarded(_Event, tag="discarded", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A card was laid aside."""

    box: int
    card: CardNumber


class Decided(_Event, tag="decided", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A box has made its decision."""

    box: int
    choice: Literal["bet", "fold", "stay", "declare"]
    deemed: bool = False


class Claimed(_Event, tag="claimed", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A player gave notice of a jackpot hand."""

    box: int


class Settled(_Event, tag="settled", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """What is owed, line by line, in the order of taking and paying. No chip has moved yet."""

    lines: tuple[Line, ...]
    from_meter: dict[int, int] = {}
    meter_after: int | None = None


class Moved(_Event, tag="moved", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """The chips of one line moved, or were left to the player."""

    line: int


class Unmoved(_Event, tag="unmoved", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """The chips of a line went back the way they came: the round it belonged to is void."""

    line: int


class Unshuffled(_Event, tag="unshuffled", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A deck must be shuffled again before it is dealt."""

    deck: str


class Racked(_Event, tag="racked", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """Cards went to the discard rack, in this order."""

    what: str  # "box 3", "discard 3", "dealer", "community", "stub", "burn", "boxed"
    cards: tuple[CardNumber, ...]


class Selected(_Event, tag="selected", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """The dealer picked the seat and hand of an award, or took that back."""

    box: int
    hand: str | None
    by: str


class Violated(_Event, tag="violated", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """What the book orders was not done, or what it forbids was: on the record, without a sanction."""

    what: str
    by: str
    at: int


class Ruled(_Event, tag="ruled", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """The book decides a mishap."""

    incident: Incident
    given: tuple[Circumstance, ...]
    then: Outcome
    boxes: tuple[int, ...] = ()


class Asked(_Event, tag="asked", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A question is open: a person of that rank, or each of these boxes, must answer before play goes on."""

    question: int
    incident: Incident
    of: str  # "supervisor", "Gaming Management", "players" …
    boxes: tuple[int, ...] = ()
    unregulated: bool = False
    what: str = ""
    given: tuple[Circumstance, ...] = ()


class Answered(_Event, tag="answered", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A question was answered; `box` where a player chose."""

    question: int
    then: Outcome
    by: str
    reason: str = ""
    box: int | None = None
    closes: bool = True


class Kept(_Event, tag="kept", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """The price of an exchange stays with the house although the hand is void."""

    box: int
    amount: int


class HandVoided(_Event, tag="hand-voided", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A box is out of the round without a result."""

    box: int


class Forfeited(_Event, tag="forfeited", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A box loses all its wagers of the round."""

    box: int


class RoundVoided(_Event, tag="round-voided", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """The round has no result."""


class RoundEnded(_Event, tag="round-ended", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """Everything of the round is paid, taken and collected."""

    at: int
    counted: bool = False  # the deck was proved this round


class OptionChanged(_Event, tag="option-changed", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """The house chose otherwise where the book leaves a choice; notice of it is used up."""

    option: str
    value: str


class TableSet(_Event, tag="table-set", tag_field="is", frozen=True, kw_only=True, omit_defaults=True):
    """A standing fact of the table: a device fitted or removed, a notice shown, a course chosen, a box blocked."""

    key: str
    value: str


Event = (
    Acted
    | DeckAdded
    | Shuffled
    | WasCut
    | DeckGone
    | RoundOpened
    | Staked
    | Returned
    | Trayed
    | Dealt
    | UpCard
    | Rearranged
    | Looked
    | Swapped
    | Discarded
    | Decided
    | Claimed
    | Settled
    | Moved
    | Unmoved
    | Unshuffled
    | Racked
    | Selected
    | Violated
    | Ruled
    | Asked
    | Answered
    | Kept
    | HandVoided
    | Forfeited
    | RoundVoided
    | RoundEnded
    | TableSet
    | OptionChanged
)
