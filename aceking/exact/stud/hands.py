"""The player's hands as the counting needs them: by rank, and by the ranks held in the up-card's suit.

The suits of the other cards do not matter, unless all five are of one suit. A block holds all hands of one category
(one column for each choice of ranks) in all their suit patterns (one row for each set of ranks in the up-card's suit),
and the number of ways to give such suits to the cards.
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np

from aceking.cards.card import ACE, FIVE
from aceking.cards.hand import Category, HandRank
from aceking.exact.arrays import Index
from aceking.exact.stud.counts import SIZES, StudCounts, straight_ranks


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Player's hands of one category, weakest first."""

    category: Category
    groups: tuple[Index, ...]  # as in HandRank, one entry for each column
    ranks: tuple[Index, ...]  # the different ranks of the hand, in the order of the groups
    held: StudCounts  # 13 rows: how many cards of each rank
    suited: Index  # one row for each pattern: the ranks held in the up-card's suit, as bits
    ways: StudCounts  # for each pattern: choices of suits, for one given suit of the up-card

    def __len__(self) -> int:
        return len(self.groups[0])

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the groups of cards of one rank."""
        return SIZES.get(self.category, SIZES[Category.HIGH_CARD])

    @property
    def weakest(self) -> HandRank:
        """The hand of the first column."""
        return HandRank(self.category, tuple(int(group[0]) for group in self.groups))

    def part(self, start: int, stop: int) -> "Block":
        """Return the columns from `start` to `stop`."""
        cut = slice(start, stop)
        groups, ranks = (tuple(each[cut] for each in part) for part in (self.groups, self.ranks))
        return Block(self.category, groups, ranks, self.held[:, cut], self.suited[:, cut], self.ways)

    def first_not_below(self, threshold: HandRank) -> int:
        """Return the first column whose hand is not below the threshold."""
        if self.category != threshold.category:
            return 0 if self.category > threshold.category else len(self)
        below = np.zeros(len(self), np.bool_)
        same = ~below
        for group, rank in zip(self.groups, threshold.ranks, strict=True):
            below |= same & (group < rank)
            same &= group == rank
        return int(below.sum())


@cache
def blocks(*, ace_low: bool) -> tuple[Block, ...]:
    """Return all 2,598,960 hands, weakest category first."""
    held = rank_choices(5)
    largest, pairs = held.max(axis=0), (held == 2).sum(axis=0)
    top = _straight_tops(held, ace_low=ace_low)
    all_blocks = []
    for category, sizes in SIZES.items():
        chosen = held[:, (largest == sizes[0]) & (pairs == sizes.count(2)) & (top < 0)]
        groups = _groups(chosen, len(sizes))
        order = np.lexsort(groups[::-1])
        chosen, groups = chosen[:, order], tuple(group[order] for group in groups)
        if category is Category.HIGH_CARD:
            all_blocks += [_mixed(category, groups, chosen, groups), _flush(category.FLUSH, groups, chosen, groups)]
        else:
            all_blocks.append(_paired(category, groups, chosen))
    runs = [straight_ranks(high, ace_low=ace_low) for high in range(FIVE, ACE + 1)]
    ranks = np.array([run for run in runs if run], dtype=np.intp).T
    straights = np.zeros((13, ranks.shape[1]), np.int32)
    straights[ranks, np.arange(ranks.shape[1])] = 1
    all_blocks.append(_mixed(Category.STRAIGHT, (ranks[0],), straights, tuple(ranks)))
    suited = _flush(Category.STRAIGHT_FLUSH, (ranks[0],), straights, tuple(ranks))
    royal = _flush(Category.ROYAL_FLUSH, (ranks[0],), straights, tuple(ranks))
    last = len(suited) - 1
    all_blocks += [suited.part(0, last), royal.part(last, last + 1)]
    return tuple(sorted(all_blocks, key=lambda block: block.category))


def rank_choices(size: int) -> StudCounts:
    """Return all ways to hold `size` cards by rank: 13 rows, one column each, at most four cards of a rank."""
    chosen = np.array(list(combinations_with_replacement(range(13), size)), dtype=np.intp)
    held = np.zeros((13, len(chosen)), np.int32)
    for place in range(size):
        held[chosen[:, place], np.arange(len(chosen))] += 1
    return held[:, held.max(axis=0) <= 4]


def _straight_tops(held: StudCounts, *, ace_low: bool) -> StudCounts:
    """Return the top of the straight that the ranks make, or -1."""
    top = np.full(held.shape[1], -1, np.int32)
    for high in range(FIVE, ACE + 1):
        if ranks := straight_ranks(high, ace_low=ace_low):
            top[held[list(ranks)].min(axis=0) > 0] = high
    return top


def _groups(held: StudCounts, number: int) -> tuple[Index, ...]:
    """Return the ranks of each column, the largest group first and the highest first among equals."""
    order = np.argsort(-(16 * held + np.arange(13)[:, None]), axis=0)
    return tuple(order[:number])


def _paired(category: Category, groups: tuple[Index, ...], held: StudCounts) -> Block:
    """Each rank is held in the up-card's suit or not; the rest of its cards are of the other three suits."""
    patterns = range(1 << len(groups))
    sizes = SIZES[category]
    ways = [prod(comb(3, size - (pattern >> place & 1)) for place, size in enumerate(sizes)) for pattern in patterns]
    return Block(category, groups, groups, held, _bits(groups, patterns), np.array(ways, np.int32))


def _mixed(category: Category, groups: tuple[Index, ...], held: StudCounts, ranks: tuple[Index, ...]) -> Block:
    """Five ranks, and suits that are not all the same."""
    patterns = range(1 << 5)
    ways = [3 ** (5 - pattern.bit_count()) for pattern in patterns]
    ways[0] -= 3
    ways[-1] = 0
    return Block(category, groups, ranks, held, _bits(ranks, patterns), np.array(ways, np.int32))


def _flush(category: Category, groups: tuple[Index, ...], held: StudCounts, ranks: tuple[Index, ...]) -> Block:
    """Five ranks of one suit: one of the three other suits, or the up-card's."""
    return Block(category, groups, ranks, held, _bits(ranks, (0, 31)), np.array((3, 1), np.int32))


def _bits(ranks: tuple[Index, ...], patterns: range | tuple[int, ...]) -> Index:
    """Return the sets of ranks that the patterns choose from each column."""
    bits = [1 << rank for rank in ranks]
    chosen = [sum((bit for place, bit in enumerate(bits) if pattern >> place & 1), 0 * bits[0]) for pattern in patterns]
    return np.array(chosen, dtype=np.intp)
