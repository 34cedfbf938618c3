"""Every state of a book with an exchange, and the value of every exchange in it, for strategies.

`exchange.edge` values only exchanges that may be the best. A strategy needs the others too: the cost of a rule depends
on the value of what it does. There are about 1.35 million rows and 5.9 million exchanges, valued in a few seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS, CardId
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank
from aceking.exact.arrays import Amounts, Index
from aceking.exact.exchange.counts import DEALER_HANDS_AFTER, DRAWS, STUB, exchange_counts
from aceking.exact.exchange.edge import DEALS
from aceking.exact.exchange.offers import DealtHand, offers_of, placed_rows
from aceking.exact.exchange.play import Exchanges, UpCardPlay
from aceking.exact.figures import Edge
from aceking.exact.stud.counts import StudCounts
from aceking.exact.stud.money import common_denominator, nets
from aceking.exact.stud.play import StudResults, Worth, figures
from aceking.exact.stud.rows import DEALER_HANDS, FLUSHES, STATES, UP_SUITS, RowSpan, stud_rows
from aceking.exact.unpriced import check_exchange
from aceking.rules.book import Book

#: Decisions that are not the place of an exchange.
FOLD, BET = -2, -1
_ALL = 2**61  # a bound that rules nothing out


@dataclass(frozen=True, eq=False)
class UpStates:
    """All states against one rank of the up-card; most arrays have one entry for each row of states."""

    up: int
    cards: UpCardPlay
    category: NDArray[np.uint8]
    strength: Index  # the hand's place among all kinds of hands
    held: StudCounts  # 13 rows: how many cards of each rank
    suited: Index  # the ranks held in the up-card's suit, as bits
    number: Amounts  # states, for all suits of the up-card
    counts: tuple[StudCounts, StudCounts, StudCounts]  # dealer's hands: unqualified, below, equal
    bets: Amounts  # the value of a bet, over the dealer's hands and the cards that can be drawn
    fold: int
    exchanges: Exchanges  # all of them
    state: Index  # the row of each exchange, rising
    values: Amounts  # the value of each exchange

    def taken(self, decisions: Index) -> Amounts:
        """Return the values of the decisions: FOLD, BET or the place of an exchange, one for each row."""
        exchanged = self.values[np.maximum(decisions, 0)]
        return np.where(decisions == FOLD, self.fold, np.where(decisions == BET, self.bets, exchanged))

    @cached_property
    def best(self) -> Index:
        """The best decision of each row; of equals fold, then bet, then the exchange of the lower card."""
        start = np.flatnonzero(np.diff(self.state, prepend=-1))
        number = np.diff(start, append=len(self.state))
        most = np.maximum.reduceat(self.values, start)
        given = np.where(self.values == np.repeat(most, number), self.exchanges.given, len(RANKS))
        lowest = np.flatnonzero(given == np.repeat(np.minimum.reduceat(given, start), number))
        first = lowest[np.flatnonzero(np.diff(self.state[lowest], prepend=-1))]
        plain = np.where(self.bets > self.fold, BET, FOLD)
        return np.where(most > np.maximum(self.bets, self.fold), first, plain)


@dataclass(slots=True)
class PlayedStates:
    """The results of a strategy against one up-card."""

    results: StudResults = field(default_factory=StudResults)
    states: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("fold", "bet", "exchange"), 0))


class ExchangeStates:
    """The states of a book, one up-card at a time."""

    def __init__(self, book: Book) -> None:
        check_exchange(book)
        assert book.dealer is not None, f"{book.id} has no dealer's hand"
        qualifier, ace_low = book.dealer.qualifies_with, book.hands.ace_low
        self.book = book
        self.ranks: tuple[HandRank, ...] = ranker(ace_low=ace_low).ranks
        self._stud = stud_rows(qualifier, ace_low=ace_low)
        self._counts = exchange_counts(qualifier, ace_low=ace_low)
        self._dealt, self._bought = nets(book), nets(book, exchanged=True)
        self.scale = common_denominator(self._dealt, self._bought)
        #: All values are summed over this many hands and cards, in fractions of an ante.
        self.unit = self.scale * DEALER_HANDS * STUB
        self._hands = [self._block(rows, places) for rows, places in placed_rows(self._stud, self._counts)]
        self._worths = {
            (category, plays): self._worth(category, plays=plays, exchanged=True)
            for category in Category
            for plays in (False, True)
        }
        self.strength_tables = self._strength_tables()

    @property
    def of_one_suit(self) -> Index:
        """By hand with five ranks: its place among hands of one suit; -1 for all other hands."""
        return self._counts.changes.of_one_suit

    def columns(self, up: int) -> Index:
        """Return the column of `UpCardPlay.bets_by_column` by set of ranks that are dead in the up-card's suit."""
        return self._counts.ups[up].column

    def against(self, up: int) -> UpStates:
        """Return all states against one rank of the up-card."""
        card = UpCardPlay(self._counts, up, self._worths)
        changes = self._counts.changes
        every = np.full((len(RANKS), changes.fours.shape[1]), _ALL, np.int64)
        offers = [offers_of(hands, self._stud, up, every, every) for hands in self._hands]
        blocks = [(hands, offer) for hands, offer in zip(self._hands, offers, strict=True) if offer is not None]
        starts = np.cumsum([0, *(len(offer.states) for _, offer in blocks)])
        exchanges = Exchanges.joined([offer.exchanges for _, offer in blocks])
        state = np.concatenate([offer.state + start for (_, offer), start in zip(blocks, starts, strict=False)])
        _, first = np.unique(state, return_index=True)
        hand = changes.after[exchanges.given[first], exchanges.fours[first]]
        category = np.concatenate([np.full(len(offer.states), offer.category, np.uint8) for _, offer in blocks])
        counts = tuple(np.concatenate([offer.counts[which] for _, offer in blocks]) for which in range(3))
        return UpStates(
            up=up,
            cards=card,
            category=category,
            strength=self.strength_tables[np.isin(category, FLUSHES).astype(np.intp), hand],
            held=changes.hands[:, hand],
            suited=exchanges.suited[first],
            number=np.concatenate([UP_SUITS * offer.states.astype(np.int64) for _, offer in blocks]),
            counts=(counts[0], counts[1], counts[2]),
            bets=np.concatenate([STUB * hands.worth(*offer.counts) for hands, offer in blocks]),
            fold=STUB * self._hands[0].worth.fold,
            exchanges=exchanges,
            state=state,
            values=card.value(exchanges),
        )

    def play(self, table: UpStates, decisions: Index) -> "PlayedStates":
        """Return the results of a strategy against one up-card: FOLD, BET or an exchange's place for each row."""
        played = PlayedStates()
        played.states["fold"] = int(table.number[decisions == FOLD].sum())
        played.results.add_folds(self._dealt, played.states["fold"] * DEALER_HANDS * STUB)
        for category in Category:
            ways = np.where((decisions == BET) & (table.category == category), table.number, 0)
            bets = int(ways.sum())
            unqualified, below, equal = (STUB * int(ways @ count) for count in table.counts)
            played.states["bet"] += bets
            played.results.add_bets(
                self._dealt,
                category,
                deals=bets * DEALER_HANDS * STUB,
                unqualified=unqualified,
                below=below,
                equal=equal,
            )
        exchanged = decisions >= 0
        number = table.number[exchanged]
        played.states["exchange"] = int(number.sum())
        if len(number):
            table.cards.settle(table.exchanges[decisions[exchanged]], number, self._bought, played.results)
        return played

    def edge(self, played: Sequence["PlayedStates"]) -> Edge:
        """Return the figures of a strategy, from its results against each up-card."""
        results = StudResults()
        states = dict.fromkeys(("fold", "bet", "exchange"), 0)
        for against_up in played:
            results.outcomes.update(against_up.results.outcomes)
            results.risked += against_up.results.risked
            for name, number in against_up.states.items():
                states[name] += number
        assert sum(states.values()) == STATES, "every state has one decision"
        return figures(self.book, results, deals=DEALS, decisions=states)

    def _block(self, rows: RowSpan, places: Index) -> DealtHand:
        ranks = np.stack(rows.block.ranks)
        nothing = np.full((len(RANKS), len(rows.block)), -_ALL, np.int64)
        worth = self._worth(rows.block.category, plays=rows.plays, exchanged=False)
        return DealtHand(rows, worth, ranks, self._counts.changes.kept[ranks, places], nothing)

    def _worth(self, category: Category, *, plays: bool, exchanged: bool) -> Worth:
        money, hands = (self._bought, DEALER_HANDS_AFTER) if exchanged else (self._dealt, DEALER_HANDS)
        return Worth.of(money, category, plays=plays, hands=hands, scale=self.scale)

    def _strength_tables(self) -> Index:
        """Return the strengths by place of the ranks: in mixed suits, and in one suit if there are five ranks."""
        table = ranker(ace_low=self.book.hands.ace_low)
        held = self._counts.changes.hands
        strengths = np.zeros((2, held.shape[1]), np.intp)
        for place in range(held.shape[1]):
            ranks = [rank for rank in range(len(RANKS)) for _ in range(held[rank, place])]
            # Equal ranks are neighbours, so rotating suits make them different cards, and five cards are never a flush.
            strengths[0, place] = table.strength([CardId(4 * rank + suit % 4) for suit, rank in enumerate(ranks)])
            if len(set(ranks)) == 5:
                strengths[1, place] = table.strength([CardId(4 * rank) for rank in ranks])
        return strengths


assert DEALER_HANDS * STUB == DRAWS * DEALER_HANDS_AFTER, "the same deals, before the draw and after it"
