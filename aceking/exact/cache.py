"""Answers that took long are kept: the same question, asked again, is read instead of counted.

An answer is kept under the program's version and everything that was priced (`changes.priced_hash`), so a changed line
of a book, a changed option or another program is another question, and none is ever stale. A file that cannot be read
is no answer. Nothing else in the program depends on these files; they may be deleted at any time.
"""

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from aceking.version import __version__

#: The variable of the environment that names another folder than the user's own, or is `off`.
FOLDER = "ACEKING_CACHE"
#: The parts of the program that a figure hangs on.
_PARTS = ("cards", "exact", "rules", "sheet", "simulation")


def remembered(kind: str, priced: str, compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The answer of that kind for the book with that hash: kept from before, or computed now and kept."""
    place = folder()
    if place is None:
        return compute()
    file = place / f"{kind}-{program()[:16]}-{priced[:32]}.json"
    found = _read(file)
    if found is None:
        found = compute()
        _write(file, found)
    return found


def folder() -> Path | None:
    """Where answers are kept; None: nowhere."""
    named = os.environ.get(FOLDER)
    if named is not None:
        return None if named in ("", "off") else Path(named)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "aceking"
    except RuntimeError:  # nobody's home
        return None


def program() -> str:
    """The version of the program: its number, and the text of every module that a figure hangs on."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(__version__.encode())
    for part in _PARTS:
        for where, _, names in sorted(os.walk(root / part)):
            for name in sorted(names):
                if name.endswith(".py"):
                    digest.update(f"\n{os.path.relpath(where, root)} {name}\n".encode())
                    digest.update(Path(where, name).read_bytes())
    return digest.hexdigest()


def _read(file: Path) -> dict[str, Any] | None:
    try:
        found: Any = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None  # not there, or broken off: computed again
    return found if isinstance(found, dict) else None


def _write(file: Path, found: dict[str, Any]) -> None:
    """Writes the whole file or nothing; where the folder cannot be written, nothing is kept."""
    part = file.with_suffix(f".{os.getpid()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(found), encoding="utf-8")
        part.replace(file)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
