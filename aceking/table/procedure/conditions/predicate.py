"""The type of a condition: it returns the reason why it does not hold, or None."""

from collections.abc import Callable

from aceking.rules.book import Book
from aceking.table.commands import Act, PlaceForPlayer, SideBet
from aceking.table.state import Box, TableState

Predicate = Callable[[Book, TableState, Act], str | None]


def names_side(book: Book, act: Act) -> bool:
    """Return True if an act stakes a named side wager of the book."""
    match act:
        case SideBet():
            return act.wager in book.sides
        case PlaceForPlayer():
            return act.wager == "side" and act.side in book.sides
        case _:
            return False


def of_own_side(demand: Predicate) -> Predicate:
    """Limit a condition to the progressive or the bonus: it does not apply to named side wagers."""
    return lambda book, table, act: None if book.sides and names_side(book, act) else demand(book, table, act)


def box_of(table: TableState, act: Act) -> Box | None:
    """Return the box of an act in the last round; None if there is none."""
    current = table.round
    return None if current is None or act.box is None else current.boxes.get(act.box)
