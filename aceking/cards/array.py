"""Rank an array of hands at once, by table: two cards at a time, then four, then five.

Two cards add their ranks and their common suit, if any, to a hand: 455 kinds. Two such pairs make one of 9,100 kinds of
four cards, and the fifth card gives the strength. The tables are made with the ranker for one hand (`fast`), and a test
compares them with the plain ranker (`hand`) on all 2,598,960 hands.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from itertools import combinations_with_replacement
from math import comb
from threading import local

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS, SUITS, CardError, CardId
from aceking.cards.fast import ranker

HandArray = NDArray[np.uint8]
Strengths = NDArray[np.uint16]
#: One card of each of many hands.
Column = NDArray[np.uint8]
_Index = NDArray[np.intp]

_MIXED = len(SUITS)  # the suit of cards that are not all of one suit
_SUIT_KINDS = len(SUITS) + 1
_PAIRS = comb(len(RANKS) + 1, 2)
_FOURS = comb(len(RANKS) + 3, 4)
_PAIR_KINDS = _PAIRS * _SUIT_KINDS
# A chunk's work arrays stay in the cache of one core.
_CHUNK = 1 << 15
# With fewer hands than this, one thread is faster than several.
_ALONE = 1 << 17


def strengths(hands: HandArray, *, ace_low: bool = True) -> Strengths:
    """Return the strength of each row of five different cards, as `Ranker.strength` does. Raises CardError."""
    if hands.dtype != np.uint8 or hands.ndim != 2 or hands.shape[1] != 5:
        raise CardError(f"an array of hands is of uint8 and has five columns, not {hands.dtype} and {hands.shape}")
    hands = np.ascontiguousarray(hands)
    if hands.size and hands.max() >= len(RANKS) * len(SUITS):
        raise CardError(f"there is no card {hands.max()}; a card is a number from 0 to 51")
    found = np.empty(len(hands), np.uint16)
    tables = _tables(ace_low=ace_low)
    if len(hands) < _ALONE:
        tables.rank(hands, found)
        return found
    share = -(-len(hands) // cores())
    parts = [slice(start, start + share) for start in range(0, len(hands), share)]
    with ThreadPoolExecutor(len(parts)) as pool:  # numpy releases the GIL during look-ups
        list(pool.map(lambda part: tables.rank(hands[part], found[part]), parts))
    return found


class ColumnRanker:
    """Ranks hands given as five columns, in the calling thread: for a program that deals by columns.

    Suits are ignored at first, so that the tables fit in the fastest cache of the processor: four ranks give their
    kind, the fifth gives the strength. The few hands of one suit are then ranked by `strengths`.
    """

    def __init__(self, hands: int, *, ace_low: bool) -> None:
        """`hands` is the largest number of hands per call."""
        self._hands, self._ace_low = hands, ace_low
        self._four, self._five = _rank_tables(ace_low=ace_low)
        self._own = _WorkArrays(hands)

    def __reduce__(self) -> tuple[Callable[..., "ColumnRanker"], tuple[int]]:
        # Another process builds the tables itself.
        return partial(ColumnRanker, ace_low=self._ace_low), (self._hands,)

    def __call__(self, columns: Sequence[Column] | HandArray) -> Strengths:
        """Return the strength of each hand, as `strengths` does. The cards must be different; this is not checked."""
        one, two, three, four, five = columns
        number = len(one)
        found = np.empty(number, np.uint16)
        first, second, suits, other = self._own.cards[:, :number]
        kinds, index = self._own.kinds[:number], self._own.index[:number]
        for pair, high, low in ((first, one, two), (second, three, four)):
            np.left_shift(high >> 2, 4, out=pair)
            np.right_shift(low, 2, out=other)
            pair |= other
        kinds[:] = first  # uint16 until the look-up: numpy indexes with eight bytes, but computes more slowly with them
        kinds <<= 8
        kinds |= second
        index[:] = kinds
        self._four.take(index, out=kinds, mode="wrap")  # mode="wrap" avoids a copy; every index is in range
        np.right_shift(five, 2, out=other)
        kinds += other
        index[:] = kinds
        self._five.take(index, out=found, mode="wrap")
        np.bitwise_xor(one, two, out=suits)
        for column in (three, four, five):
            np.bitwise_xor(one, column, out=other)
            suits |= other
        suits &= len(SUITS) - 1
        flushes = np.flatnonzero(suits == 0)
        found[flushes] = strengths(np.stack([column[flushes] for column in columns], axis=1), ace_low=self._ace_low)
        return found


class _WorkArrays(local):
    """Work arrays of each thread: a worker of a cluster plays several jobs of one game at once."""

    def __init__(self, hands: int) -> None:
        self.cards = np.empty((4, hands), np.uint8)
        self.kinds = np.empty(hands, np.uint16)
        self.index = np.empty(hands, np.intp)


@cache
def _rank_tables(*, ace_low: bool) -> tuple[NDArray[np.uint16], Strengths]:
    """Two tables: four ranks of four bits each to their kind times 13; that plus the fifth rank to a strength."""
    plain, _ = _strengths_by_rank(ace_low=ace_low)
    bits = np.minimum(np.arange(1 << 16) >> np.array([[12], [8], [4], [0]]) & 15, len(RANKS) - 1)
    fours = np.array(list(_by_place(4))).T
    every = np.concatenate([np.repeat(fours, len(RANKS), axis=1), np.tile(np.arange(len(RANKS)), _FOURS)[None]])
    return (_place(bits) * len(RANKS)).astype(np.uint16), plain[_place(every)]


def cores() -> int:
    """Return the number of processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Tables:
    """Look-up tables: from two cards to their kind, from two kinds to that of four cards, from there to a strength."""

    def __init__(self, *, ace_low: bool) -> None:
        self._first, self._second = _pair_tables()
        self._four = _four_table()
        self._five = _five_table(ace_low=ace_low)

    def rank(self, hands: HandArray, found: Strengths) -> None:
        work = np.empty((3, _CHUNK), np.intp)
        for start in range(0, len(hands), _CHUNK):
            chunk = hands[start : start + _CHUNK]
            self._rank_chunk(chunk, work[:, : len(chunk)], found[start : start + len(chunk)])

    def _rank_chunk(self, hands: HandArray, work: _Index, found: Strengths) -> None:
        cards, kinds, others = work
        # mode="wrap" avoids a copy; every index is in range.
        cards[:] = _two_bytes(hands, place=0)
        self._first.take(cards, out=kinds, mode="wrap")
        cards[:] = _two_bytes(hands, place=2)
        self._second.take(cards, out=others, mode="wrap")
        kinds += others
        self._four.take(kinds, out=others, mode="wrap")
        others += hands[:, 4]
        self._five.take(others, out=found, mode="wrap")


def _two_bytes(hands: HandArray, *, place: int) -> NDArray[np.uint16]:
    """Two neighbouring cards of each hand as one number, without a copy."""
    return np.ndarray(len(hands), dtype=np.uint16, buffer=hands, offset=place, strides=(5,))


def _pair_tables() -> tuple[_Index, _Index]:
    """The kind of any two cards, as the row and as the column of the next table."""
    cards = np.arange(len(RANKS) * len(SUITS))
    one, other = np.meshgrid(cards, cards, indexing="ij")
    ranks = _place(np.stack([one >> 2, other >> 2]))
    suits = np.where(one & 3 == other & 3, one & 3, _MIXED)
    kinds = np.zeros((256, 256), np.intp)
    kinds[: len(cards), : len(cards)] = ranks * _SUIT_KINDS + suits
    # Two cards make the same kind in either order, so it does not matter which byte comes first in a number.
    return (kinds * _PAIR_KINDS).ravel(), kinds.ravel()


def _four_table() -> _Index:
    """The kind of four cards from the kinds of two pairs, times 52."""
    pairs = np.array(list(_by_place(2))).T
    ranks = _place(np.concatenate([np.repeat(pairs, _PAIRS, axis=1), np.tile(pairs, _PAIRS)])).reshape(_PAIRS, _PAIRS)
    suit = np.arange(_SUIT_KINDS)
    suits = np.where(suit[:, None] == suit, suit, _MIXED)
    kinds = ranks[:, None, :, None] * _SUIT_KINDS + suits[None, :, None, :]
    return (kinds * len(RANKS) * len(SUITS)).ravel()


def _five_table(*, ace_low: bool) -> Strengths:
    """The strength from the kind of four cards and the fifth card."""
    plain, flush = _strengths_by_rank(ace_low=ace_low)
    fours = np.array(list(_by_place(4))).T
    ranks = _place(np.concatenate([np.repeat(fours, len(RANKS), axis=1), np.tile(np.arange(len(RANKS)), _FOURS)[None]]))
    ranks = ranks.reshape(_FOURS, 1, len(RANKS), 1)
    same = np.arange(_SUIT_KINDS)[:, None] == np.arange(len(SUITS))
    return np.where(same[None, :, None, :], flush[ranks], plain[ranks]).ravel()


def _strengths_by_rank(*, ace_low: bool) -> tuple[Strengths, Strengths]:
    """The strength of five ranks, in mixed suits and in one suit; 0 if no such hand exists."""
    fast = ranker(ace_low=ace_low)
    plain, flush = np.zeros((2, comb(len(RANKS) + 4, 5)), np.uint16)
    for place, ranks in enumerate(_by_place(5)):
        if ranks[0] != ranks[4]:
            # Equal ranks are neighbours, so suits in turn make them different cards; five in turn are never a flush.
            plain[place] = fast.strength([CardId(4 * rank + suit % 4) for suit, rank in enumerate(ranks)])
        if len(set(ranks)) == 5:
            flush[place] = fast.strength([CardId(4 * rank) for rank in ranks])
    return plain, flush


def _by_place(cards: int) -> list[tuple[int, ...]]:
    """Return all choices of N ranks, in the order of their combinatorial numbers."""
    return sorted(combinations_with_replacement(range(len(RANKS)), cards), key=lambda ranks: ranks[::-1])


def _place(ranks: _Index) -> _Index:
    """Return the combinatorial number of each column's ranks: their place in `_by_place`."""
    rising = np.sort(ranks, axis=0)
    table = np.array([[comb(rank + step, step + 1) for rank in range(len(RANKS))] for step in range(len(ranks))])
    return np.asarray(sum(table[step][rising[step]] for step in range(len(ranks))))


@cache
def _tables(*, ace_low: bool) -> _Tables:
    return _Tables(ace_low=ace_low)
