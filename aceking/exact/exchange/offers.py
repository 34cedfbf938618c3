"""The exchanges that must be valued exactly: all that a bound by ranks does not rule out."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS
from aceking.cards.hand import Category, HandRank
from aceking.exact.arrays import Amounts, Index
from aceking.exact.exchange.counts import STUB, ExchangeCounts
from aceking.exact.exchange.patterns import DrawPattern, patterns
from aceking.exact.exchange.play import Exchanges
from aceking.exact.stud.counts import StudCounts
from aceking.exact.stud.play import Worth
from aceking.exact.stud.rows import FLUSHES, RowSpan, StudRows


@dataclass(frozen=True, slots=True, eq=False)
class DealtHand:
    """Hands of one block as dealt."""

    rows: RowSpan
    worth: Worth
    ranks: Index  # by place and column: the different ranks of the hand
    fours: Index  # by place and column: the cards that are left when one of that rank is given up
    floor: Amounts  # by the up-card's rank and column: a lower bound of the hand's value without an exchange


def placed_rows(
    stud: StudRows, counts: ExchangeCounts, cuts: Sequence[HandRank] = ()
) -> Iterator[tuple[RowSpan, Index]]:
    """Yield all hands as dealt, in parts that also begin at the cuts, with their places in the tables of changes."""
    changes = counts.changes
    places = {False: np.arange(changes.hands.shape[1]), True: np.flatnonzero(changes.of_one_suit >= 0)}
    for rows in (part for block in stud.all for part in block.cut(cuts)):
        of_one_suit = rows.block.category in FLUSHES
        own_places, places[of_one_suit] = np.split(places[of_one_suit], [len(rows.block)])
        yield rows, own_places


@dataclass(frozen=True, slots=True, eq=False)
class Offers:
    """States of one block, and their exchanges that are not ruled out."""

    weakest: HandRank  # of the block
    states: Index  # in each entry, for one suit of the up-card
    counts: tuple[StudCounts, StudCounts, StudCounts]  # dealer's hands: unqualified, below the player's, equal to it
    bet: NDArray[np.bool_]  # without an exchange a bet is better than a fold
    base: Amounts  # the value of the better of the two, over the dealer's hands and the cards that can be drawn
    exchanges: Exchanges
    state: Index  # the entry that each exchange belongs to, rising

    @property
    def category(self) -> Category:
        """The category of all its hands."""
        return self.weakest.category

    def best(self, values: Amounts) -> Index:
        """Return the exchanges to make: the best of their state (of equals the lower card), and better than none."""
        first = np.flatnonzero(np.diff(self.state, prepend=-1))
        number = np.diff(first, append=len(self.state))
        best = values == np.repeat(np.maximum.reduceat(values, first), number)
        rank = np.where(best, self.exchanges.given, len(RANKS))
        best &= rank == np.repeat(np.minimum.reduceat(rank, first), number)
        chosen = np.flatnonzero(best & (values > self.base[self.state]))
        # Two cards of one rank may have the same value with any suits: one of them is enough.
        return chosen[np.flatnonzero(np.diff(self.state[chosen], prepend=-1))]


def offers_of(dealt: DealtHand, stud: StudRows, up: int, plain: Amounts, drawing: Amounts) -> Offers | None:
    """Return the exchanges of a block that may beat no exchange, by `UpCardPlay.bounds`; None if there are none."""
    rows = dealt.rows
    bounds = np.stack([bound[dealt.ranks, dealt.fours] for bound in (plain, drawing)])
    possible = np.flatnonzero(bounds.max(axis=(0, 1)) > dealt.floor[up])
    if not len(possible):
        return None
    columns, suited, states, state, place, draw = _open(dealt, possible, up, bounds)
    counts = stud.counts(rows, np.full_like(columns, up), columns, suited)
    value = dealt.worth(*counts)
    base = STUB * np.maximum(value, dealt.worth.fold)
    at = columns[state]
    kept = bounds[_draws(draw), place, at] > base[state]
    if not kept.any():
        return None
    state, place, draw, at = state[kept], place[kept], draw[kept], at[kept]
    exchanges = Exchanges(dealt.fours[place, at], dealt.ranks[place, at], suited[state], draw)
    return Offers(rows.block.weakest, states, counts, value > dealt.worth.fold, base, exchanges, state)


def _open(dealt: DealtHand, chosen: Index, up: int, bounds: Amounts) -> tuple[Index, ...]:
    """Return states of columns by suit pattern (column, suited ranks, number) and exchanges (state, place, draw)."""
    every = _every_pattern(dealt.rows.block.category, len(dealt.ranks))
    possible = bounds[..., chosen] > dealt.floor[up, chosen]
    suited = every.suited @ (1 << dealt.ranks[:, chosen])
    # By pattern, column and give. A pattern with fewer gives than others repeats its last one, marked as not there.
    allowed = possible[_draws(every.draw), every.place].transpose(0, 2, 1) & every.there[:, None]
    allowed &= (suited >> up & 1 == 0)[..., None]  # nobody holds the up-card
    pattern, column = np.nonzero(allowed.any(axis=2))
    state, give = np.nonzero(allowed[pattern, column])
    of = pattern[state]
    return (
        *(chosen[column], suited[pattern, column], every.ways[pattern]),
        *(state, every.place[of, give], every.draw[of, give]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Patterns:
    """The suit patterns of a category, one entry each."""

    suited: Index  # by pattern and rank of the hand: 1 if it is held in the up-card's suit
    ways: Index
    place: Index  # by pattern and give
    draw: Index
    there: NDArray[np.bool_]  # by pattern and give: whether the pattern has this give


@cache
def _every_pattern(category: Category, ranks: int) -> _Patterns:
    every = patterns(category)
    most = max(len(pattern.gives) for pattern in every)
    gives = [(*pattern.gives, *[pattern.gives[-1]] * (most - len(pattern.gives))) for pattern in every]
    return _Patterns(
        suited=np.array([[place in pattern.suited for place in range(ranks)] for pattern in every], np.intp),
        ways=np.array([pattern.ways for pattern in every]),
        place=np.array([[give.place for give in each] for each in gives]),
        draw=np.array([[give.draw for give in each] for each in gives]),
        there=np.array([[at < len(pattern.gives) for at in range(most)] for pattern in every]),
    )


def _draws(draw: Index) -> Index:
    """Return which bound an exchange has: 0 without a draw to a flush, 1 with one in any suit."""
    drawing: Index = (draw != DrawPattern.NONE).astype(np.intp)
    return drawing
