"""Damaged books: what loads must be a game that can be dealt and settled; everything else is told, never a traceback.

python -m tests.rules.damage --books 10000 --seed 1
"""

import argparse
import copy
import random
import sys
from collections import Counter
from typing import Any

from aceking.cards.card import Card
from aceking.rules.book import Book
from aceking.rules.load import book_ids, resolve
from aceking.rules.odds import Amount
from aceking.rules.refusal import Refusal, Unregulated
from aceking.rules.source import Shipped, parsed
from aceking.rules.text import book_text
from aceking.rules.wrong import BookError
from aceking.settle.scenario import Scenario, Seat
from aceking.settle.settle import settle
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver, DriverError, new_table
from aceking.wire import INPUT_ERRORS

Raw = dict[str, Any]
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


def damaged(raw: Raw, chance: random.Random) -> Raw:
    """The book with one to three things changed, taken away, doubled or moved."""
    found = copy.deepcopy(raw)
    for _ in range(chance.randint(1, 3)):
        _damage(found, chance)
    return found


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


def try_book(raw: Raw, chance: random.Random) -> str:
    """What becomes of it: refused, or a game that was dealt and settled."""
    try:
        book = resolve(book_text(raw))
    except BookError as wrong:
        is_told = wrong.complaints and all(one.strip() and "\n" not in one for one in wrong.complaints)
        return "refused" if is_told else "refused without a word"
    assert play_one(book, chance)
    assert settle_one(book, chance)
    return "loaded"


def settle_one(book: Book, chance: random.Random) -> bool:
    """One deal, settled: the lines and nets are whole numbers, or the book says why not."""
    cards = [Card(one) for one in chance.sample(range(52), 10)]
    size = book.hands.cards
    ante = book.ante.min or Amount(1_000)
    hand = tuple(cards[:size])
    seat = Seat(
        number=1,
        cards=hand,
        ante=ante,
        play=chance.choice(("bet", "fold")) if "fold" in book.decide.choices else "bet",
        bet=None,
        side=Amount(0),
        claims=True,
        swap=None,
        discard=hand[0] if book.hands.discards else None,
        player=None,
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
        driver.close_bets()
        driver.deal()
        driver.must(c.Look(box=1))
        current = driver.table.round
        assert current is not None
        driver.must(c.Bet(box=1, discard=current.boxes[1].cards[0] if book.hands.discards else None))
        driver.finish()
    except DriverError as stuck:
        # A book whose acts were damaged may stop its own table; then a clause says so.
        return bool(str(stuck))
    return sum(driver.table.accounts.values()) == 0


def main() -> None:
    """Damages books and counts what becomes of them."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--books", type=int, default=10_000)
    asked.add_argument("--seed", type=int, default=1)
    given = asked.parse_args()
    books = {name: whole(name) for name in book_ids()}
    found: Counter[str] = Counter()
    for number in range(given.books):
        chance = random.Random(f"{given.seed}/{number}")
        name = chance.choice(sorted(books))
        try:
            found[try_book(damaged(books[name], chance), chance)] += 1
        except Exception:
            sys.stderr.write(f"seed {given.seed}, book {number} ({name})\n")
            raise
    sys.stdout.write(f"{given.books} damaged books, seed {given.seed}: {dict(found)}\n")


if __name__ == "__main__":
    main()
