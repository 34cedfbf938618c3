"""The classes of hands that differ in more than the names of suits, and what each may keep: 1,755 of three cards."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations

import numpy as np

from aceking.cards.card import CardId, rank_of, suit_of
from aceking.cards.three import Instant, instant
from aceking.exact.community.counts import kept_states
from aceking.exact.community.kinds import WholeNumbers
from aceking.exact.community.subsets import classes

#: The suits that three different ranks can have, lowest rank first, and how many hands each pattern stands for.
_SUITS = (((0, 0, 0), 4), ((0, 0, 1), 12), ((0, 1, 0), 12), ((1, 0, 0), 12), ((0, 1, 2), 24))


@dataclass(frozen=True, slots=True, eq=False)
class CommunityHands:
    """One hand of each class, its cards rising in rank."""

    cards: WholeNumbers  # a row of cards each
    deals: WholeNumbers  # how many of all hands are in this class
    states: WholeNumbers  # by the cards laid aside, the lower cards first: the row of the counts

    def instants(self, *, ace_low: bool) -> Iterator[tuple[int, Instant]]:
        """Yield the rows of the classes that are instant winners, each with its winner."""
        suits = self.cards & 3
        trips = self.cards[:, 0] >> 2 == self.cards[:, 2] >> 2
        rows = np.flatnonzero((suits == suits[:, :1]).all(axis=1) | trips).tolist()
        for row, three in zip(rows, self.cards[rows].tolist(), strict=True):
            if winner := instant(three, ace_low=ace_low):
                yield row, winner


@cache
def hands() -> CommunityHands:
    """Return all classes of hands of three cards."""
    kinds = (_three_alike(), _two_alike(), _all_different())
    cards = np.sort(np.concatenate([cards for cards, _ in kinds]), axis=1)
    return CommunityHands(cards, np.concatenate([deals for _, deals in kinds]), kept_states(cards))


def hands_of(size: int, *, ways: int) -> CommunityHands:
    """Return all classes of hands of `size` cards; each of the `ways` to lay cards aside has a row of its own."""
    cards, deals = classes(size)
    return CommunityHands(cards, deals, np.arange(len(cards) * ways).reshape(-1, ways))


def _three_alike() -> tuple[WholeNumbers, WholeNumbers]:
    """Return the cards of each class of three of a kind, and its number of hands: four choices of suits."""
    return 4 * np.arange(13)[:, None] + np.arange(3), np.full(13, 4)


def _two_alike() -> tuple[WholeNumbers, WholeNumbers]:
    """Pairs in two suits with a card of one of these suits or of another: six pairs, and two such cards for each."""
    ranks = np.array(list(permutations(range(13), 2)))[:, None, [0, 0, 1]]
    cards = (4 * ranks + [(0, 1, 0), (0, 1, 2)]).reshape(-1, 3)
    return cards, np.full(len(cards), 12)


def _all_different() -> tuple[WholeNumbers, WholeNumbers]:
    """Three ranks, in every pattern of suits."""
    ranks = np.array(list(combinations(range(13), 3)))[:, None]
    cards = (4 * ranks + [suits for suits, _ in _SUITS]).reshape(-1, 3)
    return cards, np.tile([deals for _, deals in _SUITS], len(ranks))


def rising(hand: Sequence[CardId]) -> tuple[CardId, ...]:
    """Return the cards in the order in which their discards are named: lowest rank first."""
    return tuple(sorted(hand))


def class_of(three: Sequence[CardId]) -> tuple[CardId, ...]:
    """Return the representative of the hand's class; equal for hands that differ only in the names of suits."""

    def renamed(suits: Sequence[int]) -> tuple[CardId, ...]:
        return tuple(sorted(CardId(rank_of(card) * 4 + suits[suit_of(card)]) for card in three))

    return min(renamed(suits) for suits in permutations(range(4)))
