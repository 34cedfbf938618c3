"""What players do with their hands."""

from aceking.table.commands.base import Aside, CardNumber, Face, Name, OfBox, OfPlayer, Whole


class Look(OfPlayer, tag="look", frozen=True):
    """A player looks at a hand."""


class Decision(OfPlayer, frozen=True, kw_only=True):
    """A box decides."""

    noticed: bool = True


class Bet(Decision, tag="bet", frozen=True, kw_only=True):
    """A box stakes the bet, and lays a card or two aside where the game has that."""

    amount: Whole | None = None
    means: Name | None = None
    discard: Aside = None


class Stay(Decision, tag="stay", frozen=True, kw_only=True):
    """A box stays in without a bet."""

    discard: Aside = None


class Fold(Decision, tag="fold", frozen=True):
    """A box gives up."""


class Declare(Decision, tag="declare", frozen=True):
    """A box declares an instant winner."""


class Exchange(OfPlayer, tag="exchange", frozen=True, kw_only=True):
    """A card is given for the next of the deck, at a price; several where the book has a price list."""

    give: tuple[CardNumber, ...]
    take: CardNumber | tuple[CardNumber, ...] | None = None  # as they come, where the table does not know the deck
    amount: Whole | None = None
    means: Name | None = None


class Discard(OfPlayer, tag="discard", frozen=True, kw_only=True):
    """A card is laid aside."""

    card: CardNumber
    face: Face = "down"


class TimeOut(OfBox, tag="time-out", frozen=True):
    """The posted time of a box has run out."""


class BuyDealerCard(OfPlayer, tag="buy-dealer-card", frozen=True, kw_only=True):
    """A box pays for a card for a dealer without a hand, or says that it does not."""

    buys: bool = True
    amount: Whole | None = None


class Claim(OfPlayer, tag="claim", frozen=True):
    """A player gives notice of a jackpot hand."""
