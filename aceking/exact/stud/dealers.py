"""One state in full: every hand that the dealer can have against one hand of the player.

This is the direct way: all 163,185 dealer's hands are ranked one by one. It shares no counting with the rows that the
edge is computed from, so each checks the other.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import strengths
from aceking.cards.card import CardError, CardId
from aceking.cards.deck import DECK, one_deck
from aceking.cards.fast import ranker
from aceking.exact.stud.money import StudNets
from aceking.rules.book import Book
from aceking.rules.qualifier import qualifier

_UNSEEN = 46
_HOLE = 4


class DealerHands:
    """All possible hands of the dealer against these five cards. Raises CardError for cards that cannot be."""

    def __init__(self, book: Book, hand: Sequence[CardId], up: CardId) -> None:
        assert book.dealer is not None, f"{book.id} has no dealer's hand"
        if len(hand) != 5:
            raise CardError(f"a hand is five cards, not {len(hand)}")
        one_deck((("the hand", tuple(hand)), ("the dealer's hand", (up,))))
        self._ranker = ranker(ace_low=book.hands.ace_low)
        rules = book.dealer
        self._qualifier = qualifier(rules.qualifies_with, rules.qualifies_too, ace_low=book.hands.ace_low)
        self.unseen = tuple(card for card in DECK if card != up and card not in hand)
        holes = np.array(self.unseen, np.uint8)[_choices()]
        hands = np.concatenate([np.full((len(holes), 1), up, np.uint8), holes], axis=1)
        self._strengths = strengths(hands, ace_low=book.hands.ace_low)
        self._sorted = np.sort(self._strengths)

    def bet(self, hand: Sequence[CardId], money: StudNets) -> Fraction:
        """Return the value of a bet on the hand as dealt, in antes."""
        return self._bet(hand, money, _Counts(self._sorted))

    def bets_after(self, drawn: CardId, hands: Iterable[Sequence[CardId]], money: StudNets) -> list[Fraction]:
        """Return the value of a bet on each of several changed hands; the dealer does not hold the drawn card."""
        holding = np.sort(self._strengths[_choices_with()[self.unseen.index(drawn)]])
        counts = _Counts(self._sorted, without=holding)
        return [self._bet(hand, money, counts) for hand in hands]

    def bet_after(self, drawn: Sequence[CardId], hand: Sequence[CardId], money: StudNets) -> Fraction:
        """Return the value of a bet on a changed hand after these cards were drawn."""
        gone = [self.unseen.index(card) for card in drawn]
        left = ~np.isin(_choices(), gone).any(axis=1)
        return self._bet(hand, money, _Counts(np.sort(self._strengths[left])))

    def _bet(self, hand: Sequence[CardId], money: StudNets, counts: "_Counts") -> Fraction:
        strength = self._ranker.strength(hand)
        gaps = self._qualifier.gaps
        unqualified = sum(counts.below(end) - counts.below(first) for first, end in gaps)
        weaker = sum(counts.below(min(end, strength)) - counts.below(min(first, strength)) for first, end in gaps)
        beaten = counts.below(strength) - weaker
        tied = counts.below(strength + 1) - counts.below(strength) if self._qualifier.plays(strength) else 0
        lost = counts.all - unqualified - beaten - tied
        category, money = self._ranker.categories[strength], money.at(self._ranker.ranks[strength])
        won = money.win[category] * beaten + money.lost(category) * lost
        total = money.unqualified * unqualified + won + money.tie * tied
        return total / counts.all


class _Counts:
    """Numbers of dealer's hands, from their sorted strengths and those of the hands that are impossible."""

    def __init__(self, every: NDArray[np.uint16], without: NDArray[np.uint16] | None = None) -> None:
        self._every = every
        self._without = every[:0] if without is None else without
        self.all = len(every) - len(self._without)

    def below(self, strength: int) -> int:
        """Return the number of weaker hands."""
        return int(np.searchsorted(self._every, strength) - np.searchsorted(self._without, strength))


@cache
def _choices() -> NDArray[np.uint8]:
    """Return all choices of the hole cards among the unseen, by place."""
    flat = chain.from_iterable(combinations(range(_UNSEEN), _HOLE))
    return np.fromiter(flat, np.uint8, _HOLE * comb(_UNSEEN, _HOLE)).reshape(-1, _HOLE)


@cache
def _choices_with() -> NDArray[np.intp]:
    """Return, for each unseen card, the choices that include it."""
    order = np.argsort(_choices().ravel(), kind="stable")
    return order.reshape(_UNSEEN, -1) // _HOLE
