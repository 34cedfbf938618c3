"""Options of the house that change while a table is open."""

from functools import lru_cache
from typing import Any

import msgspec

from aceking.rules.book import Book
from aceking.rules.options import OptionError
from aceking.rules.reading.load import with_options
from aceking.rules.refusal import Refusal
from aceking.table.commands import ChangeOption
from aceking.table.state import TableState


def in_force(book: Book, table: TableState) -> Book:
    """Return the book under the current options of the table."""
    if not table.options or all(book.chosen.get(name) == value for name, value in table.options.items()):
        return book
    # Rows of a pay table cannot be hashed for the cache; their JSON can.
    return _with(book, msgspec.json.encode(table.options, order="sorted"))


@lru_cache(maxsize=256)
def _with(book: Book, options: bytes) -> Book:
    changed = with_options(book, msgspec.json.decode(options))
    assert isinstance(changed, Book), "a table never takes an option that its book refuses"
    return changed


def changed_value(book: Book, act: ChangeOption) -> Any:
    """Return the value that the changed option would give its rule; None if the book does not allow the change."""
    if act.option not in book.options:
        return None
    changed = with_change(book, act)
    if isinstance(changed, Refusal):
        return None
    return changed.by_key[book.options[act.option].rule].value


def with_change(book: Book, act: ChangeOption) -> Book | Refusal:
    """Return the book with the changed option, or why it is refused."""
    try:
        return with_options(book, {act.option: act.value})
    except OptionError as wrong:
        return Refusal(str(wrong), book.options[act.option].clause)
