"""The sheet of a book: a document for a regulator or a pit manager, and the same content as JSON."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from aceking.rules.book import Book
from aceking.sheet.data import sheet_data
from aceking.sheet.page import page


def write_sheet(book: Book, folder: Path, *, changes: Sequence[str] = ()) -> tuple[Path, Path]:
    """Writes BOOK.html and BOOK.json into the folder and says where. The same book gives the same bytes."""
    make_folder(folder)  # first: a wrong folder is told before the work, not after it
    return write_data(sheet_data(book, changes=changes), folder)


def make_folder(folder: Path) -> None:
    """The folder, if it is not there yet."""
    folder.mkdir(parents=True, exist_ok=True)


def write_data(data: Mapping[str, Any], folder: Path, *, paper: str = "") -> tuple[Path, Path]:
    """Writes a sheet that was computed before. A what-if never takes the name of the house's own sheet."""
    name = data["document"]["book"] + (".what-if" if data["document"]["changes"] else "")
    html, raw = folder / f"{name}.html", folder / f"{name}.json"
    html.write_text(page(data, paper=paper), encoding="utf-8", newline="\n")
    raw.write_text(json_text(data), encoding="utf-8", newline="\n")
    return html, raw


def json_text(data: Mapping[str, Any]) -> str:
    """The content of a sheet as JSON, line by line."""
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
