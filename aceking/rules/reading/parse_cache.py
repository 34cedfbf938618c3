"""What the TOML of a shipped book parses to, kept beside it as the bytecode of a module is kept beside its text.

TOML is read in pure Python and takes longer than everything else at a start. What is kept has the hash of the text in
its name, so a text that has changed is parsed again. Nothing depends on these files; they may be deleted at any time.
"""

import hashlib
import json
import os
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

#: Where the texts of the program's own books lie. (`importlib.resources` would say so too, and takes longer to import
#: than all books take to be read.)
BOOKS = Path(__file__).parents[2] / "books"


def compiled(name: str, data: bytes) -> dict[str, Any]:
    """The parsed text of this name: as it was kept, or parsed now and kept where modules are."""
    file = _kept_as(name, data)
    if (known := _read(file)) is not None:
        return known
    parsed = tomllib.loads(data.decode("utf-8-sig"))
    if not sys.dont_write_bytecode:
        _keep(file, parsed)
    return parsed


def compile_books() -> int:
    """Keeps every shipped text in its parsed form, and forgets those of older texts; how many there are."""
    for old in (BOOKS / "__pycache__").glob("*.toml.*.json"):
        old.unlink()
    kept = 0
    for text in BOOKS.rglob("*.toml"):
        data = text.read_bytes()
        _keep(_kept_as(text.relative_to(BOOKS).as_posix(), data), tomllib.loads(data.decode("utf-8-sig")))
        kept += 1
    return kept


def _kept_as(name: str, data: bytes) -> Path:
    """Beside the bytecode of the books."""
    return BOOKS / "__pycache__" / f"{name.replace('/', '-')}.{hashlib.sha256(data).hexdigest()[:32]}.json"


def _read(file: Path) -> dict[str, Any] | None:
    try:
        found: Any = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None  # not there, or broken off
    return found if isinstance(found, dict) else None


def _keep(file: Path, parsed: dict[str, Any]) -> None:
    """The whole file or nothing, and only what comes back as it was."""
    part = file.with_suffix(f".{os.getpid()}.part")
    with suppress(OSError, TypeError, ValueError):
        body = json.dumps(parsed, ensure_ascii=False, allow_nan=False).encode()
        if json.loads(body) == parsed:
            file.parent.mkdir(exist_ok=True)
            part.write_bytes(body)
            part.replace(file)


if __name__ == "__main__":
    compile_books()
