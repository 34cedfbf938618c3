"""A house for the pages: a table of each book, with a meter where the book has a progressive."""

from pathlib import Path
from typing import Any

from aceking.house.floor import requests as w
from aceking.rules.reading.load import book_ids, load_book
from tests.web.served import table

BOOKS = tuple(book_ids())
#: What a house must post where its book leaves that open.
AWARDS: dict[str, dict[str, str]] = {
    "exchange": {"four_of_a_kind": "500", "full_house": "100", "flush": "50"},
    "washington": {
        "royal_flush": "100%",
        "straight_flush": "10%",
        "four_of_a_kind": "500",
        "full_house": "100",
        "flush": "50",
    },
}
#: Clocks that leave a test all the time that it wants.
_SLOW = {"pause_seconds": 600, "bet_seconds": 600, "decide_seconds": 600}
#: Tables of their own for tests that would be in each other's way, without a meter.
MORE = {"pair": "rws", "double": "section10", "refusal": "section10", "stale": "rws"}
MORE |= {"keys": "colorado-required", "drop": "exchange", "coach": "rws", "sound": "rws", "german": "rws"}
MORE |= dict.fromkeys(("guard", "guard-mouse", "guard-space", "guard-enter"), "colorado-required")
MORE |= {"guard-keys": "exchange"}
MORE |= {f"still-{width}": "section10" for width in (1440, 390)}
MORE |= {f"picture-stud-{number}": "section10" for number in range(2)}
MORE |= {f"picture-exchange-{number}": "exchange" for number in range(2)}
MORE |= {f"picture-hold-em-{number}": "colorado-permissible" for number in range(2)}
#: Houses that sell several cards, or one for the dealer: their books are put on file.
SOLD = ("oasis", "russian")
_FILES = Path(__file__).resolve().parent.parent.parent / "examples" / "books"
#: Where a player chooses how much to bet, by a book that is put on file.
CHOSEN = ("raise", "raise-1", "raise-2")
#: Where side wagers have names, by a book that is put on file.
NAMED = ("lantern", "lantern-keys")
#: Where the next round follows at once.
QUICK = "again"
#: Live tables, for the consoles of those who run them.
LIVE = {
    "deal-keys": "rws",
    "deal-wrong": "section10",
    "deal-claim": "rws",
    "deal-several": "oasis",
    "deal-named": "lantern",
    "pit-live": "section10",
    "pit-ruling": "section10",
    "pit-light": "section10",
    "pit-look": "exchange",
}
LIVE |= {f"picture-live-{number}": "section10" for number in range(2)}


#: A live table on a meter of its own, for a jackpot from the sensor to the signature.
JACKPOT = "jackpot"
#: A must-hit-by meter, and the electronic table whose third side wager at the latest reaches its trigger.
MUST_HIT = "mystery"
_BESIDE = "section10"  # the meter that hands win there


def _must_hit() -> dict[str, Any]:
    amounts = {"base": 10_000, "reset": 5_000, "must_hit_by": 10_060, "executive_from": 8_000}
    return {"tables": {MUST_HIT: "section10"}, "rate": "20%", "hidden_rate": "0%", **amounts}


def _jackpot(asked: int) -> list[tuple[str, Any]]:
    """The meter is asked for by one and confirmed by another, as number so and so of what was asked."""
    config = {
        "do": "configure",
        "tables": {JACKPOT: "section10"},
        "currency": load_book("section10").currency,
        "base": 5_000_000,
        "reset": 1_000_000,
        "rate": "70%",
        "hidden_rate": "10%",
        "executive_from": 500_000,
    }
    posted: dict[str, Any] = {"ante_min": 500, "meter": JACKPOT, "reset": 1_000_000, "mode": "live"}
    beside: dict[str, Any] = {"meter": _BESIDE, "must_hit": (MUST_HIT,), "reset": 1_000_000}
    return [
        ("sam", w.OnMeter(meter=JACKPOT, act=config)),
        ("eve", w.Approve(number=asked + 1)),
        ("eve", w.OnMeter(meter=JACKPOT, act={"do": "open"})),
        table(JACKPOT, "section10", **posted),
        ("sam", w.Fill(table=JACKPOT, amount=20_000_000)),
        ("cas", w.Approve(number=asked + 2)),
        ("sam", w.OnMeter(meter=MUST_HIT, act=config | _must_hit())),
        ("eve", w.Approve(number=asked + 3)),
        ("eve", w.OnMeter(meter=MUST_HIT, act={"do": "open"})),
        table(MUST_HIT, "section10", **_SLOW | {"ante_min": 500, "pause_seconds": 3}, **beside),
    ]


def requests(**posted: Any) -> list[tuple[str, Any]]:
    """What founds it: meters asked for by one and confirmed by another, tables, and chips in their trays."""
    found: list[tuple[str, Any]] = []
    asked = 0
    for name in BOOKS:
        book, awards, meter = load_book(name), AWARDS.get(name, {}), None
        if book.progressive is not None:
            meter = name
            config = {
                "do": "configure",
                "tables": {name: name} | ({MUST_HIT: name} if name == _BESIDE else {}),
                "currency": book.currency,
                "base": 5_000_000,
                "reset": 1_000_000,
                "rate": "70%",
                "hidden_rate": "10%",
                "executive_from": 500_000,
                "awards": awards,
            }
            asked += 1
            found += [("sam", w.OnMeter(meter=meter, act=config)), ("eve", w.Approve(number=asked))]
            found.append(("eve", w.OnMeter(meter=meter, act={"do": "open"})))
        usual: dict[str, Any] = {"ante_min": 500, "meter": meter, "awards": awards}
        usual["reset"] = None if meter is None else 1_000_000
        found.append(table(name, name, **usual | _SLOW | posted))
        asked += 1
        found += [("sam", w.Fill(table=name, amount=5_000_000)), ("cas", w.Approve(number=asked))]
    more: dict[str, Any] = {**_SLOW, "ante_min": 500} | posted
    found += [table(name, book, **more) for name, book in MORE.items()]
    for name in (*SOLD, NAMED[0], CHOSEN[0]):
        found.append(("max", w.FileBook(files={f"{name}.toml": (_FILES / f"{name}.toml").read_text("utf-8")})))
    for name in SOLD:
        found.append(table(name, name, **more | ({"pause_seconds": 3} if name == "russian" else {})))
    found += [table(name, CHOSEN[0], **more) for name in CHOSEN]
    found += [table(name, NAMED[0], **more | {"pause_seconds": 3}) for name in NAMED]
    found.append(table(QUICK, "section10", **more | {"pause_seconds": 0}))
    resets = {"pit-light": 1_000_000}  # its progressive is offered, on a meter of its own
    found += [table(name, book, **more, mode="live", reset=resets.get(name)) for name, book in LIVE.items()]
    return [*found, *_jackpot(asked)]
