"""How often two kept cards become each kind of hand, over all 18,424 sets of three community cards.

What two kept cards can become depends on three things only: their ranks, the rank laid aside, and how the suits meet
(`CommunitySuits`). So 91 x 13 x 3 states stand for all 66,300 ways to keep two of three cards. The counts do not depend
on pays: one table serves every pay table with the same thresholds.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np

from aceking.exact.community.boards import CountTable
from aceking.exact.community.kinds import WEIGHTS, CommunityKinds, Small, WholeNumbers

COMMUNITIES = comb(49, 3)

_TWO = np.array(list(combinations_with_replacement(range(13), 2)))
_THREE = np.array(list(combinations_with_replacement(range(13), 3)))
_RANKS = np.arange(13)
_PLACE = np.zeros((13, 13), np.int64)
_PLACE[_TWO[:, 0], _TWO[:, 1]] = _PLACE[_TWO[:, 1], _TWO[:, 0]] = np.arange(len(_TWO))


class CommunitySuits(IntEnum):
    """How the suits of two kept cards and the discard meet, as far as it matters for a flush."""

    MIXED = 0  # the kept cards differ in suit: no flush is possible
    KEPT = 1  # the kept cards share a suit, the discard is of another
    ALL = 2  # all three are of one suit: one card of it is gone


def states(first: WholeNumbers, second: WholeNumbers, discard: WholeNumbers) -> WholeNumbers:
    """Return the row of the table for each two kept cards and card laid aside."""
    suited = (first & 3) == (second & 3)
    suits = np.where(
        suited,
        np.where((discard & 3) == (first & 3), int(CommunitySuits.ALL), int(CommunitySuits.KEPT)),
        int(CommunitySuits.MIXED),
    )
    rows: WholeNumbers = (_PLACE[first >> 2, second >> 2] * 13 + (discard >> 2)) * len(CommunitySuits) + suits
    return rows


def kept_states(cards: WholeNumbers) -> WholeNumbers:
    """Return the row of the table for each three rising cards, by the card laid aside, lowest first."""
    low, middle, high = cards.T
    return np.column_stack((states(middle, high, low), states(low, high, middle), states(low, middle, high)))


@dataclass(frozen=True, slots=True, eq=False)
class CommunityCounts:
    """For each state (a row) the number of communities that make each kind (a column)."""

    kinds: CommunityKinds
    table: WholeNumbers | CountTable


@lru_cache(maxsize=16)
def counts(kinds: CommunityKinds) -> CommunityCounts:
    """Return the counts of all states. Rows that no three cards have, such as a suited pair, have no meaning."""
    plain, suited = kinds.by_weight()
    size = len(kinds.starts)
    # A card laid aside removes the communities that would have held it.
    mixed = _of_ranks(plain, size)[:, None] - _with_a_rank(plain, size)
    gained, missed = _of_one_suit(plain, suited, size)
    kept = mixed + gained[:, None]
    by_suits = {CommunitySuits.MIXED: mixed, CommunitySuits.KEPT: kept, CommunitySuits.ALL: kept - missed}
    table = np.stack([by_suits[suits] for suits in CommunitySuits], axis=2).reshape(-1, size)
    table.flags.writeable = False
    return CommunityCounts(kinds, table)


def _of_ranks(plain: Small, size: int) -> WholeNumbers:
    """Return the kinds that three of the other 50 cards make without flushes, by kept ranks."""
    kind = plain[_weight(_TWO)[:, None] + _weight(_THREE)]
    return _tally(np.arange(len(_TWO))[:, None], kind, size, ways=_ways(_left(_TWO), _THREE))


def _with_a_rank(plain: Small, size: int) -> WholeNumbers:
    """Return the part of `_of_ranks` in which a third card is in the community, by kept ranks and that card's rank."""
    held = np.column_stack([np.repeat(_TWO, 13, axis=0), np.tile(_RANKS, len(_TWO))])
    kind = plain[_weight(held)[:, None] + _weight(_TWO)]
    total = _tally(np.arange(len(held))[:, None], kind, size, ways=_ways(_left(held), _TWO))
    return total.reshape(len(_TWO), 13, size)


def _of_one_suit(plain: Small, suited: Small, size: int) -> tuple[WholeNumbers, WholeNumbers]:
    """Return what changes if three cards of the kept cards' suit make a flush, by kept ranks.

    Each such community moves from its plain kind to its suited one. The second result is the part of this change in
    which one given card of that suit is in the community, by kept ranks and that card's rank.
    """
    five = np.array(list(combinations(range(13), 5)))
    pairs = list(combinations(range(5), 2))
    # Every five ranks are counted for each of their ten pairs: two ranks kept, the other three shared.
    first, second = five[:, [pair[0] for pair in pairs]], five[:, [pair[1] for pair in pairs]]
    shared = five[:, [[place for place in range(5) if place not in pair] for pair in pairs]]
    kept = _PLACE[first, second]
    weight = _weight(five)[:, None]
    gained = _tally(kept, suited[weight], size) - _tally(kept, plain[weight], size)
    place, places = kept[:, :, None] * 13 + shared, len(_TWO) * 13
    to, off = (_tally(place, kind[weight][:, :, None], size, places=places) for kind in (suited, plain))
    return gained, (to - off).reshape(len(_TWO), 13, size)


def _weight(ranks: WholeNumbers) -> WholeNumbers:
    total: WholeNumbers = WEIGHTS[ranks].sum(axis=1)
    return total


def _left(held: WholeNumbers) -> Small:
    """Return how many cards of each rank the deck has left beside each row of held ranks."""
    gone: Small = (held[:, :, None] == _RANKS).sum(axis=1, dtype=np.int16)
    return 4 - gone


def _ways(left: Small, ranks: WholeNumbers) -> Small:
    """Return the ways to give suits to each row of rising ranks, for each deck: n (n-1) / 2 for two of n cards."""
    ways = np.ones((len(left), len(ranks)), np.int16)
    orders = np.ones(len(ranks), np.int16)
    for place, column in enumerate(ranks.T):
        taken = (ranks[:, :place] == column[:, None]).sum(axis=1, dtype=np.int16)
        ways *= left[:, column] - taken
        orders *= taken + 1
    return ways // orders


def _tally(
    place: WholeNumbers, kind: Small, size: int, *, ways: Small | None = None, places: int = len(_TWO)
) -> WholeNumbers:
    """Return how many communities of each kind there are at each place."""
    which, _ = np.broadcast_arrays(place * size + kind, kind)
    if ways is None:
        return np.bincount(which.ravel(), minlength=places * size).reshape(places, size)
    # bincount weighs in floating point; all sums are integers of at most C(50, 3), so they are exact.
    total = np.bincount(which.ravel(), weights=ways.ravel(), minlength=len(ways) * size)
    return total.astype(np.int64).reshape(len(ways), size)
