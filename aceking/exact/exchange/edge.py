"""Stud with an exchange: one card may be bought before the bet. Exact over all deals, including the card drawn.

A deal here is the player's five cards, the dealer's five and which of them is up, and the card that is drawn if the
player exchanges: any of the 42 that are in neither hand. For the player the drawn card is any of the 46 that they do
not know, and the dealer's hole cards are then any four of the other 45. The number of deals is the same: 163,185 x 42 =
46 x 148,995.

The book is first played without its exchange. Then, for each rank of the up-card, every exchange that a bound cannot
rule out is valued exactly. If the best of them is worth more than a bet and a fold, its deals replace theirs.
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from aceking.cards.array import cores
from aceking.cards.card import RANKS, CardId, name
from aceking.cards.hand import Category, HandRank
from aceking.exact.arrays import Amounts, Index
from aceking.exact.exchange import several
from aceking.exact.exchange.counts import DEALER_HANDS_AFTER, STUB, exchange_counts
from aceking.exact.exchange.offers import DealtHand, Offers, offers_of, placed_rows
from aceking.exact.exchange.play import Exchanges, PlayedExchange, UpCardPlay
from aceking.exact.figures import Edge, Values
from aceking.exact.stud.dealers import DealerHands
from aceking.exact.stud.money import common_denominator, nets
from aceking.exact.stud.play import StudResults, Worth, figures, play
from aceking.exact.stud.rows import DEALER_HANDS, STATES, UP_SUITS, RowSpan, stud_rows
from aceking.exact.unpriced import check_exchange
from aceking.rules.book import Book
from aceking.settlement.scenario import Swap

#: Two hands, which card is up, and the card that can be drawn: 837,195,681,722,400.
DEALS = STATES * DEALER_HANDS * STUB


def edge(book: Book) -> Edge:
    """Return the exact figures under the best play: fold, bet, or give up one card and then fold or bet.

    Between equal values the order is fold, bet, exchange; between equal exchanges the lower card is given up.
    """
    assert book.dealer is not None, f"{book.id} has no dealer's hand"
    table = ExchangeTable(book)
    results, bets = play(table.stud, table.dealt, scale=table.scale)
    results.times(STUB)
    decisions = {"fold": STATES - bets, "bet": bets, "exchange": 0}
    # numpy releases the interpreter lock while it computes.
    with _short_switch_interval(), ThreadPoolExecutor(cores()) as pool:
        for difference, moved in pool.map(table.exchange, range(len(RANKS))):
            results.add(difference)
            decisions = {decision: states + moved[decision] for decision, states in decisions.items()}
    return figures(book, results, deals=DEALS, decisions=decisions)


@contextmanager
def _short_switch_interval() -> Iterator[None]:
    """Switch threads every millisecond: steps of numpy here are shorter than the default interval of five."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(min(usual, 0.001))
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def value(book: Book, hand: Sequence[CardId], up: CardId) -> Values:
    """Return the exact value of every decision with these five cards against this up-card."""
    dealt, dealer = nets(book), DealerHands(book, hand, up)
    assert book.exchange is not None, f"{book.id} has no exchange"
    if book.exchange.cards > 1:
        return Values.of({"fold": dealt.fold, "bet": dealer.bet(hand, dealt), **several.exchanges(book, hand, up)})
    bought = nets(book, exchanged=1)
    rising = sorted(hand)
    totals = dict.fromkeys(rising, Fraction(0))
    for drawn in dealer.unseen:
        after = [[*(kept for kept in hand if kept != given), drawn] for given in rising]
        for given, bet in zip(rising, dealer.bets_after(drawn, after, bought), strict=True):
            totals[given] += max(bet, bought.fold)
    exchanges = {f"exchange {name(given)}": total / len(dealer.unseen) for given, total in totals.items()}
    return Values.of({"fold": dealt.fold, "bet": dealer.bet(hand, dealt), **exchanges})


def value_after(book: Book, hand: Sequence[CardId], up: CardId, swap: Swap) -> Values:
    """Return the values of fold and bet after an exchange, its price included; `hand` is as it was dealt."""
    bought = nets(book, exchanged=len(swap.give))
    drawn = dict(zip(swap.give, swap.take, strict=True))
    bet = DealerHands(book, hand, up).bet_after(swap.take, [drawn.get(card, card) for card in hand], bought)
    return Values.of({"fold": bought.fold, "bet": bet})


@dataclass(frozen=True, slots=True, eq=False)
class ChosenDraw:
    """The exchanges that are made against one rank of the up-card."""

    card: UpCardPlay
    played: PlayedExchange
    states: Amounts  # for each exchange that was valued: in how many states it is made
    left: list[tuple[Offers, Index, Amounts]]  # entries of each block that exchange, and their number of states


class ExchangeTable:
    """The counts and the money of one book."""

    def __init__(self, book: Book, cuts: Sequence[HandRank] = ()) -> None:
        check_exchange(book)
        assert book.dealer is not None, f"{book.id} has no dealer's hand"
        qualifier, ace_low = book.dealer.qualifies_with, book.hands.ace_low
        self.stud = stud_rows(qualifier, ace_low=ace_low)
        self._counts = exchange_counts(qualifier, ace_low=ace_low)
        self.dealt, self._bought = nets(book), nets(book, exchanged=True)
        self.scale = common_denominator(self.dealt, self._bought)
        self._hands = [self._dealt(rows, places) for rows, places in placed_rows(self.stud, self._counts, cuts)]
        self._worths = {
            (category, plays): Worth.of(self._bought, category, plays=plays, hands=DEALER_HANDS_AFTER, scale=self.scale)
            for category in Category
            for plays in (False, True)
        }

    def _dealt(self, rows: RowSpan, places: Index) -> DealtHand:
        worth = Worth.of(self.dealt, rows.block.category, plays=rows.plays, hands=DEALER_HANDS, scale=self.scale)
        least, _ = worth.bounds(rows.unqualified, rows.below, rows.equal)
        ranks = np.stack(rows.block.ranks)
        fours = self._counts.changes.kept[ranks, places]
        return DealtHand(rows, worth, ranks, fours, STUB * np.maximum(least, worth.fold))

    def against(self, up: int) -> UpCardPlay:
        """Return the values of exchanges against this rank of the up-card."""
        return UpCardPlay(self._counts, up, self._worths)

    def choose(self, up: int, *, folded: bool = False) -> "ChosenDraw | None":
        """Return the exchanges that are best against this up-card; None if none is.

        With `folded`, new hands that are then folded are counted too.
        """
        card = self.against(up)
        bounds = card.bounds()
        offers = [offer for hands in self._hands if (offer := offers_of(hands, self.stud, up, *bounds)) is not None]
        if not offers:
            return None
        played = card.play(Exchanges.joined([offer.exchanges for offer in offers]), folded=folded)
        chosen = ChosenDraw(card, played, np.zeros(len(played.values), np.int64), [])
        first = 0
        for offer in offers:
            span = slice(first, first + len(offer.exchanges))
            best = offer.best(played.values[span])
            chosen.states[span][best] = UP_SUITS * offer.states[offer.state[best]]
            chosen.left.append((offer, offer.state[best], chosen.states[span][best]))
            first = span.stop
        return chosen

    def exchange(self, up: int) -> tuple[StudResults, Counter[str]]:
        """Return what the exchanges against this up-card change in the results and the decisions."""
        results = StudResults()
        moved: Counter[str] = Counter()
        chosen = self.choose(up)
        if chosen is not None:
            for offer, at, states in chosen.left:
                moved.update(self._leave(offer, at, states, results))
            chosen.card.settle_played(chosen.played, chosen.states, self._bought, results)
        return results, moved

    def _leave(self, offer: Offers, at: Index, states: Amounts, results: StudResults) -> dict[str, int]:
        """Subtract the results of these states without an exchange."""
        bet = offer.bet[at]
        unqualified, below, equal = (-STUB * int(states @ np.where(bet, count[at], 0)) for count in offer.counts)
        bets, folds = int(states[bet].sum()), int(states[~bet].sum())
        deals = DEALER_HANDS * STUB
        results.add_folds(self.dealt, -folds * deals)
        results.add_bets(
            self.dealt, offer.category, deals=-bets * deals, unqualified=unqualified, below=below, equal=equal
        )
        return {"fold": -folds, "bet": -bets, "exchange": folds + bets}
