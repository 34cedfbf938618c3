"""How to play Colorado: the whole strategy adds up to the edge, and the rules of thumb cost what is said."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from aceking.cards.card import CardId, cards
from aceking.exact.community import edge as community
from aceking.exact.community.strategy import THUMBS, advice, edge_of, mistakes, points, two_highest
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book

REQUIRED, PERMISSIBLE = load_book("colorado-required"), load_book("colorado-permissible")
BOTH = pytest.mark.parametrize("book", [REQUIRED, PERMISSIBLE], ids=lambda book: book.id)


@BOTH
def test_the_advice_for_all_hands_adds_up_to_the_edge(book: Book) -> None:
    lines = advice(book)
    assert len(lines) == 1755
    assert sum(line.deals for line in lines) == 22_100
    assert sum(line.deals * line.value for line in lines) / 22_100 == community.edge(book).net_per_ante


@BOTH
def test_the_advice_is_what_value_says_of_the_same_hand(book: Book) -> None:
    for line in advice(book):
        values = community.value(book, cards(line.cards))
        assert values.best == line.best
        assert values.decisions[line.best] == line.value
        assert values.decisions[line.second] == line.value - line.margin
        assert list(values.decisions.values())[1] == line.value - line.margin


@BOTH
def test_playing_by_the_advice_costs_the_edge(book: Book) -> None:
    best = {tuple(sorted(cards(line.cards))): line.best for line in advice(book)}

    def by_the_book(_: Book, three: Sequence[CardId]) -> str:
        return best[tuple(sorted(three))]

    assert edge_of(book, by_the_book) == community.edge(book)
    assert mistakes(book, by_the_book) == ()


@BOTH
def test_the_mistakes_of_a_rule_add_up_to_what_it_costs(book: Book) -> None:
    for thumb in THUMBS:
        costs = sum(one.costs * one.deals for one in mistakes(book, thumb.rule)) / 22_100
        assert edge_of(book, thumb.rule).house_edge - community.edge(book).house_edge == costs
        assert all(one.costs > 0 for one in mistakes(book, thumb.rule))


def test_keeping_the_two_highest_costs_about_a_percent() -> None:
    # Computed two ways: from the outcomes, and from the sum of the mistakes.
    assert edge_of(REQUIRED, two_highest).net_per_ante == Fraction(-127248, 1817725)
    assert edge_of(PERMISSIBLE, two_highest).net_per_ante == Fraction(-1963987, 50896300)


def test_counting_points_costs_an_eighth_of_a_percent_and_less() -> None:
    assert edge_of(REQUIRED, points).net_per_ante == Fraction(-572963, 10179260)
    assert edge_of(PERMISSIBLE, points).net_per_ante == Fraction(-380661, 12724075)


@pytest.mark.parametrize(
    ("text", "required", "permissible"),
    [
        ("9h 8h 7h", "declare", "declare"),
        ("Kd 4s 4d", "bet discard Kd", "bet discard Kd"),
        ("Ah Kd 9c", "bet discard 9c", "stay discard 9c"),
        (
            "Ts 9d 2s",
            "bet discard 2s",
            "stay discard 2s",
        ),  # ten and nine: three points of one version, two of the other
        ("Th 6h 6c", "bet discard Th", "bet discard Th"),
        ("6d 5d 2c", "bet discard 2c", "stay discard 2c"),
        ("6d 5h 2c", "fold", "stay discard 2c"),
    ],
)
def test_the_points_of_a_hand(text: str, required: str, permissible: str) -> None:
    assert points(REQUIRED, cards(text)) == required
    assert points(PERMISSIBLE, cards(text)) == permissible


def test_a_rule_that_the_book_does_not_allow_is_refused() -> None:
    with pytest.raises(ValueError, match="a player may not fold"):
        edge_of(PERMISSIBLE, lambda book, three: "fold")
