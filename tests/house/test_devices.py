"""Devices at a live table: what they read is filled in, and nobody says otherwise."""

from typing import Any

import pytest

from aceking.house.floor import requests as w
from aceking.house.verify import verify
from aceking.rules.reading.load import load_book
from aceking.table import commands as c
from aceking.table import player as pl
from aceking.table.acts import NAMES
from aceking.table.dealer.next_act import due
from aceking.table.gate import _parts
from tests.house.devices import SimulatedDevice, SimulatedSensor, SimulatedShoe, SimulatedShuffler
from tests.house.evening import Evening

ORDER = tuple(range(51, -1, -1))
WHO = {"dealer": "deb", "floorperson": "fay", "supervisor": "sam", "house": "eve", "device": "shuffler"}


@pytest.fixture
def house() -> Evening:
    evening = Evening().found()
    for name in ("shoe", "shuffler", "sensor"):
        evening.do("max", w.AddPerson(name=name, role="device"))
    evening.open("section10", players=1, mode="live", attended=True, options={"shuffle-method": "automated"})
    return evening


def _listen(house: Evening, *devices: SimulatedDevice) -> None:
    """Every device says what it has to say, until none has."""
    while said := [(one.name, body) for one in devices if (body := one.says(house.floor)) is not None]:
        for name, body in said:
            house.do(name, body)


def _dealing(house: Evening, *devices: SimulatedDevice, until: type[c.Act]) -> None:
    """The dealer does what is due without naming a card, the devices say the rest."""
    book = load_book("section10")
    for _ in range(200):
        _listen(house, *devices)
        current = house.table("one").table.live_round
        act = due(book, house.table("one").table, betting_may_close=bool(current and current.dealt_in))
        if isinstance(act, until):
            return
        if act is None:
            house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000)))
            continue
        assert isinstance(act, c.Act)
        part = _parts(book, NAMES[type(act)])[0]
        raw: dict[str, Any] = {"do": act.do}
        raw |= {
            key: getattr(act, key) for key in act.__struct_fields__ if getattr(act, key) not in (None, "", (), False)
        }
        body = (
            w.TableAct(table="one", act=raw, player="p1")
            if part == "player"
            else w.TableAct(table="one", act=raw, role=part)
        )
        house.do("deb" if part == "player" else WHO[part], body)


def test_a_round_is_dealt_as_the_shoe_reads_it_and_the_shuffler_mixes(house: Evening) -> None:
    _dealing(house, SimulatedShoe("shoe", "one", ORDER), SimulatedShuffler("shuffler", "one"), until=c.GoAhead)
    current = house.table("one").table.round
    assert current is not None
    assert current.sequence == ORDER[: len(current.sequence)]
    assert len(current.sequence) >= 10
    assert verify(house.log).floor == house.floor


def test_nobody_deals_another_card_than_the_one_that_was_read(house: Evening) -> None:
    shoe = SimulatedShoe("shoe", "one", ORDER)
    _dealing(house, SimulatedShuffler("shuffler", "one"), until=c.DealCard)
    house.do("shoe", shoe.says(house.floor))
    assert house.no("deb", w.TableAct(table="one", act={"do": "card-dealt", "card": 3})) == "HOUSE-device"
    assert house.no("shoe", w.Read(table="one", card=ORDER[0])) == "HOUSE-device"  # it was read
    house.do("deb", w.TableAct(table="one", act={"do": "card-dealt"}))
    assert house.no("shoe", w.Read(table="one", card=ORDER[0])) == "HOUSE-device"  # it is out
    assert house.no("deb", w.Read(table="one", card=5)) == "HOUSE-access"


def test_a_light_that_stays_dark_is_the_sensors_to_say(house: Evening) -> None:
    sensor = SimulatedSensor("sensor", "one")
    _dealing(house, SimulatedShuffler("shuffler", "one"), until=c.CloseBets)
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=-1000)))
    house.do("p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000)))
    sensor.chips = {2}
    _listen(house, sensor)
    sensor.chips = set()
    _listen(house, sensor)
    assert house.table("one").lights == {2: False}
    sensor.chips = {1}
    _listen(house, sensor)
    assert house.table("one").lights[1] is True
    for wrong in (w.Read(table="one"), w.Read(table="one", card=1, box=1)):
        assert house.no("sensor", wrong) == "HOUSE-input"


def test_the_cards_of_an_electronic_table_are_nobodys_to_read(house: Evening) -> None:
    house.open("rws", name="two", players=1)
    assert house.no("shoe", w.Read(table="two", card=1)) == "HOUSE-device"
