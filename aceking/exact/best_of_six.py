"""The best five of six cards: how many of the 20,358,520 hands of six are of each class.

Suits and ranks are counted apart. Six cards hold five or six of one suit in one suit at the most, and only where five
or six ranks are different. So for each choice of ranks the ways to a flush are written down, and all other ways are
judged by the ranks alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from aceking.cards.card import ACE
from aceking.cards.hand import Category

HANDS = comb(52, 6)
_SUITS = 4
#: The royal flush by its ranks.
_ROYAL = frozenset(range(ACE - 4, ACE + 1))


@cache
def best_of_six(*, ace_low: bool) -> Mapping[Category, int]:
    """How many hands of six cards have a best five of each class."""
    runs = _runs(ace_low=ace_low)
    found: Counter[Category] = Counter()
    for ranks in combinations_with_replacement(range(13), 6):
        sizes = Counter(ranks)
        if max(sizes.values()) > _SUITS:
            continue
        ways = prod(comb(_SUITS, size) for size in sizes.values())
        for category, flushes in _flushes(sizes, runs).items():
            found[category] += flushes
            ways -= flushes
        found[_by_ranks(sizes, runs)] += ways
    return {category: found[category] for category in Category}


def _flushes(sizes: Mapping[int, int], runs: Sequence[frozenset[int]]) -> dict[Category, int]:
    """The ways to give suits such that five cards or more are of one suit, by the best hand that makes."""
    found: Counter[Category] = Counter()
    different = frozenset(sizes)
    if len(different) == 5:
        # The pair has the suit of the four others, and one of three besides.
        found[_suited(different, runs)] += _SUITS * (_SUITS - 1)
    elif len(different) == 6:
        found[_suited(different, runs)] += _SUITS
        for five in combinations(different, 5):
            found[_suited(frozenset(five), runs)] += _SUITS * (_SUITS - 1)
    return found


def _suited(ranks: frozenset[int], runs: Sequence[frozenset[int]]) -> Category:
    """The best hand of these ranks in one suit."""
    if ranks >= _ROYAL:
        return Category.ROYAL_FLUSH
    return Category.STRAIGHT_FLUSH if any(ranks >= run for run in runs) else Category.FLUSH


def _by_ranks(sizes: Mapping[int, int], runs: Sequence[frozenset[int]]) -> Category:
    """The best hand of these ranks where no five are of one suit."""
    largest, *rest = sorted(sizes.values(), reverse=True)
    if largest == 4:
        return Category.FOUR_OF_A_KIND
    if largest == 3 and rest[0] >= 2:
        return Category.FULL_HOUSE
    if any(sizes.keys() >= run for run in runs):
        return Category.STRAIGHT
    if largest == 3:
        return Category.THREE_OF_A_KIND
    if largest == 2:
        return Category.TWO_PAIR if rest[0] == 2 else Category.PAIR
    return Category.HIGH_CARD


def _runs(*, ace_low: bool) -> list[frozenset[int]]:
    """The ranks of every straight."""
    runs = [frozenset(range(low, low + 5)) for low in range(ACE - 3)]
    return [*runs, frozenset({0, 1, 2, 3, ACE})] if ace_low else runs
