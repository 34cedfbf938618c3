"""The worth of a wager on a must-hit-by meter, each figure against every trigger tried out one by one."""

import json
from fractions import Fraction
from random import Random

import click
import pytest
from click.testing import CliRunner, Result

from aceking.commands.meter import meter as command
from aceking.meter.expected_value import MustHit, floor_sum


def by_every_trigger(meter: MustHit, value: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """The chance of the next wager, wagers to the hit and the award, by walking to each trigger."""
    first = wagers = awards = 0
    triggers = range(int(value) + 1, meter.limit + 1)
    for trigger in triggers:
        reached, count = value, 0
        while int(reached) < trigger:
            reached, count = reached + meter.feed, count + 1
        first += count == 1
        wagers += count
        awards += min(int(reached), meter.limit)
    many = len(triggers)
    return Fraction(first, many), Fraction(wagers, many), Fraction(awards, many)


@pytest.mark.parametrize("number", range(6))
def test_figures_are_those_of_every_trigger(number: int) -> None:
    chance = Random(number)
    for _ in range(50):
        feed = Fraction(chance.randint(1, 60), chance.choice([1, 2, 3, 4, 7]))
        meter = MustHit(limit=chance.randint(3, 150), stake=100, feed=feed)
        value = Fraction(chance.randint(0, meter.limit * 12 - 1), 12)
        figures = meter.next_wager(value)[0], meter.wagers_to_hit(value), meter.award(value)
        assert figures == by_every_trigger(meter, value), (meter, value)


def test_what_is_won_is_what_was_there_and_what_was_fed() -> None:
    """With whole coins and a limit that a wager just reaches, nothing is carried over: money in is money out."""
    meter = MustHit(limit=500_00, stake=100, feed=Fraction(10))
    assert meter.award(Fraction(100_00)) == 100_00 + 10 * meter.wagers_to_hit(Fraction(100_00)) == 300_05


def test_a_large_meter_is_reckoned_at_once() -> None:
    meter = MustHit(limit=10**12, stake=100, feed=Fraction(1, 3))
    assert meter.wagers_to_hit(Fraction(0)) == Fraction(3 * (10**12 + 1), 2)


def test_a_sum_of_floors_is_the_sum_term_by_term() -> None:
    chance = Random(5)
    for _ in range(200):
        count, divisor, step, start = (chance.randint(low, 60) for low in (0, 1, 0, 0))
        assert floor_sum(count, divisor, step, start) == sum((start + n * step) // divisor for n in range(count))


@pytest.mark.parametrize("feed", [Fraction(10), Fraction(15, 2), Fraction(1, 3)])
@pytest.mark.parametrize("returned", [Fraction(0), Fraction(1, 2), Fraction(99, 100)])
def test_from_where_on_a_wager_is_worth_its_stake(feed: Fraction, returned: Fraction) -> None:
    meter = MustHit(limit=500_00, stake=100, feed=feed)
    wanted, found = 100 * (1 - returned), meter.breaks_even(returned)
    assert found is not None
    assert meter.worth_at_display(found) >= wanted > meter.worth_at_display(found - 1)


def test_the_worth_at_a_display_is_the_mean_over_the_hidden_fractions() -> None:
    meter = MustHit(limit=60, stake=100, feed=Fraction(15, 4))
    for shown in (0, 30, 55, 56, 57, 59):
        fractions = [shown + Fraction(part, 4) for part in range(4)]
        assert meter.worth_at_display(shown) == sum(meter.worth(value) for value in fractions) / 4


def test_a_wager_may_never_be_worth_it() -> None:
    assert MustHit(limit=50, stake=100, feed=Fraction(10)).breaks_even() is None


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, ["worth", *arguments], standalone_mode=False)


def test_the_command_says_it() -> None:
    asked = ("--must-hit-by", "500", "--rate", "10%", "--value", "450")
    data = json.loads(run(*asked, "--json").stdout)
    assert (data["chance"], data["award"], data["worth"]) == ("1/500", "450.10", "4501/5000")
    assert (data["wagers_to_hit"], data["breaks_even_from"]) == ("501/2", "454.54")
    assert "worth                 4501/5000   about 0.9002" in run(*asked).stdout
    assert "breaks even from      none" in run("--must-hit-by", "0.50", "--rate", "10%").stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--must-hit-by", "500", "--rate", "0%"), "a wager that feeds nothing never reaches a trigger"),
        (("--must-hit-by", "500", "--rate", "10%", "--value", "500"), "the meter is won by 500"),
        (("--must-hit-by", "lots", "--rate", "10%"), "'lots' is not an amount"),
        (("--must-hit-by", "500", "--rate", "much"), "'much'"),
    ],
)
def test_what_cannot_be_is_one_sentence(arguments: tuple[str, ...], says: str) -> None:
    result = run(*arguments)
    assert isinstance(result.exception, click.ClickException)
    assert says in result.exception.message
