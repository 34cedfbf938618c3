"""The counts behind every stud book that has a qualifying dealer: they hold for all pays, and are made once.

A state is what a player knows when he decides: his five cards and the dealer's up-card. For each state the 163,185
hands that the dealer may have are parted by two thresholds, the qualifier and the player's hand. A row is all states
with the same ranks in hand and the same rank of the up-card. Inside a row only suits differ, and they move the counts
by the few dealer's hands that are all of the up-card's suit: the more cards of that suit the player holds, the fewer
of those are left. So the counts of all states of a row lie between those of a player who holds no card of the suit and
those of one who holds all his ranks in it. That decides most rows at once; the rest are opened into suit patterns.

The sum over all states of a row needs no opening either. Let the suits of both hands run over all choices: given the
ranks, any suit of a hole card is as likely as another, so one in 4**4 of the dealer's hands with five different ranks
is of one suit.
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
from aceking.exact.stud.counts import Counts, DealerRanks, Index
from aceking.exact.stud.hands import Block, blocks
from aceking.exact.stud.suited import DealerSuited, change_below, change_equal, dealer_suited
from aceking.rules.qualifier import ANY_HAND, Alike, Qualifier, qualifier

#: The dealer's hands, for each hand and up-card of a player.
DEALER_HANDS = comb(46, 4)
#: What a player may see: his five cards, and the dealer's up-card.
STATES = comb(52, 5) * 47
#: The suits of the up-card, which are all alike.
UP_SUITS = 4

#: The categories of hands that are of one suit.
FLUSHES = (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
_MIXED = (Category.HIGH_CARD, Category.STRAIGHT)
_BARE_FLUSHES = 3  # a flush of one of the suits that are not the up-card's

_Change = Callable[[DealerRanks, Index], Counts]
#: A number of dealer's hands: those below each of some thresholds, added or taken off.
Limits = tuple[tuple[int, HandRank], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """A number of dealer's hands, by the up-card's rank (first axis) and the choice of ranks in hand (second axis)."""

    by_rank: Counts  # suits aside
    bare: Counts  # if the player holds no card of the up-card's suit
    full: Counts  # if the player holds all his ranks in it
    total: Counts  # over all states of the row, for one suit of the up-card

    def part(self, cut: slice) -> "Tally":
        """Some of the columns."""
        return Tally(self.by_rank[:, cut], self.bare[:, cut], self.full[:, cut], self.total[:, cut])


@dataclass(frozen=True, slots=True)
class Part:
    """A part of all hands, from one on and up to another: how the dealer's hands that lie below it are counted.

    Hands that qualify and hands that do not lie in turn. Of a player's hand those count as below that do not qualify,
    wherever they lie, and those that qualify and are below it. So the gaps above the part come to the hands below it;
    and where the part itself does not qualify, all of it is below, and nothing ties.
    """

    first: HandRank | None  # None: the weakest hand
    end: HandRank | None  # None: beyond the strongest
    plays: bool  # some hands that qualify may lie below; else nothing is won here, and nothing ties
    ties: bool  # the part qualifies
    more: Limits  # the hands that count as below besides those below the player's own; all of them where nothing ties


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """All rows of one block: the dealer's hands that do not qualify, are below the player's, and are equal to it."""

    block: Block
    part: Part
    states: Counts  # in each row, for one suit of the up-card
    unqualified: Tally
    below: Tally
    equal: Tally

    @property
    def plays(self) -> bool:
        """Something may be won here."""
        return self.part.plays

    def cut(self, hands: Iterable[HandRank]) -> "Iterator[Rows]":
        """The rows in parts that begin at these hands, as far as they lie within the block."""
        places = {self.block.first_not_below(one) for one in hands}
        limits = sorted({0, len(self.block), *places})
        for start, stop in pairwise(limits):
            yield self if stop - start == len(self.block) else self._columns(start, stop)

    def _columns(self, start: int, stop: int) -> "Rows":
        cut = slice(start, stop)
        tallies = (one.part(cut) for one in (self.unqualified, self.below, self.equal))
        return Rows(self.block.part(start, stop), self.part, self.states[:, cut], *tallies)


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """Rows opened into suit patterns (first axis): the counts that hold for every state."""

    suited: Index  # the ranks held in the up-card's suit, as bits
    states: Counts  # for one suit of the up-card
    unqualified: Counts
    below: Counts
    equal: Counts


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

    def open(self, rows: Rows, ups: Index, columns: Index) -> Opened:
        """Opens the rows given by the up-card's rank and the column into all suit patterns."""
        suited = rows.block.suited[:, columns]
        states = np.where(suited >> ups & 1, 0, rows.block.ways[:, None])  # nobody holds the up-card
        each = (
            np.broadcast_to(ups, suited.shape).ravel(),
            np.broadcast_to(columns, suited.shape).ravel(),
            suited.ravel(),
        )
        return Opened(suited, states, *(count.reshape(suited.shape) for count in self.counts(rows, *each)))

    def counts(self, rows: Rows, ups: Index, columns: Index, suited: Index) -> tuple[Counts, Counts, Counts]:
        """The dealer's hands that do not qualify, are below the player's and equal to it, in each of several states."""
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

    def _rows(self, parts: tuple[Part, ...]) -> list[Rows]:
        found = []
        for block in blocks(ace_low=self._ace_low):
            for part in parts:
                start = 0 if part.first is None else block.first_not_below(part.first)
                stop = len(block) if part.end is None else block.first_not_below(part.end)
                if start < stop:
                    found.append(self._count(block.part(start, stop), part))
        return found

    def _count(self, block: Block, part: Part) -> Rows:
        states = _States(block, self._suited, ace_low=self._ace_low)
        dealer, every = states.dealer, np.arange(states.dealer.width)

        def change_unqualified(ranks: DealerRanks, at: Index) -> Counts:
            return _change(ranks, self._gaps, at) if ranks is dealer else self._unqualified.take(at)

        unqualified = states.tally(_below(dealer, self._gaps, every), change_unqualified)
        nothing = Tally(*4 * (np.zeros_like(states.number),))
        if not part.plays:
            return Rows(block, part, states.number, unqualified, unqualified, nothing)
        if not part.ties:
            below = states.tally(_below(dealer, part.more, every), lambda ranks, at: _change(ranks, part.more, at))
            return Rows(block, part, states.number, unqualified, below, nothing)
        mine = block.category, tuple(np.tile(group, len(RANKS)) for group in block.groups)
        count = dealer.below(*mine, every)
        if part.more:
            count = count + _below(dealer, part.more, every)

        def change(ranks: DealerRanks, at: Index) -> Counts:
            own = change_below(ranks, *mine, at)
            return own + _change(ranks, part.more, at) if part.more else own

        below = states.tally(count, change)
        equal = states.tally(dealer.equal(*mine, every), lambda ranks, at: change_equal(ranks, *mine, at))
        return Rows(block, part, states.number, unqualified, below, equal)


class _States:
    """The states of a block: one column for each rank of the up-card and each choice of ranks in hand."""

    def __init__(self, block: Block, suited: DealerSuited, *, ace_low: bool) -> None:
        self._block = block
        self._suited = suited.ranks
        up = np.repeat(np.arange(len(RANKS)), len(block))
        self._bare = suited.columns(up, np.zeros_like(up))
        self._full = suited.columns(up, np.tile(block.suited[-1], len(RANKS)))
        # A player with all four cards of a rank never sees it turned up: such columns stand for no state.
        live = 4 - np.tile(block.held, len(RANKS))
        columns = np.arange(len(up))
        live[up, columns] = np.maximum(live[up, columns] - 1, 0)
        self.dealer = DealerRanks(up, live, ace_low=ace_low)
        held = block.held.ravel()  # of the up-card's rank: rank and column run in the same order
        self._flush_of_up = (held == 0).astype(np.int32)  # the player can have a flush of the up-card's suit
        # Choices of suits for all ranks; of the up-card's rank one card less is there to be chosen.
        self._choices = prod(comb(4, size) for size in block.sizes) * (4 - held) // 4
        self.number = self._sum(np.ones_like(held), np.ones_like(held), self._choices)

    def tally(self, by_rank: Counts, change: _Change) -> Tally:
        """A count by ranks, and what suits change in it."""
        bare, full = by_rank + change(self._suited, self._bare), by_rank + change(self._suited, self._full)
        total = self._choices * by_rank  # at most 1,024 choices of suits for 163,185 hands: below 2**28
        if self._block.category not in FLUSHES:
            total += self._choices * change(self.dealer, np.arange(self.dealer.width)) // 4**4
        shape = self.number.shape
        return Tally(by_rank.reshape(shape), bare.reshape(shape), full.reshape(shape), self._sum(bare, full, total))

    def _sum(self, bare: Counts, full: Counts, total: Counts) -> Counts:
        """A sum over the states: of flushes only, or of all suits, or of all but flushes."""
        flushes = _BARE_FLUSHES * bare + self._flush_of_up * full
        if self._block.category in FLUSHES:
            total = flushes
        elif self._block.category in _MIXED:
            total = total - flushes
        return total.reshape(len(RANKS), len(self._block))


def _gaps(at: Qualifier, *, ace_low: bool) -> tuple[tuple[HandRank | None, HandRank], ...]:
    """The hands that do not qualify: from one on, None for the weakest, and up to another."""
    ranks = ranker(ace_low=ace_low).ranks
    return tuple((ranks[first] if first else None, ranks[end]) for first, end in at.gaps)


def _within(gaps: tuple[tuple[HandRank | None, HandRank], ...]) -> Limits:
    """The number of hands in the gaps."""
    return tuple(
        limit
        for first, end in gaps
        for limit in ((1, end), *(() if first is None else ((-1, first),)))
        if not (first is None and end == ANY_HAND)
    )


def _parts(gaps: tuple[tuple[HandRank | None, HandRank], ...]) -> tuple[Part, ...]:
    """The hands in turn: a gap, and what qualifies from its end to the next one."""
    found = []
    for place, (first, end) in enumerate(gaps):
        rest = gaps[place + 1 :]
        above = _within(rest)
        found.append(Part(first, end, plays=place > 0, ties=False, more=((1, end), *above)))
        found.append(Part(end, rest[0][0] if rest else None, plays=True, ties=True, more=above))
    return tuple(found)


def _below(dealer: DealerRanks, limits: Limits, columns: Index) -> Counts:
    """The dealer's hands within the limits, suits aside."""
    total = np.zeros(len(columns), np.int32)
    for sign, limit in limits:
        total += sign * dealer.below(limit.category, limit.ranks, columns)
    return total


def _change(ranks: DealerRanks, limits: Limits, columns: Index) -> Counts:
    """What suits change in that number."""
    total = np.zeros(len(columns), np.int32)
    for sign, limit in limits:
        total += sign * change_below(ranks, limit.category, limit.ranks, columns)
    return total


@lru_cache(maxsize=8)
def stud_rows(weakest: HandRank, too: tuple[Alike, ...] | None = None, *, ace_low: bool) -> StudRows:
    """The rows for a qualifier, made when first asked for."""
    return StudRows(weakest, too, ace_low=ace_low)
