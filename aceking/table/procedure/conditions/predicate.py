"""The shape of a condition: it gives the reason why it does not hold, or None."""

from collections.abc import Callable

from aceking.rules.book import Book
from aceking.table.commands import Act
from aceking.table.state import Box, Table

Predicate = Callable[[Book, Table, Act], str | None]


def box_of(table: Table, act: Act) -> Box | None:
    """The box that an act is about, in the last round."""
    current = table.round
    return None if current is None or act.box is None else current.boxes.get(act.box)
