"""The machines that a book wants at the table: what they are, and which of them are not fitted."""

from aceking.rules.book import Book
from aceking.table.state import Table


def components(parts: tuple[str, ...]) -> dict[str, str]:
    """The components of an approved system with their least versions; without a version, an empty text."""
    found = {}
    for part in parts:
        name, _, last = part.rpartition(" ")
        versioned = "." in last
        found[(name if versioned else part).lower()] = last if versioned else ""
    return found


def wanted(book: Book) -> dict[str, str]:
    """The components of the system in use."""
    if book.system is None:
        return {}
    return components(book.system.first if book.system.chosen == "first" else book.system.second)


def missing(book: Book, table: Table) -> list[str]:
    """The components that are not fitted."""
    fitted = {name.lower() for name, device in table.devices.items() if device.status == "fitted"}
    return [name for name in wanted(book) if name not in fitted]
