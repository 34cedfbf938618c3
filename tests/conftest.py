"""What all tests share: the books, loaded once."""

import pytest

from aceking.rules.book import Book
from aceking.rules.load import book_ids, load_book


@pytest.fixture(params=book_ids())
def book(request: pytest.FixtureRequest) -> Book:
    """Each of the six books in turn."""
    return load_book(request.param)
