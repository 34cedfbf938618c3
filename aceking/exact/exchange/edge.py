"""Stud with an exchange: one card may be bought before the bet. Exact over all deals, the card drawn among them.

A deal here is the player's five cards, the dealer's five and which of them is up, and the card that comes if the player
exchanges: any of the 42 that are in neither hand. Seen by the player, the card that comes is any of the 46 that he does
not know and the dealer's hole cards are then any four of the other 45: as many deals, 163,185 x 42 = 46 x 148,995.

The book is first played without its exchange. Then, for each rank of the up-card, every exchange that a bound cannot
rule out is valued exactly, and where the best of them is worth more than a bet and a fold, its deals replace theirs.
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
from aceking.cards.card import RANKS, Card, name
from aceking.cards.hand import Category, HandRank
from aceking.exact.exchange import several
from aceking.exact.exchange.counts import DEALER_HANDS_AFTER, STUB, exchange_counts
from aceking.exact.exchange.offers import Dealt, Offers, offers_of, placed_rows
from aceking.exact.exchange.play import Exchanges, Played, UpCard
from aceking.exact.figures import Edge, Values
from aceking.exact.stud.counts import Index
from aceking.exact.stud.dealers import DealerHands
from aceking.exact.stud.money import common_denominator, nets
from aceking.exact.stud.play import Amounts, Results, Worth, figures, play
from aceking.exact.stud.rows import DEALER_HANDS, STATES, UP_SUITS, Rows, stud_rows
from aceking.exact.unpriced import check_exchange
from aceking.rules.book import Book
from aceking.settlement.scenario import Swap

#: Two hands, which card is up, and the card that can come: 837,195,681,722,400.
DEALS = STATES * DEALER_HANDS * STUB


def edge(book: Book) -> Edge:
    """The exact figures of a book under the best play: fold, bet, or give up one card and then fold or bet.

    What is worth the same is decided for the fold before the bet, for the bet before the exchange, and between two
    exchanges for the lower card.
    """
    assert book.dealer is not None, f"{book.id} has no dealer's hand"
    table = ExchangeTable(book)
    results, bets = play(table.stud, table.dealt, scale=table.scale)
    results.times(STUB)
    decisions = {"fold": STATES - bets, "bet": bets, "exchange": 0}
    with _quick_turns(), ThreadPoolExecutor(cores()) as pool:  # numpy lets go of the interpreter while it computes
        for difference, moved in pool.map(table.exchange, range(len(RANKS))):
            results.add(difference)
            decisions = {decision: states + moved[decision] for decision, states in decisions.items()}
    return figures(book, results, deals=DEALS, decisions=decisions)


@contextmanager
def _quick_turns() -> Iterator[None]:
    """Lets threads take turns every millisecond: steps of numpy here are shorter than the usual turn of five."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(min(usual, 0.001))
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def value(book: Book, hand: Sequence[Card], up: Card) -> Values:
    """The exact value of every decision with these five cards against that up-card."""
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


def value_after(book: Book, hand: Sequence[Card], up: Card, swap: Swap) -> Values:
    """What is left to decide once cards were bought, their price counted: `hand` is as dealt, and all are seen."""
    bought = nets(book, exchanged=len(swap.give))
    came = dict(zip(swap.give, swap.take, strict=True))
    bet = DealerHands(book, hand, up).bet_after(swap.take, [came.get(one, one) for one in hand], bought)
    return Values.of({"fold": bought.fold, "bet": bet})


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The exchanges that are made against one rank of the up-card."""

    card: UpCard
    played: Played
    states: Amounts  # for each exchange that was looked at: in how many states it is made
    left: list[tuple[Offers, Index, Amounts]]  # entries of each block that exchange, and how many states they are


class ExchangeTable:
    """A book's counts and money."""

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

    def _dealt(self, rows: Rows, places: Index) -> Dealt:
        worth = Worth.of(self.dealt, rows.block.category, plays=rows.plays, hands=DEALER_HANDS, scale=self.scale)
        least, _ = worth.bounds(rows.unqualified, rows.below, rows.equal)
        ranks = np.stack(rows.block.ranks)
        fours = self._counts.changes.kept[ranks, places]
        return Dealt(rows, worth, ranks, fours, STUB * np.maximum(least, worth.fold))

    def against(self, up: int) -> UpCard:
        """What exchanges are worth against this rank of the up-card."""
        return UpCard(self._counts, up, self._worths)

    def choose(self, up: int, *, folded: bool = False) -> "Chosen | None":
        """Exchanges wherever that is best against this up-card; None where it never is.

        New hands that are folded are among those that come of them where that is asked for.
        """
        card = self.against(up)
        bounds = card.bounds()
        offers = [offer for hands in self._hands if (offer := offers_of(hands, self.stud, up, *bounds)) is not None]
        if not offers:
            return None
        played = card.play(Exchanges.joined([offer.exchanges for offer in offers]), folded=folded)
        chosen = Chosen(card, played, np.zeros(len(played.values), np.int64), [])
        first = 0
        for offer in offers:
            mine = slice(first, first + len(offer.exchanges))
            best = offer.best(played.values[mine])
            chosen.states[mine][best] = UP_SUITS * offer.states[offer.state[best]]
            chosen.left.append((offer, offer.state[best], chosen.states[mine][best]))
            first = mine.stop
        return chosen

    def exchange(self, up: int) -> tuple[Results, Counter[str]]:
        """What the exchanges against this up-card change in the results and the decisions."""
        results = Results()
        moved: Counter[str] = Counter()
        chosen = self.choose(up)
        if chosen is not None:
            for offer, at, states in chosen.left:
                moved.update(self._leave(offer, at, states, results))
            chosen.card.settle_played(chosen.played, chosen.states, self._bought, results)
        return results, moved

    def _leave(self, offer: Offers, at: Index, states: Amounts, results: Results) -> dict[str, int]:
        """Takes back what these states came to without an exchange."""
        bet = offer.bet[at]
        unqualified, below, equal = (-STUB * int(states @ np.where(bet, count[at], 0)) for count in offer.counts)
        bets, folds = int(states[bet].sum()), int(states[~bet].sum())
        deals = DEALER_HANDS * STUB
        results.add_folds(self.dealt, -folds * deals)
        results.add_bets(
            self.dealt, offer.category, deals=-bets * deals, unqualified=unqualified, below=below, equal=equal
        )
        return {"fold": -folds, "bet": -bets, "exchange": folds + bets}
