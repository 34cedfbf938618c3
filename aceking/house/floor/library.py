"""The books that tables of the floor are run by: shipped ones, and those that the house has on file."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from aceking.house.floor.happened import BookFiled
from aceking.house.floor.states import FloorTable, House
from aceking.rules.book import Book
from aceking.rules.load import book_ids, load_book, resolve
from aceking.rules.source import Handed, parsed
from aceking.rules.text import read_book
from aceking.rules.wrong import BookError
from aceking.table.options import in_force


def book_on_file(house: House, name: str, digest: str) -> Book:
    """The book of this text, shipped or filed; an error where neither has it."""
    if digest in house.books:
        return _from_text(house.books[digest].id, tuple(sorted(house.books[digest].files.items())))
    if name not in book_ids():
        raise BookError(f"the house has no book {name!r} of the digest {digest[:12]}… on file")
    book = load_book(name)
    if book.digest != digest:
        raise BookError(
            f"{name} has changed: its digest is {book.digest[:12]}…, the table was set up with {digest[:12]}…"
        )
    return book


def book_of(house: House, one: FloorTable) -> Book:
    """The book of a table under the options that it has now."""
    return in_force(book_on_file(house, one.posted.book, one.posted.digest), one.table)


def from_text(files: Mapping[str, str]) -> BookFiled:
    """A book of these texts, one of which is the book and another what it includes, ready to be put on file."""
    ids = [one["id"] for one in _parsed(files).values() if isinstance(one.get("id"), str)]
    if len(ids) != 1:
        raise BookError(f"one of the files is a book with its id, and {len(ids)} have one")
    book = _from_text(ids[0], tuple(sorted(files.items())))
    return BookFiled(id=book.id, digest=book.digest, files=dict(files))


def _parsed(files: Mapping[str, str]) -> dict[str, dict[str, Any]]:
    return {name: parsed(Handed(name, files)) for name in files}


@lru_cache(maxsize=32)
def _from_text(name: str, files: tuple[tuple[str, str], ...]) -> Book:
    texts = dict(files)
    main = next(file for file, one in _parsed(texts).items() if one.get("id") == name)
    return resolve(read_book(Handed(main, texts)))
