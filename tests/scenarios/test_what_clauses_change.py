"""Clauses that nothing cites, and what they change: with one value changed, the sheets of a book fail.

What a hand is, how two compare and who shares a jackpot decide every line without being named on it. Each change here
is written to a copy of the book; the scenarios that hold with the book as it is must not hold with the copy.
"""

import shutil
import subprocess
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from aceking.rules.reading.load import book_ids, load_book
from aceking.scenarios.coverage import Coverage, coverage, read_proofs
from aceking.scenarios.scripts import read_scripts
from aceking.scenarios.sheets import SheetCase, default_folder, judge_case, read_sheets

pytestmark = pytest.mark.proof

COLORADO = ("colorado-required", "colorado-permissible")
ACE_LOW = ('default = "allowed"', 'default = "not-allowed"')
#: Book, clause, what it says, what it is changed to.
SETTLED = [
    *((book, "CHP-38(a)(1)(v)", "set.hands.cards = 3", "set.hands.cards = 4") for book in COLORADO),
    *((book, "CHP-38(a)(1)(v)", "set.hands.community = 3", "set.hands.community = 2") for book in COLORADO),
    *((book, "CHP-38(a)(1)(v)", "set.hands.discards = 1", "set.hands.discards = 0") for book in COLORADO),
    *((book, "CHP-38(c)(1)", "set.hands.ace_low = true", "set.hands.ace_low = false") for book in COLORADO),
    *((book, "CHP-38(c)(3)(i)", *ACE_LOW) for book in COLORADO),
    ("exchange", "EUR-p2-object", "cards = 5", "cards = 4"),
    ("exchange", "EUR-p2-object", "community = 0", "community = 3"),
    ("exchange", "EUR-p2-cardvalue", *ACE_LOW),
    ("exchange", "EUR-p25-share-royal", 'shared = ["royal_flush", "straight_flush"]', 'shared = ["royal_flush"]'),
    ("exchange", "EUR-p25-share-royal", 'deducts = "percentage-awards"', 'deducts = "full-awards"'),
    ("exchange", "EUR-p25-share-sf", 'order = "together"', 'order = "from-right"'),
    ("exchange", "EUR-p25-share-sf", 'default = "each-of-frozen"', 'default = "from-right-falling"'),
    ("rws", "RWS-1.9", "set.hands.cards = 5", "set.hands.cards = 4"),
    ("rws", "RWS-1.9", "set.hands.community = 0", "set.hands.community = 3"),
    ("rws", "RWS-1.13", 'default = "deduct"', 'default = "leave"'),
    ("rws", "RWS-1.14", '"A K 4 3 2"', '"A Q 4 3 2"'),
    ("rws", "RWS-1.14", '"A K 4 3 2"', '"A K 5 3 2"'),
    ("rws", "RWS-3.1.1", "set.hands.ace_low = true", "set.hands.ace_low = false"),
    ("rws", "RWS-4.5", "set.progressive.shared = []", 'set.progressive.shared = ["royal_flush"]'),
    ("section10", "CSP-10(a)(1)(viii)", '"A K 4 3 2"', '"A Q 4 3 2"'),
    ("section10", "CSP-10(a)(1)(viii)", '"A K 4 3 2"', '"A K 5 3 2"'),
    ("section10", "CSP-10(e)(1)", "set.hands.ace_low = true", "set.hands.ace_low = false"),
    ("washington", "WA-play-object", "cards = 5", "cards = 4"),
    ("washington", "WA-play-qualifyrule", '"A K 4 3 2"', '"A Q 4 3 2"'),
    ("washington", "WA-play-qualifyrule", '"A K 4 3 2"', '"A K 5 3 2"'),
    ("washington", "WA-9a", '"percentage-awards"', '"full-awards"'),
]
CASES = read_sheets(default_folder())
SCRIPTS = read_scripts(default_folder() / "table")


def changed_book(folder: Path, book: str, clause: str, old: str, new: str) -> str:
    """The path of a copy of the book, in which one clause says something else."""
    with_all = folder / "books"
    shutil.copytree(Path(str(files("aceking.books"))), with_all)
    for file in (with_all / f"{book}.toml", *(with_all / "shared").glob("*.toml")):
        head, found, rest = file.read_text(encoding="utf-8").partition(f'\nid = "{clause}"\n')
        if found:
            own, end, others = rest.partition("\n[[clause]]\n")
            assert own.count(old) == 1, f"{clause} says {old} {own.count(old)} times"
            file.write_text(head + found + own.replace(old, new) + end + others, encoding="utf-8")
            return str(with_all / f"{book}.toml")
    raise AssertionError(f"{book} has no clause {clause}")


def named(row: tuple[str, ...]) -> str:
    return f"{row[0]}: {row[1]}: {row[3]}"


@pytest.mark.parametrize(("book", "clause", "old", "new"), SETTLED, ids=map(named, SETTLED))
def test_a_clause_changed_changes_what_is_paid(book: str, clause: str, old: str, new: str, tmp_path: Path) -> None:
    path = changed_book(tmp_path, book, clause, old, new)
    own = [one for one in CASES if one.book == book]
    assert any(
        judge_case(SheetCase(one.sheet, one.id, one.name, path, (), one.round, one.then)).problems for one in own
    )


def test_every_named_proof_is_a_test_that_exists_for_a_clause_that_exists() -> None:
    proofs = read_proofs(default_folder())
    names = sorted({one.test for one in proofs})
    listed = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "--collect-only",
            "-o",
            "addopts=",
            *{name.split("::")[0] for name in names},
        ],
        cwd=default_folder().parent,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert not set(names) - set(listed) - {one.split("[")[0] for one in listed}
    for proof in proofs:
        assert proof.shows
        for book in proof.books:
            assert proof.clause in load_book(book).clauses, proof.clause


#: What nothing that happens cites, and no test shows to change anything: definitions, whose words are used by other
#: clauses; acts that another clause refuses first; rules that nobody reads. The list may only become shorter.
UNPROVED = {
    "colorado-permissible": "(a)(1)(i) (a)(1)(iii) (a)(1)(iv) (a)(1)(vii) (a)(1)(ix) (g)(4) (i)(1) "
    "(l)(2)(ii)(B) (l)(4)(i)",
    "colorado-required": "(a)(1)(i) (a)(1)(iii) (a)(1)(iv) (a)(1)(vii) (a)(1)(ix) (g)(4) (i)(1)",
    "exchange": "EUR-p13-jp-hands",
    "rws": "1.1 1.2 1.3 1.4 1.7 1.8 1.10 1.15 1.18 1.19 1.20 2.1.1.b 3.1 3.11 4.5.2 5.3 5.18",
    "section10": "(a)(1)(v) (a)(1)(vi) (a)(1)(vii) (a)(1)(xi) (k)(3) (l)(7)#mixed",
    "washington": "WA-play-optprog WA-1 WA-2 WA-9b",
}
PREFIX = {"colorado-permissible": "CHP-38", "colorado-required": "CHP-38", "rws": "RWS-", "section10": "CSP-10"}


@cache
def everything() -> Coverage:
    """All sheets and scripts, run once for all books."""
    return coverage(CASES, SCRIPTS, proofs=read_proofs(default_folder()))


@pytest.mark.parametrize("name", book_ids())
def test_what_a_clause_orders_happens_somewhere_or_a_named_test_shows_it(name: str) -> None:
    known = {f"{PREFIX.get(name, '')}{one}" for one in UNPROVED.get(name, "").split()}
    own = (one for one in everything().clauses if one.book == name and one.kind != "outside")
    assert not {one.clause for one in own if not one.passing or one.failing} - known


def test_a_claim_is_no_proof() -> None:
    """A sheet that says it proves a clause, and never makes anything happen by it, proves nothing."""
    case = next(one for one in CASES if one.book == "rws" and not judge_case(one).problems)
    claims = SheetCase(case.sheet, case.id, case.name, case.book, ("RWS-5.18.2.a",), case.round, case.then)
    found = {one.clause: one.passing for one in coverage([claims], names=["rws"]).clauses}
    assert not found["RWS-5.18.2.a"]
    assert all(found[clause] == (case.id,) for clause in judge_case(case).cited)


def test_a_case_that_fails_unproves_what_it_claims() -> None:
    case = next(one for one in CASES if one.book == "rws" and "net" in one.then)
    wrong = SheetCase(case.sheet, case.id, case.name, case.book, ("RWS-5.18.2.a",), case.round, {"net": "123456"})
    found = {one.clause: one for one in coverage([wrong], names=["rws"]).clauses}
    assert found["RWS-5.18.2.a"].failing == (case.id,)
    assert not found["RWS-5.18.2.a"].passing
