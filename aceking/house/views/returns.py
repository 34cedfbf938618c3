"""The exact return of each bet of a table, as it is shown to players before they sit down."""

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
    """The average return for each 100 staked, at best play."""

    main: str  # percent of the ante: 100 less the edge
    main_exact: str  # the edge as a fraction
    element_of_risk: str
    sides: dict[str, Any] = {}


def at_posted(book: Book, state: FloorTable) -> Book:
    """Return the book with the awards that the table posts, if the book leaves them open."""
    return _at_posted(book, tuple(state.table.awards.items())) if state.table.awards else book


@lru_cache(maxsize=64)
def _at_posted(book: Book, awards: tuple[tuple[str, str], ...]) -> Book:
    open_options = [one.name for one in book.options.values() if one.kind == "awards"]
    chosen = with_options(book, {open_options[0]: dict(awards)}) if len(open_options) == 1 else book
    return chosen if isinstance(chosen, Book) else book


@lru_cache(maxsize=64)
def edge_of(book: Book) -> Edge:
    """Return the exact figures of a book under its options, cached. Raises UnpricedError."""
    return edge(book)


@lru_cache(maxsize=64)
def returns_of(book: Book) -> Returns:
    """Return the returns of a book under its options, cached. Raises UnpricedError."""
    figures = edge_of(book)
    return Returns(
        main=percent(1 - figures.house_edge),
        main_exact=str(figures.house_edge),
        element_of_risk=percent(figures.element_of_risk),
        sides=side_bets(book, figures),
    )


def percent(share: Fraction) -> str:
    """Return a share as a percentage with four decimals; for display only."""
    return f"{float(100 * share):.4f} %"
