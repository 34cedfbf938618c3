"""Which exchanges are worth a closer look: all that a bound by ranks does not rule out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS
from aceking.cards.hand import Category
from aceking.exact.exchange.counts import STUB, ExchangeCounts
from aceking.exact.exchange.patterns import Draw, patterns
from aceking.exact.exchange.play import Exchanges
from aceking.exact.stud.counts import Counts, Index
from aceking.exact.stud.play import Amounts, Worth
from aceking.exact.stud.rows import FLUSHES, Rows, StudRows


@dataclass(frozen=True, slots=True, eq=False)
class Dealt:
    """Hands of one block as dealt."""

    rows: Rows
    worth: Worth
    ranks: Index  # by place and column: the different ranks of the hand
    fours: Index  # by place and column: the cards that are left when one of that rank is given up
    floor: Amounts  # by the up-card's rank and column: what the hand is worth at least without an exchange


def placed_rows(stud: StudRows, counts: ExchangeCounts) -> Iterator[tuple[Rows, Index]]:
    """All hands as dealt, with their places in the tables of changes."""
    changes = counts.changes
    places = {False: np.arange(changes.hands.shape[1]), True: np.flatnonzero(changes.of_one_suit >= 0)}
    for rows in stud.all:
        of_one_suit = rows.block.category in FLUSHES
        mine, places[of_one_suit] = np.split(places[of_one_suit], [len(rows.block)])
        yield rows, mine


@dataclass(frozen=True, slots=True, eq=False)
class Offers:
    """States of one block, and their exchanges that are not ruled out."""

    category: Category
    states: Index  # in each entry, for one suit of the up-card
    counts: tuple[Counts, Counts, Counts]  # the dealer's hands: unqualified, below the player's, equal to it
    bet: NDArray[np.bool_]  # without an exchange a bet is better than a fold
    base: Amounts  # and that much is the better of the two worth, over the dealer's hands and the cards that can come
    exchanges: Exchanges
    state: Index  # for each exchange the entry that it is for, rising

    def best(self, values: Amounts) -> Index:
        """The exchanges to make: the best of their state (of equals the lower card), and better than none."""
        first = np.flatnonzero(np.diff(self.state, prepend=-1))
        number = np.diff(first, append=len(self.state))
        best = values == np.repeat(np.maximum.reduceat(values, first), number)
        rank = np.where(best, self.exchanges.given, len(RANKS))
        best &= rank == np.repeat(np.minimum.reduceat(rank, first), number)
        chosen = np.flatnonzero(best & (values > self.base[self.state]))
        # Two cards of one rank may be worth the same, whatever their suits: one of them is enough.
        return chosen[np.flatnonzero(np.diff(self.state[chosen], prepend=-1))]


def offers_of(dealt: Dealt, stud: StudRows, up: int, plain: Amounts, drawing: Amounts) -> Offers | None:
    """The exchanges of a block that may be worth more than no exchange, under the bounds of `UpCard.bounds`."""
    rows = dealt.rows
    bounds = np.stack([bound[dealt.ranks, dealt.fours] for bound in (plain, drawing)])
    some = np.flatnonzero(bounds.max(axis=(0, 1)) > dealt.floor[up])
    if not len(some):
        return None
    columns, suited, states, state, place, draw = _open(dealt, some, up, bounds)
    counts = stud.counts(rows, np.full_like(columns, up), columns, suited)
    value = dealt.worth(*counts)
    base = STUB * np.maximum(value, dealt.worth.fold)
    at = columns[state]
    kept = bounds[_draws(draw), place, at] > base[state]
    if not kept.any():
        return None
    state, place, draw, at = state[kept], place[kept], draw[kept], at[kept]
    exchanges = Exchanges(dealt.fours[place, at], dealt.ranks[place, at], suited[state], draw)
    return Offers(rows.block.category, states, counts, value > dealt.worth.fold, base, exchanges, state)


def _open(dealt: Dealt, some: Index, up: int, bounds: Amounts) -> tuple[Index, ...]:
    """States of some columns by suit pattern: column, suited ranks and number; and exchanges: state, place and draw."""
    states: list[tuple[Index, ...]] = []
    exchanges: list[tuple[Index, ...]] = []
    possible = bounds[..., some] > dealt.floor[up, some]
    bits = 1 << dealt.ranks[:, some]
    first = 0
    for pattern in patterns(dealt.rows.block.category):
        suited = bits[list(pattern.suited)].sum(axis=0)
        places = np.array([give.place for give in pattern.gives])
        draws = np.array([give.draw for give in pattern.gives])
        mine = possible[_draws(draws), places] & (suited >> up & 1 == 0)  # nobody holds the up-card
        chosen = np.flatnonzero(mine.any(axis=0))
        entries, gives = np.nonzero(mine[:, chosen].T)
        states.append((some[chosen], suited[chosen], np.full(len(chosen), pattern.ways)))
        exchanges.append((first + entries, places[gives], draws[gives]))
        first += len(chosen)
    return tuple(np.concatenate(part) for parts in (states, exchanges) for part in zip(*parts, strict=True))


def _draws(draw: Index) -> Index:
    """Which bound an exchange has: 0 without a draw to a flush, 1 with one, whatever its suit."""
    drawing: Index = (draw != Draw.NONE).astype(np.intp)
    return drawing
