"""How often kept cards become each kind of hand, for every shape: so many cards dealt, shared and laid aside.

What is kept makes five cards with the board. Let G(S) be how many hands of five hold the cards S, by kind. The boards
for the kept cards K that hold none of the cards D laid aside are, by inclusion and exclusion, the sum over all X within
D of G(K and X), with a minus where X has an odd number of cards: a board that holds X makes a hand that holds K and X.
So a count of all 2,598,960 hands of five, by each few of their cards, serves every hand that can be dealt.
"""

from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aceking.exact.community.kinds import WEIGHTS, Kinds, Small, Whole
from aceking.exact.community.subsets import DECK, place, subsets

_FIVE = 5
Table = NDArray[np.int32]


class Shape(NamedTuple):
    """Cards of a hand, cards on the board, cards laid aside."""

    cards: int
    community: int
    discards: int

    @property
    def hands(self) -> int:
        """How many hands can be dealt."""
        return comb(DECK, self.cards)

    @property
    def boards(self) -> int:
        """How many boards can come with each hand."""
        return comb(DECK - self.cards, self.community)

    @property
    def aside(self) -> tuple[tuple[int, ...], ...]:
        """The ways to lay cards aside, as places among rising cards; the lower cards go first."""
        return tuple(combinations(range(self.cards), self.discards))


def rows(kinds: Kinds, shape: Shape, cards: Whole) -> Table:
    """For hands of rising cards: by each way to lay cards aside, how many boards make each kind."""
    assert shape.cards - shape.discards + shape.community == _FIVE, "kept cards and board are five"
    found = np.zeros((len(cards), len(shape.aside), len(kinds.starts)), np.int32)
    for way, aside in enumerate(shape.aside):
        kept = [one for one in range(shape.cards) if one not in aside]
        for number in range(len(aside) + 1):
            for more in combinations(aside, number):
                held = sorted((*kept, *more))
                part = holding(kinds, len(held))[place(cards[:, held])]
                found[:, way] += -part if number % 2 else part
    return found


@lru_cache(maxsize=16)
def holding(kinds: Kinds, size: int) -> Table | NDArray[np.int8]:
    """By the place of every set of so many cards: how many hands of five hold it, of each kind."""
    kind, number = _kind_of_five(kinds), len(kinds.starts)
    if size == _FIVE:
        alone: NDArray[np.int8] = (kind[:, None] == np.arange(number)).astype(np.int8)
        return alone
    every, total = subsets(_FIVE), np.zeros(comb(DECK, size) * number, np.int64)
    for held in combinations(range(_FIVE), size):
        total += np.bincount(place(every[:, held]) * number + kind, minlength=len(total))
    return total.astype(np.int32).reshape(-1, number)


@lru_cache(maxsize=4)
def _kind_of_five(kinds: Kinds) -> Small:
    """The kind of every hand of five cards."""
    plain, suited = kinds.by_weight()
    every = subsets(_FIVE)
    weight = np.zeros(len(every), np.int64)
    flush = np.ones(len(every), np.bool_)
    for column in every.T:
        weight += WEIGHTS[column >> 2]
        flush &= column & 3 == every[:, 0] & 3
    return np.where(flush, suited[weight], plain[weight])
