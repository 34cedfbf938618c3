"""The equipment register of a table: what the book wants fitted, and the outside approvals on file."""

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.phases.opening import Outcome
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
    fitted = {key.removeprefix("device ").lower() for key, status in table.facts.items() if status == "fitted"}
    return [name for name in wanted(book) if name not in fitted]


def fitting(book: Book, name: str) -> Act:
    """The act that puts a component on the register at its least version."""
    return Act(do="device-registered", device=name, method=wanted(book)[name] or None)


def record_approval(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """An outside approval is put on file: of what (note), for which model (method)."""
    if not act.note or not act.method:
        return Refusal("what was approved, and for which model?", "")
    return [ev.TableSet(key=f"approval {act.note} {act.method}", value="on file", clause=clause)]
