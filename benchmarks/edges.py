"""The exact edge of the stud books as ratios of U: phevaluator's Python call for all 2,598,960 hands, one by one."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

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
from aceking.rules.reading.load import load_book
from benchmarks.unit import in_units

PLAIN = "section10"
EXCHANGE = "exchange"

_ANSWER = (
    "from aceking.exact.stud.edge import edge; "
    "from aceking.rules.reading.load import load_book; edge(load_book('{book}'))"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured figure and its limit."""

    what: str
    measured: float
    unit: str
    at_most: float | None


def figures() -> list[Figure]:
    """Measure everything in turns with U: every limit is a ratio, except memory."""
    plain, bought = load_book(PLAIN), load_book(EXCHANGE)
    hand, up = cards("9h 8h 7h 6h Kd"), card("2s")
    found = [
        _measured(f"{PLAIN}: edge, counts included", partial(_fresh_edge, plain), 0.05),
        _measured(f"{EXCHANGE}: edge, counts included", partial(_fresh_edge, bought), 0.5),
        _measured(f"{PLAIN}: another pay table", partial(edge, _other_pays(plain)), 0.004),
        _measured(f"{EXCHANGE}: another pay table", partial(edge, _other_pays(bought)), 0.18),
        _measured(f"{PLAIN}: value of one hand", partial(value, plain, hand, up), 0.3),
        _measured(f"{EXCHANGE}: value of one hand", partial(value, bought, hand, up), 0.3),
        _measured(f"{PLAIN}: table of all states", partial(stud_states.states, plain), None),
    ]
    for book, megabytes in ((PLAIN, 400), (EXCHANGE, 600)):
        limit = 0.4 if book == PLAIN else None
        found.append(_measured(f"{book}: from process start to answer", partial(_process, book), limit))
        found.append(Figure(f"{book}: memory of that process", _memory(book), "MB", megabytes))
    return found


def _measured(what: str, work: Callable[[], object], at_most: float | None) -> Figure:
    return Figure(what, in_units(work)[0], "U", at_most)


def main() -> None:
    print("U: phevaluator's Python call on all 2,598,960 hands, measured in turn with each figure")
    for figure in figures():
        limit = "" if figure.at_most is None else f"(at most {figure.at_most:g})"
        print(f"{figure.what:40} {figure.measured:10.4f} {figure.unit:2} {limit}")


def _fresh_edge(book: Book) -> object:
    """Compute the edge without any cache."""
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
    """Return the peak memory of a fresh process in megabytes."""
    code = f"{_ANSWER.format(book=book)}; print(open('/proc/self/status').read())"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    (peak,) = [line for line in done.stdout.splitlines() if line.startswith("VmHWM")]
    return int(peak.split()[1]) / 1024


if __name__ == "__main__":
    main()
