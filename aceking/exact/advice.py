"""The types of a strategy, for every game: lines of advice, rules of thumb, and what these cost."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from html import escape
from typing import TypeVar

from aceking.cards.card import ACE, FIVE, RANKS
from aceking.cards.hand import Category, HandRank
from aceking.exact.figures import Edge
from aceking.exact.stud.counts import SIZES

#: Called with the number of steps done and the number of steps in all.
CountProgress = Callable[[int, int], None]
_Step = TypeVar("_Step")


def no_progress(part: int, whole: int) -> None:
    """Ignore the progress: the default callback."""


def in_steps(steps: Sequence[_Step], progress: CountProgress) -> Iterator[_Step]:
    """Yield the steps one after another, and report to `progress` before the first and after each."""
    progress(0, len(steps))
    for done, step in enumerate(steps, start=1):
        yield step
        progress(done, len(steps))


@dataclass(frozen=True, slots=True)
class Advice:
    """One line of the complete strategy. Every state of the game is in exactly one line."""

    weakest: str  # the hands from this
    strongest: str  # to this one, in the order of hands
    up: str | None  # the rank of the up-card
    best: str
    four_suited: bool | None  # True: only with four cards of one suit; False: only without; None: either
    suits: tuple[str, ...]  # the cards held in the up-card's suit must be one of these; empty: any cards
    share: Fraction  # of all rounds
    value: Fraction  # of the best decision, in antes, on average
    margin: Fraction  # what the next best decision costs, in antes, on average


@dataclass(frozen=True, slots=True)
class Mistake:
    """A kind of hand that a rule plays badly."""

    hand: str
    up: str | None
    taken: str
    best: str
    share: Fraction  # of all rounds
    costs: Fraction  # each time, in antes, on average

    @property
    def per_round(self) -> Fraction:
        """What the mistake costs over all rounds, in antes."""
        return self.costs * self.share


@dataclass(frozen=True, slots=True)
class Carried:
    """A rule that a person can remember at the table, and what it costs."""

    name: str
    says: str
    source: str  # where it comes from
    edge: Edge
    costs: Fraction  # more than the best play, per round, in antes
    mistakes: tuple[Mistake, ...]  # the dearest over all rounds first


@dataclass(frozen=True, slots=True)
class Border:
    """Against one up-card: the weakest hands to bet, and the weakest draws to buy a card for."""

    up: str
    matched: str | None  # of hands that hold a card of the up-card's rank; None: none of them is bet
    unmatched: str | None  # of all others
    inside: str | None = None  # four cards that one rank makes a straight, one of the up-card's rank; None: never
    inside_unmatched: str | None = None  # the same without a card of the up-card's rank


@dataclass(frozen=True, slots=True)
class ChartRow:
    """Hands of one name, and how often each decision is the best, by column; an empty cell has no state."""

    name: str
    cells: tuple[Mapping[str, Fraction], ...]
    margins: tuple[Fraction | None, ...] = ()  # what the next best decision costs, in antes, on average


@dataclass(frozen=True, slots=True)
class StrategyChart:
    """The best play as a picture: hands against up-cards, or against each other."""

    says: str
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Strategy:
    book: str
    best: Edge
    advice: tuple[Advice, ...]
    rules: tuple[Carried, ...]  # the cheapest first
    borders: tuple[Border, ...]  # empty if there is no dealer
    chart: StrategyChart
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        carried = ", ".join(f"{rule.name} {float(100 * rule.edge.house_edge):.4f} %" for rule in self.rules)
        return f"Strategy({self.book}: best {float(100 * self.best.house_edge):.4f} %; rules to carry: {carried})"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(rule.name)}</td><td>{escape(rule.says)}</td>"
            f"<td>{float(100 * rule.edge.house_edge):.4f} %</td></tr>"
            for rule in self.rules
        )
        head = f"<tr><th>{escape(self.book)}</th><th>what to do</th><th>house edge</th></tr>"
        return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"


@cache
def hand_text(ranked: HandRank) -> str:
    """Return the five ranks of a kind of hand: `A K J 8 3`, `9 9 A 5 2`, `K T 8 7 2 of one suit`."""
    if not ranked.ranks:
        return ranked.category.title
    suited = (
        " of one suit" if ranked.category in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH) else ""
    )
    if ranked.category in (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        top = ranked.ranks[0]
        falling = [top, top - 1, top - 2, top - 3, ACE if top == FIVE else top - 4]
    else:
        sizes = SIZES.get(ranked.category, SIZES[Category.HIGH_CARD])
        falling = [value for value, size in zip(ranked.ranks, sizes, strict=True) for _ in range(size)]
    return " ".join(RANKS[value] for value in falling) + suited
