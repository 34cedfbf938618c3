"""Posted limits: the least and the greatest ante (else those of the book), and the time to decide."""

from aceking.rules.book import Book
from aceking.table.state import Round, TableState


def ante_limits(book: Book, table: TableState) -> tuple[int | None, int | None]:
    """Return the least and the greatest ante; None for no limit."""
    least = table.ante_min if table.ante_min is not None else book.ante.min
    return least, table.ante_max if table.ante_max is not None else book.ante.max


def decision_deadline(table: TableState, current: Round) -> int | None:
    """Return when the time of the asked box runs out, in ms of the table's clock; None if no time is posted."""
    return None if table.decide_seconds is None else current.turn_at + table.decide_seconds * 1000
