"""A question to the lab: a book and the lines of it that are moved. Books and figures are cached."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from aceking.exact.figures import Edge
from aceking.exact.games import changed, edge
from aceking.rules.book import Book
from aceking.rules.options import OptionError
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.reading.load import book_ids, load_book

#: More lines than any book has, and more letters than any line has.
LINES_MAX = 60
TEXT_MAX = 600
#: Books, with their figures, that a process caches.
KEPT = 256


class UnknownBook(ValueError):
    """There is no such book."""


class LabQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A book and what is moved in it, in one form however it was written."""

    book: str
    pays: tuple[tuple[str, str], ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    qualifier: str | None = None

    @property
    def own(self) -> "LabQuestion":
        """The question of the book as it is."""
        return LabQuestion(book=self.book)

    @property
    def moved(self) -> bool:
        """Whether anything is moved."""
        return bool(self.pays or self.options or self.qualifier is not None)

    def but(self, row: str, odds: str) -> "LabQuestion":
        """Return the same question with one pay row at other odds."""
        pays = {**dict(self.pays), row: odds}
        return msgspec.structs.replace(self, pays=tuple(sorted(pays.items())))


def question_of(
    book: str, *, pays: Sequence[str] = (), options: Sequence[str] = (), qualifier: str | None = None
) -> LabQuestion:
    """Return the question from texts as the command line takes them: `full_house=8`, `ace-low-straight=not-allowed`."""
    check_book(book)
    if qualifier is not None and len(qualifier) > TEXT_MAX:
        raise OptionError("qualifier: that is too long")
    return LabQuestion(
        book=book,
        pays=_pairs("pays", pays),
        options=_pairs("option", options),
        qualifier=None if qualifier is None else " ".join(qualifier.split()),
    )


def check_book(book: str) -> None:
    """Raise UnknownBook unless this is a shipped book's id. A path is refused: the lab reads no files for clients."""
    if book not in book_ids():
        raise UnknownBook(
            f"there is no book {book[:40]!r}; there are {', '.join(book_ids())}{suggestion(book, book_ids())}"
        )


def _pairs(what: str, given: Sequence[str]) -> tuple[tuple[str, str], ...]:
    if len(given) > LINES_MAX:
        raise OptionError(f"{what}: {len(given)} lines are more than a book has")
    pairs: dict[str, str] = {}
    for text in given:
        if len(text) > TEXT_MAX:
            raise OptionError(f"{what}: a line of {len(text)} characters is too long")
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise OptionError(f"{what} {text[:40]!r}: write it as name=value")
        if name in pairs:
            raise OptionError(f"{what} {name[:40]}: it is given twice")
        pairs[name] = value
    return tuple(sorted(pairs.items()))


@lru_cache(maxsize=KEPT)
def book_of(question: LabQuestion) -> tuple[Book, tuple[str, ...]]:
    """Return the book with its lines moved, and a warning for each line that it does not allow. Raises OptionError."""
    book = load_book(question.book)
    if not question.moved:
        return book, ()
    options = {name: _option_value(name, text) for name, text in question.options}
    return changed(book, options=options, pays=dict(question.pays), qualifies_with=question.qualifier)


@lru_cache(maxsize=KEPT)
def edge_of(question: LabQuestion) -> Edge:
    """Return the exact figures of the question's book."""
    return edge(book_of(question)[0])


def _option_value(name: str, text: str) -> str | Mapping[str, Any]:
    """Return an option's value: rows of a table are JSON, everything else is a word. Raises OptionError."""
    if not text.startswith("{"):
        return text
    try:
        return msgspec.json.decode(text, type=dict[str, str])
    except (msgspec.MsgspecError, UnicodeEncodeError, RecursionError):
        raise OptionError(f'option {name[:40]}: rows are written as JSON, as in {{"flush": "6"}}') from None
