"""The sheet of a book with its lines moved, as `aceking sheet` writes it. Only an unchanged book's sheet is cached."""

from functools import lru_cache
from typing import Any, Literal

import msgspec

from aceking.exact.cache import cached_answer
from aceking.exact.changes import changes_of, command_line
from aceking.lab.question import LabQuestion, book_of
from aceking.sheet.data import sheet_data
from aceking.sheet.page import page
from aceking.sheet.write import json_text

Form = Literal["html", "json"]


class Sheet(msgspec.Struct, frozen=True):
    """A file of a sheet."""

    name: str
    body: str


def sheet(question: LabQuestion, form: Form) -> Sheet:
    data = _data(question)
    name = f"{question.book}{'.what-if' if data['document']['changes'] else ''}.{form}"
    return Sheet(name, page(data) if form == "html" else json_text(data))


@lru_cache(maxsize=4)
def _data(question: LabQuestion) -> dict[str, Any]:
    """Return the content. A what-if is not cached on disk, because clients could fill the disk with them."""
    book, _ = book_of(question)
    changes = changes_of(book) if question.moved else ()
    data = sheet_data(book) if changes else cached_answer("sheet", book, sheet_data)
    data["document"]["repeat"] = command_line("sheet", question.book, changes, "--out", "DIR")
    return data
