"""The sheet of a book with its lines moved, as `aceking sheet` writes it. Only that of a book as it is, is kept."""

from functools import lru_cache
from typing import Any, Literal

import msgspec

from aceking.exact.cache import remembered
from aceking.exact.changes import changes_of, command_line, priced_hash
from aceking.lab.question import Asked, book_of
from aceking.sheet.data import sheet_data
from aceking.sheet.page import page
from aceking.sheet.write import json_text

Form = Literal["html", "json"]


class Sheet(msgspec.Struct, frozen=True):
    """A file."""

    name: str
    body: str


def sheet(asked: Asked, form: Form) -> Sheet:
    """The file."""
    data = _data(asked)
    name = f"{asked.book}{'.what-if' if data['document']['changes'] else ''}.{form}"
    return Sheet(name, page(data) if form == "html" else json_text(data))


@lru_cache(maxsize=4)
def _data(asked: Asked) -> dict[str, Any]:
    """The content. A stranger's what-if is not kept on disk: he could fill it."""
    book, _ = book_of(asked)
    changes = changes_of(book) if asked.moved else ()
    data = sheet_data(book) if changes else remembered("sheet", priced_hash(book), lambda: sheet_data(book))
    data["document"]["repeat"] = command_line("sheet", asked.book, changes, "--out", "DIR")
    return data
