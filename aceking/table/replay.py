"""Saving, loading and replaying a table: the same events give the same state, byte for byte."""

from collections.abc import Iterable

import msgspec

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.evolve import evolve
from aceking.table.state import Table, balance

_READ_TABLE = msgspec.json.Decoder(Table)
_READ_EVENT: msgspec.json.Decoder[ev.Event] = msgspec.json.Decoder(ev.Event)


class RecordError(ValueError):
    """A saved table or record that cannot be what this program wrote; the message says where it goes wrong."""


def dump(table: Table) -> bytes:
    """A table as JSON, the same bytes for the same state."""
    return _canonical(table)


def _canonical(one: Table | ev.Event) -> bytes:
    """Sets and mappings have no order of their own: sorted, equal values are equal bytes."""
    return msgspec.json.encode(msgspec.to_builtins(one, str_keys=True, order="deterministic"))


def load(data: bytes | str) -> Table:
    """A table from its JSON, checked."""
    try:
        table = _READ_TABLE.decode(data)
    except msgspec.DecodeError as wrong:
        raise RecordError(f"this is no saved table: {wrong}") from None
    if balance(table.accounts):
        raise RecordError(f"the accounts of the saved table sum to {balance(table.accounts)}, not to nothing")
    return table


def book_of(table: Table) -> Book:
    """The book that a table is played by, under the options of its house; refused where its text has changed."""
    book = with_options(load_book(table.book), table.options)
    if isinstance(book, Refusal):
        raise RecordError(f"{table.book} does not allow these options: {book.reason} ({book.clause})")
    _same_book(book, table.book, table.digest, what="the table")
    return book


def events_to_json_lines(events: Iterable[ev.Event]) -> bytes:
    """A record as JSON Lines, one event a line."""
    return b"".join([_canonical(event) + b"\n" for event in events])


def events_from_json_lines(data: bytes | str) -> tuple[ev.Event, ...]:
    """The events of a record, each checked; an error names the line."""
    events = []
    lines = data.encode().splitlines() if isinstance(data, str) else data.splitlines()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            events.append(_READ_EVENT.decode(line))
        except msgspec.DecodeError as wrong:
            raise RecordError(f"line {number}: {wrong}") from None
    return tuple(events)


def replay(book: Book, table: Table, events: Iterable[ev.Event]) -> Table:
    """The table after these events. Another text of the book is refused: it may have meant other money."""
    _same_book(book, table.book, table.digest, what="the table")
    for number, event in enumerate(events, start=1):
        if isinstance(event, ev.RoundOpened):
            _same_book(book, event.book, event.digest, what=f"round {event.number}")
        try:
            table = evolve(table, event)
        except (AssertionError, KeyError, IndexError, ValueError) as wrong:
            raise RecordError(f"event {number} ({event}) cannot follow what went before: {wrong!r}") from None
    return table


def _same_book(book: Book, name: str, digest: str, *, what: str) -> None:
    if book.id != name:
        raise RecordError(f"{what} was played by {name}, not by {book.id}")
    if book.digest != digest:
        raise RecordError(
            f"{what} was played by another text of {name}: its digest is {digest}, this one's {book.digest}"
        )
