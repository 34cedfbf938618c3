"""Options of the house that change while a table stands: with the notice that the book wants, between rounds."""

from functools import lru_cache
from typing import Any

import msgspec

from aceking.rules.book import Book
from aceking.rules.load import with_options
from aceking.rules.options import OptionError
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.phases.opening import Outcome
from aceking.table.state import Table


def in_force(book: Book, table: Table) -> Book:
    """The book under the options that the table has now."""
    if not table.options or all(book.chosen.get(name) == value for name, value in table.options.items()):
        return book
    # Rows of a pay table are no key for a cache; their text is.
    return _with(book, msgspec.json.encode(table.options, order="sorted"))


@lru_cache(maxsize=256)
def _with(book: Book, options: bytes) -> Book:
    changed = with_options(book, msgspec.json.decode(options))
    assert isinstance(changed, Book), "a table never takes an option that its book refuses"
    return changed


def change_option(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The house chooses otherwise, from the next round on."""
    if act.option is None or act.value is None:
        return Refusal("which option, and what does the house choose?", "")
    if act.option not in book.options:
        return Refusal(f"the book leaves no such choice as {act.option}", "")
    if table.live_round is not None:
        return Refusal("nothing is changed while a round runs", book.options[act.option].clause)
    changed = _tried(book, act)
    if isinstance(changed, Refusal):
        return changed
    return [ev.OptionChanged(option=act.option, value=act.value, clause=book.options[act.option].clause)]


def changed_value(book: Book, act: Act) -> Any:
    """The value that the rule of an option would have; None where the book does not allow the change."""
    if act.option is None or act.option not in book.options or act.value is None:
        return None
    changed = _tried(book, act)
    if isinstance(changed, Refusal):
        return None
    return changed.by_key[book.options[act.option].rule].value


def _tried(book: Book, act: Act) -> Book | Refusal:
    assert act.option is not None
    try:
        return with_options(book, {act.option: act.value})
    except OptionError as wrong:
        return Refusal(str(wrong), book.options[act.option].clause)
