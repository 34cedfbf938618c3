"""A cache of parsed TOML for the shipped books, in their `__pycache__`.

TOML is parsed in pure Python, which takes longer than anything else when the program starts. The name of a cache file
has the hash of the text, so a changed text is parsed again. The files may be deleted at any time.
"""

import hashlib
import json
import os
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

#: The folder of the shipped books. (Importing `importlib.resources` would take longer than reading all of them.)
BOOKS = Path(__file__).parents[2] / "books"


def compiled(name: str, data: bytes) -> dict[str, Any]:
    """Return the parsed TOML, from the cache or parsed now and cached."""
    file = _cache_file(name, data)
    if (cached := _read(file)) is not None:
        return cached
    parsed = tomllib.loads(data.decode("utf-8-sig"))
    if not sys.dont_write_bytecode:
        _write(file, parsed)
    return parsed


def compile_books() -> int:
    """Cache every shipped text, delete the old cache files, and return the number of texts."""
    for old in (BOOKS / "__pycache__").glob("*.toml.*.json"):
        old.unlink()
    count = 0
    for text in BOOKS.rglob("*.toml"):
        data = text.read_bytes()
        _write(_cache_file(text.relative_to(BOOKS).as_posix(), data), tomllib.loads(data.decode("utf-8-sig")))
        count += 1
    return count


def _cache_file(name: str, data: bytes) -> Path:
    return BOOKS / "__pycache__" / f"{name.replace('/', '-')}.{hashlib.sha256(data).hexdigest()[:32]}.json"


def _read(file: Path) -> dict[str, Any] | None:
    try:
        content: Any = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None  # not there, or damaged
    return content if isinstance(content, dict) else None


def _write(file: Path, parsed: dict[str, Any]) -> None:
    """Write the file as a whole or not at all, and only if JSON gives the same value back."""
    part = file.with_suffix(f".{os.getpid()}.part")
    with suppress(OSError, TypeError, ValueError):
        body = json.dumps(parsed, ensure_ascii=False, allow_nan=False).encode()
        if json.loads(body) == parsed:
            file.parent.mkdir(exist_ok=True)
            part.write_bytes(body)
            part.replace(file)


if __name__ == "__main__":
    compile_books()
