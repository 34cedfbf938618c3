"""The tool that asks whether tests would notice is asked itself."""

import ast
import os
import subprocess
import sys
import tomllib
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mutants import watch
from mutants.books import book_mutants, change
from mutants.code import changed_tree, code_mutants, sites
from mutants.mutant import ROOT, Mutant, equivalents, excused
from mutants.reach import Reach, _columns, _marked

pytestmark = pytest.mark.proof

PAYMENTS = "aceking/settlement/payments.py"
#: Thousands of mutants are listed once for those who look through them, and by nobody who only collects tests.
LISTED = pytest.mark.xdist_group("mutants")


@cache
def code() -> list[Mutant]:
    return [one for package in ("settlement", "table", "meter") for one in code_mutants(package)]


@cache
def books() -> list[Mutant]:
    return book_mutants()


@LISTED
def test_the_id_of_a_mutant_is_its_own() -> None:
    for many in (code(), books()):
        assert len({one.id for one in many}) == len(many)
    assert len(code()) > 5000
    assert len(books()) > 2000


@LISTED
def test_a_change_to_code_compiles_and_differs() -> None:
    for one in [mutant for mutant in code() if mutant.part == "settlement"][::11]:
        tree = changed_tree(one)
        compile(tree, one.file, "exec")
        assert ast.dump(tree) != ast.dump(ast.parse((ROOT / one.file).read_text(encoding="utf-8"))), one.id


@LISTED
def test_a_change_to_a_book_differs() -> None:
    for file in {one.file for one in books()}:
        as_it_is = tomllib.loads((ROOT / file).read_text(encoding="utf-8"))
        for one in [mutant for mutant in books() if mutant.file == file][::41]:
            raw = deepcopy(as_it_is)
            change(one, raw)
            assert raw != as_it_is, one.id


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("x = a < b", ["a <= b", "a >= b"]),
        ("x = a + 1", ["a - 1", "2", "0"]),
        ("x = a and b", ["a or b", "b", "a"]),
        ("x = not a", ["a"]),
        ("x = 'bet'", ["'-bet-'"]),
        ("x = 'a sentence is left alone'", []),
        ("x: 'int' = f'{1}'", []),
        ("assert a < b", []),
        ("f(a)", ["nothing"]),
        ("if a: b()", ["not a", "nothing"]),
        ("x = [y for y in z if y]", ["if True"]),
        ("x = min(a, b)", ["max(a, b)"]),
        ("x = True", ["False"]),
    ],
)
def test_what_is_changed_in_code(line: str, changes: list[str]) -> None:
    assert [one.new for one in sites(ast.parse(line))] == changes


@LISTED
def test_every_reviewed_equivalent_has_a_reason_and_is_still_there() -> None:
    for one in equivalents():
        assert len(one.why) > 20
        assert any(one.like.search(mutant.id) for mutant in (*code(), *books())), one.like.pattern


@LISTED
def test_few_changes_are_excused() -> None:
    known = equivalents()
    for many in (code(), books()):
        assert sum(excused(one, known) is not None for one in many) < len(many) / 20


@pytest.mark.parametrize(
    ("which", "id_of"),
    [
        ("--code", f"{PAYMENTS} _against_dealer: hand.strength > dealer.strength -> hand.strength >= dealer.strength"),
        ("--books", "aceking/books/rws.toml RWS-4.1: set.bet.pays.flush: 5 to 1 -> 6 to 1"),
    ],
)
def test_a_changed_odd_and_a_changed_comparison_are_noticed(which: str, id_of: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = subprocess.run(
        [sys.executable, "-m", "mutants", "--seed", "1", "--near", which, "--id", id_of, "--report", str(report)],
        cwd=ROOT,
        # The pytest in it would shut the folder of this one to other users, and PostgreSQL is one of them.
        env={**os.environ, "PYTEST_DEBUG_TEMPROOT": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "seed 1" in done.stdout
    assert "noticed by sheet" in done.stdout
    assert id_of in report.read_text(encoding="utf-8")


def test_who_noticed_a_change_must_let_the_program_pass_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    by = f"sheet {watch.sheet_cases()[0].title}"
    for fails, found in ((False, None), (True, by)):
        monkeypatch.setattr(watch, "_sheet_fails", lambda case, fails=fails: fails)
        assert watch.asked_again(by, lambda: "everybody") == found
    assert watch.asked_again("lint: a rule that nothing reads", lambda: "everybody") == "everybody"


SMALL = """
def outer(a):
    "A docstring stays the first."
    if a:
        b = [one
             for one in a]
    else:
        b = None
    return sorted(b, key=lambda one:
        -one)
TABLE = {"x": 1}
"""


def test_a_mark_stands_before_each_statement_and_changes_nothing() -> None:
    tree = ast.parse(SMALL)
    marks = list(_marked(tree, start=5))
    # By function: the lists of statements from the outside in, then the lambda.
    assert [(one.first, one.last, one.is_lambda) for one in marks] == [
        *((4, 8, False), (9, 10, False), (5, 6, False), (8, 8, False), (9, 10, True)),
    ]
    reached = bytearray(10)
    space: dict[str, Any] = {"__marks__": reached}
    exec(compile(tree, "small", "exec"), space)
    assert not any(reached)
    assert space["outer"]([1, 2]) == [2, 1]
    assert [n for n, hit in enumerate(reached) if hit] == [5, 6, 7, 9]
    assert space["outer"].__doc__ == "A docstring stays the first."


@LISTED
def test_only_who_reaches_a_change_is_asked_and_the_quickest_first() -> None:
    mutant = next(one for one in code() if one.id.startswith(f"{PAYMENTS} _against_dealer: "))
    columns = _columns(mutant)
    count = max(columns) + 1
    reached = np.zeros((3, count), np.uint8)
    reached[0, columns] = reached[2, columns] = 1
    everybody = {"slow": 2.0, "elsewhere": 0.1, "quick": 1.0}
    known = Reach(everybody, reached, np.zeros(count, np.uint8), Path("never"))
    assert list(known.askable(mutant)) == ["quick", "slow"]
    by_import = Reach(everybody, reached, np.ones(count, np.uint8), Path("never"))
    assert list(by_import.askable(mutant)) == ["elsewhere", "quick", "slow"]
    outside = next(one for one in code() if one.id.startswith("aceking/settlement/settle.py module: "))
    assert list(known.askable(outside)) == ["elsewhere", "quick", "slow"]
