"""Coverage of clauses: for each clause of a book, its kind and what proves it.

A clause is proved if something that happened cites it (an event, a line of money, a refusal, a question), or if a named
test shows what it changes. `proves` in a scenario is only a claim, and is not counted.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, catalogue, load_book
from aceking.scenarios.scripts import ScriptCase, run_script
from aceking.scenarios.sheets import SheetCase, judge_case


@dataclass(frozen=True, slots=True)
class Covered:
    """A clause with the passing and failing cases and tests for it."""

    book: str
    clause: str
    kind: str
    passing: tuple[str, ...]
    failing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """All clauses of all books."""

    clauses: tuple[Covered, ...]
    missing: tuple[str, ...]  # in the catalogue, but in no book
    unknown: tuple[str, ...]  # in a book, but not in the catalogue
    catalogue: int

    def counts(self, book: str) -> Counter[str]:
        """Count the clauses of a book by kind, and those with only passing cases as `with scenario`."""
        own = [one for one in self.clauses if one.book == book]
        counts = Counter(one.kind for one in own)
        counts["clauses"] = len(own)
        counts["with scenario"] = sum(bool(one.passing) and not one.failing for one in own)
        return counts


@dataclass(frozen=True, slots=True)
class Proof:
    """A test for a clause that no event can cite, such as how two hands compare."""

    clause: str
    books: tuple[str, ...]
    test: str
    shows: str


def read_proofs(folder: Path) -> list[Proof]:
    """Read `proofs/tests.toml` in a folder; empty if there is none."""
    file = folder / "proofs" / "tests.toml"
    if not file.is_file():
        return []
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    return [Proof(one["clause"], tuple(one["books"]), one["test"], one["shows"]) for one in raw["proof"]]


def coverage(
    cases: Iterable[SheetCase],
    scripts: Iterable[ScriptCase] = (),
    names: Iterable[str] | None = None,
    proofs: Iterable[Proof] = (),
) -> Coverage:
    """Run the cases and scripts, and return all clauses of the books with what proves each."""
    passing: dict[tuple[str, str], list[str]] = {}
    failing: dict[tuple[str, str], list[str]] = {}

    def note(book: str, case: str, claimed: Iterable[str], cited: Iterable[str], problems: Sequence[str]) -> None:
        noted, clauses = (failing, (*claimed, *cited)) if problems else (passing, (*cited,))
        for clause in dict.fromkeys(clauses):
            noted.setdefault((book, clause), []).append(case)

    # A sheet may name a book by its file, so the id comes from the loaded book.
    for case in cases:
        verdict = judge_case(case)
        note(load_book(case.book).id, case.id, case.proves, verdict.cited, verdict.problems)
    for script in scripts:
        story = run_script(script.raw, script.book)
        note(story.book.id, script.id, script.proves, story.cited, story.problems)
    for proof in proofs:
        for book_id in proof.books:
            note(book_id, proof.test, (), (proof.clause,), ())
    books = [load_book(name) for name in names or book_ids()]
    clauses = tuple(_covered(book, passing, failing) for book in books)
    ids = {one.clause for group in clauses for one in group}
    # The catalogue has only the clauses of shipped books; other books are checked against their own.
    known = catalogue() if all(book.id in book_ids() for book in books) else tuple(sorted(ids))
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
