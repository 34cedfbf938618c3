"""The book says no, or says nothing: values, not exceptions."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """The book does not allow it, and this clause says so."""

    reason: str
    clause: str
    also: tuple[str, ...] = ()  # further clauses that would refuse it as well, in the order of the book


@dataclass(frozen=True, slots=True)
class Unregulated:
    """The book is silent; a person of the named rank decides, and this clause gives him the last word."""

    reason: str
    decides: str
    clause: str
    reading: str | None = None
