"""A book that starts from another (an heir): what it inherits, overrides, drops and adds.

The heir's text has only what is different. A rule that it sets overrides the rule of the older book; a clause with the
same id replaces the older clause; `drops` removes clauses; `fixes` fixes options. Everything else is the older book's,
which may itself start from another.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aceking.rules.reading.complaints import Complaints
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.vocabulary import SIDES

RawTable = dict[str, Any]

_SETS = ("set", "read")
_GOVERNS = ("set", "read", "option", "act", "ruling", "defines", "outside")


@dataclass(frozen=True, slots=True)
class Heritage:
    """The books that a book comes from, and what it has changed."""

    line: tuple[str, ...] = ()  # the books that it starts from, nearest first
    origin: Mapping[str, str] = field(default_factory=dict)  # inherited clause: the book that wrote it
    anew: Mapping[str, str] = field(default_factory=dict)  # overridden rule: the clause that set it before
    dropped: Mapping[str, str] = field(default_factory=dict)  # dropped or replaced clause: the book that had it


def inherited(
    older: RawTable, older_heritage: Heritage, heir: RawTable, complaints: Complaints
) -> tuple[RawTable, Heritage]:
    """Return the tables of an heir merged with those of the older book, and its heritage."""
    own: list[RawTable] = heir.get("clause", [])
    ids = {str(one.get("id")) for one in own}
    dropped = list(heir.get("drops", []))
    older_ids = {one["id"] for one in older["clause"]}
    for name in dropped:
        if name not in older_ids:
            complaints.add(f"it drops {name}, which {older['id']} does not have{suggestion(name, older_ids)}", "drops")
        elif name in ids:
            complaints.add(f"it drops {name} and replaces it; one of the two is enough", "drops")
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
    gone = {name: older_heritage.origin.get(name, older["id"]) for name in (*dropped, *(ids & older_ids))}
    heritage = Heritage(
        line=(older["id"], *older_heritage.line),
        origin={one["id"]: older_heritage.origin.get(one["id"], older["id"]) for one in kept},
        anew={**{key: clause for key, clause in older_heritage.anew.items() if key not in anew}, **anew},
        dropped={**older_heritage.dropped, **gone},
    )
    return merged, heritage


def rules_of(clause: RawTable) -> list[str]:
    """Return the keys of the rules and rows that a clause or its options set."""
    keys = []
    for part in _SETS:
        for step, rules in _table(clause.get(part)).items():
            keys += _leaves(step, _table(rules), depth=_depth(step))
    return [*keys, *(str(one.get("rule")) for one in _tables(clause.get("option")))]


def _depth(step: str) -> int:
    """Levels below a step: rule and row; side wagers have their name as well."""
    return 3 if step == SIDES else 2


def _leaves(key: str, value: Any, *, depth: int) -> list[str]:
    if not depth or not isinstance(value, dict) or not value:
        return [key] if key.count(".") else []
    return [leaf for name, inner in value.items() for leaf in _leaves(f"{key}.{name}", inner, depth=depth - 1)]


def _without(clause: RawTable, by: Mapping[str, str], own: Iterable[RawTable], anew: dict[str, str]) -> RawTable:
    """Return a clause of the older book without what the heir overrides; `anew` gets the overridden rules."""
    names = {str(one.get("name")) for heirs in own for one in _tables(heirs.get("option"))}
    taken = [key for key in rules_of(clause) if key in by]
    options = [one for one in _tables(clause.get("option")) if one.get("rule") in by or one.get("name") in names]
    if not taken and not options:
        return clause
    anew.update({key: str(clause["id"]) for key in taken})
    left = dict(clause)
    for part in _SETS:
        rest = {
            step: remaining
            for step, rules in clause.get(part, {}).items()
            if (remaining := _rest(step, rules, by, depth=_depth(step)))
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


def _rest(key: str, rules: RawTable, by: Mapping[str, str], *, depth: int) -> RawTable:
    """Return the part of a table of rules or rows that the heir does not override."""
    rest: RawTable = {}
    for name, value in rules.items():
        inner = f"{key}.{name}"
        if depth > 1 and isinstance(value, dict) and value:
            if left := _rest(inner, value, by, depth=depth - 1):
                rest[name] = left
        elif inner not in by:
            rest[name] = value
    return rest


def _anomalies(older: RawTable, heir: RawTable) -> list[RawTable]:
    own = heir.get("anomaly", [])
    ids = {one.get("id") for one in own}
    return [*(one for one in older.get("anomaly", []) if one["id"] not in ids), *own]


def _table(raw: Any) -> RawTable:
    return raw if isinstance(raw, dict) else {}


def _tables(raw: Any) -> list[RawTable]:
    return [one for one in raw if isinstance(one, dict)] if isinstance(raw, list) else []
