"""The least and the greatest ante of a table: as posted at the table, else as the book's options have it."""

from aceking.rules.book import Book
from aceking.table.state import Table


def ante_limits(book: Book, table: Table) -> tuple[int | None, int | None]:
    """The least and the greatest ante; None where there is no limit."""
    least = table.ante_min if table.ante_min is not None else book.ante.min
    return least, table.ante_max if table.ante_max is not None else book.ante.max
