"""Every state of a stud book as one table, for strategies: the best play, and what another one costs.

A row of the table is all states with the same ranks in hand, the same ranks in the up-card's suit and the same rank of
the up-card: about 1.1 million rows stand for 122,151,120 states.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import HandArray, Strengths, strengths
from aceking.cards.card import RANKS
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank
from aceking.exact.arrays import Amounts, Index, Mask
from aceking.exact.figures import Edge
from aceking.exact.stud.counts import StudCounts
from aceking.exact.stud.hands import Block
from aceking.exact.stud.money import StudNets, common_denominator, nets
from aceking.exact.stud.play import StudResults, Worth, figures
from aceking.exact.stud.rows import DEALER_HANDS, FLUSHES, STATES, UP_SUITS, RowSpan, StudRows, stud_rows
from aceking.rules.book import Book

_UP_SUIT = 3  # the suit that stands for the up-card's in the examples


@dataclass(frozen=True, eq=False)
class States:
    """All states of a book; every array has one entry for each row."""

    book: Book
    hands: HandArray  # five cards, an example of each row
    ups: NDArray[np.uint8]  # and its up-card
    categories: NDArray[np.uint8]
    number: Amounts  # states in the row
    unqualified: StudCounts  # dealer's hands that do not qualify
    below: StudCounts  # dealer's hands below the player's, including those that do not qualify
    equal: StudCounts  # dealer's hands equal to the player's
    bets: Amounts  # the value of betting, times `unit`
    unit: int

    @property
    def fold(self) -> int:
        """The value of folding, times `unit`."""
        return int(nets(self.book).fold * self.unit)

    @cached_property
    def best(self) -> Mask:
        """The rows in which a bet is worth more than folding."""
        return self.bets > self.fold

    @cached_property
    def strengths(self) -> Strengths:
        """The place of each hand among all kinds of hands."""
        return strengths(self.hands, ace_low=self.book.hands.ace_low)

    def not_below(self, threshold: HandRank) -> Mask:
        """Return the rows whose hands are not below the threshold."""
        place = bisect_left(ranker(ace_low=self.book.hands.ace_low).ranks, threshold)
        return self.strengths >= place

    @property
    def match_up(self) -> Mask:
        """The rows whose hands hold a card of the up-card's rank."""
        return np.asarray((self.hands >> 2 == self.ups[:, None] >> 2).any(axis=1))

    def add_bets(self, results: StudResults, money: StudNets, bets: Mask) -> int:
        """Add the deals of a bet in these rows, with these net results; return the number of states."""
        for rows, category, nets_ in self.kinds(money):
            # Below the qualifier the hands below the player's are the unqualified ones, so nothing is won there.
            ways = np.where(bets & rows, self.number, 0)
            results.add_bets(
                nets_,
                category,
                deals=int(ways.sum()) * DEALER_HANDS,
                unqualified=int(ways @ self.unqualified),
                below=int(ways @ self.below),
                equal=int(ways @ self.equal),
            )
        return int(self.number[bets].sum())

    def kinds(self, money: StudNets) -> Iterator[tuple[Mask, Category, StudNets]]:
        """Yield the rows of each category with their results, in parts if the results change within it."""
        for category in Category:
            rows = self.categories == category
            cuts = [cut for cut in money.cuts if cut.category is category]
            for first, end in pairwise((None, *cuts, None)):
                part = rows if first is None else rows & self.not_below(first)
                part = part if end is None else part & ~self.not_below(end)
                yield part, category, money if first is None else money.at(first)

    def edge(self, bets: Mask) -> Edge:
        """Return the figures of a given strategy: bet in these rows, fold in all others."""
        results = StudResults()
        money = nets(self.book)
        number = self.add_bets(results, money, bets)
        results.add_folds(money, (STATES - number) * DEALER_HANDS)
        decisions = {"fold": STATES - number, "bet": number}
        return figures(self.book, results, deals=STATES * DEALER_HANDS, decisions=decisions)


def states(book: Book) -> States:
    """Return all states of a book, weakest hands first."""
    assert book.dealer is not None, f"{book.id} has no dealer's hand"
    table = stud_rows(book.dealer.qualifies_with, book.dealer.qualifies_too, ace_low=book.hands.ace_low)
    money = nets(book)
    scale = common_denominator(money)
    parts = [
        _open(table, part, money.at(part.block.weakest), scale=scale)
        for rows in table.all
        for part in rows.cut(money.cuts)
    ]
    hands, ups, categories, number, unqualified, below, equal, bets = (
        np.concatenate(part) for part in zip(*parts, strict=True)
    )
    unit = DEALER_HANDS * scale
    return States(book, hands, ups, categories, number, unqualified, below, equal, bets, unit)


def _open(table: StudRows, rows: RowSpan, money: StudNets, *, scale: int) -> tuple[NDArray[np.integer], ...]:
    """Return the states of one block, as the columns of `States`."""
    ups, columns = np.divmod(np.arange(len(RANKS) * len(rows.block)), len(rows.block))
    opened = table.open(rows, ups, columns)
    patterns, at = np.nonzero(opened.states)
    counts = [count[patterns, at] for count in (opened.unqualified, opened.below, opened.equal)]
    worth = Worth.of(money, rows.block.category, plays=rows.plays, hands=DEALER_HANDS, scale=scale)
    return (
        _examples(rows.block, columns[at], opened.suited[patterns, at]),
        (4 * ups[at] + _UP_SUIT).astype(np.uint8),
        np.full(len(at), rows.block.category, np.uint8),
        UP_SUITS * opened.states[patterns, at].astype(np.int64),
        *counts,
        worth(*counts),
    )


def _examples(block: Block, columns: Index, suited: Index) -> HandArray:
    """Return a hand with the ranks of each column and with the suited ranks in the up-card's suit."""
    every = np.tile(np.arange(len(RANKS), dtype=np.int8), len(block))
    ranks = np.repeat(every, block.held.T.ravel()).reshape(len(block), 5)[columns]
    # The other suits rotate: cards of one rank are neighbours and differ, and five cards are never of one suit.
    suits = np.broadcast_to(np.arange(5, dtype=np.int8) % _UP_SUIT, ranks.shape)
    if block.category in FLUSHES:
        suits = np.zeros_like(ranks)
    first = np.diff(ranks, axis=1, prepend=np.int8(-1)) != 0
    in_suit = first & (suited.astype(np.int16)[:, None] >> ranks & 1 == 1)
    return (4 * ranks + np.where(in_suit, np.int8(_UP_SUIT), suits)).astype(np.uint8)
