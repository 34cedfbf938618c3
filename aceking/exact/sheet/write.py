"""The sheet of a book: a document for a regulator or a pit manager, and the same content as JSON."""

import json
from collections.abc import Sequence
from pathlib import Path

from aceking.exact.sheet.data import sheet_data
from aceking.exact.sheet.page import page
from aceking.rules.book import Book


def write_sheet(book: Book, folder: Path, *, changes: Sequence[str] = ()) -> tuple[Path, Path]:
    """Writes BOOK.html and BOOK.json into the folder and says where. The same book gives the same bytes."""
    folder.mkdir(parents=True, exist_ok=True)  # first: a wrong folder is told before the work, not after it
    data = sheet_data(book, changes=changes)
    html, raw = folder / f"{book.id}.html", folder / f"{book.id}.json"
    html.write_text(page(data), encoding="utf-8", newline="\n")
    raw.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
    return html, raw
