"""By what means, how much and for how many games a player stakes, each condition on both sides of its line."""

import dataclasses
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.reading.load import load_book
from aceking.rules.words import Condition
from aceking.table import commands as c
from aceking.table.state import Box, SideWager, TableState
from tests.table.test_deck_conditions import says, table
from tests.table.test_out_of_time import at

STUD = load_book("section10")
BARE = table()
ONE: dict[str, Any] = {"box": 1, "player": "Ann", "amount": 100}


def taking(*, match_play: bool = True, coupons: Any = True, means: Any = ("chips", "plaques")) -> Book:
    assert STUD.progressive is not None
    wagers = dataclasses.replace(STUD.wagers, means=means, match_play=match_play)
    progressive = dataclasses.replace(STUD.progressive, coupons=coupons)
    return dataclasses.replace(STUD, wagers=wagers, progressive=progressive)


@pytest.mark.parametrize(
    "means", [None, "chips", "plaques", "chip", "Gaming chips", "a casino plaque", "one gaming chip"]
)
def test_chips_by_any_name_are_chips(means: str | None) -> None:
    for act in (
        c.Ante(**ONE, means=means),
        c.Bet(box=1, means=means),
        c.SideBet(**ONE, means=means),
        c.Exchange(box=1, give=(0,), means=means),
    ):
        assert says("chips-not-cash", BARE, act, taking()) is None


@pytest.mark.parametrize("means", ["cash", "golden chips", "chips and cash", ""])
def test_what_is_no_chip_is_refused(means: str) -> None:
    for act in (c.Ante(**ONE, means=means), c.Bet(box=1, means=means), c.SideBet(**ONE, means=means)):
        found = says("chips-not-cash", BARE, act, taking())
        assert found == f"wagers are made with chips on the layout, not with {means}"
    chips_only = taking(means=("chips",))
    assert says("chips-not-cash", BARE, c.Ante(**ONE, means="chips"), chips_only) is None
    assert says("chips-not-cash", BARE, c.Ante(**ONE, means="plaque"), chips_only) == (
        "wagers are made with chips on the layout, not with plaques"
    )


def test_a_coupon_is_for_the_wager_that_it_is_for() -> None:
    not_with = "wagers are made with chips on the layout, not with "
    place = c.PlaceForPlayer(**ONE, wager="side", means="coupon")
    cases: list[tuple[c.Act, Book, str | None]] = [
        (c.Ante(**ONE, means="match play coupon"), taking(), None),
        (c.Ante(**ONE, means="match play coupon"), taking(match_play=False), f"{not_with}match play coupon"),
        (c.Ante(**ONE, means="progressive coupon"), taking(), f"{not_with}progressive coupon"),
        (c.SideBet(**ONE, means="coupon"), taking(), None),
        (c.SideBet(**ONE, means="coupon"), taking(coupons=False), None),
        (c.SideBet(**ONE, means="coupon"), taking(coupons=None), f"{not_with}coupon"),
        (place, taking(match_play=False), None),
        (replace(place, wager="ante"), taking(match_play=False), f"{not_with}coupon"),
        (c.SideBet(**ONE, means="coupon"), dataclasses.replace(taking(), progressive=None), f"{not_with}coupon"),
    ]
    for act, book, why in cases:
        assert says("chips-not-cash", BARE, act, book) == why, act
    refused = "the house takes no coupon for this wager"
    for means, coupons, taken in (("coupon", False, False), ("coupon", True, True), ("chips", False, True)):
        act = c.SideBet(**ONE, means=means)
        assert says("coupon-accepted", BARE, act, taking(coupons=coupons)) == (None if taken else refused)
    without = dataclasses.replace(taking(), progressive=None)
    assert says("coupon-accepted", BARE, c.SideBet(**ONE, means="coupon"), without) is None


def test_a_side_wager_of_one_chip_is_a_chip() -> None:
    for means, coupons, one_chip in (
        (None, False, True),
        ("chips", False, True),
        ("chip", False, True),
        ("plaque", False, False),
        ("coupon", True, True),
        ("coupon", False, False),
        ("match coupon", True, False),
        ("cash", True, False),
    ):
        found = says("chip-only", BARE, c.SideBet(**ONE, means=means), taking(coupons=coupons))
        named = "plaques" if means == "plaque" else means
        assert found == (None if one_chip else f"this wager is one chip, not {named}"), means
    without = dataclasses.replace(taking(), progressive=None)
    assert says("chip-only", BARE, c.SideBet(**ONE, means="coupon"), without) == "this wager is one chip, not coupon"


def with_boxes(*boxes: Box) -> TableState:
    there = at(STUD, "bets-opened").table
    assert there.round is not None
    return replace(there, round=replace(there.round, boxes={one.number: one for one in boxes}))


def of_games(most: int | None, what: Any) -> Book:
    return dataclasses.replace(STUD, table=dataclasses.replace(STUD.table, games_per_player=most, games_are=what))


def test_hands_are_counted_as_games() -> None:
    word: Condition = "within-games"
    book = of_games(2, "hands")
    mine = [Box(number=number, player="Ann", ante=1000) for number in (1, 2)]
    third = c.Ante(box=3, player="Ann", amount=100)
    too_many = "3 games; a player may wager on 2"
    assert says(word, with_boxes(*mine), third, book) == too_many
    assert says(word, with_boxes(*mine), third, of_games(3, "hands")) is None
    assert says(word, with_boxes(*mine), third, of_games(None, "hands")) is None
    assert says(word, with_boxes(*mine), c.Ante(box=3, player="Bob", amount=100), book) is None
    assert says(word, with_boxes(*mine), c.Ante(box=2, player="Ann", amount=100), book) is None
    assert says(word, with_boxes(*mine), replace(third, amount=-100), book) is None
    assert says(word, with_boxes(mine[0], replace(mine[1], ante=0)), third, book) is None
    assert says(word, replace(with_boxes(*mine), round=None), third, book) is None
    assert says(word, with_boxes(*mine), c.Fold(box=3), book) is None
    # Whose box it is counts, not who is named.
    others = Box(number=3, player="Bob", ante=1000)
    assert says(word, with_boxes(*mine, others), third, book) is None


def test_ante_and_side_wager_are_games_with_those_elsewhere() -> None:
    word: Condition = "within-games"
    side = {"progressive": SideWager(100)}
    for box, act, games in (
        (None, c.Ante(**ONE), 1),
        (None, c.Ante(**ONE, games=2), 3),
        (Box(number=1, player="Ann", ante=100), c.SideBet(**ONE), 2),
        (Box(number=1, player="Ann", ante=100, games=1), c.SideBet(**ONE), 3),
        (Box(number=1, player="Ann", ante=100, games=1), c.SideBet(**ONE, games=2), 4),
        (Box(number=1, player="Ann", sides=side), c.SideBet(**ONE), 1),
        (Box(number=1, player="Ann", ante=100), c.Ante(**ONE), 1),
        (Box(number=1, player="Ann", ante=100, sides=side), c.Ante(**ONE), 2),
    ):
        there = with_boxes(*([box] if box is not None else []))
        assert says(word, there, act, of_games(games, "wagers-on-one-hand")) is None, (box, act)
        over = says(word, there, act, of_games(games - 1, "wagers-on-one-hand"))
        assert over == f"{games} games; a player may wager on {games - 1}"


def test_the_bet_that_an_ante_calls_for_is_within_the_law() -> None:
    condition: Condition = "within-limits"
    why = "the bet on this ante would pass the authorised limit"
    antes = STUD.bet.antes
    book = dataclasses.replace(STUD, table=dataclasses.replace(STUD.table, wager_max=Amount(1000 * antes)))
    empty, staked = with_boxes(), with_boxes(Box(number=1, player="Ann", ante=400))
    ante = c.Ante(box=1, player="Ann", amount=1000)
    assert says(condition, empty, ante, book) is None
    assert says(condition, empty, replace(ante, amount=1001), book) == why
    assert says(condition, staked, replace(ante, amount=600), book) is None
    assert says(condition, staked, replace(ante, amount=601), book) == why
    assert says(condition, replace(staked, round=None), replace(ante, amount=601), book) is None
    place = c.PlaceForPlayer(box=1, player="Ann", wager="ante", amount=1001)
    assert says(condition, empty, place, book) == why
    assert says(condition, empty, c.SideBet(box=1, player="Ann", amount=9999), book) is None
    free = dataclasses.replace(STUD, table=dataclasses.replace(STUD.table, wager_max=None))
    assert says(condition, empty, replace(ante, amount=1001), free) is None


def test_dealing_from_the_hand_needs_a_shuffler() -> None:
    why = "dealing from the hand needs an automated shuffler"

    def book_of(needs: Any, method: Any) -> Book:
        deal = dataclasses.replace(STUD.deal, method="hand", needs_automated_shuffle=needs)
        assert STUD.shuffle is not None
        shuffle = dataclasses.replace(STUD.shuffle, method=method) if method else None
        return dataclasses.replace(STUD, deal=deal, shuffle=shuffle)

    for needs, method, refused in (
        (("hand",), "manual", True),
        (("hand",), "automated", False),
        (("hand",), None, False),
        (("manual-shoe",), "manual", False),
        (None, "manual", False),
    ):
        found = says("automated-shuffle", BARE, c.OpenTable(), book_of(needs, method))
        assert found == (why if refused else None), (needs, method)


def test_a_stack_is_of_the_size_of_a_hand() -> None:
    size = STUD.hands.cards
    for packet, right in ((None, True), (size, True), (size - 1, False), (size + 1, False)):
        found = says("packet-of-right-size", BARE, c.ConfigureTable(packet=packet))
        assert found == (None if right else f"a stack has {size} cards, not {packet}")
    assert says("packet-of-right-size", BARE, c.OpenTable()) is None


def test_who_has_decided_decides_no_more() -> None:
    there = at(STUD, "dealt").table
    assert there.round is not None
    boxes = there.round.boxes
    decided = replace(there, round=replace(there.round, boxes={**boxes, 1: replace(boxes[1], choice="bet")}))
    assert says("not-yet-decided", decided, c.Fold(box=1)) == "box 1 has decided"
    assert says("not-yet-decided", decided, c.Fold(box=2)) is None
    assert says("not-yet-decided", decided, c.Fold(box=7)) is None


def test_cards_and_duties_are_kept_or_the_remark_says_what_was_seen() -> None:
    words: tuple[Condition, ...] = ("in-view", "duty-kept")
    for word in words:
        assert says(word, BARE, c.KeepInView(box=1, kept=True)) is None
        assert says(word, BARE, c.KeepInView(box=1, kept=False)) == "the cards are not in view above the table"
        assert says(word, BARE, c.KeepInView(box=1, kept=False, remark="held below")) == "held below"
        assert says(word, BARE, c.OpenTable()) is None
