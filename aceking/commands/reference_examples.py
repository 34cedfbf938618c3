"""An example for each key that the program reads. A test runs every one."""

from collections.abc import Mapping
from typing import Any

SEAT = {"seat": 1, "cards": "As Ks Qs Js Ts", "ante": "10", "play": "bet"}
#: A minimal round for each key of a scenario.
SCENARIOS: Mapping[str, Mapping[str, Any]] = {
    "seats": {"book": "rws", "dealer": "Ah Kd 9c 5s 2d", "seats": [SEAT]},
    "book": {"book": "section10", "dealer": "Ah Kd 9c 5s 2d", "seats": [SEAT]},
    "id": {"id": "table 4, round 17", "book": "rws", "dealer": "Ah Kd 9c 5s 2d", "seats": [SEAT]},
    "options": {
        "book": "section10",
        "options": {"bet-paytable": {"flush": "6"}},
        "dealer": "Ah Kd 9c 5s 2d",
        "seats": [{**SEAT, "cards": "Ks Js 9s 5h 4s"}],
    },
    "meter": {"book": "rws", "meter": "100000", "dealer": "Ah Kd 9c 5s 2d", "seats": [{**SEAT, "side": "1"}]},
    "reset": {
        "book": "rws",
        "meter": "100000",
        "reset": "10000",
        "dealer": "Ah Kd 9c 5s 2d",
        "seats": [{**SEAT, "side": "1"}],
    },
    "dealer": {"book": "washington", "dealer": "A♥ K♦ 9♣ 5♠ 2♦", "seats": [SEAT]},
    "up": {"book": "section10", "dealer": "Ah Kd 9c 5s 2d", "up": "9c", "seats": [SEAT]},
    "community": {
        "book": "colorado-required",
        "community": "Qs Js Ts",
        "seats": [{"seat": 1, "cards": "As Ks 4d", "discard": "4d", "ante": "10", "play": "bet"}],
    },
    "limits": {
        "book": "rws",
        "limits": {"min": "10", "max": "500"},
        "dealer": "Ah Kd 9c 5s 2d",
        "seats": [{**SEAT, "ante": "50"}],
    },
    "awards": {
        "book": "exchange",
        "meter": "50000",
        "awards": {"four_of_a_kind": "500", "full_house": "150", "flush": "75"},
        "dealer": "Ah Kd 9c 5s 2d",
        "seats": [{**SEAT, "cards": "8s 8h 8d 3c 3h", "side": "1"}],
    },
    "bought": {
        "book": "examples/books/russian.toml",
        "dealer": "Qh Jd 9c 5s 2d",
        "bought": "9d",
        "seats": [{**SEAT, "buys": True}],
    },
}
#: The keys of a seat, each with a valid value.
SEATS: Mapping[str, Any] = {
    "seat": 1,
    "play": "fold",
    "cards": "As Ks Qs Js 10s",
    "ante": "7.50",
    "bet": "15",
    "side": "1",
    "sides": {"five-plus-one": "5"},
    "claims": False,
    "exchange": {"give": "2h", "take": "As"},
    "discard": "4d",
    "player": "Ann",
    "buys": True,
}
AT = "2026-01-05T21:00:00Z"
#: A line for each command of a meter, without its time.
METER: Mapping[str, Mapping[str, Any]] = {
    "configure": {
        "by": "Sam",
        "second": "Eva",
        "tables": {"A": "rws", "B": "rws"},
        "currency": "SGD",
        "base": "100000",
        "reset": "10000",
        "rate": "70%",
        "executive_from": "50000",
        "people": {"Dora": "dealer", "Sam": "supervisor", "Eva": "executive"},
    },
    "draw": {"by": "Sam", "seed": "5e" * 32},
    "enrol": {"by": "Eva", "name": "Dan", "role": "dealer"},
    "open": {"by": "Sam"},
    "close": {"by": "Sam"},
    "suspend": {"by": "Sam", "reason": "the display is dark", "tables": ["A"]},
    "resume": {"by": "Sam", "tables": ["A"]},
    "contribute": {"table": "A", "wagers": 3},
    "start-game": {"table": "A", "by": "Dora", "seats": [1, 5]},
    "end-game": {"table": "A", "by": "Dora"},
    "void-round": {"table": "A", "by": "Sam", "reason": "a boxed card", "feed": "kept"},
    "shown-all": {"table": "B", "by": "Dora"},
    "select-seat": {"table": "A", "by": "Dora", "seat": 5},
    "select-hand": {"table": "A", "by": "Dora", "hand": "royal_flush", "cards": "As Ks Qs Js Ts"},
    "call-supervisor": {"table": "A", "by": "Dora", "seat": 5},
    "verify": {
        "table": "A",
        "by": "Sam",
        "seat": 5,
        "hand": "royal_flush",
        "cards": "As Ks Qs Js Ts",
        "light": True,
    },
    "sign": {"table": "A", "by": "Eva", "seat": 5, "amount": "100000"},
    "win-page": {"table": "A", "by": "Sam", "seat": 5},
    "pay": {"table": "A", "by": "Dora", "seat": 5, "amount": "100000"},
    "adjust": {"by": "Sam", "second": "Eva", "reason": "the feed was counted twice", "amount": "-0.70"},
    "fault": {"table": "A", "by": "Dora", "dealt": True, "looked": False, "boxes": [5]},
    "choose-course": {"table": "A", "by": "Sam", "course": "play-without-jackpot", "notice": True},
    "clear-fault": {"table": "A", "by": "Sam"},
    "retire": {"by": "Sam", "second": "Eva", "reason": "the game goes", "to": "players", "place": "a draw"},
}
SHEET = """\
[[scenario]]
id = "RWS-4.1"
name = "What a straight is paid"
books = ["rws", "section10"]
dealer = "Ah Kd 9c 5s 2d"
seat = { ante = "10", bet = "20" }
rows = [
  { name = "ten high", cards = "Ts 9h 8c 7d 6s", net = "90", hand = "straight, ten high" },
  { name = "folded", cards = "Td 9d 8h 7s 6d", play = "fold", bet = "0", net = "-10" },
]
"""
