"""Find out who notices a change: sheets and scripts in this process, then tests, the likeliest first, until one fails.

Everything here runs in a forked child that ends with its mutant, so that no change is left for the next.
"""

import ast
import random
import signal
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar

from aceking.rules.reading import source
from mutants.mutant import ROOT, Mutant
from mutants.reach import Reach, forget, import_changed

if TYPE_CHECKING:
    from aceking.scenarios.scripts import ScriptCase
    from aceking.scenarios.sheets import SheetCase

_C = TypeVar("_C", "SheetCase", "ScriptCase")

#: Where a change is likely to be noticed, in order. A quick run stops at the bar; what is not named comes last.
BAR = "|"
BOOK = (
    *("own cases", "sheets", "scripts", "lint", "tests/rules/test_values.py", "tests/rules/test_rulings.py"),
    *("tests/table/test_refused.py", "tests/table/test_who.py", "tests/rules", BAR),
    *("tests/meter", "tests/settlement", "tests/award", "tests/table"),
)


def notice_code(mutant: Mutant, tree: ast.Module, known: Reach | None, *, chosen: bool) -> str | None:
    """Return who notices a changed module, among those that reach the change, or among all if not `chosen`.

    Without a record of reach only sheets, scripts and the package's own tests are run.
    """
    import_changed({str(ROOT / mutant.file): tree})
    if known is None:
        return _first([lambda: _sheets(_Near()), lambda: _scripts(_Near()), lambda: run_tests([_own(mutant)])])
    asked = known.askable(mutant) if chosen else known.everybody
    if mutant.site < 0 and known.control.exists():
        return None
    by = _first([lambda: _judged(asked), lambda: _run_chosen(asked)])
    if mutant.site < 0 and by is None:
        known.control.touch()
    return by


def _own(mutant: Mutant) -> str:
    """Return the tests of the changed package."""
    return f"tests/{mutant.part}" if (ROOT / "tests" / mutant.part).exists() else "tests/rules"


def _judged(asked: Mapping[str, float]) -> str | None:
    """Return the first of these sheets and scripts that fails."""
    names = [name for name in asked if "::" not in name]
    cases = judged_cases() if names else {}
    return next((name for name in names if cases[name]()), None)


def _run_chosen(asked: Mapping[str, float]) -> str | None:
    """Return the first of these tests that fails; fast tests run first."""
    tests = {name: seconds for name, seconds in asked.items() if "::" in name}
    quick = {name: seconds for name, seconds in tests.items() if seconds < _BLINK}
    slow = {name: seconds for name, seconds in tests.items() if seconds >= _BLINK}
    return next((by for many in (quick, slow) if many and (by := run_tests(_files_of(many), _Chosen(many)))), None)


_BLINK = 0.1  # seconds


def _files_of(tests: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name.split("::")[0] for name in tests))


def preload_below() -> None:
    """Import and warm the layers below the changed ones before the fork: imports only go down."""
    from aceking.cards.fast import ranker
    from aceking.rules.reading.load import book_ids, load_book

    ranker(ace_low=True)
    ranker(ace_low=False)
    for name in book_ids():
        load_book(name)


def notice_book(mutant: Mutant, change: Callable[[Mutant, dict[str, Any]], None], *, near_only: bool) -> str | None:
    """Return who notices a book that is changed when it is read."""
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    parse = tomllib.loads

    def loads(read: str, /, **how: Any) -> dict[str, Any]:
        raw = parse(read, **how)
        if read == text:
            change(mutant, raw)
        return raw

    tomllib.loads = loads
    vars(source)["compiled"] = lambda _, data: loads(
        data.decode()
    )  # the parse cache has the unchanged books: parse them
    forget(below=True)
    near = _Near(mutant.id.split()[1].rstrip(":"), books_of(mutant.file))
    return _first(_watchers(_asked(BOOK, near_only=near_only), near))


def _asked(likely: Sequence[str], *, near_only: bool) -> Sequence[str]:
    """Return what to run, in order."""
    return likely[: likely.index(BAR)] if near_only else [one for one in likely if one != BAR]


@dataclass(frozen=True, slots=True)
class _Near:
    """Where to look first: the changed clause, and the books that have it."""

    clause: str = ""
    books: frozenset[str] = frozenset()


def books_of(file: str) -> frozenset[str]:
    """Return the ids of the books that are in a file or include it."""
    path, found = ROOT / file, set()
    for one in (ROOT / "aceking" / "books").glob("*.toml"):
        raw = tomllib.loads(one.read_text(encoding="utf-8"))
        if one == path or ("includes" in raw and one.parent / raw["includes"] == path):
            found.add(str(raw["id"]))
    return frozenset(found)


def _watchers(names: Iterable[str], near: _Near) -> Iterator[Callable[[], str | None]]:
    own = {"own cases": _own_cases, "sheets": _sheets, "scripts": _scripts, "lint": _lint}
    tests: list[str] = []
    for name in dict.fromkeys(names):
        if name in own:
            if tests:
                yield lambda many=tuple(tests): run_tests(many)  # type: ignore[misc]
                tests = []
            yield lambda look=own[name]: look(near)  # type: ignore[misc]
        elif (ROOT / name).exists():
            tests.append(name)
    if tests:
        yield lambda: run_tests(tests)


def _first(watchers: Iterable[Callable[[], str | None]]) -> str | None:
    for look in watchers:
        try:
            found = look()
        except Exception as failed:  # any exception is a failure
            return f"{type(failed).__name__}: {failed}"[:200]
        if found:
            return found
    return None


def _own_cases(near: _Near) -> str | None:
    """Run the cases of the changed clause, which are few: most changes are noticed here."""
    sheets = (one for one in _nearest(sheet_cases(), near) if _is_near(one, near))
    scripts = (one for one in _nearest(script_cases(), near) if _is_near(one, near))
    failed = (f"sheet {one.title}" for one in sheets if _sheet_fails(one))
    return next(failed, None) or next((f"script {one.title}" for one in scripts if _script_fails(one)), None)


def _sheets(near: _Near) -> str | None:
    return next((f"sheet {one.title}" for one in _nearest(sheet_cases(), near) if _sheet_fails(one)), None)


def _scripts(near: _Near) -> str | None:
    return next((f"script {one.title}" for one in _nearest(script_cases(), near) if _script_fails(one)), None)


def asked_again(by: str, otherwise: Callable[[], str | None]) -> str | None:
    """Return who fails on the unchanged program: the sheet or script that noticed, else the result of `otherwise`."""
    sheets = [one for one in sheet_cases() if by == f"sheet {one.title}"]
    scripts = [one for one in script_cases() if by == f"script {one.title}"]
    if not sheets and not scripts:
        return otherwise()
    return by if any(map(_sheet_fails, sheets)) or any(map(_script_fails, scripts)) else None


def _sheet_fails(case: "SheetCase") -> bool:
    from aceking.scenarios.sheets import judge_case

    with _in_time():
        return bool(judge_case(case).problems)


def _script_fails(script: "ScriptCase") -> bool:
    from aceking.scenarios.scripts import run_script

    with _in_time():
        return bool(run_script(script.raw, script.book, strict=True).problems)


@contextmanager
def _in_time() -> Iterator[None]:
    """Raise TimeoutError in a case that does not end."""

    def stop(_: int, __: object) -> None:
        raise TimeoutError("it goes on for ever")

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(_CASE_SECONDS_MAX)
    yield
    signal.alarm(0)


_CASE_SECONDS_MAX = 20


def judged_cases() -> Mapping[str, Callable[[], bool]]:
    """Return every sheet and script by a unique name, with a function that says whether it fails."""
    sheets = {f"sheet {n} {one.title}": partial(_sheet_fails, one) for n, one in enumerate(sheet_cases())}
    return sheets | {f"script {n} {one.title}": partial(_script_fails, one) for n, one in enumerate(script_cases())}


def _nearest(cases: Sequence[_C], near: _Near) -> list[_C]:
    """Sort the cases of the clause first, which are the likeliest to fail, then the others mixed across books."""
    own = [one for one in cases if not near.books or one.book in near.books]
    mixed = random.Random("mixed").sample(own, len(own))
    return sorted(mixed, key=lambda one: not _is_near(one, near))


def _is_near(case: "SheetCase | ScriptCase", near: _Near) -> bool:
    return near.clause in (case.id, *case.proves)


@cache
def sheet_cases() -> "list[SheetCase]":
    from aceking.scenarios.sheets import default_folder, read_sheets

    return read_sheets(default_folder())


@cache
def script_cases() -> "list[ScriptCase]":
    from aceking.scenarios.scripts import read_scripts
    from aceking.scenarios.sheets import default_folder

    return read_scripts(default_folder() / "table")


def _lint(_: _Near) -> str | None:
    """Return the finding of `aceking books lint` without a reading, which fails `make check`."""
    from aceking.rules.reading.load import book_ids, load_book
    from aceking.rules.review.lint import lint

    return next(
        (f"lint: {one.says}" for name in book_ids() for one in lint(load_book(name)) if not one.explained), None
    )


class _FirstFailure:
    """A pytest plug-in that records the first failure, and stores no examples for the next mutant."""

    def __init__(self) -> None:
        self.failed: str | None = None

    def pytest_configure(self) -> None:
        import hypothesis

        hypothesis.settings.register_profile("mutants", database=None)
        hypothesis.settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed and self.failed is None:
            self.failed = str(report.nodeid)

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed and self.failed is None:
            self.failed = f"{report.nodeid} cannot be collected"


class _Chosen:
    """A pytest plug-in that runs only these tests, in this order."""

    def __init__(self, tests: Mapping[str, float]) -> None:
        self.place = {name: place for place, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted((one for one in items if one.nodeid in self.place), key=lambda one: self.place[one.nodeid])


def run_tests(names: Iterable[str], *plugins: object) -> str | None:
    """Return the first of these tests that fails, or None."""
    import pytest

    seen = _FirstFailure()
    quiet = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-o", "addopts=", "--hypothesis-seed=0"]
    quiet += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is imported once, before the fork
    where = [f"--rootdir={ROOT}", *(str(ROOT / name) for name in names)]
    status = pytest.main([*quiet, *where], plugins=[seen, *plugins])
    nobody = pytest.ExitCode.NO_TESTS_COLLECTED
    return seen.failed or (None if status in (0, nobody) else f"pytest ended with {status}")
