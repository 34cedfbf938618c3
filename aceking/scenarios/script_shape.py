"""Check the keys of a script and of its parts, and the types of their values."""

from collections.abc import Mapping
from typing import Any, get_args

from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.words import Actor
from aceking.scenarios.judge import ScriptError
from aceking.table.state import Mode

#: The states to which the driver can bring the table before the first step.
STARTS = ("new", "opened", "shuffled", "betting", "closed", "dealt", "decided", "revealed")
#: Keys of a step with what it expects.
EXPECTS = {"refused", "violates", "rules", "asks", "because", "under"}
_TEXTS = ("id", "name", "why", "book", "order", "start", "mode")
_TABLES = ("options", "people", "limits", "awards", "then")
_LISTS = ("books", "boxes", "when", "proves")
_SCRIPT = {*_TEXTS, *_TABLES, *_LISTS, "meter", "reset", "rounds", "seconds", "attended"}
_BOX = {
    *("box", "player", "ante", "side", "sides", "light", "note", "look", "claims", "exchange", "play", "bet", "discard")
}
_DRIVE = {"drive", "count", "order", "meter"}
#: The kinds of step; each key has a word.
_STEPS = ("do", "report", "rule", "choose", "drive")


def check_shape(raw: Mapping[str, Any]) -> None:
    """Raise ScriptError for an unknown key or a value of the wrong type."""
    _check_keys("a script", raw, _SCRIPT)
    for key in _TEXTS:
        _text(key, raw.get(key, ""))
    for key in _TABLES:
        _mapping(key, raw.get(key, {}))
    for key in _LISTS:
        if not isinstance(raw.get(key, []), list):
            raise ScriptError(f"{key}: it is a list, one entry for each")
    _check_table(raw)
    for number, box in enumerate(raw.get("boxes", []), start=1):
        _check_keys(f"boxes, entry {number}", box, _BOX, "a box")
        _mapping(f"boxes, entry {number}: sides", box.get("sides", {}))
        if not isinstance(box.get("box"), int):
            raise ScriptError(f"boxes, entry {number}: there must be a key `box`")
    for number, step in enumerate(raw.get("when", []), start=1):
        _check_step(f"step {number}", _mapping(f"step {number}", step))


def _check_table(raw: Mapping[str, Any]) -> None:
    _check_keys("limits", raw.get("limits", {}), {"min", "max"})
    _check_keys("people", raw.get("people", {}), set(get_args(Actor)))
    for role, persons in raw.get("people", {}).items():
        if not isinstance(persons, str | list) or not all(isinstance(one, str) for one in persons):
            raise ScriptError(f"people: {role}: it is a name or a list of names, not {persons!r}")
    for row, posted in raw.get("awards", {}).items():
        _text(f"awards, {row}", posted)
    if raw.get("mode", "electronic") not in get_args(Mode):
        raise ScriptError(f"mode: a table is {' or '.join(get_args(Mode))}, not {raw['mode']!r}")
    if raw.get("start", "betting") not in STARTS:
        raise ScriptError(f"start: {raw['start']!r} is not one of {', '.join(STARTS)}")
    if not isinstance(raw.get("attended", True), bool):
        raise ScriptError(f"attended: it is true or false, not {raw['attended']!r}")
    _number("rounds", raw.get("rounds", 0), least=0)
    _number("seconds", raw.get("seconds", 1), least=1)


def _check_step(place: str, step: Mapping[str, Any]) -> None:
    for kind in _STEPS:
        _text(f"{place}: {kind}", step.get(kind, ""))
    if "drive" not in step:
        return
    _check_keys(place, step, _DRIVE | EXPECTS, "a step of the driver")
    _text(f"{place}: order", step.get("order", ""))
    if step["drive"] == "cards" or "count" in step:
        _number(f"{place}: count", step.get("count"), least=1)


def _number(place: str, value: Any, *, least: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise ScriptError(f"{place}: it is a number from {least} up, not {value!r}")


def _text(place: str, value: Any) -> None:
    if not isinstance(value, str):
        raise ScriptError(f"{place}: it is a text, not {value!r}")


def _mapping(place: str, raw: Any) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise ScriptError(f"{place}: it is a table of keys, not {raw!r}")
    return raw


def _check_keys(place: str, raw: Any, known: set[str], what: str = "") -> None:
    for key in _mapping(place, raw):
        if key not in known:
            there = ", ".join(sorted(known))
            has_not = f"{place}: {what}" if what else place
            raise ScriptError(f"{has_not} has no key {key!r}; it has {there}{suggestion(key, known)}")
