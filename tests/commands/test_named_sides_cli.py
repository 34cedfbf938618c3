"""Side wagers by name from the outside: commands, the Python table, scripts of rounds, and a running house."""

import json
from pathlib import Path
from typing import Any

import pytest

from aceking import Table
from aceking.api.table import RefusedError
from aceking.commands.terminal.lesson import lesson
from aceking.exact.choices import Forfeit, forfeits
from aceking.exact.side_bets.side_wagers import named_figures
from aceking.house.views.printed import printed
from aceking.rules.reading.load import load_book
from aceking.scenarios.scripts import run_script
from aceking.sheet.rules import rule_words
from aceking.sheet.sides import side_bets
from aceking.table import commands as c
from aceking.table.player import PlaceSide, as_command
from tests.commands.in_process import aceking
from tests.named_sides import LANTERN, TRIPS_UP, lantern, with_side


def run(folder: Path, *words: str, said: str = "") -> tuple[int, str, str]:
    done = aceking(*words, given=said, cwd=folder, env={"ACEKING_CACHE": "off"})
    return done.returncode, done.stdout, done.stderr


#: The player has two pair against ace and king.
DEALT = "9c As 9h Kd 8s 7c 8d 4h 3h 2d"


def test_edge_tells_each_wager_and_json_has_it(tmp_path: Path) -> None:
    status, out, err = run(tmp_path, "edge", str(LANTERN))
    assert status == 0, err
    told = " ".join(out.split())
    assert "five-plus-one: costs 8.5614 % of its stake of 1 to 100 (12816/149695)" in told
    assert "envy gives back 0.2201 % of a stake of 5 for each other box that plays" in told
    status, out, err = run(tmp_path, "edge", str(LANTERN), "--json", "--pays", "five-plus-one.flush=16")
    data = json.loads(out)
    assert data["side_bets"]["five-plus-one"]["house_edge"] == "192148/2544815"
    assert data["changes"][0]["name"] == "five-plus-one.flush"
    assert data["repeat"].endswith("--pays five-plus-one.flush=16")


def test_check_and_simulate_tell_each_wager(tmp_path: Path) -> None:
    code, shown, _ = run(tmp_path, "books", "check", str(LANTERN), "--rounds", "20")
    assert code == 0
    assert "five-plus-one   8.5614 % of its stake, exactly 12816/149695" in shown
    code, shown, _ = run(tmp_path, "simulate", str(LANTERN), "--rounds", "20000", "--ante", "25", "--json")
    sides = json.loads(shown)["sides"]
    assert code == 0
    assert sides["lantern"]["stakes"] == 20_000
    assert -1 < sides["five-plus-one"]["net_per_stake"] < 1


def sheet_of(named: dict[str, Any]) -> str:
    """What the sheet says of side wagers by name."""
    document = {"currency": "USD", "decimals": 2}
    return side_bets({"document": document, "progressive": None, "bonus": None, "blind": None, "named_sides": named})


def test_a_sheet_has_the_wagers() -> None:
    book = lantern()
    named = {name: named_figures(book, name) for name in book.sides} | {"odd": {"open": "it is not counted"}}
    page = sheet_of(named)
    assert "The wager five-plus-one" in page
    assert "A stake of USD 5 costs 29.4527 % of its stake (13669/46410)" in page
    assert "Envy gives back 0.2201 % of the least stake" in page
    assert "Not computed: it is not counted." in page
    assert rule_words("sides.five-plus-one.pays.flush") == "Five-plus-one: flush pays"
    assert rule_words("sides.lantern.envy.flush") == "Lantern: envy for flush"


def test_a_threshold_is_told_by_its_words_wherever_the_wager_is(tmp_path: Path) -> None:
    pays = TRIPS_UP.replace("{", '{ pair = "1 to 1", two_pair = "2 to 1",')
    said = f'stake = "5"\ncards = "own"\nfolded = "stands"\npays = {pays}\nenvy = {{ royal_flush = "9" }}\n'
    said += 'pays_from = "J J 4 3 2"\nreturned_from = "6 6 4 3 2"'
    file = tmp_path / "jacks.toml"
    file.write_text(with_side(said), encoding="utf-8")
    book = load_book(str(file))
    [rows] = [one.rows for one in printed(book).pays if one.wager == "extra" and not one.envy]
    assert [one.hand for one in rows][:2] == ["pair of jacks or better", "two pair"]
    told = [sentence for sentence, _ in lesson(book)]
    assert "It is paid from a pair of jacks on." in told
    assert "Below that its stake comes back from a pair of sixes on." in told
    named = {name: named_figures(book, name) for name in book.sides}
    page = sheet_of(named)
    assert "pair of jacks or better" in page
    assert "The stake comes back with 16.2527 % of hands" in page
    assert rule_words("sides.extra.pays_from") == "Extra: paid from"
    status, out, err = run(tmp_path, "edge", "jacks.toml")
    assert status == 0, err
    assert "pair of jacks or better 13.0021 %, stake back 16.2527 %" in " ".join(out.split())
    status, out, err = run(tmp_path, "books", "show", "jacks.toml")
    assert "pair of jacks (J-4-3-2)" in " ".join(out.split())
    status, out, err = run(tmp_path, "books", "words", "sides")
    assert "sides.NAME.pays_from" in out


def test_a_scenario_in_toml_settles_and_says_whose_envy_it_is(tmp_path: Path) -> None:
    (tmp_path / "round.toml").write_text(
        f"""book = "{LANTERN}"
dealer = "As Kd 7c 4h 2d"
[[seats]]
seat = 1
play = "bet"
ante = "10"
cards = "Qc Jc 8h 5s 3c"
sides = {{ lantern = "5" }}
[[seats]]
seat = 2
play = "bet"
ante = "10"
cards = "Tc Td Th Ts 6c"
""",
        encoding="utf-8",
    )
    status, out, err = run(tmp_path, "settle", "round.toml")
    assert status == 0, err
    assert "lantern, envy of seat 2" in " ".join(out.split())
    status, out, err = run(tmp_path, "compare", "round.toml", "--book", str(LANTERN), "--book", "rws")
    assert status == 0, err
    assert "has no wager lantern" in " ".join(out.split())


def test_the_terminal_takes_a_wager_by_name(tmp_path: Path) -> None:
    words = "s lantern\ns five-plus-one on\ns five-plus-one OFF\ns five-plus-one 7\ns five-plus-one 700\ns lanter\n"
    words += "10\nv\nf\ns lantern\nh\nq\n"
    status, out, err = run(tmp_path, "play", str(LANTERN), "--seed", "3", "--record", "record.jsonl", said=words)
    assert status == 0, err
    told = " ".join(out.split())
    assert "five-plus-one 1 · lantern 5" in told
    assert "five-plus-one off · lantern 5" in told
    assert "five-plus-one 7 · lantern 5" in told
    assert "lantern and five-plus-one left out" in told
    assert "Refused: the wager five-plus-one is 1 to 100, not 700. LAN-1" in told
    assert "There is no side wager lanter: there are five-plus-one, lantern; did you mean lantern?" in told
    assert "five-plus-one 7 · lantern off" in told
    assert "s NAME 5" in told
    record = (tmp_path / "record.jsonl").read_text(encoding="utf-8")
    assert '"wager":"five-plus-one"' in record
    status, out, err = run(tmp_path, "replay", "record.jsonl")
    assert status == 0, out + err


@pytest.mark.parametrize(("folded", "gives_up"), [("lost", True), ("returned", True), ("stands", False)])
def test_a_fold_that_gives_up_a_wager_that_has_won_is_told(folded: str, gives_up: bool, tmp_path: Path) -> None:
    file = tmp_path / "heir.toml"
    pays = TRIPS_UP.replace(" }", ', two_pair = "2 to 1", pair = "1 to 1" }')
    rules = f'stake = "5"\ncards = "own"\nfolded = "{folded}"\npays = {pays}'
    file.write_text(with_side(rules), encoding="utf-8")
    table = Table(str(file)).open("9c As 9h Kd 8s 7c 7d 4h 3h 2d").ante(10).side("extra").deal()
    lost = forfeits(table.book, table.state, 1)
    told = Forfeit("what extra wins is not paid", 5_00, "X-1", grave=True)
    assert lost == ({"fold": told} if gives_up else {})
    nothing = Table(str(file)).open("9c As 6h Kd 8s 7c 7d 4h 3h 2d").ante(10).side("extra").deal()
    assert forfeits(nothing.book, nothing.state, 1) == {}


@pytest.mark.parametrize(("folded", "told"), [("lost", "your stake on extra is lost"), ("returned", None)])
def test_a_fold_that_gives_up_a_stake_on_cards_nobody_has_seen_is_told(
    folded: str, told: str | None, tmp_path: Path
) -> None:
    file = tmp_path / "heir.toml"
    file.write_text(
        with_side(f'stake = "5"\ncards = "dealer"\nfolded = "{folded}"\npays = {TRIPS_UP}'), encoding="utf-8"
    )
    table = Table(str(file), seed=1).ante(10).side("extra").deal()
    lost = forfeits(table.book, table.state, 1).get("fold")
    assert (None if lost is None else lost.what) == told


def test_the_python_table_takes_it() -> None:
    table = Table(str(LANTERN)).open(DEALT).ante(10).side("five-plus-one", 20).side("lantern")
    assert "five-plus-one and lantern" in repr(table)
    table.deal().bet()
    named = [(line.wager, line.outcome) for line in table.lines() if line.wager in ("five-plus-one", "lantern")]
    assert named == [("five-plus-one", "lose"), ("lantern", "win")]
    with pytest.raises(RefusedError, match="the wager lantern is exactly 5, not 6"):
        Table(str(LANTERN), seed=1).ante(10).side("lantern", 6)


def test_a_script_of_a_round_stakes_it() -> None:
    raw = {
        "id": "named",
        "name": "wagers by name",
        "book": str(LANTERN),
        "order": DEALT,
        "start": "closed",
        "boxes": [{"box": 1, "player": "Ann", "ante": "10", "sides": {"lantern": "5"}}],
        "when": [
            {"drive": "deal"},
            {"do": "look", "box": 1},
            {"do": "bet", "box": 1},
            {"drive": "finish"},
        ],
        "then": {"net": {"Ann": "65"}},
    }
    assert not run_script(raw).problems


def test_a_player_of_a_house_names_it() -> None:
    asked = PlaceSide(box=1, amount=500, wager="lantern")
    command = as_command(asked, player="Ann", at=0)
    assert isinstance(command, c.SideBet)
    assert (command.amount, command.wager, command.player) == (500, "lantern", "Ann")


def test_what_is_printed_has_its_pays() -> None:
    tables = {one.wager: one for one in printed(lantern()).pays if not one.envy}
    (envy,) = [one for one in printed(lantern()).pays if one.envy]
    assert envy.wager == "lantern"
    assert {row.hand: row.odds for row in tables["five-plus-one"].rows}["flush"] == "15 to 1"
    assert {row.hand: row.amount for row in tables["lantern"].rows}["flush"] == "150"
    assert tables["lantern"].clause == "LAN-2"
