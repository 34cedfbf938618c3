"""How often two kept cards become each kind of hand, over all 18,424 sets of three community cards.

What can come of two kept cards depends on three things only: their ranks, the rank laid aside, and how the suits meet
(`Suits`). So 91 x 13 x 3 states stand for all 66,300 ways to keep two of three cards. The counts know no pays: one
table serves every pay table with the same thresholds.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np

from aceking.exact.community.boards import Table
from aceking.exact.community.kinds import WEIGHTS, Kinds, Small, Whole

COMMUNITIES = comb(49, 3)

_TWO = np.array(list(combinations_with_replacement(range(13), 2)))
_THREE = np.array(list(combinations_with_replacement(range(13), 3)))
_RANKS = np.arange(13)
_PLACE = np.zeros((13, 13), np.int64)
_PLACE[_TWO[:, 0], _TWO[:, 1]] = _PLACE[_TWO[:, 1], _TWO[:, 0]] = np.arange(len(_TWO))


class Suits(IntEnum):
    """How the suits of two kept cards and the discard meet, as far as it matters for a flush."""

    MIXED = 0  # the kept cards differ in suit: no flush can come
    KEPT = 1  # the kept cards share a suit, the discard is of another
    ALL = 2  # all three are of one suit: one card of it is gone


def states(first: Whole, second: Whole, discard: Whole) -> Whole:
    """The row of the table for each two cards kept and card laid aside."""
    suited = (first & 3) == (second & 3)
    suits = np.where(suited, np.where((discard & 3) == (first & 3), int(Suits.ALL), int(Suits.KEPT)), int(Suits.MIXED))
    rows: Whole = (_PLACE[first >> 2, second >> 2] * 13 + (discard >> 2)) * len(Suits) + suits
    return rows


def kept_states(cards: Whole) -> Whole:
    """For each three rising cards, by the card laid aside, lowest first: the row of the table."""
    low, middle, high = cards.T
    return np.column_stack((states(middle, high, low), states(low, high, middle), states(low, middle, high)))


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """For each state (a row) the number of communities that make each kind (a column)."""

    kinds: Kinds
    table: Whole | Table


@lru_cache(maxsize=16)
def counts(kinds: Kinds) -> Counts:
    """The counts of all states; rows that no three cards have, such as a suited pair, are without meaning."""
    plain, suited = kinds.by_weight()
    size = len(kinds.starts)
    # A card laid aside takes away the communities that would have held it.
    mixed = _of_ranks(plain, size)[:, None] - _with_a_rank(plain, size)
    gained, missed = _of_one_suit(plain, suited, size)
    kept = mixed + gained[:, None]
    by_suits = {Suits.MIXED: mixed, Suits.KEPT: kept, Suits.ALL: kept - missed}
    table = np.stack([by_suits[suits] for suits in Suits], axis=2).reshape(-1, size)
    table.flags.writeable = False
    return Counts(kinds, table)


def _of_ranks(plain: Small, size: int) -> Whole:
    """By kept ranks: the kinds that three of the other 50 cards make, flushes left out."""
    kind = plain[_weight(_TWO)[:, None] + _weight(_THREE)]
    return _tally(np.arange(len(_TWO))[:, None], kind, size, ways=_ways(_left(_TWO), _THREE))


def _with_a_rank(plain: Small, size: int) -> Whole:
    """By kept ranks and the rank of a third card: the part of `_of_ranks` in which that card is in the community."""
    held = np.column_stack([np.repeat(_TWO, 13, axis=0), np.tile(_RANKS, len(_TWO))])
    kind = plain[_weight(held)[:, None] + _weight(_TWO)]
    total = _tally(np.arange(len(held))[:, None], kind, size, ways=_ways(_left(held), _TWO))
    return total.reshape(len(_TWO), 13, size)


def _of_one_suit(plain: Small, suited: Small, size: int) -> tuple[Whole, Whole]:
    """By kept ranks: what is won and lost when three cards of the kept cards' own suit make a flush after all.

    Each such community leaves its plain kind for its suited one. Second, by a rank of that suit besides: the part of
    this change in which that rank's card is in the community.
    """
    five = np.array(list(combinations(range(13), 5)))
    pairs = list(combinations(range(5), 2))
    # Every five ranks are seen from each of their ten pairs: the two kept, the other three shared.
    first, second = five[:, [pair[0] for pair in pairs]], five[:, [pair[1] for pair in pairs]]
    shared = five[:, [[place for place in range(5) if place not in pair] for pair in pairs]]
    kept = _PLACE[first, second]
    weight = _weight(five)[:, None]
    gained = _tally(kept, suited[weight], size) - _tally(kept, plain[weight], size)
    place, places = kept[:, :, None] * 13 + shared, len(_TWO) * 13
    to, off = (_tally(place, kind[weight][:, :, None], size, places=places) for kind in (suited, plain))
    return gained, (to - off).reshape(len(_TWO), 13, size)


def _weight(ranks: Whole) -> Whole:
    total: Whole = WEIGHTS[ranks].sum(axis=1)
    return total


def _left(held: Whole) -> Small:
    """How many cards of each rank the deck has left beside each row of held ranks."""
    gone: Small = (held[:, :, None] == _RANKS).sum(axis=1, dtype=np.int16)
    return 4 - gone


def _ways(left: Small, ranks: Whole) -> Small:
    """In how many suits each row of rising ranks can come, for each deck: n (n-1) / 2 for two of a rank's n cards."""
    ways = np.ones((len(left), len(ranks)), np.int16)
    orders = np.ones(len(ranks), np.int16)
    for place, column in enumerate(ranks.T):
        taken = (ranks[:, :place] == column[:, None]).sum(axis=1, dtype=np.int16)
        ways *= left[:, column] - taken
        orders *= taken + 1
    return ways // orders


def _tally(place: Whole, kind: Small, size: int, *, ways: Small | None = None, places: int = len(_TWO)) -> Whole:
    """How many communities of each kind there are at each place."""
    which, _ = np.broadcast_arrays(place * size + kind, kind)
    if ways is None:
        return np.bincount(which.ravel(), minlength=places * size).reshape(places, size)
    # bincount weighs in floating point; all sums are whole numbers of at most C(50, 3), so they are exact.
    total = np.bincount(which.ravel(), weights=ways.ravel(), minlength=len(ways) * size)
    return total.astype(np.int64).reshape(len(ways), size)
