"""What a meter showed over time is what its events made of it, however it is read, and it stays small."""

import pytest

from aceking.house.floor import requests as w
from aceking.house.views import meter_history as hs
from aceking.house.views.meter_history import MeterHistory
from aceking.meter.state import display
from aceking.table import commands as c
from tests.house.evening import Evening
from tests.house.test_jackpot import AWARDS, ROYAL, Dealing, linked


@pytest.fixture(scope="module")
def house() -> Evening:
    """A contribution, a royal flush, and a change by hand."""
    found = linked("washington", ("a",), AWARDS)
    dealing = Dealing(found, "a", "p1", ROYAL)
    dealing.until(c.Validate)
    dealing.until()
    found.do("sam", w.OnMeter(meter="m", act={"do": "adjust", "amount": 250, "reason": "a chip was missed"}))
    found.do("eve", w.Approve(number=2))
    return found


def _head(house: Evening) -> int:
    return house.floor.versions["meter/m"]


def test_every_step_is_there_with_what_it_moved(house: Evening) -> None:
    found = MeterHistory(house.store, "m").read(head=_head(house), decimals=2)
    told = [(one.step, one.before, one.value) for one in found.points]
    assert told == [
        ("configured", "0", "10000"),
        (None, None, "10000.70"),
        ("award", "10000.70", "0"),
        ("refilled", "0", "5000"),
        ("adjusted", "5000", "5002.50"),
    ]
    assert found.whole
    assert found.points[-1].value == f"{display(house.floor.meters['m']) / 100:.2f}"
    assert [one.at for one in found.points] == sorted(one.at for one in found.points)


def test_it_is_read_in_turns_and_only_what_is_new(house: Evening) -> None:
    whole = MeterHistory(house.store, "m").read(head=_head(house), decimals=2)
    slow = MeterHistory(house.store, "m")
    turns = 0
    while not (found := slow.read(head=_head(house), decimals=2, most=2)).whole:
        turns += 1
    assert turns > 2
    assert found == whole
    assert slow.read(head=_head(house), decimals=2) == whole


def test_long_histories_keep_their_steps_and_their_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hs, "_POINTS_MOST", 8)
    monkeypatch.setattr(hs, "_STEPS_MOST", 3)
    one = MeterHistory(Evening().store, "m")
    for number in range(100):
        step = "award" if number % 20 == 10 else None
        one._points.append(hs.HistoryPoint(at=number, value=number, step=step))
        one._thin()
    assert [point.at for point in one._points if point.step] == [50, 70, 90]
    plain = [point.at for point in one._points if not point.step]
    assert (plain[0], plain[-1]) == (0, 99)
    assert len(plain) <= 9
