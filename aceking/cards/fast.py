"""The table-driven ranker for one hand at a time: one addition per card and one look-up.

Its tables are made by the obvious ranker from one hand of each kind, and a test proves both equal on all
2,598,960 hands. A strength is a hand's place among all kinds of hands, 0 for the weakest.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement

from aceking.cards.card import Card
from aceking.cards.hand import Category, HandRank, rank

# Three bits count the cards of each rank, so the sum over five cards names their ranks and nothing else.
_RANK_KEY = tuple(1 << 3 * (number >> 2) for number in range(52))


class Ranker:
    """Ranks five cards by table, under one rule about the ace."""

    __slots__ = ("_flush", "_plain", "categories", "ranks")

    def __init__(self, *, ace_low: bool) -> None:
        plain: dict[int, HandRank] = {}
        for values in combinations_with_replacement(range(13), 5):
            if values[0] != values[4]:
                hand = _of_mixed_suits(values)
                plain[sum(_RANK_KEY[one] for one in hand)] = rank(hand, ace_low=ace_low)
        flush: dict[int, HandRank] = {}
        for values in combinations(range(13), 5):
            hand = [Card(4 * value) for value in values]
            flush[sum(_RANK_KEY[one] for one in hand)] = rank(hand, ace_low=ace_low)
        #: every kind of hand, weakest first: the index is the strength
        self.ranks: tuple[HandRank, ...] = tuple(sorted({*plain.values(), *flush.values()}))
        self.categories: tuple[Category, ...] = tuple(ranked.category for ranked in self.ranks)
        strength = {ranked: number for number, ranked in enumerate(self.ranks)}
        self._plain = {key: strength[ranked] for key, ranked in plain.items()}
        self._flush = {key: strength[ranked] for key, ranked in flush.items()}

    def strength(self, hand: Sequence[Card]) -> int:
        """The place of five cards among all kinds of hands."""
        a, b, c, d, e = hand
        key = _RANK_KEY[a] + _RANK_KEY[b] + _RANK_KEY[c] + _RANK_KEY[d] + _RANK_KEY[e]
        if a & 3 == b & 3 == c & 3 == d & 3 == e & 3:
            return self._flush[key]
        return self._plain[key]

    def strength_of(self, ranked: HandRank) -> int:
        """The strength of a rank, such as a threshold."""
        return self.ranks.index(ranked)


def _of_mixed_suits(values: tuple[int, ...]) -> list[Card]:
    """A hand of these rising ranks that is no flush: equal ranks take suits in turn, else the last card differs."""
    hand = [Card(4 * value + values[:place].count(value)) for place, value in enumerate(values)]
    if len({one & 3 for one in hand}) == 1:
        hand[4] = Card(hand[4] + 1)
    return hand


@cache
def ranker(*, ace_low: bool) -> Ranker:
    """The one ranker for each rule about the ace."""
    return Ranker(ace_low=ace_low)
