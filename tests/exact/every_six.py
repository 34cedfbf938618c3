"""All 20,358,520 hands of six, each the best of its six fives, by the ranker of arrays."""

from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import strengths
from aceking.cards.fast import ranker


@cache
def every_six() -> NDArray[np.int64]:
    """How many of them have a best five of each strength.

    Fives are numbered by their cards from the highest down, so that those below a card come first, and those with it
    and four lower ones next: the sixes with that highest card are the fives below it, each with the card added.
    """
    choose = np.array([[comb(card, size) for card in range(52)] for size in range(6)], np.int32)
    fives = np.array(list(combinations(range(52), 5)), np.uint8)
    fives = fives[np.argsort(sum(choose[place + 1][fives[:, place]] for place in range(5)))]
    strength = strengths(fives, ace_low=True)
    fours = [
        sum(choose[place + 1][card] for place, card in enumerate(np.delete(fives, gone, axis=1).T)) for gone in range(5)
    ]
    found = np.zeros(len(ranker(ace_low=True).ranks), np.int64)
    for card in range(5, 52):
        below = comb(card, 5)
        best = strength[:below].copy()
        for four in fours:
            np.maximum(best, strength[below + four[:below]], out=best)
        found += np.bincount(best, minlength=len(found))
    return found
