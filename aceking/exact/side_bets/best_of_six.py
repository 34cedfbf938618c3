"""The best five of six cards: how many of the 20,358,520 hands of six have each.

Suits and ranks are counted apart. Six cards hold five or six of one suit in one suit at the most, and only where five
or six ranks are different. So for each choice of ranks the ways to a flush are written down, and all other ways are
judged by the ranks alone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from aceking.cards.card import ACE, FIVE
from aceking.cards.hand import Category, HandRank

HANDS = comb(52, 6)
_SUITS = 4
Runs = Sequence[tuple[int, frozenset[int]]]


@cache
def best_of_six(*, ace_low: bool) -> Mapping[Category, int]:
    """How many hands of six cards have a best five of each class."""
    found = dict.fromkeys(Category, 0)
    for hand, number in by_hand(ace_low=ace_low).items():
        found[hand.category] += number
    return found


@cache
def by_hand(*, ace_low: bool) -> Mapping[HandRank, int]:
    """How many hands of six cards have each best five."""
    runs = _runs(ace_low=ace_low)
    found: Counter[HandRank] = Counter()
    for ranks in combinations_with_replacement(range(13), 6):
        sizes = Counter(ranks)
        if max(sizes.values()) > _SUITS:
            continue
        ways = prod(comb(_SUITS, size) for size in sizes.values())
        for hand, flushes in _flushes(sizes, runs).items():
            found[hand] += flushes
            ways -= flushes
        if ways:
            found[_by_ranks(sizes, runs)] += ways
    return found


def _flushes(sizes: Mapping[int, int], runs: Runs) -> dict[HandRank, int]:
    """The ways to give suits such that five cards or more are of one suit, by the best hand that makes."""
    found: Counter[HandRank] = Counter()
    different = frozenset(sizes)
    if len(different) == 5:
        # The pair has the suit of the four others, and one of three besides.
        found[_suited(different, runs)] += _SUITS * (_SUITS - 1)
    elif len(different) == 6:
        found[_suited(different, runs)] += _SUITS
        for five in combinations(different, 5):
            found[_suited(frozenset(five), runs)] += _SUITS * (_SUITS - 1)
    return found


def _suited(ranks: frozenset[int], runs: Runs) -> HandRank:
    """The best hand of these ranks in one suit."""
    top = _top(ranks, runs)
    if top is None:
        return HandRank(Category.FLUSH, _falling(ranks)[:5])
    return HandRank(Category.ROYAL_FLUSH if top == ACE else Category.STRAIGHT_FLUSH, (top,))


def _by_ranks(sizes: Mapping[int, int], runs: Runs) -> HandRank:
    """The best hand of these ranks where no five are of one suit."""
    groups = tuple(sorted(sizes, key=lambda rank: (sizes[rank], rank), reverse=True))
    largest, second = sizes[groups[0]], sizes[groups[1]]
    if largest == 4:
        return HandRank(Category.FOUR_OF_A_KIND, (groups[0], max(groups[1:])))
    if largest == 3 and second >= 2:
        return HandRank(Category.FULL_HOUSE, groups[:2])
    top = _top(frozenset(sizes), runs)
    if top is not None:
        return HandRank(Category.STRAIGHT, (top,))
    if largest == 3:
        return HandRank(Category.THREE_OF_A_KIND, groups[:3])
    if second == 2:
        return HandRank(Category.TWO_PAIR, (*groups[:2], max(groups[2:])))
    return HandRank(Category.PAIR, groups[:4]) if largest == 2 else HandRank(Category.HIGH_CARD, groups[:5])


def _top(ranks: frozenset[int], runs: Runs) -> int | None:
    """The top of the best straight of these ranks."""
    return next((top for top, run in runs if ranks >= run), None)


def _falling(ranks: frozenset[int]) -> tuple[int, ...]:
    return tuple(sorted(ranks, reverse=True))


def _runs(*, ace_low: bool) -> Runs:
    """The ranks of every straight, by its top, the best first."""
    runs = [(low + 4, frozenset(range(low, low + 5))) for low in reversed(range(ACE - 3))]
    return [*runs, (FIVE, frozenset({0, 1, 2, 3, ACE}))] if ace_low else runs
