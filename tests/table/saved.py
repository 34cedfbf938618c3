"""A table as JSON, and whether its book knows an act."""

import msgspec

from aceking.rules.book import Book
from aceking.rules.words import ActName
from aceking.table.base_procedure import BASE
from aceking.table.procedure.orders import orders
from aceking.table.state import TableState


def dump(table: TableState) -> bytes:
    """Return the table as JSON, the same bytes for the same state."""
    return msgspec.json.encode(msgspec.to_builtins(table, str_keys=True, order="deterministic"))


def load(data: bytes | str) -> TableState:
    """Return the table that `dump` wrote."""
    return msgspec.json.decode(data, type=TableState)


def knows(book: Book, name: ActName) -> bool:
    """Return True if an act has a place at a table of this book."""
    return name in orders(book) or (name in BASE and BASE[name][0](book))
