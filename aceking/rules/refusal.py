"""Refusals by a clause, and cases without a rule: values, not exceptions."""

from dataclasses import dataclass, field

from aceking.rules.sentence import Said


@dataclass(frozen=True, slots=True)
class Refusal:
    """The book does not allow it; `clause` says so."""

    reason: str
    clause: str
    also: tuple[str, ...] = ()  # further clauses that would refuse it as well, in the order of the book
    said: Said | None = field(default=None, compare=False, repr=False)  # the reason, for translation


def refusal(reason: str | Said, clause: str) -> Refusal:
    """Return a refusal; a reason made with `said` can be translated."""
    return Refusal(str(reason), clause, said=reason if isinstance(reason, Said) else None)


@dataclass(frozen=True, slots=True)
class Unregulated:
    """The book is silent: a person of the rank `decides` decides, and `clause` gives them the last word."""

    reason: str
    decides: str
    clause: str
    reading: str | None = None


No = Refusal | Unregulated
