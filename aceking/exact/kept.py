"""Answers that are kept: the exact edge of a book, asked again, is read instead of counted.

An answer is kept under a key made of the program's version and of everything that was priced, so a changed line of a
book, a changed option or another program is another question. A file that cannot be read is no answer: it is counted
again. Nothing else in the program depends on these files; they may be deleted at any time.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

from aceking.exact.figures import Edge
from aceking.rules.book import Book

#: Where answers are kept, unless this variable of the environment names another folder; empty: nowhere.
FOLDER = "ACEKING_KEPT"


def program() -> str:
    """The version of the program: the text of every module that a figure can hang on."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for part in ("cards", "exact", "rules"):
        for file in sorted((root / part).rglob("*.py")):
            digest.update(f"{file.relative_to(root).as_posix()}\n".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def priced(book: Book) -> str:
    """Everything that a figure of the book may depend on, as a short digest: every rule under the chosen options."""
    rules = {key: repr(rule.value) for key, rule in sorted(book.by_key.items())}
    sections = {name: repr(getattr(book, name)) for name in ("hands", "ante", "bet", "decide", *_SECTIONS)}
    text = json.dumps([book.id, book.currency, book.decimals, rules, sections], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


_SECTIONS = ("exchange", "dealer", "paytable", "instant", "bonus", "progressive")


def edge(book: Book, *, folder: Path | None = None) -> Edge:
    """The exact edge, read where it is kept, else counted and kept."""
    place = default_folder() if folder is None else folder
    if place is None:
        return _count(book)
    key = hashlib.sha256(f"{program()} edge {priced(book)}".encode()).hexdigest()
    file = place / f"edge-{key[:40]}.json"
    found = _read(file)
    if found is None:
        found = _count(book)
        _write(file, _data(found))
    return found


def default_folder() -> Path | None:
    """The user's folder for what may be made again."""
    if (given := os.environ.get(FOLDER)) is not None:
        return Path(given) if given else None
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base) / "aceking"


def _count(book: Book) -> Edge:
    from aceking.exact.games import edge as counted

    return counted(book)


def _data(found: Edge) -> dict[str, Any]:
    return {
        "book": found.book,
        "deals": found.deals,
        "outcomes": [[str(net), number] for net, number in found.outcomes.items()],
        "decisions": {name: str(share) for name, share in found.decisions.items()},
        "risked": str(found.risked),
    }


def _read(file: Path) -> Edge | None:
    try:
        raw: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        return Edge(
            book=raw["book"],
            deals=int(raw["deals"]),
            outcomes={Fraction(net): int(number) for net, number in raw["outcomes"]},
            decisions={name: Fraction(share) for name, share in raw["decisions"].items()},
            risked=Fraction(raw["risked"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AssertionError):
        return None


def _write(file: Path, data: Mapping[str, Any]) -> None:
    """Writes the whole file or nothing; where the folder cannot be written, nothing is kept."""
    part = file.with_suffix(f".{os.getpid()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(data), encoding="utf-8")
        part.replace(file)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
