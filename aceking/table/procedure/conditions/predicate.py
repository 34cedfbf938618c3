"""The shape of a condition: it gives the reason why it does not hold, or None."""

from collections.abc import Callable

from aceking.rules.book import Book
from aceking.table.commands import Act, PlaceForPlayer, SideBet
from aceking.table.state import Box, Table

Predicate = Callable[[Book, Table, Act], str | None]


def names_side(book: Book, act: Act) -> bool:
    """Whether an act lays down a side wager that the book has by name."""
    match act:
        case SideBet():
            return act.wager in book.sides
        case PlaceForPlayer():
            return act.wager == "side" and act.side in book.sides
        case _:
            return False


def of_own_side(demand: Predicate) -> Predicate:
    """A demand on the progressive or the bonus: of a side wager by name it says nothing."""
    return lambda book, table, act: None if book.sides and names_side(book, act) else demand(book, table, act)


def box_of(table: Table, act: Act) -> Box | None:
    """The box that an act is about, in the last round."""
    current = table.round
    return None if current is None or act.box is None else current.boxes.get(act.box)
