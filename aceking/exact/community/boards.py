"""How often kept cards become each kind of hand, for any number of cards dealt, shared and laid aside.

The kept cards and the board make five cards. Let G(S) be the number of hands of five that hold the cards S, by kind.
The number of boards for the kept cards K that hold none of the cards D laid aside is, by inclusion and exclusion, the
sum over all subsets X of D of G(K and X), with a minus sign if X has an odd number of cards: a board that holds X makes
a hand that holds K and X. So a count of all 2,598,960 hands of five, by each small set of their cards, serves every
hand that can be dealt.
"""

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aceking.exact.community.kinds import WEIGHTS, CommunityKinds, Small, WholeNumbers
from aceking.exact.community.subsets import DECK, place, subsets

_FIVE = 5
CountTable = NDArray[np.int32]


class Shape(NamedTuple):
    """The number of cards of a hand, on the board, and laid aside."""

    cards: int
    community: int
    discards: int

    @property
    def hands(self) -> int:
        """The number of hands that can be dealt."""
        return comb(DECK, self.cards)

    @property
    def boards(self) -> int:
        """The number of boards for each hand."""
        return comb(DECK - self.cards, self.community)

    @property
    def aside(self) -> tuple[tuple[int, ...], ...]:
        """The ways to lay cards aside, as places among rising cards; lower cards first."""
        return tuple(combinations(range(self.cards), self.discards))


def rows(kinds: CommunityKinds, shape: Shape, cards: WholeNumbers) -> CountTable:
    """Return how many boards make each kind, by hand (of rising cards) and by way to lay cards aside."""
    assert shape.cards - shape.discards + shape.community == _FIVE, "kept cards and board are five"
    counts = np.zeros((len(cards), len(shape.aside), len(kinds.starts)), np.int32)
    for way, aside in enumerate(shape.aside):
        kept = [at for at in range(shape.cards) if at not in aside]
        for number in range(len(aside) + 1):
            for more in combinations(aside, number):
                held = sorted((*kept, *more))
                part = holding(kinds, len(held))[place(cards[:, held])]
                counts[:, way] += -part if number % 2 else part
    return counts


@lru_cache(maxsize=16)
def holding(kinds: CommunityKinds, size: int) -> CountTable | NDArray[np.int8]:
    """Return how many hands of five of each kind hold each set of `size` cards, by the set's place."""
    kind, number = _kind_of_five(kinds), len(kinds.starts)
    if size == _FIVE:
        alone: NDArray[np.int8] = (kind[:, None] == np.arange(number)).astype(np.int8)
        return alone
    every, total = subsets(_FIVE), np.zeros(comb(DECK, size) * number, np.int64)
    for held in combinations(range(_FIVE), size):
        total += np.bincount(place(every[:, held]) * number + kind, minlength=len(total))
    return total.astype(np.int32).reshape(-1, number)


@lru_cache(maxsize=4)
def _kind_of_five(kinds: CommunityKinds) -> Small:
    """Return the kind of every hand of five cards."""
    plain, suited = kinds.by_weight()
    every = subsets(_FIVE)
    weight = np.zeros(len(every), np.int64)
    flush = np.ones(len(every), np.bool_)
    for column in every.T:
        weight += WEIGHTS[column >> 2]
        flush &= column & 3 == every[:, 0] & 3
    return np.where(flush, suited[weight], plain[weight])
