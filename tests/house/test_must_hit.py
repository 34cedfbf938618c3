"""A must-hit-by meter on the floor: fed by the wagers of its tables, won by one of them, checked from the log alone."""

from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from aceking.commands.house.verify import verify as command
from aceking.house.floor import requests as w
from aceking.house.floor.roles import Role
from aceking.house.record import Unit
from aceking.house.store.open import open_store
from aceking.house.verify import Wrong, verify
from aceking.house.views import meters as jackpots
from aceking.house.views import table as views
from aceking.house.views.meter_history import MeterHistory
from aceking.house.views.pit import pit
from aceking.meter.state import identity
from aceking.table import commands as c
from aceking.table import player as pl
from tests.house.accounts import balance
from tests.house.evening import Evening
from tests.house.test_jackpot import CONFIG, Dealing

MUST_HIT: dict[str, Any] = {
    "do": "configure",
    "base": 10_000,
    "reset": 5_000,
    "rate": "20%",
    "must_hit_by": 10_300,
    "executive_from": 8_000,
    "currency": "USD",
}
TABLES = {"one": "section10", "two": "section10"}


def configured(house: Evening, meter: str, config: dict[str, Any]) -> None:
    house.do("sam", w.OnMeter(meter=meter, act=config))
    house.do("eve", w.Approve(number=house.floor.cage.asked))
    house.do("eve", w.OnMeter(meter=meter, act={"do": "open"}))


def floor_with(*, main: bool = True, seed: int = 1, **more: Any) -> Evening:
    """A house with a must-hit-by meter, and a meter that hands win unless told otherwise."""
    house = Evening(seed).found()
    if main:
        configured(house, "major", CONFIG | {"tables": TABLES, "currency": "USD"})
    configured(house, "mystery", MUST_HIT | {"tables": TABLES} | more)
    return house


def wagers(house: Evening, name: str = "one") -> None:
    """A round with an ante and a side wager at every box, up to the deal."""
    if house.table(name).table.live_round is None:
        house.ring(name)
    for box, player in sorted(house.table(name).seats.items()):
        house.do(player, w.PlayRequest(table=name, act=pl.PlaceAnte(box=box, amount=1000)))
        house.do(player, w.PlayRequest(table=name, act=pl.PlaceSide(box=box, amount=100)))
    for player in house.table(name).players:
        house.do(player, w.SayReady(table=name))


def whole_round(house: Evening, name: str = "one") -> None:
    wagers(house, name)
    house.decide(name)
    assert house.table(name).table.live_round is None


def until_hit(house: Evening, name: str = "one") -> None:
    """Rounds until the trigger is reached: 15 wagers bring it to the limit."""
    for _ in range(3):
        whole_round(house, name)
        if house.floor.meters["mystery"].shown:
            return
    raise AssertionError("the meter passed its limit")


def opened(house: Evening, *, players: int = 7, **posted: Any) -> None:
    house.open("section10", players=players, meter="major", must_hit=("mystery",), reset=500_000, **posted)


def test_a_wager_reaches_the_trigger_and_the_money_is_in_the_purse() -> None:
    house = floor_with()
    opened(house)
    until_hit(house)
    state = house.floor.meters["mystery"]
    (won,) = house.floor.cage.won.values()
    (award,) = state.awards.values()
    assert award.step == "called"
    assert (won.player, won.amount) == (f"p{award.seat}", award.amount)
    assert 10_000 < award.amount <= 10_300
    assert identity(state) == 0
    purse = house.floor.cage.purse(won.player, "USD")
    step = {"table": "one", "seat": award.seat}
    check = step | {"do": "verify", "hand": "must_hit_by", "cards": "", "light": True}
    swipe = step | {"do": "sign", "amount": award.amount}
    assert house.no("eve", w.OnMeter(meter="mystery", act=swipe)) != "", "nobody has confirmed it"
    assert house.no("deb", w.OnMeter(meter="mystery", act=check)) == "HOUSE-access"
    house.do("sam", w.OnMeter(meter="mystery", act=check))
    assert house.no("sam", w.OnMeter(meter="mystery", act=swipe)) != "", "another person signs"
    assert house.no("fay", w.OnMeter(meter="mystery", act=swipe)) != "", "from 80.00 on an executive"
    house.do("eve", w.OnMeter(meter="mystery", act=swipe))
    assert house.floor.cage.purse(won.player, "USD") == purse + award.amount
    assert house.floor.cage.won == {}
    accounts = balance(house.floor)
    assert accounts["cage/USD/meters"] == -award.amount
    assert accounts["meter/mystery/paid"] == award.amount
    assert house.floor.meters["mystery"].counters.hits == 1
    checked = verify(house.log)
    assert checked.floor == house.floor
    assert checked.seen.triggers == 1


def test_awards_of_one_seat_wait_without_holding_the_table_up() -> None:
    house = floor_with(base=9_980, must_hit_by=10_200, reset=10_000)
    opened(house, players=1)
    for _ in range(18):
        whole_round(house)
    waiting = list(house.floor.meters["mystery"].awards.values())
    assert len(waiting) >= 2
    assert {one.step for one in waiting} == {"called"}
    step = {"table": "one", "seat": 1}
    for award in waiting:
        check = step | {"do": "verify", "hand": "must_hit_by", "cards": "", "light": True}
        house.do("sam", w.OnMeter(meter="mystery", act=check))
        house.do("eve", w.OnMeter(meter="mystery", act=step | {"do": "sign", "amount": award.amount}))
    assert house.floor.meters["mystery"].awards == {}
    assert house.floor.cage.purse("p1", "USD") == 1_000_000 - 100_000 + sum(one.amount for one in waiting)
    assert verify(house.log).seen.triggers == len(waiting)


def test_the_pit_is_shown_what_is_to_be_confirmed_and_signed_and_by_whom() -> None:
    house = floor_with()
    opened(house)

    def due(person: str, role: Role) -> tuple[str, bool, Any] | None:
        (table,) = pit(house.floor, role, person, at=house.at).tables
        return None if table.due is None else (table.due.do, table.due.mine, table.due.act)

    until_hit(house)
    (award,) = house.floor.meters["mystery"].awards.values()
    found = due("sam", "supervisor")
    assert found is not None
    assert found[:2] == ("supervisor-validated", True)
    house.do("sam", w.OnMeter(meter="mystery", act=found[2]))
    found = due("eve", "executive")
    assert found is not None
    assert found[:2] == ("card-swipe", True)
    assert due("sam", "supervisor") == (*found[:1], False, found[2]), "who has confirmed does not sign"
    house.do("eve", w.OnMeter(meter="mystery", act=found[2]))
    assert house.floor.meters["mystery"].counters.won == award.amount
    assert due("eve", "executive") is None
    history = MeterHistory(house.store, "mystery").read(head=10**9, decimals=2)
    assert [point.step for point in history.points].count("award") == 1


def test_both_meters_have_every_wager_and_the_next_trigger_is_drawn_at_once() -> None:
    house = floor_with()
    opened(house)
    until_hit(house)
    until_hit(house)
    major, mystery = house.floor.meters["major"], house.floor.meters["mystery"]
    assert major.counters.wagers == mystery.counters.wagers > 0
    assert mystery.trigger is not None
    assert mystery.trigger.commitment not in {one.drawn.commitment for one in mystery.shown}
    assert house.again().floor == house.floor


def test_no_seed_of_a_trigger_is_in_the_log_before_the_hit_and_only_the_sealed_one_lies_apart() -> None:
    house = floor_with()
    opened(house)
    trigger = house.floor.meters["mystery"].trigger
    assert trigger is not None
    seed = house.store.sealed()[trigger.commitment]
    assert not _in_log(house, seed)
    until_hit(house)
    assert _in_log(house, seed)
    assert trigger.commitment not in house.store.sealed()
    later = house.floor.meters["mystery"].trigger
    assert later is not None
    assert later.commitment in house.store.sealed()


def _in_log(house: Evening, seed: bytes) -> bool:
    return any(seed.hex().encode() in msgspec.json.encode(unit) for _, unit in house.log())


def test_another_process_goes_on_with_the_sealed_trigger() -> None:
    house = floor_with()
    opened(house)
    other = house.again()
    until_hit(other)
    assert verify(other.log).floor == other.floor


def test_a_table_may_feed_it_without_a_meter_of_its_own() -> None:
    house = floor_with(main=False)
    posted: dict[str, Any] = {"ante_min": 1000, "ante_max": 10_000, "reset": 500_000, "must_hit": ("mystery",)}
    house.do("fay", w.SetTable(table="two", name="two", book="section10", mode="live", **posted))
    dealing = Dealing(house, "two", "p1", [0, 5, 10, 15, 24])
    dealing.until(c.Reveal)
    assert house.floor.meters["mystery"].counters.wagers == 1


@pytest.mark.parametrize(("option", "fed"), [("keep", 40), ("back-out", 0)])
def test_a_round_without_a_result_ends_on_both_meters_as_the_book_has_it(option: str, fed: int) -> None:
    options = {"meter-on-void": option}
    house = floor_with(options={"section10": options})
    opened(house, players=2, options=options)
    wagers(house)
    house.do("deb", w.TableAct(table="one", act={"do": "report", "mishap": "hole-card-exposed"}))
    assert house.table("one").table.live_round is None
    state = house.floor.meters["mystery"]
    assert not any(one.tables["one"].running for one in house.floor.meters.values())
    assert state.counters.value == (10_000 + fed) * state.scale
    whole_round(house)


def test_one_that_is_closed_is_not_fed_and_the_table_goes_on() -> None:
    house = floor_with()
    opened(house, players=2)
    house.do("eve", w.OnMeter(meter="mystery", act={"do": "close"}))
    whole_round(house)
    assert house.floor.meters["mystery"].counters.wagers == 0
    assert house.floor.meters["major"].counters.wagers == 2
    house.do("eve", w.OnMeter(meter="mystery", act={"do": "open"}))
    whole_round(house)
    assert house.floor.meters["mystery"].counters.wagers == 2


def test_it_cannot_be_closed_in_mid_round_and_a_retired_one_shows_its_trigger() -> None:
    house = floor_with()
    opened(house, players=1)
    wagers(house)
    assert house.no("eve", w.OnMeter(meter="mystery", act={"do": "close"})) == "R5"
    house.decide()
    house.do("eve", w.OnMeter(meter="mystery", act={"do": "close"}))
    house.do("sam", w.OnMeter(meter="mystery", act={"do": "retire", "reason": "over", "to": "meter", "place": "x"}))
    house.do("eve", w.Approve(number=house.floor.cage.asked))
    (shown,) = house.floor.meters["mystery"].shown
    assert shown.award is None
    assert shown.drawn.commitment not in house.store.sealed()
    whole_round(house)
    assert verify(house.log).seen.sealed == 0, "every trigger and every deck is known, and all was decided again"


@pytest.mark.parametrize(
    ("posted", "says"),
    [
        ({"meter": "mystery"}, "meter: 'mystery' is not won by hands; name it under must_hit"),
        ({"must_hit": ("major",)}, "must_hit: meter 'major' is won by hands; name it as the table's meter"),
        ({"must_hit": ("mystery", "mystery")}, "must_hit: a meter is named twice"),
        ({"must_hit": ("other",)}, "meter 'other' does not name table 'one': configure it first"),
    ],
)
def test_a_table_on_meters_that_cannot_be(posted: dict[str, Any], says: str) -> None:
    house = floor_with()
    body = w.SetTable(table="one", name="One", book="section10", ante_min=1000, ante_max=10_000, **posted)
    refused = house.ask("fay", body).refused
    assert refused is not None
    assert refused.reason == says


def test_meters_of_a_table_have_no_more_of_a_wager_than_there_is() -> None:
    house = floor_with()
    house.do("sam", w.OnMeter(meter="third", act=MUST_HIT | {"tables": TABLES, "rate": "11%"}))
    refused = house.ask("eve", w.Approve(number=house.floor.cage.asked)).refused
    assert refused is not None
    assert "together take more than the whole wager" in refused.reason


def test_a_hand_is_not_confirmed_by_hand_on_its_meter() -> None:
    house = floor_with()
    check = {"do": "verify", "table": "one", "seat": 1, "hand": "royal_flush", "cards": "", "light": True}
    assert house.no("sam", w.OnMeter(meter="major", act=check)) == "HOUSE-meter"
    assert house.no("sam", w.OnMeter(meter="mystery", act={"do": "draw", "commitment": "0" * 64})) == "HOUSE-input"


def test_what_is_shown_of_it() -> None:
    house = floor_with()
    opened(house, players=1)
    (card,) = views.lobby(house.floor)
    assert card.must_hit == {"mystery": "100"}
    shown = {view.id: view for view in views.meters(house.floor)}
    assert (shown["mystery"].must_hit_by, shown["major"].must_hit_by) == ("103", None)
    assert shown["mystery"].commitment is not None
    record = jackpots.meter_record(house.floor, "mystery")
    assert record is not None
    assert record.settings["must_hit_by"] == 10_300
    other = jackpots.meter_record(house.floor, "major")
    assert other is not None
    assert "must_hit_by" not in other.settings


def test_the_command_checks_the_triggers_of_a_log(tmp_path: Path) -> None:
    house = floor_with()
    opened(house)
    until_hit(house)
    address = f"sqlite:///{tmp_path}/house.db"
    with closing(open_store(address)) as store:
        store.append([unit for _, unit in house.log()])
    result = CliRunner().invoke(command, [address], standalone_mode=False)
    assert result.return_value == 0, result.output
    assert "1 trigger of must-hit-by meters shown, each as committed" in result.output


# A log that was changed


def forged(unit: Unit, old: bytes, new: bytes) -> Unit:
    parts = tuple(
        msgspec.structs.replace(part, events=tuple(msgspec.Raw(bytes(one).replace(old, new)) for one in part.events))
        for part in unit.parts
    )
    return msgspec.structs.replace(unit, parts=parts)


@pytest.mark.parametrize(
    ("what", "says"), [("seed", "commitment"), ("trigger", "another trigger"), ("low", "committed")]
)
def test_a_trigger_that_was_changed_does_not_pass(what: str, says: str) -> None:
    house = floor_with()
    opened(house)
    until_hit(house)
    (shown,) = house.floor.meters["mystery"].shown
    changes = {
        "seed": (shown.seed.encode(), b"00" * 32),
        "trigger": (f'"trigger":{shown.trigger}'.encode(), f'"trigger":{shown.trigger - 1}'.encode()),
        "low": (f'"low":{shown.drawn.low}'.encode(), f'"low":{shown.drawn.low - 1}'.encode()),
    }
    old, new = changes[what]
    reached = b"trigger-reached"

    def log() -> Any:
        for seq, unit in house.log():
            hit = any(reached in bytes(one) for part in unit.parts for one in part.events)
            yield seq, forged(unit, old, new) if hit else unit

    with pytest.raises(Wrong, match=says):
        verify(log)
