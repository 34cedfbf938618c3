"""The books that tables of the floor are run by: shipped ones, and those that the house has on file."""

from collections.abc import Mapping
from functools import lru_cache

from aceking.house.floor.events import BookFiled
from aceking.house.floor.states import FloorTable, House
from aceking.rules.book import Book
from aceking.rules.reading.clauses import read_book
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.did_you_mean import near
from aceking.rules.reading.load import book_ids, load_book, resolve
from aceking.rules.reading.source import Handed, parsed
from aceking.table.options import in_force


def book_on_file(house: House, name: str, digest: str) -> Book:
    """The book of this text, shipped or filed; an error where neither has it, or where it says something else now."""
    if digest in house.books:
        return _of_digest(_from_text(tuple(sorted(house.books[digest].files.items()))), name, digest)
    return _shipped(name, digest)


@lru_cache(maxsize=256)  # asked for with every act and every view
def _shipped(name: str, digest: str) -> Book:
    if name not in book_ids():
        raise BookError(f"the house has no book {name!r} of the digest {digest[:12]}… on file")
    return _of_digest(load_book(name), name, digest)


def _of_digest(book: Book, name: str, digest: str) -> Book:
    """The book, unless it has changed; a filed one too, where it starts from a shipped one and the program is newer."""
    if book.digest != digest:
        raise BookError(
            f"{name} has changed: its digest is {book.digest[:12]}…, the house put up {digest[:12]}… at its tables"
        )
    return book


def book_named(house: House, name: str) -> Book:
    """The book of this id, the one that was put on file last or else the shipped one; a house opens no other file."""
    filed = [one for one in house.books.values() if one.id == name]
    if filed:
        return book_on_file(house, name, filed[-1].digest)
    if name not in book_ids():
        known = sorted({*book_ids(), *(one.id for one in house.books.values())})
        raise BookError(f"the house has no book {name[:64]!r}; it has {', '.join(known)}{near(name, known)}")
    return load_book(name)


def book_of(house: House, one: FloorTable) -> Book:
    """The book of a table under the options that it has now."""
    return in_force(book_on_file(house, one.posted.book, one.posted.digest), one.table)


def from_text(files: Mapping[str, str]) -> BookFiled:
    """A book of these texts, the one that no other includes or starts from, ready to be put on file."""
    book = _from_text(tuple(sorted(files.items())))
    return BookFiled(id=book.id, digest=book.digest, files=dict(files))


@lru_cache(maxsize=32)
def _from_text(files: tuple[tuple[str, str], ...]) -> Book:
    texts = {name: Handed(name, dict(files)) for name, _ in files}
    named = {
        one.beside(other).name
        for one in texts.values()
        for key in ("includes", "from")
        if isinstance(other := parsed(one).get(key), str)
    }
    books = [one for name, one in texts.items() if name not in named]
    if len(books) != 1:
        which = ", ".join(one.name for one in books) or "none of them"
        raise BookError(f"one of the files is the book, which no other includes or starts from: {which}")
    return resolve(read_book(books[0]))
