"""Every condition that a book may name is one that the engine can judge, and one that some book names."""

from typing import get_args

from aceking.rules.load import book_ids, load_book
from aceking.rules.words import Condition
from aceking.table.procedure.conditions import CONDITIONS
from aceking.table.procedure.scopes import LAPS, SCOPES

WORDS = set(get_args(Condition))


def test_every_condition_has_a_predicate_or_names_a_case() -> None:
    assert not WORDS - {*CONDITIONS, *SCOPES, *LAPS}


def test_every_condition_is_named_by_a_book() -> None:
    books = [load_book(name) for name in book_ids()]
    named = {need for book in books for clause in book.clauses.values() for act in clause.acts for need in act.needs}
    assert not WORDS - named
    assert not set(CONDITIONS) - WORDS
