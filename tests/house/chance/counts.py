"""What is counted of deals, and how far it lies from what it should be.

Each line is a test with an exact expectation. Cards by places are no plain chi-squared, for a deal has each card once:
the counts have the covariance of permutation matrices, and (n - 1) / N times their squares is chi-squared of (n - 1)^2.
"""

from collections.abc import Sequence
from functools import cache
from math import comb, factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import strengths
from aceking.cards.fast import ranker
from tests.house.chance.deals import DECK, Bytes, Deals
from tests.simulation.torture import chance_above

#: Of 2,598,960 hands, weakest first: the counts that every book of cards has.
HANDS = (1_302_540, 1_098_240, 123_552, 54_912, 10_200, 5_108, 3_744, 624, 36, 4)
#: Classes that are expected less often are counted together.
EXPECTED_MIN = 20
_PAIRS = DECK * (DECK - 1)
#: Bits on which linear complexity is tried: a Mersenne Twister is found out by 39,874.
BITS = 45_000
_Counts = NDArray[np.int64]


class Found(NamedTuple):
    """One test. `chance`: how often a right shuffle lies as far off, or further, to either side."""

    what: str
    measured: str
    chance: float


class Counts:
    """Counts deals as they come; what it keeps does not grow."""

    def __init__(self) -> None:
        self.deals = 0
        self._places = np.zeros((DECK, DECK), np.int64)
        self._pairs = np.zeros((DECK - 1, DECK * DECK), np.int64)
        self._falls = np.zeros(DECK, np.int64)  # by how often a card is lower than the one before
        self._rising = np.zeros(DECK, np.int64)  # the same, of the places of the cards in their order
        self._hands = {"the first five cards": slice(0, 5), "the last five cards": slice(DECK - 5, DECK)}
        self._ranked = {name: np.zeros(len(HANDS), np.int64) for name in self._hands}
        self._next = np.zeros(DECK * DECK, np.int64)
        self._told = np.zeros((256, DECK), np.int64)  # by bit of the commitment and card on top
        self._agree = np.zeros((256, 256), np.int64)  # by bit of the seed and bit of the commitment
        self._set = np.zeros(256, np.int64)
        self._low: list[int] = []

    def add(self, deals: Deals) -> None:
        """Count more deals."""
        orders = deals.orders
        self.deals += len(deals)
        wide = orders.astype(np.int64)
        for place in range(DECK):
            self._places[place] += np.bincount(orders[:, place], minlength=DECK)
        for place in range(DECK - 1):
            self._pairs[place] += np.bincount(wide[:, place] * DECK + wide[:, place + 1], minlength=DECK * DECK)
        self._falls += _falls(orders)
        self._rising += _falls(np.argsort(orders, axis=1).astype(np.uint8))
        categories = np.array(ranker(ace_low=True).categories)
        for name, where in self._hands.items():
            ranked = categories[strengths(np.ascontiguousarray(orders[:, where]))]
            self._ranked[name] += np.bincount(ranked, minlength=len(HANDS))
        even = len(deals) // 2 * 2
        self._next += np.bincount(wide[0:even:2, 0] * DECK + wide[1:even:2, 0], minlength=DECK * DECK)
        self._secrets(deals)

    def _secrets(self, deals: Deals) -> None:
        """Bits as float32, for that is what numpy multiplies quickly; sums stay below 2^24 and so are exact."""
        seed = np.unpackbits(deals.seeds, axis=1).astype(np.float32)
        shown = np.unpackbits(deals.commitments, axis=1).astype(np.float32)
        assert len(deals) < 2**24
        top = np.zeros((len(deals), DECK), np.float32)
        top[np.arange(len(deals)), deals.orders[:, 0]] = 1
        self._told += (shown.T @ top).astype(np.int64)
        both = (seed.T @ shown).astype(np.int64)
        ones_seed, ones_shown = seed.sum(0).astype(np.int64), shown.sum(0).astype(np.int64)
        self._agree += len(deals) - ones_seed[:, None] - ones_shown[None, :] + 2 * both
        self._set += ones_seed
        self._low += (deals.orders[: BITS - len(self._low), 0] & 1).tolist()

    def found(self) -> list[Found]:
        """Return the result of every test for which there are enough deals."""
        tests = [self._by_place(), *self._in_pairs(), *self._runs(), *self._by_hand(), *self._next_deal()]
        return [*tests, *self._bits(), self._foreseen()]

    def _by_place(self) -> Found:
        off = ((self._places - self.deals / DECK) ** 2).sum() * (DECK - 1) / self.deals
        return _squared("each card at each place", float(off), (DECK - 1) ** 2)

    def _in_pairs(self) -> list[Found]:
        if self.deals < _PAIRS * EXPECTED_MIN:
            return []
        tests = [self._pair(place) for place in range(DECK - 1)]
        worst = min(tests, key=lambda one: one.chance)
        many = f"51 x {_PAIRS} neighbours, the furthest off"
        return [Found(many, worst.measured, min(1.0, worst.chance * len(tests)))]

    def _pair(self, place: int) -> Found:
        seen = self._pairs[place][np.arange(DECK * DECK) % (DECK + 1) != 0]
        assert seen.sum() == self.deals, "no card follows itself"
        return _classes("", seen, [1] * _PAIRS)

    def _runs(self) -> list[Found]:
        return [
            _classes("falls from card to card (Eulerian)", self._falls, eulerian(DECK)),
            _classes("rising sequences (Eulerian)", self._rising, eulerian(DECK)),
        ]

    def _by_hand(self) -> list[Found]:
        return [_classes(f"{name}: hands", seen, HANDS) for name, seen in self._ranked.items()]

    def _next_deal(self) -> list[Found]:
        if self.deals // 2 < DECK * DECK * EXPECTED_MIN:
            return []
        return [_classes("card on top and the next deal's", self._next, [1] * DECK * DECK)]

    def _bits(self) -> list[Found]:
        """Under each card and beside each bit of the seed, a bit of the commitment is set half of the time."""
        tops = self._places[0]
        under = ((self._told - tops / 2) ** 2 / np.maximum(tops, 1) * 4).sum()
        beside = ((self._agree - self.deals / 2) ** 2).sum() * 4 / self.deals
        seed = ((self._set - self.deals / 2) ** 2).sum() * 4 / self.deals
        return [
            _squared("commitment against the card on top", float(under), 256 * int((tops > 0).sum())),
            _squared("commitment against the seed, bit by bit", float(beside), 256 * 256),
            _squared("bits of the seeds", float(seed), 256),
        ]

    def _foreseen(self) -> Found:
        length, bits = complexity(self._low), len(self._low)
        return Found(f"shortest linear rule for {bits:,} deals", f"{length:,} bits", chance_of_complexity(length, bits))


def _falls(orders: Bytes) -> _Counts:
    return np.bincount((orders[:, 1:] < orders[:, :-1]).sum(axis=1), minlength=DECK)


def _squared(what: str, off: float, freedom: int) -> Found:
    above = chance_above(off, freedom)
    return Found(what, f"{off:,.1f} / {freedom:,}", 2 * min(above, 1 - above))


def _classes(what: str, seen: _Counts, weights: Sequence[int]) -> Found:
    """Chi-squared against exact weights; what is rare is one class."""
    total, deals = sum(weights), int(seen.sum())
    expected = np.array([deals * weight / total for weight in weights])
    rare = expected < EXPECTED_MIN
    if rare.any() and expected[rare].sum() < EXPECTED_MIN:  # all of them are rare: with the least of the others
        rare[np.flatnonzero(~rare)[np.argmin(expected[~rare])]] = True
    wanted = np.append(expected[~rare], expected[rare].sum() if rare.any() else [])
    found = np.append(seen[~rare], seen[rare].sum() if rare.any() else [])
    return _squared(what, float(((found - wanted) ** 2 / wanted).sum()), len(wanted) - 1)


@cache
def eulerian(size: int) -> tuple[int, ...]:
    """Return how many orders of `size` cards fall 0, 1, 2 and more times: 1, 4, 1 for three cards."""
    found = tuple(
        sum((-1) ** step * comb(size + 1, step) * (falls + 1 - step) ** size for step in range(falls + 1))
        for falls in range(size)
    )
    assert sum(found) == factorial(size)
    return found


def complexity(bits: Sequence[int]) -> int:
    """The length of the shortest linear rule by which each bit follows from those before (Berlekamp and Massey)."""
    rule, other, length, since, seen = 1, 1, 0, 1, 0
    for number, bit in enumerate(bits):
        seen = seen << 1 | bit
        if (rule & seen).bit_count() & 1:
            if 2 * length <= number:
                rule, other = rule ^ other << since, rule
                length, since = number + 1 - length, 1
                continue
            rule ^= other << since
        since += 1
    return length


def chance_of_complexity(length: int, bits: int) -> float:
    """How often bits without a rule lie as far from half their number: of the lengths, each two bits off is 1/16."""
    return float(min(1.0, 2 * 4.0 ** -min(500.0, abs(length - bits / 2))))
