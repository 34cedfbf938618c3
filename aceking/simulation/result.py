"""The result of a simulation: the mean with its error, decisions, outcomes and the side bet."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist
from typing import Any

from aceking.cards.hand import Category
from aceking.money.chips import shown
from aceking.rules.odds import Fixed
from aceking.simulation.games.game import RoundMoney
from aceking.simulation.games.side_wagers import SideColumns
from aceking.simulation.plan import Plan
from aceking.simulation.tally import Tally

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class SideResult:
    """A side bet on every seat, in stakes."""

    stakes: int  # how many were made
    net_per_stake: float
    standard_error: float  # hands of one round are treated as independent
    paid: Mapping[str, int]  # hands paid, by category
    meter: Mapping[str, Any]  # the figures of the progressive's meter; empty for a bonus

    def data(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        return {
            "stakes": self.stakes,
            "net_per_stake": self.net_per_stake,
            "standard_error": self.standard_error,
            "paid": dict(self.paid),
            **({"meter": dict(self.meter)} if self.meter else {}),
        }


@dataclass(frozen=True, slots=True)
class Result:
    """The result of the rounds that were played."""

    book: str
    strategy: str
    seed: int
    seats: int
    rounds: int
    asked: int  # rounds
    net_per_ante: Fraction  # exact for these rounds: over all seats
    standard_error: float
    outcomes: Mapping[Fraction, int]  # hands by net result, highest first
    decisions: Mapping[str, Fraction]
    side: SideResult | None
    sides: Mapping[str, SideResult]  # the named side wagers
    seconds: float

    @property
    def stopped(self) -> bool:
        """Whether fewer rounds were played than were asked for."""
        return self.rounds < self.asked

    @property
    def rounds_per_second(self) -> float:
        return self.rounds / self.seconds if self.seconds else 0.0

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the interval that contains the true mean with this confidence."""
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.standard_error
        return float(self.net_per_ante) - reach, float(self.net_per_ante) + reach

    def data(self) -> dict[str, Any]:
        """Return the result as JSON data."""
        low, high = self.interval()
        data: dict[str, Any] = {
            "book": self.book,
            "strategy": self.strategy,
            "seed": self.seed,
            "seats": self.seats,
            "rounds": self.rounds,
            "net_per_ante": float(self.net_per_ante),
            "standard_error": self.standard_error,
            "interval": {"confidence": CONFIDENCE, "low": low, "high": high},
            "rounds_per_second": round(self.rounds_per_second, 1),
            "seconds": round(self.seconds, 4),
            "stopped": self.stopped,
            "hands": self.rounds * self.seats,
            "exact": {"net_per_ante": str(self.net_per_ante)},
            "decisions": {name: float(share) for name, share in self.decisions.items()},
            "outcomes": {str(net): number for net, number in self.outcomes.items()},
        }
        if self.side is not None:
            data["side"] = self.side.data()
        if self.sides:
            data["sides"] = {name: side.data() for name, side in self.sides.items()}
        return data


def result(plan: Plan, tally: Tally, seconds: float) -> Result:
    """Return the figures of the rounds so far, at least one."""
    money = RoundMoney(plan.game.outcomes)
    rounds, hands = tally.rounds, tally.rounds * tally.seats
    total = sum(number * int(part) for number, part in zip(tally.outcomes, money.parts.tolist(), strict=True))
    # The variance of a round's sum over its seats, whose hands meet the same dealer; in integers up to the root.
    spread = Fraction(tally.squares * rounds - total**2, rounds * max(rounds - 1, 1))
    outcomes: dict[Fraction, int] = {}
    decisions: dict[str, int] = {}
    for outcome, number in zip(plan.game.outcomes, tally.outcomes, strict=True):
        if number:
            outcomes[outcome.net] = outcomes.get(outcome.net, 0) + number
            decisions[outcome.decision] = decisions.get(outcome.decision, 0) + number
    return Result(
        book=plan.book.id,
        strategy=plan.strategy,
        seed=plan.seed,
        seats=tally.seats,
        rounds=rounds,
        asked=plan.rounds,
        net_per_ante=Fraction(total, hands * money.unit),
        standard_error=sqrt(spread / rounds) / (money.unit * tally.seats),
        outcomes=dict(sorted(outcomes.items(), reverse=True)),
        decisions={name: Fraction(number, hands) for name, number in decisions.items()},
        side=_progressive(plan, tally) if plan.side is not None else _bonus(plan, tally),
        sides={side.name: _by_name(side, tally, *sums) for side, sums in zip(plan.sides, tally.sides, strict=True)},
        seconds=seconds,
    )


def _by_name(side: SideColumns, tally: Tally, netted: int, squares: int) -> SideResult:
    """Return the result of a named side wager, envy included; its sums are over all seats of a round."""
    rounds, stakes = tally.rounds, tally.rounds * tally.seats
    spread = Fraction(squares * rounds - netted**2, rounds * max(rounds - 1, 1))
    error = sqrt(spread / rounds) / (side.stake * tally.seats)
    return SideResult(stakes, netted / (stakes * side.stake), error, {}, {})


def _progressive(plan: Plan, tally: Tally) -> SideResult:
    side, meter = plan.side, tally.meter
    assert side is not None
    assert meter is not None
    stake, stakes = int(side.rules.stake), tally.rounds * tally.seats
    fixed = {category: award.amount for category, award in side.awards.items() if isinstance(award, Fixed)}
    won = meter.paid + sum(tally.paid[category] * amount for category, amount in fixed.items())
    back = 0
    if side.returned:
        moved = zip(plan.game.outcomes, tally.outcomes, strict=True)
        back = stake * sum(number for outcome, number in moved if outcome.decision == "exchange")
    squares = meter.squares + sum(tally.paid[category] * amount**2 for category, amount in fixed.items())
    mean = (won + back) / stakes
    return SideResult(
        stakes=stakes,
        net_per_stake=mean / stake - 1,
        standard_error=sqrt(max((squares + back * stake) / stakes - mean**2, 0) / stakes) / stake,
        paid={row.key: tally.paid[row] for row in sorted(Category, reverse=True) if row in side.awards},
        meter={
            "start": shown(side.start, decimals=plan.book.decimals),
            "end": shown(int(meter.value), decimals=plan.book.decimals),
            "hits": dict(meter.hits),
            "resets": meter.resets,
            "highest": shown(meter.highest, decimals=plan.book.decimals),
            "shortest_interval": meter.least_interval,
            "longest_interval": meter.most_interval,
            "unregulated": meter.unregulated,
        },
    )


def _bonus(plan: Plan, tally: Tally) -> SideResult | None:
    """Return the result of the bonus of a game against a pay table; None without a bonus."""
    pairs = [(outcome.bonus, n) for outcome, n in zip(plan.game.outcomes, tally.outcomes, strict=True) if n]
    if any(net is None for net, _ in pairs):
        return None
    stakes = tally.rounds * tally.seats
    nets = [(net, number) for net, number in pairs if net is not None]
    mean = sum((net * number for net, number in nets), Fraction(0)) / stakes
    square = sum((net**2 * number for net, number in nets), Fraction(0)) / stakes
    return SideResult(stakes, float(mean), sqrt((square - mean**2) / stakes), {}, {})
