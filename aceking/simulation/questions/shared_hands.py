"""The value of knowing the hands of the table: deals are sampled, the dealer's hands are counted in closed form.

Players who show each other their cards know five more dead cards for each hand. In a sampled deal the dealer's hole
cards are not sampled: how many of the dealer's hands do not qualify, are below a player's and tie with it comes from
the formulas of the exact figures (`aceking.exact.stud.counts`), with all known cards dead. So only the choice of deals
is random. Each hand of a deal is played twice: for the best with all that is known, and for the best with the up-card
alone, whose mean is known exactly. The estimate is that mean plus the average difference, which is seldom not 0.
"""

from dataclasses import dataclass
from functools import cache
from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import Strengths
from aceking.cards.card import RANKS, SUITS
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank
from aceking.exact.arrays import Index
from aceking.exact.games import edge
from aceking.exact.stud.counts import DealerRanks, StudCounts
from aceking.exact.stud.money import common_denominator, nets
from aceking.exact.stud.play import Worth
from aceking.exact.stud.suited import DealerSuited, change_below, change_equal
from aceking.exact.unpriced import check_one_size, check_rows
from aceking.rules.book import Book
from aceking.simulation.chance import BLOCK_ROUNDS, DECK_CARDS, Deals, deals
from aceking.simulation.games.game import SimulationError
from aceking.simulation.games.stud import HAND, StudGame
from aceking.simulation.plan import check_seed
from aceking.simulation.strategies import OPTIMAL, stud_decisions

#: Deals that are counted together, so that their tables fit into the processor's cache.
_BATCH = 1 << 13
_HOLE = 4

SampledValues = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sampled:
    """An estimate in antes, from the player's side, with its standard error."""

    net_per_ante: float
    standard_error: float
    deals: int


def shared_hands(book: Book, *, hands: int, error: float = 0.0001, deals_max: int = 1 << 26, seed: int = 1) -> Sampled:
    """Return what perfect play wins for players who know `hands` hands, their own included, to the standard error."""
    _check(book, hands, error)
    check_seed(seed)
    table = SharedHands(book, hands)
    count, total, squares, block = 0, 0.0, 0.0, 0
    while True:
        gains = table.gains(deals(seed, block, cards=HAND * hands + 1))
        count, total, squares = count + len(gains), total + float(gains.sum()), squares + float(gains @ gains)
        spread = (squares - total**2 / count) / (count - 1)
        reached = sqrt(spread / count)
        block += 1
        if reached <= error or count >= deals_max:
            return Sampled(float(edge(book).net_per_ante) + total / count, reached, count)


def _check(book: Book, hands: int, error: float) -> None:
    check_one_size(book, "shared hands are counted")
    check_rows(book, "shared hands are counted")
    if book.dealer is None or book.exchange is not None:
        raise SimulationError(f"{book.id}: shared hands are counted for books with a dealer and without an exchange")
    if book.dealer.qualifies_too:
        where = book.cite("dealer.qualifies_too")
        raise SimulationError(f"{book.id}: {where}: shared hands are counted for dealers who qualify from one hand on")
    most = min(book.table.seats_max, (DECK_CARDS - HAND) // HAND)
    if not 2 <= hands <= most:
        raise SimulationError(f"a table of {book.id} shares two to {most} hands, not {hands}")
    if not 0 < error < 1:
        raise SimulationError(f"a standard error lies between 0 and 1, as in 0.0001, not {error}")


class SharedHands:
    """One book and one number of hands."""

    def __init__(self, book: Book, hands: int) -> None:
        assert book.dealer is not None
        ace_low = book.hands.ace_low
        self._hands = hands
        self._ace_low = ace_low
        self._game = StudGame.of(book, stud_decisions(book, OPTIMAL), seats=1, awarded=frozenset())
        self._qualifier = book.dealer.qualifies_with.category, book.dealer.qualifies_with.ranks
        self.plays_from = self._game.table.qualifies.weakest
        self.categories = ranker(ace_low=ace_low).categories
        self._suited = _every_set(ace_low=ace_low)
        self._dealer_hands = comb(DECK_CARDS - HAND * hands - 1, _HOLE)
        self._groups = _groups(ranker(ace_low=ace_low).ranks)
        money = nets(book)
        self._scale = common_denominator(money)
        self._worth = {
            (category, plays): Worth.of(money, category, plays=plays, hands=self._dealer_hands, scale=self._scale)
            for category in Category
            for plays in (False, True)
        }

    def gains(self, dealt: Deals) -> SampledValues:
        """Return, per deal, how much more all hands are worth to know than the up-card alone, averaged over hands."""
        parts = [self._batch(dealt[:, start : start + _BATCH]) for start in range(0, BLOCK_ROUNDS, _BATCH)]
        return np.concatenate(parts)

    def _batch(self, dealt: Deals) -> SampledValues:
        up = dealt[-1]
        values = self.values(dealt)
        fold = self._worth[Category.HIGH_CARD, False].fold
        bets = np.concatenate(
            [self._game.bets(hand, self._game.table.rank(hand), up, up >> 2) for hand in self._split(dealt)]
        )
        gain = np.maximum(values, fold) - np.where(bets, values, fold)
        total = gain.reshape(self._hands, -1).sum(axis=0)
        return np.asarray(total / (self._hands * self._scale * self._dealer_hands))

    def _split(self, dealt: Deals) -> list[Deals]:
        return [dealt[HAND * seat : HAND * (seat + 1)] for seat in range(self._hands)]

    def values(self, dealt: Deals) -> NDArray[np.int64]:
        """Return the value of a bet, seat after seat, over all hands of the dealer, in fractions of an ante."""
        up = dealt[-1]
        up_rank = (up >> 2).astype(np.intp)
        live, dead = _unseen(dealt, up)
        dealer = DealerRanks(up_rank, live, ace_low=self._ace_low)
        at = self._suited.columns(up_rank, dead)
        every = np.arange(len(up))
        ranks = self._suited.ranks
        unqualified = dealer.below(*self._qualifier, every) + change_below(ranks, *self._qualifier, at)
        strengths = np.concatenate([self._game.table.rank(hand) for hand in self._split(dealt)])
        return self._values(dealer, strengths, np.tile(every, self._hands), at, unqualified)

    def _values(
        self, dealer: DealerRanks, strengths: Strengths, columns: Index, at: Index, unqualified: StudCounts
    ) -> NDArray[np.int64]:
        """Return the value of a bet on each hand, over all hands of the dealer."""
        ranks = self._suited.ranks
        values = np.empty(len(strengths), np.int64)
        categories = self._game.table.categories.take(strengths)
        plays = strengths >= self.plays_from
        for category in Category:
            for playing in (False, True):
                chosen = np.flatnonzero((categories == category) & (plays == playing))
                if not len(chosen):
                    continue
                column = columns[chosen]
                less = below = unqualified[column]
                equal: StudCounts = np.zeros(len(chosen), np.int32)
                if playing:
                    first, table = self._groups[category]
                    groups = tuple(table[:, strengths[chosen] - first])
                    below = dealer.below(category, groups, column) + change_below(ranks, category, groups, at[column])
                    equal = dealer.equal(category, groups, column) + change_equal(ranks, category, groups, at[column])
                values[chosen] = self._worth[category, playing](less, below, equal)
        return values


def _unseen(dealt: Deals, up: NDArray[np.uint8]) -> tuple[StudCounts, Index]:
    """Return the cards of each rank that nobody knows, and the ranks dead in the up-card's suit, as bits."""
    number = dealt.shape[1]
    live = np.full((len(RANKS), number), len(SUITS), np.int32)
    dead = np.zeros(number, np.intp)
    every = np.arange(number)
    for cards in dealt:
        rank = (cards >> 2).astype(np.intp)
        live[rank, every] -= 1
        dead |= np.where((cards ^ up) & (len(SUITS) - 1) == 0, 1 << rank, 0)
    return live, dead


def _groups(ranks: tuple[HandRank, ...]) -> dict[Category, tuple[int, Index]]:
    """Return by category the first strength, and the groups of all its hands, a row each."""
    by_category = {}
    for category in Category:
        hands = [(at, rank.ranks) for at, rank in enumerate(ranks) if rank.category is category]
        by_category[category] = (hands[0][0], np.array([groups for _, groups in hands], np.intp).T)
    return by_category


@cache
def _every_set(*, ace_low: bool) -> DealerSuited:
    return DealerSuited(ace_low=ace_low, dead_max=len(RANKS))
