"""The spread of results: the range that a house should expect over many rounds, and the picture of it.

Mean and variance are exact, from an `Edge`. Everything computed from them here is for display, in floating point: a
square root, a normal range, a distribution over n rounds.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, inf, lcm, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from aceking.exact.figures import Edge

#: The chance that may fall outside the picture, at each end.
_OUTSIDE = 1e-12


@dataclass(frozen=True, slots=True)
class Spread:
    """The result that the house should expect over many rounds of one ante each, in antes."""

    rounds: int
    mean: Fraction  # of the house's result
    variance: Fraction
    confidence: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Distribution:
    """The chances of the player's result over many rounds, on a grid; a display figure, good to about 1e-10."""

    rounds: int
    first: Fraction  # the result of the first chance, in antes
    step: Fraction
    chances: NDArray[np.float64]

    def results(self) -> NDArray[np.float64]:
        """Return the results that the chances belong to, in antes."""
        return np.linspace(
            float(self.first), float(self.first + self.step * (len(self.chances) - 1)), len(self.chances)
        )

    def quantile(self, chance: float) -> float:
        """Return the smallest result that is not exceeded with at least this chance."""
        place = min(int(np.searchsorted(np.cumsum(self.chances), chance)), len(self.chances) - 1)
        return float(self.first + self.step * place)

    def ahead(self) -> float:
        """Return the chance that the player is ahead."""
        # The grid has no half points: a result of 0 lies on a point or is impossible.
        return float(self.chances[max(floor(-self.first / self.step) + 1, 0) :].sum())


def expect(edge: Edge, *, rounds: int, confidence: float) -> Spread:
    """Return the range of the house's result over the rounds: the normal range of the exact mean and variance."""
    _check_rounds(rounds)
    if not 0 < confidence < 1:
        raise ValueError(f"a confidence lies between 0 and 1, as in 0.95, not {confidence}")
    mean, variance = edge.house_edge * rounds, edge.variance * rounds
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * sqrt(variance)
    return Spread(rounds, mean, variance, confidence, float(mean) - reach, float(mean) + reach)


def distribution(edge: Edge, *, rounds: int) -> Distribution:
    """Return the chances of the player's result over the rounds, by Fourier transform on the grid of single results."""
    _check_rounds(rounds)
    step = Fraction(1, lcm(*(net.denominator for net in edge.outcomes)))
    places = np.array([int(net / step) for net in edge.outcomes])
    chances = np.array([number / edge.deals for number in edge.outcomes.values()])
    low, high = _window(places, chances, rounds)
    size = 1 << (high - low).bit_length()
    # On a circle of `size` places, results beyond the window wrap around into it; there are almost none.
    circle = np.zeros(size)
    np.add.at(circle, places % size, chances)
    summed = np.fft.irfft(np.fft.rfft(circle) ** rounds, size)
    shown = np.roll(summed, -low)[: high - low + 1]
    return Distribution(rounds, step * low, step, np.clip(shown, 0, None))


def _window(places: NDArray[np.int64], chances: NDArray[np.float64], rounds: int) -> tuple[int, int]:
    """Return the places between which all but a tiny part of the results lie; all places if they are few."""
    centre = float(places @ chances)
    spread = sqrt(float((places - centre) ** 2 @ chances))
    if spread == 0:
        return int(places[0]) * rounds, int(places[0]) * rounds
    low = -_reach(-places, -centre, chances, rounds, spread)
    high = _reach(places, centre, chances, rounds, spread)
    return max(floor(low), int(places.min()) * rounds), min(ceil(high), int(places.max()) * rounds)


def _reach(places: NDArray[np.int64], centre: float, chances: NDArray[np.float64], rounds: int, spread: float) -> float:
    """Return a place that the sum exceeds with a chance of at most 1e-12: Chernoff's bound, the best of many tilts."""
    best = inf
    for tilt in np.geomspace(1e-4, 1e2, 60) / spread:
        growth = np.logaddexp.reduce(tilt * (places - centre) + np.log(chances))
        best = min(best, centre * rounds + (rounds * growth - np.log(_OUTSIDE)) / tilt)
    return best


def _check_rounds(rounds: int) -> None:
    if rounds < 1:
        raise ValueError(f"the rounds must be 1 or more, not {rounds}")
