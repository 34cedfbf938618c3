"""Scenario sheets: disputes that a floor manager can read, each with the expected result.

A sheet is a TOML file of `[[scenario]]`. A scenario names its books, describes a round in the words of `aceking settle`
and says under `then` what must follow, for all books or book by book. `rows` describes many one-seat rounds that differ
in a few keys.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.reading.load import load_book
from aceking.settlement.scenario_json import INPUT_ERRORS, SeatIn, result_data, scenario_from_data, settle_in

_ROUND = ("options", "meter", "reset", "dealer", "community", "limits", "awards")
_PER_SEAT = ("net", "hand", "outcomes", "awards")
_THEN = ("net", "refused", "unregulated", "error", "meter", "awards", "cites", "hand", "outcomes")
_KINDS: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(_PER_SEAT, (str, dict)),
    "cites": list,
    "unregulated": (bool, str),
}
_SCENARIO = {"id", "name", "why", "books", "proves", "seat", "seats", "rows", "then", *_ROUND}


class SheetError(ValueError):
    """A sheet that cannot be read."""


@dataclass(frozen=True, slots=True)
class BookCase:
    """What a sheet or a script says of itself, under one of its books."""

    sheet: str
    id: str
    name: str
    book: str
    proves: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"{self.book}: {self.id}: {self.name}"


@dataclass(frozen=True, slots=True)
class SheetCase(BookCase):
    """One round under one book, and what must follow."""

    round: Mapping[str, Any]
    then: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a case: the clauses cited, and the differences from the sheet."""

    cited: tuple[str, ...]
    problems: tuple[str, ...]


def default_folder() -> Path:
    """Return the folder of the sheets in a checkout."""
    return Path(__file__).resolve().parent.parent.parent / "scenarios"


def read_sheets(folder: Path) -> list[SheetCase]:
    """Read all cases of all sheets in a folder. Raises SheetError."""
    return [case for file in sorted(folder.glob("*.toml")) for case in read_sheet(file)]


def read_sheet(file: Path) -> Iterator[SheetCase]:
    with file.open("rb") as stream:
        try:
            raw = tomllib.load(stream)
        except tomllib.TOMLDecodeError as broken:
            raise SheetError(f"{file.name}: this is not TOML: {broken}") from None
    if not isinstance(raw.get("scenario"), list):
        raise SheetError(f"{file.name}: this is no sheet: it has no [[scenario]]")
    for scenario in raw["scenario"]:
        where = f"{file.name}: {scenario.get('id', 'a scenario without an id')}"
        yield from cases_of(scenario, where, sheet=file.stem)


def cases_of(scenario: Mapping[str, Any], where: str, *, sheet: str) -> Iterator[SheetCase]:
    """Yield one case for each row and book of a scenario. Raises SheetError for anything that would not be checked."""
    _check_keys("a scenario", scenario, _SCENARIO, where)
    for key in ("id", "name", "books"):
        if not scenario.get(key):
            raise SheetError(f"{where}: it has no {key}")
    known = {clause for book in scenario["books"] for clause in load_book(book).clauses}
    for clause in set(scenario.get("proves", [])) - known:
        raise SheetError(f"{where}: none of its books has the clause {clause}")
    for name, described, then in _rounds(scenario, where):
        for book in scenario["books"]:
            expected = then.get(book, then) if set(then) <= {*scenario["books"]} else then
            _check_then(expected, where)
            proves = tuple(one for one in scenario.get("proves", []) if one in load_book(book).clauses)
            yield SheetCase(sheet, scenario["id"], name, book, proves, described, expected)


def _check_keys(what: str, raw: Mapping[str, Any], known: Collection[str], where: str) -> None:
    for key in raw:
        if key not in known:
            there = ", ".join(sorted(known))
            raise SheetError(f"{where}: {what} has no key {key!r}; it has {there}{suggestion(key, known)}")


def _check_then(then: Mapping[str, Any], where: str) -> None:
    """Refuse an expectation that checks nothing: an empty text would match any result."""
    _check_keys("then", then, _THEN, where)
    for key, wanted in then.items():
        if not isinstance(wanted, _KINDS.get(key, str)) or wanted is False or (wanted in ("", {}) and key != "awards"):
            raise SheetError(f"{where}: {key} cannot be {wanted!r}")
    if not any(wanted != [] for wanted in then.values()):
        raise SheetError(f"{where}: there is no expected result; give one of {', '.join(_THEN)}")


def _rounds(scenario: Mapping[str, Any], where: str) -> Iterator[tuple[str, dict[str, Any], Mapping[str, Any]]]:
    """The rounds of a scenario: one, or one for each row."""
    common = {key: scenario[key] for key in _ROUND if key in scenario}
    if "seats" in scenario:
        for seat in () if scenario.get("then") else scenario["seats"]:
            _check_keys("a seat", seat, SeatIn.__struct_fields__, where)
        yield scenario["name"], {**common, "seats": scenario["seats"]}, scenario.get("then", {})
        return
    for row in scenario.get("rows", [{}]):
        then = {**scenario.get("then", {}), **{key: row[key] for key in _THEN if key in row and key not in _ROUND}}
        if "after" in row:
            then["meter"] = row["after"]
        if not then:
            # A misspelt expectation is a key of the seat.
            _check_keys("a row", row, {*_THEN, *_ROUND, *SeatIn.__struct_fields__, "name", "after"}, where)
        seat = {
            "seat": 1,
            **scenario.get("seat", {}),
            **{key: value for key, value in row.items() if key not in (*_THEN, *_ROUND, "name", "after")},
        }
        of_row = {key: row[key] for key in _ROUND if key in row}
        name = f"{scenario['name']}, {row['name']}" if "name" in row else scenario["name"]
        yield name, {**common, **of_row, "seats": [seat]}, then


def judge_case(case: SheetCase) -> Verdict:
    """Settle a case and compare the result with the sheet."""
    try:
        raw = scenario_from_data({"id": case.id, "book": case.book, **case.round})
        result = result_data(case.id, settle_in(raw))
    except INPUT_ERRORS as wrong:
        result = {"error": str(wrong)}
    cited = tuple(dict.fromkeys(_cited(result)))
    return Verdict(cited, tuple(result_problems(case.then, result)))


def _cited(result: Mapping[str, Any]) -> Iterator[str]:
    if "refused" in result:
        yield result["refused"]["clause"]
    for seat in result.get("seats", []):
        for line in seat["lines"]:
            yield line["clause"]


def result_problems(then: Mapping[str, Any], result: Mapping[str, Any]) -> Iterator[str]:
    """Yield the differences of a result, as `aceking settle --json` prints it, from what a sheet expects."""
    cited = tuple(dict.fromkeys(_cited(result)))
    for kind in ("refused", "unregulated", "error"):
        if (kind in then) != (kind in result):
            yield f"expected {dict(then)}, got {dict(result)}"
            return
    if "refused" in then and then["refused"] != result["refused"]["clause"]:
        yield f"refused by {result['refused']['clause'] or 'no clause'}, not by {then['refused']}"
    silence = then.get("unregulated")
    if isinstance(silence, str) and silence not in result["unregulated"]["reason"]:
        yield f"the gap is {result['unregulated']['reason']!r}, without {silence!r}"
    if "error" in then and then["error"] not in result["error"]:
        yield f"the error is {result['error']!r}, without {then['error']!r}"
    seats = {str(seat["seat"]): seat for seat in result.get("seats", [])}
    yield from _per_seat("net", then, {number: seat["net"] for number, seat in seats.items()})
    yield from _per_seat("hand", then, {number: seat["hand"] for number, seat in seats.items()})
    outcomes = {number: " ".join(line["outcome"] for line in seat["lines"]) for number, seat in seats.items()}
    yield from _per_seat("outcomes", then, outcomes)
    meter = result.get("meter") or {}
    yield from _per_seat("awards", then, {str(one["seat"]): one["amount"] for one in meter.get("awards", [])})
    if "meter" in then and not _same("meter", meter.get("after"), then["meter"]):
        yield f"the meter shows {meter.get('after')}, not {then['meter']}"
    for clause in then.get("cites", []):
        if clause not in cited:
            yield f"it cites {', '.join(cited)}, not {clause}"


def _per_seat(what: str, then: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """Compare values by seat number; a single value is for seat 1. A sheet must name all awards."""
    if what not in then:
        return
    expected = then[what] if isinstance(then[what], dict) else {"1": then[what]}
    for seat, value in expected.items():
        if seat not in found:
            yield f"seat {seat} has no {what}, so not {value} either"
        elif not _same(what, found[seat], value):
            yield f"seat {seat}: {what} is {found[seat]}, not {value}"
    if what == "awards" and set(found) - set(expected):
        yield f"awards went to seats {', '.join(found)}, not {', '.join(expected) or 'nobody'}"


def _same(what: str, found: Any, wanted: Any) -> bool:
    """Amounts are compared as numbers: `-30.00` is `-30`, and `-0` is `0`."""
    if what in ("hand", "outcomes") or found is None:
        return bool(found == wanted)
    try:
        return Fraction(found) == Fraction(wanted)
    except (TypeError, ValueError):
        return False
