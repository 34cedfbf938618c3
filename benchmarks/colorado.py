"""Colorado Hold'em as ratios of U: the time of phevaluator's Python call for all 2,598,960 hands."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

from aceking.cards.hand import Category
from aceking.exact.community import counts as community_counts
from aceking.exact.community import edge as community
from aceking.exact.community import hands as community_hands
from aceking.exact.community import kinds as community_kinds
from aceking.exact.community import play as community_play
from aceking.exact.side_bets import bonus
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from benchmarks.unit import in_units

COLORADO = ("colorado-required", "colorado-permissible")


def main() -> None:
    """Print the figures, each measured in turns with U."""
    for name in COLORADO:
        book = load_book(name)
        edge, unit = in_units(partial(_fresh_edge, book), times=5)
        print(f"{name}: exact edge, counts included    {edge:.5f} U   (at most 0.01 U; U = {unit:.2f} s)")
        again, _ = in_units(partial(community.edge, _other_pays(book)), times=5)
        print(f"{name}: another pay table              {again:.5f} U")
        joint, _ = in_units(partial(bonus.joint, book, ratio=Fraction(1, 10)), times=5)
        print(f"{name}: best joint play with the bonus {joint:.5f} U")


def _fresh_edge(book: Book) -> object:
    """Compute the edge without any cache."""
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
