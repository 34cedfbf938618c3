"""Damaged books: what loads must be a game that is dealt, settled and priced, or says why it is not priced.

They start from the shipped books and from those of `examples/books`, so that other shapes, side wagers by name, price
lists and bought cards are damaged too. Everything that is no book is told, never a traceback.

python -m tests.rules.damage --books 10000 --seed 1
"""

import argparse
import copy
import random
import sys
import traceback
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from aceking.cards.card import CardId
from aceking.exact.games import edge
from aceking.exact.side_bets.side_wagers import named_figures
from aceking.exact.unpriced import UnpricedError
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.reading.complaints import BookError, Complaints
from aceking.rules.reading.inheritance import Heritage, inherited
from aceking.rules.reading.load import book_ids, resolve
from aceking.rules.reading.source import OnDisk, Shipped, parsed
from aceking.rules.refusal import Refusal, Unregulated
from aceking.rules.vocabulary import SideWagerRules
from aceking.settlement.scenario import Scenario, Seat, discards
from aceking.settlement.scenario_json import INPUT_ERRORS
from aceking.settlement.settle import settle
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver, DriverError, new_table
from tests.rules.parsed import book_text

Raw = dict[str, Any]
EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples" / "books"
_VALUES: tuple[Any, ...] = (
    *(None, True, False, -1, 0, 1, 2, 3, 5, 48, 53, 10**6, 10**40, 1.5, float("nan"), "", " ", "x", "none", "push"),
    *(
        "1 to 1",
        "0 to 1",
        "1 to 0",
        "-1 to 1",
        "10%",
        "250%",
        "posted",
        "A K 4 3 2",
        "2 2 2 2 2",
        "A K Q J T",
        "player",
    ),
    *("../../etc/passwd", "\x00", "a" * 5_000, [], {}, [[]], [{}], {"a": 1}, ["x"], [1, 2], {"": ""}),
)


def whole(name: str) -> Raw:
    """A shipped book as parsed, with what it includes written into it."""
    raw = parsed(Shipped(f"{name}.toml"))
    if included := raw.pop("includes", None):
        shared = parsed(Shipped(included))
        raw = {**raw, **{part: [*shared.get(part, []), *raw.get(part, [])] for part in ("clause", "anomaly")}}
    return raw


@cache
def books() -> dict[str, Raw]:
    """The shipped books and the examples, each as if it had been written out."""
    shipped = {name: whole(name) for name in book_ids()}
    return shipped | {file.stem: heir(parsed(OnDisk(file))) for file in sorted(EXAMPLES.glob("*.toml"))}


def heir(raw: Raw) -> Raw:
    """A book that starts from a shipped one, written out."""
    merged, _ = inherited(whole(raw["from"]), Heritage(), raw, Complaints(raw["id"]))
    return merged


def damaged(raw: Raw, chance: random.Random) -> Raw:
    """The book with one to three things changed, taken away, doubled or moved."""
    found = copy.deepcopy(raw)
    for _ in range(chance.randint(1, 3)):
        # Half of the damage is done to rules: of a hundred clauses few set what a game is played by.
        setting = _settings(found)
        at_rules = setting and chance.random() < 1 / 2
        _damage(chance.choice(setting) if at_rules else found, chance)
    return found


def _settings(raw: Raw) -> list[Any]:
    """The tables of rules that clauses set, as far as they still are clauses."""
    clauses = raw.get("clause")
    found = [one.get("set") for one in clauses if isinstance(one, dict)] if isinstance(clauses, list) else []
    return [one for one in found if isinstance(one, dict) and one]


def _damage(raw: Raw, chance: random.Random) -> None:
    holder: Any = raw
    while True:
        keys = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
        if not keys:
            return
        key = chance.choice(keys)
        below = holder[key]
        if isinstance(below, dict | list) and below and chance.random() < 0.9:
            holder = below
            continue
        break
    match chance.choice(("value", "value", "value", "drop", "copy", "rename")):
        case "drop":
            del holder[key]
        case "copy" if isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        case "rename" if isinstance(holder, dict):
            holder[f"{key}x"] = holder.pop(key)
        case _:
            holder[key] = copy.deepcopy(chance.choice(_VALUES))


def try_book(raw: Raw, chance: random.Random, *, prices: bool = True) -> str:
    """What becomes of it: refused, or a game that was dealt and settled, and priced or said why not."""
    try:
        book = resolve(book_text(raw))
    except BookError as wrong:
        is_told = wrong.complaints and all(one.strip() and "\n" not in one for one in wrong.complaints)
        return "refused" if is_told else "refused without a word"
    assert play_one(book, chance)
    assert settle_one(book, chance)
    if prices and not is_priced(book):
        return "loaded, not priced"
    return "loaded"


def settle_one(book: Book, chance: random.Random) -> bool:
    """One deal, settled: the lines and nets are whole numbers, or the book says why not."""
    cards = [CardId(one) for one in chance.sample(range(52), 10)]
    size = book.hands.cards
    hand = tuple(cards[:size])
    seat = Seat(
        number=1,
        cards=hand,
        ante=book.ante.min or Amount(1_000),
        play=chance.choice(("bet", "fold")) if "fold" in book.decide.choices else "bet",
        bet=None,
        side=Amount(0),
        claims=True,
        swap=None,
        discard=discards(hand[: book.hands.discards]),
        player=None,
        sides=tuple((name, _least(side)) for name, side in book.sides.items()),
    )
    dealer = tuple(cards[size : 2 * size]) if book.dealer is not None else ()
    try:
        found = settle(
            book, Scenario(seats=(seat,), dealer=dealer, community=tuple(cards[size : size + book.hands.community]))
        )
    except INPUT_ERRORS:
        return True
    if isinstance(found, Refusal | Unregulated):
        return True
    return all(isinstance(line.pays, int) for line in found.lines) and bool(found.lines)


def play_one(book: Book, chance: random.Random) -> bool:
    """A table of that book opens and deals a round to its end, or a clause says what stands against it."""
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    sign = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "150", "flush": "75"}
    driver = Driver(book, new_table(book, awards=sign if posted else {}))
    try:
        driver.open_table()
        driver.open_bets(chance.sample(range(52), 52))
        driver.must(c.Ante(box=1, player="Ann", amount=book.ante.min or 10_00))
        for name, side in book.sides.items():
            driver.must(c.SideBet(box=1, player="Ann", wager=name, amount=_least(side)))
        driver.close_bets()
        driver.deal()
        driver.must(c.Look(box=1))
        current = driver.table.round
        assert current is not None
        held = current.boxes[1].cards
        if book.exchange is not None:
            driver.must(c.Exchange(box=1, give=held[: chance.randint(1, book.exchange.cards)]))
        driver.must(c.Bet(box=1, discard=c.as_aside(held[: book.hands.discards])))
        driver.until(lambda act: driver.table.live_round is None)
        if driver.table.live_round is not None and driver.table.live_round.buying:
            driver.must(c.BuyDealerCard(box=1, buys=chance.random() < 1 / 2))
        if driver.table.live_round is not None:
            driver.finish()
    except DriverError as stuck:
        # A book whose acts were damaged may stop its own table; then a clause says so.
        return bool(str(stuck))
    return sum(driver.table.accounts.values()) == 0


def _least(side: SideWagerRules) -> Amount:
    least = side.stake or side.min
    assert least is not None
    return least


#: What figures read.
_READ = ("hands", "table", "ante", "bet", "decide", "exchange", "dealer", "bought", "paytable", "instant", "bonus")
_PRICED: dict[str, bool] = {}


def is_priced(book: Book) -> bool:
    """Whether a book has figures: an edge that is none of nonsense, and one for each of its side wagers."""
    key = repr([getattr(book, step) for step in (*_READ, "sides")])
    if key not in _PRICED:
        for name in book.sides:
            figures = named_figures(book, name)
            assert figures.get("open", "x").strip()
        try:
            found = edge(book)
        except UnpricedError as unpriced:
            _PRICED[key] = not unpriced.complaints
        else:
            assert sum(found.outcomes.values()) == found.deals
            _PRICED[key] = True
    return _PRICED[key]


def main() -> None:
    """Damages books and counts what becomes of them."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--books", type=int, default=10_000)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    found: Counter[str] = Counter()
    for number in range(given.books):
        chance = random.Random(f"{given.seed}/{number}")
        name = chance.choice(sorted(books()))
        try:
            found[try_book(damaged(books()[name], chance), chance)] += 1
        except Exception:
            found["broken"] += 1
            sys.stderr.write(f"seed {given.seed}, book {number} ({name})\n{traceback.format_exc()}")
    sys.stdout.write(f"{given.books} damaged books, seed {given.seed}: {dict(found)}\n")
    sys.exit(1 if found["broken"] else 0)


if __name__ == "__main__":
    main()
