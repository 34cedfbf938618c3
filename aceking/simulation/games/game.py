"""What every simulated game provides: the cards of a round, its possible outcomes, and rounds played by columns."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from aceking.cards.hand import Category
from aceking.simulation.chance import Deals

Codes = NDArray[np.uint8]
NO_CARD = 255
RowPlaces = NDArray[np.intp]


class SimulationError(ValueError):
    """The question cannot be simulated; the message says why, in one sentence."""


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """One way in which a hand can end."""

    decision: str  # "fold", "bet", "exchange", "stay", "declare"
    ends: str  # "win with a flush"
    net: Fraction  # ante, bet and exchange, in antes
    bonus: Fraction | None = None  # a stake on the bonus, in stakes


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Hands that the progressive pays, in the order of rounds."""

    round: RowPlaces  # in the block
    seat: RowPlaces
    category: NDArray[np.uint8]

    @classmethod
    def none(cls) -> "Hits":
        """Return the hits of a game without a side bet."""
        nothing = np.empty(0, np.intp)
        return cls(nothing, nothing, np.empty(0, np.uint8))

    @classmethod
    def of(cls, seats: list[tuple[RowPlaces, NDArray[np.uint8]]]) -> "Hits":
        """Return the hits of all seats, from the rounds and categories of each."""
        rounds = np.concatenate([each for each, _ in seats])
        numbers = np.repeat(np.arange(len(seats)), [len(each) for each, _ in seats])
        order = np.lexsort((numbers, rounds))
        return cls(rounds[order], numbers[order], np.concatenate([each for _, each in seats])[order])


@dataclass(frozen=True, slots=True, eq=False)
class PlayedRounds:
    """Rounds that were played: by seat and round, the index of the outcome in `Game.outcomes`."""

    codes: Codes
    hits: Hits


class Game(Protocol):
    """A book with seats and a strategy. It can be sent to another process."""

    @property
    def seats(self) -> int:
        """The number of players' hands in a round."""

    @property
    def cards(self) -> int:
        """The number of cards that a round may need."""

    @property
    def outcomes(self) -> tuple[RoundOutcome, ...]:
        """All ways in which a hand can end."""

    def play(self, deals: Deals) -> PlayedRounds:
        """Play the rounds of these deals."""

    def given(self, deals: Deals) -> Codes:
        """Return the card that the strategy gives up or lays aside, by seat and round; NO_CARD if there is none."""


@dataclass(frozen=True)
class RoundMoney:
    """The outcomes of a game in integer fractions of an ante."""

    outcomes: tuple[RoundOutcome, ...]

    @cached_property
    def unit(self) -> int:
        """The number of parts of an ante."""
        return lcm(*(outcome.net.denominator for outcome in self.outcomes))

    @cached_property
    def parts(self) -> NDArray[np.int64]:
        """The net result of each outcome, in parts."""
        return np.array([int(outcome.net * self.unit) for outcome in self.outcomes], np.int64)


def awarded_by_strength(categories: tuple[Category, ...], awarded: frozenset[Category]) -> NDArray[np.bool_]:
    """Return whether a hand of each strength has an award."""
    return np.array([category in awarded for category in categories])
