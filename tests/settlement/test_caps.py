"""What a round may pay at the most: to a box, to a player, to the table; in order or in proportion."""

import json
from pathlib import Path

import pytest

from aceking.exact.games import edge
from aceking.exact.unpriced import left_out
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.settlement.caps import _in_order, _pro_rata
from aceking.settlement.scenario_json import scenario_from_json, settle_in
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver, new_table
from tests.rules.test_inheritance import complaints, heir

HEIR = """
from = "washington"
id = "capped"
[[clause]]
id = "CAP-1"
topic = "cap"
actor = "house"
says = "A round pays no more than 100."
set.table.boxes_per_player = "several"
set.table.round_cap = "100"
set.table.round_cap_for = "{each}"
set.table.round_cap_cut = "{cut}"
"""
#: Two straights and a flush against ace-king: with an ante of 10 they win 90, 90 and 110.
DEALER = "Ah Kd 9h 5s 3d"
SEATS = (("Ann", "2c 3c 4d 5c 6c"), ("Ben", "6d 7d 8h 9d Td"), ("Ann", "2s 4s 7s Js Qs"))


def settled(tmp_path: Path, each: str, cut: str) -> list[tuple[int, str, int, str]]:
    heir(tmp_path, HEIR.format(each=each, cut=cut))
    seats = [
        {"seat": number, "cards": hand, "ante": "10", "play": "bet", "player": player}
        for number, (player, hand) in enumerate(SEATS, start=1)
    ]
    text = json.dumps({"book": str(tmp_path / "mine.toml"), "dealer": DEALER, "seats": seats})
    found = settle_in(scenario_from_json(text))
    assert isinstance(found, tuple), found
    return [(line.seat, line.wager, line.pays // 100, line.clause) for line in found[1].lines]


def paid(tmp_path: Path, each: str, cut: str) -> dict[int, int]:
    nets: dict[int, int] = {}
    for seat, _, pays, _ in settled(tmp_path, each, cut):
        nets[seat] = nets.get(seat, 0) + pays
    return nets


@pytest.mark.parametrize(
    ("each", "cut", "nets"),
    [
        ("box", "in-order", {1: 90, 2: 90, 3: 100}),
        ("table", "in-order", {1: 0, 2: 0, 3: 100}),
        ("player", "in-order", {1: 0, 2: 90, 3: 100}),
        ("player", "pro-rata", {1: 45, 2: 90, 3: 55}),
    ],
)
def test_a_cap_cuts_the_right_boxes(tmp_path: Path, each: str, cut: str, nets: dict[int, int]) -> None:
    assert paid(tmp_path, each, cut) == nets


def test_a_line_that_is_cut_cites_the_cap_and_no_other_does(tmp_path: Path) -> None:
    lines = settled(tmp_path, "box", "in-order")
    assert [(seat, wager) for seat, wager, _, clause in lines if clause == "CAP-1"] == [(3, "bet")]


@pytest.mark.parametrize(
    ("wins", "cap", "order", "parts"),
    [
        ([50, 50], 100, [50, 50], [50, 50]),
        ([50, 51], 100, [50, 50], [50, 50]),
        ([1, 1, 1], 2, [1, 1, 0], [1, 1, 0]),
        ([90, 10], 33, [33, 0], [30, 3]),
        ([], 5, [], []),
    ],
)
def test_both_ways_leave_the_cap_and_not_a_coin_more(
    wins: list[int], cap: int, order: list[int], parts: list[int]
) -> None:
    assert _in_order(wins, cap) == order
    assert _pro_rata(wins, cap) == parts
    assert sum(order) == sum(parts) == min(cap, sum(wins))


def test_a_table_pays_no_more_than_the_cap_and_makes_no_chip(tmp_path: Path) -> None:
    book = heir(tmp_path, HEIR.format(each="player", cut="in-order").replace('"100"', '"5"'))
    driver = Driver(book, new_table(book, awards={"royal_flush": "100%", "straight_flush": "10%"}))
    driver.open_table()
    for number in range(6):
        before = dict(driver.table.accounts)
        driver.open_bets([(7 * one + 11 * number) % 52 for one in range(52)])
        driver.must(c.Ante(box=1, player="Ann", amount=10_00))
        driver.close_bets()
        driver.deal()
        driver.must(c.Look(box=1))
        driver.must(c.Bet(box=1))
        driver.finish()
        assert sum(driver.table.accounts.values()) == 0
        assert driver.table.accounts.get("Ann", 0) - before.get("Ann", 0) <= 5_00


def test_the_figures_say_that_it_is_left_out(tmp_path: Path) -> None:
    book = heir(tmp_path, HEIR.format(each="table", cut="pro-rata"))
    assert edge(book).house_edge == edge(load_book("washington")).house_edge
    (sentence,) = left_out(book)
    assert sentence.startswith("the most that a round pays, 100 USD (CAP-1), is left out of the figures")
    assert left_out(load_book("washington")) == ()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('set.table.round_cap_for = "table"', ""), "table.round_cap_for: a cap on the round says for whom it is"),
        (('set.table.round_cap = "100"', ""), "table.round_cap_for: it means nothing in a game without a cap"),
        (('"100"', '"0"'), "'0' is not an amount above 0"),
        (('"pro-rata"', '"rata"'), "'rata' is not one of in-order, pro-rata"),
        (("washington", "colorado-required"), "table.round_cap: it means nothing in a game without a dealer's hand"),
    ],
)
def test_a_cap_that_is_none_is_told(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    text = HEIR.format(each="table", cut="pro-rata").replace(*change)
    assert any(says in one for one in complaints(tmp_path, text))


@pytest.mark.parametrize(("bet", "refused"), [("30", None), ("45", "seat 1: the bet would pass the limit of 30")])
def test_a_bet_of_the_players_choice_lies_within_the_limit_of_a_wager(
    tmp_path: Path, bet: str, refused: str | None
) -> None:
    rules = "set.bet.antes = 1\nset.bet.antes_max = 3\n"
    (tmp_path / "sizes.toml").write_text(HEIR[: HEIR.index("set.table")] + rules, encoding="utf-8")
    seat = {"seat": 1, "cards": SEATS[0][1], "ante": "15", "bet": bet, "play": "bet"}
    round_ = {"book": str(tmp_path / "sizes.toml"), "options": {"wager-limits": "30"}, "dealer": DEALER}
    found = settle_in(scenario_from_json(json.dumps({**round_, "seats": [seat]})))
    assert found == Refusal(refused, "WA-0-limits") if refused else not isinstance(found, Refusal)
