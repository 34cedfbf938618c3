"""What every simulated game gives: the cards of a round, the ways in which it can end, and rounds played by columns."""

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
Places = NDArray[np.intp]


class SimulationError(ValueError):
    """The question cannot be simulated; the message says why, in one sentence."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way in which a hand can end."""

    decision: str  # "fold", "bet", "exchange", "stay", "declare"
    ends: str  # "win with a flush"
    net: Fraction  # ante, bet and exchange, in antes
    bonus: Fraction | None = None  # a stake on the bonus, in stakes


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Hands that the progressive pays, in the order of rounds."""

    round: Places  # in the block
    seat: Places
    category: NDArray[np.uint8]

    @classmethod
    def none(cls) -> "Hits":
        """Where no side bet is made."""
        nothing = np.empty(0, np.intp)
        return cls(nothing, nothing, np.empty(0, np.uint8))

    @classmethod
    def of(cls, seats: list[tuple[Places, NDArray[np.uint8]]]) -> "Hits":
        """From the rounds and categories of each seat."""
        rounds = np.concatenate([each for each, _ in seats])
        numbers = np.repeat(np.arange(len(seats)), [len(each) for each, _ in seats])
        order = np.lexsort((numbers, rounds))
        return cls(rounds[order], numbers[order], np.concatenate([each for _, each in seats])[order])


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Rounds that were played: by seat and round the place of the outcome in `Game.outcomes`."""

    codes: Codes
    hits: Hits


class Game(Protocol):
    """A book with seats and a strategy. It can be sent to another process."""

    @property
    def seats(self) -> int:
        """Hands of players in a round."""

    @property
    def cards(self) -> int:
        """Cards that a round may need."""

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """All ways in which a hand can end."""

    def play(self, deals: Deals) -> Played:
        """Plays the rounds of these deals."""

    def given(self, deals: Deals) -> Codes:
        """By seat and round the card that the strategy gives up or lays aside; NO_CARD where there is none."""


@dataclass(frozen=True)
class Money:
    """The outcomes of a game in whole parts of an ante."""

    outcomes: tuple[Outcome, ...]

    @cached_property
    def unit(self) -> int:
        """Parts of an ante."""
        return lcm(*(one.net.denominator for one in self.outcomes))

    @cached_property
    def parts(self) -> NDArray[np.int64]:
        """What each outcome nets, in parts."""
        return np.array([int(one.net * self.unit) for one in self.outcomes], np.int64)


def awarded_by_strength(categories: tuple[Category, ...], awarded: frozenset[Category]) -> NDArray[np.bool_]:
    """Whether a hand of each strength has an award."""
    return np.array([category in awarded for category in categories])
