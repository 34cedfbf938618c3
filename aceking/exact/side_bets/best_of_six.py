"""The best five of six cards: how many of the 20,358,520 hands of six cards have each best hand.

Suits and ranks are counted separately. At most one suit has five or six of six cards, and only if five or six ranks
are different. So for each choice of ranks the ways to make a flush are counted, and all other ways are ranked by the
ranks alone.
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
    """Return how many hands of six cards have a best five of each category."""
    counts = dict.fromkeys(Category, 0)
    for hand, number in by_hand(ace_low=ace_low).items():
        counts[hand.category] += number
    return counts


@cache
def by_hand(*, ace_low: bool) -> Mapping[HandRank, int]:
    """Return how many hands of six cards have each best five."""
    runs = _runs(ace_low=ace_low)
    counts: Counter[HandRank] = Counter()
    for ranks in combinations_with_replacement(range(13), 6):
        sizes = Counter(ranks)
        if max(sizes.values()) > _SUITS:
            continue
        ways = prod(comb(_SUITS, size) for size in sizes.values())
        for hand, flushes in _flushes(sizes, runs).items():
            counts[hand] += flushes
            ways -= flushes
        if ways:
            counts[_by_ranks(sizes, runs)] += ways
    return counts


def _flushes(sizes: Mapping[int, int], runs: Runs) -> dict[HandRank, int]:
    """Return the ways to give suits so that five cards or more are of one suit, by the best hand they make."""
    ways: Counter[HandRank] = Counter()
    different = frozenset(sizes)
    if len(different) == 5:
        # The pair has one card in the suit of the four others, and one in any of the three other suits.
        ways[_suited(different, runs)] += _SUITS * (_SUITS - 1)
    elif len(different) == 6:
        ways[_suited(different, runs)] += _SUITS
        for five in combinations(different, 5):
            ways[_suited(frozenset(five), runs)] += _SUITS * (_SUITS - 1)
    return ways


def _suited(ranks: frozenset[int], runs: Runs) -> HandRank:
    """Return the best hand of these ranks in one suit."""
    top = _top(ranks, runs)
    if top is None:
        return HandRank(Category.FLUSH, _falling(ranks)[:5])
    return HandRank(Category.ROYAL_FLUSH if top == ACE else Category.STRAIGHT_FLUSH, (top,))


def _by_ranks(sizes: Mapping[int, int], runs: Runs) -> HandRank:
    """Return the best hand of these ranks if no five cards are of one suit."""
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
    """Return the top of the best straight of these ranks; None if there is no straight."""
    return next((top for top, run in runs if ranks >= run), None)


def _falling(ranks: frozenset[int]) -> tuple[int, ...]:
    return tuple(sorted(ranks, reverse=True))


def _runs(*, ace_low: bool) -> Runs:
    """Return (top, ranks) of every straight, the best first."""
    runs = [(low + 4, frozenset(range(low, low + 5))) for low in reversed(range(ACE - 3))]
    return [*runs, (FIVE, frozenset({0, 1, 2, 3, ACE}))] if ace_low else runs
