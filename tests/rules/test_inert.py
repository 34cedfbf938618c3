"""No rule is inert: it is read, something stands by it, or the loader holds every book to its one value."""

import re
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import get_args

import pytest

from aceking.rules.reading.load import book_ids, load_book
from aceking.rules.reading.values import rule_types
from aceking.rules.vocabulary import STEPS

ROOT = Path(__file__).resolve().parent.parent.parent / "aceking"
SOURCE = "\n".join(file.read_text(encoding="utf-8") for file in ROOT.rglob("*.py") if file.name != "vocabulary.py")
BOOKS = [load_book(name) for name in book_ids()]
#: The rules of options by which orders and rulings stand.
BY_CHOICE = {
    book.options[option].rule
    for book in BOOKS
    for clause in book.clauses.values()
    for when in (*(act.when for act in clause.acts), *(ruling.when for ruling in clause.rulings))
    for option, _ in when
}


@pytest.mark.parametrize("key", [f"{step}.{field.name}" for step, kind in STEPS.items() for field in fields(kind)])
def test_a_rule_is_read_or_has_one_value(key: str) -> None:
    field = key.split(".")[1]
    read = re.search(rf"\.{field}\b", SOURCE) is not None or f'"{key}' in SOURCE
    values = [one for one in get_args(rule_types()[key]) if one is not NoneType]
    assert read or key in BY_CHOICE or len(values) == 1, f"nobody reads {key}"


@pytest.mark.parametrize("book", BOOKS, ids=[book.id for book in BOOKS])
def test_every_option_of_a_book_changes_a_rule_that_is_read(book: object) -> None:
    assert book in BOOKS
    for option in book.options.values():
        step, field = option.rule.split(".")[:2]
        read = re.search(rf"\.{field}\b", SOURCE) is not None or f'"{step}.{field}' in SOURCE
        assert read or option.rule in BY_CHOICE, f"nothing depends on {option.name}"
