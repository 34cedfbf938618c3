"""The range of results over many rounds: exact where it is small, and close to exact where it is large."""

from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest

from aceking.exact.community import edge as community
from aceking.exact.figures import Edge
from aceking.exact.side_bets import bonus
from aceking.exact.spread import distribution, expect
from aceking.rules.reading.load import load_book

#: The outcomes of section10 with perfect play, as published: net antes and deals.
OUTCOMES = {201: 16_759_740, 101: 156_929_720, 41: 2_832_435_800, 15: 16_624_475_280, 11: 21_856_990_280}
OUTCOMES |= {9: 43_805_516_100, 7: 234_242_908_320, 5: 488_012_139_360, 3: 2_343_248_003_808, 1: 4_532_514_033_720}
OUTCOMES |= {0: 321_623_100, -1: 9_523_005_974_460, -3: 2_726_592_727_512}


def an_edge(outcomes: dict[Fraction, int]) -> Edge:
    return Edge("a book", sum(outcomes.values()), outcomes, {}, Fraction(1))


SECTION10 = an_edge({Fraction(net): deals for net, deals in OUTCOMES.items()})
HALVES = an_edge({Fraction(3, 2): 1, Fraction(-1, 3): 2, Fraction(-1): 3})


def summed(edge: Edge, rounds: int) -> dict[Fraction, Fraction]:
    """Return the exact distribution over N rounds, one round after the other."""
    once = {net: Fraction(number, edge.deals) for net, number in edge.outcomes.items()}
    total = {Fraction(0): Fraction(1)}
    for _ in range(rounds):
        following: dict[Fraction, Fraction] = {}
        for before, chance in total.items():
            for net, share in once.items():
                following[before + net] = following.get(before + net, Fraction(0)) + chance * share
        total = following
    return total


@pytest.mark.parametrize("edge", [SECTION10, HALVES], ids=["section10", "halves"])
@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_the_distribution_is_the_exact_one_for_few_rounds(edge: Edge, rounds: int) -> None:
    found, exact = distribution(edge, rounds=rounds), summed(edge, rounds)
    shown = Fraction(0)
    for place, chance in enumerate(found.chances):
        expected = exact.get(found.first + found.step * place, Fraction(0))
        assert abs(chance - float(expected)) < 1e-12
        shown += expected
    # What lies outside the picture is next to nothing.
    assert 1 - shown < Fraction(1, 10**11)


@pytest.mark.parametrize("rounds", [100, 10_000])
def test_mean_and_variance_of_the_distribution_are_the_exact_ones(rounds: int) -> None:
    for edge in (SECTION10, community.edge(load_book("colorado-required"))):
        found = distribution(edge, rounds=rounds)
        results = found.results()
        mean = float(results @ found.chances)
        assert abs(found.chances.sum() - 1) < 1e-9
        assert mean == pytest.approx(float(edge.net_per_ante * rounds), rel=1e-7)
        assert float((results - mean) ** 2 @ found.chances) == pytest.approx(float(edge.variance * rounds), rel=1e-7)


def test_the_range_is_that_of_the_normal_law() -> None:
    found = expect(SECTION10, rounds=10_000, confidence=0.95)
    assert found.mean == Fraction(1_041_372_912_372, 19_933_230_517_200) * 10_000
    assert found.variance == SECTION10.variance * 10_000
    law = NormalDist(float(found.mean), float(found.variance) ** 0.5)
    assert law.cdf(found.low) == pytest.approx(0.025)
    assert law.cdf(found.high) == pytest.approx(0.975)
    assert found.low == pytest.approx(82.82, abs=0.01)
    assert found.high == pytest.approx(962.04, abs=0.01)


def test_the_normal_range_and_the_distribution_agree_over_many_rounds() -> None:
    found, normal = distribution(SECTION10, rounds=10_000), expect(SECTION10, rounds=10_000, confidence=0.95)
    # The house's gain is the player's loss. The tail of great wins makes a small difference.
    assert -found.quantile(0.975) == pytest.approx(normal.low, abs=5)
    assert -found.quantile(0.025) == pytest.approx(normal.high, abs=5)


def test_quantiles_and_the_chance_to_be_ahead_of_one_round() -> None:
    one = distribution(HALVES, rounds=1)
    assert one.quantile(0.5) == -1
    assert one.quantile(0.6) == pytest.approx(-1 / 3)
    assert one.quantile(1.0) == 1.5
    assert one.ahead() == pytest.approx(1 / 6)
    ahead = sum(number for net, number in OUTCOMES.items() if net > 0)
    assert distribution(SECTION10, rounds=1).ahead() == pytest.approx(ahead / SECTION10.deals)


def test_a_result_of_nothing_is_not_ahead() -> None:
    even = an_edge({Fraction(1): 1, Fraction(-1): 1})
    assert distribution(even, rounds=2).ahead() == pytest.approx(0.25)
    assert distribution(an_edge({Fraction(-1): 1}), rounds=3).ahead() == 0
    assert distribution(an_edge({Fraction(1): 1}), rounds=3).ahead() == 1


def test_great_awards_in_tenths_of_an_ante_stay_in_the_picture() -> None:
    joint = bonus.joint(load_book("colorado-permissible"), ratio=Fraction(1, 10)).together
    found = distribution(joint, rounds=1_000)
    assert found.step == Fraction(1, 10)
    assert float(np.sum(found.chances)) == pytest.approx(1, abs=1e-9)


def test_no_rounds_and_no_confidence_are_refused() -> None:
    with pytest.raises(ValueError, match="the rounds must be 1 or more, not 0"):
        distribution(SECTION10, rounds=0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        expect(SECTION10, rounds=10, confidence=95)
