"""A book that starts from another: what it takes over, sets anew, drops and adds.

The heir's text says what is different. A rule that one of its clauses sets is no longer set by the clause of the older
book; a clause of the same id stands in the place of the older one; what `drops` names is gone; options are fixed by
`fixes`. Everything else is the older book's, which may itself have started from another.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aceking.rules.reading.complaints import Complaints
from aceking.rules.reading.did_you_mean import near
from aceking.rules.vocabulary import SIDES

Raw = dict[str, Any]

_SETS = ("set", "read")
_GOVERNS = ("set", "read", "option", "act", "ruling", "defines", "outside")


@dataclass(frozen=True, slots=True)
class Heritage:
    """Whose clauses a book has."""

    line: tuple[str, ...] = ()  # the books that it comes from, the nearest first
    origin: Mapping[str, str] = field(default_factory=dict)  # clause: the book that wrote it, where that is another
    anew: Mapping[str, str] = field(default_factory=dict)  # rule that is set anew: the clause that set it before
    dropped: Mapping[str, str] = field(default_factory=dict)  # clause that is gone: the book that had it


def inherited(older: Raw, was: Heritage, heir: Raw, complaints: Complaints) -> tuple[Raw, Heritage]:
    """The text of an heir as if it had been written out, and what became of the older one."""
    own: list[Raw] = heir.get("clause", [])
    ids = {str(one.get("id")) for one in own}
    dropped = list(heir.get("drops", []))
    there = {one["id"]: one for one in older["clause"]}
    for name in dropped:
        if name not in there:
            complaints.add(f"it drops {name}, which {older['id']} does not have{near(name, there)}", "drops")
        elif name in ids:
            complaints.add(f"it drops {name} and writes it anew; one of the two is enough", "drops")
    anew: dict[str, str] = {}
    by = {key: str(one.get("id")) for one in own for key in rules_of(one)}
    kept = [
        _without(one, by, own, anew) for one in older["clause"] if one["id"] not in ids and one["id"] not in dropped
    ]
    merged = {
        **{key: value for key, value in older.items() if key != "includes"},
        **{key: value for key, value in heir.items() if key not in ("from", "drops")},
        "clause": [*kept, *own],
        "anomaly": _anomalies(older, heir),
        "fixes": {**older.get("fixes", {}), **heir.get("fixes", {})},
    }
    if not merged["fixes"]:
        del merged["fixes"]
    gone = {name: was.origin.get(name, older["id"]) for name in (*dropped, *(ids & there.keys()))}
    heritage = Heritage(
        line=(older["id"], *was.line),
        origin={one["id"]: was.origin.get(one["id"], older["id"]) for one in kept},
        anew={**{key: clause for key, clause in was.anew.items() if key not in anew}, **anew},
        dropped={**was.dropped, **gone},
    )
    return merged, heritage


def rules_of(clause: Raw) -> list[str]:
    """The keys of the rules and rows that a clause sets, its options' among them."""
    found = []
    for part in _SETS:
        for step, rules in _table(clause.get(part)).items():
            found += _leaves(step, _table(rules), depth=_depth(step))
    return [*found, *(str(one.get("rule")) for one in _tables(clause.get("option")))]


def _depth(step: str) -> int:
    """How deep the rules of a step lie: its rules and their rows; those of a named side wager lie under its name."""
    return 3 if step == SIDES else 2


def _leaves(key: str, value: Any, *, depth: int) -> list[str]:
    if not depth or not isinstance(value, dict) or not value:
        return [key] if key.count(".") else []
    return [leaf for name, inner in value.items() for leaf in _leaves(f"{key}.{name}", inner, depth=depth - 1)]


def _without(clause: Raw, by: Mapping[str, str], own: Iterable[Raw], anew: dict[str, str]) -> Raw:
    """A clause of the older book without what the heir sets anew."""
    names = {str(one.get("name")) for heirs in own for one in _tables(heirs.get("option"))}
    taken = [key for key in rules_of(clause) if key in by]
    options = [one for one in _tables(clause.get("option")) if one.get("rule") in by or one.get("name") in names]
    if not taken and not options:
        return clause
    anew.update({key: str(clause["id"]) for key in taken})
    left = dict(clause)
    for part in _SETS:
        rest = {
            step: there
            for step, rules in clause.get(part, {}).items()
            if (there := _rest(step, rules, by, depth=_depth(step)))
        }
        left.pop(part, None)
        if rest:
            left[part] = rest
    if options:
        left["option"] = [one for one in clause["option"] if one not in options]
        if not left["option"]:
            del left["option"]
    if not any(left.get(part) for part in _GOVERNS):
        heirs = ", ".join(dict.fromkeys(by[key] for key in taken))
        left["outside"] = f"What it sets is set anew by {heirs}."
    return left


def _rest(key: str, rules: Raw, by: Mapping[str, str], *, depth: int) -> Raw:
    """What is left of a table of rules, or of rows, that an heir does not set anew."""
    rest: Raw = {}
    for name, value in rules.items():
        inner = f"{key}.{name}"
        if depth > 1 and isinstance(value, dict) and value:
            if left := _rest(inner, value, by, depth=depth - 1):
                rest[name] = left
        elif inner not in by:
            rest[name] = value
    return rest


def _anomalies(older: Raw, heir: Raw) -> list[Raw]:
    own = heir.get("anomaly", [])
    ids = {one.get("id") for one in own}
    return [*(one for one in older.get("anomaly", []) if one["id"] not in ids), *own]


def _table(raw: Any) -> Raw:
    return raw if isinstance(raw, dict) else {}


def _tables(raw: Any) -> list[Raw]:
    return [one for one in raw if isinstance(one, dict)] if isinstance(raw, list) else []
