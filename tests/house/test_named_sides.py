"""Side wagers by name in a running house: staked by players, kept in the log, counted by the floor, proved again."""

import pytest

from aceking.house.floor import requests as w
from aceking.house.verify import verify
from aceking.table import player as pl
from tests.house.evening import Evening
from tests.named_sides import LANTERN


@pytest.fixture
def house() -> Evening:
    found = Evening().found()
    found.do("max", w.FileBook(files={"lantern.toml": LANTERN.read_text(encoding="utf-8")}))
    found.do("fay", w.SetTable(table="one", name="Own", book="lantern", ante_min=1000, ante_max=9000, attended=False))
    for box in (1, 2):
        found.do(f"p{box}", w.SitRequest(table="one", box=box))
        found.do(f"p{box}", w.BuyIn(table="one", amount=100_000))
    return found


def betting(house: Evening) -> None:
    """Betting is open on a new round."""
    if house.table("one").table.live_round is None:
        house.ring()


def test_players_stake_them_and_the_floor_knows_every_chip(house: Evening) -> None:
    for _ in range(4):
        betting(house)
        for box in (1, 2):
            house.do(f"p{box}", w.PlayRequest(table="one", act=pl.PlaceAnte(box=box, amount=1000)))
            house.do(f"p{box}", w.PlayRequest(table="one", act=pl.PlaceSide(box=box, amount=500, wager="lantern")))
        house.do("p1", w.PlayRequest(table="one", act=pl.PlaceSide(box=1, amount=700, wager="five-plus-one")))
        for box in (1, 2):
            house.do(f"p{box}", w.SayReady(table="one"))
        house.decide()
    one = house.table("one")
    assert one.table.rounds == 4
    assert sum(one.chips(player) for player in one.players) + one.table.accounts.get("tray", 0) == 200_000
    assert one.totals.sides == 4 * 1_700
    assert house.again().floor == house.floor
    assert verify(house.log).floor == house.floor


def test_what_is_wrong_is_refused_by_the_books_clause(house: Evening) -> None:
    betting(house)
    side = pl.PlaceSide(box=1, amount=500, wager="lantern")
    assert house.no("p1", w.PlayRequest(table="one", act=side)) != ""
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000)))
    assert house.no("p1", w.PlayRequest(table="one", act=pl.PlaceSide(box=1, amount=501, wager="lantern"))) == "LAN-2"
    assert house.no("p1", w.PlayRequest(table="one", act=pl.PlaceSide(box=1, amount=100, wager="lamp"))) == "BASE-input"
    house.do("p1", w.PlayRequest(table="one", act=side))
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceSide(box=1, amount=-500, wager="lantern")))
    assert house.table("one").chips("p1") == 99_000
