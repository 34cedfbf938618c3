"""Exact against sampled: a thousand million rounds of every book, beside the exact figures.

    python -m tests.simulation.torture --rounds 1000000000 [--workers 2] [--seed 1] [--book rws]

For each book the simulated mean must lie within its error of the exact one, and the counts of outcomes must pass a
chi-squared test. The chance that a right program fails is one in a hundred thousand for each. At the end what is too
long for every day: seeing four of the dealer's cards, and two hands of the table, counted.
"""

import argparse
import sys
import time
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from aceking.cards.array import cores
from aceking.exact.games import edge
from aceking.exact.seen_cards import seeing
from aceking.exact.two_hands.edge import two_hands
from aceking.rules.reading.load import book_ids, load_book
from aceking.simulation.plan import plan
from aceking.simulation.questions.shared_hands import shared_hands
from aceking.simulation.result import Result
from aceking.simulation.run import Where, run
from tests.simulation.deals import chi_squared_of

#: Golden: computed here first, and by samples of all completions (0.346 with an error of 0.005).
_SEEING_FOUR = Fraction(439218068918, 1245826907325)
#: Golden: computed here first; samples lie beside it below.
_TWO_HANDS = Fraction(-21958443032483989, 471015592711263600)
_SHARED_ERROR = 0.00002
#: As often as that a right program fails.
_FAILS = 1e-5
_HEAD = f"{'book':<21} {'rounds':>13} {'exact':>11} {'simulated':>11} {'error':>9} {'off by':>7} {'chi2':>13} {'p':>6}"


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def chance_above(chi: float, freedom: int) -> float:
    """How often chi-squared is as large, by Wilson and Hilferty's cube root; good to a few parts in a thousand."""
    spread = 2 / (9 * freedom)
    return 1 - NormalDist().cdf(((chi / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))


def line_of(book_id: str, found: Result) -> tuple[str, bool]:
    """A line of the table, and whether both tests pass."""
    exact = edge(load_book(book_id))
    off = float(found.net_per_ante - exact.net_per_ante) / found.standard_error
    chi, freedom = chi_squared_of(found.outcomes, exact)
    chance = chance_above(chi, freedom)
    passed = abs(off) < NormalDist().inv_cdf(1 - _FAILS / 2) and chance > _FAILS
    figures = f"{100 * float(exact.net_per_ante):>10.5f}% {100 * float(found.net_per_ante):>10.5f}%"
    text = f"{book_id:<21} {found.rounds:>13,} {figures} {100 * found.standard_error:>8.5f}% {off:>+7.2f}"
    return f"{text} {f'{chi:.1f} / {freedom}':>13} {chance:>6.3f}", passed


def exact_too_long_for_every_day() -> int:
    """Two figures that are counted for long; how many of them are not what they were, or not where samples lie."""
    book = load_book("section10")
    four, two = seeing(book, dealer_cards=4).net_per_ante, two_hands(book).net_per_ante
    sampled = shared_hands(book, hands=2, error=_SHARED_ERROR)
    off = (sampled.net_per_ante - float(two)) / sampled.standard_error
    failed = [four != _SEEING_FOUR, two != _TWO_HANDS or abs(off) > NormalDist().inv_cdf(1 - _FAILS / 2)]
    marks = ["FAILED" if each else "" for each in failed]
    say(f"section10, four of the dealer's cards seen: {four} {marks[0]}")
    say(f"section10, two hands seen: {two}, {100 * float(two):.5f} %; samples are off by {off:+.2f} errors {marks[1]}")
    return sum(failed)


def main() -> int:
    """Print the table; return 1 if a test failed."""
    parser = argparse.ArgumentParser(description="Exact against sampled.")
    parser.add_argument("--rounds", type=int, default=1_000_000_000)
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--book", choices=book_ids())
    given = parser.parse_args()
    started, failed = time.perf_counter(), 0
    say(_HEAD)
    for book_id in (given.book,) if given.book else book_ids():
        found = run(plan(load_book(book_id), rounds=given.rounds, seed=given.seed), Where(given.workers))
        text, passed = line_of(book_id, found)
        failed += not passed
        say(f"{text}  {'' if passed else 'FAILED '}{found.rounds_per_second / 1e6:.1f} M rounds a second")
    failed += exact_too_long_for_every_day()
    say(f"seed {given.seed}, {given.workers} workers, {time.perf_counter() - started:.0f} s")
    say("FAILED" if failed else "every mean and every count is where it belongs")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
