"""Pictures of what was sampled, drawn like those of a sheet."""

from collections.abc import Sequence

import numpy as np

from aceking.sheet import svg
from aceking.simulation.questions.jackpots import Advantage, Years
from aceking.simulation.questions.sessions import Hold, Night, Ruin, Spread

_BARS = 40


def night_picture(found: Night, *, house: bool) -> str:
    """How often each result of a night comes, for one player or for the house."""
    spread = found.house if house else found.player
    who = f"the house's result, {found.seats} seats" if house else "the player's result"
    marks = {"5 %": spread.quantile(0.05), "half": spread.quantile(0.5), "95 %": spread.quantile(0.95)}
    return svg.bars(_bars(spread), across=f"{who}, {found.rounds:,} rounds, in antes", up="nights, %", marks=marks)


def hold_picture(found: Sequence[Hold]) -> str:
    """The interval of the hold, narrower with every night."""
    curves = [
        svg.Curve("at most", [(one.nights, 100 * one.high) for one in found]),
        svg.Curve("expected", [(one.nights, 100 * one.expected) for one in found], dashed=True),
        svg.Curve("at least", [(one.nights, 100 * one.low) for one in found]),
    ]
    return svg.plot(curves, across="nights", up="hold, % of antes", zero=True)


def ruin_picture(found: Ruin) -> str:
    """The part of all players that is ruined by each round."""
    points = [(0.0, 0.0), *((float(number), 100 * share) for number, share in found.by_round.items())]
    return svg.plot([svg.Curve("ruined", points)], across="rounds", up="ruined, %", zero=True)


def years_picture(found: Years) -> str:
    """The meter over the first year."""
    points = [(float(day), float(value)) for day, value in found.path]
    return svg.plot([svg.Curve("meter", points)], across="days", up="meter", zero=True, width=720)


def advantage_picture(found: Sequence[Advantage], *, unit: int) -> str:
    """What a team wins in a year, and what the house earns less; `unit` minor units make one of the currency."""
    curves = [
        svg.Curve("the team wins", [(one.meter / unit, one.team_wins / unit) for one in found]),
        svg.Curve("the house earns less", [(one.meter / unit, one.house_loses / unit) for one in found], dashed=True),
    ]
    return svg.plot(curves, across="meter from which on it plays", up="in a year", zero=True)


def _bars(spread: Spread) -> list[tuple[float, float, float]]:
    low, high = spread.quantile(0.001), spread.quantile(0.999)
    inside = np.clip(spread.results, low, high)
    counts, edges = np.histogram(inside, bins=_BARS, range=(low, high if high > low else low + 1))
    shares = 100 * counts / len(inside)
    return [(float(a), float(b), float(c)) for a, b, c in zip(edges, edges[1:], shares, strict=False)]
