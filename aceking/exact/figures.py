"""The figures that the mathematics hands out: what a book costs, and what each decision is worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm, sqrt


@dataclass(frozen=True, slots=True)
class Edge:
    """What a book costs: one ante staked, every deal counted once, the best play taken."""

    book: str  # the book's id
    deals: int  # number of equally likely deals
    outcomes: Mapping[Fraction, int]  # net result in antes -> number of deals
    decisions: Mapping[str, Fraction]  # "fold", "bet", "exchange", "stay", "declare" -> frequency
    risked: Fraction  # average of all chips put down, in antes: ante, bet where made, exchange fee

    def __post_init__(self) -> None:
        assert sum(self.outcomes.values()) == self.deals, "every deal has one outcome"

    @property
    def net_per_ante(self) -> Fraction:
        """The player's average result, in antes: negative where the house is ahead."""
        return _average(self.outcomes, self.deals, power=1)

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of each ante."""
        return -self.net_per_ante

    @property
    def element_of_risk(self) -> Fraction:
        """What the house keeps of each chip put down."""
        return self.house_edge / self.risked

    @property
    def variance(self) -> Fraction:
        """The variance of one round's result, in square antes."""
        return _average(self.outcomes, self.deals, power=2) - self.net_per_ante**2

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of one round's result, in antes; a root, so no fraction."""
        return sqrt(self.variance)


@dataclass(frozen=True, slots=True)
class Values:
    """The exact value of every decision for one hand, in antes, best first by value."""

    decisions: Mapping[str, Fraction]
    best: str

    @classmethod
    def of(cls, decisions: Mapping[str, Fraction]) -> "Values":
        """Sorts the decisions, best first. Of two that are worth the same the one named first stands first."""
        ranked = dict(sorted(decisions.items(), key=lambda item: item[1], reverse=True))
        return cls(decisions=ranked, best=next(iter(ranked)))


def _average(outcomes: Mapping[Fraction, int], deals: int, *, power: int) -> Fraction:
    # One common denominator keeps the sum in whole numbers: adding fractions reduces each step anew.
    scale = _common_denominator(outcomes)
    total = sum(int(net * scale) ** power * count for net, count in outcomes.items())
    return Fraction(total, deals * scale**power)


def _common_denominator(outcomes: Mapping[Fraction, int]) -> int:
    return lcm(*(net.denominator for net in outcomes))
