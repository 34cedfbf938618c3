"""Colorado Hold'em as ratios of U: the time phevaluator takes, one Python call a hand, for all 2,598,960 hands."""

import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations

from phevaluator import evaluate_cards

from aceking.cards.hand import Category
from aceking.exact import bonus
from aceking.exact.community import counts as community_counts
from aceking.exact.community import edge as community
from aceking.exact.community import hands as community_hands
from aceking.exact.community import kinds as community_kinds
from aceking.exact.community import play as community_play
from aceking.rules.book import Book
from aceking.rules.load import load_book

COLORADO = ("colorado-required", "colorado-permissible")


def main(unit_seconds: float | None = None) -> None:
    """Prints the figures; U is measured here unless it was measured in the same run already."""
    unit = unit_seconds if unit_seconds is not None else measure_unit()
    print(f"U = {unit:.3f} s: phevaluator's Python call on all 2,598,960 hands")
    for name in COLORADO:
        book = load_book(name)
        edge = best_of(partial(_fresh_edge, book))
        print(f"{name}: exact edge, counts included    {edge / unit:.5f} U   (at most 0.01 U; {1000 * edge:.1f} ms)")
        again = best_of(partial(community.edge, _other_pays(book)))
        print(f"{name}: another pay table              {again / unit:.5f} U   ({1000 * again:.2f} ms)")
        joint = best_of(partial(bonus.joint, book, ratio=Fraction(1, 10)))
        print(f"{name}: best joint play with the bonus {joint / unit:.5f} U   ({1000 * joint:.2f} ms)")


def measure_unit() -> float:
    """The time of phevaluator for all hands of five cards."""
    start = time.perf_counter()
    for hand in combinations(range(52), 5):
        evaluate_cards(*hand)
    return time.perf_counter() - start


def best_of(work: Callable[[], object], times: int = 5) -> float:
    """The shortest of a few runs: what is above it is the noise of the machine."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def _fresh_edge(book: Book) -> object:
    """The edge with nothing kept from an earlier run."""
    for kept in (
        community_play._game,
        community_counts.counts,
        community_hands.hands,
        community_kinds._five_ranks,
        community_kinds._groups,
    ):
        kept.cache_clear()
    return community.edge(book)


def _other_pays(book: Book) -> Book:
    return replace(book, bet=replace(book.bet, pays={**book.bet.pays, Category.FULL_HOUSE: Fraction(8)}))


if __name__ == "__main__":
    main()
