"""An evening in a served house: six tables, people and robots, a void, a jackpot by three, a fill, a day's close."""

import csv
import json
import random
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from aceking.client import House, RequestRefusedError
from aceking.house.floor import requests as w
from aceking.house.floor.codec import after_unit
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.record import read_unit
from aceking.table import commands as c
from aceking.table import player as pl
from aceking.web.live import messages as m
from tests.house.test_jackpot import AWARDS, CONFIG, ROYAL, Dealing
from tests.web.playing import Robot
from tests.web.served import PLAYERS, STAFF, Served, founded, table

pytestmark = pytest.mark.proof

ROBOTS = {"exchange": "exchange", "rws": "rws", "required": "colorado-required", "permissible": "colorado-permissible"}
LONG = {"bet_seconds": 300, "decide_seconds": 300, "grace_seconds": 300}


class Sockets:
    """The house as its people reach it; its state is what the auditor reads from the log."""

    def __init__(self, people: dict[str, House]) -> None:
        self.people = people
        self.chance = random.Random(9)
        self._floor, self._seq = Floor(), 0

    @property
    def floor(self) -> Floor:
        while page := self.people["aud"]._http.get(f"/api/log?after={self._seq}&most=1000").json():
            for entry in page:
                self._floor = after_unit(self._floor, read_unit(entry["body"].encode()))
                self._seq = entry["seq"]
        return self._floor

    def table(self, name: str) -> FloorTable:
        return self.floor.tables[name]

    def do(self, who: str, body: Any) -> None:
        self.people[who].ask(body)

    def no(self, who: str, body: Any) -> str:
        with pytest.raises(RequestRefusedError) as refused:
            self.people[who].ask(body)
        return refused.value.code


def _person(served: Served, stack: ExitStack, name: str) -> House:
    return stack.enter_context(served.person(name))


def _founded(url: str) -> None:
    config = {**CONFIG, "tables": {"hall": "washington"}, "currency": "USD", "awards": AWARDS}
    posted = {"mode": "live", "meter": "m", "reset": 500_000, "awards": AWARDS, "attended": True}
    founded(
        url,
        ("sam", w.OnMeter(meter="m", act=config)),
        ("eve", w.Approve(number=1)),
        ("eve", w.OnMeter(meter="m", act={"do": "open"})),
        table("hall", "washington", **posted),
        table("section10", "section10", **LONG),
        *(table(name, book, **LONG) for name, book in ROBOTS.items()),
    )


def _void(house: Sockets, dealing: Dealing) -> None:
    """The lights go out in mid-round: the book is silent, the supervisor decides, and all stakes go back."""
    before = house.table("hall").chips("p1")
    dealing.until(c.Reveal)
    assert house.table("hall").chips("p1") < before
    house.do("deb", w.TableAct(table="hall", act={"do": "report", "mishap": "interruption"}))
    [question] = house.people["sam"].table("hall").rail.common.questions
    ruling = {"do": "rule", "question": question.question, "then": "void-round", "reason": "the lights went out"}
    assert house.no("deb", w.TableAct(table="hall", act=ruling)) != ""
    house.do("sam", w.TableAct(table="hall", act=ruling))
    assert house.table("hall").chips("p1") == before
    assert house.table("hall").totals.voids == 1


def _jackpot(house: Sockets, dealing: Dealing) -> None:
    """A royal flush: confirmed by a supervisor, signed by an executive, paid by the dealer."""
    [meter] = house.people["p1"].house().meters
    dealing.hand = [*ROYAL]
    dealing.rest = [card for card in range(51, -1, -1) if card not in ROYAL]
    before = house.table("hall").chips("p1")
    dealing.until(c.Validate)
    assert house.no("deb", w.TableAct(table="hall", act={"do": "supervisor-validated", "box": 1})) != ""
    dealing.until(c.SwipeCard)
    swipe = {"do": "card-swipe", "box": 1, "card": "executive"}
    assert house.no("sam", w.TableAct(table="hall", act=swipe, role="supervisor")) != ""
    dealing.until()
    [hit] = house.people["p1"].house().meters[0].hits
    assert float(hit["amount"]) >= float(meter.value)
    assert house.table("hall").chips("p1") >= before + round(float(hit["amount"]) * 100) - 1100


def _fill(house: Sockets) -> None:
    before = house.table("rws").tray
    house.do("sam", w.Fill(table="rws", amount=250_000))
    [waits] = house.people["cas"]._http.get("/api/waiting").json()
    assert house.no("sam", w.Approve(number=waits["number"])) == "HOUSE-two"
    assert house.table("rws").tray == before
    house.do("cas", w.Approve(number=waits["number"]))
    assert house.table("rws").tray == before + 250_000


def _mine(view: m.TableIs) -> Any:
    """What a player sees of a table, without time, clock, entry and who is away: a grace moves the clock."""
    return msgspec.structs.replace(view.rail, version=0, at=0, away=(), clock=None), view.own


def _dropped(house: Sockets) -> None:
    dan = house.people["p4"]
    with dan.live("section10") as live:
        live.ask(w.SitRequest(table="section10", box=4))
        live.ask(w.BuyIn(table="section10", amount=50_000))
        live.ask(w.PlayRequest(table="section10", act=pl.PlaceAnte(box=4, amount=2000)))
        live.ask(w.SayReady(table="section10"))
        live.ask(w.PlayRequest(table="section10", act=pl.SeeHand(box=4)))
        before = dan.table("section10")
        assert all(before.own.boxes[0].cards)
    _until(lambda: dan.table("section10").rail.away == ("p4",))
    with dan.live("section10"):
        _until(lambda: dan.table("section10").rail.away == ())
        assert _mine(dan.table("section10")) == _mine(before)
    _until(lambda: dan.table("section10").rail.away == ("p4",))


def _until(holds: Any) -> None:
    ends = time.monotonic() + 300
    while not holds():
        assert time.monotonic() < ends
        time.sleep(0.02)


def _day(house: Sockets, played: dict[str, int]) -> str:
    day = datetime.now(UTC).date().isoformat()
    assert house.no("sam", w.CloseDay(day=day)) == "HOUSE-access"
    house.do("eve", w.CloseDay(day=day))
    http: httpx.Client = house.people["aud"]._http
    [card] = http.get("/api/days").json()
    assert (card["day"], card["by"], len(bytes.fromhex(card["root"]))) == (day, "eve", 32)
    assert card["signature"]
    report = http.get(f"/api/days/{day}").json()
    rows = {row["table"]: row for row in report["tables"]}
    assert {name: rows[name]["rounds"] for name in played} == played
    assert (rows["hall"]["rounds"], rows["hall"]["voids"]) == (1, 1)
    sheet = http.get(f"/api/days/{day}?as=tables.csv")
    assert sheet.headers["content-type"].startswith("text/csv")
    told = list(csv.DictReader(sheet.text.splitlines()))
    assert told == [{key: str(value) for key, value in row.items()} for row in report["tables"]]
    assert [row["meter"] for row in csv.DictReader(http.get(f"/api/days/{day}?as=meters.csv").text.splitlines())] == [
        "m"
    ]
    page = http.get(f"/api/days/{day}?as=page").text
    assert page.startswith("<!doctype html>")
    assert all(f"<td>{name}</td>" in page for name in rows)
    return day


def _verified(file: Path) -> dict[str, Any]:
    found = subprocess.run(
        [sys.executable, "-m", "aceking", "verify", str(file), "--json"],
        capture_output=True,
        check=False,
        text=True,
        timeout=600,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    told: dict[str, Any] = json.loads(found.stdout)
    return told


def _where_it_was(house: Sockets) -> Any:
    anybody = house.people["p4"]
    tables = {one.id: _mine(anybody.table(one.id)) for one in anybody.house().tables}
    return tables, anybody.house().meters, anybody._http.get("/api/purse").json()


@pytest.mark.parametrize("workers", [1, 2])
def test_an_evening_is_played_and_goes_on_after_a_restart(workers: int, tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    _founded(f"sqlite:///{file}")
    served = Served(f"sqlite:///{file}", tmp_path, {"ACEKING_WORKERS": str(workers)}).start()
    with ExitStack() as stack:
        stack.callback(served.ended)
        house = Sockets({name: _person(served, stack, name) for name in (*STAFF, *PLAYERS)})
        assert len(house.people["p1"].house().tables) == 6
        robots = [
            Robot(house.people[name], name, where, box, rounds=2)
            for where in ROBOTS
            for box, name in enumerate(("p2", "p3"), start=1)
        ]
        with ThreadPoolExecutor(len(robots)) as threads:
            playing = [threads.submit(one.plays) for one in robots]
            dealing = Dealing(house, "hall", "p1", [0, 5, 10, 15, 24])  # type: ignore[arg-type]
            _void(house, dealing)
            _jackpot(house, dealing)
            _fill(house)
            _dropped(house)
            for one in playing:
                one.result(600)
        played = {name: house.table(name).table.rounds for name in ROBOTS}
        assert min(played.values()) >= 2
        _day(house, played)
        told = _verified(file)
        before = _where_it_was(house)
        assert served.stop() == 0
        served.start()
        again = Sockets({name: _person(served, stack, name) for name in ("p4", "aud")})
        assert _where_it_was(again) == before
        assert again.floor.tables.keys() == house._floor.tables.keys()
        assert _verified(file)["rounds"] == told["rounds"] == sum(played.values()) + 2  # the void and the jackpot
        assert served.stop() == 0
