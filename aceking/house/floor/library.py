"""The books of the tables: shipped ones, and those that the house has on file."""

from collections.abc import Mapping
from functools import lru_cache

from aceking.house.floor.events import BookFiled
from aceking.house.floor.states import FloorTable, HouseState
from aceking.rules.book import Book
from aceking.rules.reading.clauses import read_book
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.reading.load import book_ids, load_book, resolve
from aceking.rules.reading.source import Handed, parsed
from aceking.table.options import in_force


def book_on_file(house: HouseState, name: str, digest: str) -> Book:
    """Return the book with this digest, shipped or filed. Raises BookError if there is none or its text has changed."""
    if digest in house.books:
        return _of_digest(_from_text(tuple(sorted(house.books[digest].files.items()))), name, digest)
    return _shipped(name, digest)


@lru_cache(maxsize=256)  # called for every act and every view
def _shipped(name: str, digest: str) -> Book:
    if name not in book_ids():
        raise BookError(f"the house has no book {name!r} of the digest {digest[:12]}… on file")
    return _of_digest(load_book(name), name, digest)


def _of_digest(book: Book, name: str, digest: str) -> Book:
    """Return the book if its digest is this one. A filed book may have changed too, if its shipped base did."""
    if book.digest != digest:
        raise BookError(
            f"{name} has changed: its digest is {book.digest[:12]}…, the house put up {digest[:12]}… at its tables"
        )
    return book


def book_named(house: HouseState, name: str) -> Book:
    """Return the book filed last under this id, otherwise the shipped one; no other file is read. Raises BookError."""
    filed = [one for one in house.books.values() if one.id == name]
    if filed:
        return book_on_file(house, name, filed[-1].digest)
    if name not in book_ids():
        known = sorted({*book_ids(), *(one.id for one in house.books.values())})
        raise BookError(f"the house has no book {name[:64]!r}; it has {', '.join(known)}{suggestion(name, known)}")
    return load_book(name)


def book_of(house: HouseState, state: FloorTable) -> Book:
    """Return the book of a table under its current options."""
    return in_force(book_on_file(house, state.posted.book, state.posted.digest), state.table)


def from_text(files: Mapping[str, str]) -> BookFiled:
    """Make a book of these texts, to be filed: the one that no other includes or starts from. Raises BookError."""
    book = _from_text(tuple(sorted(files.items())))
    return BookFiled(id=book.id, digest=book.digest, files=dict(files))


@lru_cache(maxsize=32)
def _from_text(files: tuple[tuple[str, str], ...]) -> Book:
    texts = {name: Handed(name, dict(files)) for name, _ in files}
    named = {
        text.beside(other).name
        for text in texts.values()
        for key in ("includes", "from")
        if isinstance(other := parsed(text).get(key), str)
    }
    books = [text for name, text in texts.items() if name not in named]
    if len(books) != 1:
        which = ", ".join(one.name for one in books) or "none of them"
        raise BookError(f"one of the files is the book, which no other includes or starts from: {which}")
    return resolve(read_book(books[0]))
