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
from aceking.simulation.games.game import Game, RoundMoney, SimulationError
from aceking.simulation.plan import check_seed, plan
from aceking.simulation.strategies import OPTIMAL, slug, strategy_name

QUANTILES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
_BANKROLL = 10**12  # antes; up to this, no sum overflows 64 bits
_STEPS = 128  # rounds of a session that are drawn at a time

SessionResults = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SessionSpread:
    """The results of many samples, in antes."""

    results: SessionResults  # rising

    @classmethod
    def of(cls, results: SessionResults) -> "SessionSpread":
        return cls(np.sort(results))

    def data(self) -> dict[str, Any]:
        """Return the mean, the standard deviation and the quantiles as JSON data."""
        return {
            "mean": float(self.results.mean()),
            "standard_deviation": float(self.results.std(ddof=1)) if len(self.results) > 1 else 0.0,
            "ahead": float((self.results > 0).mean()),
            "quantiles": {str(chance): self.quantile(chance) for chance in QUANTILES},
        }

    def quantile(self, chance: float) -> float:
        """Return the smallest result that is not exceeded with at least this chance."""
        place = min(int(np.ceil(chance * len(self.results))), len(self.results))
        return float(self.results[max(place - 1, 0)])


@dataclass(frozen=True, slots=True)
class Night:
    """Many nights: one player's results, and the house's over all seats."""

    book: str
    rounds: int
    seats: int
    nights: int
    player: SessionSpread
    house: SessionSpread


def outcomes_of(book: Book, strategy: str = OPTIMAL) -> Edge:
    """Return the exact figures of a strategy that is known by name. Raises SimulationError for a file."""
    name = strategy_name(book, strategy)
    if name == OPTIMAL:
        return edge(book)
    from aceking.exact.strategy import strategy as strategy_of

    for rule in strategy_of(book).rules:
        if slug(rule.name) == name:
            return rule.edge
    raise SimulationError(f"{strategy}: sessions are drawn from exact figures, and those of a file are not counted")


def night(book: Book, *, rounds: int, nights: int, seats: int = 1, seed: int = 1, strategy: str = OPTIMAL) -> Night:
    """Return the results of `nights` nights of `rounds` rounds each."""
    _at_least_one(rounds=rounds, nights=nights)
    question = plan(book, rounds=rounds * nights, seats=seats, seed=seed, strategy=strategy)
    player = _drawn(outcomes_of(book, strategy), rounds, nights, seed)
    house = -_played(question.game, seed, rounds, nights)
    return Night(book.id, rounds, seats, nights, SessionSpread.of(player), SessionSpread.of(house))


def _drawn(figures: Edge, rounds: int, nights: int, seed: int) -> SessionResults:
    nets, chances = _law(figures)
    chance = np.random.Generator(generator(seed, _STREAM))
    counts = chance.multinomial(rounds, chances, size=nights)
    return np.asarray(counts @ nets)


def _played(game: Game, seed: int, rounds: int, nights: int) -> SessionResults:
    """Return the net result of all seats together in each night, played with cards."""
    money = RoundMoney(game.outcomes)
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
    """The share of the antes that the house keeps over some nights, and its interval."""

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
    """Return the interval for the hold of one table, for each of several numbers of nights."""
    _at_least_one(rounds=rounds, samples=samples, **{f"length {length}": length for length in lengths})
    if not 0 < confidence < 1:
        raise SimulationError(f"a confidence lies between 0 and 1, as in 0.95, not {confidence}")
    question = plan(book, rounds=rounds, seats=seats, seed=seed, strategy=strategy)
    expected = float(outcomes_of(book, strategy).house_edge)
    single = -_played(question.game, seed, rounds, samples * max(lengths))
    holds = []
    for nights in lengths:
        hands = rounds * seats * nights
        kept = np.sort(single[: samples * nights].reshape(samples, nights).sum(axis=1)) / hands
        low, high = np.quantile(kept, [(1 - confidence) / 2, (1 + confidence) / 2])
        holds.append(Hold(nights, hands, expected, float(low), float(high)))
    return tuple(holds)


# --- ruin ---


@dataclass(frozen=True, slots=True)
class Ruin:
    """How sessions with a bankroll end."""

    book: str
    bankroll: Fraction  # in antes
    rounds: int
    sessions: int
    needs: Fraction  # antes that a full round takes; a player with less is ruined
    ruined: float
    standard_error: float
    rounds_to_ruin: float | None  # on average, of those who are ruined
    reached: float | None  # how often the aim was reached first
    final: SessionSpread  # the bankroll at the end
    by_round: Mapping[int, float]  # the share that is ruined by then


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
    """Play sessions of at most `rounds` rounds of one ante: a player who cannot pay for a full round is ruined."""
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
        final=SessionSpread.of(walk.bank / walk.unit),
        by_round=by_round,
    )


class _Walk:
    """Sessions side by side, each with its bankroll, until it is ruined or reaches its aim."""

    def __init__(
        self, figures: Edge, sessions: int, *, bankroll: Fraction, needs: Fraction, aim: Fraction | None
    ) -> None:
        parts = [*figures.outcomes, bankroll, *([] if aim is None else [aim])]
        self.unit = lcm(*(part.denominator for part in parts))
        self._nets = np.array([int(net * self.unit) for net in figures.outcomes], np.int64)
        self._borders = np.cumsum(_law(figures)[1])[:-1]
        self._needs = int(needs * self.unit)
        self._aim = None if aim is None else int(aim * self.unit)
        self.bank = np.full(sessions, int(bankroll * self.unit), np.int64)
        self.ended = np.zeros(sessions, np.int64)  # the round of ruin; 0: not ruined
        self.reached = np.zeros(sessions, np.bool_)

    def play(self, chance: np.random.Generator, first: int, steps: int) -> None:
        """Play the next rounds of all who still play."""
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


#: Draws without cards use streams that no block of cards uses.
_STREAM = 1 << 100


def _law(figures: Edge) -> tuple[SessionResults, SessionResults]:
    """Return the results and their chances."""
    chances = np.array([number / figures.deals for number in figures.outcomes.values()])
    return np.array([float(net) for net in figures.outcomes]), chances / chances.sum()


def _at_least_one(**counts: int) -> None:
    for name, count in counts.items():
        if count < 1:
            raise SimulationError(f"the {name} must be 1 or more, not {count}")
