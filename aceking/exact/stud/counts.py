"""How many hands the dealer can have below a given hand: by ranks alone, in closed form.

A dealer's hand is the up-card and four hole cards from the cards that the player has not seen. Without flushes
(`aceking.exact.stud.suited` corrects for them) only ranks matter: with `live[r]` cards of rank r unseen, the dealer
makes a given choice of ranks in as many ways as the product of binomials over its ranks, where the up-card's rank needs
one card less. Hands of one category are ordered like words, the largest group first. So the hands below a given one
fall into parts: those of a lower category, and, inside the category, those that agree with it in the first j groups and
are lower in the next. In each part the remaining ranks are free, and a sum over free ranks of products is an elementary
symmetric polynomial, stored for "all ranks below r" in one table for each degree. Every hand is in exactly one part.

Everything is computed for many columns at once: one column is one rank of the up-card and one choice of dead cards. No
number here exceeds the number of the dealer's hands, 163,185, by more than a small factor, so 32 bits are enough.
"""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import ACE, FIVE, RANKS
from aceking.cards.hand import Category
from aceking.exact.arrays import Index

StudCounts = NDArray[np.int32]
Rank = int | Index

#: The sizes of the groups of a hand, as `HandRank` orders them; a straight has one group, its top.
SIZES: dict[Category, tuple[int, ...]] = {
    Category.HIGH_CARD: (1, 1, 1, 1, 1),
    Category.PAIR: (2, 1, 1, 1),
    Category.TWO_PAIR: (2, 2, 1),
    Category.THREE_OF_A_KIND: (3, 1, 1),
    Category.FULL_HOUSE: (3, 2),
    Category.FOUR_OF_A_KIND: (4, 1),
}
#: The categories that ranks alone can make, weakest first.
PLAIN = tuple(sorted([*SIZES, Category.STRAIGHT]))

_EVERY_RANK = np.arange(len(RANKS))
# Ways to take k of n cards of one rank: _TAKE[k][n].
_TAKE = np.array([[1, 1, 1, 1, 1], [0, 1, 2, 3, 4], [0, 0, 1, 3, 6], [0, 0, 0, 1, 4], [0, 0, 0, 0, 1]], np.int32)


# glibc returns every freed block of more than 128 KB to the system, and the next table costs page faults again: a fifth
# of all time here. Freeing a larger block raises that limit to its size for good. Nothing is written to this one, so it
# takes no memory; with another C library it has no effect.
np.empty(31 << 20, np.uint8)


def straight_ranks(high: int, *, ace_low: bool) -> tuple[int, ...]:
    """Return the five ranks of the straight with that top, falling; empty if there is no such straight."""
    if high > FIVE:
        return tuple(range(high, high - 5, -1))
    return (*range(FIVE, -1, -1), ACE) if high == FIVE and ace_low else ()


class DealerRanks:
    """The dealer's possible hands by rank, for many choices of up-card and dead cards.

    A threshold is given by its category and its groups (the ranks of `HandRank`): integers, or arrays with one entry
    for each entry of `columns`, which says under which up-card and dead cards each threshold is counted.
    """

    def __init__(self, up: Index, live: StudCounts, *, ace_low: bool) -> None:
        """`up` is the up-card's rank in each column; the 13 rows of `live` are the unseen cards of each rank."""
        self.up = up
        self.ace_low = ace_low
        self.width = len(up)
        columns = np.arange(self.width)
        self._of_up = (up, columns)
        self._up_live = live[up, columns]
        # The up-card's rank is left out of `other`: it is in every hand, so it is never free to choose. As a single
        # card there is one way to hold it.
        self.other = live.copy()
        self.other[self._of_up] = 0
        self._single = live.copy()
        self._single[self._of_up] = 1

    # --- the questions ---

    def below(self, category: Category, groups: Sequence[Rank], columns: Index) -> StudCounts:
        """Return the number of hands below the threshold."""
        return np.add(self.under(category).take(columns), self.inside(category, groups, columns))

    def equal(self, category: Category, groups: Sequence[Rank], columns: Index) -> StudCounts:
        """Return the number of hands that tie with the threshold."""
        if category is Category.STRAIGHT:
            (high,) = groups
            return self._at(self._straights, high + 1, columns) - self._at(self._straights, high, columns)
        if category not in SIZES:
            return np.zeros(len(columns), np.int32)  # a flush is not made of ranks alone
        up = self.up.take(columns)
        ways = np.ones(len(columns), np.int32)
        holds_up = np.zeros(len(columns), np.bool_)
        for size, rank in zip(SIZES[category], groups, strict=True):
            ways *= self._group(size, rank, columns)
            holds_up |= rank == up
        return np.multiply(ways, holds_up)

    def all_of(self, category: Category) -> StudCounts:
        """Return the number of hands of a category, in each column."""
        match category:
            case Category.HIGH_CARD:
                return self._last(self._four) - self._last(self._straights)
            case Category.TWO_PAIR:
                _, both, with_up = self._two_pairs
                return self._last(both) + self._last(with_up)
            case _:
                return self._last(self._tables(category))

    # --- tables over "all ranks below r", r = 0 to 13 ---

    @cached_property
    def _one(self) -> StudCounts:
        """Ways to choose one free rank."""
        return _below(self.other)

    @cached_property
    def _two(self) -> StudCounts:
        return _below(self.other, self._one)

    @cached_property
    def _three(self) -> StudCounts:
        return _below(self.other, self._two)

    @cached_property
    def _four(self) -> StudCounts:
        return _below(self.other, self._three)

    @cached_property
    def _pairs(self) -> StudCounts:
        """Hands with one pair, of a rank below r."""
        hands = self._last(self._one) - self.other  # a free card neither of the pair's rank nor of the up-card's
        hands *= self.other
        np.subtract(self._last(self._two), hands, out=hands)
        hands *= self._take_two
        hands[self._of_up] = self._up_live * self._last(self._three)
        return _below(hands)

    @cached_property
    def _threes(self) -> StudCounts:
        """Hands with three of a rank below r."""
        hands = self._take_three * (self._last(self._one) - self.other)
        hands[self._of_up] = _TAKE[2][self._up_live] * self._last(self._two)
        return _below(hands)

    @cached_property
    def _fulls(self) -> StudCounts:
        """Full houses with three of a rank below r."""
        hands = self._take_three * self._up_live
        hands[self._of_up] = _TAKE[2][self._up_live] * self._last(self._two_pairs[0])
        return _below(hands)

    @cached_property
    def _fours(self) -> StudCounts:
        """Hands with four of a rank below r."""
        hands = self._take_three * (self.other - 3) >> 2
        hands[self._of_up] = _TAKE[3][self._up_live] * self._last(self._one)
        return _below(hands)

    @cached_property
    def _straights(self) -> StudCounts:
        """Straights with a top below r."""
        hands = np.zeros_like(self.other)
        for high in range(FIVE, ACE + 1):
            if ranks := straight_ranks(high, ace_low=self.ace_low):
                hands[high] = np.isin(_EVERY_RANK, ranks).take(self.up)
                for rank in ranks:
                    hands[high] *= self._single[rank]
        return _below(hands)

    @cached_property
    def _two_pairs(self) -> tuple[StudCounts, StudCounts, StudCounts]:
        """Pairs below r; two pairs below r, beside the up-card; and a pair below r beside a pair of the up-card's."""
        one = _below(self._take_two)
        both = _below(self._take_two, one)
        with_up = _below(self._take_two * (self._last(self._one) - self.other) * self._up_live)
        return one, both, with_up

    @cached_property
    def _take_two(self) -> StudCounts:
        """Ways to take two cards of a rank that is not the up-card's."""
        return self.other * (self.other - 1) >> 1

    @cached_property
    def _take_three(self) -> StudCounts:
        return self._take_two * (self.other - 2) // 3

    def _tables(self, category: Category) -> StudCounts:
        """Return the table of a category's hands by their first group."""
        match category:
            case Category.PAIR:
                return self._pairs
            case Category.THREE_OF_A_KIND:
                return self._threes
            case Category.STRAIGHT:
                return self._straights
            case Category.FULL_HOUSE:
                return self._fulls
            case _:
                return self._fours

    @cached_property
    def _all(self) -> StudCounts:
        """All hands: any four of the unseen cards."""
        unseen: StudCounts = self.other.sum(axis=0, dtype=np.int32) + self._up_live
        return unseen * (unseen - 1) * (unseen - 2) // 6 * (unseen - 3) >> 2

    def under(self, category: Category) -> StudCounts:
        """Return the number of hands of all lower categories, in each column, from the side that needs fewer tables."""
        if category < Category.THREE_OF_A_KIND:
            under = np.zeros(self.width, np.int32)
            for lower in PLAIN[: PLAIN.index(category)]:
                under += self.all_of(lower)
            return under
        under = self._all.copy()
        for other in PLAIN:
            if other >= category:
                under -= self.all_of(other)
        return under

    # --- inside a category ---

    def inside(self, category: Category, groups: Sequence[Rank], columns: Index) -> StudCounts:
        """Return the number of hands of the threshold's own category that are below it."""
        first, rest = groups[0], groups[1:]
        match category:
            case Category.HIGH_CARD:
                return self._singles_below(groups, (), columns) - self._straights_as_words(first, columns)
            case Category.PAIR | Category.THREE_OF_A_KIND | Category.FOUR_OF_A_KIND:
                lower = self._at(self._tables(category), first, columns)
                same = self._group(SIZES[category][0], first, columns)
                return lower + same * self._singles_below(rest, (first,), columns)
            case Category.TWO_PAIR:
                return self._two_pairs_below(groups, columns)
            case Category.STRAIGHT:
                return self._at(self._straights, first, columns)
            case Category.FULL_HOUSE:
                return self._fulls_below(first, rest[0], columns)
            case _:
                return np.zeros(len(columns), np.int32)

    def _straights_as_words(self, first: Rank, columns: Index) -> StudCounts:
        """Straights that, read as words, are below a word that starts with `first` and is not a straight.

        A straight's ranks are the highest word with their top; 5-4-3-2-A starts with its ace and is the lowest there.
        """
        straights = self._at(self._straights, first, columns)
        wheels = self._straights[FIVE + 1].take(columns)
        return np.where(first == ACE, straights, np.maximum(straights - wheels, 0))

    def _two_pairs_below(self, groups: Sequence[Rank], columns: Index) -> StudCounts:
        high, low, kicker = groups
        one, both, with_up = self._two_pairs
        up = self.up.take(columns)
        # Neither pair is of the up-card's rank: the upper one is lower, or it is equal and the lower one is lower.
        upper: StudCounts = np.where(high == up, 0, self._group(2, high, columns))
        beside = self._at(both, high, columns) + upper * self._at(one, low, columns)
        # One pair is of the up-card's rank. The other is below the upper one, or equals it and the up-card's is lower.
        lower = self._at(with_up, high, columns)
        same = self._at(with_up, high + 1, columns) - lower
        paired: StudCounts = np.where(high > up, lower, 0) + np.where(low > up, same, 0)
        paired = np.where(high == up, self._at(with_up, low, columns), paired)
        agreed = self._group(2, high, columns) * self._group(2, low, columns)
        return beside + paired + agreed * self._singles_below((kicker,), (high, low), columns)

    def _fulls_below(self, three: Rank, pair: Rank, columns: Index) -> StudCounts:
        up, up_live = self.up.take(columns), self._up_live.take(columns)
        same = self._group(3, three, columns)
        lower_pairs = np.where(
            three == up, self._at(self._two_pairs[0], pair, columns), np.where(pair > up, up_live, 0)
        )
        return self._at(self._fulls, three, columns) + same * lower_pairs

    def _singles_below(self, kickers: Sequence[Rank], used: Sequence[Rank], columns: Index) -> StudCounts:
        """Ways to choose as many different unused single ranks that, read as a word, are below the kickers."""
        up = self.up.take(columns)
        total = np.zeros(len(columns), np.int32)
        agreed = np.ones(len(columns), np.int32)
        has_up = np.zeros(len(columns), np.bool_)  # the up-card is among the used and agreed ranks
        for rank in used:
            has_up |= rank == up
        for place, kicker in enumerate(kickers):
            free = len(kickers) - place
            ways = self._free_below(free, kicker, used, columns)
            # If the up-card is not yet included, it must be one of the free ranks.
            total += agreed * np.where(has_up, ways[free], np.where(up < kicker, ways[free - 1], 0))
            if free > 1:
                agreed *= self._at(self._single, kicker, columns)
                has_up |= kicker == up
        return total

    def _free_below(self, most: int, limit: Rank, used: Sequence[Rank], columns: Index) -> list[StudCounts]:
        """Ways to choose 0, 1, … `most` ranks below the limit that are neither used nor the up-card's."""
        tables = (self._one, self._two, self._three, self._four)[:most]
        ways = [np.ones(len(columns), np.int32), *(self._at(table, limit, columns) for table in tables)]
        for rank in used:
            # Dividing the polynomial by the factor of the used rank removes that rank.
            taken: StudCounts = np.where(rank < limit, self._at(self.other, rank, columns), 0)
            for degree in range(1, len(ways)):
                ways[degree] = ways[degree] - taken * ways[degree - 1]
        return [*ways, np.zeros_like(ways[0])]  # five free ranks and the up-card would be six cards

    # --- look-ups ---

    @staticmethod
    def _last(table: StudCounts) -> StudCounts:
        """The sums over all ranks."""
        sums: StudCounts = table[-1]
        return sums

    def _at(self, table: StudCounts, row: Rank, columns: Index) -> StudCounts:
        if isinstance(row, int):
            return np.take(table[row], columns)
        return np.take(table.ravel(), row * self.width + columns)

    def _group(self, size: int, rank: Rank, columns: Index) -> StudCounts:
        """Ways to hold `size` cards of a rank; one card of the up-card's rank is already there."""
        if size == 1:
            return self._at(self._single, rank, columns)
        others = _TAKE[size].take(self._at(self.other, rank, columns))
        with_up = _TAKE[size - 1].take(self._up_live.take(columns))
        ways: StudCounts = np.where(rank == self.up.take(columns), with_up, others)
        return ways


def _below(ranks: StudCounts, times: StudCounts | None = None) -> StudCounts:
    """Sums over all ranks below r, for r = 0 to 13, of one number for each rank or of products of two."""
    sums = np.empty((len(RANKS) + 1, ranks.shape[1]), np.int32)
    sums[0] = 0
    for rank in range(len(RANKS)):  # row by row: np.cumsum along the first axis is ten times slower
        if times is None:
            np.add(sums[rank], ranks[rank], out=sums[rank + 1])
        else:
            np.multiply(ranks[rank], times[rank], out=sums[rank + 1])
            sums[rank + 1] += sums[rank]
    return sums
