"""Robots sit at tables of every kind of book, and whatever their style a round comes to its end by their acts."""

import random

import pytest

from aceking.house.floor import requests as w
from aceking.house.robots import RobotPlayer, Style, act_named, request_of
from aceking.table.state import Round
from tests.house.evening import Evening
from tests.house.test_sold_cards import BOOKS, dealt, round_of

#: Each with a style at every box; what is slow to value is played well at one box.
STYLES: tuple[Style, ...] = ("well", "by-thumb", "badly")
ROUNDS = 3


def house_of(book: str) -> Evening:
    house = Evening(seed=3).found()
    file = BOOKS / f"{book}.toml"
    if file.exists():
        house.do("max", w.FileBook(files={file.name: file.read_text(encoding="utf-8")}))
    house.do("fay", w.SetTable(table="one", name="One", book=book, ante_min=1000, ante_max=9000, attended=False))
    return house


def played(house: Evening, *, rounds: int, styles: tuple[Style, ...] = STYLES) -> list[Round]:
    """Let the robots send requests in turn until N rounds are over; none of the requests is refused."""
    dice = random.Random(5)
    robots = [RobotPlayer(f"p{box}", style, "one", box) for box, style in enumerate(styles, start=1)]
    done: list[Round] = []
    for _ in range(40 * rounds):
        before = house.floor
        for robot in robots:
            if (body := request_of(house.floor, robot, dice)) is not None:
                house.do(robot.name, body)
        if house.floor is before:
            house.ring()
        current = house.table("one").table.round
        if current is not None and current.phase == "done" and current not in done:
            done.append(current)
            if len(done) == rounds:
                return done
    raise AssertionError("the robots do not come to an end")


@pytest.mark.parametrize("book", ["quartet", "trio", "russian", "lantern", "raise", "exchange", "colorado-permissible"])
def test_robots_of_every_style_play_rounds_to_their_end(book: str) -> None:
    house = house_of(book)
    for current in played(house, rounds=ROUNDS):
        assert sorted(current.boxes) == [1, 2, 3]
        assert all(box.ante for box in current.boxes.values())
    assert house.again().floor == house.floor


def test_the_best_exchange_by_its_name_is_an_act_that_the_house_takes() -> None:
    """Of one card, and of several by a price list."""
    house, dice = house_of("oasis"), random.Random(5)
    robots = [RobotPlayer(f"p{box}", "by-thumb", "one", box) for box in (1, 2)]
    for robot in robots:
        house.do(robot.name, w.SitRequest(table="one", box=robot.box))
        house.do(robot.name, request_of(house.floor, robot, dice))
    dealt(house)
    for robot, count in zip(robots, (1, 3), strict=True):
        offers = house.offers("one", robot.name)
        cards = offers["exchange"].cards[:count]
        act = act_named(robot, f"exchange {' '.join(cards)}", offers, 1000, discards=0)
        house.do(robot.name, w.PlayRequest(table="one", act=act))
        assert len(round_of(house).boxes[robot.box].gave) == count
        house.do(robot.name, request_of(house.floor, robot, dice))
    assert round_of(house).phase == "done"


def test_a_robot_without_a_purse_decides_what_it_has_staked_and_stakes_no_more() -> None:
    house, robot, dice = house_of("trio"), RobotPlayer("p1", "by-thumb", "one", 1), random.Random(1)
    house.do("p1", w.SitRequest(table="one", box=1))
    house.do("p1", w.BuyIn(table="one", amount=8_000))
    house.bets(ante=4_000)
    house.do("cas", w.Withdraw(player="p1", currency="USD", amount=992_000))
    while (body := request_of(house.floor, robot, dice)) is not None and house.table(
        "one"
    ).table.live_round is not None:
        house.do("p1", body)
    assert round_of(house).phase == "done"
    if house.table("one").chips("p1") < 8_000:
        assert request_of(house.floor, robot, dice) is None
