"""The sheet of a book: a document for a regulator or a pit manager, and the same content as JSON."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from aceking.sheet.page import page


def make_folder(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)


def write_data(data: Mapping[str, Any], folder: Path, *, paper: str = "") -> tuple[Path, Path]:
    """Write a sheet from its data; return both paths. A what-if never has the name of the house's own sheet."""
    name = data["document"]["book"] + (".what-if" if data["document"]["changes"] else "")
    html, raw = folder / f"{name}.html", folder / f"{name}.json"
    html.write_text(page(data, paper=paper), encoding="utf-8", newline="\n")
    raw.write_text(json_text(data), encoding="utf-8", newline="\n")
    return html, raw


def json_text(data: Mapping[str, Any]) -> str:
    """Return the content of a sheet as JSON, line by line."""
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
