"""The results of the mathematics: the cost of a book (`Edge`) and the value of each decision (`Values`)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from math import lcm, sqrt


@dataclass(frozen=True, slots=True, repr=False)
class Edge:
    """The cost of a book under the best play: one ante staked, every deal counted once."""

    book: str  # the book's id
    deals: int  # number of equally likely deals
    outcomes: Mapping[Fraction, int]  # net result in antes -> number of deals
    decisions: Mapping[str, Fraction]  # "fold", "bet", "exchange", "stay", "declare" -> frequency
    risked: Fraction  # average of all chips put down, in antes: ante, bet if made, exchange fee

    def __post_init__(self) -> None:
        assert sum(self.outcomes.values()) == self.deals, "every deal has one outcome"

    @property
    def net_per_ante(self) -> Fraction:
        """The player's average result, in antes; negative if the house is ahead."""
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
        """The standard deviation of one round's result, in antes; a square root, so not a fraction."""
        return sqrt(self.variance)

    def __repr__(self) -> str:
        played = ", ".join(f"{name} {_percent(share, 2)}" for name, share in self.decisions.items())
        return f"Edge({self.book}: house edge {_percent(self.house_edge)}, {played})"

    def _repr_html_(self) -> str:
        rows = [
            ("house edge, of the ante", _percent(self.house_edge), self.house_edge),
            ("element of risk, of all chips", _percent(self.element_of_risk), self.element_of_risk),
            ("standard deviation, antes", f"{self.standard_deviation:.4f}", ""),
            *((f"how often: {name}", _percent(share), share) for name, share in self.decisions.items()),
        ]
        return _html(("", self.book, "exactly"), rows)


@dataclass(frozen=True, slots=True, repr=False)
class Values:
    """The exact value of every decision for one hand, in antes, best first by value."""

    decisions: Mapping[str, Fraction]
    best: str

    @classmethod
    def of(cls, decisions: Mapping[str, Fraction]) -> "Values":
        """Return the decisions sorted by value, best first. Decisions of the same value keep their order."""
        ranked = dict(sorted(decisions.items(), key=lambda item: item[1], reverse=True))
        return cls(decisions=ranked, best=next(iter(ranked)))

    def __repr__(self) -> str:
        return f"Values({', '.join(f'{name} {_worth(worth)}' for name, worth in self.decisions.items())})"

    def _repr_html_(self) -> str:
        best = self.decisions[self.best]
        rows = [(name, _worth(worth), _worth(worth - best), worth) for name, worth in self.decisions.items()]
        return _html(("decision", "value, in antes", "against the best", "exactly"), rows)


def _percent(share: Fraction, places: int = 4) -> str:
    return f"{float(100 * share):.{places}f} %"


def _worth(value: Fraction) -> str:
    """Return `-0.991488`; a whole number without decimals."""
    return str(value) if value.denominator == 1 else f"{float(value):.6f}"


def _html(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _average(outcomes: Mapping[Fraction, int], deals: int, *, power: int) -> Fraction:
    # One common denominator keeps the sum in whole numbers: adding fractions reduces each step anew.
    scale = _common_denominator(outcomes)
    total = sum(int(net * scale) ** power * count for net, count in outcomes.items())
    return Fraction(total, deals * scale**power)


def _common_denominator(outcomes: Mapping[Fraction, int]) -> int:
    return lcm(*(net.denominator for net in outcomes))
