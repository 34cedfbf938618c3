"""What a book costs with its lines moved, beside what it costs as it is; and the edge along one line of it."""

from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

import msgspec

from aceking.exact.changes import Change, changes_of, command_line, priced_hash
from aceking.exact.figures import Edge
from aceking.exact.games import rounded
from aceking.exact.side_bets.prices import progressive_line, side_bets
from aceking.exact.side_bets.progressive import against_meter, middle
from aceking.lab.movable_lines import step_of
from aceking.lab.question import KEPT, Asked, book_of, edge_of
from aceking.rules.book import Book
from aceking.rules.odds import amount, odds_text
from aceking.rules.options import OptionError
from aceking.rules.reading.load import load_book

#: Points of the line against the meter, up to twice the meter at which the side bet is even.
_POINTS = 21
#: The ante for which the whole game is told where none is given.
ANTE = "10"
#: Steps to either side of a row's odds. A book with an exchange takes far longer for each.
_STEPS = 3
_FEW_STEPS = 2
#: More than any house has.
_DIGITS_MAX = 15


class _Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of a price. Exact figures are texts, "p/q" in lowest terms."""


class Outcome(_Part, frozen=True, kw_only=True):
    """A net result in antes, and in how many deals it comes up."""

    net: str
    deals: int


class Figures(_Part, frozen=True, kw_only=True):
    """What a book costs with the best play."""

    house_edge: str
    element_of_risk: str
    risked: str
    variance: str
    standard_deviation: float
    decisions: dict[str, str]
    outcomes: tuple[Outcome, ...]  # the worst first
    deals: int


class Even(_Part, frozen=True, kw_only=True):
    """An ante, and the meter at which the whole game is even."""

    ante: str
    meter: str


class AtMeter(_Part, frozen=True, kw_only=True):
    """The edge at one meter: of the stake on the side bet, and of the ante with the side bet on top."""

    meter: str
    ante: str
    side_edge: str
    whole_edge: str


class Progressive(_Part, frozen=True, kw_only=True):
    """The side bet against the meter, or what must be posted before it has a price."""

    open: str | None = None
    stake: str | None = None
    awards: dict[str, str] = {}
    constant: str | None = None
    slope: str | None = None
    break_even: str | None = None
    house_edge: str | None = None  # where no award is a share of the meter
    whole_even: tuple[Even, ...] = ()
    at: AtMeter | None = None
    line: tuple[AtMeter, ...] = ()


class Bonus(_Part, frozen=True, kw_only=True):
    """The side bet at fixed odds: beside the best play of ante and bet, and played for itself."""

    open: str | None = None
    house_edge: str | None = None
    played_for_the_bonus: str | None = None


class Priced(_Part, frozen=True, kw_only=True):
    """One book priced."""

    figures: Figures
    progressive: Progressive | None = None
    bonus: Bonus | None = None


class Moved(_Part, frozen=True, kw_only=True):
    """A line in which the book is not the house's own."""

    kind: Literal["pays", "option", "qualifier", "ante"]
    name: str
    value: str
    own: str
    clause: str
    allowed: bool
    priced: bool  # it is part of the figures
    says: str


class Price(_Part, frozen=True, kw_only=True):
    """A book with its lines moved, and the book as it is."""

    book: str
    what_if: bool
    moved: tuple[Moved, ...]
    now: Priced
    own: Priced
    priced: str  # the hash of all that was priced
    repeat: str  # the command that gives the same figures


class Point(_Part, frozen=True, kw_only=True):
    """A point of the edge along one row."""

    odds: str
    says: str
    house_edge: str
    allowed: bool
    own: bool
    now: bool


class Curve(_Part, frozen=True, kw_only=True):
    """The edge along one row of the pays; the best play anew at each point."""

    row: str
    points: tuple[Point, ...]


def price(asked: Asked, *, meter: str | None = None, ante: str = ANTE) -> Price:
    """The price of what is asked, and the book's own beside it."""
    moved, priced, repeat = _about(asked)
    now = _priced(asked, meter, ante)
    return Price(
        book=asked.book,
        what_if=bool(moved),
        moved=moved,
        now=now,
        own=_priced(asked.own, meter, ante) if moved else now,
        priced=priced,
        repeat=repeat,
    )


@lru_cache(maxsize=KEPT)
def _about(asked: Asked) -> tuple[tuple[Moved, ...], str, str]:
    """What is moved, the hash of all that is priced, and the command that gives the same figures."""
    book, _ = book_of(asked)
    changes = changes_of(book) if asked.moved else ()
    return tuple(_moved(one) for one in changes), priced_hash(book), command_line("edge", asked.book, changes)


@lru_cache(maxsize=KEPT)
def _sides(asked: Asked) -> dict[str, Any]:
    return side_bets(book_of(asked)[0], edge_of(asked))


def curve(asked: Asked, row: str) -> Curve:
    """The edge at odds around those of one row."""
    own = load_book(asked.book)
    key = _key(own, row)
    now, printed = book_of(asked)[0].by_key[key].value, own.by_key[key].value
    step = step_of(printed)
    reach = _STEPS if own.exchange is None else _FEW_STEPS
    tried = {now + place * step for place in range(-reach, reach + 1)} | {printed}
    points = []
    for value in sorted(one for one in tried if one >= 0):
        moved = asked.but(row, odds_given(value))
        edge = edge_of(moved if value != now else asked)
        allowed = all(one.allowed for one in changes_of(book_of(moved)[0]) if one.name == row)
        points.append(
            Point(
                odds=str(value),
                says=odds_text(value),
                house_edge=str(edge.house_edge),
                allowed=allowed,
                own=value == printed,
                now=value == now,
            )
        )
    return Curve(row=row, points=tuple(points))


def odds_given(value: Fraction) -> str:
    """Odds as they are asked for: `8 to 1`."""
    return f"{value.numerator} to {value.denominator}"


def _key(book: Book, row: str) -> str:
    table, point, name = row.partition(".")
    key = f"{table}.pays.{name}" if point else f"bet.pays.{row}"
    if key not in book.by_key:
        raise OptionError(f"{book.id} has no pay row {row[:40]!r}")
    return key


def _priced(asked: Asked, meter: str | None, ante: str) -> Priced:
    book, _ = book_of(asked)
    edge, sides = edge_of(asked), _sides(asked)
    side = sides.get("progressive")
    bonus = sides.get("bonus")
    return Priced(
        figures=figures(edge),
        progressive=None if side is None else _progressive(book, edge, side, meter, ante),
        bonus=None if bonus is None else _bonus(bonus),
    )


def figures(edge: Edge) -> Figures:
    """The figures of a book, exactly."""
    return Figures(
        house_edge=str(edge.house_edge),
        element_of_risk=str(edge.element_of_risk),
        risked=str(edge.risked),
        variance=str(edge.variance),
        standard_deviation=rounded(edge.standard_deviation),
        decisions={name: str(share) for name, share in edge.decisions.items()},
        outcomes=tuple(Outcome(net=str(net), deals=many) for net, many in sorted(edge.outcomes.items())),
        deals=edge.deals,
    )


def _progressive(book: Book, edge: Edge, side: dict[str, Any], meter: str | None, ante: str) -> Progressive:
    if "open" in side:
        return Progressive(open=_without_command(side["open"]))
    if side["break_even"] is None:
        return Progressive(
            stake=side["stake"], awards=side["awards"], constant=side["constant"], house_edge=side["house_edge"]
        )
    line, unit = progressive_line(book, edge), 10**book.decimals
    staked = _money(ante, book, "ante")
    if staked == 0:
        raise OptionError("ante: there is no game without one")
    meters = [2 * middle(line, unit) * place // (_POINTS - 1) for place in range(_POINTS)]
    if meter is not None:
        meters.append(_money(meter, book, "meter"))
    points = [
        AtMeter(
            meter=str(Fraction(one.meter, unit)),
            ante=str(Fraction(staked, unit)),
            side_edge=str(one.side_edge),
            whole_edge=str(one.whole_edge),
        )
        for one in against_meter(line, edge.net_per_ante, ante=staked, meters=meters)
    ]
    return Progressive(
        stake=side["stake"],
        awards=side["awards"],
        constant=side["constant"],
        slope=side["slope"],
        break_even=side["break_even"],
        whole_even=tuple(Even(ante=one["ante"], meter=one["meter"]) for one in side["whole_game_even"]),
        at=None if meter is None else points[-1],
        line=tuple(points[:_POINTS]),
    )


def _bonus(side: dict[str, Any]) -> Bonus:
    if "open" in side:
        return Bonus(open=side["open"])
    return Bonus(house_edge=side["house_edge"], played_for_the_bonus=side["played_for_the_bonus"])


def _money(text: str, book: Book, what: str) -> int:
    if len(text) > _DIGITS_MAX:
        raise OptionError(f"{what}: that is more than a house has")
    return amount(text, decimals=book.decimals)


def _without_command(told: str) -> str:
    """What must be given, without how the command line takes it."""
    return told.partition("; give them all at once")[0]


def _moved(one: Change) -> Moved:
    return Moved(
        kind=one.kind,
        name=one.name,
        value=one.value,
        own=one.own,
        clause=one.clause,
        allowed=one.allowed,
        priced=one.enters in ("main", "side"),
        says=str(one),
    )
