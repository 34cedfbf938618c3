"""What a strategy is made of, for every game: lines of advice, rules that a person can carry, and what these cost."""

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

#: Hears how much of the work is done, and how much there is.
Tell = Callable[[int, int], None]
_Part = TypeVar("_Part")


def nobody(part: int, whole: int) -> None:
    """Who does not care how far the work is."""


def in_steps(parts: Sequence[_Part], tell: Tell) -> Iterator[_Part]:
    """The parts of some work one after another; each is told when it is done."""
    tell(0, len(parts))
    for done, part in enumerate(parts, start=1):
        yield part
        tell(done, len(parts))


@dataclass(frozen=True, slots=True)
class Advice:
    """One line of the complete strategy. All lines together hold every state of the game exactly once."""

    weakest: str  # the hands from this
    strongest: str  # to this one, in the order of hands
    up: str | None  # the rank of the up-card
    best: str
    four_suited: bool | None  # only with four cards of one suit, or only without; None: that does not matter
    suits: tuple[str, ...]  # only if the cards held in the up-card's suit are one of these; empty: whatever they are
    share: Fraction  # of all rounds
    value: Fraction  # of the best decision, in antes, on average
    margin: Fraction  # what the next best decision costs, in antes, on average


@dataclass(frozen=True, slots=True)
class Mistake:
    """A kind of hands that a rule plays badly."""

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
    """A rule that a person can carry, and what it costs."""

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
    inside: str | None = (
        None  # four cards that one rank makes a straight, with a card of the up-card's rank; None: never
    )
    inside_unmatched: str | None = None  # and without one


@dataclass(frozen=True, slots=True)
class ChartRow:
    """Hands of one name, and how often each decision is the best, by column; nothing where there is no such state."""

    name: str
    cells: tuple[Mapping[str, Fraction], ...]
    margins: tuple[Fraction | None, ...] = ()  # what the next best decision costs, in antes, on average


@dataclass(frozen=True, slots=True)
class Chart:
    """The best play as a picture: hands against up-cards, or against each other."""

    says: str
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Strategy:
    """How to play a book."""

    book: str
    best: Edge
    advice: tuple[Advice, ...]
    rules: tuple[Carried, ...]  # the cheapest first
    borders: tuple[Border, ...]  # where there is a dealer
    chart: Chart
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
    """A kind of hands by its five ranks: `A K J 8 3`, `9 9 A 5 2`, `K T 8 7 2 of one suit`."""
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
