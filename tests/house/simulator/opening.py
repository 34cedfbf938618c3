"""The house at the start of a run: staff, purses, four tables of two books, and two meters if the book has one."""

from functools import cache
from hashlib import sha256
from typing import Any

from aceking.house.floor import requests as w
from aceking.house.floor.roles import Role
from aceking.house.store import secrets
from aceking.rules.reading.load import book_ids, load_book
from tests.house.evening import CURRENCIES, MORNING, PLAYERS, STAFF, Evening
from tests.house.store.disk import Disk
from tests.house.store.memory import MemoryStore

TABLES = ("a", "b", "c")
LIVE = "d"  # the table with human staff
PLAYING = 5  # the number of players who have money
#: Awards that the house must post because the book leaves them open.
_AWARDS: dict[str, dict[str, str]] = {
    "exchange": {"four_of_a_kind": "500", "full_house": "100", "flush": "50"},
    "washington": {
        "royal_flush": "100%",
        "straight_flush": "10%",
        "four_of_a_kind": "500",
        "full_house": "100",
        "flush": "50",
    },
}
#: Short clocks, so that they run out while players still decide.
POSTED: dict[str, Any] = {
    "ante_min": 1000,
    "ante_max": 10_000,
    "bet_seconds": 3,
    "decide_seconds": 2,
    "pause_seconds": 1,
    "grace_seconds": 1,
    "attended": False,
}
PLANS = len(book_ids())


@cache
def _opened(plan: int) -> tuple[bytes, int]:
    """Return the log of an open house, and its time.

    Three tables have one book and share its meters; one has another.
    """
    house = Evening(seed=plan)
    books = book_ids()
    first, second = books[plan % PLANS], books[(plan + 1) % PLANS]
    currencies = {name: CURRENCIES[name] for name in sorted({load_book(first).currency, load_book(second).currency})}
    roles: dict[str, Role] = {**STAFF, **dict.fromkeys(PLAYERS, "player")}
    house.do("house", w.FoundHouse(name="The Test", currencies=currencies, people=roles, float=10**9))
    for player in PLAYERS[:PLAYING]:
        for currency in currencies:
            house.do("cas", w.Deposit(player=player, currency=currency, amount=1_000_000))
    meter = "m" if load_book(first).progressive is not None else None
    if meter is not None:
        _meter(house, first)
    for table, book in zip((*TABLES, LIVE), (first, second, first, first), strict=True):
        linked = meter if book == first else None
        extra: dict[str, Any] = {
            "meter": linked,
            "reset": None if linked is None else 500_000,
            "awards": _AWARDS.get(book, {}),
            "must_hit": () if linked is None or table == LIVE else ("h",),
        }
        if table == LIVE:
            extra["mode"] = "live"
        house.do("fay", w.SetTable(table=table, name=table, book=book, **POSTED, **extra))
    return house.disk.read(), house.at


def _meter(house: Evening, book: str) -> None:
    config = {
        "do": "configure",
        "tables": {"a": book, "c": book, LIVE: book},
        "currency": load_book(book).currency,
        "base": 1_000_000,
        "reset": 500_000,
        "rate": "70%",
        "hidden_rate": "10%",
        "executive_from": 100_000,
        "awards": _AWARDS.get(book, {}),
    }
    rules = load_book(book)
    assert rules.progressive is not None
    # The lowest limit that is allowed, so that a few wagers reach it.
    limit = 10_001 + rules.table.seats_max * rules.progressive.stake // 10
    hit_soon = {"base": limit - 60, "reset": 10_000, "rate": "10%", "awards": {}, "must_hit_by": limit}
    for name, told in (("m", config), ("h", config | hit_soon)):
        house.do("sam", w.OnMeter(meter=name, act=told))
        house.do("eve", w.Approve(number=house.floor.cage.asked))
        house.do("eve", w.OnMeter(meter=name, act={"do": "open"}))


def token_of(person: str) -> str:
    """Return the session token of a person."""
    return f"token of {person}"


def opened(plan: int) -> tuple[Disk, int]:
    """Return a new disk with this log and a session for everybody, and the time at which the log ends."""
    data, at = _opened(plan % PLANS)
    disk = Disk()
    disk.append(data)
    disk.sync()
    assert at > MORNING
    store = MemoryStore(disk)
    for person in (*STAFF, *PLAYERS):
        secrets.start_session(
            store,
            secrets.Session(
                token_hash=sha256(token_of(person).encode()).digest(), person=person, made=at, seen=at, ends=2 * at
            ),
        )
    return disk, at
