"""Several meters on a table: a round is on all of them or on none, and none has more of a wager than there is."""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from aceking.commands import meter as papers
from aceking.commands.meter import meter as command
from aceking.meter.several_meters import play_meters
from tests.meter.acting import checked

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "meter-must-hit.jsonl"
LINES: list[dict[str, Any]] = [
    json.loads(line) for line in EXAMPLE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")
]
MAJOR, MYSTERY = LINES[0], LINES[1]
OPENED = [MAJOR, MYSTERY, LINES[2], LINES[4], LINES[5]]


def run(*lines: dict[str, Any]) -> dict[str, Any]:
    """What a script of several meters comes to, for machines."""
    result = asked(*lines)
    assert result.return_value == 0
    data: dict[str, Any] = json.loads(result.stdout)["meters"]
    return data


def asked(*lines: dict[str, Any]) -> Result:
    text = "\n".join(json.dumps(line) for line in lines)
    return CliRunner().invoke(command, ["run", "-", "--json"], input=text, standalone_mode=False)


def at(minute: int, do: str, **more: Any) -> dict[str, Any]:
    return {"do": do, "at": f"2026-01-05T22:{minute:02}:00Z", **more}


def test_the_example_hits_and_both_meters_are_whole() -> None:
    data = run(*LINES)
    assert [(name, one["identity"], one["counters"]["wagers"]) for name, one in data.items()] == [
        ("major", "0", 7),
        ("mystery", "0", 7),
    ]
    (hit,) = data["mystery"]["hits"]
    assert (hit["id"], hit["hand"], hit["amount"], hit["clause"]) == ("S2/1/5", "must hit by", "50", "METER-must-hit")
    (trigger,) = data["mystery"]["must_hit_by"]["triggers"]
    assert (trigger["low"], trigger["trigger"], trigger["high"]) == ("49.51", "49.94", "51")
    assert data["mystery"]["must_hit_by"]["wagers"]["S1"]["chance"] == "1/108"
    assert "must_hit_by" not in data["major"]
    runs = play_meters(json.dumps(line) for line in LINES)
    assert [checked(one.events) for one in runs.values()] == [0, 1]


def test_several_meters_are_printed_for_people() -> None:
    result = CliRunner().invoke(command, ["run", str(EXAMPLE)], standalone_mode=False)
    for text in ("meter major\nUSD 25004.90", "meter mystery\nUSD 40.20", "must hit by 51, trigger sealed: 05f61557"):
        assert text in result.stdout
    assert "trigger 49.94 of 49.51 to 51, seed 5f9cb2e5" in result.stdout


def test_each_meter_has_a_folder_of_papers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(papers, "_BROWSERS", ())  # printing is tried elsewhere
    arguments = ["report", str(EXAMPLE), "--out", str(tmp_path)]
    assert CliRunner().invoke(command, arguments, standalone_mode=False).return_value == 0
    assert (tmp_path / "major" / "days.csv").is_file()
    assert "USD 49.94" in (tmp_path / "mystery" / "win-S2-1-5.html").read_text(encoding="utf-8")


def test_where_one_meter_refuses_a_round_nothing_is_on_the_other() -> None:
    closed = at(0, "close", by="Sam", meter="mystery")
    data = run(*OPENED, closed, at(1, "start-game", table="S1", by="Dora", seats=[1]))
    assert data["major"]["counters"]["wagers"] == 0
    assert data["major"]["tables"]["S1"]["running"] is False
    assert [one["reason"] for one in data["mystery"]["refused"]] == ["the meter is not in operation"]


def test_a_round_that_is_not_over_ends_on_neither_meter() -> None:
    royal = {"table": "S1", "by": "Dora", "hand": "royal_flush", "cards": "As Ks Qs Js Ts"}
    begun = [at(1, "start-game", table="S1", by="Dora", seats=[1, 2, 3, 4, 5])]
    won = [at(2, "select-seat", table="S1", by="Dora", seat=2), at(3, "select-hand", **royal)]
    data = run(*OPENED, *begun, *won, at(4, "end-game", table="S1", by="Dora"))
    assert [one["tables"]["S1"]["running"] for one in data.values()] == [True, True]
    assert [one["reason"] for one in data["major"]["refused"]] == ["the award of seat 2 is not paid"]
    assert [(one["seat"], one["amount"]) for one in data["mystery"]["pending"]] == [(5, "50")]


def test_a_meter_that_comes_in_mid_round_has_nothing_to_end() -> None:
    begun = [MAJOR, LINES[2], {**LINES[6], "meter": "major"}]
    later = [{**line, "at": "2026-01-05T21:30:00Z"} for line in (MYSTERY, LINES[4], LINES[5])]
    data = run(*begun, *later, at(1, "end-game", table="S1", by="Dora"))
    assert [one["tables"]["S1"]["running"] for one in data.values()] == [False, False]
    assert not any(one["refused"] for one in data.values())


def test_a_meter_that_is_retired_is_fed_no_more() -> None:
    gone = [
        at(0, "close", by="Sam", meter="mystery"),
        at(1, "retire", by="Sam", second="Eva", reason="over", to="players", place="all", meter="mystery"),
    ]
    data = run(*OPENED, *gone, at(2, "start-game", table="S1", by="Dora", seats=[1]))
    assert [one["counters"]["wagers"] for one in data.values()] == [1, 0]
    assert data["mystery"]["must_hit_by"]["triggers"][0]["award"] is None


@pytest.mark.parametrize(
    ("other", "clause", "says"),
    [
        ({**MYSTERY, "rate": "25.01%"}, "R4", "together take more than the whole wager"),
        ({**MAJOR, "meter": "second"}, "METER-must-hit", "its hands win meter major; a second meter is must-hit-by"),
        ({**MYSTERY, "tables": {"S1": "washington"}}, "R1", "meter major has it down for section10"),
    ],
)
def test_what_the_other_meters_of_a_table_have_against_it(other: dict[str, Any], clause: str, says: str) -> None:
    data = run(MAJOR, other)
    (refused,) = data[other["meter"]]["refused"]
    assert refused["clause"] == clause
    assert says in refused["reason"]
    assert data[other["meter"]]["phase"] == "new"


def test_all_of_a_wager_may_be_fed() -> None:
    assert run(MAJOR, {**MYSTERY, "rate": "25%"})["mystery"]["phase"] == "closed"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ([{**LINES[2], "meter": "mayor"}], "line 1: meter: there is no meter 'mayor'"),
        ([{**MAJOR, "meter": "a/b"}], "line 1: meter: the name of a meter has up to 60 letters"),
        ([{**MAJOR, "meter": 7}], "line 1: meter: the name of a meter has up to 60 letters"),
        ([MAJOR, MYSTERY, at(1, "close", by="Sam")], "line 3: there must be a key `meter`: major or mystery"),
        ([{**MAJOR, "meter": None}, MYSTERY], "line 2: meter: the meter before this one has no name"),
        ([MYSTERY, {**LINES[4], "seed": "5e"}], "line 2: seed: a seed has 64 hexadecimal digits, this one has 2"),
        ([MYSTERY, {**LINES[4], "seed": "zz"}], "line 2: seed: a seed is written in hexadecimal digits"),
        ([MYSTERY, {**LINES[4], "seed": 5}], "line 2: seed: a seed is written in hexadecimal digits"),
        ([{**MYSTERY, "must_hit_by": "soon"}], "line 1: must_hit_by: 'soon' is not an amount"),
    ],
)
def test_wrong_input_is_one_sentence(lines: list[dict[str, Any]], says: str) -> None:
    wrong = asked(*lines).exception
    assert isinstance(wrong, click.ClickException)
    assert says in wrong.message
