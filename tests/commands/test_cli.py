"""The command line as other programs use it: exit status, standard output, one line of error."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.commands.in_process import aceking as run

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE: dict[str, Any] = {
    "id": "x1",
    "book": "rws",
    "options": {},
    "meter": "100000",
    "reset": "10000",
    "dealer": "Ah Kd 9c 5s 2d",
    "seats": [{"seat": 1, "cards": "As Ks Qs Js Ts", "ante": "10", "play": "bet", "bet": "20", "side": "1"}],
}


def changed(**parts: Any) -> dict[str, Any]:
    seat = {**EXAMPLE["seats"][0], **parts.pop("seat", {})}
    return {**EXAMPLE, "seats": [seat], **parts}


def test_the_contract_of_settle_is_kept_to_the_letter() -> None:
    done = run("settle", "-", "--json", given=json.dumps(EXAMPLE))
    assert done.returncode == 0
    assert done.stderr == ""
    assert json.loads(done.stdout) == {
        "id": "x1",
        "book": "rws",
        "dealer": {"hand": "ace king high", "qualifies": True},
        "seats": [
            {
                "seat": 1,
                "hand": "royal flush",
                "net": "105009",
                "lines": [
                    {"wager": "ante", "stake": "10", "outcome": "win", "pays": "10", "clause": "RWS-3.14.1"},
                    {"wager": "bet", "stake": "20", "outcome": "win", "pays": "5000", "clause": "RWS-4.1"},
                    {"wager": "side", "stake": "1", "outcome": "win", "pays": "100000", "clause": "RWS-4.2"},
                ],
            }
        ],
        "meter": {
            "before": "100000",
            "after": "10000",
            "awards": [{"seat": 1, "amount": "100000", "from": "meter"}],
        },
    }


def test_a_scenario_over_several_lines_is_one_scenario(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(EXAMPLE, indent=2), encoding="utf-8")
    done = run("settle", str(file), "--json")
    assert json.loads(done.stdout)["seats"][0]["net"] == "105009"


def test_a_person_sees_words_chips_and_clauses() -> None:
    done = run("settle", "-", given=json.dumps(EXAMPLE))
    for word in ("royal flush", "ace king high, qualifies", "RWS-4.1", "105,009", "SGD"):
        assert word in done.stdout


def test_json_lines_give_one_result_a_line_in_order() -> None:
    lines = "\n".join(json.dumps({**EXAMPLE, "id": number}) for number in range(50))
    done = run("settle", "-", given=lines)
    assert done.returncode == 0
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == list(range(50))


def test_a_broken_line_in_the_middle_is_answered_in_its_place() -> None:
    lines = [json.dumps({**EXAMPLE, "id": number}) for number in range(1000)]
    lines[500] = '{"id": 500, "book": '
    done = run("settle", "-", given="\n".join(lines))
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert len(results) == 1000
    assert results[500]["error"].startswith("line 501: this is not JSON")
    assert all("seats" in result for number, result in enumerate(results) if number != 500)
    assert len(done.stderr.splitlines()) == 1
    assert "line 501" in done.stderr


def test_a_refusal_names_its_clause_and_is_an_answer() -> None:
    done = run("settle", "-", "--json", given=json.dumps(changed(book="section10", seat={"bet": "15"})))
    assert done.returncode == 0
    refused = json.loads(done.stdout)["refused"]
    assert refused == {"clause": "CSP-10(a)(1)(ii)", "reason": "seat 1: the bet is exactly 20, not 15"}


def test_silence_of_a_book_is_an_answer() -> None:
    given = changed(book="section10", limits={"min": "1", "max": "5"})
    done = run("settle", "-", "--json", given=json.dumps(given))
    assert done.returncode == 0
    silence = json.loads(done.stdout)["unregulated"]
    assert "over the maximum of 5" in silence["reason"]


@pytest.mark.parametrize(
    ("scenario", "sentence"),
    [
        (changed(seat={"cards": "As Ks Qs Js Ah"}), "Ah is in the dealer's hand and again in seat 1"),
        (changed(seat={"cards": "As As Qs Js Ts"}), "As is in seat 1 and again in seat 1"),
        (changed(seat={"cards": "As Ks Qs Js 1s"}), "seat 1: there is no card '1s'"),
        (changed(seat={"cards": "As Ks Qs Js"}), "seat 1: 5 cards belong here, not 4"),
        (changed(book="colorado-required", dealer=""), "seat 1: 3 cards belong here, not 5"),
        (changed(dealer="Ah Kd 9c"), "dealer: 5 cards belong here, not 3"),
        (changed(dealer=""), "dealer: 5 cards belong here, not 0"),
        (changed(book="vegas"), "there is no book 'vegas'; there are"),
        (changed(dealer=["Ah"]), "dealer: cards are one text, as in 'Ah Kd 9c'"),
        (changed(seat={"cards": ["Ah"]}), "seat 1: cards are one text, as in 'Ah Kd 9c'"),
        (changed(seat={"play": "bett"}), "there are bet, fold, stay, declare; did you mean bet?"),
        (changed(seats=5), "seats is a list, not a whole number"),
        (changed(book=""), "there must be a key `book`, or --book on the command line"),
        (changed(options={"moon": "full"}), "rws has no option 'moon'"),
        (changed(options={"sf-award-from-meter": "half"}), "option sf-award-from-meter is one of deduct, leave"),
        (changed(colour="red"), "there is no key `colour`"),
        (changed(seat={"colour": "red"}), "seat 1: there is no key `colour`"),
        (changed(seat={"ante": "-10"}), "seat 1: ante: '-10' is negative"),
        (changed(seat={"ante": "10.005"}), "seat 1: ante: '10.005' is finer than the smallest coin"),
        (changed(seat={"ante": 10.5}), "seat 1: ante: an amount is a text, as in '10.50'"),
        (changed(seat={"ante": "ten"}), "seat 1: ante: 'ten' is not an amount"),
        (changed(seat={"play": "raise"}), "seat 1: there is no play 'raise'; there are bet, "),
        (changed(seat={"seat": 0}), "seats are numbered from 1"),
        (changed(seats=[]), "seats: there must be at least one"),
        (changed(seats=[EXAMPLE["seats"][0], EXAMPLE["seats"][0]]), "seats: two have the same number"),
        (changed(limits={"min": "50", "max": "10"}), "limits: the minimum 50 is above the maximum 10"),
        (changed(limits={"least": "50"}), "limits: there is no key `least`"),
        (changed(awards={"six_of_a_kind": "5"}), "awards: there is no hand 'six_of_a_kind'"),
        (changed(awards={"flush": "lots"}), "awards.flush: 'lots' is not an amount"),
        (changed(meter=None), "meter: seat 1 wins a share of the meter"),
        (changed(book="exchange", seat={"exchange": {"give": "2c", "take": "3c"}}), "2c is given away and is not"),
        (changed(seat={"discard": "As"}), "discard: no card is discarded in this game"),
    ],
)
def test_wrong_input_is_one_clear_sentence_with_its_place(scenario: dict[str, Any], sentence: str) -> None:
    done = run("settle", "-", "--json", given=json.dumps(scenario))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert sentence in json.loads(done.stdout)["error"]
    quiet = run("settle", "-", given=json.dumps(scenario))
    assert quiet.returncode == 2
    assert quiet.stdout == ""
    assert sentence in quiet.stderr


@pytest.mark.parametrize("text", ["", "\n\n", "{", "[]", "3", "nonsense", '{"id": 1}\n'])
def test_what_is_no_scenario_is_refused(text: str) -> None:
    done = run("settle", "-", given=text)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr


def test_a_file_that_is_not_there_is_one_line() -> None:
    for command in ("settle", "compare"):
        done = run(command, "nowhere.json")
        assert (done.returncode, done.stderr) == (2, "aceking: nowhere.json: No such file or directory\n")


def test_unknown_commands_and_flags_are_one_line() -> None:
    for words in (("deal",), ("settle", "-", "--loud"), ("books", "burn"), ("settle",)):
        done = run(*words)
        assert done.returncode == 2
        assert len(done.stderr.splitlines()) == 1


def test_compare_lays_one_deal_out_under_every_book() -> None:
    done = run("compare", "examples/royal-flush.json")
    assert done.returncode == 0
    for word in ("section10", "rws", "exchange", "washington", "colorado-required", "+105,009", "RWS-4.1"):
        assert word in done.stdout
    data = json.loads(run("compare", "examples/royal-flush.json", "--json").stdout)
    nets = {name: result["seats"][0]["net"] for name, result in data["books"].items()}
    assert nets == {
        "section10": "102009",
        "rws": "105009",
        "exchange": "102009",
        "washington": "102009",
        "colorado-required": "20000",
        "colorado-permissible": "20000",
    }


def test_the_books_can_be_listed_shown_and_compared() -> None:
    assert len(json.loads(run("books", "list", "--json").stdout)["books"]) == 6
    shown = json.loads(run("books", "show", "rws", "--json").stdout)
    assert shown["rules"]["bet.pays.royal_flush"] == {"value": "250 to 1", "clause": "RWS-4.1"}
    clause = run("books", "show", "rws", "--clause", "RWS-4.1.1").stdout
    assert "bet.cap = 100,000" in clause
    told = json.loads(run("books", "show", "rws", "--clause", "RWS-5.15", "--json").stdout)
    assert told["rulings"][0]["then"] == "void-hand"
    near = run("books", "show", "rws", "--clause", "RWS-4.1.2")
    assert near.returncode == 2
    assert "RWS-4.1.1" in near.stderr
    diff = json.loads(run("books", "diff", "section10", "rws", "--json").stdout)
    rows = {row["key"]: (row["left"], row["right"]) for row in diff["differences"]}
    assert rows["bet.pays.royal_flush"] == ("100 to 1", "250 to 1")
    assert "bet.pays.straight_flush" not in rows
    for words in (("books", "list"), ("books", "show", "exchange"), ("books", "diff", "rws", "washington")):
        assert run(*words).returncode == 0


def test_lint_and_coverage_say_yes_or_no_by_their_status(tmp_path: Path) -> None:
    assert run("books", "lint").returncode == 0
    done = run("books", "coverage", "--json")
    data = json.loads(done.stdout)
    assert done.returncode == 0
    assert (data["accounted"], data["catalogue"]) == (508, 508)
    sheet = tmp_path / "wrong.toml"
    sheet.write_text(
        '[[scenario]]\nid = "W"\nname = "wrong"\nbooks = ["rws"]\ndealer = "Ah Kd 9c 5s 2d"\n'
        'seat = { cards = "As Ks Qs Js Ts", ante = "10" }\nthen = { net = "1" }\n',
        encoding="utf-8",
    )
    failing = run("books", "coverage", "--scenarios", str(tmp_path))
    assert failing.returncode == 1


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("a.toml", 'id = "my-house"', "a.toml: this is no sheet: it has no [[scenario]]"),
        ("a.toml", "scenario = 3", "a.toml: this is no sheet: it has no [[scenario]]"),
        ("a.toml", "x = [", "a.toml: this is not TOML: Invalid value (at end of document)"),
        ("a.toml", '[[scenario]]\nid = "A"\nname = "A"\nbooks = ["none"]', "there is no book 'none'"),
        ("table/a.toml", "script = 1", "a.toml: this is no file of scripts: it has no [[script]]"),
    ],
)
def test_coverage_says_which_file_is_no_sheet(tmp_path: Path, file: str, text: str, reason: str) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / file).write_text(text, encoding="utf-8")
    done = run("books", "coverage", "--scenarios", str(tmp_path))
    assert (done.returncode, done.stderr.startswith(f"aceking: {reason}")) == (2, True), done.stderr


def test_help_has_examples() -> None:
    for words in (("--help",), ("settle", "--help"), ("compare", "--help"), ("books", "--help")):
        done = run(*words)
        assert done.returncode == 0
        assert "aceking " in done.stdout


def test_an_argument_that_is_not_utf_8_is_wrong_input_and_no_fault_of_the_program(tmp_path: Path) -> None:
    words = ("house", "init", "--currency", "USD", "--db", f"sqlite:///{tmp_path / 'house.db'}", "--name", "The\udcff")
    done = run(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "aceking: an argument or a setting is not UTF-8 text\n"
