"""The chart: its cells are those of the strategy, and what the next best costs is what single hands lose by it."""

from fractions import Fraction

import pytest

from aceking.cards.card import RANKS, card, cards
from aceking.exact.games import value
from aceking.exact.strategy import chart as exact_chart
from aceking.exact.strategy import strategy
from aceking.lab.chart import chart
from aceking.lab.question import question_of
from aceking.rules.reading.load import load_book


@pytest.mark.parametrize("name", ["section10", "colorado-required", "colorado-permissible"])
def test_the_chart_alone_is_that_of_the_strategy(name: str) -> None:
    book = load_book(name)
    found, whole = exact_chart(book, most=200), strategy(book).chart
    assert found == whole
    assert all(len(row.margins) == len(row.cells) for row in found.rows)


def test_a_cell_averages_what_the_wrong_decision_costs_over_all_suits() -> None:
    """A K J 8 3 against a king: every suit of the five cards and of the up-card, one by one."""
    book = load_book("section10")
    row = next(one for one in exact_chart(book, most=200).rows if one.name == "A K J 8 3")
    suits, total, number = "cdhs", Fraction(0), 0
    found: dict[tuple[bool, ...], Fraction] = {}
    for hand in _hands(("A", "K", "J", "8", "3"), suits):
        for suit in suits:
            up = f"K{suit}"
            if up in hand:
                continue
            # What matters is which cards are of the up-card's suit.
            pattern = tuple(one[1] == suit for one in hand)
            if pattern not in found:
                worth = value(book, cards(" ".join(hand)), card(up)).decisions
                found[pattern] = abs(worth["bet"] - worth["fold"])
            total, number = total + found[pattern], number + 1
    assert row.margins[RANKS.index("K")] == total / number


def _hands(ranks: tuple[str, ...], suits: str) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    for rank in ranks:
        found = [(*before, f"{rank}{suit}") for before in found for suit in suits]
    return [one for one in found if len({each[1] for each in one}) > 1]


def test_colorados_cell_averages_over_its_hands() -> None:
    book = load_book("colorado-required")
    row = next(one for one in exact_chart(book, most=200).rows if one.name == "2")
    # Three twos are declared; the next best keeps a pair of them.
    worth = value(book, cards("2c 2d 2h"), None).decisions
    best, second = sorted(worth.values(), reverse=True)[:2]
    assert row.margins[-1] == best - second
    assert row.cells[-1] == {"declare": 1}


def test_a_short_chart_has_fewer_rows_of_the_same_states() -> None:
    short, whole = chart(question_of("section10")), chart(question_of("section10"), whole=True)
    assert 10 < len(short.rows) <= 60 < len(whole.rows) <= 200
    assert short.columns == whole.columns == tuple(RANKS)
    assert sum(cell.margin is None for row in whole.rows for cell in row.cells) == 0


def test_a_moved_qualifier_moves_the_chart() -> None:
    own, moved = chart(question_of("section10")), chart(question_of("section10", qualifier="2 2 5 4 3"))
    assert own.says != moved.says
