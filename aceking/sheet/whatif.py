"""What a changed line does to a book: every pay row a little lower and higher, and every option of the house."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from aceking.exact.games import changed, edge, rounded
from aceking.rules.book import Book
from aceking.rules.odds import odds_text
from aceking.rules.reading.load import with_options
from aceking.rules.reading.values import ROWS
from aceking.rules.refusal import Refusal

#: Steps to either side of the row's own odds. A book with an exchange takes far longer for each point.
_STEPS = (-3, -2, -1, 1, 2, 3)
_FEW_STEPS = (-1, 1)
#: Points that may be added to a curve, and the largest denominator of their odds.
_POINTS_MAX = 12
_FEW_POINTS_MAX = 8
_FINEST = 16
#: A curve may deviate from its line by this share of its height: less than the line's thickness.
_DEVIATION = Fraction(1, 150)
_TABLES = {"bet": "", "exchange": "exchange.", "instant": "instant."}
CurvePoint = tuple[Fraction, Fraction]


def pay_keys(book: Book) -> list[str]:
    """Return the rules that are rows of the main pay tables."""
    return [
        key
        for table in _TABLES
        for key, rule in book.by_key.items()
        if key.startswith(f"{table}.pays.") and rule.value is not None
    ]


def pay_rows(book: Book, now: Fraction, *, step: Callable[[], None] = lambda: None) -> list[dict[str, Any]]:
    """Return the house edge at odds around its own for each row of the main pay tables, each under the best play.

    The player's result is the best of many straight lines in the odds, so its curve bends one way only, and only where
    the best play changes. Between two points it can deviate no further than the slopes beside them allow; points are
    added until a line through them shows every bend. `step` is called after each row.
    """
    rows = []
    steps = _STEPS if book.exchange is None else _FEW_STEPS
    for key in pay_keys(book):
        table, _, row = key.partition(".pays.")
        name, rule = f"{_TABLES[table]}{row}", book.by_key[key]
        odds_step = max(Fraction(1), Fraction(round(rule.value / 10)))
        tried = sorted({rule.value + place * odds_step for place in steps if rule.value + place * odds_step >= 0})
        first = sorted([*((odds, -_net(book, name, odds)) for odds in tried), (rule.value, now)])
        points = _refined(book, name, first, _POINTS_MAX if book.exchange is None else _FEW_POINTS_MAX)
        more = next(figure for odds, figure in points if odds == rule.value + odds_step)
        rows.append(
            {
                "row": name,
                "title": _title(table, row),
                "pays": odds_text(rule.value),
                "clause": rule.clause,
                "slope": str((more - now) / odds_step),
                "points": [
                    {"odds": str(odds), "house_edge": rounded(figure), "exact": str(figure)} for odds, figure in points
                ],
            }
        )
        step()
    return sorted(rows, key=lambda row: (row["row"].rpartition(".")[0], -_place(row["row"])))


def _refined(book: Book, row: str, points: list[CurvePoint], most: int) -> list[CurvePoint]:
    """Return the points, and more where the curve may deviate from the line through them."""
    height = max(edge for _, edge in points) - min(edge for _, edge in points)
    for _ in range(most):
        deviation, place = max((_deviation(points, place), place) for place in range(len(points) - 1))
        middle = (points[place][0] + points[place + 1][0]) / 2
        if deviation <= height * _DEVIATION or middle.denominator > _FINEST:
            break
        points = sorted([*points, (middle, -_net(book, row, middle))])
    return points


def _deviation(points: list[CurvePoint], place: int) -> Fraction:
    """Return how far the edge may be above the line from this point to the next, by the slopes before and after."""
    (x, y), (further, end) = points[place], points[place + 1]
    width = further - x
    falls = (end - y) / width
    before = (y - points[place - 1][1]) / (x - points[place - 1][0]) if place else None
    after = None
    if place + 2 < len(points):
        after = (points[place + 2][1] - end) / (points[place + 2][0] - further)
    over_start = None if before is None else before - falls  # the edge falls ever faster, so both are 0 or more
    over_end = None if after is None else falls - after
    if over_start is None or over_end is None:
        return (over_start or over_end or Fraction(0)) * width / 2
    return over_start * over_end / (over_start + over_end) * width if over_start + over_end else Fraction(0)


def _net(book: Book, row: str, odds: Fraction) -> Fraction:
    other, _ = changed(book, pays={row: odds})
    return edge(other).net_per_ante


def _title(table: str, row: str) -> str:
    name = row.removeprefix("instant_").replace("_", " ")
    return {"bet": name, "exchange": f"{name}, exchanged", "instant": f"{name}, declared"}[table]


def _place(row: str) -> int:
    return list(ROWS).index(row.rsplit(".", 1)[-1])


def option_rows(book: Book, now: Fraction, *, step: Callable[[], None] = lambda: None) -> list[dict[str, Any]]:
    """Return every option of the house that changes the figures of the main game or its bonus. `step`: after each."""
    as_chosen = with_options(book, dict(book.chosen))
    if isinstance(as_chosen, Refusal) or _money(as_chosen) != _money(book):
        return []  # the book's own lines were changed, and its options would undo that
    base = _bonus_edge(book)
    rows = []
    for option in book.options.values():
        step()
        for choice in option.values:
            other = with_options(book, {option.name: choice})
            if isinstance(other, Refusal) or _money(other) == _money(book):
                continue
            figure, bonus = edge(other).house_edge, _bonus_edge(other)
            if (figure, bonus) != (now, base):
                choice_data = {"option": option.name, "value": choice, "clause": option.clause}
                shown = {"house_edge": rounded(figure), "exact": str(figure)}
                side = {} if bonus is None else {"bonus_edge": rounded(bonus), "bonus_exact": str(bonus)}
                rows.append({**choice_data, **shown, **side})
    return rows


def _money(book: Book) -> tuple[Any, ...]:
    """Return the rules that the figures depend on."""
    return (
        book.hands,
        book.ante,
        book.bet,
        book.decide,
        book.dealer,
        book.exchange,
        book.paytable,
        book.instant,
        book.bonus,
    )


def _bonus_edge(book: Book) -> Fraction | None:
    """Return the edge of the bonus on its own stake if ante and bet are played for the best; None without a bonus."""
    if book.bonus is None or not book.bonus.offered:
        return None
    from aceking.exact.side_bets.bonus import for_main

    return for_main(book, ratio=Fraction(1)).bonus.house_edge
