"""Table and meter in one unit: a jackpot by three persons, two tables on one meter, what the meter refuses."""

from typing import Any

import pytest

from aceking.cards.card import cards
from aceking.house.floor import requests as w
from aceking.house.floor.states import FloorTable
from aceking.house.verify import verify
from aceking.meter.state import display, identity
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.table import commands as c
from aceking.table import player as pl
from aceking.table.cards.deal_order import next_due
from aceking.table.dealer.next_act import due
from tests.house.by_hand import entered
from tests.house.evening import Evening

ROYAL = [int(one) for one in cards("As Ks Qs Js Ts")]
CONFIG: dict[str, Any] = {
    "do": "configure",
    "base": 1_000_000,
    "reset": 500_000,
    "rate": "70%",
    "executive_from": 100_000,
}
AWARDS = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "100", "flush": "50"}


def linked(
    book: str, tables: tuple[str, ...], awards: dict[str, str] | None = None, *, house: Evening | None = None
) -> Evening:
    """A house with live tables on one meter."""
    house = (house or Evening()).found()
    config = CONFIG | {
        "tables": dict.fromkeys(tables, book),
        "currency": load_book(book).currency,
        "awards": awards or {},
    }
    house.do("sam", w.OnMeter(meter="m", act=config))
    assert "m" not in house.floor.meters
    house.do("eve", w.Approve(number=1))
    house.do("eve", w.OnMeter(meter="m", act={"do": "open"}))
    for table in tables:
        posted: dict[str, Any] = {"ante_min": 1000, "ante_max": 10_000, "reset": 500_000, "awards": awards or {}}
        house.do("fay", w.SetTable(table=table, name=table, book=book, mode="live", meter="m", **posted))
    return house


class Dealing:
    """A live dealer who does what is due, and deals these cards to the first box."""

    def __init__(self, house: Evening, table: str, player: str, hand: list[int]) -> None:
        self.house, self.name, self.player, self.hand = house, table, player, list(hand)
        self.rest = [card for card in range(51, -1, -1) if card not in hand]
        self.house.chance.shuffle(self.rest)
        house.do(player, w.SitRequest(table=table, box=1))
        house.do(player, w.BuyIn(table=table, amount=50_000))

    @property
    def one(self) -> FloorTable:
        return self.house.table(self.name)

    def until(self, *kinds: type[c.Act]) -> c.Act | c.Report | None:
        """Does what is due until this would be next."""
        book = load_book(self.one.posted.book)
        assert book.progressive is not None
        for _ in range(300):
            current = self.one.table.live_round
            if self.one.table.round is not None and self.one.table.round.phase == "done":
                return None
            act = due(book, self.one.table, betting_may_close=bool(current and current.dealt_in))
            if isinstance(act, kinds):
                return act
            if act is not None:
                self._do(act)
                continue
            assert current is not None
            assert self.one.table.holding is None, self.one.table.holding
            self._player(current.phase, book.progressive.stake)
        raise AssertionError("it never ends")

    def _player(self, phase: str, stake: int) -> None:
        current = self.one.table.live_round
        assert current is not None
        if phase == "betting":
            self._play(pl.PlaceAnte(box=1, amount=1000))
            self._play(pl.PlaceSide(box=1, amount=stake))
        else:
            self._play(pl.MakeBet(box=1) if current.boxes[1].seen else pl.SeeHand(box=1))

    def _play(self, act: pl.PlayerCommand) -> None:
        self.house.do(self.player, w.PlayRequest(table=self.name, act=act))

    def _do(self, act: c.Act | c.Report) -> None:
        assert isinstance(act, c.Act)
        book = load_book(self.one.posted.book)
        who, body = entered(book, self.one, act, player=self.player, cards=lambda size: self._cards(book, act, size))
        self.house.do(who, body)

    def _cards(self, book: Book, act: c.Act, size: int) -> list[int]:
        current = self.one.table.live_round
        assert current is not None
        to = next_due(book, current) if isinstance(act, c.DealCard | c.DealPacket) else None
        deck = self.hand if to is not None and "box" in str(to) else self.rest
        return [deck.pop() for _ in range(size)]


def test_a_royal_flush_empties_the_meter_by_three_persons_and_both_streams_agree() -> None:
    house = linked("washington", ("a",), AWARDS)
    dealing = Dealing(house, "a", "p1", ROYAL)
    dealing.until(c.Validate)
    state = house.floor.meters["m"]
    assert display(state) == 500_000  # locked, and the meter shows its reset value
    [award] = state.awards.values()
    assert (award.amount, award.step) == (1_000_070, "called")
    assert house.no("deb", w.TableAct(table="a", act={"do": "supervisor-validated", "box": 1})) != ""
    dealing.until(c.SwipeCard)
    swipe = {"do": "card-swipe", "box": 1, "card": "executive"}
    assert house.no("sam", w.TableAct(table="a", act=swipe, role="supervisor")) != ""  # sam has confirmed it
    dealing.until()
    one, state = house.table("a"), house.floor.meters["m"]
    assert one.chips("p1") >= 50_000 + 1_000_070 - 100
    assert (state.counters.paid, state.counters.hits, identity(state)) == (1_000_070 * state.scale, 1, 0)
    assert {award.step for award in state.hits} == {"paid"}
    assert verify(house.log).floor == house.floor


def test_where_the_book_has_no_card_to_swipe_the_meter_still_wants_a_third_person() -> None:
    house = linked("section10", ("a",))
    dealing = Dealing(house, "a", "p1", ROYAL)
    dealing.until(c.PayAward)
    pay = {"do": "pay-award", "box": 1}
    before = house.floor
    assert house.no("deb", w.TableAct(table="a", act=pay)) != ""
    assert house.floor.tables == before.tables
    sign = {"do": "sign", "table": "a", "seat": 1, "amount": 1_000_070}
    assert house.no("sam", w.OnMeter(meter="m", act=sign)) == "R16"
    house.do("eve", w.OnMeter(meter="m", act=sign))
    dealing.until()
    assert house.floor.meters["m"].counters.hits == 1


def test_what_other_tables_fed_meanwhile_is_the_winners_and_the_table_is_told() -> None:
    house = linked("section10", ("a", "b"))
    first = Dealing(house, "a", "p1", ROYAL)
    first.until(c.Reveal)  # the meter was read at its lock-out: 1,000,070
    second = Dealing(house, "b", "p2", [0, 5, 10, 15, 24])
    second.until(c.Reveal)  # and fed again by the other table
    assert display(house.floor.meters["m"]) == 1_000_140
    first.until(c.Validate)
    current = house.table("a").table.round
    assert current is not None
    assert current.meter == 1_000_070
    assert current.from_meter == {1: 1_000_140}
    assert [line.pays for line in current.lines if line.wager == "side"] == [1_000_140]


def test_nobody_but_the_meter_says_what_an_award_comes_to() -> None:
    house = linked("section10", ("a",))
    dealing = Dealing(house, "a", "p1", ROYAL)
    dealing.until(c.Validate)
    told = {"do": "award-locked", "box": 1, "amount": 5_000_000, "from_meter": 5_000_000}
    for who in ("deb", "fay", "sam", "eve", "max"):
        assert house.no(who, w.TableAct(table="a", act=told)) != ""
    house.do("max", w.AddPerson(name="sensor", role="device"))
    assert house.no("sensor", w.TableAct(table="a", act=told)) == "HOUSE-meter"


@pytest.mark.parametrize("first", ["sam", "eve"])
def test_a_meter_is_set_up_by_two_persons_of_different_roles(first: str) -> None:
    house = Evening().found()
    config = CONFIG | {"tables": {"a": "section10"}, "currency": "USD"}
    house.do(first, w.OnMeter(meter="m", act=config))
    assert house.no(first, w.Approve(number=1)) == "HOUSE-two"
    assert house.no("fay", w.Approve(number=1)) == "HOUSE-two"
    assert house.no("sam", w.OnMeter(meter="m", act=config | {"by": "eve"})) == "HOUSE-input"
    assert house.no("sam", w.OnMeter(meter="m", act={"do": "start-game", "table": "a"})) == "HOUSE-input"
    house.do("eve" if first == "sam" else "sam", w.Approve(number=1))
    assert house.floor.meters["m"].phase == "closed"
    assert house.floor.meters["m"].people["deb"] == "dealer"


def test_a_meter_stays_open_as_long_as_a_table_plays_on_it_by_itself() -> None:
    """The dealer of a live table is told that the meter is not in operation; a program at a table would be stuck."""
    house = Evening().found()
    config = CONFIG | {"tables": {"one": "rws"}, "currency": "SGD", "awards": {}}
    house.do("sam", w.OnMeter(meter="n", act=config))
    house.do("eve", w.Approve(number=1))
    posted: dict[str, Any] = {"ante_min": 1000, "ante_max": 10_000, "reset": 500_000, "attended": False}
    body = w.SetTable(table="one", name="one", book="rws", meter="n", **posted)
    assert house.no("fay", body) == "HOUSE-meter"  # it was never opened
    house.do("eve", w.OnMeter(meter="n", act={"do": "open"}))
    house.open("rws", players=2, meter="n", reset=500_000)
    house.play("one")
    assert house.no("eve", w.OnMeter(meter="n", act={"do": "close"})) == "HOUSE-meter"
    house.play("one")
    house.do("fay", w.CloseTable(table="one"))
    house.do("eve", w.OnMeter(meter="n", act={"do": "close"}))
    assert house.floor.meters["n"].phase == "closed"


def test_a_round_goes_on_when_its_award_is_signed_on_the_meter_and_nobody_is_at_the_table() -> None:
    """Players may have left, and no clock runs: the signature itself is what the table waits for."""
    house = Evening(seed=5).found()
    config = CONFIG | {"tables": {"a": "section10"}, "currency": "USD", "executive_from": 1}
    house.do("sam", w.OnMeter(meter="m", act=config))
    house.do("eve", w.Approve(number=1))
    house.do("eve", w.OnMeter(meter="m", act={"do": "open"}))
    posted: dict[str, Any] = {"ante_min": 1000, "ante_max": 10_000, "reset": 500_000, "meter": "m"}
    house.do("fay", w.SetTable(table="a", name="a", book="section10", **posted))
    for box in range(1, 8):
        house.do(f"p{box}", w.SitRequest(table="a", box=box))
        house.do(f"p{box}", w.BuyIn(table="a", amount=900_000))
    award = None
    while award is None:
        if house.table("a").table.live_round is None:
            house.ring("a")
        for box in range(1, 8):
            house.do(f"p{box}", w.PlayRequest(table="a", act=pl.PlaceAnte(box=box, amount=1000)))
            house.do(f"p{box}", w.PlayRequest(table="a", act=pl.PlaceSide(box=box, amount=100)))
        for box in range(1, 8):
            house.do(f"p{box}", w.SayReady(table="a"))
        for box in range(1, 8):
            house.do(f"p{box}", w.PlayRequest(table="a", act=pl.SeeHand(box=box)))
        for box in range(1, 8):
            house.do(f"p{box}", w.PlayRequest(table="a", act=pl.MakeBet(box=box)))
        current = house.table("a").table.live_round
        award = next(iter(current.awards.values()), None) if current is not None else None
    house.do("sam", w.TableAct(table="a", act={"do": "supervisor-validated", "box": award.seat}))
    assert house.table("a").table.live_round is not None
    sign = {"do": "sign", "table": "a", "seat": award.seat, "amount": award.amount}
    told = house.do("eve", w.OnMeter(meter="m", act=sign))
    assert set(told.done) == {"meter/m", "table/a"}
    assert house.table("a").table.live_round is None
    assert house.floor.meters["m"].awards == {}
    verify(house.log)


def test_a_request_on_a_meter_that_names_no_table_is_refused_and_nothing_else() -> None:
    house = linked("section10", ("a",))
    for named in (["a"], {"a": 1}, 3, None, "nowhere"):
        assert house.no("eve", w.OnMeter(meter="m", act={"do": "sign", "table": named, "seat": 1, "amount": 1}))
