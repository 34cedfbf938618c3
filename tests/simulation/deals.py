"""Deals that a test chooses, and what the exact figures expect of many rounds."""

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt

import numpy as np

from aceking.exact.figures import Edge
from aceking.simulation.chance import Deals

#: An outcome that is expected less often is counted together with others, as the chi-squared test wants it.
_EXPECTED_MIN = 20


def column(*cards: int) -> Deals:
    """Return one deal as a column of cards."""
    return np.array(cards, np.uint8)[:, None]


def chi_squared(outcomes: Mapping[Fraction, int], exact: Edge) -> float:
    """How far counts lie from what is expected, in standard deviations of the chi-squared law."""
    total, freedom = chi_squared_of(outcomes, exact)
    return (total - freedom) / sqrt(2 * freedom)


def chi_squared_of(outcomes: Mapping[Fraction, int], exact: Edge) -> tuple[float, int]:
    """The chi-squared of counts, and its degrees of freedom."""
    hands = sum(outcomes.values())
    assert set(outcomes) <= set(exact.outcomes), "no other result is possible"
    rare_seen, rare_expected, total, classes = 0.0, 0.0, 0.0, 0
    for net, deals in exact.outcomes.items():
        expected, seen = hands * deals / exact.deals, outcomes.get(net, 0)
        if expected < _EXPECTED_MIN:
            rare_seen, rare_expected = rare_seen + seen, rare_expected + expected
            continue
        total += (seen - expected) ** 2 / expected
        classes += 1
    if rare_expected:
        total += (rare_seen - rare_expected) ** 2 / rare_expected
        classes += 1
    return total, classes - 1
