"""What a changed line does to a book: every pay row a little lower and higher, and every choice of the house."""

from fractions import Fraction
from typing import Any

from aceking.exact.games import changed, edge, rounded
from aceking.rules.book import Book
from aceking.rules.load import with_options
from aceking.rules.odds import odds_text
from aceking.rules.refusal import Refusal
from aceking.rules.values import ROWS

# A book with an exchange answers in half a second, any other in milliseconds.
_STEPS = (-3, -2, -1, 1, 2, 3)
_FEW_STEPS = (-1, 1)
_TABLES = {"bet": "", "exchange": "exchange.", "instant": "instant."}


def pay_rows(book: Book, now: Fraction) -> list[dict[str, Any]]:
    """For each row of the main pay tables the house edge at odds around its own; the best play anew at each."""
    rows = []
    steps = _STEPS if book.exchange is None else _FEW_STEPS
    for table, prefix in _TABLES.items():
        for key, rule in book.by_key.items():
            if not key.startswith(f"{table}.pays.") or rule.value is None:
                continue
            row = key.rsplit(".", 1)[1]
            step = max(Fraction(1), Fraction(round(rule.value / 10)))
            tried = sorted({rule.value + place * step for place in steps if rule.value + place * step >= 0})
            points = [(odds, -_net(book, f"{prefix}{row}", odds)) for odds in tried]
            points = sorted([*points, (rule.value, now)])
            more = next(figure for odds, figure in points if odds == rule.value + step)
            rows.append(
                {
                    "row": f"{prefix}{row}",
                    "title": _title(table, row),
                    "pays": odds_text(rule.value),
                    "clause": rule.clause,
                    "slope": str((more - now) / step),
                    "points": [
                        {"odds": str(odds), "house_edge": rounded(figure), "exact": str(figure)}
                        for odds, figure in points
                    ],
                }
            )
    return sorted(rows, key=lambda one: (one["row"].rpartition(".")[0], -_place(one["row"])))


def _net(book: Book, row: str, odds: Fraction) -> Fraction:
    other, _ = changed(book, pays={row: odds})
    return edge(other).net_per_ante


def _title(table: str, row: str) -> str:
    name = row.removeprefix("instant_").replace("_", " ")
    return {"bet": name, "exchange": f"{name}, exchanged", "instant": f"{name}, declared"}[table]


def _place(row: str) -> int:
    return list(ROWS).index(row.rsplit(".", 1)[-1])


def option_rows(book: Book, now: Fraction) -> list[dict[str, Any]]:
    """Every choice of the house that changes the figures of the main game or of its bonus."""
    as_chosen = with_options(book, dict(book.chosen))
    if isinstance(as_chosen, Refusal) or _money(as_chosen) != _money(book):
        return []  # lines of the book itself were changed: its options would set them back
    base = _bonus_edge(book)
    rows = []
    for option in book.options.values():
        for choice in option.values:
            other = with_options(book, {option.name: choice})
            if isinstance(other, Refusal) or _money(other) == _money(book):
                continue
            figure, bonus = edge(other).house_edge, _bonus_edge(other)
            if (figure, bonus) != (now, base):
                found = {"option": option.name, "value": choice, "clause": option.clause}
                shown = {"house_edge": rounded(figure), "exact": str(figure)}
                side = {} if bonus is None else {"bonus_edge": rounded(bonus), "bonus_exact": str(bonus)}
                rows.append({**found, **shown, **side})
    return rows


def _money(book: Book) -> tuple[Any, ...]:
    """The rules that the figures are made of."""
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
    """What the bonus costs of its own stake where ante and bet are played for the best."""
    if book.bonus is None or not book.bonus.offered:
        return None
    from aceking.exact.bonus import for_main

    return for_main(book, ratio=Fraction(1)).bonus.house_edge
