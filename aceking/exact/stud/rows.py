"""The counts behind every stud book with a qualifying dealer: they hold for all pays and are made once.

A state is what a player knows when they decide: their five cards and the dealer's up-card. For each state the 163,185
hands that the dealer may have are divided by two thresholds, the qualifier and the player's hand. A row is all states
with the same ranks in hand and the same rank of the up-card. Inside a row only suits differ, and they change the counts
by the few dealer's hands that are all of the up-card's suit: the more cards of that suit the player holds, the fewer
of those are left. So the counts of all states of a row lie between those of a player who holds no card of the suit and
those of one who holds all their ranks in it. That decides most rows at once; the rest are opened into suit patterns.

The sum over all states of a row needs no opening either. Let the suits of both hands run over all choices: given the
ranks, all suits of a hole card are equally likely, so one in 4**4 of the dealer's hands with five different ranks is
of one suit.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import comb, prod

import numpy as np

from aceking.cards.card import RANKS
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank
from aceking.exact.arrays import Index
from aceking.exact.stud.counts import DealerRanks, StudCounts
from aceking.exact.stud.hands import Block, blocks
from aceking.exact.stud.suited import DealerSuited, change_below, change_equal, dealer_suited
from aceking.rules.qualifier import ANY_HAND, Alike, Qualifier, qualifier

#: The dealer's hands, for each hand and up-card of a player.
DEALER_HANDS = comb(46, 4)
#: What a player may see: their five cards, and the dealer's up-card.
STATES = comb(52, 5) * 47
#: The suits of the up-card, which are all alike.
UP_SUITS = 4

#: The categories of hands that are of one suit.
FLUSHES = (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
_MIXED = (Category.HIGH_CARD, Category.STRAIGHT)
_BARE_FLUSHES = 3  # a flush of one of the suits that are not the up-card's

_Change = Callable[[DealerRanks, Index], StudCounts]
#: A number of dealer's hands: the numbers below some thresholds, each added or subtracted.
RowLimits = tuple[tuple[int, HandRank], ...]


@dataclass(frozen=True, slots=True, eq=False)
class RowTally:
    """A number of dealer's hands, by the up-card's rank (first axis) and the choice of ranks in hand (second axis)."""

    by_rank: StudCounts  # without suits
    bare: StudCounts  # if the player holds no card of the up-card's suit
    full: StudCounts  # if the player holds all their ranks in it
    total: StudCounts  # over all states of the row, for one suit of the up-card

    def part(self, cut: slice) -> "RowTally":
        return RowTally(self.by_rank[:, cut], self.bare[:, cut], self.full[:, cut], self.total[:, cut])


@dataclass(frozen=True, slots=True)
class RowPart:
    """A range of all hands, and how the dealer's hands that count as below it are counted.

    Ranges of hands that qualify and that do not alternate. Below a player's hand count all hands that do not qualify,
    wherever they are, and those that qualify and are weaker. So the gaps above the range are added to the hands below
    it. If the range itself does not qualify, all of it counts as below, and nothing ties.
    """

    first: HandRank | None  # None: the weakest hand
    end: HandRank | None  # None: beyond the strongest
    plays: bool  # some weaker hands may qualify; else nothing is won here, and nothing ties
    ties: bool  # the range qualifies
    more: RowLimits  # hands that count as below besides those weaker than the player's; all of them if nothing ties


@dataclass(frozen=True, slots=True, eq=False)
class RowSpan:
    """All rows of one block: the dealer's hands that do not qualify, are below the player's, and are equal to it."""

    block: Block
    part: RowPart
    states: StudCounts  # in each row, for one suit of the up-card
    unqualified: RowTally
    below: RowTally
    equal: RowTally

    @property
    def plays(self) -> bool:
        """Whether something may be won here."""
        return self.part.plays

    def cut(self, hands: Iterable[HandRank]) -> "Iterator[RowSpan]":
        """Yield the rows in parts that begin at these hands, as far as these are within the block."""
        places = {self.block.first_not_below(hand) for hand in hands}
        limits = sorted({0, len(self.block), *places})
        for start, stop in pairwise(limits):
            yield self if stop - start == len(self.block) else self._columns(start, stop)

    def _columns(self, start: int, stop: int) -> "RowSpan":
        cut = slice(start, stop)
        tallies = (tally.part(cut) for tally in (self.unqualified, self.below, self.equal))
        return RowSpan(self.block.part(start, stop), self.part, self.states[:, cut], *tallies)


@dataclass(frozen=True, slots=True, eq=False)
class OpenedRows:
    """Rows opened into suit patterns (first axis): the counts of every state."""

    suited: Index  # the ranks held in the up-card's suit, as bits
    states: StudCounts  # for one suit of the up-card
    unqualified: StudCounts
    below: StudCounts
    equal: StudCounts


class StudRows:
    """The rows of all hands, for one qualifier and one rule about the ace."""

    def __init__(self, weakest: HandRank, too: tuple[Alike, ...] | None, *, ace_low: bool) -> None:
        self._ace_low = ace_low
        self._suited = dealer_suited(ace_low=ace_low)
        gaps = _gaps(qualifier(weakest, too, ace_low=ace_low), ace_low=ace_low)
        self._gaps = _within(gaps)
        every = np.arange(self._suited.ranks.width)
        parts = _parts(gaps)
        self._unqualified = _change(self._suited.ranks, self._gaps, every)
        self._more = {part: _change(self._suited.ranks, part.more, every) for part in parts if part.more}
        self.all = tuple(self._rows(parts))

    def open(self, rows: RowSpan, ups: Index, columns: Index) -> OpenedRows:
        """Open the rows given by the up-card's rank and the column into all suit patterns."""
        suited = rows.block.suited[:, columns]
        states = np.where(suited >> ups & 1, 0, rows.block.ways[:, None])  # nobody holds the up-card
        each = (
            np.broadcast_to(ups, suited.shape).ravel(),
            np.broadcast_to(columns, suited.shape).ravel(),
            suited.ravel(),
        )
        return OpenedRows(suited, states, *(count.reshape(suited.shape) for count in self.counts(rows, *each)))

    def counts(
        self, rows: RowSpan, ups: Index, columns: Index, suited: Index
    ) -> tuple[StudCounts, StudCounts, StudCounts]:
        """Return the dealer's hands that do not qualify, are below the player's, and equal it, for each state."""
        block, ranks = rows.block, self._suited.ranks
        at = self._suited.columns(ups, suited)
        unqualified = rows.unqualified.by_rank[ups, columns] + self._unqualified.take(at)
        if not rows.plays:
            return unqualified, unqualified, np.zeros_like(unqualified)
        below = rows.below.by_rank[ups, columns]
        if rows.part.more:
            below = below + self._more[rows.part].take(at)
        if not rows.part.ties:
            return unqualified, below, np.zeros_like(unqualified)
        groups = tuple(group[columns] for group in block.groups)
        below = below + change_below(ranks, block.category, groups, at)
        equal = rows.equal.by_rank[ups, columns] + change_equal(ranks, block.category, groups, at)
        return unqualified, below, equal

    def _rows(self, parts: tuple[RowPart, ...]) -> list[RowSpan]:
        spans = []
        for block in blocks(ace_low=self._ace_low):
            for part in parts:
                start = 0 if part.first is None else block.first_not_below(part.first)
                stop = len(block) if part.end is None else block.first_not_below(part.end)
                if start < stop:
                    spans.append(self._count(block.part(start, stop), part))
        return spans

    def _count(self, block: Block, part: RowPart) -> RowSpan:
        states = _States(block, self._suited, ace_low=self._ace_low)
        dealer, every = states.dealer, np.arange(states.dealer.width)

        def change_unqualified(ranks: DealerRanks, at: Index) -> StudCounts:
            return _change(ranks, self._gaps, at) if ranks is dealer else self._unqualified.take(at)

        unqualified = states.tally(_below(dealer, self._gaps, every), change_unqualified)
        nothing = RowTally(*4 * (np.zeros_like(states.number),))
        if not part.plays:
            return RowSpan(block, part, states.number, unqualified, unqualified, nothing)
        if not part.ties:
            below = states.tally(_below(dealer, part.more, every), lambda ranks, at: _change(ranks, part.more, at))
            return RowSpan(block, part, states.number, unqualified, below, nothing)
        hands = block.category, tuple(np.tile(group, len(RANKS)) for group in block.groups)
        count = dealer.below(*hands, every)
        if part.more:
            count = count + _below(dealer, part.more, every)

        def change(ranks: DealerRanks, at: Index) -> StudCounts:
            own = change_below(ranks, *hands, at)
            return own + _change(ranks, part.more, at) if part.more else own

        below = states.tally(count, change)
        equal = states.tally(dealer.equal(*hands, every), lambda ranks, at: change_equal(ranks, *hands, at))
        return RowSpan(block, part, states.number, unqualified, below, equal)


class _States:
    """The states of a block: one column for each rank of the up-card and each choice of ranks in hand."""

    def __init__(self, block: Block, suited: DealerSuited, *, ace_low: bool) -> None:
        self._block = block
        self._suited = suited.ranks
        up = np.repeat(np.arange(len(RANKS)), len(block))
        self._bare = suited.columns(up, np.zeros_like(up))
        self._full = suited.columns(up, np.tile(block.suited[-1], len(RANKS)))
        # A player with all four cards of a rank never sees it turned up: such columns have no state.
        live = 4 - np.tile(block.held, len(RANKS))
        columns = np.arange(len(up))
        live[up, columns] = np.maximum(live[up, columns] - 1, 0)
        self.dealer = DealerRanks(up, live, ace_low=ace_low)
        held = block.held.ravel()  # of the up-card's rank: rank and column run in the same order
        self._flush_of_up = (held == 0).astype(np.int32)  # the player can have a flush of the up-card's suit
        # Choices of suits for all ranks; of the up-card's rank there is one card less to choose from.
        self._choices = prod(comb(4, size) for size in block.sizes) * (4 - held) // 4
        self.number = self._sum(np.ones_like(held), np.ones_like(held), self._choices)

    def tally(self, by_rank: StudCounts, change: _Change) -> RowTally:
        """Return the tally of a count by ranks and of its change by suits."""
        bare, full = by_rank + change(self._suited, self._bare), by_rank + change(self._suited, self._full)
        total = self._choices * by_rank  # at most 1,024 choices of suits for 163,185 hands: below 2**28
        if self._block.category not in FLUSHES:
            total += self._choices * change(self.dealer, np.arange(self.dealer.width)) // 4**4
        shape = self.number.shape
        return RowTally(by_rank.reshape(shape), bare.reshape(shape), full.reshape(shape), self._sum(bare, full, total))

    def _sum(self, bare: StudCounts, full: StudCounts, total: StudCounts) -> StudCounts:
        """Return a sum over the states: of flushes only, or of all suits, or of all but flushes."""
        flushes = _BARE_FLUSHES * bare + self._flush_of_up * full
        if self._block.category in FLUSHES:
            total = flushes
        elif self._block.category in _MIXED:
            total = total - flushes
        return total.reshape(len(RANKS), len(self._block))


def _gaps(at: Qualifier, *, ace_low: bool) -> tuple[tuple[HandRank | None, HandRank], ...]:
    """Return the ranges of hands that do not qualify: first (None for the weakest) and end."""
    ranks = ranker(ace_low=ace_low).ranks
    return tuple((ranks[first] if first else None, ranks[end]) for first, end in at.gaps)


def _within(gaps: tuple[tuple[HandRank | None, HandRank], ...]) -> RowLimits:
    """Return the limits that count the hands in the gaps."""
    return tuple(
        limit
        for first, end in gaps
        for limit in ((1, end), *(() if first is None else ((-1, first),)))
        if not (first is None and end == ANY_HAND)
    )


def _parts(gaps: tuple[tuple[HandRank | None, HandRank], ...]) -> tuple[RowPart, ...]:
    """Return the ranges in order: a gap, and the qualifying hands from its end to the next gap."""
    parts = []
    for place, (first, end) in enumerate(gaps):
        rest = gaps[place + 1 :]
        above = _within(rest)
        parts.append(RowPart(first, end, plays=place > 0, ties=False, more=((1, end), *above)))
        parts.append(RowPart(end, rest[0][0] if rest else None, plays=True, ties=True, more=above))
    return tuple(parts)


def _below(dealer: DealerRanks, limits: RowLimits, columns: Index) -> StudCounts:
    """Return the dealer's hands within the limits, without suits."""
    total = np.zeros(len(columns), np.int32)
    for sign, limit in limits:
        total += sign * dealer.below(limit.category, limit.ranks, columns)
    return total


def _change(ranks: DealerRanks, limits: RowLimits, columns: Index) -> StudCounts:
    """Return what suits change in `_below`."""
    total = np.zeros(len(columns), np.int32)
    for sign, limit in limits:
        total += sign * change_below(ranks, limit.category, limit.ranks, columns)
    return total


@lru_cache(maxsize=8)
def stud_rows(weakest: HandRank, too: tuple[Alike, ...] | None = None, *, ace_low: bool) -> StudRows:
    """Return the rows for a qualifier, cached."""
    return StudRows(weakest, too, ace_low=ace_low)
