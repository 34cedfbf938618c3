"""What is posted at a table: the least and the greatest ante, else as the book has them, and a time to decide."""

from aceking.rules.book import Book
from aceking.table.state import Round, Table


def ante_limits(book: Book, table: Table) -> tuple[int | None, int | None]:
    """The least and the greatest ante; None where there is no limit."""
    least = table.ante_min if table.ante_min is not None else book.ante.min
    return least, table.ante_max if table.ante_max is not None else book.ante.max


def time_is_up(table: Table, current: Round) -> int | None:
    """When the posted time of who is asked runs out; None where no time is posted."""
    return None if table.decide_seconds is None else current.turn_at + table.decide_seconds * 1000
