"""The terminal table and the scripts, as a person and a program use them."""

import json
from pathlib import Path

import pytest

from aceking.rules.reading.load import book_ids
from tests.commands.in_process import aceking as run

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("book", book_ids())
def test_a_table_plays_from_a_pipe_and_keeps_the_record(book: str, tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    choice = "b\n1\n" if book.startswith("colorado") else "b\n"
    done = run("play", book, "--seed", "5", "--record", str(record), given=f"h\nr\ns\n10\n{choice}l\nw\nq\n")
    assert done.returncode == 0, done.stderr
    assert "You hold" in done.stdout
    assert "round 1:" in done.stdout
    assert "You leave with" in done.stdout
    events = [json.loads(line) for line in record.read_text(encoding="utf-8").splitlines()]
    assert {"staked", "dealt", "settled", "round-ended"} <= {event["is"] for event in events}


def test_leaving_in_the_middle_of_a_hand_is_ruled_by_the_book(tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    done = run("play", "rws", "--seed", "5", "--record", str(record), given="10\nq\n")
    assert "The hand counts as folded.  RWS-5.5" in done.stdout
    assert "You leave with 490 SGD" in done.stdout
    assert "round-ended" in record.read_text(encoding="utf-8")


def test_an_exchange_and_exact_values_at_the_table(tmp_path: Path) -> None:
    done = run("play", "exchange", "--seed", "5", "--record", str(tmp_path / "r"), given="10\nv\nx\n1\nf\nq\n")
    assert "antes" in done.stdout
    assert "exchange" in done.stdout
    assert "You leave with 480 EUR" in done.stdout


def test_nonsense_at_the_prompt_is_told_and_changes_nothing(tmp_path: Path) -> None:
    given = "lots\n-5\n0\n100000\n10\nzzz\nx\nd\nb\nq\n"
    done = run("play", "section10", "--seed", "5", "--record", str(tmp_path / "r"), given=given)
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    assert "not a choice here" in done.stdout


def test_without_a_terminal_a_round_of_each_game_is_told() -> None:
    done = run("play")
    assert done.returncode == 0
    assert done.stdout.count("stakes an ante of 10") == 6


def test_wrong_words_for_a_table_are_one_line() -> None:
    for words in (
        ("play", "vegas"),
        ("play", "rws", "--option", "moon=full"),
        ("play", "rws", "--option", "moon"),
        ("play", "rws", "--chips", "many"),
        ("round", "nowhere.toml"),
        ("round", "examples/boxed-card.toml", "--book", "vegas"),
    ):
        done = run(*words)
        assert done.returncode == 2, words
        assert len(done.stderr.splitlines()) == 1
        assert "Traceback" not in done.stderr


def test_a_script_is_told_step_by_step_and_as_json() -> None:
    told = run("round", "examples/boxed-card.toml")
    assert told.returncode == 0
    assert "the card is laid aside and the next one used" in told.stdout
    assert "CSP-10(m)(2)" in told.stdout
    assert "Ann: +70 USD" in told.stdout
    data = json.loads(run("round", "examples/boxed-card.toml", "--json").stdout)
    assert data["net"] == {"Ann": "70"}
    assert not data["problems"]


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('do = "look"', 'do = "stare"', "line 22, step 13: there is no act 'stare'; did you mean stay?"),
        ('do = "look", box = 1', 'do = "look", bax = 1', "line 22, step 13: there is no key `bax`"),
        (
            'do = "look", box = 1',
            'do = "look", box = "one"',
            "line 22, step 13: box: a whole number is wanted, not a text",
        ),
        ('do = "look", box = 1', 'do = "look"', "line 22, step 13: there must be a key `box`"),
        ('do = "look", box = 1', 'do = "look", box = 1, role = "king"', "line 22, step 13: role: there is no 'king'"),
        (
            'report = "boxed-card"',
            'report = "boxed-cart"',
            "report: there is no 'boxed-cart'; did you mean boxed-card?",
        ),
        ('cards = "Qh"', 'cards = "Qz"', "line 18, step 9: there is no card 'Qz'"),
        ("Ah Qd", "Ah Ah", "order: a card comes twice"),
        ('start = "closed"', 'start = "yesterday"', "start: 'yesterday' is not one of new, opened"),
        ('ante = "10"', 'ante = "ten"', "'ten' is not an amount"),
        ('book = "section10"', 'bok = "section10"', "a script has no key 'bok'; it has "),
        ("when = [", "when = ", "this is not TOML: Invalid"),
    ],
)
def test_a_wrong_script_says_which_line_and_what_was_expected(old: str, new: str, sentence: str) -> None:
    text = (ROOT / "examples" / "boxed-card.toml").read_text(encoding="utf-8")
    assert old in text
    done = run("round", "-", given=text.replace(old, new))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_script_that_does_not_go_as_it_says_is_a_no() -> None:
    text = (ROOT / "examples" / "boxed-card.toml").read_text(encoding="utf-8")
    done = run("round", "-", given=text.replace('Ann = "70"', 'Ann = "71"'))
    assert done.returncode == 1
    assert "Ann has 70, not 71" in done.stdout
