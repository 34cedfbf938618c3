"""A meter over years of play: how it grows, when it is hit, and what players win who play only when it is high.

Hits need no cards: the chance that a hand wins a share of the meter is known exactly. So the hands that hit it are
drawn at random, and it pays by the same arithmetic as at a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aceking.cards.hand import Category
from aceking.exact.games import edge
from aceking.exact.side_bets.progressive import (
    HANDS,
    StraightLine,
    frequencies,
    line,
    never_exchanged,
    never_folded,
)
from aceking.rules.book import Book
from aceking.rules.odds import Share
from aceking.simulation.chance import generator
from aceking.simulation.games.game import SimulationError
from aceking.simulation.meter import SimulatedMeter, SimulatedSide
from aceking.simulation.plan import check_seed
from aceking.simulation.questions.sessions import SessionSpread

_STREAM = 1 << 101


@dataclass(frozen=True, slots=True, kw_only=True)
class TableGroup:
    """Tables on one meter, each with a number of seats that all bet on it."""

    tables: int = 40
    seats: int = 5
    rounds_per_hour: int = 40
    hours_per_day: int = 16
    days: int = 365

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if getattr(self, name) < 1:
                raise SimulationError(f"the {name.replace('_', ' ')} must be 1 or more, not {getattr(self, name)}")

    @property
    def hands_per_day(self) -> int:
        """The number of hands that feed the meter in a day."""
        return self.tables * self.seats * self.rounds_per_hour * self.hours_per_day

    @property
    def hands(self) -> int:
        """The number of hands in a year."""
        return self.hands_per_day * self.days


@dataclass(frozen=True, slots=True, eq=False)
class Years:
    """The result of years of play; the meter and its payouts are in units of the currency."""

    book: str
    floor: TableGroup
    years: int
    hits: dict[str, float]  # in a year, by category
    intervals: SessionSpread  # days between two full hits
    full: SessionSpread  # what a full hit paid
    path: NDArray[np.float64]  # of the first year: days, and the meter before and after each hit
    above: NDArray[np.float64]  # the meter at a thousand equally spaced moments of each year

    def data(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        spreads = {"days_between_full_hits": self.intervals, "full_hits": self.full}
        spread = {name: each.data() if len(each.results) else None for name, each in spreads.items()}
        hands = {"hands_per_day": self.floor.hands_per_day, "hands_per_year": self.floor.hands}
        return {"book": self.book, "years": self.years, **hands, "hits_per_year": self.hits, **spread}


def years(book: Book, side: SimulatedSide, floor: TableGroup, *, number: int = 100, seed: int = 1) -> Years:
    """Play a number of years; each continues with the meter of the one before. Raises SimulationError."""
    if number < 1:
        raise SimulationError(f"the years must be 1 or more, not {number}")
    check_seed(seed)
    if side.rules.deducts == "all-awards":
        raise SimulationError(f"{book.id}: fixed awards come off this meter too; simulate it with cards and --side")
    shares = _share_chances(book, side)
    chance = np.random.Generator(generator(seed, _STREAM))
    running = _Running(side, floor)
    paths = [running.year(*_hits(chance, shares, floor.hands)) for _ in range(number)]
    unit = 10**book.decimals
    return Years(
        book=book.id,
        floor=floor,
        years=number,
        hits={name: count / number for name, count in running.meter.hits.items()},
        intervals=SessionSpread.of(np.array(running.intervals)),
        full=SessionSpread.of(np.array(running.full) / unit),
        path=_drawn(paths[0], side, floor) / (1, unit),
        above=np.concatenate([_along(points, side, floor) for points in paths]) / unit,
    )


#: Hands of a year, and the meter after each.
_Points = list[tuple[int, float]]


class _Running:
    """A meter that runs year after year."""

    def __init__(self, side: SimulatedSide, floor: TableGroup) -> None:
        self._side, self._floor = side, floor
        self._last: int | None = None  # the hand of the last full hit
        self.meter = SimulatedMeter(Fraction(side.start))
        self.intervals: list[float] = []
        self.full: list[float] = []

    def year(self, at: NDArray[np.int64], which: NDArray[np.int64]) -> _Points:
        """Play one more year in which these hands hit the meter; return the meter at its start and after each hit."""
        begin = self.meter.rounds
        points = [(0, float(self.meter.value))]
        for hand, category in zip(at.tolist(), which.tolist(), strict=True):
            resets, wait = self.meter.resets, hand - (self.meter.rounds - begin)
            self.meter.replay(self._side, ((wait, ((0, category),)),), rounds=wait + 1, seats=1)
            if self.meter.resets > resets:
                self._won(_paid(points, self._side, hand + 1))
            points.append((hand + 1, float(self.meter.value)))
        self.meter.replay(self._side, (), rounds=begin + self._floor.hands - self.meter.rounds, seats=1)
        return points

    def _won(self, paid: float) -> None:
        now = self.meter.rounds
        self.full.append(paid)
        if self._last is not None:
            self.intervals.append((now - self._last) / self._floor.hands_per_day)
        self._last = now


def _share_chances(book: Book, side: SimulatedSide) -> dict[Category, float]:
    """Return the chance that a hand wins a share of the meter, by category. Raises SimulationError."""
    number = frequencies(ace_low=book.hands.ace_low)
    chances = {}
    for category, award in side.awards.items():
        if isinstance(award, Share):
            kept = never_folded(book, category) or side.rules.folded == "payable"
            if book.exchange is not None:
                kept = kept and never_exchanged(book, category)
            if not kept:
                raise SimulationError(f"{book.id}: it is not proved that every {category.title} is played")
            chances[category] = number[category] / HANDS
    if not chances:
        raise SimulationError(f"{book.id}: no award is a share of the meter, so it is never hit")
    return chances


def _hits(
    chance: np.random.Generator, shares: dict[Category, float], hands: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the hands of a year that hit the meter, and their categories."""
    every = sum(shares.values())
    number = int(chance.binomial(hands, every))
    at = np.sort(chance.choice(hands, size=number, replace=False, shuffle=False)) if number else np.empty(0, np.int64)
    law = np.array(list(shares.values())) / every
    return at, np.array([int(category) for category in shares])[chance.choice(len(law), size=number, p=law)]


def _growth(side: SimulatedSide) -> float:
    return float(side.rate * side.rules.stake)


def _paid(points: Sequence[tuple[int, float]], side: SimulatedSide, hand: int) -> float:
    """Return the meter at a hand, grown from the last point before it."""
    start, value = points[-1]
    return value + (hand - start) * _growth(side)


def _along(points: Sequence[tuple[int, float]], side: SimulatedSide, floor: TableGroup) -> NDArray[np.float64]:
    """Return the meter at equally spaced moments."""
    moments = np.linspace(0, floor.hands, 1000, endpoint=False)
    starts = np.array([start for start, _ in points])
    values = np.array([value for _, value in points])
    before = np.searchsorted(starts, moments, side="right") - 1
    return np.asarray(values[before] + (moments - starts[before]) * _growth(side))


def _drawn(points: Sequence[tuple[int, float]], side: SimulatedSide, floor: TableGroup) -> NDArray[np.float64]:
    """Return the path for a picture: up with the stakes, down with each hit."""
    path = []
    for place, (start, value) in enumerate(points):
        if place:
            path.append((start / floor.hands_per_day, _paid(points[:place], side, start)))
        path.append((start / floor.hands_per_day, value))
    path.append((float(floor.days), _paid(points, side, floor.hands)))
    return np.array(path)


# --- players who play only when the meter is high ---


@dataclass(frozen=True, slots=True)
class Advantage:
    """A team that takes seats from a meter up: what it wins and what that costs the house in a year, minor units."""

    meter: int
    player_edge: float  # of an ante, side bet included, at just this meter
    time_above: float  # how often the meter is at least this high
    team_wins: float  # what the team's seats win on average
    house_loses: float  # how much less the house earns: the team bets the least ante, others their usual one


def advantage(
    book: Book,
    side: SimulatedSide,
    floor: TableGroup,
    *,
    ante: int,
    ante_min: int,
    team: int,
    meters: Sequence[int] = (),
    number: int = 100,
    seed: int = 1,
) -> tuple[Advantage, ...]:
    """Return the result of a team that takes seats at the least ante while the meter is high, for several meters."""
    if not 1 <= team <= floor.tables * floor.seats:
        raise SimulationError(f"a team of {team} does not fit on {floor.tables * floor.seats} seats")
    if not 0 < ante_min <= ante:
        raise SimulationError("the least ante must be above 0 and at most the usual ante")
    played = years(book, side, floor, number=number, seed=seed)
    figures = edge(book)
    exchanged = figures.decisions.get("exchange")
    worth: StraightLine = line(book, side.awards, exchanged=exchanged)
    main = float(figures.net_per_ante)
    even = float(worth.even_with(figures.net_per_ante, ante=ante_min))
    chosen = list(meters) or [int(even * part) for part in (0.5, 0.75, 1, 1.25, 1.5, 2)]
    rounds = floor.rounds_per_hour * floor.hours_per_day * floor.days
    lines = []
    for meter in sorted(chosen):
        high = 10**book.decimals * played.above[10**book.decimals * played.above >= meter]
        time = len(high) / len(played.above)
        stake = side.rules.stake
        middle = float(high.mean()) if len(high) else 0.0
        each = main * ante_min + (float(worth.constant) + float(worth.slope) * middle) * stake
        lines.append(
            Advantage(
                meter=meter,
                player_edge=main + float(worth.net(meter)) * stake / ante_min,
                time_above=time,
                team_wins=each * team * rounds * time,
                house_loses=-main * (ante - ante_min) * team * rounds * time,
            )
        )
    return tuple(lines)
