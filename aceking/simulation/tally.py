"""What simulated rounds come to, in whole numbers: parts that are made anywhere and added in the order of play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aceking.cards.hand import Category
from aceking.simulation.chance import BLOCK_ROUNDS, deals
from aceking.simulation.games.game import Game, Hits, Money
from aceking.simulation.games.side_wagers import SideColumns
from aceking.simulation.meter import Event, Meter, Side

_CATEGORIES = len(Category)
#: So many codes at the most are counted two by two.
_SHORT = 64


#: What a worker needs to know once: the game, the seed, the categories on the meter, the side wagers by name.
Asked = tuple[Game, int, frozenset[int], tuple[SideColumns, ...]]


@dataclass(frozen=True, slots=True)
class Job:
    """Blocks that one worker plays in one go; of the last one perhaps only the first rounds."""

    first: int
    blocks: int
    rounds: int  # in all of them


@dataclass(frozen=True, slots=True)
class Part:
    """What a job came to. Small, whatever the number of rounds."""

    job: Job
    outcomes: tuple[int, ...]  # hands by outcome
    squares: int  # of the sums over the seats of a round, in parts of an ante
    paid: tuple[int, ...]  # hands that the progressive pays, by category
    events: tuple[Event, ...]  # rounds, counted from the first of the job, in which the meter is hit
    sides: tuple[tuple[int, int], ...] = ()  # of each side wager by name what it netted, and squares of round's sums


def play_job(
    game: Game, seed: int, job: Job, on_meter: frozenset[int] = frozenset(), sides: Sequence[SideColumns] = ()
) -> Part:
    """Plays the rounds of a job. `on_meter` are the categories whose awards have to do with the meter."""
    money = Money(game.outcomes)
    outcomes = np.zeros(len(game.outcomes), np.int64)
    paid = np.zeros(_CATEGORIES, np.int64)
    squares = 0
    events: list[Event] = []
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
    return Part(job, tuple(outcomes.tolist()), squares, tuple(paid.tolist()), tuple(events), tuple(netted))


def _counted(codes: NDArray[np.uint8], kinds: int) -> NDArray[np.int64]:
    """How often each code occurs. They are counted two by two: it is the counts that take the time."""
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


def _events(hits: Hits, on_meter: frozenset[int], before: int) -> list[Event]:
    """The rounds in which somebody is paid from the meter, with all who are paid in them."""
    touches = np.isin(hits.category, list(on_meter))
    found = []
    for number in np.unique(hits.round[touches]).tolist():
        mine = slice(*np.searchsorted(hits.round, [number, number + 1]).tolist())
        seats = zip(hits.seat[mine].tolist(), hits.category[mine].tolist(), strict=True)
        found.append((before + number, tuple(seats)))
    return found


@dataclass(slots=True)
class Tally:
    """All rounds so far, in the order of play."""

    seats: int
    outcomes: list[int]
    rounds: int = 0
    squares: int = 0
    paid: list[int] = field(default_factory=lambda: [0] * _CATEGORIES)
    meter: Meter | None = None
    sides: list[list[int]] = field(default_factory=list)  # of each side wager by name: netted, squares

    @classmethod
    def empty(cls, game: Game, side: Side | None, sides: int = 0) -> "Tally":
        """Before the first round; `sides` is the number of side wagers by name."""
        meter = None if side is None else Meter(Fraction(side.start))
        return cls(game.seats, [0] * len(game.outcomes), meter=meter, sides=[[0, 0] for _ in range(sides)])

    def add(self, part: Part, side: Side | None) -> None:
        """The next rounds."""
        self.rounds += part.job.rounds
        self.squares += part.squares
        self.outcomes = [one + more for one, more in zip(self.outcomes, part.outcomes, strict=True)]
        self.paid = [one + more for one, more in zip(self.paid, part.paid, strict=True)]
        self.sides = [
            [one + two for one, two in zip(*both, strict=True)] for both in zip(self.sides, part.sides, strict=True)
        ]
        if side is not None:
            assert self.meter is not None
            self.meter.replay(side, part.events, rounds=part.job.rounds, seats=self.seats)

    def data(self) -> dict[str, Any]:
        """All of it, for a checkpoint."""
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
        """The reverse of `data`."""
        meter = None if raw["meter"] is None else Meter.from_data(raw["meter"])
        return cls(**{**raw, "meter": meter})
