"""The bench: everything that can be moved in a book, with what the book itself says and allows."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil
from typing import Literal

from aceking.cards.hand import Category
from aceking.exact.advice import hand_text
from aceking.exact.changes import enters
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.odds import Fixed, Posted, Share, odds_text
from aceking.rules.reading.load import book_ids, load_book
from aceking.rules.reading.values import ROWS
from aceking.table.show.part import ShownPart

PayTableName = Literal["bet", "exchange", "instant", "bonus"]
_TABLES: tuple[PayTableName, ...] = ("bet", "exchange", "instant", "bonus")
#: A slider goes to this multiple of what the book pays, and has steps of one up to these odds.
_REACH = 3
_REACH_LEAST = 6
_ONE_BY_ONE = 30
_STEPS = 60
#: Common thresholds of the dealer; any other may be typed.
_QUALIFIERS = ("A Q 4 3 2", "A K 4 3 2", "A K Q 3 2", "2 2 5 4 3", "6 6 4 3 2", "9 9 4 3 2")
#: Example awards, to begin with if a book leaves them to the house.
EXAMPLE_AWARDS = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "100"}
EXAMPLE_AWARDS |= {"flush": "50"}


class OnShelf(ShownPart, frozen=True, kw_only=True):
    book: str
    title: str
    house: str
    version: str
    currency: str
    decimals: int


class MovablePayRow(ShownPart, frozen=True, kw_only=True):
    """A row of a pay table and how far its slider goes."""

    row: str  # as in a question: full_house, exchange.full_house
    hand: str
    odds: str  # the book's own, as a number: 7, 3/2
    says: str  # the same in words
    clause: str
    high: int
    step: str
    three: bool = False
    least: str | None = None  # the smallest odds that the book allows
    fixed: bool = False  # no other odds are allowed


class MovablePayTable(ShownPart, frozen=True, kw_only=True):
    """The rows of one wager, the best hand first."""

    table: PayTableName
    rows: tuple[MovablePayRow, ...]


class OptionChoice(ShownPart, frozen=True, kw_only=True):
    """A choice of the house that is part of the figures."""

    option: str
    kind: Literal["choice", "amount", "award"]
    own: str
    clause: str
    figures: Literal["main", "side"]
    values: tuple[str, ...] = ()


class AwardRow(ShownPart, frozen=True, kw_only=True):
    """An award of the progressive: an amount or a share of the meter; None if the house posts it."""

    row: str
    hand: str
    example: str
    award: str | None = None


class MovableAwards(ShownPart, frozen=True, kw_only=True):
    """The awards of the progressive."""

    clause: str
    rows: tuple[AwardRow, ...]
    option: str | None = None  # the option that sets them; None: the book fixes them


class MovableQualifier(ShownPart, frozen=True, kw_only=True):
    """The weakest hand with which the dealer plays."""

    own: str
    clause: str
    hands: tuple[str, ...]


class Bench(ShownPart, frozen=True, kw_only=True):
    """A book with everything that can be moved in it."""

    book: OnShelf
    cards: int
    dealer: bool
    exchange: bool
    pays: tuple[MovablePayTable, ...]
    options: tuple[OptionChoice, ...]
    awards: MovableAwards | None = None
    qualifier: MovableQualifier | None = None


def shelf() -> tuple[OnShelf, ...]:
    """Return every book."""
    return tuple(_on_shelf(load_book(book_id)) for book_id in book_ids())


def bench(name: str) -> Bench:
    """Return what can be moved in a book."""
    book = load_book(name)
    tables = (MovablePayTable(table=table, rows=tuple(_rows(book, table))) for table in _TABLES)
    return Bench(
        book=_on_shelf(book),
        cards=book.hands.cards,
        dealer=book.dealer is not None,
        exchange=book.exchange is not None,
        pays=tuple(table for table in tables if table.rows),
        options=tuple(_choices(book)),
        awards=_awards(book),
        qualifier=_qualifier(book),
    )


def step_of(odds: Fraction) -> Fraction:
    """Return how far one step of a slider moves odds: one; for long odds about a sixtieth of the way, such that the
    book's own odds are on a step."""
    if odds <= _ONE_BY_ONE or odds.denominator > 1:
        return Fraction(1, odds.denominator)
    whole = int(odds)
    return Fraction(max(step for step in range(1, whole * _REACH // _STEPS + 1) if whole % step == 0))


def _on_shelf(book: Book) -> OnShelf:
    return OnShelf(
        book=book.id,
        title=book.title,
        house=book.house,
        version=book.version,
        currency=book.currency,
        decimals=book.decimals,
    )


def _rows(book: Book, table: PayTableName) -> Iterator[MovablePayRow]:
    prefix = f"{table}.pays."
    if table == "bonus" and (book.bonus is None or not book.bonus.offered):
        return
    keys = [key for key, rule in book.by_key.items() if key.startswith(prefix) and rule.value is not None]
    order = list(ROWS)
    for key in sorted(keys, key=lambda one: order.index(one.removeprefix(prefix)), reverse=True):
        row, rule = key.removeprefix(prefix), book.by_key[key]
        fixed = table == "exchange" or (table == "bet" and book.bet.pays_are == "fixed")
        least = book.minimums.get(key, rule).value
        yield MovablePayRow(
            row=row if table == "bet" else f"{table}.{row}",
            hand=row.removeprefix("instant_").replace("_", " "),
            three=not isinstance(ROWS[row], Category),
            odds=str(rule.value),
            says=odds_text(rule.value),
            clause=rule.clause,
            high=max(_REACH_LEAST, ceil(rule.value * _REACH)),
            step=str(step_of(rule.value)),
            least=None if fixed else str(least),
            fixed=fixed,
        )


def _choices(book: Book) -> Iterator[OptionChoice]:
    for option in book.options.values():
        figures = enters(option.rule)
        if figures not in ("main", "side") or option.name in book.fixed:
            continue
        if option.kind not in ("choice", "amount", "award"):
            continue  # rows of a table have their sliders
        yield OptionChoice(
            option=option.name,
            kind=option.kind,
            own=str(option.default),
            clause=option.clause,
            figures=figures,
            values=tuple(option.values) if option.kind == "choice" else (),
        )


def _awards(book: Book) -> MovableAwards | None:
    if book.progressive is None:
        return None
    own = book.progressive.awards
    rows = []
    for category in sorted(own or [category for category in Category if category.key in EXAMPLE_AWARDS], reverse=True):
        award = own.get(category, Posted())
        text = None
        if isinstance(award, Share):
            text = str(award)
        elif isinstance(award, Fixed):
            text = shown(award.amount, decimals=book.decimals)
        rows.append(
            AwardRow(
                row=category.key,
                hand=category.title,
                award=text,
                example=text or EXAMPLE_AWARDS[category.key],
            )
        )
    option = next((choice.name for choice in book.options.values() if choice.rule == "progressive.awards"), None)
    clause = book.cite_first(
        "progressive.awards", *(f"progressive.awards.{row.row}" for row in rows), "progressive.stake"
    )
    return MovableAwards(option=option, clause=clause, rows=tuple(rows))


def _qualifier(book: Book) -> MovableQualifier | None:
    if book.dealer is None:
        return None
    own = hand_text(book.dealer.qualifies_with)
    return MovableQualifier(
        own=own,
        clause=book.cite("dealer.qualifies_with"),
        hands=tuple(dict.fromkeys((*_QUALIFIERS, own))),
    )
