"""The totals of simulated rounds, in integers: parts made by any worker and added in the order of play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aceking.cards.hand import Category
from aceking.simulation.chance import BLOCK_ROUNDS, deals
from aceking.simulation.games.game import Game, Hits, RoundMoney
from aceking.simulation.games.side_wagers import SideColumns
from aceking.simulation.meter import MeterMove, SimulatedMeter, SimulatedSide

_CATEGORIES = len(Category)
#: Up to this many codes are counted in pairs.
_SHORT = 64


#: What a worker needs once: the game, the seed, the categories on the meter, the named side wagers.
TallyQuestion = tuple[Game, int, frozenset[int], tuple[SideColumns, ...]]


@dataclass(frozen=True, slots=True)
class Job:
    """Blocks that one worker plays in one go; the last one may be played only in part."""

    first: int
    blocks: int
    rounds: int  # in all of them


@dataclass(frozen=True, slots=True)
class TallyPart:
    """The totals of a job. Small for any number of rounds."""

    job: Job
    outcomes: tuple[int, ...]  # hands by outcome
    squares: int  # of the sums over the seats of a round, in fractions of an ante
    paid: tuple[int, ...]  # hands that the progressive pays, by category
    events: tuple[MeterMove, ...]  # rounds in which the meter is hit, counted from the first of the job
    sides: tuple[tuple[int, int], ...] = ()  # for each named side wager: net result, and squares of the round's sums


def play_job(
    game: Game, seed: int, job: Job, on_meter: frozenset[int] = frozenset(), sides: Sequence[SideColumns] = ()
) -> TallyPart:
    """Play the rounds of a job. `on_meter` are the categories whose awards are paid from the meter."""
    money = RoundMoney(game.outcomes)
    outcomes = np.zeros(len(game.outcomes), np.int64)
    paid = np.zeros(_CATEGORIES, np.int64)
    squares = 0
    events: list[MeterMove] = []
    netted = [(0, 0)] * len(sides)
    for number in range(job.blocks):
        before = number * BLOCK_ROUNDS
        rounds = min(BLOCK_ROUNDS, job.rounds - before)
        dealt = deals(seed, job.first + number, cards=game.cards, rounds=rounds)
        played = game.play(dealt)
        for place, side in enumerate(sides):
            sums = side.nets(dealt, played.codes).sum(axis=0)
            netted[place] = netted[place][0] + int(sums.sum()), netted[place][1] + int(sums @ sums)
        outcomes += _counted(played.codes.ravel(), len(outcomes))
        if game.seats > 1:
            squares += _squares(money.parts, played.codes)
        if len(played.hits.round):
            paid += np.bincount(played.hits.category, minlength=_CATEGORIES)
            events += _events(played.hits, on_meter, before)
    if game.seats == 1:
        squares = int((outcomes * money.parts**2).sum())
    return TallyPart(job, tuple(outcomes.tolist()), squares, tuple(paid.tolist()), tuple(events), tuple(netted))


def _counted(codes: NDArray[np.uint8], kinds: int) -> NDArray[np.int64]:
    """Return how often each code occurs. Counting in pairs is faster, because the increments take the time."""
    if len(codes) % 2 or kinds > _SHORT:
        return np.bincount(codes, minlength=kinds)
    two = codes.view(np.uint16)
    pairs = np.bincount((two & (_SHORT - 1)) | (two >> 8) * np.uint16(_SHORT), minlength=_SHORT**2)
    pairs = pairs.reshape(_SHORT, _SHORT)
    return np.asarray((pairs.sum(axis=0) + pairs.sum(axis=1))[:kinds])


def _squares(parts: NDArray[np.int64], codes: NDArray[np.uint8]) -> int:
    sums = np.zeros(codes.shape[1], np.int64)
    for seat in codes:
        sums += parts.take(seat)
    return int(sums @ sums)


def _events(hits: Hits, on_meter: frozenset[int], before: int) -> list[MeterMove]:
    """Return the rounds in which somebody is paid from the meter, with all who are paid in them."""
    touches = np.isin(hits.category, list(on_meter))
    events = []
    for number in np.unique(hits.round[touches]).tolist():
        winners = slice(*np.searchsorted(hits.round, [number, number + 1]).tolist())
        seats = zip(hits.seat[winners].tolist(), hits.category[winners].tolist(), strict=True)
        events.append((before + number, tuple(seats)))
    return events


@dataclass(slots=True)
class Tally:
    """All rounds so far, in the order of play."""

    seats: int
    outcomes: list[int]
    rounds: int = 0
    squares: int = 0
    paid: list[int] = field(default_factory=lambda: [0] * _CATEGORIES)
    meter: SimulatedMeter | None = None
    sides: list[list[int]] = field(default_factory=list)  # for each named side wager: net result, squares

    @classmethod
    def empty(cls, game: Game, side: SimulatedSide | None, sides: int = 0) -> "Tally":
        """Return the tally before the first round; `sides` is the number of named side wagers."""
        meter = None if side is None else SimulatedMeter(Fraction(side.start))
        return cls(game.seats, [0] * len(game.outcomes), meter=meter, sides=[[0, 0] for _ in range(sides)])

    def add(self, part: TallyPart, side: SimulatedSide | None) -> None:
        """Add the next rounds."""
        self.rounds += part.job.rounds
        self.squares += part.squares
        self.outcomes = [old + new for old, new in zip(self.outcomes, part.outcomes, strict=True)]
        self.paid = [old + new for old, new in zip(self.paid, part.paid, strict=True)]
        self.sides = [
            [old + new for old, new in zip(*both, strict=True)] for both in zip(self.sides, part.sides, strict=True)
        ]
        if side is not None:
            assert self.meter is not None
            self.meter.replay(side, part.events, rounds=part.job.rounds, seats=self.seats)

    def data(self) -> dict[str, Any]:
        """Return all fields, for a checkpoint."""
        return {
            "seats": self.seats,
            "rounds": self.rounds,
            "outcomes": self.outcomes,
            "squares": self.squares,
            "paid": self.paid,
            "meter": None if self.meter is None else self.meter.data(),
            **({"sides": self.sides} if self.sides else {}),
        }

    @classmethod
    def from_data(cls, raw: Mapping[str, Any]) -> "Tally":
        """Return the tally that `data` described."""
        meter = None if raw["meter"] is None else SimulatedMeter.from_data(raw["meter"])
        return cls(**{**raw, "meter": meter})
