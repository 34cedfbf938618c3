"""Every hand that the dealer can have, by plain enumeration with the obvious ranker: the yardstick of the counting."""

from bisect import bisect_left
from copy import copy
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import CardId
from aceking.cards.hand import HandRank, rank
from aceking.rules.book import Book
from tests.cards.every_hand import EveryHand, every_hand


class DealerEnumerated:
    """All 163,185 hands with this up-card and none of the player's cards."""

    def __init__(self, hand: tuple[CardId, ...], up: CardId, *, ace_low: bool) -> None:
        self.every: EveryHand = every_hand(ace_low=ace_low)
        unseen = np.array([card for card in range(52) if card != up and card not in hand], np.uint8)
        self.holes = unseen[_choices()]
        hands = np.concatenate([np.full((len(self.holes), 1), up, np.uint8), self.holes], axis=1)
        self.strengths = self.every.of(hands)

    def without(self, drawn: CardId) -> "DealerEnumerated":
        """Those that do not hold a card that the player has drawn: 148,995."""
        rest = copy(self)
        kept = (self.holes != drawn).all(axis=1)
        rest.holes, rest.strengths = self.holes[kept], self.strengths[kept]
        return rest

    def counts(self, hand: tuple[CardId, ...], qualifier: HandRank) -> tuple[int, int, int]:
        """The dealer's hands that do not qualify, that qualify and are below the player's, and that qualify and tie."""
        mine = self.every.of(np.array([hand], np.uint8))[0]
        qualified = self.strengths[self.strengths >= bisect_left(self.every.ranks, qualifier)]
        unqualified = len(self.strengths) - len(qualified)
        return unqualified, int((qualified < mine).sum()), int((qualified == mine).sum())

    def bet(self, book: Book, hand: tuple[CardId, ...], *, exchanged: bool = False) -> Fraction:
        """The value of a bet, in antes, from the rules of the book."""
        assert book.dealer is not None
        unqualified, beaten, tied = self.counts(hand, book.dealer.qualifies_with)
        lost = len(self.strengths) - unqualified - beaten - tied
        price, pays = 0, book.bet.pays
        if exchanged:
            assert book.exchange is not None
            price, pays = book.exchange.price_antes, book.exchange.pays
        assert book.ante.pays == 1, "the books with a dealer pay the ante even money"
        won = 1 + book.bet.antes * pays[rank(hand, ace_low=book.hands.ace_low).category]
        assert book.dealer.unqualified_ante is not None
        total = unqualified * book.dealer.unqualified_ante + beaten * won - lost * (1 + book.bet.antes)
        return Fraction(total) / len(self.strengths) - price


@cache
def _choices() -> NDArray[np.uint8]:
    flat = chain.from_iterable(combinations(range(46), 4))
    return np.fromiter(flat, np.uint8, 4 * comb(46, 4)).reshape(-1, 4)
