"""The price of a book with its lines moved, beside the price of the book as it is; and the edge along one row."""

from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from aceking.exact.changes import Change, changes_of, command_line, priced_hash
from aceking.exact.figures import Edge
from aceking.exact.games import rounded
from aceking.exact.side_bets.prices import progressive_line, side_bets
from aceking.exact.side_bets.progressive import against_meter, middle
from aceking.lab.movable_lines import step_of
from aceking.lab.question import KEPT, LabQuestion, book_of, edge_of
from aceking.rules.book import Book
from aceking.rules.odds import amount, odds_text
from aceking.rules.options import OptionError
from aceking.rules.reading.load import load_book
from aceking.table.show.part import ShownPart

#: Points of the line against the meter, up to twice the meter at which the side bet is even.
_POINTS = 21
#: The ante for which the whole game is shown if none is given.
ANTE = "10"
#: Steps to either side of a row's odds. A book with an exchange takes far longer for each.
_STEPS = 3
_FEW_STEPS = 2
#: Digits of an amount; more than any house has.
_DIGITS_MAX = 15


class PricedOutcome(ShownPart, frozen=True, kw_only=True):
    """A net result in antes, and the number of its deals."""

    net: str
    deals: int


class LabFigures(ShownPart, frozen=True, kw_only=True):
    """The figures of a book under the best play."""

    house_edge: str
    element_of_risk: str
    risked: str
    variance: str
    standard_deviation: float
    decisions: dict[str, str]
    outcomes: tuple[PricedOutcome, ...]  # the worst first
    deals: int


class Even(ShownPart, frozen=True, kw_only=True):
    """An ante, and the meter at which the whole game is even."""

    ante: str
    meter: str


class PricedAtMeter(ShownPart, frozen=True, kw_only=True):
    """The edge at one meter: of the stake on the side bet, and of the ante with the side bet on top."""

    meter: str
    ante: str
    side_edge: str
    whole_edge: str


class PricedProgressive(ShownPart, frozen=True, kw_only=True):
    """The side bet against the meter, or what must be posted before it can be priced."""

    open: str | None = None
    stake: str | None = None
    awards: dict[str, str] = {}
    constant: str | None = None
    slope: str | None = None
    break_even: str | None = None
    house_edge: str | None = None  # if no award is a share of the meter
    whole_even: tuple[Even, ...] = ()
    at: PricedAtMeter | None = None
    line: tuple[PricedAtMeter, ...] = ()


class PricedBonus(ShownPart, frozen=True, kw_only=True):
    """The side bet at fixed odds: beside the best play of ante and bet, and played for itself."""

    open: str | None = None
    house_edge: str | None = None
    played_for_the_bonus: str | None = None


class Priced(ShownPart, frozen=True, kw_only=True):
    """One book priced."""

    figures: LabFigures
    progressive: PricedProgressive | None = None
    bonus: PricedBonus | None = None


class MovedLine(ShownPart, frozen=True, kw_only=True):
    """A line in which the book is not the house's own."""

    kind: Literal["pays", "option", "qualifier", "ante"]
    name: str
    value: str
    own: str
    clause: str
    allowed: bool
    priced: bool  # it is part of the figures
    says: str


class LabPrice(ShownPart, frozen=True, kw_only=True):
    """A book with its lines moved, and the book as it is."""

    book: str
    what_if: bool
    moved: tuple[MovedLine, ...]
    now: Priced
    own: Priced
    priced: str  # the hash of all that was priced
    repeat: str  # the command that gives the same figures


class PricePoint(ShownPart, frozen=True, kw_only=True):
    """A point of the edge along one row."""

    odds: str
    says: str
    house_edge: str
    allowed: bool
    own: bool
    now: bool


class PriceCurve(ShownPart, frozen=True, kw_only=True):
    """The edge along one row of the pays, under the best play at each point."""

    row: str
    points: tuple[PricePoint, ...]


def price(question: LabQuestion, *, meter: str | None = None, ante: str = ANTE) -> LabPrice:
    """Return the price of the question's book, and of the book as it is."""
    moved, priced, repeat = _about(question)
    now = _priced(question, meter, ante)
    return LabPrice(
        book=question.book,
        what_if=bool(moved),
        moved=moved,
        now=now,
        own=_priced(question.own, meter, ante) if moved else now,
        priced=priced,
        repeat=repeat,
    )


@lru_cache(maxsize=KEPT)
def _about(question: LabQuestion) -> tuple[tuple[MovedLine, ...], str, str]:
    """Return the moved lines, the hash of everything priced, and the command that gives the same figures."""
    book, _ = book_of(question)
    changes = changes_of(book) if question.moved else ()
    return tuple(_moved(change) for change in changes), priced_hash(book), command_line("edge", question.book, changes)


@lru_cache(maxsize=KEPT)
def _sides(question: LabQuestion) -> dict[str, Any]:
    return side_bets(book_of(question)[0], edge_of(question))


def curve(question: LabQuestion, row: str) -> PriceCurve:
    """Return the edge at odds around those of one row. Raises OptionError if there is no such row."""
    own = load_book(question.book)
    key = _key(own, row)
    now, printed = book_of(question)[0].by_key[key].value, own.by_key[key].value
    step = step_of(printed)
    reach = _STEPS if own.exchange is None else _FEW_STEPS
    tried = {now + place * step for place in range(-reach, reach + 1)} | {printed}
    points = []
    for value in sorted(odds for odds in tried if odds >= 0):
        moved = question.but(row, odds_given(value))
        edge = edge_of(moved if value != now else question)
        allowed = all(change.allowed for change in changes_of(book_of(moved)[0]) if change.name == row)
        points.append(
            PricePoint(
                odds=str(value),
                says=odds_text(value),
                house_edge=str(edge.house_edge),
                allowed=allowed,
                own=value == printed,
                now=value == now,
            )
        )
    return PriceCurve(row=row, points=tuple(points))


def odds_given(value: Fraction) -> str:
    """Return odds as in a question: `8 to 1`."""
    return f"{value.numerator} to {value.denominator}"


def _key(book: Book, row: str) -> str:
    table, point, name = row.partition(".")
    key = f"{table}.pays.{name}" if point else f"bet.pays.{row}"
    if key not in book.by_key:
        raise OptionError(f"{book.id} has no pay row {row[:40]!r}")
    return key


def _priced(question: LabQuestion, meter: str | None, ante: str) -> Priced:
    book, _ = book_of(question)
    edge, sides = edge_of(question), _sides(question)
    side = sides.get("progressive")
    bonus = sides.get("bonus")
    return Priced(
        figures=figures(edge),
        progressive=None if side is None else _progressive(book, edge, side, meter, ante),
        bonus=None if bonus is None else _bonus(bonus),
    )


def figures(edge: Edge) -> LabFigures:
    """Return the figures of a book, exactly."""
    return LabFigures(
        house_edge=str(edge.house_edge),
        element_of_risk=str(edge.element_of_risk),
        risked=str(edge.risked),
        variance=str(edge.variance),
        standard_deviation=rounded(edge.standard_deviation),
        decisions={name: str(share) for name, share in edge.decisions.items()},
        outcomes=tuple(PricedOutcome(net=str(net), deals=many) for net, many in sorted(edge.outcomes.items())),
        deals=edge.deals,
    )


def _progressive(book: Book, edge: Edge, side: dict[str, Any], meter: str | None, ante: str) -> PricedProgressive:
    if "open" in side:
        return PricedProgressive(open=_without_command(side["open"]))
    if side["break_even"] is None:
        return PricedProgressive(
            stake=side["stake"], awards=side["awards"], constant=side["constant"], house_edge=side["house_edge"]
        )
    line, unit = progressive_line(book, edge), 10**book.decimals
    staked = _money(ante, book, "ante")
    if staked == 0:
        raise OptionError("ante: the ante cannot be 0")
    meters = [2 * middle(line, unit) * place // (_POINTS - 1) for place in range(_POINTS)]
    if meter is not None:
        meters.append(_money(meter, book, "meter"))
    points = [
        PricedAtMeter(
            meter=str(Fraction(point.meter, unit)),
            ante=str(Fraction(staked, unit)),
            side_edge=str(point.side_edge),
            whole_edge=str(point.whole_edge),
        )
        for point in against_meter(line, edge.net_per_ante, ante=staked, meters=meters)
    ]
    return PricedProgressive(
        stake=side["stake"],
        awards=side["awards"],
        constant=side["constant"],
        slope=side["slope"],
        break_even=side["break_even"],
        whole_even=tuple(Even(ante=even["ante"], meter=even["meter"]) for even in side["whole_game_even"]),
        at=None if meter is None else points[-1],
        line=tuple(points[:_POINTS]),
    )


def _bonus(side: dict[str, Any]) -> PricedBonus:
    if "open" in side:
        return PricedBonus(open=side["open"])
    return PricedBonus(house_edge=side["house_edge"], played_for_the_bonus=side["played_for_the_bonus"])


def _money(text: str, book: Book, what: str) -> int:
    if len(text) > _DIGITS_MAX:
        raise OptionError(f"{what}: that is more than any house has")
    return amount(text, decimals=book.decimals)


def _without_command(text: str) -> str:
    """Return what must be given, without the option of the command line."""
    return text.partition("; give them all at once")[0]


def _moved(change: Change) -> MovedLine:
    return MovedLine(
        kind=change.kind,
        name=change.name,
        value=change.value,
        own=change.own,
        clause=change.clause,
        allowed=change.allowed,
        priced=change.enters in ("main", "side"),
        says=str(change),
    )
