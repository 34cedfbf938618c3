"""Nights, hold, ruin and meters: samples against what is known exactly."""

from fractions import Fraction

import numpy as np
import pytest

from aceking.exact.games import edge
from aceking.exact.spread import distribution
from aceking.rules.reading.load import load_book
from aceking.simulation.games.game import SimulationError
from aceking.simulation.meter import SimulatedSide
from aceking.simulation.pictures import (
    advantage_picture,
    hold_picture,
    night_picture,
    ruin_picture,
    years_picture,
)
from aceking.simulation.questions.jackpots import TableGroup, advantage, years
from aceking.simulation.questions.sessions import hold, night, ruin

BOOK = load_book("section10")


def test_nights_spread_as_the_exact_distribution_says() -> None:
    found = night(BOOK, rounds=100, nights=4_000, seats=1, seed=51)
    exact = distribution(edge(BOOK), rounds=100)
    mean, error = float(edge(BOOK).net_per_ante) * 100, edge(BOOK).standard_deviation * 10 / np.sqrt(4_000)
    for results in (found.player.results, -found.house.results):
        assert abs(results.mean() - mean) < 4 * error
        assert abs((results > 0).mean() - exact.ahead()) < 4 * np.sqrt(0.25 / 4_000)
    for chance in (0.05, 0.5, 0.95):
        assert abs(found.player.quantile(chance) - exact.quantile(chance)) <= 4
    assert night_picture(found, house=False).startswith("<svg")
    assert night_picture(found, house=True) != night_picture(found, house=False)


def test_seats_that_share_a_dealer_spread_wider_than_as_many_players_alone() -> None:
    found = night(BOOK, rounds=100, nights=1_000, seats=5, seed=52)
    alone = edge(BOOK).standard_deviation * np.sqrt(500)
    assert found.house.results.std() > 1.02 * alone


def test_the_interval_of_the_hold_narrows_with_the_nights() -> None:
    found = hold(BOOK, rounds=200, lengths=(1, 9), samples=400, seed=53)
    one, nine = (each.high - each.low for each in found)
    assert 2.4 < one / nine < 3.6  # three, by the square root
    for each in found:
        assert each.low < each.expected < each.high
        reach = 1.96 * edge(BOOK).standard_deviation / np.sqrt(each.hands)
        assert abs(each.high - each.expected - reach) < 0.25 * reach
    assert hold_picture(found).startswith("<svg")


def exact_ruin(bankroll: int, rounds: int) -> float:
    """The chance of ruin by its own recursion: the bankroll's chances, round after round; what is above 400 is safe."""
    figures = edge(BOOK)
    chances = np.zeros(401)
    chances[bankroll] = 1.0
    ruined = 0.0
    for _ in range(rounds):
        after = np.zeros(401)
        for net, number in figures.outcomes.items():
            share = number / figures.deals
            shifted = np.arange(401) + int(net)
            np.add.at(after, np.minimum(np.maximum(shifted, 0), 400), chances * share)
        ruined += after[:3].sum()
        after[:3] = 0
        chances = after
    return ruined


def test_ruin_comes_as_often_as_the_exact_recursion_says() -> None:
    found = ruin(BOOK, bankroll=Fraction(20), rounds=150, sessions=8_000, seed=54)
    assert abs(found.ruined - exact_ruin(20, 150)) < 4 * found.standard_error
    assert found.rounds_to_ruin is not None
    assert list(found.by_round.values()) == sorted(found.by_round.values())
    assert found.by_round[150] == pytest.approx(found.ruined)
    with_aim = ruin(BOOK, bankroll=Fraction(20), rounds=150, sessions=2_000, aim=Fraction(40), seed=54)
    assert with_aim.reached is not None
    assert with_aim.reached > 0.1
    assert with_aim.ruined < found.ruined
    assert ruin_picture(found).startswith("<svg")


def test_a_meter_is_hit_as_often_as_hands_come() -> None:
    floor = TableGroup(tables=10, seats=5, rounds_per_hour=40, hours_per_day=16, days=100)
    side = SimulatedSide.of(BOOK, start=10_000_00)
    found = years(BOOK, side, floor, number=20, seed=55)
    for category, hands in (("royal_flush", 4), ("straight_flush", 36)):
        expected = floor.hands * hands / 2_598_960
        assert abs(found.hits[category] - expected) < 4 * np.sqrt(expected / 20)
    days = 2_598_960 / 4 / floor.hands_per_day
    assert abs(found.intervals.results.mean() - days) < 5 * days / np.sqrt(len(found.intervals.results))
    # What is paid is what was fed: with 70 % of a stake of 1 to the meter and 10,000 put in anew each time.
    fed, refilled = 0.7 * floor.hands * 20, 10_000 * len(found.full.results)
    assert found.full.results.sum() < 10_000 + fed + refilled
    assert years_picture(found).startswith("<svg")
    assert (years(BOOK, side, floor, number=20, seed=55).full.results == found.full.results).all()


def test_those_who_wait_for_a_high_meter_win_where_the_book_is_even() -> None:
    side = SimulatedSide.of(BOOK, start=10_000_00)
    asked = {"ante": 25_00, "ante_min": 5_00, "team": 10}
    found = advantage(BOOK, side, TableGroup(days=60), **asked, number=5, seed=56)  # type: ignore[arg-type]
    assert [one.time_above for one in found] == sorted((one.time_above for one in found), reverse=True)
    even = found[2]
    assert abs(even.player_edge) < 1e-6
    assert all(one.team_wins >= 0 for one in found if one.meter >= even.meter)
    assert all(one.house_loses >= 0 for one in found)
    assert advantage_picture(found, unit=100).startswith("<svg")


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(SimulationError, match="does not pay for one round"):
        ruin(BOOK, bankroll=Fraction(2), rounds=5)
    with pytest.raises(SimulationError, match="is not above the bankroll"):
        ruin(BOOK, bankroll=Fraction(20), rounds=5, aim=Fraction(20))
    with pytest.raises(SimulationError, match="the nights must be 1 or more, not 0"):
        night(BOOK, rounds=5, nights=0)
    with pytest.raises(SimulationError, match="a confidence lies between 0 and 1"):
        hold(BOOK, rounds=5, confidence=2)
    with pytest.raises(SimulationError, match="the tables must be 1 or more, not 0"):
        TableGroup(tables=0)
    with pytest.raises(SimulationError, match="has no progressive"):
        SimulatedSide.of(load_book("colorado-required"))
    with pytest.raises(SimulationError, match="separate table"):
        SimulatedSide.of(load_book("washington"))
