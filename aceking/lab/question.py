"""What is asked of the lab: a book and the lines of it that are moved. What this makes is kept for the next time."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from aceking.exact.figures import Edge
from aceking.exact.games import changed, edge
from aceking.rules.book import Book
from aceking.rules.options import OptionError
from aceking.rules.reading.did_you_mean import near
from aceking.rules.reading.load import book_ids, load_book

#: More lines than any book has, and longer than any line is.
LINES_MAX = 60
TEXT_MAX = 600
#: Books, with their figures, that a process keeps.
KEPT = 256


class UnknownBook(ValueError):
    """There is no such book."""


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """A book and what is moved in it, in one form whichever way it was written."""

    book: str
    pays: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    qualifier: str | None = None

    @property
    def own(self) -> "Asked":
        """The book as it is."""
        return Asked(book=self.book)

    @property
    def moved(self) -> bool:
        """Whether anything is."""
        return bool(self.pays or self.options or self.qualifier is not None)

    def but(self, row: str, odds: str) -> "Asked":
        """The same with one row of its pays at other odds."""
        pays = {**dict(self.pays), row: odds}
        return msgspec.structs.replace(self, pays=tuple(sorted(pays.items())))


def asked_of(
    book: str, *, pays: Sequence[str] = (), options: Sequence[str] = (), qualifier: str | None = None
) -> Asked:
    """What is asked, from texts as the command line takes them: `full_house=8`, `ace-low-straight=not-allowed`."""
    known(book)
    if qualifier is not None and len(qualifier) > TEXT_MAX:
        raise OptionError("qualifier: that is too long")
    return Asked(
        book=book,
        pays=_parted("pays", pays),
        options=_parted("option", options),
        qualifier=None if qualifier is None else " ".join(qualifier.split()),
    )


def known(book: str) -> None:
    """Refuses what is no book. A path is none: the lab reads no files for strangers."""
    if book not in book_ids():
        raise UnknownBook(f"there is no book {book[:40]!r}; there are {', '.join(book_ids())}{near(book, book_ids())}")


def _parted(what: str, given: Sequence[str]) -> tuple[tuple[str, str], ...]:
    if len(given) > LINES_MAX:
        raise OptionError(f"{what}: {len(given)} lines are more than a book has")
    found: dict[str, str] = {}
    for text in given:
        if len(text) > TEXT_MAX:
            raise OptionError(f"{what}: a line of {len(text)} characters is too long")
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise OptionError(f"{what} {text[:40]!r}: write it as name=value")
        if name in found:
            raise OptionError(f"{what} {name[:40]}: it is given twice")
        found[name] = value
    return tuple(sorted(found.items()))


@lru_cache(maxsize=KEPT)
def book_of(asked: Asked) -> tuple[Book, tuple[str, ...]]:
    """The book with its lines moved, and a warning for each line that it does not allow."""
    book = load_book(asked.book)
    if not asked.moved:
        return book, ()
    options = {name: _option_value(name, text) for name, text in asked.options}
    return changed(book, options=options, pays=dict(asked.pays), qualifies_with=asked.qualifier)


@lru_cache(maxsize=KEPT)
def edge_of(asked: Asked) -> Edge:
    """What that book costs, over every deal."""
    return edge(book_of(asked)[0])


def _option_value(name: str, text: str) -> str | Mapping[str, Any]:
    """Rows of a table come as JSON, everything else as a word."""
    if not text.startswith("{"):
        return text
    try:
        return msgspec.json.decode(text, type=dict[str, str])
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        raise OptionError(f'option {name[:40]}: rows are written as JSON, as in {{"flush": "6"}}') from None
