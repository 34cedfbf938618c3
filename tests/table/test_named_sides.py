"""Side wagers by name at the table: laid down, raised, taken back, locked out, settled, told, and walked over."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from aceking.cards.deck import DECK
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.settlement.scenario_json import result_data, scenario_from_data, settle_in
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver
from aceking.table.mishaps.stakes import void_hand
from aceking.table.money.settling import reckon_again
from aceking.table.replay import replay
from aceking.table.show.explain import explain
from aceking.table.show.offers import Offer, player_offers
from aceking.table.show.view import Viewer, view
from aceking.table.state import balance
from tests.named_sides import LANTERN, PAIRS_UP, lantern, with_side
from tests.rules.test_inheritance import heir
from tests.table.handled import now
from tests.table.saved import dump
from tests.table.test_through_table import play
from tests.torture import walk_once

#: Every word of a side wager in one game against a dealer.
ROWS = (
    'royal_flush = "50{0}", straight_flush = "40{0}", four_of_a_kind = "30{0}", full_house = "6{0}", flush = "5{0}",'
    ' straight = "4{0}", three_of_a_kind = "3{0}", two_pair = "2{0}"'
)
AT_ODDS, AMOUNTS = ROWS.format(" to 1"), ROWS.format("")
MANY = f"""stake = "5"
cards = "dealer"
folded = "stands"
pays = {{ {AT_ODDS}, pair = "push" }}
[clause.set.sides.beta]
min = "1"
max = "3"
cards = "own"
folded = "returned"
needs = "dealer-qualifies"
pays = {{ {AT_ODDS}, pair = "1 to 1" }}
pays_from = "9 9 4 3 2"
returned_from = "A 6 4 3 2"
envy = {{ {AMOUNTS} }}
[clause.set.sides.gamma]
stake = "2"
cards = "own"
folded = "stands"
needs = "dealer-does-not-qualify"
awards = {{ {AMOUNTS}, pair = "1" }}
[clause.set.sides.delta]
stake = "2"
cards = "own-and-up-card"
folded = "lost"
pays = {{ {AT_ODDS} }}
"""
THREE = f"""stake = "5"
cards = "own"
folded = "stands"
pays = {PAIRS_UP}
envy = {{ royal_flush = "50", straight_flush = "40", three_of_a_kind = "30", straight = "4", flush = "2", pair = "1" }}
[clause.set.sides.beta]
min = "1"
max = "3"
cards = "own-and-community"
folded = "returned"
pays = {{ {AT_ODDS} }}
"""


def at_the_antes() -> Driver:
    """Ann and Bob have staked an ante each."""
    driver = Driver(lantern())
    driver.open_bets(list(DECK))
    for box, player in ((1, "Ann"), (2, "Bob")):
        driver.must(c.Ante(box=box, player=player, amount=1_000))
    return driver


def named(amount: int, wager: str | None = "five-plus-one", box: int = 1, **more: Any) -> c.SideBet:
    return c.SideBet(box=box, player="Ann" if box == 1 else "Bob", amount=amount, wager=wager, **more)


def refused(driver: Driver, act: c.Act) -> tuple[str, str]:
    found = driver.do(act)
    assert isinstance(found, Refusal), found
    return found.reason, found.clause


def stakes(driver: Driver, box: int = 1) -> dict[str, int]:
    assert driver.table.round is not None
    return {name: one.stake for name, one in driver.table.round.boxes[box].sides.items()}


def test_a_wager_is_laid_down_by_its_clause_and_lies_on_the_layout() -> None:
    driver = at_the_antes()
    (staked,) = [one for one in driver.must(named(200)) if isinstance(one, ev.Staked)]
    assert (staked.wager, staked.amount, staked.clause) == ("five-plus-one", 200, "LAN-1")
    driver.must(named(500, "lantern"))
    driver.must(named(100, None))
    assert stakes(driver) == {"five-plus-one": 200, "lantern": 500, "progressive": 100}
    assert driver.table.accounts["Ann"] == -1_800
    driver.close_bets(500_000)
    # The chip of the progressive goes to the tray; those of the others stay.
    assert driver.table.accounts["tray"] == 100
    assert driver.table.accounts["layout"] == 2_700


def test_a_wager_with_limits_may_be_raised_and_is_taken_back_whole() -> None:
    driver = at_the_antes()
    driver.must(named(100))
    driver.must(named(9_900))
    assert stakes(driver) == {"five-plus-one": 10_000}
    assert refused(driver, named(1)) == ("the wager five-plus-one is 1 to 100, not 100.01", "LAN-1")
    assert refused(driver, named(-100))[0] == "all of the side wager is taken back, or none"
    driver.must(named(-10_000))
    assert stakes(driver) == {}
    assert driver.table.accounts["Ann"] == -1_000


def test_a_player_who_takes_back_the_ante_takes_back_all_beside_it() -> None:
    driver = at_the_antes()
    driver.must(named(500, "lantern"))
    driver.must(named(100, None))
    driver.must(c.Ante(box=1, player="Ann", amount=-1_000))
    assert stakes(driver) == {}
    assert driver.table.accounts["Ann"] == 0


REFUSED: dict[str, tuple[c.Act, str, str]] = {
    "too little": (named(99), "the wager five-plus-one is 1 to 100, not 0.99", "LAN-1"),
    "too much": (named(10_001), "the wager five-plus-one is 1 to 100, not 100.01", "LAN-1"),
    "unnoticed": (named(10_001, noticed=False), "the wager five-plus-one is 1 to 100, not 100.01", "LAN-1"),
    "not the stake": (named(400, "lantern"), "the wager lantern is exactly 5, not 4", "LAN-2"),
    "no such name": (
        named(100, "lantarn"),
        "the side wager of this book is the progressive and five-plus-one, lantern, not lantarn",
        "BASE-input",
    ),
    "nothing": (named(0), "name an amount greater than zero", "BASE-input"),
    "a coupon": (named(100, means="coupon"), "no coupon stands for the wager five-plus-one", "LAN-1"),
    "another's box": (c.SideBet(box=1, player="Bob", amount=100, wager="lantern"), "box 1 is Ann's", "BASE-box"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_not_taken(case: str) -> None:
    act, reason, clause = REFUSED[case]
    assert refused(at_the_antes(), act) == (reason, clause)


def test_a_wager_needs_an_ante_and_open_bets() -> None:
    driver = at_the_antes()
    says, _ = refused(driver, c.SideBet(box=3, player="Cyd", amount=100, wager="lantern"))
    assert "ante" in says
    driver.close_bets(500_000)
    assert refused(driver, named(500, "lantern"))[0] in ("betting is not open", "the side bets are locked out")


def test_staff_lay_it_down_for_a_player() -> None:
    driver = at_the_antes()
    act = c.PlaceForPlayer(box=1, player="Ann", amount=500, wager="side", side="lantern", role="dealer")
    driver.must(act)
    assert stakes(driver) == {"lantern": 500}


def test_what_the_progressive_demands_is_not_asked_of_a_wager_by_name() -> None:
    driver = at_the_antes()
    driver.must(named(700, lit=False))
    assert stakes(driver) == {"five-plus-one": 700}
    assert refused(driver, named(700, None))[1] != "LAN-1"


def test_the_wagers_are_offered_one_by_one() -> None:
    driver = at_the_antes()

    def offered() -> list[Offer]:
        return [one for one in player_offers(driver.book, driver.table, "Ann") if one.do == "side-bet"]

    assert offered() == [
        Offer(do="side-bet", box=1, amount="1"),
        Offer(do="side-bet", box=1, wager="five-plus-one", least="1", most="100"),
        Offer(do="side-bet", box=1, wager="lantern", amount="5"),
    ]
    driver.must(named(300))
    stopped = replace(driver.table, suspended="a jackpot")
    assert not [one for one in player_offers(driver.book, stopped, "Ann") if one.wager is not None]
    assert offered()[1] == Offer(do="side-bet", box=1, wager="five-plus-one", amount="-3")


ROUND: dict[str, Any] = {
    "dealer": "As Kd 7c 4h 2d",
    "meter": "1000",
    "seats": [
        {"seat": 1, "cards": "Tc Td Th Ts 6c", "ante": "10", "side": "1", "sides": {"lantern": "5"}},
        {"seat": 2, "cards": "Ks Qs Js 9s 3d", "ante": "10", "play": "fold", "sides": {"five-plus-one": "20"}},
        {"seat": 3, "cards": "9c 9h 8s 8d 3h", "ante": "10", "sides": {"five-plus-one": "1", "lantern": "5"}},
        {"seat": 4, "cards": "2c 5h 6s 8h Jd", "ante": "10", "play": "fold", "sides": {"lantern": "5"}},
    ],
}


def through(book_name: str, round_: dict[str, Any]) -> Driver:
    """The round at the table, its wagers by name laid down."""
    return play(load_book(book_name), {key: value for key, value in round_.items() if key != "up"})


def test_the_table_pays_what_settlement_says() -> None:
    driver = through(str(LANTERN), ROUND)
    result = result_data(None, settle_in(scenario_from_data({"book": str(LANTERN), **ROUND})))
    nets = {f"player {seat['seat']}": float(seat["net"]) * 100 for seat in result["seats"]}
    assert {name: driver.table.accounts[name] for name in nets} == nets
    assert balance(driver.table.accounts) == 0
    assert driver.table.accounts["layout"] == 0
    current = driver.table.round
    assert current is not None
    told = [
        (line.seat, line.wager, line.pays, line.envy_of) for line in current.lines if line.wager in driver.book.sides
    ]
    unset = msgspec.UNSET
    assert told == [
        (4, "lantern", 0, unset),
        (4, "lantern", 2_500, 1),
        (3, "five-plus-one", 0, unset),
        (3, "lantern", 2_000, unset),
        (3, "lantern", 2_500, 1),
        (2, "five-plus-one", 30_000, unset),
        (1, "lantern", 150_000, unset),
    ]
    # A folded hand whose wager stands is turned before it is put away.
    assert "turn-hand" in current.boxes[2].acts


def test_a_round_is_told_shown_and_replayed() -> None:
    driver = through(str(LANTERN), ROUND)
    story = explain(driver.book, driver.events)
    assert any("Player 2 stakes 20 on the five-plus-one of box 2 (LAN-1)" in one for one in story)
    assert any("The five-plus-one of 20 of box 2 (player 2) wins 300." in one for one in story)
    assert any(
        one.startswith("For the hand of box 1 (player 1) the lantern of box 3 (player 3) wins 25.") for one in story
    )
    shown = view(driver.book, driver.table, Viewer("surveillance"))
    box = next(one for one in shown.common.boxes if one.box == 3)
    assert [(one.wager, one.stake) for one in box.sides] == [("five-plus-one", "1"), ("lantern", "5")]
    assert [line.envy_of for line in box.lines if line.wager == "lantern"] == [None, 1]
    from aceking.table.dealer.driver import new_table

    again = replay(lantern(), new_table(lantern()), driver.events)
    assert dump(again) == dump(driver.table)


def _random_round(book_name: str, chance: random.Random) -> dict[str, Any]:
    """Four boxes, each with some of the wagers, betting or folding."""
    book = load_book(book_name)
    from aceking.cards.card import name as card_name

    drawn = [card_name(one) for one in chance.sample(DECK, 25)]
    held = book.hands.cards
    seats = []
    for number in range(1, 5):
        own = drawn[(number - 1) * held : number * held]
        seat: dict[str, Any] = {"seat": number, "cards": " ".join(own), "ante": "10", "sides": {}}
        seat["play"] = chance.choice(("bet", "bet", "fold"))
        if seat["play"] == "bet" and book.hands.discards:
            seat["discard"] = chance.choice(own)
        for name, side in book.sides.items():
            if chance.random() < 0.7:
                stake = side.stake or side.max
                assert stake is not None
                seat["sides"][name] = str(stake // 10**book.decimals)
        seats.append(seat)
    bank = " ".join(drawn[20:])
    up = book.deal.up_packet if book.deal.method in book.deal.packets else book.deal.up_single
    faces = {"dealer": bank, "up": drawn[24 if up == "last" else 20]}
    shared = faces if book.dealer is not None else {"community": " ".join(drawn[20:23])}
    return {"seats": seats, **shared}


@pytest.mark.parametrize("older", ["section10", "rws", "washington", "exchange", "colorado-required"])
def test_random_rounds_come_to_what_settlement_says(older: str, tmp_path: Path) -> None:
    text = with_side(THREE if older.startswith("colorado") else MANY, older)
    book = heir(tmp_path, text)
    file, chance = str(tmp_path / "mine.toml"), random.Random(older)
    seen = set()
    for _ in range(12):
        round_ = _random_round(file, chance)
        result = result_data(None, settle_in(scenario_from_data({"book": file, **round_})))
        driver = through(file, round_)
        for seat in result["seats"]:
            seen |= {(line["wager"], line["outcome"]) for line in seat["lines"] if line["wager"] in book.sides}
            net = driver.table.accounts.get(f"player {seat['seat']}", 0)
            assert net == round(float(seat["net"]) * 100)
    assert {wager for wager, _ in seen} == set(book.sides)
    assert {"win", "lose", "returned"} <= {outcome for _, outcome in seen}


@pytest.mark.parametrize("older", ["section10", "rws", "washington", "exchange", "colorado-required"])
def test_a_walk_of_liars_over_wagers_by_name(older: str, tmp_path: Path) -> None:
    file = tmp_path / f"{older}.toml"
    file.write_text(with_side(THREE if older.startswith("colorado") else MANY, older), encoding="utf-8")
    walks = [walk_once(str(file), 500 + seed, steps=200) for seed in range(4)]
    book = load_book(str(file))
    laid = [one for walk in walks for one in walk.events if isinstance(one, ev.Staked) and one.wager in book.sides]
    assert laid, "no wager by name was laid down"


def test_a_walk_over_the_example() -> None:
    walks = [walk_once(str(LANTERN), 70 + seed, steps=250) for seed in range(3)]
    laid = {one.wager for walk in walks for one in walk.events if isinstance(one, ev.Staked)}
    assert laid >= {"lantern", "five-plus-one"}


def test_envy_goes_back_with_the_hand_that_it_was_paid_for() -> None:
    driver = through(str(LANTERN), ROUND)
    paid = {name: driver.table.accounts[name] for name in ("player 3", "player 4")}
    out = now(driver).after(void_hand(now(driver), 1, "X"))
    again = reckon_again(driver.book, out.table)
    assert isinstance(again, list)
    after = out.after(again).table
    # Box 1 held four tens: 25 for each of the two lanterns beside it.
    assert {name: paid[name] - after.accounts[name] for name in paid} == {"player 3": 2_500, "player 4": 2_500}
    assert (after.accounts["player 1"], balance(after.accounts)) == (0, 0)
