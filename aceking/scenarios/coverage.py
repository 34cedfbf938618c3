"""Every clause accounted for: what it sets or governs, or why it is outside, and which scenario proves it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from aceking.rules.book import Book
from aceking.rules.load import book_ids, catalogue, load_book
from aceking.scenarios.scripts import ScriptCase, run_script
from aceking.scenarios.sheets import Case, judge_case


@dataclass(frozen=True, slots=True)
class Covered:
    """A clause with the cases that prove it."""

    book: str
    clause: str
    kind: str
    passing: tuple[str, ...]
    failing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """All clauses of all books."""

    clauses: tuple[Covered, ...]
    missing: tuple[str, ...]  # in the catalogue, and in no book
    unknown: tuple[str, ...]  # in a book, and not in the catalogue
    catalogue: int

    def counts(self, book: str) -> Counter[str]:
        """How many clauses of a book are of each kind, and how many have a passing scenario."""
        own = [one for one in self.clauses if one.book == book]
        counts = Counter(one.kind for one in own)
        counts["clauses"] = len(own)
        counts["with scenario"] = sum(bool(one.passing) and not one.failing for one in own)
        return counts


def coverage(cases: Iterable[Case], scripts: Iterable[ScriptCase] = (), names: Iterable[str] | None = None) -> Coverage:
    """The clauses of the books, with the cases and scripts that prove each."""
    passing: dict[tuple[str, str], list[str]] = {}
    failing: dict[tuple[str, str], list[str]] = {}

    def note(book: str, case: str, clauses: Iterable[str], problems: Sequence[str]) -> None:
        for clause in dict.fromkeys(clauses):
            (failing if problems else passing).setdefault((book, clause), []).append(case)

    for case in cases:
        verdict = judge_case(case)
        note(case.book, case.id, (*case.proves, *verdict.cited), verdict.problems)
    for script in scripts:
        story = run_script(script.raw, script.book)
        note(script.book, script.id, (*script.proves, *story.cited), story.problems)
    known = catalogue()
    books = [load_book(name) for name in names or book_ids()]
    clauses = tuple(_covered(book, passing, failing) for book in books)
    ids = {one.clause for group in clauses for one in group}
    return Coverage(
        clauses=tuple(one for group in clauses for one in group),
        missing=() if names else tuple(one for one in known if one not in ids),
        unknown=tuple(sorted(ids - set(known))),
        catalogue=len(known),
    )


def _covered(
    book: Book, passing: dict[tuple[str, str], list[str]], failing: dict[tuple[str, str], list[str]]
) -> list[Covered]:
    return [
        Covered(
            book=book.id,
            clause=clause.id,
            kind=clause.kind,
            passing=tuple(dict.fromkeys(passing.get((book.id, clause.id), []))),
            failing=tuple(dict.fromkeys(failing.get((book.id, clause.id), []))),
        )
        for clause in book.clauses.values()
    ]
