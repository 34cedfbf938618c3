"""All 2,598,960 hands ranked by the obvious ranker, for each rule about the ace: the yardstick for all tables."""

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import CardId
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
    ace_low: bool

    @cached_property
    def fast(self) -> NDArray[np.uint16]:
        """The strength that the table ranker gives."""
        strength = ranker(ace_low=self.ace_low).strength
        return np.fromiter((strength(hand) for hand in combinations(DECK, 5)), np.uint16, HANDS)

    def of(self, hands: NDArray[np.uint8]) -> NDArray[np.uint16]:
        """The obvious strengths of hands given as rows of five cards in any order."""
        rising = np.sort(hands, axis=1)
        after: NDArray[np.intp] = np.sum([_AFTER[column][rising[:, column]] for column in range(5)], axis=0)
        return np.take(self.obvious, HANDS - 1 - after)


@cache
def every_hand(*, ace_low: bool) -> EveryHand:
    """All hands by one of each kind: those of the same ranks, in one suit or not. A proof ranks them one by one."""
    hands = all_hands()
    suits = hands % 4
    suited = (suits == suits[:, :1]).all(axis=1)
    kinds = suited + 2 * ((hands // 4).astype(np.int64) @ 13 ** np.arange(5))
    _, first, kind_of = np.unique(kinds, return_index=True, return_inverse=True)
    ranked = [rank([CardId(int(card)) for card in hands[place]], ace_low=ace_low) for place in first]
    ranks = tuple(sorted(set(ranked)))
    places = {kind: place for place, kind in enumerate(ranks)}
    return EveryHand(ranks, np.array([places[one] for one in ranked], np.uint16)[kind_of], ace_low)


def one_by_one(*, ace_low: bool) -> EveryHand:
    """All hands, each ranked by itself: about eight seconds."""
    found: dict[HandRank, int] = {}
    first = (found.setdefault(rank(hand, ace_low=ace_low), len(found)) for hand in combinations(DECK, 5))
    seen = np.fromiter(first, np.uint16, HANDS)
    ranks = tuple(sorted(found))
    place = np.empty(len(ranks), np.uint16)
    for number, kind in enumerate(ranks):
        place[found[kind]] = number
    return EveryHand(ranks, place[seen], ace_low)


@cache
def all_hands() -> NDArray[np.uint8]:
    """Every hand as a row, in the order of `combinations(DECK, 5)`."""
    found = np.fromiter(chain.from_iterable(combinations(range(52), 5)), np.uint8, 5 * HANDS).reshape(-1, 5)
    found.flags.writeable = False
    return found
