"""Scenarios in TOML for `aceking settle`: one, several as `[[scenario]]`, or a sheet with expected results."""

import sys
import tempfile
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aceking.commands.output.streams import as_utf8, name_of

if TYPE_CHECKING:
    from aceking.scenarios.sheets import SheetCase
    from aceking.settlement.scenario_json import ScenarioIn

#: Required keys of a scenario in a sheet; without `books` it has the keys of the JSON.
_SHEET = {"id": str, "name": str, "books": list}


def settle_sheet(text: bytes, file: str, book: str | None, *, as_json: bool) -> int:
    """Settle the scenarios of a TOML file. Returns 1 if a result is not the one that the sheet expects."""
    name = name_of(file)
    try:
        raw = tomllib.loads(as_utf8(text).decode("utf-8"))
    except UnicodeDecodeError:
        raise click.ClickException(f"{name}: a sheet must be UTF-8 text") from None
    except (tomllib.TOMLDecodeError, RecursionError) as broken:
        raise click.ClickException(f"{name}: this is not TOML: {broken}") from None
    scenarios = raw.get("scenario", [raw])
    if not isinstance(scenarios, list) or not scenarios or not all(isinstance(one, dict) for one in scenarios):
        raise click.ClickException(f"{name}: scenarios are written as tables, [[scenario]]")
    if "scenario" in raw and set(raw) != {"scenario"}:
        raise click.ClickException(f"{name}: the key {min(set(raw) - {'scenario'})!r} is in no scenario")
    if any("books" in one for one in scenarios):
        return _settle_cases(_cases(text, name, scenarios), name, book, as_json=as_json)
    return _settle_plain(scenarios, name, book, as_json=as_json)


def _settle_plain(scenarios: list[dict[str, Any]], name: str, book: str | None, *, as_json: bool) -> int:
    """Settle scenarios with the keys of the JSON. A wrong one does not stop the others."""
    from aceking.settlement.scenario_json import INPUT_ERRORS, scenario_from_table, settle_in

    wrong: list[str] = []
    for number, raw in enumerate(scenarios, start=1):
        place = f"scenario {number}: " if len(scenarios) > 1 else ""
        try:
            scenario = scenario_from_table(raw)
            result = settle_in(scenario, book)
        except INPUT_ERRORS as refused:
            wrong.append(f"{place}{refused}")
            if as_json:
                _json({"id": raw.get("id"), "error": wrong[-1]})
            continue
        _print_result(scenario, result, as_json=as_json)
    if wrong:
        more = f" (and {len(wrong) - 1} more of {len(scenarios)} scenarios)" if len(wrong) > 1 else ""
        raise click.ClickException(f"{name}: {wrong[0]}{more}")
    return 0


def _cases(text: bytes, name: str, scenarios: list[dict[str, Any]]) -> list["SheetCase"]:
    """Return the rounds of a sheet, one for each of its books and rows."""
    from aceking.rules.reading.complaints import BookError
    from aceking.scenarios.sheets import SheetError, read_sheet

    for number, scenario in enumerate(scenarios, start=1):
        for key, kind in _SHEET.items():
            if not isinstance(scenario.get(key), kind):
                what = "a list of books" if kind is list else "a text"
                raise click.ClickException(f"{name}: scenario {number}: {key}: there must be {what}")
    # `read_sheet` takes a file: standard input and text with a byte order mark are written to one.
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / (Path(name).name if name.endswith(".toml") else "sheet.toml")
        copy.write_bytes(as_utf8(text))
        try:
            return list(read_sheet(copy))
        except (SheetError, BookError) as wrong:
            raise click.ClickException(f"{name}: {str(wrong).removeprefix(f'{copy.name}: ')}") from None
        except (AttributeError, KeyError, TypeError) as shapeless:
            raise click.ClickException(f"{name}: this is not a sheet ({shapeless})") from None


def _settle_cases(cases: list["SheetCase"], name: str, book: str | None, *, as_json: bool) -> int:
    """Settle every round of a sheet and compare it with the expected result; with another book only settle it."""
    from aceking.scenarios.sheets import judge_case
    from aceking.settlement.scenario_json import INPUT_ERRORS, scenario_from_data, settle_in

    failed, wrong = 0, ""
    for case in cases:
        problems = () if book else judge_case(case).problems
        failed += bool(problems)
        about = {"name": case.name, "under": book or case.book, **({"problems": list(problems)} if problems else {})}
        try:
            scenario = scenario_from_data({"id": case.id, "book": case.book, **case.round})
            result = settle_in(scenario, book)
        except INPUT_ERRORS as refused:
            wrong = wrong or ("" if not problems and not book else f"{case.id}: {refused}")
            if as_json:
                _json({"id": case.id, "error": str(refused), **about})
            else:
                _say(f"{case.title}\nWrong: {refused}", problems)
            continue
        if not as_json:
            _say(case.title, ())
        _print_result(scenario, result, as_json=as_json, more=about)
        if problems and not as_json:
            _say("", problems)
    if not as_json:
        rounds = "1 round" if len(cases) == 1 else f"{len(cases)} rounds"
        _say(rounds + ("" if book else f", {len(cases) - failed} as the sheet says"), ())
    if wrong:
        raise click.ClickException(f"{name}: {wrong}")
    return 1 if failed else 0


def _print_result(scenario: "ScenarioIn", result: Any, *, as_json: bool, more: dict[str, Any] | None = None) -> None:
    from aceking.settlement.scenario_json import result_data

    if as_json:
        _json({**result_data(scenario.id, result), **(more or {})})
        return
    from aceking.commands.output.settlement import show_result

    show_result(scenario, result)


def _say(text: str, problems: tuple[str, ...]) -> None:
    from rich.text import Text

    from aceking.commands.output.settlement import console, paragraph, printable

    if text:
        paragraph(console(), Text(printable(text), "bold"))
    for problem in problems:
        paragraph(console(), Text(f"not as the sheet says: {printable(problem)}", "red"), indent=2)


def _json(data: dict[str, Any]) -> None:
    import msgspec

    sys.stdout.write(msgspec.json.encode(data).decode() + "\n")
