"""EUR-p25-declare: a hand for a share of the meter stops the games of linked tables; its own goes on to its award."""

from typing import Any, Literal

import pytest

from aceking.house.floor import requests as w
from aceking.house.robots import signature
from aceking.house.verify import verify
from aceking.rules.reading.load import load_book
from aceking.table import commands as c
from aceking.table import player as pl
from tests.house.evening import Evening
from tests.house.test_jackpot import CONFIG, ROYAL, Dealing

AWARDS = {"four_of_a_kind": "500", "full_house": "100", "flush": "50"}
Mode = Literal["live", "electronic"]
RESUME = w.TableAct(table="b", act={"do": "resume-tables"}, role="house")


def _linked(*modes: Mode) -> tuple[Evening, Dealing]:
    """Tables a, b and so on of these modes on one meter, and a royal flush at the first, which is live."""
    house, tables = Evening().found(), "abc"[: len(modes)]
    on = {"tables": dict.fromkeys(tables, "exchange"), "currency": load_book("exchange").currency, "awards": AWARDS}
    house.do("sam", w.OnMeter(meter="m", act=CONFIG | on))
    house.do("eve", w.Approve(number=1))
    house.do("eve", w.OnMeter(meter="m", act={"do": "open"}))
    for table, mode in zip(tables, modes, strict=True):
        posted: dict[str, Any] = {"ante_min": 1000, "ante_max": 10_000, "reset": 500_000, "awards": AWARDS}
        extra: dict[str, Any] = {"attended": False} if mode == "electronic" else {}
        house.do("fay", w.SetTable(table=table, name=table, book="exchange", mode=mode, meter="m", **posted, **extra))
        if mode == "electronic":
            house.do("p2", w.SitRequest(table=table, box=2))
            house.do("p2", w.BuyIn(table=table, amount=50_000))
            house.do("p2", w.PlayRequest(table=table, act=pl.PlaceAnte(box=2, amount=1000)))
    return house, Dealing(house, "a", "p1", ROYAL)


def _stopped(house: Evening) -> set[str]:
    return {name for name, one in house.floor.tables.items() if one.table.suspended is not None}


def _on_meter(house: Evening) -> set[str]:
    return {name for name, one in house.floor.meters["m"].tables.items() if one.suspended}


def _sign(house: Evening, dealing: Dealing) -> None:
    dealing.until(c.PayAward)
    found = signature(house.floor, house.table("a"), 1, "eve")
    assert found is not None
    house.do(found[0], found[2])


@pytest.mark.parametrize("modes", [("live",), ("live", "live"), ("live", "electronic"), ("live", "electronic", "live")])
def test_the_others_stand_still_until_the_award_is_signed_and_its_own_table_goes_on_to_it(
    modes: tuple[Mode, ...],
) -> None:
    house, dealing = _linked(*modes)
    dealing.until(c.Validate)
    assert _stopped(house) == {*house.floor.tables} - {"a"}
    assert _on_meter(house) == {*house.floor.tables}, "no table begins a round meanwhile"
    _sign(house, dealing)
    if "electronic" in modes:
        assert _stopped(house) == _on_meter(house) == set(), "the program lets all of them go on"
    else:
        assert _stopped(house) == _on_meter(house) == {*house.floor.tables} - {"a"}
    dealing.until()
    assert house.floor.meters["m"].counters.hits == 1
    assert house.table("a").table.live_round is None
    assert verify(house.log).floor == house.floor


def test_a_person_lets_a_live_table_go_on_once_the_award_is_signed_and_not_before() -> None:
    house, dealing = _linked("live", "live")
    dealing.until(c.Validate)
    assert house.no("eve", RESUME) == "EUR-p25-declare"
    _sign(house, dealing)
    house.do("eve", RESUME)
    assert _stopped(house) == _on_meter(house) == set()


def test_a_player_at_a_paused_table_waits_and_its_clocks_stand_still() -> None:
    house, dealing = _linked("live", "electronic")
    dealing.until(c.Validate)
    assert house.no("p2", w.PlayRequest(table="b", act=pl.PlaceAnte(box=2, amount=2000))) == "EUR-p25-declare"
    _sign(house, dealing)
    house.ring("b")
    current = house.table("b").table.live_round
    assert current is not None
    assert current.phase == "deciding"
