"""The reference holds every key of the types, its examples run, and the committed pages are those of `make docs`."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner

from aceking.cli import cli
from aceking.commands.reference import PAGES, TOPICS, keys_of, sections
from aceking.commands.reference_examples import METER, SCENARIOS, SEATS, SHEET
from aceking.meter.commands import AnyCommand
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario_json import ScenarioIn, SeatIn, scenario_from_json, settle_in
from tests.commands.in_process import aceking as run
from tests.meter.acting import read_command

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("topic", PAGES)
def test_a_page_in_docs_is_the_one_that_the_program_makes(topic: str) -> None:
    committed = (ROOT / "docs" / "reference" / f"{topic}.md").read_text(encoding="utf-8")
    made = CliRunner().invoke(cli, ["reference", topic, "--markdown"], prog_name="aceking").output
    assert committed == made, f"docs/reference/{topic}.md is not what the program makes: run make docs"


def test_make_docs_writes_a_page_for_each_topic() -> None:
    assert f"TOPICS := {' '.join(PAGES)}\n" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_whole_reference_is_one_page_on_standard_output() -> None:
    whole = run("reference", "--markdown").stdout
    assert [line for line in whole.splitlines() if line.startswith("## ")] == [
        f"## {one.capitalize()}" for one in TOPICS
    ]


def test_every_key_of_a_scenario_has_an_example_and_is_told() -> None:
    assert set(SCENARIOS) == set(ScenarioIn.__struct_fields__)
    assert set(SEATS) == set(SeatIn.__struct_fields__)
    for kind in (ScenarioIn, SeatIn):
        assert all(key.says and key.takes for key in keys_of(kind))


@pytest.mark.parametrize("key", SCENARIOS)
def test_the_example_of_a_key_settles(key: str) -> None:
    raw = scenario_from_json(json.dumps(SCENARIOS[key]))
    assert getattr(raw, key)
    result = settle_in(raw)
    assert isinstance(result, tuple)
    assert isinstance(result[1], Settlement)


def test_every_command_of_a_meter_has_an_example_that_is_read() -> None:
    titles = {title: keys for title, _, keys, _ in sections("meter")}
    assert set(titles) == set(METER) == {kind.__struct_config__.tag for kind in get_args(AnyCommand)}
    for do, words in METER.items():
        read_command(json.dumps({"do": do, "at": "2026-01-05T21:00:00Z", **words}), decimals=2)
        assert all(key.says for key in titles[do]), do


def test_the_example_of_a_sheet_holds() -> None:
    done = run("settle", "-", given=SHEET)
    assert (done.returncode, done.stderr) == (0, "")
    assert "4 rounds, 4 as the sheet says" in done.stdout
    assert run("settle", "examples/disputes.toml").stdout.strip().endswith("4 rounds, 4 as the sheet says")


def test_the_reference_is_on_the_command_line() -> None:
    shown = run("reference", "scenario")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "at lock-out" in shown.stdout
    assert "choose-course" in run("reference", "meter").stdout
    wrong = run("reference", "scenari")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert "did you mean scenario?" in wrong.stderr


PLAIN: dict[str, Any] = {"id": 1, "book": "rws", "dealer": "Ah Kd 9c 5s 2d"}
TOML = """
id = "one"
book = "rws"
dealer = "Ah Kd 9c 5s 2d"
[[seats]]
seat = 1
cards = "As Ks Qs Js Ts"
ante = "10"
play = "bet"
"""


def test_settle_reads_toml_one_scenario_or_many(tmp_path: Path) -> None:
    file = tmp_path / "round.toml"
    file.write_text(TOML, encoding="utf-8-sig")
    assert json.loads(run("settle", str(file), "--json").stdout)["seats"][0]["net"] == "5010"
    assert "royal flush" in run("settle", "-", given=TOML).stdout
    assert "+5,010" in run("compare", str(file)).stdout
    many = TOML.replace("[[seats]]", "[[scenario.seats]]").replace('id = "one"', '[[scenario]]\nid = "one"')
    done = run("settle", "-", "--json", given=many + many.replace("As Ks", "As As"))
    results = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 2
    assert results[0]["seats"][0]["net"] == "5010"
    assert results[1]["error"].startswith("scenario 2: As is in seat 1")
    assert "scenario 2" in done.stderr


def test_a_sheet_of_one_round_is_one_round() -> None:
    seat = '{ seat = 1, cards = "As Ks Qs Js Ts", ante = "10" }'
    head = '[[scenario]]\nid = "x"\nname = "y"\nbooks = ["rws"]\ndealer = "Ah Kd 9c 5s 2d"\n'
    done = run("settle", "-", given=f'{head}seats = [{seat}]\nthen = {{ net = "5010" }}\n')
    assert done.stdout.strip().endswith("\n1 round, 1 as the sheet says")


def test_a_sheet_that_is_wrong_about_the_book_is_a_no() -> None:
    done = run("settle", "-", given=SHEET.replace('"90"', '"91"'))
    assert done.returncode == 1
    assert "not as the sheet says: seat 1: net is 90, not 91" in done.stdout
    result = json.loads(run("settle", "-", "--json", given=SHEET.replace('"90"', '"91"')).stdout.splitlines()[0])
    assert (result["name"], result["problems"]) == (
        "What a straight is paid, ten high",
        ["seat 1: net is 90, not 91"],
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[scenario]]\nbook = 3", "book is a text, not a whole number"),
        ("[[scenario]]\nid = 3\nbooks = []", "scenario 1: id: there must be a text"),
        ('[[scenario]]\nid = "x"\nname = "y"\nbooks = ["vegas"]', "there is no book 'vegas'"),
        ('[[scenario]]\nid = "x"\nname = "y"\nbooks = ["rws"]\ncolour = 1', "a scenario has no key 'colour'; it has "),
        ("scenario = 3", "written as tables"),
        ("a = [", "this is not TOML"),
        (TOML.replace('play = "bet"', ""), "there must be a key `play`"),
        (TOML.replace('play = "bet"', 'play = "flod"'), "did you mean fold?"),
        (TOML.replace("dealer =", "dealr ="), "there is no key `dealr`; did you mean dealer?"),
    ],
)
def test_wrong_toml_is_one_sentence(text: str, says: str) -> None:
    done = run("settle", "-", given=text)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr


def test_a_seat_without_play_is_an_error_and_not_a_bet() -> None:
    seat = {"seat": 1, "cards": "As Ks Qs Js Ts", "ante": "10"}
    done = run("settle", "-", "--json", given=json.dumps({**PLAIN, "seats": [seat]}))
    assert done.returncode == 2
    assert json.loads(done.stdout) == {
        "id": 1,
        "error": "line 1: seat 1: there must be a key `play`: bet, fold, stay, declare",
    }
