"""Which sheet, script and test reaches which statement, so that a change is run only against those that reach it.

Recorded once for a state of the tree, in a child that imports the program with a mark before every statement of a
function and in every lambda; stored in a file that git ignores. Caches are emptied before each case, so that a case is
also seen to reach what another case has computed before.
"""

import ast
import builtins
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from mutants.mutant import ROOT, Mutant

#: The packages that are recorded. Imports only go down, so the layers below stay unchanged.
PACKAGES = ("settlement", "award", "table", "meter")
#: The tests that run besides sheets and scripts. Tests that start a new process are left out: it has no change.
TESTS = (
    *("tests/settlement", "tests/award", "tests/meter", "tests/table", "tests/rules", "tests/api/test_api.py"),
    *("tests/exact/test_stud_settle.py", "tests/exact/test_community_settle.py"),
    *("tests/exact/test_unlisted.py", "tests/exact/test_antes.py"),
)
_FOLDER = ROOT / ".mutants"
_MARKS = "__marks__"


@dataclass(frozen=True, slots=True)
class Mark:
    """A statement of a function, or a lambda, by its lines."""

    first: int
    last: int
    is_lambda: bool


@dataclass(frozen=True, slots=True)
class Reach:
    """Which case reaches which mark. `everybody` has all cases, with the seconds each takes."""

    everybody: Mapping[str, float]
    reached: "np.ndarray[Any, np.dtype[np.uint8]]"  # one row for each case, one column for each mark
    by_import: "np.ndarray[Any, np.dtype[np.uint8]]"
    control: Path  # exists once all cases pass on the unchanged program

    def askable(self, mutant: Mutant) -> dict[str, float]:
        """Return the cases that reach the change, fastest first; all cases if it runs during import."""
        columns = _columns(mutant)
        names = list(self.everybody)
        if columns and not self.by_import[columns].any():
            names = [name for name, row in zip(names, self.reached, strict=True) if row[columns].any()]
        return {name: self.everybody[name] for name in sorted(names, key=lambda name: self.everybody[name])}


def reach() -> Reach:
    """Return the record for this tree, making it if there is none."""
    kept = _FOLDER / f"reach-{_tree()}.npz"
    if not kept.exists():
        _FOLDER.mkdir(exist_ok=True)
        for old in _FOLDER.glob("reach-*"):
            old.unlink()
        _in_a_child(lambda: _record(kept))
    if not kept.exists():
        raise SystemExit("who reaches what could not be recorded")
    with np.load(kept) as read:
        everybody = dict(zip(read["names"].tolist(), read["seconds"].tolist(), strict=True))
        reached = np.unpackbits(read["reached"], axis=1)
    return Reach(everybody, reached[:-1], reached[-1], kept.with_suffix(".passed"))


def import_changed(trees: Mapping[str, ast.Module]) -> None:
    """Import the modules of these files as these trees from now on."""
    read = SourceFileLoader.get_code

    def get_code(self: SourceFileLoader, fullname: str) -> CodeType | None:
        tree = trees.get(str(self.path))
        return read(self, fullname) if tree is None else compile(tree, self.path, "exec", dont_inherit=True)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]


def forget(*, below: bool) -> None:
    """Empty the caches of program and tests; those of lower, unchanged layers only if asked."""
    for kept in _caches(below, len(sys.modules)):
        kept.cache_clear()


@cache
def _caches(below: bool, _: int) -> list[Any]:
    """Return the cached functions; computed again when a module has been imported."""
    found: dict[int, Any] = {}
    for name, module in list(sys.modules.items()):
        if name.split(".")[0] in ("aceking", "tests"):
            found |= {id(one): one for one in list(vars(module).values()) if hasattr(one, "cache_clear")}
    return [one for one in found.values() if below or not one.__module__.startswith(_BELOW)]


_BELOW = ("aceking.cards", "aceking.rules", "aceking.money")


def _tree() -> str:
    """Return the content of everything that the record depends on."""
    said = hashlib.sha256()
    for folder in ("aceking", "mutants", "scenarios", "tests"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                said.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes() + b"\0")
    return said.hexdigest()[:16]


def _files() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / "aceking" / package).rglob("*.py"))]


@cache
def _marks() -> dict[str, tuple[int, list[Mark]]]:
    """Return for each file the number of its first mark, and its marks."""
    found, number = {}, 0
    for path in _files():
        marks = list(_marked(ast.parse(path.read_text(encoding="utf-8"))))
        found[path.relative_to(ROOT).as_posix()] = (number, marks)
        number += len(marks)
    return found


def _columns(mutant: Mutant) -> list[int]:
    """Return the innermost statement on the line of a change, and the lambdas there; none outside functions."""
    if mutant.file not in _marks():
        return []
    start, marks = _marks()[mutant.file]
    there = [(one, start + n) for n, one in enumerate(marks) if one.first <= mutant.line <= one.last]
    statements = [(one.last - one.first, column) for one, column in there if not one.is_lambda]
    return [min(statements)[1], *(column for one, column in there if one.is_lambda)] if statements else []


def _marked(tree: ast.Module, start: int = 0) -> Iterator[Mark]:
    """Put a mark before each statement of a function and into each lambda, numbered from `start`, and return them."""
    number = start
    for function in [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.Lambda)]:
        if isinstance(function, ast.Lambda):
            yield Mark(function.lineno, function.end_lineno or function.lineno, is_lambda=True)
            said = ast.parse(f"{_MARKS}.__setitem__({number}, 1)", mode="eval").body
            function.body = ast.BoolOp(op=ast.Or(), values=[said, function.body])
            number += 1
            continue
        for holder, field, body in list(_bodies(function)):
            new: list[ast.stmt] = []
            for one in body:
                if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                    new.append(one)  # a docstring stays first
                    continue
                yield Mark(one.lineno, one.end_lineno or one.lineno, is_lambda=False)
                new += [*ast.parse(f"{_MARKS}[{number}] = 1").body, one]
                number += 1
            setattr(holder, field, new)
    ast.fix_missing_locations(tree)


def _bodies(function: ast.AST) -> Iterator[tuple[ast.AST, str, list[ast.stmt]]]:
    """Yield the lists of statements of a function, without those of nested functions."""
    for field, value in ast.iter_fields(function):
        if not isinstance(value, list):
            continue
        if value and isinstance(value[0], ast.stmt):
            yield function, field, value
        for one in value:
            if isinstance(one, ast.stmt | ast.match_case | ast.ExceptHandler) and not isinstance(
                one, ast.FunctionDef | ast.ClassDef
            ):
                yield from _bodies(one)


def _in_a_child(work: Callable[[], None]) -> None:
    """Import the program in a child only, so that the next child can import it with a change."""
    pid = os.fork()
    if not pid:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        try:
            work()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)


class _Recorder:
    """A pytest plug-in that records which case reached what."""

    def __init__(self, marks: bytearray) -> None:
        self.marks = marks
        self.rows: dict[str, bytes] = {}
        self.seconds: dict[str, float] = {}
        self.starts_anew = False
        sys.addaudithook(self._hear)
        self.of_file: dict[str, bytes] = {}  # reached in collection and in fixtures, which may serve several tests

    def look(self, name: str, work: Callable[[], object]) -> None:
        forget(below=False)
        self._clear()
        began = time.perf_counter()
        work()
        self.seconds[name] = time.perf_counter() - began
        self.rows[name] = bytes(self.marks)

    def _hear(self, event: str, _: object) -> None:
        self.starts_anew |= event in ("subprocess.Popen", "os.posix_spawn", "os.exec")

    def _clear(self) -> None:
        self.marks[:] = bytes(len(self.marks))

    def _add_to_file(self, file: str) -> None:
        before = np.frombuffer(self.of_file.get(file, bytes(len(self.marks))), np.uint8)
        self.of_file[file] = (before | np.frombuffer(bytes(self.marks), np.uint8)).tobytes()

    def pytest_collectstart(self) -> None:
        self._clear()

    def pytest_collectreport(self, report: Any) -> None:
        self._add_to_file(report.nodeid.split("::")[0])
        self._clear()

    def pytest_runtest_logreport(self, report: Any) -> None:
        file = report.nodeid.split("::")[0]
        if report.when == "setup":
            self._add_to_file(file)
            forget(below=False)
            self._clear()
            self.starts_anew = False
        elif report.when == "call" and not self.starts_anew:
            self.rows[report.nodeid] = bytes(self.marks)
            self.seconds[report.nodeid] = report.duration

    def matrix(self) -> "np.ndarray[Any, np.dtype[np.uint8]]":
        none = bytes(len(self.marks))
        whole = [
            np.frombuffer(row, np.uint8) | np.frombuffer(self.of_file.get(name.split("::")[0], none), np.uint8)
            for name, row in self.rows.items()
        ]
        return np.array(whole)


def _record(kept: Path) -> None:
    from mutants.watch import judged_cases, run_tests

    trees, count = {}, 0
    for path in _files():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        count += len(list(_marked(tree, count)))
        trees[str(path)] = tree
    marks = bytearray(count)
    setattr(builtins, _MARKS, marks)
    import_changed(trees)
    for path in _files():
        import_module(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    by_import = np.frombuffer(bytes(marks), np.uint8)
    recorder = _Recorder(marks)
    for name, judge in judged_cases().items():
        recorder.look(name, judge)
    run_tests(TESTS, recorder)
    rows = np.packbits(np.vstack([recorder.matrix(), by_import]), axis=1)
    seconds = [recorder.seconds[name] for name in recorder.rows]
    with kept.with_suffix(".part").open("wb") as into:
        np.savez_compressed(into, names=np.array(list(recorder.rows)), seconds=np.array(seconds), reached=rows)
    kept.with_suffix(".part").rename(kept)
