"""What each bet of a table returns, exactly, as it is printed where the player sees it before he sits down."""

from fractions import Fraction
from functools import lru_cache
from typing import Any

import msgspec

from aceking.exact.figures import Edge
from aceking.exact.games import edge
from aceking.exact.side_bets.prices import side_bets
from aceking.house.floor.states import FloorTable
from aceking.rules.book import Book
from aceking.rules.reading.load import with_options


class Returns(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of 100 that are staked, what comes back on average, at best play."""

    main: str  # for each 100 of ante: 100 less the edge
    main_exact: str  # the edge as a fraction
    element_of_risk: str
    sides: dict[str, Any] = {}


def at_posted(book: Book, one: FloorTable) -> Book:
    """The book with the awards that the table posts, where the book leaves them to a sign."""
    return _at_posted(book, tuple(one.table.awards.items())) if one.table.awards else book


@lru_cache(maxsize=64)
def _at_posted(book: Book, awards: tuple[tuple[str, str], ...]) -> Book:
    left = [one.name for one in book.options.values() if one.kind == "awards"]
    found = with_options(book, {left[0]: dict(awards)}) if len(left) == 1 else book
    return found if isinstance(found, Book) else book


@lru_cache(maxsize=64)
def edge_of(book: Book) -> Edge:
    """The exact figures of a book under its options, counted once in a process; raises UnpricedError."""
    return edge(book)


@lru_cache(maxsize=64)
def returns_of(book: Book) -> Returns:
    """What is printed at a table of this book; raises UnpricedError."""
    figures = edge_of(book)
    return Returns(
        main=percent(1 - figures.house_edge),
        main_exact=str(figures.house_edge),
        element_of_risk=percent(figures.element_of_risk),
        sides=side_bets(book, figures),
    )


def percent(share: Fraction) -> str:
    """A share as a text with four decimals; display only."""
    return f"{float(100 * share):.4f} %"
