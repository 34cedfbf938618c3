"""Kinds of final hands: hands that a book with given thresholds treats alike, and the kind of many hands at once.

A kind starts at a category or at a threshold of the book, so a pay table with any thresholds is a row of pays, one for
each kind. Ranks are separated from suits: there is a kind for five ranks, and one for the same ranks in one suit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import ACE, FIVE
from aceking.cards.fast import GROUP_SIZES
from aceking.cards.hand import Category, HandRank

WholeNumbers = NDArray[np.int64]
Small = NDArray[np.int16]

#: A weight for each rank, such that no two choices of five ranks (at most four equal) have the same sum.
WEIGHTS: WholeNumbers = np.array([0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415])

_CATEGORY = 13**5
_PLACES = 13 ** np.arange(4, -1, -1)


@dataclass(frozen=True, slots=True)
class CommunityKinds:
    """The kinds of hands, weakest first. Each kind starts at its own first hand and ends before the next kind's."""

    starts: tuple[HandRank, ...]
    ace_low: bool

    @classmethod
    def of(cls, thresholds: Sequence[HandRank], *, ace_low: bool) -> "CommunityKinds":
        """Return the kinds: every category, split at the thresholds inside it."""
        # A category without ranks is below all of its hands. If a threshold is the weakest hand of its category, the
        # kind before it is empty and no hand is ever counted there.
        categories = (HandRank(category, ()) for category in Category)
        return cls(tuple(sorted({*categories, *thresholds})), ace_low)

    def by_weight(self) -> tuple[Small, Small]:
        """Return the kind by the sum of the five ranks' weights: in mixed suits, and in one suit."""
        five = _five_ranks()
        weight = WEIGHTS[five].sum(axis=1)
        plain = strengths(five, ace_low=self.ace_low)
        borders = [_strength(start) for start in self.starts]
        tables = np.zeros((2, 5 * WEIGHTS.max() + 1), np.int16)
        for table, strength in zip(tables, (plain, _in_one_suit(plain)), strict=True):
            table[weight] = np.searchsorted(borders, strength, side="right") - 1
        return tables[0], tables[1]


def strengths(five: WholeNumbers, *, ace_low: bool) -> WholeNumbers:
    """Return a number for each row of five rising ranks in mixed suits: greater is better, equal ties."""
    order, categories = _groups()
    alike = (five[:, 1:] == five[:, :-1]) @ (1 << np.arange(4))
    falling = np.take_along_axis(five, order[alike], axis=1)
    category, top = categories[alike], falling[:, 0]
    single = alike == 0
    straight = single & (top - falling[:, 4] == 4)
    if ace_low:
        wheel = single & (top == ACE) & (falling[:, 1] == FIVE)
        top, straight = np.where(wheel, FIVE, top), straight | wheel
    inside = np.where(straight, top * _PLACES[0], falling @ _PLACES)
    return np.where(straight, int(Category.STRAIGHT), category) * _CATEGORY + inside


@cache
def _groups() -> tuple[WholeNumbers, WholeNumbers]:
    """By the equal neighbours among five rising ranks (a bit each): the order in which a HandRank names the ranks (the
    largest group first, then the higher rank), and the category that the groups make."""
    order, categories = np.zeros((16, 5), np.int64), np.zeros(16, np.int64)
    shapes = {shape: category for category, shape in GROUP_SIZES.items()}
    for alike in range(15):
        groups = [(alike & (1 << place) - 1).bit_count() - place for place in range(5)]
        order[alike] = sorted(range(5), key=lambda place: (-groups.count(groups[place]), -place))
        shape = tuple(sorted((groups.count(group) for group in set(groups)), reverse=True))
        categories[alike] = shapes.get(shape, Category.HIGH_CARD)
    return order, categories


def _in_one_suit(plain: WholeNumbers) -> WholeNumbers:
    """Return the strengths of the same ranks in one suit; they have no meaning if two ranks are equal."""
    category, inside = np.divmod(plain, _CATEGORY)
    royal = inside == ACE * _PLACES[0]
    straight = np.where(royal, int(Category.ROYAL_FLUSH), int(Category.STRAIGHT_FLUSH))
    return np.where(category == Category.STRAIGHT, straight, int(Category.FLUSH)) * _CATEGORY + inside


def _strength(ranked: HandRank) -> int:
    """Return the number that `strengths` gives to the hands of this rank."""
    groups = GROUP_SIZES.get(ranked.category, (1,) * 5)
    each = [value for value, times in zip(ranked.ranks, groups, strict=False) for _ in range(times)]
    inside = sum(value * int(place) for value, place in zip(each, _PLACES, strict=False))
    return int(ranked.category) * _CATEGORY + inside


@cache
def _five_ranks() -> WholeNumbers:
    """Return all 6,175 choices of five ranks that one deck allows, rising."""
    five = np.fromiter(chain.from_iterable(combinations_with_replacement(range(13), 5)), np.int64).reshape(-1, 5)
    possible: WholeNumbers = five[five[:, 0] != five[:, 4]]
    return possible
