"""Sets of cards by number: a row of all sets of one size, the place of a set in it, and sets that differ in suits only.

The row is ordered by the highest card, then by the next. So a set's place is a sum of binomial coefficients, and the
sets below a given card are the first ones of the row.
"""

from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.exact.community.kinds import WholeNumbers

DECK = 52
_SUITS = 4
#: By size and card: how many sets of that size are below the card.
_BELOW = np.array([[comb(card, size) for card in range(DECK)] for size in range(6)])

CardArray = NDArray[np.uint8]


@cache
def subsets(size: int) -> CardArray:
    """Return all sets of `size` cards, a row of rising cards each."""
    if size == 0:
        return np.zeros((1, 0), np.uint8)
    smaller = subsets(size - 1)
    parts = []
    for top in range(DECK):
        below = smaller[: comb(top, size - 1)]
        parts.append(np.column_stack([below, np.full(len(below), top, np.uint8)]))
    return np.concatenate(parts)


def place(cards: CardArray | WholeNumbers) -> WholeNumbers:
    """Return the place of each row of rising cards among all sets of that size."""
    total: WholeNumbers = np.zeros(len(cards), np.int64)
    for number, column in enumerate(cards.T, start=1):
        total += _BELOW[number][column]
    return total


def _ranks_by_suit(cards: CardArray | WholeNumbers) -> WholeNumbers:
    """Return the ranks that a hand holds in each suit, as bits."""
    held = np.zeros((len(cards), _SUITS), np.int64)
    for column in cards.T:
        held[np.arange(len(cards)), column & 3] |= 1 << (column >> 2).astype(np.int64)
    return held


def classes(size: int) -> tuple[WholeNumbers, WholeNumbers]:
    """Return one hand of each class of hands that differ only in the names of suits, and how many hands it stands for.

    It is the hand whose suits, read as numbers, do not rise. Of the 24 ways to name the suits, exactly those leave the
    hand as it is that exchange suits which hold the same ranks, or none at all.
    """
    every = subsets(size)
    held = _ranks_by_suit(every)
    chosen = (held[:, :-1] >= held[:, 1:]).all(axis=1)
    held = held[chosen]
    same = held[:, :-1] == held[:, 1:]
    # A run of n equal suits can be named in n! ways.
    ways, run = np.full(len(held), 24), np.ones(len(held), np.int64)
    for column in same.T:
        run = np.where(column, run + 1, 1)
        ways //= run
    return every[chosen].astype(np.int64), ways


def renamed(cards: CardArray | WholeNumbers) -> tuple[WholeNumbers, WholeNumbers]:
    """Return the hand of `classes` for each row of cards in any order, and the source column of each of its cards."""
    order = np.argsort(-_ranks_by_suit(cards), axis=1, kind="stable")
    names = np.argsort(order, axis=1)
    other = (cards & ~np.uint8(3)).astype(np.int64) | np.take_along_axis(names, (cards & 3).astype(np.int64), axis=1)
    source = np.argsort(other, axis=1)
    return np.take_along_axis(other, source, axis=1), source
