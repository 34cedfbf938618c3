"""Nights at the table: how results spread for player and house, what a house holds, how often a player is ruined.

One seat needs no cards: its rounds are independent, and the exact number of deals for each result is known, so results
are drawn from these numbers. Seats of one round meet the same dealer or share the same cards, so a house's nights are
played with cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aceking.exact.figures import Edge
from aceking.exact.games import edge
from aceking.rules.book import Book
from aceking.settlement.amounts import most_antes
from aceking.simulation.chance import BLOCK_ROUNDS, deals, generator
from aceking.simulation.games.game import Game, Money, SimulationError
from aceking.simulation.plan import check_seed, plan
from aceking.simulation.strategies import OPTIMAL, checked, named

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_BANKROLL = 10**12  # antes; with it every sum is a number that the machine holds
_STEPS = 128  # rounds of a session that are drawn at a time

Results = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """Results that were found again and again, in antes."""

    results: Results  # rising

    @classmethod
    def of(cls, results: Results) -> "Spread":
        """Sorts them."""
        return cls(np.sort(results))

    def data(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "mean": float(self.results.mean()),
            "standard_deviation": float(self.results.std(ddof=1)) if len(self.results) > 1 else 0.0,
            "ahead": float((self.results > 0).mean()),
            "quantiles": {str(one): self.quantile(one) for one in QUANTILES},
        }

    def quantile(self, chance: float) -> float:
        """The least result that is not exceeded with at least this chance."""
        place = min(int(np.ceil(chance * len(self.results))), len(self.results))
        return float(self.results[max(place - 1, 0)])


@dataclass(frozen=True, slots=True)
class Night:
    """Many nights: one player's results, and the house's over all seats."""

    book: str
    rounds: int
    seats: int
    nights: int
    player: Spread
    house: Spread


def outcomes_of(book: Book, strategy: str = OPTIMAL) -> Edge:
    """The exact figures of a strategy that is known by name."""
    name = checked(book, strategy)
    if name == OPTIMAL:
        return edge(book)
    from aceking.exact.strategy import strategy as carried

    for rule in carried(book).rules:
        if named(rule.name) == name:
            return rule.edge
    raise SimulationError(f"{strategy}: sessions are drawn from exact figures, and those of a file are not counted")


def night(book: Book, *, rounds: int, nights: int, seats: int = 1, seed: int = 1, strategy: str = OPTIMAL) -> Night:
    """So many nights of so many rounds."""
    _at_least_one(rounds=rounds, nights=nights)
    asked = plan(book, rounds=rounds * nights, seats=seats, seed=seed, strategy=strategy)
    player = _drawn(outcomes_of(book, strategy), rounds, nights, seed)
    house = -_played(asked.game, seed, rounds, nights)
    return Night(book.id, rounds, seats, nights, Spread.of(player), Spread.of(house))


def _drawn(figures: Edge, rounds: int, nights: int, seed: int) -> Results:
    nets, chances = _law(figures)
    chance = np.random.Generator(generator(seed, _STREAM))
    counts = chance.multinomial(rounds, chances, size=nights)
    return np.asarray(counts @ nets)


def _played(game: Game, seed: int, rounds: int, nights: int) -> Results:
    """What all seats net together in each night, by cards."""
    money = Money(game.outcomes)
    totals = np.zeros(nights, np.int64)
    every = rounds * nights
    for block in range(-(-every // BLOCK_ROUNDS)):
        first = block * BLOCK_ROUNDS
        played = game.play(deals(seed, block, cards=game.cards, rounds=min(BLOCK_ROUNDS, every - first)))
        sums = money.parts[played.codes].sum(axis=0)
        np.add.at(totals, (first + np.arange(len(sums))) // rounds, sums)
    return np.asarray(totals / money.unit)


# --- hold ---


@dataclass(frozen=True, slots=True)
class Hold:
    """What the house keeps of the antes over some length of time: the interval that holds it with this confidence."""

    nights: int
    hands: int
    expected: float
    low: float
    high: float


def hold(
    book: Book,
    *,
    rounds: int,
    seats: int = 1,
    lengths: Sequence[int] = (1, 7, 30),
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 1,
    strategy: str = OPTIMAL,
) -> tuple[Hold, ...]:
    """The interval for the hold of one table over a number of nights, for each of several numbers."""
    _at_least_one(rounds=rounds, samples=samples, **{f"length {one}": one for one in lengths})
    if not 0 < confidence < 1:
        raise SimulationError(f"a confidence of {confidence} is none; it lies between 0 and 1, as in 0.95")
    asked = plan(book, rounds=rounds, seats=seats, seed=seed, strategy=strategy)
    expected = float(outcomes_of(book, strategy).house_edge)
    single = -_played(asked.game, seed, rounds, samples * max(lengths))
    found = []
    for nights in lengths:
        hands = rounds * seats * nights
        kept = np.sort(single[: samples * nights].reshape(samples, nights).sum(axis=1)) / hands
        low, high = np.quantile(kept, [(1 - confidence) / 2, (1 + confidence) / 2])
        found.append(Hold(nights, hands, expected, float(low), float(high)))
    return tuple(found)


# --- ruin ---


@dataclass(frozen=True, slots=True)
class Ruin:
    """How sessions with a bankroll end."""

    book: str
    bankroll: Fraction  # in antes
    rounds: int
    sessions: int
    needs: Fraction  # a full round takes so many antes; who has less is ruined
    ruined: float
    standard_error: float
    rounds_to_ruin: float | None  # on average, of those who are ruined
    reached: float | None  # how often the aim was reached first
    final: Spread  # the bankroll at the end
    by_round: Mapping[int, float]  # the part that is ruined by then


def ruin(
    book: Book,
    *,
    bankroll: Fraction,
    rounds: int,
    sessions: int = 20_000,
    aim: Fraction | None = None,
    seed: int = 1,
    strategy: str = OPTIMAL,
) -> Ruin:
    """Sessions of at most so many rounds with one ante a round: who cannot pay for a full round any more is ruined."""
    _at_least_one(rounds=rounds, sessions=sessions)
    check_seed(seed)
    price = book.exchange.price_antes if book.exchange is not None else 0
    needs = Fraction(1 + most_antes(book) + price)
    if bankroll < needs:
        raise SimulationError(
            f"a bankroll of {float(bankroll):g} antes does not pay for one round, which takes {needs}"
        )
    if bankroll > _BANKROLL:
        raise SimulationError(f"a bankroll is at most {_BANKROLL:,} antes, not {float(bankroll):g}")
    if aim is not None and aim <= bankroll:
        raise SimulationError(f"the aim of {float(aim):g} antes is not above the bankroll of {float(bankroll):g}")
    walk = _Walk(outcomes_of(book, strategy), sessions, bankroll=bankroll, needs=needs, aim=aim)
    by_round: dict[int, float] = {}
    for number, first in enumerate(range(0, rounds, _STEPS)):
        steps = min(_STEPS, rounds - first)
        walk.play(np.random.Generator(generator(seed, _STREAM + 1 + number)), first, steps)
        by_round[first + steps] = float((walk.ended > 0).mean())
    ruined = float((walk.ended > 0).mean())
    return Ruin(
        book=book.id,
        bankroll=bankroll,
        rounds=rounds,
        sessions=sessions,
        needs=needs,
        ruined=ruined,
        standard_error=sqrt(ruined * (1 - ruined) / sessions),
        rounds_to_ruin=float(walk.ended[walk.ended > 0].mean()) if ruined else None,
        reached=None if aim is None else float(walk.reached.mean()),
        final=Spread.of(walk.bank / walk.unit),
        by_round=by_round,
    )


class _Walk:
    """Sessions side by side, each with its bankroll, until it is ruined or has reached its aim."""

    def __init__(
        self, figures: Edge, sessions: int, *, bankroll: Fraction, needs: Fraction, aim: Fraction | None
    ) -> None:
        parts = [*figures.outcomes, bankroll, *([] if aim is None else [aim])]
        self.unit = lcm(*(one.denominator for one in parts))
        self._nets = np.array([int(net * self.unit) for net in figures.outcomes], np.int64)
        self._borders = np.cumsum(_law(figures)[1])[:-1]
        self._needs = int(needs * self.unit)
        self._aim = None if aim is None else int(aim * self.unit)
        self.bank = np.full(sessions, int(bankroll * self.unit), np.int64)
        self.ended = np.zeros(sessions, np.int64)  # the round of ruin; nought: none
        self.reached = np.zeros(sessions, np.bool_)

    def play(self, chance: np.random.Generator, first: int, steps: int) -> None:
        """The next rounds of all who still play."""
        playing = np.flatnonzero((self.ended == 0) & ~self.reached)
        drawn = np.searchsorted(self._borders, chance.random((len(playing), steps)), side="right")
        path = np.cumsum(self._nets[drawn], axis=1) + self.bank[playing, None]
        over = path < self._needs
        won = np.zeros_like(over) if self._aim is None else path >= self._aim
        stops = over | won
        at = np.where(stops.any(axis=1), stops.argmax(axis=1), steps - 1)
        every = np.arange(len(playing))
        self.bank[playing] = path[every, at]
        self.ended[playing] = np.where(over[every, at], first + at + 1, 0)
        self.reached[playing] = won[every, at]


#: Draws without cards come from streams that no block of cards uses.
_STREAM = 1 << 100


def _law(figures: Edge) -> tuple[Results, Results]:
    """The results and their chances."""
    chances = np.array([number / figures.deals for number in figures.outcomes.values()])
    return np.array([float(net) for net in figures.outcomes]), chances / chances.sum()


def _at_least_one(**counts: int) -> None:
    for name, count in counts.items():
        if count < 1:
            raise SimulationError(f"{count} {name} are none; give one or more")
