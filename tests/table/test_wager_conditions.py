"""What a book may demand of wagers and of the house, each condition on both sides of its line."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.words import Condition
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver
from aceking.table.procedure.conditions import CONDITIONS
from aceking.table.state import Device, TableState
from tests.table.test_out_of_time import at

STUD = load_book("section10")
COLORADO = load_book("colorado-required")


def says(word: Condition, table: TableState, act: c.Act, book: Book | None = None) -> str | None:
    return CONDITIONS[word](book or load_book(table.book), table, act)


def moment(name: str, book: Book = STUD) -> TableState:
    return at(book, name).table


def empty(book: Book = STUD, **more: Any) -> TableState:
    return replace(Driver(book).table, **more)


def ante(number: int, amount: int = 1000, player: str = "player 1", **more: Any) -> c.Ante:
    return c.Ante(box=number, player=player, amount=amount, **more)


def test_bets_are_taken_from_the_call_to_the_close() -> None:
    for name, open_, called in (("table-opened", False, False), ("staked", True, True), ("closed", False, True)):
        table = moment(name)
        assert (says("bets-are-open", table, ante(3)) is None) is open_
        assert (says("called", table, ante(3)) is None) is called
        assert (says("not-too-late", table, ante(3)) is None) is (name != "closed")
        assert says("not-too-late", table, ante(3, -1000)) is None, "taking back is another matter"
    for name, between in (("staked", False), ("closed", True), ("dealing", True), ("dealt", False)):
        assert (says("blind-in-time", moment(name), c.Bet(box=1)) is not None) is between
        assert says("blind-in-time", moment(name), c.Bet(box=1, amount=-1)) is None


def test_a_side_wager_needs_an_ante_unless_nobody_noticed() -> None:
    table = moment("staked")
    assert says("has-ante", table, c.SideBet(box=1, amount=100)) is None
    assert says("has-ante", table, c.SideBet(box=5, amount=100)) == "there is no ante on that box"
    assert says("has-ante", table, c.SideBet(box=5, amount=100, noticed=False)) is None
    assert says("light-on", table, c.Claim(box=1)) is None
    assert says("light-on", table, c.Claim(box=5)) == "no light is on at that box"
    assert says("light-comes-on", table, c.SideBet(box=1, amount=100, lit=False)) == "the light at box 1 is off"
    assert says("light-comes-on", table, c.SideBet(box=1, amount=100)) is None
    assert says("light-comes-on", table, ante(1)) is None


def test_the_side_wager_is_the_prescribed_amount() -> None:
    table = moment("staked")
    for amount, right in ((100, True), (99, False), (101, False), (0, False), (-50, True)):
        assert (says("prescribed-stake", table, c.SideBet(box=1, amount=amount)) is None) is right
    assert says("prescribed-stake", table, c.SideBet(box=1, amount=99, noticed=False)) is None
    assert says("prescribed-stake", table, c.SideBet(box=1)) is None
    assert says("prescribed-stake", table, ante(1, 99)) is None


def test_side_wagers_are_locked_out_with_the_lock() -> None:
    assert says("not-locked-out", moment("staked"), c.SideBet(box=1)) is None
    assert says("not-locked-out", moment("closed"), c.SideBet(box=1)) == "the side bets are locked out"
    assert says("not-locked-out", moment("table-opened"), c.SideBet(box=1)) is None
    washington = load_book("washington")
    assert says("game-not-started", moment("staked", washington), c.OpenBets()) is None
    assert says("game-not-started", moment("closed", washington), c.OpenBets()) == "the game before was not ended"


def test_how_many_boxes_a_player_may_have() -> None:
    table = moment("staked")
    assert STUD.table.boxes_per_player == "one"
    assert says("one-box-a-player", table, ante(3)) == "player 1 has box 1 already; a player has one"
    assert says("one-box-a-player", table, ante(1)) is None
    assert says("one-box-a-player", table, ante(3, player="Cid")) is None
    assert says("one-box-a-player", table, c.Ante(box=3, amount=1000)) is None
    assert table.round is not None
    sides = table.round.boxes[1].sides
    for chips, free in (({"sides": sides}, False), ({"bet": 0, "sides": {}}, True)):
        alone = replace(table.round.boxes[1], ante=0, **chips)
        held = replace(table.round, boxes={**table.round.boxes, 1: alone})
        found = says("one-box-a-player", replace(table, round=held), ante(3))
        assert (found is None) is free
    two = dataclasses.replace(STUD, table=dataclasses.replace(STUD.table, boxes_per_player="two-adjacent"))
    assert says("boxes-adjacent", table, ante(2), two) is None
    assert says("boxes-adjacent", table, ante(3), two) == "player 1 may have two boxes side by side"
    several = dataclasses.replace(STUD, table=dataclasses.replace(STUD.table, boxes_per_player="several"))
    assert says("boxes-adjacent", table, ante(3), several) is None


def test_a_box_is_whose_chips_lie_there() -> None:
    table = moment("staked")
    assert says("box-unclaimed", table, ante(1, player="Bob")) == "box 1 is player 1's"
    assert says("box-unclaimed", table, ante(1)) is None
    assert says("box-unclaimed", table, c.Ante(box=1, amount=5)) is None
    assert says("box-unclaimed", table, ante(5, player="Bob")) is None


def test_only_who_sits_may_wager_where_the_book_says_so() -> None:
    table = moment("bets-opened")
    assert says("seated", table, ante(1, standing=True)) == "only seated players may wager"
    assert says("seated", table, ante(1)) is None


@pytest.mark.parametrize(
    ("amount", "says_"),
    [
        (999, "the ante is under the minimum"),
        (1000, None),
        (5000, None),
        (5001, "the ante is over the maximum"),
        (-1000, None),
    ],
)
def test_an_ante_lies_between_the_posted_limits(amount: int, says_: str | None) -> None:
    table = replace(moment("bets-opened"), ante_min=1000, ante_max=5000)
    assert says("within-table-limits", table, ante(1, amount)) == says_
    assert says("within-table-limits", table, ante(1, amount, noticed=False)) is None
    there = replace(moment("staked"), ante_min=1000, ante_max=5000)
    assert says("within-table-limits", there, ante(1, 4000)) is None, "1000 lie there"
    assert says("within-table-limits", there, ante(1, 4001)) == "the ante is over the maximum"
    assert says("within-table-limits", there, ante(1, -1)) == "the ante is under the minimum"


def test_the_house_posts_what_its_side_wager_pays() -> None:
    washington = load_book("washington")
    bare = replace(moment("staked", washington), awards={})
    assert says("awards-known", bare, c.SideBet(box=1, amount=100)) is not None
    assert says("awards-known", bare, c.SideBet(box=1, amount=100, noticed=False)) is None
    assert says("awards-known", moment("staked", washington), c.SideBet(box=1, amount=100)) is None
    assert says("awards-known", moment("staked", COLORADO), c.SideBet(box=1, amount=100)) is None
    few = replace(bare, awards={"royal_flush": "100%"})
    posted = load_book("exchange")
    told = says("awards-known", replace(moment("staked", posted), awards={}), c.SideBet(box=1, amount=100))
    assert told is not None
    assert says("awards-known", few, c.SideBet(box=1, amount=100)) in (None, told)


def test_a_player_with_several_boxes_is_told_of_the_rule_before_the_first_card() -> None:
    driver = Driver(load_book("rws"))
    driver.open_bets(range(52))
    for number, player in ((1, "Ann"), (2, "Ann"), (3, "Bob")):
        driver.must(ante(number, player=player))
    assert says("told-one-hand", driver.table, c.DealCard()) == "Ann was not told that only one hand may be looked at"
    current = driver.table.round
    assert current is not None
    told = replace(driver.table, round=replace(current, told=frozenset({"Ann"})))
    assert says("told-one-hand", told, c.DealCard()) is None
    dealt = replace(driver.table, round=replace(current, sequence=(1,)))
    assert says("told-one-hand", dealt, c.DealCard()) is None
    assert says("told-one-hand", moment("staked"), c.DealCard()) is None


# The house


def test_signs_are_up() -> None:
    words: list[tuple[Condition, str]] = [
        ("limits-posted", "limits"),
        ("jackpot-posted", "jackpot"),
        ("rules-posted", "rules"),
    ]
    for word, topic in words:
        assert says(word, empty(), c.OpenBets()) is not None
        assert says(word, empty(notices={topic: ""}), c.OpenBets()) is None
        assert says(word, empty(notices={"other": ""}), c.OpenBets()) is not None


def test_a_sign_hangs_where_the_book_lets_it_hang() -> None:
    for word, topic, rule in (
        ("games-posted", "games", "table.games_notice"),
        ("pays-posted", "pays", "bet.pays_shown"),
    ):
        places = next((one.values for one in COLORADO.options.values() if one.rule == rule), ())
        for place in ("", *places):
            assert says(word, empty(COLORADO, notices={topic: place}), c.OpenBets()) is None  # type: ignore[arg-type]
        assert says(word, empty(COLORADO), c.OpenBets()) is not None  # type: ignore[arg-type]
        if places:
            wrong = empty(COLORADO, notices={topic: "the men's room"})
            assert says(word, wrong, c.OpenBets()) is not None  # type: ignore[arg-type]


def test_a_shuffler_has_two_approvals() -> None:
    act = c.RegisterDevice(device="automated shuffler", model="X1")
    both = frozenset({("model", "X1"), ("maker", "X1")})
    assert says("approved-device", empty(), act) == "no approval of the model of shuffler X1 is on file"
    half = empty(approvals=frozenset({("model", "X1")}))
    assert says("approved-device", half, act) == "no approval of the maker of shuffler X1 is on file"
    assert says("approved-device", empty(approvals=both), act) is None
    assert says("approved-device", empty(approvals=both), c.RegisterDevice(device="shuffler", model="X2")) is not None
    assert says("approved-device", empty(), c.RegisterDevice(device="card-shoe")) is None


@pytest.mark.parametrize(
    ("odds", "right"),
    [
        ("5 to 1", True),
        ("5 for 1", False),
        ("five for one", False),
        ("5-for-1", False),
        ("wins for you", True),
        (None, True),
    ],
)
def test_odds_are_worded_with_to(odds: str | None, *, right: bool) -> None:
    for act in (c.GiveNotice(about=("pays",), odds=odds), c.ConfigureTable(odds=odds)):
        assert (says("odds-say-to", empty(), act) is None) is right
    assert says("odds-say-to", empty(), c.OpenBets()) is None


def test_all_tables_of_a_house_play_one_version() -> None:
    other = c.OpenTable(elsewhere="colorado-permissible")
    assert (says("one-version-in-house", empty(COLORADO), other) is not None) is bool(COLORADO.table.one_version)
    assert says("one-version-in-house", empty(COLORADO), c.OpenTable(elsewhere="colorado-required")) is None
    assert says("one-version-in-house", empty(COLORADO), c.OpenTable()) is None


def test_how_the_house_goes_on_without_the_jackpot() -> None:
    faulty = {"jackpot": Device("faulty")}
    assert says("course-chosen", empty(devices=faulty), c.OpenBets()) is not None
    assert says("course-chosen", empty(devices=faulty, course="close-table"), c.OpenBets()) is None
    assert says("course-chosen", empty(devices={"jackpot": Device("fitted")}), c.OpenBets()) is None
    assert says("course-chosen", empty(), c.OpenBets()) is None
    closed, blocked = empty(course="close-table"), empty(course="block-affected-box", blocked=frozenset({3}))
    without = empty(course="play-without-jackpot")
    assert says("table-not-closed", closed, c.OpenBets()) is not None
    assert says("table-not-closed", without, c.OpenBets()) is None
    assert says("box-not-blocked", blocked, ante(3)) is not None
    assert says("box-not-blocked", blocked, ante(2)) is None
    assert says("box-not-blocked", empty(course="close-table", blocked=frozenset({3})), ante(3)) is None
    assert says("jackpot-notice", without, c.OpenBets()) is not None
    assert says("jackpot-notice", replace(without, notices={"no-jackpot-bets": ""}), c.OpenBets()) is None
    assert says("jackpot-notice", closed, c.OpenBets()) is None
    assert says("jackpot-in-play", without, c.SideBet(box=1)) == "no jackpot bets are taken"
    assert says("jackpot-in-play", closed, c.SideBet(box=1)) is None


def test_a_device_that_is_jammed_or_not_used_is_off_the_table() -> None:
    def there(**devices: str) -> TableState:
        return empty(devices={name.replace("_", " "): Device(status) for name, status in devices.items()})  # type: ignore[arg-type]

    by_hand = with_options(STUD, {"shuffle-method": "manual"})
    machine = with_options(STUD, {"shuffle-method": "automated"})
    assert isinstance(by_hand, Book)
    assert isinstance(machine, Book)
    word: Condition = "device-off-table"
    assert says(word, there(shuffler="fitted"), c.Shuffle(), by_hand) == "the shuffler is still on the table"
    assert says(word, there(shuffler="removed"), c.Shuffle(), by_hand) is None
    assert says(word, there(shuffler="fitted"), c.Shuffle(), machine) is None
    assert says(word, there(shuffler="jammed"), c.Shuffle(), machine) is None, "(m)(5): it shuffles again"
    assert says(word, there(shuffler="jammed"), c.Shuffle(), by_hand) == "the shuffler is still on the table"
    assert says(word, there(shuffler="jammed"), c.DealCard(), machine) is None, "it is in nobody's way then"
    assert says(word, there(automated_shoe="jammed"), c.DealCard(), machine) is not None
    assert says(word, there(automated_shoe="fitted"), c.DealCard(), by_hand) is not None
    assert says(word, there(automated_shoe="fitted"), c.Shuffle(), by_hand) is None
    assert says(word, there(), c.Shuffle(method="manual"), machine) == "the shuffler is still on the table"
    assert says(word, there(shuffler="removed"), c.Shuffle(method="manual"), machine) is None
    assert says(word, there(shuffler="fitted"), c.Shuffle(method="automated"), by_hand) is None
    assert says(word, there(), c.DealCard(), machine) is None


def test_the_bet_on_an_ante_lies_within_the_authorised_limit() -> None:
    """WA-0: a bet of two antes of 150 is just the 300 that a house may be authorised for."""
    book = with_options(load_book("washington"), {"wager-limits": "300"})
    assert isinstance(book, Book)
    table, there = moment("bets-opened", load_book("washington")), moment("staked", load_book("washington"))
    assert says("within-limits", table, ante(1, 15_000), book) is None
    assert says("within-limits", table, ante(1, 15_001), book) == "the bet on this ante would pass the authorised limit"
    assert says("within-limits", there, ante(1, 14_000), book) is None
    assert says("within-limits", there, ante(1, 14_001), book) is not None
    assert says("within-limits", table, c.SideBet(box=1, amount=99_000), book) is None
    assert says("within-limits", table, ante(1, 99_000)) is None, "no limit is set"
    assert says("limits-lawful", empty(book, ante_min=15_000), c.OpenTable(), book) is None
    assert says("limits-lawful", empty(book, ante_min=15_001), c.OpenTable(), book) is not None
    assert says("limits-lawful", empty(book), c.OpenTable(), book) is None
