"""Changes to the parsed TOML of the rule books: odds, amounts, words, lists, who does what, what is ruled.

The prose of a clause, its topic and its anomalies are not changed: nothing depends on them.
"""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args, get_origin

from aceking.rules.reading.values import is_table, may_be_silent, rule_types
from mutants.mutant import ROOT, Mutant, numbered

_FOLDER = ROOT / "aceking" / "books"
_RANKS = "23456789TJQKA"
Path_ = tuple[str | int, ...]


class _Gone:
    """The value of something that is removed."""

    def __repr__(self) -> str:
        return "nothing"


GONE = _Gone()


@dataclass(frozen=True, slots=True)
class Site:
    """A place in a book, and its new value."""

    clause: str
    part: str
    path: Path_
    old: Any
    new: Any


def book_mutants() -> list[Mutant]:
    """Return all changes to all books."""
    found = []
    for path in sorted(_FOLDER.rglob("*.toml")):
        text = path.read_text(encoding="utf-8")
        file = path.relative_to(ROOT).as_posix()
        for number, site in enumerate(sites(tomllib.loads(text))):
            where = ".".join(str(one) for one in site.path[2:]) or "header"
            name = f"{file} {site.clause}: {where}: {_said(site.old)} -> {_said(site.new)}"
            line = _line(text, site)
            found.append(Mutant(name, file, line, _said(site.old), _said(site.new), site.part, number))
    return numbered(found)


def change(mutant: Mutant, raw: dict[str, Any]) -> None:
    """Make the change in the parsed book."""
    if mutant.site < 0:
        return
    site = list(sites(raw))[mutant.site]
    *way, last = site.path
    holder: Any = raw
    for one in way:
        holder = holder[one]
    if site.new is GONE:
        del holder[last]
    else:
        holder[last] = site.new


def sites(raw: dict[str, Any]) -> Iterator[Site]:
    """Yield all places of a book that can be changed."""
    if "decimals" in raw:
        yield Site("header", "header", ("decimals",), raw["decimals"], raw["decimals"] - 1)
    for place, clause in enumerate(raw.get("clause", [])):
        for part in ("set", "read"):
            for path, old, new in _rules(clause.get(part, {})):
                yield Site(clause["id"], part, ("clause", place, part, *path), old, new)
        for part, changes in (("option", _option), ("act", _governed), ("ruling", _governed)):
            for number, one in enumerate(clause.get(part, [])):
                here = ("clause", place, part, number)
                yield from (Site(clause["id"], part, (*here, *path), old, new) for path, old, new in changes(one))
                if part != "option":
                    yield Site(clause["id"], part, here, f"{one.get('do') or one.get('on')}", GONE)


Change = tuple[Path_, Any, Any]


def _rules(steps: dict[str, Any]) -> Iterator[Change]:
    for step, rules in steps.items():
        for field, value in rules.items():
            kind = rule_types().get(f"{step}.{field}", str)
            if is_table(kind):
                for row, odds in value.items():
                    yield from (((step, field, row), odds, new) for new in _numbers(odds))
                continue
            for path, old, new in _value(kind, value):
                yield (step, field, *path), old, new


def _value(kind: Any, value: Any) -> Iterator[Change]:
    """Yield other values that the rule could have."""
    if isinstance(value, bool):
        yield (), value, not value
    elif isinstance(value, int):
        yield from (((), value, new) for new in (value + 1, value - 1) if new >= 0)
    elif isinstance(value, list):
        yield from (((place,), one, GONE) for place, one in enumerate(value))
    elif isinstance(value, dict):
        yield from (((name,), one, GONE) for name, one in value.items())
    else:
        words = [one for one in _words(kind) if one != value]
        others = [*_numbers(value), *_thresholds(value)]
        yield from (((), value, new) for new in [*words, *others])
        if not _words(kind) and not others:
            yield (), value, f"{value}?"
    if may_be_silent(kind) and value != "none":
        yield (), value, GONE


def _words(kind: Any) -> list[str]:
    """Return the words that a rule may be."""
    if get_origin(kind) is Literal:
        return [str(one) for one in get_args(kind)]
    return [word for one in get_args(kind) if get_origin(one) is Literal for word in get_args(one)]


def _numbers(value: Any) -> list[Any]:
    """Yield one more and one less: of odds, a share, an amount or a number."""
    if isinstance(value, int):
        return [value + 1, value - 1] if value else [value + 1]
    matched = re.fullmatch(r"(\d+)((?:\.\d+)?(?: to \d+|%)?)", str(value))
    if matched is None:
        return []
    number, rest = int(matched[1]), matched[2]
    return [f"{one}{rest}" for one in (number + 1, number - 1) if one >= 0]


def _thresholds(value: str) -> list[str]:
    """Yield the same kind of hand one rank up and one down, and one with a better third card."""
    letters = str(value).split()
    if len(letters) != 5 or any(one not in _RANKS or len(one) != 1 for one in letters):
        return []
    others = []
    for place, by in ((0, 1), (0, -1), (1, -1), (2, 1)):
        rank = _RANKS.index(letters[place]) + by
        if 0 <= rank < len(_RANKS) and _RANKS[rank] not in letters:
            others.append(" ".join(_RANKS[rank] if one == letters[place] else one for one in letters))
    return list(dict.fromkeys(others))


def _option(raw: dict[str, Any]) -> Iterator[Change]:
    default, values = raw["default"], raw.get("values", [])
    for other in values:
        if other != default:
            yield ("default",), default, other
            yield ("values", values.index(other)), other, GONE
    if default not in values:
        yield from ((("default",), default, new) for new in _numbers(default))
    for name, floor in raw.get("floor", {}).items():
        yield from ((("floor", name), floor, new) for new in _numbers(floor))
    means = raw.get("means", {})
    for name, meant in means.items():
        other = next((one for one in means.values() if one != meant), GONE)
        yield ("means", name), meant, other


def _governed(raw: dict[str, Any]) -> Iterator[Change]:
    """Change an act or a ruling: remove each word of a list, replace each single word by another of its kind."""
    for key, value in raw.items():
        if isinstance(value, list):
            yield from (((key, place), one, GONE) for place, one in enumerate(value))
        elif isinstance(value, dict):
            yield from (((key, name), one, GONE) for name, one in value.items())
        elif isinstance(value, str) and key not in ("do", "on"):
            yield (key,), value, _another(key, value)


@cache
def _seen() -> dict[str, list[str]]:
    """Return the words that the books use for each key of an act or a ruling."""
    seen: dict[str, set[str]] = {}
    for path in sorted(_FOLDER.rglob("*.toml")):
        for clause in tomllib.loads(path.read_text(encoding="utf-8")).get("clause", []):
            for one in (*clause.get("act", []), *clause.get("ruling", [])):
                for key, value in one.items():
                    if isinstance(value, str):
                        seen.setdefault(key, set()).add(value)
    return {key: sorted(words) for key, words in seen.items()}


def _another(key: str, value: str) -> str:
    words = _seen()[key]
    return words[(words.index(value) + 1) % len(words)]


def _said(value: Any) -> str:
    return str(value) if isinstance(value, str | _Gone) else repr(value)


def _line(text: str, site: Site) -> int:
    """Return the line of the change: the first one in its clause that has its last word."""
    lines = text.splitlines()
    head = next((at for at, line in enumerate(lines) if line == f'id = "{site.clause}"'), 0)
    words = [str(one) for one in site.path[3:] if isinstance(one, str)] or [site.part]
    for at in range(head + 1, len(lines)):
        if lines[at] == "[[clause]]":
            break
        if words[-1] in lines[at]:
            return at + 1
    return head + 1
