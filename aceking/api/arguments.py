"""Checks of the arguments of `aceking`. A wrong type is a TypeError of one sentence that names the argument."""

from collections.abc import Mapping, Sequence
from operator import index
from os import PathLike, fspath
from typing import TYPE_CHECKING, SupportsIndex

if TYPE_CHECKING:
    from aceking.cards.card import CardId
    from aceking.rules.book import Book


def book_of(book: object) -> "Book":
    """Return a book given by its id, by its path or as itself. Raises BookError if it cannot be loaded."""
    from aceking.rules.book import Book
    from aceking.rules.reading.load import load_book

    if isinstance(book, Book):
        return book
    if not isinstance(book, str | PathLike):
        raise TypeError(f"book: an id, a path or a Book, not {book!r}")
    return load_book(book)


def book_name(book: object) -> str:
    """Return the id or the path of a book as a text. Raises TypeError for anything else."""
    if not isinstance(book, str | PathLike):
        raise TypeError(f"book: an id or a path, not {book!r}")
    return fspath(book)


def whole_number(name: str, value: object) -> int:
    """Return a whole number of any type, such as numpy's. Raises TypeError for anything else."""
    if not isinstance(value, SupportsIndex):
        raise TypeError(f"{name}: a whole number, not {value!r}")
    return index(value)


def check_mapping(name: str, value: object, what: str) -> None:
    """Raise TypeError for a value that is given and is not a mapping."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"{name}: a mapping of {what}, not {value!r}")


def check_text(name: str, value: object) -> None:
    """Raise TypeError for a value that is given and is not a text."""
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name}: a text, not {value!r}")


def minor_units(name: str, value: object, book: "Book") -> int:
    """Return an amount in minor units of the currency of a book. Raises TypeError for a float, else OddsError."""
    from aceking.rules.odds import amount

    return amount(money_text(name, value), decimals=book.decimals)


def money_text(name: str, value: object) -> str:
    """Return an amount as its text. A float is a TypeError: it has lost what is finer than its last digit."""
    from aceking.settlement.scenario_json import MONEY_IS_TEXT

    if isinstance(value, float):
        raise TypeError(f"{name}: {MONEY_IS_TEXT}")
    return str(value)


def cards_of(name: str, cards: object) -> "tuple[CardId, ...]":
    """Return cards given as a text, or as a sequence of names or numbers. Raises CardError if there is no such card."""
    from aceking.api.cards import Card
    from aceking.cards import card as spelling

    if isinstance(cards, str):
        return spelling.cards(cards)
    if not isinstance(cards, Sequence):
        raise TypeError(f"{name}: a text or a sequence of cards, not {cards!r}")
    return tuple(spelling.CardId(int(Card(one))) for one in cards)
