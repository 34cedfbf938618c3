"""A book file from anywhere does what a book by its name does: settled, compared, played, metered, covered."""

import json
from pathlib import Path
from typing import Any

import pytest

from aceking import Table, edge, settle, simulate
from aceking.meter.reports import run_data
from aceking.meter.script import MeterScriptError
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import books_in, load_book
from tests.commands.test_new_book import run
from tests.meter.acting import play_script

HEIR = """
from = "rws"
id = "corner"
title = "Ours"
house = "The Corner House"
currency = "{currency}"
decimals = {decimals}

[[clause]]
id = "OURS-1"
topic = "pays"
actor = "house"
says = "A flush pays seven to one."
set.bet.pays.flush = "7 to 1"
"""
FLUSH = {
    "id": "flush",
    "book": "corner.toml",
    "dealer": "Ah Kd 9c 5c 2d",
    "seats": [{"seat": 1, "cards": "As Qs 9s 5s 3s", "ante": "10", "play": "bet"}],
}
SHEET = """
[[scenario]]
id = "flush"
name = "A flush pays what our house says"
books = ["../corner.toml"]
proves = ["OURS-1"]
dealer = "Ah Kd 9c 5c 2d"
seats = [{ seat = 1, cards = "As Qs 9s 5s 3s", ante = "10", play = "bet" }]
then = { net = { 1 = "150" } }
"""
NIGHT: list[dict[str, Any]] = [
    {
        "do": "configure",
        "at": "2026-01-05T21:00:05Z",
        "by": "Sam",
        "second": "Eva",
        "currency": "KWD",
        "tables": {"A": "corner.toml"},
        "base": "1000.125",
        "reset": "500",
        "rate": "70%",
        "people": {"Dora": "dealer", "Sam": "supervisor", "Eva": "executive"},
    },
    {"do": "open", "at": "2026-01-05T21:00:10Z", "by": "Sam"},
    {"do": "start-game", "at": "2026-01-05T21:00:15Z", "table": "A", "by": "Dora", "seats": [2]},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "corner.toml").write_text(HEIR.format(currency="SGD", decimals=2), encoding="utf-8")
    (tmp_path / "flush.json").write_text(json.dumps(FLUSH), encoding="utf-8")
    (tmp_path / "elsewhere").mkdir()
    return tmp_path


@pytest.mark.parametrize("where", [".", "elsewhere"])
def test_a_scenario_names_a_book_that_lies_beside_it(folder: Path, where: str) -> None:
    file = "flush.json" if where == "." else "../flush.json"
    status, out, err = run(folder / where, "settle", file, "--json")
    assert status == 0, err
    bet = next(one for one in json.loads(out)["seats"][0]["lines"] if one["wager"] == "bet")
    assert bet["clause"] == "OURS-1"
    assert json.loads(out)["seats"][0]["net"] == "150"


def test_a_book_is_compared_by_its_file_from_anywhere(folder: Path) -> None:
    status, out, err = run(folder / "elsewhere", "compare", "../flush.json", "--book", "../corner.toml", "--json")
    assert status == 0, err
    nets = {name: found["seats"][0]["net"] for name, found in json.loads(out)["books"].items() if "seats" in found}
    assert nets["../corner.toml"] == "150"
    assert nets["rws"] == "110"


def test_a_meter_is_run_by_a_book_of_three_decimals(folder: Path) -> None:
    (folder / "corner.toml").write_text(HEIR.format(currency="KWD", decimals=3), encoding="utf-8")
    (folder / "night.jsonl").write_text("\n".join(map(json.dumps, NIGHT)), encoding="utf-8")
    status, out, err = run(folder / "elsewhere", "meter", "run", "../night.jsonl", "--json")
    assert status == 0, err
    told = json.loads(out)
    assert told["identity"] == "0"
    assert told["counters"]["base"] == "1000.125"
    with books_in(folder):
        played = play_script(map(json.dumps, NIGHT))
    assert played.state.config is not None
    assert played.state.config.tables == {"A": "corner"}
    assert run_data(played)["display"] == told["display"]


def test_two_books_of_one_id_are_not_on_one_link(folder: Path) -> None:
    (folder / "corner.toml").write_text(HEIR.format(currency="KWD", decimals=3), encoding="utf-8")
    other = HEIR.format(currency="KWD", decimals=3).replace("seven", "eight").replace("7 to 1", "8 to 1")
    (folder / "other.toml").write_text(other, encoding="utf-8")
    both = {**NIGHT[0], "tables": {"A": "corner.toml", "B": "other.toml"}}
    with (
        books_in(folder),
        pytest.raises(MeterScriptError, match=r"other\.toml: the meter has another book with the id corner"),
    ):
        play_script([json.dumps(both)])


def test_a_book_is_covered_against_its_own_clauses(folder: Path) -> None:
    (folder / "sheets").mkdir()
    (folder / "sheets" / "ours.toml").write_text(SHEET, encoding="utf-8")
    status, out, err = run(folder, "books", "coverage", "corner.toml", "--scenarios", "sheets", "--json")
    assert status == 0, out + err
    told = json.loads(out)
    assert (told["missing"], told["unknown"]) == ([], [])
    assert told["catalogue"] == told["accounted"] == len(load_book(str(folder / "corner.toml")).clauses)
    (ours,) = [one for one in told["clauses"] if one["clause"] == "OURS-1"]
    assert ours["passing"] == ["flush"]
    wrong = SHEET.replace('"150"', '"110"')
    (folder / "sheets" / "ours.toml").write_text(wrong, encoding="utf-8")
    status, out, _ = run(folder, "books", "coverage", "corner.toml", "--scenarios", "sheets", "--json")
    assert status == 1
    (ours,) = [one for one in json.loads(out)["clauses"] if one["clause"] == "OURS-1"]
    assert ours["failing"] == ["flush"]


def test_a_folder_counts_only_while_its_file_is_read(folder: Path) -> None:
    with books_in(folder):
        assert load_book("corner.toml").id == "corner"
    with pytest.raises(BookError, match=r"corner\.toml: there is no such file"):
        load_book("corner.toml")


def test_python_takes_a_path_as_it_takes_its_text(folder: Path) -> None:
    file = folder / "corner.toml"
    assert load_book(file) == load_book(str(file))
    assert edge(file) == edge(str(file))
    assert simulate(file, rounds=1000).outcomes == simulate(str(file), rounds=1000).outcomes
    assert Table(file).book.id == "corner"
    seat = {"seat": 1, "cards": "As Ks Qs Js Ts", "ante": "100", "play": "bet"}
    round_ = {"book": "section10", "dealer": "Ah Kd 9c 5s 2d", "seats": [seat]}
    assert settle(round_, book=file).net == settle(round_, book=str(file)).net
