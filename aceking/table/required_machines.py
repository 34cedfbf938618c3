"""The machines that a book requires at the table, and which of them are missing."""

from aceking.rules.book import Book
from aceking.table.state import TableState


def components(parts: tuple[str, ...]) -> dict[str, str]:
    """Return the components of an approved system with their least versions, empty if there is none."""
    versions = {}
    for part in parts:
        name, _, last = part.rpartition(" ")
        versioned = "." in last
        versions[(name if versioned else part).lower()] = last if versioned else ""
    return versions


def required_components(book: Book) -> dict[str, str]:
    """Return the components of the system in use, with their least versions."""
    if book.system is None:
        return {}
    return components(book.system.first if book.system.chosen == "first" else book.system.second)


def missing_components(book: Book, table: TableState) -> list[str]:
    """Return the required components that are not fitted."""
    fitted = {name.lower() for name, device in table.devices.items() if device.status == "fitted"}
    return [name for name in required_components(book) if name not in fitted]
