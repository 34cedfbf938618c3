"""Results that took long are kept, keyed by what was priced and by the program that priced it: none is ever stale.

ACEKING_CACHE names another folder, or is `off`.
"""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

#: The parts of the program that a figure depends on.
_PARTS = ("cards", "exact", "rules")


def remembered(kind: str, priced: str, compute: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The result of that kind for the book with that hash: kept from before, or computed now and kept."""
    folder = _folder()
    if folder is None:
        return compute()
    file = folder / f"{kind}-{_program()[:16]}-{priced[:32]}.json"
    try:
        found: dict[str, Any] = json.loads(file.read_bytes())
        if isinstance(found, dict):
            return found
    except (OSError, ValueError):
        pass  # not there, or broken off: computed again
    result = compute()
    _keep(file, result)
    return result


def _keep(file: Path, result: dict[str, Any]) -> None:
    """Whole or not at all; a folder that cannot be written to is no reason to fail."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=file.parent, delete=False, encoding="utf-8") as stream:
            json.dump(result, stream)
        os.replace(stream.name, file)
    except OSError:
        pass


def _folder() -> Path | None:
    named = os.environ.get("ACEKING_CACHE")
    if named is not None:
        return None if named in ("", "off") else Path(named)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "aceking"
    except RuntimeError:  # nobody's home
        return None


def _program() -> str:
    """The version of the program, and of every file of it that a figure depends on."""
    import aceking

    parts = [aceking.__version__]
    root = Path(aceking.__file__).parent
    for part in _PARTS:
        for folder, _, names in sorted(os.walk(root / part)):
            for name in sorted(names):
                if name.endswith(".py"):
                    found = os.stat(os.path.join(folder, name))
                    parts.append(f"{name} {found.st_size} {found.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
