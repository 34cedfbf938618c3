"""One small change with its id, and the reviewed list of changes that make no difference."""

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_EQUIVALENTS = Path(__file__).with_name("equivalents.toml")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A change. Its id describes it, and stays the same when lines move."""

    id: str
    file: str  # from the root of the project
    line: int
    old: str
    new: str
    part: str  # a package of the code, or a part of a clause: set, read, option, act, ruling
    site: int  # its number among the sites of the file


@dataclass(frozen=True, slots=True)
class Equivalent:
    """Changes that a reviewer has shown to make no difference."""

    like: re.Pattern[str]
    why: str


def equivalents(file: Path = _EQUIVALENTS) -> list[Equivalent]:
    """Read the reviewed list: a pattern for ids, and the reason."""
    raw = tomllib.loads(file.read_text(encoding="utf-8"))
    return [Equivalent(re.compile(one["like"]), one["why"]) for one in raw.get("equivalent", [])]


def excused(mutant: Mutant, known: Iterable[Equivalent]) -> str | None:
    """Return why this change makes no difference, or None."""
    return next((one.why for one in known if one.like.search(mutant.id)), None)


def numbered(mutants: Iterable[Mutant]) -> list[Mutant]:
    """Number equal changes in one function, so that each id is one change."""
    seen: dict[str, int] = {}
    told = []
    for one in mutants:
        seen[one.id] = seen.get(one.id, 0) + 1
        name = one.id if seen[one.id] == 1 else f"{one.id} #{seen[one.id]}"
        told.append(Mutant(name, one.file, one.line, one.old, one.new, one.part, one.site))
    return told
