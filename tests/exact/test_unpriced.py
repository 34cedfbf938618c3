"""A choice of the player that figures are not counted with: no way leads to a figure of such a book."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, get_args, get_type_hints

import pytest

from aceking import Table, edge, simulate, strategy, value
from aceking.exact.choices import choices
from aceking.exact.seen_cards import seeing
from aceking.exact.side_bets.bonus import joint
from aceking.exact.side_bets.progressive import line
from aceking.exact.side_bets.side_wagers import named_edge, named_figures
from aceking.exact.strategy import chart
from aceking.exact.two_hands.edge import two_hands
from aceking.exact.unpriced import UnpricedError, unpriced_choices
from aceking.house.views.returns import edge_of, returns_of
from aceking.rules.book import Book, Rule
from aceking.rules.reading.load import load_book
from aceking.rules.vocabulary import DecideRules
from aceking.sheet.data import sheet_data
from aceking.simulation.plan import plan
from aceking.simulation.questions.sessions import hold, night, ruin
from aceking.simulation.questions.shared_hands import shared_hands
from tests.named_sides import lantern

BOOKS = ("section10", "exchange", "colorado-permissible", "colorado-required")
HAND = "Ah Kd 9c 5s 2d"


def with_surrender(book: Book) -> Book:
    """The book with one choice more than the mathematics knows."""
    known: tuple[Any, ...] = (*book.decide.choices, "surrender")
    rule = Rule(known, book.cite("decide.choices"))
    return replace(book, decide=replace(book.decide, choices=known), by_key={**book.by_key, "decide.choices": rule})


def hand_value(book: Book) -> Any:
    return value(book, HAND, "9h") if book.dealer is not None else value(book, "Kd 4s 4d")


WAYS: dict[str, Callable[[Book], Any]] = {
    "edge": edge,
    "edge of one ante": lambda book: edge(book, ante=100),
    "value": hand_value,
    "strategy": strategy,
    "chart": lambda book: chart(book, most=20),
    "sheet": sheet_data,
    "simulate": lambda book: simulate(book, rounds=10),
    "plan": lambda book: plan(book, rounds=10),
    "night": lambda book: night(book, rounds=10, nights=1),
    "hold": lambda book: hold(book, rounds=10),
    "ruin": lambda book: ruin(book, bankroll=Fraction(100), rounds=10),
    "returns": returns_of,
    "expected win": edge_of,
}


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("way", WAYS)
def test_a_choice_without_a_price_is_refused_on_every_way_to_a_figure(way: str, name: str) -> None:
    book = with_surrender(load_book(name))
    clause = book.cite("decide.choices")
    with pytest.raises(UnpricedError) as refused:
        WAYS[way](book)
    assert str(refused.value) == (
        f"{name}: {clause}: decide.choices: a game with the choice 'surrender' is settled and played, and not priced"
    )


@pytest.mark.parametrize(
    "way",
    [
        lambda: value(with_surrender(load_book("exchange")), HAND, "9h", exchanged=("2d", "3d")),
        lambda: seeing(with_surrender(load_book("section10")), dealer_cards=2),
        lambda: shared_hands(with_surrender(load_book("section10")), hands=2),
        lambda: two_hands(with_surrender(load_book("section10"))),
        lambda: line(with_surrender(load_book("washington"))),
        lambda: joint(with_surrender(load_book("colorado-required")), ratio=Fraction(1)),
        lambda: named_edge(with_surrender(lantern()), "five-plus-one"),
    ],
)
def test_neither_what_is_seen_nor_a_side_bet_is_priced_beside_it(way: Callable[[], Any]) -> None:
    with pytest.raises(UnpricedError, match="'surrender'"):
        way()


def test_a_side_wager_by_name_says_why_it_has_no_figures() -> None:
    assert "'surrender'" in named_figures(with_surrender(lantern()), "five-plus-one")["open"]


def test_the_coach_is_silent_where_a_choice_has_no_price() -> None:
    table = Table("section10", seed=1).ante(10).deal()
    assert choices(table.book, table.state, 1) is not None
    assert choices(with_surrender(table.book), table.state, 1) is None


def test_every_choice_of_the_language_has_a_price(book: Book) -> None:
    words = get_args(get_args(get_type_hints(DecideRules)["choices"])[0])
    every = replace(book, decide=replace(book.decide, choices=words))
    assert {"bet", "fold"} < set(words)
    assert unpriced_choices(every) == ()
