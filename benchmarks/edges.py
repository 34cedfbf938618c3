"""The exact edge of the stud books as ratios of U: phevaluator's Python call for all 2,598,960 hands, one by one."""

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import combinations

from phevaluator import evaluate_cards

from aceking.cards.card import card, cards
from aceking.cards.hand import Category
from aceking.exact.exchange import counts as exchange_counts
from aceking.exact.exchange import hands as exchange_hands
from aceking.exact.stud import hands as stud_hands
from aceking.exact.stud import rows as stud_rows
from aceking.exact.stud import states as stud_states
from aceking.exact.stud import suited as counts_suited
from aceking.exact.stud.edge import edge, value
from aceking.rules.book import Book
from aceking.rules.load import load_book

PLAIN = "section10"
EXCHANGE = "exchange"

_ANSWER = "from aceking.exact.stud import edge; from aceking.rules.load import load_book; edge(load_book('{book}'))"


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, beside what the issue asks for."""

    what: str
    measured: float
    unit: str
    at_most: float | None


def figures(unit_seconds: float) -> list[Figure]:
    """Measures all, against a U that was measured in the same run."""
    plain, bought = load_book(PLAIN), load_book(EXCHANGE)
    hand, up = cards("9h 8h 7h 6h Kd"), card("2s")
    found = [
        Figure(f"{PLAIN}: edge, counts included", _best(partial(_fresh_edge, plain)) / unit_seconds, "U", 0.05),
        Figure(f"{EXCHANGE}: edge, counts included", _best(partial(_fresh_edge, bought)) / unit_seconds, "U", 0.5),
        Figure(f"{PLAIN}: another pay table", 1000 * _best(partial(edge, _other_pays(plain))), "ms", 5),
        Figure(f"{EXCHANGE}: another pay table", 1000 * _best(partial(edge, _other_pays(bought))), "ms", 300),
        Figure(f"{PLAIN}: value of one hand", 1000 * _best(partial(value, plain, hand, up)), "ms", 500),
        Figure(f"{EXCHANGE}: value of one hand", 1000 * _best(partial(value, bought, hand, up)), "ms", 500),
        Figure(f"{PLAIN}: table of all states", _best(partial(stud_states.states, plain)) / unit_seconds, "U", None),
    ]
    for book, megabytes in ((PLAIN, 400), (EXCHANGE, 600)):
        seconds = _best(partial(_process, book))
        limit = 0.4 if book == PLAIN else None
        found.append(Figure(f"{book}: from process start to answer", seconds / unit_seconds, "U", limit))
        found.append(Figure(f"{book}: memory of that process", _memory(book), "MB", megabytes))
    return found


def measure_unit() -> float:
    """U, in seconds."""
    start = time.perf_counter()
    for hand in combinations(range(52), 5):
        evaluate_cards(*hand)
    return time.perf_counter() - start


def main(unit_seconds: float | None = None) -> None:
    """Prints the table; U is measured here unless it was measured in the same run already."""
    unit = unit_seconds if unit_seconds is not None else measure_unit()
    print(f"U = {unit:.2f} s: phevaluator's Python call on all 2,598,960 hands")
    for figure in figures(unit):
        limit = "" if figure.at_most is None else f"(at most {figure.at_most:g})"
        print(f"{figure.what:40} {figure.measured:10.4f} {figure.unit:2} {limit}")


def _fresh_edge(book: Book) -> object:
    """The edge with nothing kept from an earlier run."""
    for kept in (
        stud_hands.blocks,
        stud_rows.stud_rows,
        counts_suited.dealer_suited,
        exchange_hands.changes,
        exchange_counts.exchange_counts,
    ):
        kept.cache_clear()
    return edge(book)


def _other_pays(book: Book) -> Book:
    return replace(book, bet=replace(book.bet, pays={**book.bet.pays, Category.FULL_HOUSE: Fraction(8)}))


def _process(book: str) -> None:
    subprocess.run([sys.executable, "-c", _ANSWER.format(book=book)], check=True)


def _memory(book: str) -> float:
    """The most memory that a fresh process held, in megabytes."""
    code = f"{_ANSWER.format(book=book)}; print(open('/proc/self/status').read())"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    (peak,) = [line for line in done.stdout.splitlines() if line.startswith("VmHWM")]
    return int(peak.split()[1]) / 1024


def _best(work: Callable[[], object], times: int = 3) -> float:
    """The shortest of a few runs: what is above it is the noise of the machine."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


if __name__ == "__main__":
    main()
