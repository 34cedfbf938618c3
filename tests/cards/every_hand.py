"""All 2,598,960 hands ranked by the obvious ranker, once for each rule about the ace: the yardstick for all tables."""

from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import HandRank, rank

HANDS = comb(52, 5)

# Hands stand in the order of combinations(); this is how many of them come after those that start with a card.
_AFTER = np.array([[comb(51 - card, 5 - place) for card in range(52)] for place in range(5)])


@dataclass(frozen=True, eq=False)
class EveryHand:
    """Strengths in the order of `combinations(DECK, 5)`."""

    ranks: tuple[HandRank, ...]  # all kinds of hands that were found, weakest first
    obvious: NDArray[np.uint16]  # the place of each hand's rank among them
    fast: NDArray[np.uint16]  # the strength that the table ranker gives

    def of(self, hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """The obvious strengths of hands given as rows of five cards in any order."""
        rising = np.sort(hands, axis=1)
        after: NDArray[np.intp] = np.sum([_AFTER[column][rising[:, column]] for column in range(5)], axis=0)
        return np.take(self.obvious, HANDS - 1 - after)


@cache
def every_hand(*, ace_low: bool) -> EveryHand:
    """Ranks every hand; about ten seconds, spent once."""
    found: dict[HandRank, int] = {}
    strength = ranker(ace_low=ace_low).strength
    first = (found.setdefault(rank(hand, ace_low=ace_low), len(found)) for hand in combinations(DECK, 5))
    seen = np.fromiter(first, np.uint16, HANDS)
    ranks = tuple(sorted(found))
    place = np.empty(len(ranks), np.uint16)
    for number, kind in enumerate(ranks):
        place[found[kind]] = number
    fast = np.fromiter((strength(hand) for hand in combinations(DECK, 5)), np.uint16, HANDS)
    return EveryHand(ranks, place[seen], fast)


def all_hands() -> NDArray[np.uint8]:
    """Every hand as a row, in the order of `combinations(DECK, 5)`."""
    return np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8, 5 * HANDS).reshape(-1, 5)
