"""What it is worth to see more than the book shows: sampled, with its standard error.

A state is the player's hand, the dealer's cards that are seen, and the hands of others that are known. For each sampled
state every completion of the dealer's hand is played, so that only the choice of states is chance. The estimate leans
on a rule whose exact edge is known and is played on the same states.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import strengths
from aceking.cards.fast import ranker
from aceking.cards.hand import HandRank, weakest
from aceking.exact.stud.states import states
from aceking.rules.book import Book


@dataclass(frozen=True, slots=True)
class Sampled:
    """An estimate in antes, from the player's side, with its standard error."""

    net_per_ante: float
    standard_error: float
    samples: int


def seeing(book: Book, *, dealer_cards: int = 1, hands: int = 1, samples: int, seed: int) -> Sampled:
    """What perfect play wins for a player who sees so many dealer cards and so many hands, his own included."""
    assert book.dealer is not None, "a game against a dealer"
    assert 1 <= dealer_cards <= 5
    chance = np.random.Generator(np.random.Philox(seed))
    lean_on = weakest("A K J 8 3")
    known = float(_exact(book, lean_on))
    worth = _Worth(book)
    border = ranker(ace_low=book.hands.ace_low).strength_of(lean_on)
    seen = 5 * hands + dealer_cards
    choices = np.array(list(combinations(range(52 - seen), 5 - dealer_cards)), dtype=np.intp)
    gains = np.empty(samples)
    for number in range(samples):
        deck = chance.permutation(52).astype(np.uint8)
        own, shown, rest = deck[:5], deck[5 * hands : seen], deck[seen:]
        dealer = np.empty((len(choices), 5), dtype=np.uint8)
        dealer[:, :dealer_cards] = shown
        dealer[:, dealer_cards:] = rest[choices]
        strength = int(strengths(own[np.newaxis, :], ace_low=book.hands.ace_low)[0])
        bet = worth.of_bet(strength, strengths(dealer, ace_low=book.hands.ace_low))
        gains[number] = max(bet, -1.0) - (bet if strength >= border else -1.0)
    return Sampled(known + float(gains.mean()), float(gains.std(ddof=1)) / sqrt(samples), samples)


def _exact(book: Book, border: HandRank) -> Fraction:
    """The exact net of betting from a border on."""
    table = states(book)
    return table.edge(table.not_below(border)).net_per_ante


class _Worth:
    """What a bet brings against many dealer hands."""

    def __init__(self, book: Book) -> None:
        assert book.dealer is not None
        assert isinstance(book.ante.pays, Fraction)
        table = ranker(ace_low=book.hands.ace_low)
        self.qualifies = table.strength_of(book.dealer.qualifies_with)
        self.unqualified = float(book.dealer.unqualified_ante)
        self.lost = -1.0 - book.bet.antes
        ante, antes = book.ante.pays, book.bet.antes
        self.won = [float(ante + antes * book.bet.pays[category]) for category in table.categories]

    def of_bet(self, strength: int, dealer: NDArray[np.uint16]) -> float:
        """The mean over all dealer hands."""
        plays = dealer >= self.qualifies
        wins = int(np.count_nonzero(plays & (dealer < strength)))
        loses = int(np.count_nonzero(plays & (dealer > strength)))
        idle = len(dealer) - int(np.count_nonzero(plays))
        return (idle * self.unqualified + wins * self.won[strength] + loses * self.lost) / len(dealer)
