"""Who would notice a change: sheets and scripts in this process, then the tests, the likeliest first, until one fails.

Everything here runs in a forked child that ends with its mutant, so that nothing of one change is left for the next.
"""

import ast
import random
import sys
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.machinery import SourceFileLoader
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeVar

from mutants.mutant import ROOT, Mutant

if TYPE_CHECKING:
    from aceking.scenarios.scripts import ScriptCase
    from aceking.scenarios.sheets import Case

_C = TypeVar("_C", "Case", "ScriptCase")

#: Where a change to a package is likely to show. A quick look goes as far as the bar; what is not named comes after.
BAR = "|"
ORDER: dict[str, tuple[str, ...]] = {
    "settle": (
        *("sheets", "tests/settle/test_lines.py", "tests/settle/test_order.py", "tests/settle/test_adapt.py"),
        *(
            "tests/settle/test_jackpot.py",
            "tests/settle/test_settle.py",
            BAR,
            "scripts",
            "tests/link",
            "tests/settle",
            "tests/table",
        ),
    ),
    "table": ("scripts", "tests/table", BAR, "sheets", "tests/link"),
    "link": ("tests/link", BAR, "scripts"),
    "book": ("sheets", "scripts", "lint", "tests/rules", BAR, "tests/link", "tests/settle", "tests/table"),
}
#: Tests that start the program anew (tests/test_cli.py …) would see it unchanged: they are not asked.
REST = ("sheets", "scripts", "tests/rules")
#: Costly, and blind to what only a table does; asked last of all, and only about money.
FIGURES = ("tests/exact/test_stud_settle.py", "tests/exact/test_community_settle.py")


def notice_code(mutant: Mutant, tree: ast.Module, *, near_only: bool) -> str | None:
    """Who notices a module that is changed as it is imported."""
    path = str(ROOT / mutant.file)
    read = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        return compile(tree, path, "exec", dont_inherit=True) if self.path == path else read(self, fullname)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]
    likely = ORDER.get(mutant.part, (f"tests/{mutant.part}",))
    last = FIGURES if mutant.part == "settle" else ()
    return _first(_watchers(_asked(likely, last, near_only=near_only), _Near()))


def preload_below() -> None:
    """The layers under those that are changed, imported and warm before the fork: imports only go down."""
    from aceking.cards.fast import ranker
    from aceking.rules.load import book_ids, load_book

    ranker(ace_low=True)
    ranker(ace_low=False)
    for name in book_ids():
        load_book(name)


def notice_book(mutant: Mutant, change: Callable[[Mutant, dict[str, Any]], None], *, near_only: bool) -> str | None:
    """Who notices a book that is changed as it is read."""
    text = (ROOT / mutant.file).read_text(encoding="utf-8")
    parse = tomllib.loads

    def loads(read: str, /, **how: Any) -> dict[str, Any]:
        raw = parse(read, **how)
        if read == text:
            change(mutant, raw)
        return raw

    tomllib.loads = loads
    _forget()
    near = _Near(mutant.id.split()[1].rstrip(":"), books_of(mutant.file))
    return _first(_watchers(_asked(ORDER["book"], (), near_only=near_only), near))


def _asked(likely: Sequence[str], last: Sequence[str], *, near_only: bool) -> tuple[str, ...]:
    """Whom to ask, in which order."""
    if near_only:
        return tuple(likely[: likely.index(BAR)]) if BAR in likely else tuple(likely)
    return (*(one for one in likely if one != BAR), *REST, *last)


@dataclass(frozen=True, slots=True)
class _Near:
    """Where to look first: the clause that is changed, and the books that have it."""

    clause: str = ""
    books: frozenset[str] = frozenset()


def books_of(file: str) -> frozenset[str]:
    """The ids of the books that are written in a file, or include it."""
    path, found = ROOT / file, set()
    for one in (ROOT / "aceking" / "books").glob("*.toml"):
        raw = tomllib.loads(one.read_text(encoding="utf-8"))
        if one == path or ("includes" in raw and one.parent / raw["includes"] == path):
            found.add(str(raw["id"]))
    return frozenset(found)


def _forget() -> None:
    """Empties every cache of the program: what was worked out from the unchanged book must not be used."""
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "aceking":
            for one in vars(module).values():
                if hasattr(one, "cache_clear"):
                    one.cache_clear()


def _watchers(names: Iterable[str], near: _Near) -> Iterator[Callable[[], str | None]]:
    own = {"sheets": _sheets, "scripts": _scripts, "lint": _lint}
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
        except Exception as failed:  # any failure at all is a test that fails
            return f"{type(failed).__name__}: {failed}"[:200]
        if found:
            return found
    return None


def _sheets(near: _Near) -> str | None:
    from aceking.scenarios.sheets import judge_case

    for case in _nearest(sheet_cases(), near):
        if judge_case(case).problems:
            return f"sheet {case.title}"
    return None


def _scripts(near: _Near) -> str | None:
    from aceking.scenarios.scripts import run_script

    for script in _nearest(script_cases(), near):
        if run_script(script.raw, script.book).problems:
            return f"script {script.title}"
    return None


def _nearest(cases: Sequence[_C], near: _Near) -> list[_C]:
    """The cases of the clause first: they are the likeliest to fail. The others mixed, so that no book comes last."""
    own = [one for one in cases if not near.books or one.book in near.books]
    mixed = random.Random("mixed").sample(own, len(own))
    return sorted(mixed, key=lambda one: near.clause not in (one.id, *one.proves))


@cache
def sheet_cases() -> "list[Case]":
    """Every case of every sheet."""
    from aceking.scenarios.sheets import default_folder, read_sheets

    return read_sheets(default_folder())


@cache
def script_cases() -> "list[ScriptCase]":
    """Every script of the table."""
    from aceking.scenarios.scripts import read_scripts
    from aceking.scenarios.sheets import default_folder

    return read_scripts(default_folder() / "table")


def _lint(_: _Near) -> str | None:
    """The finding of `aceking books lint` without a reading, which fails `make check`."""
    from aceking.rules.lint import lint
    from aceking.rules.load import book_ids, load_book

    return next(
        (f"lint: {one.says}" for name in book_ids() for one in lint(load_book(name)) if not one.explained), None
    )


class _FirstFailure:
    """A plug-in of pytest that remembers which test failed first, and keeps no examples for the next mutant."""

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


def run_tests(names: Iterable[str]) -> str | None:
    """The first of these tests that fails."""
    import pytest

    seen = _FirstFailure()
    quiet = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-o", "addopts=", "--hypothesis-seed=0"]
    quiet += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # Hypothesis is imported once, before the fork
    status = pytest.main([*quiet, f"--rootdir={ROOT}", *(str(ROOT / name) for name in names)], plugins=[seen])
    return seen.failed or (None if status == 0 else f"pytest ended with {status}")
