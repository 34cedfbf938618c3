"""Events, settlement lines and figures have the bytes that they had when the marks were made: see tests/gate."""

import pytest

from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids
from tests.gate import marks_of_figures, marks_of_lines, marks_of_rounds, read


def test_a_thousand_rounds_by_lot_give_the_same_events(book: Book) -> None:
    marks = {what: mark for what, mark in read("rounds").items() if what.startswith(f"{book.id} ")}
    assert len(marks) == 20
    assert dict(marks_of_rounds(book)) == marks


def test_every_sheet_settles_to_the_same_lines() -> None:
    assert dict(marks_of_lines()) == read("lines")


@pytest.mark.parametrize("book_id", book_ids())
@pytest.mark.proof
def test_every_figure_is_the_same(book_id: str) -> None:
    marks = {what: mark for what, mark in read("figures").items() if what.split(" ")[1] == book_id}
    assert len(marks) == 16
    assert dict(marks_of_figures(book_id)) == marks
