"""Decisions of players and other acts with their hands."""

from collections.abc import Mapping

from aceking.rules.decisions import CHOICES
from aceking.table.commands.base import Aside, CardNumber, Face, OfBox, OfPlayer, ShortText, Whole


class Look(OfPlayer, tag="look", frozen=True):
    """A player looks at a hand."""


class DecisionAct(OfPlayer, frozen=True, kw_only=True):
    """A box decides."""

    noticed: bool = True


class Bet(DecisionAct, tag="bet", frozen=True, kw_only=True):
    """A box stakes the bet, with discards if the game has them."""

    amount: Whole | None = None
    means: ShortText | None = None
    discard: Aside = None


class Stay(DecisionAct, tag="stay", frozen=True, kw_only=True):
    """A box stays in without a bet."""

    discard: Aside = None


class Fold(DecisionAct, tag="fold", frozen=True):
    """A box folds."""


class Declare(DecisionAct, tag="declare", frozen=True):
    """A box declares an instant winner."""


#: The command of each decision.
DECISION_ACTS: Mapping[str, type[DecisionAct]] = {
    str(one.__struct_config__.tag): one for one in DecisionAct.__subclasses__()
}
assert DECISION_ACTS.keys() == set(CHOICES), "every choice of `rules/decisions.py` has its command"


class Exchange(OfPlayer, tag="exchange", frozen=True, kw_only=True):
    """A card is exchanged for the next of the deck, at a price; several if the book has a price list."""

    give: tuple[CardNumber, ...]
    take: CardNumber | tuple[CardNumber, ...] | None = None  # the cards drawn, if the table does not know the deck
    amount: Whole | None = None
    means: ShortText | None = None


class Discard(OfPlayer, tag="discard", frozen=True, kw_only=True):
    """A card is discarded."""

    card: CardNumber
    face: Face = "down"


class TimeOut(OfBox, tag="time-out", frozen=True):
    """The posted time of a box has run out."""


class BuyDealerCard(OfPlayer, tag="buy-dealer-card", frozen=True, kw_only=True):
    """A box pays for a card for a dealer without a hand, or declines."""

    buys: bool = True
    amount: Whole | None = None


class Claim(OfPlayer, tag="claim", frozen=True):
    """A player announces a jackpot hand."""
