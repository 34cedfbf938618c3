"""The dealer's hands against a hand that was exchanged: counts that hold for all pays and are made once.

After the draw the player knows six cards beside the up-card: the five in hand and the one given up. The dealer's hole
cards are any four of the other 45. By ranks alone their number depends on the six dead ranks, the new hand and the
up-card (`aceking.exact.stud.counts`). Suits change it according to the ranks that are dead in the up-card's suit, as
before the draw.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import comb
from types import EllipsisType

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import cores
from aceking.cards.card import RANKS
from aceking.cards.hand import Category, HandRank
from aceking.exact.arrays import Index
from aceking.exact.exchange.hands import changes
from aceking.exact.stud.counts import DealerRanks, StudCounts
from aceking.exact.stud.hands import Block, blocks
from aceking.exact.stud.play import NetNumbers
from aceking.exact.stud.rows import FLUSHES
from aceking.exact.stud.suited import change_below, change_equal, dealer_suited

#: Cards that a player may draw: all that they have not seen.
DRAWS = 46
#: Cards that may be drawn if the dealer's hand is known as well.
STUB = 42
#: The dealer's hands after the draw.
DEALER_HANDS_AFTER = comb(45, 4)

#: An index into the arrays of counts.
CountIndex = slice | tuple[slice | EllipsisType, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DrawPart:
    """Hands of one category on one side of the qualifier, and their places among all hands."""

    block: Block
    plays: bool
    places: slice


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """Numbers of dealer's hands, or changes in them: unqualified, below the player's hand, equal to it."""

    unqualified: NetNumbers
    below: NetNumbers
    equal: NetNumbers

    def __iter__(self) -> Iterator[NetNumbers]:
        return iter((self.unqualified, self.below, self.equal))

    def __getitem__(self, at: CountIndex) -> "Counted":
        return Counted(*(count[at] for count in self))

    def sums(self, number: NDArray[np.int64]) -> list[int]:
        """Return the sum of each count, weighted by `number`."""
        return [int((number * count).sum()) for count in self]


@dataclass(frozen=True, slots=True, eq=False)
class UpCounts:
    """The counts for one rank of the up-card."""

    up: int
    mixed: Counted  # by the rank given up and the new hand, without suits
    column: Index  # by set of ranks that are dead in the up-card's suit
    change: Counted  # what suits change in `mixed`, by the code of the new hand and that column
    # By suit (1: the up-card's), whether the card given up was of the up-card's suit, its rank, and the new hand:
    flush: Counted


class ExchangeCounts:
    """All counts after an exchange, for one qualifier and one rule about the ace."""

    def __init__(self, qualifier: HandRank, *, ace_low: bool) -> None:
        self.changes = changes(ace_low=ace_low)
        self._qualifier = qualifier.category, qualifier.ranks
        self._ace_low = ace_low
        self._suited = dealer_suited(ace_low=ace_low)
        every = blocks(ace_low=ace_low)
        #: Hands that are not of one suit, in the order of `Changes.hands`.
        self.mixed = _parts([block for block in every if block.category not in FLUSHES], qualifier)
        #: Hands of one suit, in the order of `Changes.of_one_suit`.
        self.flushes = _parts([block for block in every if block.category in FLUSHES], qualifier)
        #: By hand: the code under which its changes by suit are stored. In most categories they are the same for all
        #: hands; for a straight they depend on its top, for a high card that plays on all its ranks.
        self.code = np.empty(self.changes.hands.shape[1], np.intp)
        self._codes = 0
        for part in self.mixed:
            single = part.plays and part.block.category in (Category.HIGH_CARD, Category.STRAIGHT)
            self.code[part.places] = self._codes + (np.arange(len(part.block)) if single else 0)
            self._codes += len(part.block) if single else 1
        with ThreadPoolExecutor(cores()) as pool:  # numpy releases the interpreter lock while it computes
            self.ups = tuple(pool.map(self._count, range(len(RANKS))))

    def _count(self, up: int) -> UpCounts:
        sixes = self.changes.sixes
        live = 4 - sixes
        live[up] = np.maximum(live[up] - 1, 0)  # if all four of the up-card's rank are dead, there is no state
        dealer = DealerRanks(np.full(sixes.shape[1], up), live, ace_low=self._ace_low)
        unqualified = dealer.below(*self._qualifier, np.arange(sixes.shape[1]))
        column, _ = self._suited.columns_of(up)
        change = self._count_changes(up)
        flush = self._count_flushes(up, unqualified, dealer.under(Category.FLUSH), change.unqualified[0])
        return UpCounts(up, self._count_mixed(dealer, unqualified), column, change, flush)

    def _count_mixed(self, dealer: DealerRanks, unqualified: StudCounts) -> Counted:
        dead = self.changes.dead
        by_hand = unqualified.take(dead)
        below, equal = by_hand.copy(), np.zeros_like(by_hand)
        for part in self.mixed:
            if part.plays:
                columns = dead[:, part.places]
                hands = part.block.category, tuple(np.tile(group, len(RANKS)) for group in part.block.groups)
                below[:, part.places] = dealer.below(*hands, columns.ravel()).reshape(columns.shape)
                equal[:, part.places] = dealer.equal(*hands, columns.ravel()).reshape(columns.shape)
        return Counted(by_hand, below, equal)

    def _count_changes(self, up: int) -> Counted:
        """Return what suits change. For a hand with a code of its own, only sets that can be dead are filled in."""
        ranks, (column, own_columns) = self._suited.ranks, self._suited.columns_of(up)
        every = np.arange(own_columns.start, own_columns.stop)
        unqualified = change_below(ranks, *self._qualifier, every)
        below, equal = np.zeros((2, self._codes, len(every)), np.int16)
        for part in self.mixed:
            code, category = self.code[part.places], part.block.category
            if not part.plays:
                below[code] = unqualified
            elif code[0] == code[-1]:
                below[code[0]] = change_below(ranks, category, [int(group[0]) for group in part.block.groups], every)
            else:
                dead = column.take(_dead_sets(part.block))
                groups = [np.broadcast_to(group, dead.shape).ravel() for group in part.block.groups]
                at = dead.ravel() + own_columns.start
                below[code, dead] = change_below(ranks, category, groups, at).reshape(dead.shape)
                equal[code, dead] = change_equal(ranks, category, groups, at).reshape(dead.shape)
        return Counted(np.broadcast_to(unqualified, below.shape), below, equal)

    def _count_flushes(self, up: int, unqualified: StudCounts, below_flush: StudCounts, change: StudCounts) -> Counted:
        """Return the counts for new hands of one suit, from those by the dead cards: unqualified, below a flush."""
        (column, own_columns), bits = self._suited.columns_of(up), 1 << np.arange(len(RANKS))
        single = np.flatnonzero(self.changes.of_one_suit >= 0)
        dead = self.changes.dead[:, single]
        # In the up-card's suit all five ranks are dead, and the rank given up too if that card was of this suit.
        ranks, given = bits @ (self.changes.hands[:, single] > 0), bits[:, None]
        sets = np.stack(
            [np.stack([0 * given + 0 * ranks, given + 0 * ranks]), np.stack([0 * given + ranks, given | ranks])]
        )
        columns = column.take(sets)
        by_rank = unqualified.take(dead)
        counted = Counted(
            by_rank + change.take(columns), np.empty(columns.shape, np.int32), np.zeros(columns.shape, np.int32)
        )
        for part in self.flushes:
            at, here = np.s_[..., part.places], columns[..., part.places]
            if not part.plays:
                counted.below[at] = counted.unqualified[at]
                continue
            groups = [np.broadcast_to(group, here.shape).ravel() for group in part.block.groups]
            changed = self._suited.ranks, part.block.category, groups, here.ravel() + own_columns.start
            # By ranks alone every hand of the dealer is below a straight flush.
            flush = part.block.category is Category.FLUSH
            below = below_flush.take(dead[:, part.places]) if flush else DEALER_HANDS_AFTER
            counted.below[at] = below + change_below(*changed).reshape(here.shape)
            counted.equal[at] = change_equal(*changed).reshape(here.shape)
        return counted


def _dead_sets(block: Block) -> Index:
    """Return the ranks that can be dead in one suit with hands of five ranks: any of these, and one more or none."""
    others = np.nonzero(block.held.T == 0)[1].reshape(len(block), -1).T
    more = np.concatenate([np.zeros((1, len(block)), np.intp), 1 << others])
    sets: Index = (block.suited[:, None] | more).reshape(-1, len(block))
    return sets


def _parts(every: list[Block], qualifier: HandRank) -> tuple[DrawPart, ...]:
    parts = []
    start = 0
    for block in every:
        split = block.first_not_below(qualifier)
        for (first, last), plays in zip(pairwise((0, split, len(block))), (False, True), strict=True):
            if first < last:
                parts.append(DrawPart(block.part(first, last), plays, slice(start + first, start + last)))
        start += len(block)
    return tuple(parts)


@lru_cache(maxsize=4)
def exchange_counts(qualifier: HandRank, *, ace_low: bool) -> ExchangeCounts:
    """Return the counts for a qualifier, cached."""
    return ExchangeCounts(qualifier, ace_low=ace_low)
