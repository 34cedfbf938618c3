"""Find faults in the text of a book: dangling references, better hands that pay less, missing rows.

A finding is explained if an anomaly of the book names the reading taken. `aceking books lint` fails on findings that
are not explained.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from aceking.cards.hand import Category
from aceking.rules.book import Book
from aceking.rules.clause import Clause, Reference
from aceking.rules.options import is_less
from aceking.rules.reading.load import catalogue
from aceking.rules.reading.values import row_of
from aceking.rules.side_wagers import rows_of, table_of
from aceking.rules.value_text import value_text
from aceking.rules.vocabulary import SIDES

LintKind = Literal[
    "dangling-reference", "wrong-reference", "outside-reference", "not-monotone", "missing-row", "gap", "open"
]


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of a text."""

    kind: LintKind
    book: str
    clause: str
    says: str
    anomalies: tuple[str, ...]

    @property
    def explained(self) -> bool:
        """True if a reading is recorded for it. A document that was not supplied needs none."""
        return bool(self.anomalies) or self.kind == "outside-reference"


def lint(book: Book) -> Iterator[Finding]:
    for clause in book.clauses.values():
        yield from _references(book, clause)
        yield from _read_rules(book, clause)
    yield from _monotone(book)
    for anomaly in book.anomalies.values():
        if anomaly.open:
            where = next((one.id for one in book.clauses.values() if anomaly.id in one.readings), anomaly.where)
            yield Finding("open", book.id, where, f"the text does not settle it: {anomaly.problem}", (anomaly.id,))


def _references(book: Book, clause: Clause) -> Iterator[Finding]:
    for reference in clause.refers:
        if reference.external:
            says = f"it relies on {reference.to}, which was not supplied"
            yield Finding("outside-reference", book.id, clause.id, says, ())
        elif not _exists(book, reference.to):
            yield Finding(
                "dangling-reference",
                book.id,
                clause.id,
                f"it points to {reference.to}, which does not exist{_meant(reference)}",
                clause.readings,
            )
        elif reference.read is not None:
            says = f"it points to {reference.to}{_meant(reference)}"
            yield Finding("wrong-reference", book.id, clause.id, says, clause.readings)


def _exists(book: Book, place: str) -> bool:
    """Return True if a clause, or a heading above clauses, is in the book or in another version of its document."""
    known = (*book.clauses, *catalogue())
    return any(one == place or one.startswith((f"{place}(", f"{place}.", f"{place}#")) for one in known)


def _meant(reference: Reference) -> str:
    return f"; {reference.read} is meant" if reference.read else ""


def _read_rules(book: Book, clause: Clause) -> Iterator[Finding]:
    """Rules that a reading had to supply: rows of pay tables, and gaps."""
    for key in clause.reads:
        row = row_of(key) is not None
        what = "the table has no such row" if row else "the text does not say"
        yield Finding("missing-row" if row else "gap", book.id, clause.id, f"{key}: {what}", clause.readings)
    for name in clause.options:
        rule = book.options[name].rule
        if row_of(rule) is not None and rule not in book.minimums:
            yield Finding("missing-row", book.id, clause.id, f"{rule}: the table has no such row", clause.readings)


def _monotone(book: Book) -> Iterator[Finding]:
    """Yield better hands that pay less than worse ones."""
    own = ("bet.pays", "exchange.pays", "bonus.pays", "progressive.awards")
    orders: dict[str, Sequence[Category]] = dict.fromkeys(own, tuple(Category))
    orders |= {f"{SIDES}.{name}.{table_of(side)}": rows_of(book, side) for name, side in book.sides.items()}
    for table, order in orders.items():
        rows = [(one, book.minimums[key]) for one in order if (key := f"{table}.{one.key}") in book.minimums]
        for place, (higher, more) in enumerate(rows):
            for lower, less in rows[:place]:
                if type(less.value) is type(more.value) and is_less(more.value, less.value):
                    much, little = (value_text(table, one.value, decimals=book.decimals) for one in (more, less))
                    says = f"{table}: a {higher.title} pays {much}, a {lower.title} {little}"
                    yield Finding("not-monotone", book.id, more.clause, says, book.clauses[more.clause].readings)
