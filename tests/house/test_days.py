"""Gaming days: closed once and in order, counted, signed under the chain, reported."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.exact.games import edge
from aceking.house import signing
from aceking.house.floor import events as hp
from aceking.house.floor import requests as w
from aceking.house.floor.codec import read_events
from aceking.house.record import read_unit
from aceking.house.reports import day_report, expected, since
from aceking.house.store.open import open_store
from aceking.house.verify import Wrong, verify
from aceking.meter.reports import as_csv
from aceking.rules.reading.load import load_book
from tests.house.evening import Evening
from tests.house.test_running import do, found, play_round, run, started

DAY = "2026-09-21"  # of the evening's clock


def _closed(house: Evening) -> list[hp.DayClosed]:
    events = [event for _, unit in house.log() for event in read_events(unit).get("house", ())]
    return [event for event in events if isinstance(event, hp.DayClosed)]


def test_a_day_is_closed_once_in_order_and_not_before_it_has_begun() -> None:
    house = Evening().found()
    assert house.no("aud", w.CloseDay(day="2026-02-30")) == "HOUSE-input"
    assert house.no("aud", w.CloseDay(day="2030-01-01")) == "HOUSE-day"
    house.do("aud", w.CloseDay(day=DAY))
    assert house.no("eve", w.CloseDay(day=DAY)) == "HOUSE-day"
    assert house.no("eve", w.CloseDay(day="2026-09-01")) == "HOUSE-day"
    house.do("eve", w.CloseDay(day="2026-09-22"))


def test_what_a_day_counts_is_what_its_rounds_moved() -> None:
    house = Evening().found()
    house.open("section10", players=4)
    house.play(rounds=4)
    house.do("aud", w.CloseDay(day="2026-09-20"))
    house.play(rounds=3)
    one = house.table("one")
    tray = one.table.accounts["tray"]
    house.do("aud", w.CloseDay(day=DAY))
    closed = _closed(house)
    first, second = (one.tables["one"] for one in closed)
    day = since(second, first)
    assert (first.rounds, day.rounds, day.hands, day.antes) == (4, 3, 12, 12_000)
    assert day.antes_squared == 12 * 1000**2
    assert closed[-1].win["one"] == tray
    assert (first.bought, day.bought) == (400_000, 0)
    house.do("p1", w.CashOut(table="one", amount=10))
    assert house.table("one").totals.cashed == 10


def test_a_report_has_the_exact_expectation_and_its_interval() -> None:
    house = Evening().found()
    house.open("section10", players=4)
    house.play(rounds=4)
    house.do("aud", w.CloseDay(day=DAY))
    [closed] = _closed(house)
    figures = edge(load_book("section10"))
    mean, deviation = expected(closed.tables["one"], figures)
    assert mean == 16_000 * Fraction(142031221, 2718662100)
    assert deviation == pytest.approx(4 * 1000 * float(figures.standard_deviation))
    report = day_report(house.floor, closed, None, {"one": figures})
    [row] = report.tables
    assert (row.rounds, row.drop, row.expected_win) == (4, "4000", "8.36")
    assert float(row.interval_low) < 8.36 < float(row.interval_high)
    [unpriced] = day_report(house.floor, closed, None, {"one": None}).tables
    assert (unpriced.win, unpriced.expected_win, unpriced.interval_low) == (row.win, "", "")
    head, line = as_csv(report.tables).splitlines()
    assert head.split(",")[:3] == ["day", "table", "book"]
    assert line.startswith(f"{DAY},one,section10,USD,4,0,16,")


def test_the_chain_up_to_a_day_is_signed_and_a_changed_one_does_not_hold(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"

    async def evening() -> None:
        store = open_store(url)
        house = await started(store)
        await found(house, "one", seats=1)
        await play_round(lambda box: house, "one", seats=1)
        today = __import__("datetime").date.today().isoformat()
        await do(house, "aud", w.CloseDay(day=today))
        assert house.floor.house.signed == today
        await house.stop()
        log = [(one.seq, one.hash.hex(), read_unit(one.body)) for one in store.log()]
        store.close()
        hashes = {seq: hash_ for seq, hash_, _ in log}
        units = [(seq, unit) for seq, _, unit in log]
        held = verify(lambda: units, hash_of=hashes.__getitem__)
        assert list(held.seen.days) == [today]
        with pytest.raises(Wrong, match="signed for another chain"):
            verify(lambda: units, hash_of=lambda seq: "00" * 32)

    run(evening())


def test_a_signature_is_of_this_key_for_this_day_and_this_chain(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'house.db'}")
    key = signing.key_of(store)
    assert signing.key_of(store).private_bytes_raw() == key.private_bytes_raw()
    body = signing.sign_day(key, day=DAY, upto=7, root="ab" * 32)
    told: dict[str, Any] = {name: getattr(body, name) for name in ("day", "upto", "root", "public", "signature")}
    event = hp.DaySigned(**told)
    assert signing.holds(event)
    for changed in ({"day": "2026-09-22"}, {"upto": 8}, {"root": "ac" * 32}, {"signature": "00" * 64}, {"public": "x"}):
        assert not signing.holds(replace(event, **changed))
    assert signing.secret_of(store, "csrf") != signing.secret_of(store, "other")
    store.close()
