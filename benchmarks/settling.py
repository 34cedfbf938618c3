"""How many one-seat scenarios a second `aceking settle -` handles, beside a baseline of bare hand ranking."""

import json
import random
import subprocess
import sys
import time

from aceking.cards.card import names
from aceking.cards.deck import DECK
from aceking.cards.hand import rank
from aceking.rules.load import book_ids, load_book

ROUNDS = 20_000


def scenario_lines(count: int) -> list[str]:
    """One-seat rounds of all books, as JSON Lines."""
    chance = random.Random(1)
    lines = []
    for number in range(count):
        book = load_book(book_ids()[number % len(book_ids())])
        deck = chance.sample(DECK, 10)
        seat: dict[str, object] = {"seat": 1, "play": "bet", "ante": "10"}
        seat["cards"] = names(tuple(deck[: book.hands.cards]))
        raw: dict[str, object] = {"id": number, "book": book.id, "seats": [seat]}
        if book.dealer is None:
            seat["discard"] = names((deck[2],))
            raw["community"] = names(tuple(deck[5:8]))
        else:
            raw["dealer"] = names(tuple(deck[5:]))
        lines.append(json.dumps(raw))
    return lines


def main() -> None:
    """Prints scenarios a second on one core, start-up included, and the ratio to the obvious ranker."""
    text = "\n".join(scenario_lines(ROUNDS)) + "\n"
    started = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "aceking", "settle", "-"], input=text, capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - started
    assert len(done.stdout.splitlines()) == ROUNDS
    started = time.perf_counter()
    for _ in range(ROUNDS):
        rank(DECK[:5])
    ranking = time.perf_counter() - started
    started = time.perf_counter()
    subprocess.run([sys.executable, "-m", "aceking", "--help"], capture_output=True, check=True)
    helping = time.perf_counter() - started
    print(f"settle -: {ROUNDS / seconds:,.0f} one-seat scenarios a second on one core, start-up included")
    print(f"          {seconds / ranking:.1f} times what the obvious ranker alone takes for as many hands")
    print(f"--help:   {helping:.3f} s")


if __name__ == "__main__":
    main()
