"""A strategy as a look-up table: by kind of hand and rank of the up-card, and by suits if these decide.

Nearly every kind of hand is played alike for all suits, so one look-up decides it. The few kinds whose play depends on
the cards held in the up-card's suit have a key, which is searched among the sorted keys of just these kinds.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import Column, Strengths
from aceking.cards.card import RANKS, SUITS
from aceking.simulation.chance import Deals
from aceking.simulation.games.game import Codes, RowPlaces

#: The codes of decisions; GIVE plus a rank gives up a card of that rank.
FOLD, BET, GIVE_ODD, GIVE = 0, 1, 2, 3
#: The largest bet, if the player chooses the size.
LARGE = 2
#: In the table by kinds: the play depends on suits; there is no such hand.
MIXED, NONE = 254, 255

_SETS = 1 << len(RANKS)
_ODDS = 16


@dataclass(frozen=True, slots=True, eq=False)
class DecisionRows:
    """Hands against up-cards as a strategy distinguishes them, one entry each."""

    kind: RowPlaces  # strength of the hand times 13, and the rank of the up-card
    suited: NDArray[np.int64]  # the ranks held in the up-card's suit, as bits
    odd: NDArray[np.int64]  # the rank of the odd card beside four of one suit, plus one; 0: there are no four

    def where(self, chosen: NDArray[np.bool_]) -> "DecisionRows":
        """Return the rows where `chosen` is true."""
        return DecisionRows(self.kind[chosen], self.suited[chosen], self.odd[chosen])

    @property
    def keys(self) -> NDArray[np.int64]:
        """A number that identifies each entry."""
        return (self.kind * _SETS + self.suited) * _ODDS + self.odd


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """The decision for every hand."""

    by_kind: Codes
    keys: NDArray[np.int64]  # of the hands whose kind is MIXED, rising
    codes: Codes

    @classmethod
    def of(cls, rows: DecisionRows, codes: Codes, *, kinds: int) -> "Decisions":
        """Return the table in which each row has its code."""
        by_kind = np.full(kinds, NONE, np.uint8)
        by_kind[rows.kind] = codes
        by_kind[rows.kind[by_kind[rows.kind] != codes]] = MIXED
        mixed = np.flatnonzero(by_kind[rows.kind] == MIXED)
        keys = rows.keys[mixed]
        order = np.argsort(keys)
        return cls(by_kind, keys[order], codes[mixed][order])

    def of_mixed(self, rows: DecisionRows) -> Codes:
        """Return the decisions for hands whose kind is MIXED."""
        at = np.searchsorted(self.keys, rows.keys)
        assert (self.keys[at] == rows.keys).all(), "every hand has a decision"
        return self.codes[at]


def kinds(strength: Strengths, up_rank: Column) -> RowPlaces:
    """Return the kind of each hand against its up-card."""
    kind = strength.astype(np.uint32)  # arithmetic on 32 bits is faster than on the 64 of an index
    kind *= np.uint32(len(RANKS))
    kind += up_rank
    return kind.astype(np.intp)


def suited_with(hand: Deals, up: Column) -> NDArray[np.int64]:
    """Return the ranks that hands (a column each) hold in the suit of their up-cards, as bits."""
    bits = np.zeros(hand.shape[1], np.uint16)
    for cards in hand:
        of_suit = (cards ^ up) & (len(SUITS) - 1) == 0
        bits |= np.left_shift(of_suit, cards >> 2, dtype=np.uint16)
    return bits.astype(np.int64)
