"""The speed of commands for people and programs as ratios of U: phevaluator's Python call for all 2,598,960 hands.

The processor time of the child process is counted, start-up included; the least of several runs.
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from itertools import combinations, islice

from phevaluator import evaluate_cards

from aceking.cards.card import names
from aceking.cards.deck import DECK
from aceking.rules.reading.load import book_ids, load_book

ROUNDS = 20_000
HANDS = 2_598_960
_SAMPLE = HANDS // 10
_RUNS = 5


def scenario_lines(count: int) -> list[str]:
    """Return one-seat rounds of all books as JSON Lines."""
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


def unit() -> float:
    """Return U in seconds: a tenth of all hands, ten times."""
    call = evaluate_cards
    started = time.process_time()
    for hand in islice(combinations(range(52), 5), _SAMPLE):
        call(*hand)
    return (time.process_time() - started) * HANDS / _SAMPLE


def seconds(*words: str, given: str = "", cache: str) -> float:
    """Return the processor time of one command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    env = {**os.environ, "ACEKING_CACHE": cache}
    command = [sys.executable, "-m", "aceking", *words]
    subprocess.run(command, input=given, capture_output=True, text=True, check=True, env=env)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> None:
    lines = scenario_lines(ROUNDS)
    books = len(book_ids())
    one, each, many = ("\n".join(lines[:count]) + "\n" for count in (1, books, ROUNDS))
    found: dict[str, list[float]] = {}
    for _ in range(_RUNS):
        with tempfile.TemporaryDirectory() as cache:
            found.setdefault("U", []).append(unit())
            for name, words, given in (
                ("one", ("settle", "-", "--json"), one),
                ("each", ("settle", "-", "--json"), each),
                ("many", ("settle", "-", "--json"), many),
                ("shown", ("settle", "examples/jackpot-rws.json"), ""),
                ("first", ("edge", "section10"), ""),
                ("again", ("edge", "section10"), ""),
            ):
                found.setdefault(name, []).append(seconds(*words, given=given, cache=cache))
    least = {name: min(times) for name, times in found.items()}
    line = (least["many"] - least["each"]) / (ROUNDS - books)
    print(f"U = {least['U']:.2f} s: phevaluator's Python call on all 2,598,960 hands")
    print(f"settle, one scenario, start to answer: {least['shown'] / least['U']:.3f} U for people,", end=" ")
    print(f"{least['one'] / least['U']:.3f} U as JSON")
    print(f"edge: {least['first'] / least['U']:.3f} U the first time, {least['again'] / least['U']:.3f} U again")
    print(
        f"settle -: {line / (least['U'] / HANDS):.1f} phevaluator calls a line, start-up and reading of the books apart"
    )


if __name__ == "__main__":
    main()
