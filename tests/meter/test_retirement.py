"""A meter taken out of service: who, when, and where all of its money went."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from aceking.commands import meter as command
from aceking.meter.commands import AdjustMeter, AnyCommand, Close, Configure, Contribute, Enrol, Open, Retire
from aceking.meter.reports import days
from aceking.meter.state import Retirement, identity
from tests.meter.floor import ROYALS, UNIT, Floor

ROYAL = "royal_flush"


def closed(**more: Any) -> Floor:
    """A meter of 100,000 that was fed 10 by ten wagers of 1, 7 to the meter, 1 to the reserve."""
    floor = Floor({"A": "section10"}, **{"hidden_rate": "10%", **more})
    floor.ok(Contribute(at=floor.now(), table="A", wagers=10))
    floor.ok(Close(at=floor.now(), by="Sam"))
    return floor


def retire(floor: Floor, **more: Any) -> Retire:
    raw = {"by": "Sam", "second": "Eva", "reason": "the game is changed", "to": "meter", "place": "Grand", **more}
    return Retire(at=floor.now(), **raw)


def record(floor: Floor) -> Retirement:
    assert floor.state.retired is not None
    return floor.state.retired


@pytest.mark.parametrize(
    ("more", "moved", "recovered"),
    [
        ({}, 100_008_00, 0),
        ({"seed": "recovered"}, 8_00, 100_000_00),
        ({"to": "players", "place": "the drawing of 1 February"}, 100_008_00, 0),
        ({"to": "players", "place": "the drawing of 1 February", "seed": "recovered"}, 8_00, 100_000_00),
    ],
)
def test_all_of_the_money_goes_where_the_record_says(more: dict[str, Any], moved: int, recovered: int) -> None:
    floor = closed()
    floor.ok(retire(floor, **more))
    gone = record(floor)
    scale = floor.state.scale
    assert (gone.moved, gone.recovered) == (moved * scale, recovered * scale)
    assert (gone.by, gone.second, gone.reason) == ("Sam", "Eva", "the game is changed")
    assert floor.shows == 0
    assert floor.state.counters.reserve == 0
    assert floor.state.counters.retired == 100_008_00 * scale
    assert identity(floor.state) == 0
    floor.replayed()


def test_what_lies_in_overflow_goes_too() -> None:
    floor = closed(limit=100_000 * UNIT)
    floor.ok(retire(floor))
    assert record(floor).moved == 100_008_00 * floor.state.scale
    assert floor.state.counters.overflow == 0


def test_the_house_takes_back_what_it_put_in_and_nothing_that_players_fed() -> None:
    """R6."""
    fed = closed()
    assert fed.no(retire(fed, to="house", place=""))[0] == "R6"
    unfed = Floor({"A": "section10"}, opened=False)
    unfed.ok(retire(unfed, to="house", place=""))
    assert (record(unfed).moved, record(unfed).recovered) == (0, 100_000 * UNIT * unfed.state.scale)


def test_of_a_refill_the_house_has_back_only_what_nobody_has_won_and_it_paid_itself() -> None:
    """A royal, refilled to 100 with 1 from the reserve; a straight flush of 10; then the meter is retired."""
    floor = Floor({"A": "section10"}, reset=100, hidden_rate="10%")
    floor.ok(Contribute(at=floor.now(), table="A", wagers=8))
    floor.start("A", 1, 3)
    floor.select("A", 3, ROYAL, ROYALS[3])
    floor.confirm("A", 3)
    floor.sign_and_pay("A", 3)
    floor.end("A")
    assert (floor.state.hits[0].seed_house, floor.state.hits[0].seed_reserve) == (99 * UNIT, 1 * UNIT)
    floor.start("A", 1)
    floor.select("A", 1, "straight_flush", "9c 8c 7c 6c 5c")
    floor.confirm("A", 1)
    taken = floor.sign_and_pay("A", 1)
    floor.end("A")
    floor.ok(Close(at=floor.now(), by="Sam"))
    floor.ok(retire(floor, seed="recovered"))
    assert taken == 10_07
    assert record(floor).recovered == (99 * UNIT - taken) * floor.state.scale
    floor.replayed()


def test_after_a_back_out_the_house_does_not_recover_its_refill_twice() -> None:
    floor = Floor({"A": "section10"})
    floor.start("A", 1)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.confirm("A", 1)
    floor.sign_and_pay("A", 1)
    undo = AdjustMeter(at=floor.now(), by="Sam", second="Eva", reason="misread", undo="A/1/1")
    floor.ok(undo)
    floor.end("A")
    floor.ok(Close(at=floor.now(), by="Sam"))
    floor.ok(retire(floor, seed="recovered"))
    assert (record(floor).moved, record(floor).recovered) == (100_000_70 * floor.state.scale, 0)


@pytest.mark.parametrize(
    ("more", "clause"),
    [
        ({"second": "Sam"}, "R5"),
        ({"second": "Sue"}, "R5"),
        ({"by": "Dora"}, "R5"),
        ({"by": "Ghost"}, "R5"),
        ({"reason": " "}, "R17"),
        ({"place": ""}, "R6"),
        ({"to": "players", "place": " "}, "R6"),
    ],
)
def test_a_retirement_that_is_refused(more: dict[str, Any], clause: str) -> None:
    floor = closed()
    assert floor.no(retire(floor, **more))[0] == clause
    assert floor.state.retired is None


def test_the_question_where_the_money_goes() -> None:
    floor = closed()
    assert floor.no(retire(floor, place=""))[1] == "name where the money goes: the other meter"
    assert floor.no(retire(floor, to="players", place=""))[1] == "name where the money goes: the distribution"


def test_not_while_the_meter_runs_or_an_award_is_open_or_owed() -> None:
    floor = Floor({"A": "section10"})
    assert floor.no(retire(floor)) == ("R5", "the meter is in operation: close it first")
    floor.start("A", 1)
    floor.select("A", 1, ROYAL, ROYALS[1])
    assert floor.no(retire(floor)) == ("R6", "the award of table A, seat 1 is not signed yet")
    floor.confirm("A", 1)
    floor.ok(floor.signature("A", 1))
    assert floor.no(retire(floor)) == ("R6", "an award is signed and not paid yet")
    fresh = Floor({"A": "section10"}, opened=False)
    fresh.state, fresh.events = type(fresh.state)(), []
    assert fresh.no(retire(fresh)) == ("R5", "the meter is not configured")


def test_nothing_is_fed_won_changed_or_opened_afterwards() -> None:
    floor = Floor({"A": "section10"})
    floor.start("A", 1)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.confirm("A", 1)
    floor.sign_and_pay("A", 1)
    floor.end("A")
    floor.ok(Close(at=floor.now(), by="Sam"))
    floor.ok(retire(floor))
    commands: list[AnyCommand] = [
        Open(at=floor.now(), by="Sam"),
        Contribute(at=floor.now(), table="A", wagers=1),
        Configure(at=floor.now(), **floor.settings),
        AdjustMeter(at=floor.now(), by="Sam", second="Eva", reason="a count", amount=1),
        AdjustMeter(at=floor.now(), by="Sam", second="Eva", reason="misread", undo="A/1/1"),
        Enrol(at=floor.now(), by="Eva", name="Zoe", role="dealer"),
    ]
    for one in (*commands, retire(floor)):
        assert floor.no(type(one)(**{**_fields(one), "at": floor.now()})) == ("R6", "the meter is retired")
    assert identity(floor.state) == 0


def _fields(one: AnyCommand) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__struct_fields__}


def test_the_day_of_a_retirement_adds_up() -> None:
    floor = closed()
    floor.ok(retire(floor))
    (day,) = days(floor.events, decimals=2)
    assert (day.retired, day.closing, day.identity) == ("100008", "0", "0")


def script(tmp_path: Path) -> Path:
    """A short life of a meter, as a file."""
    people = {"Sam": "supervisor", "Eva": "executive"}
    at = [f"2026-01-05T21:00:{second:02}Z" for second in range(5)]
    tables = {"A": "section10"}
    amounts = {"base": "500", "reset": "100", "rate": "70%", "currency": "USD"}
    lines = [
        {"do": "configure", "at": at[0], "by": "Sam", "second": "Eva", "tables": tables, "people": people, **amounts},
        {"do": "open", "at": at[1], "by": "Sam"},
        {"do": "contribute", "at": at[2], "table": "A", "wagers": 10},
        {"do": "close", "at": at[3], "by": "Sam"},
        {
            "do": "retire",
            "at": at[4],
            "by": "Sam",
            "second": "Eva",
            "reason": "old",
            "to": "meter",
            "place": "Grand",
            "seed": "recovered",
        },
    ]
    file = tmp_path / "life.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    return file


def test_a_retirement_for_machines_for_people_and_in_the_papers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_BROWSERS", ())
    file = script(tmp_path)
    found = CliRunner().invoke(command.meter, ["run", str(file), "--json"], standalone_mode=False)
    data = json.loads(found.stdout)
    assert (data["phase"], data["display"], data["identity"]) == ("retired", "0", "0")
    gone = data["retired"]
    assert (gone["moved"], gone["recovered"], gone["place"]) == ("7", "500", "Grand")
    assert data["counters"]["retired"] == "507"
    people = CliRunner().invoke(command.meter, ["run", str(file)], standalone_mode=False)
    assert "RETIRED  7 to Grand, 500 recovered by the house" in people.stdout
    assert "Sam and Eva: old" in people.stdout
    papers = CliRunner().invoke(command.meter, ["report", str(file), "--out", str(tmp_path)], standalone_mode=False)
    assert papers.return_value == 0
    assert json.loads((tmp_path / "retired.json").read_text(encoding="utf-8")) == gone
