"""Houses that sell several cards, or one for the dealer, run by themselves: chips, clocks, and the log read again."""

from pathlib import Path

import pytest

from aceking.house.floor import requests as w
from aceking.house.floor.play import acts
from aceking.table import player as pl
from aceking.table.state import Round
from tests.house.evening import Evening

BOOKS = Path(__file__).resolve().parent.parent.parent / "examples" / "books"


def house_of(book: str, *, players: int = 3, chips: int = 50_000) -> Evening:
    house = Evening(seed=3).found()
    house.do("max", w.FileBook(files={f"{book}.toml": (BOOKS / f"{book}.toml").read_text(encoding="utf-8")}))
    house.do("fay", w.SetTable(table="one", name="One", book=book, ante_min=1000, ante_max=9000, attended=False))
    for box in range(1, players + 1):
        house.do(f"p{box}", w.SitRequest(table="one", box=box))
        house.do(f"p{box}", w.BuyIn(table="one", amount=chips))
    return house


def round_of(house: Evening) -> Round:
    current = house.table("one").table.round
    assert current is not None
    return current


def dealt(house: Evening) -> None:
    house.bets()
    for box, player in sorted(house.table("one").seats.items()):
        house.do(player, w.PlayRequest(table="one", act=pl.SeeHand(box=box)))


def test_several_cards_are_bought_with_what_lies_before_the_player() -> None:
    house = house_of("oasis", players=2, chips=5_000)
    dealt(house)
    hand = house.offers("one", "p1")["exchange"].cards
    three = " ".join(hand[:3])
    house.do("p1", w.PlayRequest(table="one", act=pl.BuyCard(box=1, give=three)))
    assert house.table("one").chips("p1") == 1_000
    assert house.no("p1", w.PlayRequest(table="one", act=pl.MakeBet(box=1))) == "HOUSE-chips"
    house.do("p1", w.BuyIn(table="one", amount=1_000))
    house.do("p1", w.PlayRequest(table="one", act=pl.MakeBet(box=1)))
    house.do("p2", w.PlayRequest(table="one", act=pl.GiveUp(box=2)))
    assert round_of(house).phase == "done"
    assert house.again().floor == house.floor


def test_a_price_beyond_the_chips_of_the_player_is_refused() -> None:
    house = house_of("oasis", players=1, chips=3_999)
    dealt(house)
    hand = house.offers("one", "p1")["exchange"].cards
    three = w.PlayRequest(table="one", act=pl.BuyCard(box=1, give=" ".join(hand[:3])))
    assert house.no("p1", three) == "HOUSE-chips"
    house.do("p1", w.BuyIn(table="one", amount=1))
    house.do("p1", three)


def waiting(house: Evening) -> list[int]:
    """Rounds until the dealer shows no hand: the boxes that are asked."""
    for _ in range(30):
        dealt(house)
        for box, player in sorted(house.table("one").seats.items()):
            house.do(player, w.PlayRequest(table="one", act=pl.MakeBet(box=box)))
        if round_of(house).buying:
            return [box.number for box in round_of(house).buying]
    raise AssertionError("the dealer always has a hand")


def test_the_house_waits_for_every_box_and_then_draws_one_card() -> None:
    house = house_of("russian")
    assert waiting(house) == [1, 2, 3]
    assert house.no("p1", w.PlayRequest(table="one", act=pl.BuyForDealer(box=2, buys=True))) != ""
    before = house.table("one").chips("p1")
    house.do("p1", w.PlayRequest(table="one", act=pl.BuyForDealer(box=1, buys=True)))
    assert house.table("one").chips("p1") == before - 1_000
    house.do("p3", w.PlayRequest(table="one", act=pl.BuyForDealer(box=3, buys=False)))
    assert round_of(house).phase == "revealed"
    house.do("p2", w.PlayRequest(table="one", act=pl.BuyForDealer(box=2, buys=False)))
    current = round_of(house)
    assert (current.phase, current.bought is not None) == ("done", True)
    assert [line.seat for line in current.lines if line.wager == "bought"] == [1]
    assert house.again().floor == house.floor


def test_whose_clock_runs_out_buys_nothing_and_the_round_ends() -> None:
    house = house_of("russian")
    waiting(house)
    house.do("p2", w.PlayRequest(table="one", act=pl.BuyForDealer(box=2, buys=True)))
    found = acts.deadline(house.table("one"))
    assert found is not None
    assert found[1] == "decision"
    house.ring()
    current = round_of(house)
    assert (current.phase, [box.buys for box in current.boxes.values()]) == ("done", [False, True, False])
    assert house.again().floor == house.floor


@pytest.mark.parametrize("chips", [3_999, 4_000])
def test_a_card_for_the_dealer_is_bought_with_what_lies_before_the_player(chips: int) -> None:
    house = house_of("russian", players=1, chips=50_000)
    waiting(house)
    left = house.table("one").chips("p1")
    house.do("p1", w.CashOut(table="one", amount=left - (chips - 3_000)))
    buys = w.PlayRequest(table="one", act=pl.BuyForDealer(box=1, buys=True))
    if chips < 4_000:
        assert house.no("p1", buys) == "HOUSE-chips"
    else:
        house.do("p1", buys)
        assert round_of(house).bought is not None
