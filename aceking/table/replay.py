"""Save, load and replay a table: the same events give the same state, byte for byte."""

from collections.abc import Iterable

import msgspec

from aceking.rules.book import Book
from aceking.table import event as ev
from aceking.table.evolve import evolve
from aceking.table.state import TableState

_READ_EVENT: msgspec.json.Decoder[ev.TableEvent] = msgspec.json.Decoder(ev.TableEvent)


class RecordError(ValueError):
    """A saved table or record that this program cannot have written; the message says where it is wrong."""


def _canonical(value: TableState | ev.TableEvent) -> bytes:
    """Return JSON with sets and mappings sorted, so that equal values are equal bytes."""
    return msgspec.json.encode(msgspec.to_builtins(value, str_keys=True, order="deterministic"))


def events_to_json_lines(events: Iterable[ev.TableEvent]) -> bytes:
    """Return the events as JSON Lines."""
    return b"".join([_canonical(event) + b"\n" for event in events])


def events_from_json_lines(data: bytes | str) -> tuple[ev.TableEvent, ...]:
    """Return the events of a record. Raises RecordError, which names the line."""
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


def replay(book: Book, table: TableState, events: Iterable[ev.TableEvent]) -> TableState:
    """Return the table after these events. Raises RecordError, also if the book's text is not the one played by."""
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
