"""The deal."""

from aceking.table.cards.place import Place
from aceking.table.commands.base import Act, CardNumber, Count, Face, TableSide


class Burn(Act, tag="burn", frozen=True, kw_only=True):
    """The first card is burnt."""

    card: CardNumber | None = None


class DealCard(Act, tag="card-dealt", frozen=True, kw_only=True):
    """One card is dealt, to the place that is due unless `to` names another."""

    card: CardNumber | None = None
    to: Place | None = None
    face: Face | None = None
    hand: TableSide | None = None  # the hand that drew it


class DealPacket(Act, tag="packet-dealt", frozen=True, kw_only=True):
    """A whole hand is dealt."""

    cards: tuple[CardNumber, ...] | None = None
    to: Place | None = None
    face: Face | None = None


class TurnUpCard(Act, tag="up-card", frozen=True):
    """The dealer's up-card is turned."""


class RackStub(Act, tag="stub-to-rack", frozen=True, kw_only=True):
    """The rest of the deck goes to the discard rack."""

    face: Face | None = None


class CountStub(Act, tag="stub-count", frozen=True, kw_only=True):
    """The stub is counted."""

    count: Count | None = None


class DrawDealerCard(Act, tag="dealer-card-drawn", frozen=True, kw_only=True):
    """The card that players bought for the dealer is drawn."""

    card: CardNumber | None = None


class GoAhead(Act, tag="go-ahead", frozen=True):
    """The players may look."""
