"""Suits of two hands whose ranks are known: the ways to choose them, and what they change for the dealer.

The dealer can have a flush in the up-card's suit only, and which flushes are left depends on the ranks that are dead
in that suit. If one hand has h cards of a rank and the other g, the card of that rank in the up-card's suit is dead in
h + g of four ways, and the ranks are independent of each other: ways multiply. If the first hand is of one suit, the
same holds with other fractions: in the up-card's suit, its ranks are certainly dead; in another suit, the g cards are
of three suits. A hand that is not a flush can have any suits except these two cases.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS, SUITS
from aceking.cards.hand import Category
from aceking.exact.arrays import Index
from aceking.exact.stud.counts import StudCounts
from aceking.exact.stud.rows import FLUSHES

Ways = NDArray[np.int64]

_SUITS = len(SUITS)
#: Patterns that are opened at once.
_PATTERNS = 1 << 16
_SHAPE = (_SUITS + 1, _SUITS + 1)


@dataclass(frozen=True, slots=True, eq=False)
class SuitPatterns:
    """The suits that the first of two hands may have. The tables are by its cards of a rank, and by the other's."""

    ways: Ways  # to give suits to the cards of a rank
    ways_up: Ways  # to give suits to the cards of the up-card's rank
    live: StudCounts  # of `parts` equal shares of the ways, those in which no hand holds the card of the up-card's suit
    dead: StudCounts  # those in which one of the hands does
    parts: int

    def number(self, up: int, own: StudCounts, others: StudCounts) -> Ways:
        """Return the ways to give suits to both hands (13 rows of ranks each), for one given suit of the up-card."""
        ways: Ways = self.ways_up[own[up], others[up]]
        for rank in range(len(RANKS)):
            if rank != up:
                ways = ways * self.ways[own[rank], others[rank]]
        return ways


def _any() -> SuitPatterns:
    ways, ways_up, live, dead = (np.zeros(_SHAPE, np.int64) for _ in range(4))
    for own in range(_SUITS + 1):
        for others in range(_SUITS + 1 - own):
            ways[own, others] = comb(_SUITS, own) * comb(_SUITS - own, others)
            ways_up[own, others] = comb(_SUITS - 1, own) * comb(max(_SUITS - 1 - own, 0), others)
            live[own, others], dead[own, others] = _SUITS - own - others, own + others
    return SuitPatterns(ways, ways_up, live.astype(np.int32), dead.astype(np.int32), _SUITS)


def _one_suit(*, of_up: bool) -> SuitPatterns:
    """All five cards of the up-card's suit, or of one of the three others."""
    parts = _SUITS if of_up else _SUITS * (_SUITS - 1)
    ways, ways_up, live, dead = (np.zeros(_SHAPE, np.int64) for _ in range(4))
    for others in range(_SUITS + 1):
        ways[0, others], ways[1, others] = comb(_SUITS, others), comb(_SUITS - 1, others)
        # No hand holds the up-card, so a hand of its suit has no card of its rank.
        ways_up[0, others], ways_up[1, others] = comb(_SUITS - 1, others), 0 if of_up else comb(_SUITS - 2, others)
        live[0, others], dead[0, others] = (parts // _SUITS * each for each in (_SUITS - others, others))
        if of_up:
            dead[1, others] = parts
        elif others < _SUITS:
            live[1, others], dead[1, others] = (parts // (_SUITS - 1) * each for each in (_SUITS - 1 - others, others))
    return SuitPatterns(ways, ways_up, live.astype(np.int32), dead.astype(np.int32), parts)


ANY, OF_UP, OF_ANOTHER = _any(), _one_suit(of_up=True), _one_suit(of_up=False)


def suits_of(category: Category) -> tuple[tuple[SuitPatterns, int], ...]:
    """Return the suits of hands of a category, each with the number of times it is counted."""
    if category in FLUSHES:
        return (OF_UP, 1), (OF_ANOTHER, _SUITS - 1)
    if category in (Category.HIGH_CARD, Category.STRAIGHT):
        return (ANY, 1), (OF_UP, -1), (OF_ANOTHER, 1 - _SUITS)
    return ((ANY, 1),)


def opened(
    suits: SuitPatterns, up: int, own: StudCounts, others: StudCounts, number: Ways
) -> Iterator[tuple[Index, Index, NDArray[np.int64]]]:
    """Yield all sets of ranks that can be dead in the up-card's suit: the pair of hands, the set as bits, and its ways.

    `number` is the ways to give suits to each pair of hands; they are divided among the sets of the pair.
    """
    live, dead = suits.live[own, others], suits.dead[own, others]
    live[up], dead[up] = suits.parts, 0  # the up-card is seen; its rank is never dead in its own suit
    certain = np.zeros(len(number), np.intp)
    for rank in range(len(RANKS)):
        certain |= (live[rank] == 0).astype(np.intp) << rank
    free = (live > 0) & (dead > 0)
    open_ranks = free.sum(axis=0)
    for count in np.unique(open_ranks):
        every = np.flatnonzero(open_ranks == count)
        step = max(1, _PATTERNS >> int(count))
        for start in range(0, len(every), step):
            at = every[start : start + step]
            ranks = np.argsort(~free[:, at], axis=0, kind="stable")[:count]
            sets, ways = certain[at][None], number[at][None]
            for rank in ranks:
                bit = np.left_shift(1, rank)
                sets = np.concatenate([sets, sets | bit])
                ways = np.concatenate([ways * live[rank, at], ways * dead[rank, at]])
            divided, rest = np.divmod(ways, suits.parts ** int(count))
            assert not rest.any(), "every pattern comes in a whole number of ways"
            yield np.broadcast_to(at, sets.shape).ravel(), sets.ravel(), divided.ravel()
