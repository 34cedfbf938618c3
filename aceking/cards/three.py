"""Hands of three cards: the instant winners of Colorado Hold'em, and the rows of a side wager on three cards."""

from collections.abc import Sequence
from enum import Enum

from aceking.cards.card import ACE, RANKS, CardId, rank_of, suit_of
from aceking.cards.hand import Category, HandRank

#: The classes of a three-card hand, weakest first: with three cards a flush is more common than a straight.
THREE_CARD_ORDER = (
    Category.HIGH_CARD,
    Category.PAIR,
    Category.FLUSH,
    Category.STRAIGHT,
    Category.THREE_OF_A_KIND,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
)


class ThreeRank(HandRank):
    """The place of three cards among those of their class; classes are in the order of `THREE_CARD_ORDER`."""

    __slots__ = ()


class Instant(Enum):
    """Three cards that may be declared an instant winner."""

    THREE_CARD_STRAIGHT_FLUSH = "three_card_straight_flush"
    INSTANT_THREE_OF_A_KIND = "instant_three_of_a_kind"

    @property
    def title(self) -> str:
        """The name a person reads: `three card straight flush`."""
        return self.value.removeprefix("instant_").replace("_", " ")


def instant(three: Sequence[CardId], *, ace_low: bool) -> Instant | None:
    """Return the instant winner that three cards make, or None. With `ace_low` the ace may also be below the two."""
    assert len(three) == 3, "an instant winner is three cards"
    category = category_of_three(three, ace_low=ace_low)
    if category is Category.THREE_OF_A_KIND:
        return Instant.INSTANT_THREE_OF_A_KIND
    return Instant.THREE_CARD_STRAIGHT_FLUSH if category >= Category.STRAIGHT_FLUSH else None


def category_of_three(three: Sequence[CardId], *, ace_low: bool) -> Category:
    """Return the class of three cards; ace, king and queen of one suit are a royal flush."""
    low, middle, high = sorted([rank_of(one) for one in three])
    if low == high:
        return Category.THREE_OF_A_KIND
    if middle in (low, high):
        return Category.PAIR
    suited = len({suit_of(one) for one in three}) == 1
    wheel = ace_low and (low, middle, high) == (0, 1, ACE)
    if high - low == 2 or wheel:
        if not suited:
            return Category.STRAIGHT
        return Category.ROYAL_FLUSH if low == ACE - 2 else Category.STRAIGHT_FLUSH
    return Category.FLUSH if suited else Category.HIGH_CARD


def rank_of_three(three: Sequence[CardId], *, ace_low: bool) -> ThreeRank:
    """Return the rank of three cards."""
    category = category_of_three(three, ace_low=ace_low)
    low, middle, high = sorted([rank_of(one) for one in three])
    match category:
        case Category.PAIR:
            return ThreeRank(category, (middle, low if middle == high else high))
        case Category.STRAIGHT | Category.STRAIGHT_FLUSH | Category.ROYAL_FLUSH:
            return ThreeRank(category, (high if high - low == 2 else middle,))
        case Category.THREE_OF_A_KIND:
            return ThreeRank(category, (high,))
        case _:
            return ThreeRank(category, (high, middle, low))


def weakest_of_three(text: str) -> ThreeRank:
    """Return the rank of three cards of mixed suits, given by their ranks: `weakest_of_three("J J 2")`."""
    values = [RANKS.index(letter) for letter in text.split()]
    assert len(values) == 3, "three cards are three ranks"
    return rank_of_three([CardId(value * 4 + suit) for suit, value in enumerate(values)], ace_low=True)
