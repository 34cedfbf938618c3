"""A cache of answers that take long to compute, one file for each answer.

The name of a file covers everything that its answer depends on: what was priced (`changes.priced_hash`), the text of
the module that computes it and of every part of the program that this module imports, directly or through another, and
the versions of Python and numpy. The imports are read from the source texts, so no list can be out of date. A file that
cannot be read counts as missing. Nothing else in the program depends on these files; they may be deleted at any time.
"""

import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Concatenate, ParamSpec

from aceking.exact.changes import priced_hash
from aceking.rules.book import Book

#: The environment variable that names another folder than the user's own, or is `off`.
FOLDER = "ACEKING_CACHE"
_PACKAGE = Path(__file__).resolve().parents[1]
_STARTED = time.time()
#: The part of the program that an import names; empty for `from aceking import`, which may name any part.
_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+aceking(?:\.(\w+)|\b)", re.MULTILINE)

_More = ParamSpec("_More")


def cached_answer(
    kind: str,
    book: Book,
    compute: Callable[Concatenate[Book, _More], dict[str, Any]],
    *args: _More.args,
    **more: _More.kwargs,
) -> dict[str, Any]:
    """Return the stored answer of `compute` for the book; if there is none, compute and store it.

    `kind` contains every argument that changes the answer. `compute` is a function or a method; the module that
    defines it is part of the key.
    """
    cache_folder = folder()
    if cache_folder is None:
        return compute(book, *args, **more)
    module = sys.modules[compute.__module__].__file__
    assert module is not None, "a module that computes figures has a file"
    if is_replaced():
        return compute(book, *args, **more)
    computed_by = hashlib.sha256(f"{program(Path(module))} {_versions()}".encode()).hexdigest()
    file = cache_folder / f"{kind}-{computed_by[:16]}-{priced_hash(book)[:32]}.json"
    answer = _read(file)
    if answer is None:
        answer = compute(book, *args, **more)
        _write(file, answer)
    return answer


def is_replaced(package: Path = _PACKAGE, since: float = _STARTED) -> bool:
    """Return True if the program on disk is newer than this process: the key would be that of another program."""
    return any(file.stat().st_mtime > since for file in package.rglob("*.py"))


def folder() -> Path | None:
    """Return the folder of the cache; None if the cache is off or there is no home folder."""
    named = os.environ.get(FOLDER)
    if named is not None:
        return None if named in ("", "off") else Path(named)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "aceking"
    except RuntimeError:  # there is no home folder
        return None


def program(module: Path, package: Path = _PACKAGE) -> str:
    """Return the SHA-256 of all source texts that a module depends on."""
    digest = hashlib.sha256()
    for name, text in sorted(depends_on(module, package).items()):
        digest.update(f"\n{name} {len(text)}\n".encode())
        digest.update(text)
    return digest.hexdigest()


def depends_on(module: Path, package: Path = _PACKAGE) -> dict[str, bytes]:
    """Return the source texts that a module depends on, by name: its own, and all files of each part they import."""
    texts = {module.name: module.read_bytes()}
    waiting, parts = _imported(texts[module.name], package), set[str]()
    while waiting:
        part = waiting.pop()
        parts.add(part)
        for file in (package / part).rglob("*.py") if (package / part).is_dir() else package.glob(f"{part}.py"):
            text = texts[file.relative_to(package).as_posix()] = file.read_bytes()
            waiting |= _imported(text, package) - parts
    return texts


def _imported(text: bytes, package: Path) -> set[str]:
    names = {name.decode() for name in _IMPORT.findall(text)}
    return {one.stem for one in package.iterdir()} if "" in names else names


def _versions() -> str:
    """Return the versions of Python and numpy. Importing numpy here would take longer than reading an answer."""
    numpy = find_spec("numpy")
    assert numpy is not None, "the package requires it"
    assert numpy.origin is not None
    return sys.version + Path(numpy.origin).with_name("version.py").read_text(encoding="utf-8")


def _read(file: Path) -> dict[str, Any] | None:
    try:
        answer: Any = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None  # missing or incomplete: it is computed again
    return answer if isinstance(answer, dict) else None


def _write(file: Path, answer: dict[str, Any]) -> None:
    """Write the whole file or nothing. If the folder cannot be written, the answer is not stored."""
    part = file.with_suffix(f".{os.getpid()}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(answer), encoding="utf-8")
        part.replace(file)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
