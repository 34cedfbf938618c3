"""The ten cards of two hands by rank: every choice of ten ranks is one column, whichever hand holds them."""

from functools import cache
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS, SUITS
from aceking.exact.arrays import Index
from aceking.exact.stud.counts import StudCounts

_HAND = 5
#: The ranks are split in two, so that two small tables lead from two hands to their column.
_LOW = 7
# The sum of two hands may have more than four cards of a rank; such a sum has no column.
_BASE = 2 * len(SUITS) + 1
_NOWHERE = -(1 << 30)


class TenRanks:
    """All choices of ten cards by rank."""

    def __init__(self) -> None:
        low, high = (_by_size(ranks) for ranks in (_LOW, len(RANKS) - _LOW))
        self._start = np.full(_BASE**_LOW, _NOWHERE, np.int32)
        self._place = np.full(_BASE ** (len(RANKS) - _LOW), _NOWHERE, np.int32)
        parts, width = [], 0
        for size, lower in low.items():
            upper = high.get(2 * _HAND - size)
            if upper is None:
                continue
            self._start[_key(lower)] = width + len(upper) * np.arange(len(lower))
            self._place[_key(upper)] = np.arange(len(upper))
            parts.append(np.hstack([np.repeat(lower, len(upper), axis=0), np.tile(upper, (len(lower), 1))]))
            width += len(parts[-1])
        #: 13 rows: how many cards of each rank are dead, a column for each choice.
        self.dead: StudCounts = np.ascontiguousarray(np.concatenate(parts).T, dtype=np.int32)
        self.width = width

    def columns(self, hands: StudCounts, others: StudCounts) -> NDArray[np.int32]:
        """Return the column for each hand (13 rows) and each other hand; negative if both cannot be dealt."""
        low = np.add.outer(_key(hands[:_LOW].T), _key(others[:_LOW].T))
        high = np.add.outer(_key(hands[_LOW:].T), _key(others[_LOW:].T))
        return np.asarray(self._start.take(low) + self._place.take(high))


@cache
def ten_ranks() -> TenRanks:
    return TenRanks()


def _by_size(ranks: int) -> dict[int, NDArray[np.int32]]:
    """Return the ways to hold cards of `ranks` ranks, at most four of each, by their number; a row each."""
    chosen = sorted(product(range(len(SUITS) + 1), repeat=ranks), key=sum)
    return {size: np.array(list(each), np.int32) for size, each in groupby(chosen, key=sum)}


def _key(held: NDArray[np.int32]) -> Index:
    """Return a number for each row."""
    return held.astype(np.intp) @ _BASE ** np.arange(held.shape[1])
