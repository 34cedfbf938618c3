"""Every word that a book may say of an act is one that the engine can judge, and one that some book says."""

from typing import get_args

from aceking.rules.deal_positions import DEAL_POSITIONS
from aceking.rules.reading.load import book_ids, load_book
from aceking.rules.words import CaseWord, Condition
from aceking.table.procedure.cases import CASES
from aceking.table.procedure.conditions import CONDITIONS
from aceking.table.procedure.orders import PLACED

BOOKS = [load_book(name) for name in book_ids()]
ACTS = [act for book in BOOKS for clause in book.clauses.values() for act in clause.acts]


def test_every_condition_has_a_predicate_and_is_named_by_a_book() -> None:
    words = set(get_args(Condition))
    assert set(CONDITIONS) == words
    assert not words - {need for act in ACTS for need in act.needs}


def test_every_case_has_a_predicate_and_is_named_by_a_book() -> None:
    words = set(get_args(CaseWord))
    assert {*CASES, *DEAL_POSITIONS} == words
    # A box is asked where its book has a word on decisions in general; what binds a wager binds staff who lay it down.
    silent = {"for-asked-box", *PLACED.values()}
    # Cards that no shipped book deals; tests/table/test_shapes.py has a book for each.
    others = {"for-players-fourth-card", "for-players-fifth-card", "for-fourth-community-card"}
    assert words - {case for act in ACTS for case in act.case} == {*silent, *others}
