"""What suits change in the number of hands that the dealer can have below a given hand.

Rank is separated from suit. A dealer's flush can only be in the suit of the up-card, so nearly every hand is what its
ranks say (`aceking.exact.stud.counts`). The exceptions are the hands whose five cards are all of that suit: at most
495, and which of them are left depends only on the ranks that are dead *in that suit*. They are counted by the same
formulas, with one card of each rank. They are subtracted where their ranks alone would stand and added where they
belong: as flushes instead of high cards, as straight flushes instead of straights.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from aceking.cards.card import RANKS
from aceking.cards.hand import Category
from aceking.exact.arrays import Index
from aceking.exact.stud.counts import DealerRanks, Rank, StudCounts

#: The largest number of dead cards that one player knows beside the up-card: five in hand and one given away.
DEAD_MAX = 6

_RANKS_OF = {
    Category.FLUSH: Category.HIGH_CARD,
    Category.STRAIGHT_FLUSH: Category.STRAIGHT,
    Category.ROYAL_FLUSH: Category.STRAIGHT,
}


def change_below(suited: DealerRanks, category: Category, groups: Sequence[Rank], columns: Index) -> StudCounts:
    """Return what hands of one suit change in the number below a threshold, if `suited` counts them by their ranks.

    The change is never positive: its suit can only make a hand stronger.
    """
    high, straight = suited.all_of(Category.HIGH_CARD), suited.all_of(Category.STRAIGHT)
    match category:
        case Category.HIGH_CARD:
            return -suited.inside(category, groups, columns)
        case Category.STRAIGHT:
            return -suited.inside(category, groups, columns) - high.take(columns)
        case Category.PAIR | Category.TWO_PAIR | Category.THREE_OF_A_KIND:
            return -high.take(columns)
        case Category.FLUSH:
            return suited.inside(Category.HIGH_CARD, groups, columns) - np.take(high + straight, columns)
        case Category.FULL_HOUSE | Category.FOUR_OF_A_KIND:
            return -straight.take(columns)
        case _:
            return suited.inside(Category.STRAIGHT, groups, columns) - straight.take(columns)


def change_equal(suited: DealerRanks, category: Category, groups: Sequence[Rank], columns: Index) -> StudCounts:
    """Return what hands of one suit change in the number that tie with a threshold."""
    if category in _RANKS_OF:
        return suited.equal(_RANKS_OF[category], groups, columns)
    if category in (Category.HIGH_CARD, Category.STRAIGHT):
        return -suited.equal(category, groups, columns)
    return np.zeros(len(columns), np.int32)


class DealerSuited:
    """The dealer's hands in the up-card's suit, by the up-card's rank and the set of ranks dead in that suit."""

    def __init__(self, *, ace_low: bool, dead_max: int = DEAD_MAX) -> None:
        sets = np.arange(1 << len(RANKS))
        size = np.bitwise_count(sets)
        kept = [sets[(size <= dead_max) & (sets >> up & 1 == 0)] for up in range(len(RANKS))]
        #: The number of columns for each rank of the up-card.
        self.sets = len(kept[0])
        self._column = np.zeros((len(RANKS), len(sets)), np.intp)
        for up, own_sets in enumerate(kept):
            # The up-card itself is not dead: a set that names its rank stands for the set without it.
            self._column[up, own_sets] = self._column[up, own_sets | 1 << up] = np.arange(self.sets)
        dead = np.concatenate(kept)
        live = np.array([1 - (dead >> rank & 1) for rank in range(len(RANKS))], dtype=np.int32)
        up_ranks = np.repeat(np.arange(len(RANKS)), self.sets)
        live[up_ranks, np.arange(len(dead))] = 0  # the up-card is the only card of its rank in this suit
        self.ranks = DealerRanks(up_ranks, live, ace_low=ace_low)

    def columns(self, up: Index, dead: Index) -> Index:
        """Return the columns for up-card ranks and sets of dead ranks, given as bits."""
        return self._column.ravel().take((up << len(RANKS)) + dead) + up * self.sets

    def columns_of(self, up: int) -> tuple[Index, slice]:
        """Return the columns of one rank of the up-card: by set of dead ranks among its own, and as a slice of all."""
        return self._column[up], slice(up * self.sets, (up + 1) * self.sets)


@cache
def dealer_suited(*, ace_low: bool) -> DealerSuited:
    return DealerSuited(ace_low=ace_low)
