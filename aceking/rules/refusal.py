"""The book says no, or says nothing: values, not exceptions."""

from dataclasses import dataclass, field

from aceking.rules.sentence import Said


@dataclass(frozen=True, slots=True)
class Refusal:
    """The book does not allow it, and this clause says so."""

    reason: str
    clause: str
    also: tuple[str, ...] = ()  # further clauses that would refuse it as well, in the order of the book
    said: Said | None = field(default=None, compare=False, repr=False)  # how the reason was made, where it has places


def refusal(reason: str | Said, clause: str) -> Refusal:
    """A refusal whose reason may be said in other languages."""
    return Refusal(str(reason), clause, said=reason if isinstance(reason, Said) else None)


@dataclass(frozen=True, slots=True)
class Unregulated:
    """The book is silent; a person of the named rank decides, and this clause gives him the last word."""

    reason: str
    decides: str
    clause: str
    reading: str | None = None
