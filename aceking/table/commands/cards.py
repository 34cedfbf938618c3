"""Decks before and between the rounds."""

from typing import Annotated, Literal

import msgspec

from aceking.table.commands.base import Act, Count, Face, OfDeck, ShortText, TableSide

DeckName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]


class ExtraCard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A card that does not belong to the deck."""

    kind: str  # "cutting card", "cover card"
    colour: str | None = None
    opaque: bool = True
    solid: bool = True  # one colour, edges and all


class RegisterDeck(Act, tag="deck-registered", frozen=True, kw_only=True):
    """A deck comes to the table."""

    deck: DeckName
    back: ShortText | None = None
    uniform: bool = True  # all backs alike
    edges: ShortText = "white"  # of the playing cards
    count: Count | None = None
    extras: tuple[ExtraCard, ...] = ()


class ReceiveDeck(OfDeck, tag="deck-received", frozen=True):
    """The dealer receives a deck."""


class InspectDeck(OfDeck, tag="dealer-inspected", frozen=True):
    """The dealer inspects the deck."""


class VerifyDeck(OfDeck, tag="floorperson-verified", frozen=True):
    """A floorperson verifies the deck."""


class SpreadDeck(OfDeck, tag="spread", frozen=True, kw_only=True):
    """The cards are spread for the first player to see."""

    face: Face = "up"
    in_sequence: bool = True


class PlayerInspects(OfDeck, tag="first-player-inspection", frozen=True):
    """The first player has looked at the spread cards."""


class TurnUpDeck(OfDeck, tag="turn-up", frozen=True):
    """Cards that lay face down are turned up."""


class TurnDownDeck(OfDeck, tag="turn-down", frozen=True):
    """The spread cards are turned face down."""


class WashDeck(OfDeck, tag="wash", frozen=True):
    """The cards are mixed on the table."""


class StackDeck(OfDeck, tag="stack", frozen=True):
    """The cards are stacked."""


class Shuffle(OfDeck, tag="shuffle", frozen=True, kw_only=True):
    """A deck is shuffled. An order fixed by a generator or device is sealed: kept outside, revealed card by card."""

    method: Literal["manual", "automated"] | None = None
    sealed: bool = False


class LayCoverCard(OfDeck, tag="cover-card-laid", frozen=True):
    """The cover card is laid for the cut."""


class Cut(OfDeck, tag="cut", frozen=True, kw_only=True):
    """`count` cards from the top go below the rest."""

    count: Count
    hands: Count = 1


class RackCoverCard(OfDeck, tag="cover-card-to-rack", frozen=True):
    """The cover card goes to the rack."""


class OrderRecut(OfDeck, tag="recut-ordered", frozen=True):
    """A supervisor orders another cut."""


class LoadDeck(OfDeck, tag="deck-loaded", frozen=True):
    """The deck is put in the shoe or shuffler that it is dealt from."""


class HoldDeck(OfDeck, tag="deck-held", frozen=True, kw_only=True):
    """The dealer takes the deck in one hand."""

    hand: TableSide | None = None


class DeckToShuffler(OfDeck, tag="deck-to-shuffler", frozen=True):
    """The other deck waits in the shuffler."""


class ChangeDeck(OfDeck, tag="deck-changed", frozen=True):
    """A deck is replaced by a fresh one."""


class RemoveDeck(OfDeck, tag="deck-removed", frozen=True):
    """A deck leaves the table."""


class SpreadIdle(OfDeck, tag="idle-spread", frozen=True, kw_only=True):
    """The cards lie spread while nobody plays."""

    face: Face | None = None


class CountByDevice(OfDeck, tag="device-count", frozen=True, kw_only=True):
    """A counting shuffler reports how many cards it has."""

    count: Count
