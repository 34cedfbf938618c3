"""A new choice of the player, tried: surrender of half the ante in a copy of the package, made of five small pieces.

`tests/rules/surrender/` has the pieces: the entry, the command, the arm of settlement, the words, the book. The test
plays with all of them, counts the files that they touch, and leaves each out in turn to see what notices it.
"""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PIECES, PACKAGE = HERE / "surrender", HERE.parents[1] / "aceking"
EDITS = ("entry", "command", "settlement", "words")
#: The files of the package that are touched, piece by piece; the book is a file of its own.
TOUCHED = {
    "entry": {"rules/decisions.py"},
    "command": {"table/commands/deciding.py"},
    "settlement": {"settlement/payments.py"},
    "words": {
        "table/show/phrases.py",
        *(f"web/static/words/{one}.js" for one in ("en", "de", "staff-en", "staff-de", "told-de")),
    },
}
#: What notices that a piece is missing: an assertion at import, or a test of tests/rules/test_decisions.py.
NOTICED = {
    "entry": "AssertionError: every choice of `rules/decisions.py` has its command",
    "command": "AssertionError: every choice of `rules/decisions.py` has its command",
    "settlement": "AssertionError: a choice that ends a hand early has its arm of settlement",
    "words": "AssertionError: the story has a sentence for every decision",
    "book": "test_every_choice_is_offered_by_some_book",
}


def edits(piece: str) -> list[dict[str, str]]:
    """The edits of a piece: a file, what stands there, and what stands there then."""
    found: list[dict[str, str]] = tomllib.loads((PIECES / f"{piece}.toml").read_text(encoding="utf-8"))["edit"]
    return found


def apply(to: Path, edit: dict[str, str]) -> None:
    """Make one edit of the copy."""
    file = to / "aceking" / edit["file"]
    text = file.read_text(encoding="utf-8")
    assert text.count(edit["old"]) == 1, f"{edit['file']}: {edit['old']}"
    file.write_text(text.replace(edit["old"], edit["new"]), encoding="utf-8")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A folder with a copy of the package."""
    shutil.copytree(PACKAGE, tmp_path / "aceking", ignore=shutil.ignore_patterns("*.svg", "*.woff2", "vendor"))
    return tmp_path


def add_book(to: Path) -> None:
    """Ship the book with the copy."""
    shutil.copy(PIECES / "book.toml", to / "aceking" / "books" / "surrender.toml")


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the copy on its path."""
    around = {**os.environ, "PYTHONPATH": str(copy), "XDG_CACHE_HOME": str(copy / "cache"), "NO_COLOR": "1"}
    around["ACEKING_SESSIONS"] = str(copy / "sessions")
    around["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    return subprocess.run(
        [sys.executable, *words], cwd=copy, env=around, capture_output=True, text=True, check=False, timeout=120
    )


def check(copy: Path) -> subprocess.CompletedProcess[str]:
    """Run the tests of every choice beside the copy, so that they import it."""
    shutil.copy(HERE / "test_decisions.py", copy)
    (copy / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
    return run(copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_decisions.py")


def test_surrender_touches_the_entry_a_command_an_arm_of_settlement_words_and_a_book() -> None:
    assert {piece: {one["file"] for one in edits(piece)} for piece in EDITS} == TOUCHED


def test_with_five_pieces_surrender_is_offered_played_settled_shown_and_not_priced(copy: Path) -> None:
    for piece in EDITS:
        for edit in edits(piece):
            apply(copy, edit)
    add_book(copy)
    tried = run(copy, str(PIECES / "trial.py"))
    assert tried.returncode == 0, tried.stderr
    told = json.loads(tried.stdout)
    offer = {"do": "surrender", "box": 1, "loses": "6", "letter": "u", "place": "more"}
    assert told["offers"]["surrender"] == offer
    assert told["offers"]["fold"]["loses"] == "11"
    assert told["ended"] == ["surrender", True, True]
    halves = [["ante", "5", "lose", "MY-1"], ["ante", "5", "returned", "MY-1"]]
    assert told["lines"] == [*halves, ["side", "1", "lose", "CSP-10(j)(1)"]]
    assert (told["net"], told["view"]) == ("-6", True)
    assert told["story"] == ["Player surrenders box 1 (MY-1)."]
    assert told["sheet"] == [["ante", 500, "lose", -500], ["ante", 500, "returned", 0]]
    assert told["odd"] == [["ante", 351, "lose", -351], ["ante", 350, "returned", 0]]
    assert "(b)et 20, (f)old, s(u)rrender?" in told["terminal"]
    assert "fold and lose the ante or surrender" in " ".join(told["terminal"].split())
    assert "a game with the choice 'surrender' is settled and played" in " ".join(told["terminal"].split())
    assert "surrender: MY-1: decide.choices: a game with the choice 'surrender' is settled and played" in told["edge"]
    assert min(told["by lot"]) < 0
    checks = check(copy)
    assert checks.returncode == 0, checks.stdout


@pytest.mark.parametrize("left_out", NOTICED)
def test_a_piece_that_is_forgotten_is_noticed(left_out: str, copy: Path) -> None:
    for piece in EDITS:
        for edit in edits(piece) if piece != left_out else ():
            apply(copy, edit)
    if left_out != "book":
        add_book(copy)
    checks = check(copy)
    assert checks.returncode != 0
    assert NOTICED[left_out] in checks.stdout


def test_words_that_are_missing_in_one_language_are_noticed(copy: Path) -> None:
    for piece in EDITS:
        for edit in edits(piece):
            if not edit["file"].endswith("de.js"):
                apply(copy, edit)
    add_book(copy)
    told = check(copy).stdout
    assert "test_a_choice_has_its_words_in_both_languages[surrender-de]" in told
    assert "test_the_story_of_every_choice_is_told_in_german" in told
    assert "2 failed" in told
