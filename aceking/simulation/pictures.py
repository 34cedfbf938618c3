"""Charts of sampled results, drawn like those of a sheet."""

from collections.abc import Sequence

import numpy as np

from aceking.sheet import svg
from aceking.simulation.questions.jackpots import Advantage, Years
from aceking.simulation.questions.sessions import Hold, Night, Ruin, SessionSpread

_BARS = 40


def night_picture(nights: Night, *, house: bool) -> str:
    """Return a histogram of the results of a night, for one player or for the house."""
    spread = nights.house if house else nights.player
    who = f"the house's result, {nights.seats} seats" if house else "the player's result"
    marks = {"5 %": spread.quantile(0.05), "half": spread.quantile(0.5), "95 %": spread.quantile(0.95)}
    return svg.bars(_bars(spread), across=f"{who}, {nights.rounds:,} rounds, in antes", up="nights, %", marks=marks)


def hold_picture(holds: Sequence[Hold]) -> str:
    """Return the interval of the hold, which narrows with every night."""
    curves = [
        svg.DrawnCurve("at most", [(hold.nights, 100 * hold.high) for hold in holds]),
        svg.DrawnCurve("expected", [(hold.nights, 100 * hold.expected) for hold in holds], dashed=True),
        svg.DrawnCurve("at least", [(hold.nights, 100 * hold.low) for hold in holds]),
    ]
    return svg.plot(curves, across="nights", up="hold, % of antes", zero=True)


def ruin_picture(risk: Ruin) -> str:
    """Return the share of all players that is ruined by each round."""
    points = [(0.0, 0.0), *((float(number), 100 * share) for number, share in risk.by_round.items())]
    return svg.plot([svg.DrawnCurve("ruined", points)], across="rounds", up="ruined, %", zero=True)


def years_picture(meter_years: Years) -> str:
    """Return the meter over the first year."""
    points = [(float(day), float(value)) for day, value in meter_years.path]
    return svg.plot([svg.DrawnCurve("meter", points)], across="days", up="meter", zero=True, width=720)


def advantage_picture(advantages: Sequence[Advantage], *, unit: int) -> str:
    """Return what a team wins in a year, and how much less the house earns; `unit` is the minor units of one unit."""
    curves = [
        svg.DrawnCurve("the team wins", [(p.meter / unit, p.team_wins / unit) for p in advantages]),
        svg.DrawnCurve(
            "the house earns less", [(p.meter / unit, p.house_loses / unit) for p in advantages], dashed=True
        ),
    ]
    return svg.plot(curves, across="meter from which it plays", up="in a year", zero=True)


def _bars(spread: SessionSpread) -> list[tuple[float, float, float]]:
    low, high = spread.quantile(0.001), spread.quantile(0.999)
    inside = np.clip(spread.results, low, high)
    counts, edges = np.histogram(inside, bins=_BARS, range=(low, high if high > low else low + 1))
    shares = 100 * counts / len(inside)
    return [(float(a), float(b), float(c)) for a, b, c in zip(edges, edges[1:], shares, strict=False)]
