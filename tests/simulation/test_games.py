"""The simulator by columns against the exact figures: decisions, outcomes, means; every book, many strategies."""

from fractions import Fraction

import numpy as np
import pytest

from aceking.cards.card import CardId, name
from aceking.exact.community import strategy as community
from aceking.exact.games import edge, value
from aceking.exact.stud.states import states
from aceking.exact.stud.strategy import THUMBS
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.simulation.chance import deals
from aceking.simulation.plan import plan
from aceking.simulation.run import run
from aceking.simulation.strategies import strategies
from tests.simulation.deals import chi_squared

ROUNDS = 1_500_000

#: One process makes the tables of each book once.
pytestmark = pytest.mark.xdist_group("simulated books")


def test_the_mean_lies_within_its_error_and_the_outcomes_within_theirs(book: Book) -> None:
    exact, found = edge(book), run(plan(book, rounds=ROUNDS, seed=11))
    assert abs(float(found.net_per_ante - exact.net_per_ante)) < 4 * found.standard_error
    assert abs(found.standard_error / (exact.standard_deviation / np.sqrt(ROUNDS)) - 1) < 0.05
    assert chi_squared(found.outcomes, exact) < 4
    for decision, share in exact.decisions.items():
        assert abs(float(found.decisions[decision] - share)) < 4 * np.sqrt(float(share) / ROUNDS)


def test_seats_of_one_round_have_the_same_mean_and_hang_together(book: Book) -> None:
    exact, found = edge(book), run(plan(book, rounds=200_000, seats=4, seed=12))
    assert abs(float(found.net_per_ante - exact.net_per_ante)) < 4 * found.standard_error
    # They meet the same dealer or share cards: four seats of a round tell less than four rounds.
    assert found.standard_error > exact.standard_deviation / np.sqrt(800_000)
    assert chi_squared(found.outcomes, exact) < 12


@pytest.mark.parametrize("book_id", ["section10", "exchange", "colorado-required", "colorado-permissible"])
def test_the_best_play_decides_as_the_value_of_the_hand_says(book_id: str) -> None:
    book = load_book(book_id)
    asked = plan(book, rounds=1)
    dealt = deals(13, 0, cards=asked.game.cards, rounds=6)
    codes, given = asked.game.play(dealt).codes[0], asked.game.given(dealt)[0]
    for number in range(dealt.shape[1]):
        hand = [CardId(int(card)) for card in dealt[: book.hands.cards, number]]
        up = CardId(int(dealt[book.hands.cards, number])) if book.dealer is not None else None
        worth = value(book, hand, up)
        outcome = asked.game.outcomes[int(codes[number])]
        card = int(given[number])
        said = outcome.decision
        if said == "exchange":
            said = f"exchange {name(CardId(card))}"
        elif book.hands.discards and said in ("bet", "stay"):
            said = f"{said} discard {name(CardId(card))}"
        assert worth.decisions[said] == worth.decisions[worth.best]


@pytest.mark.parametrize("typed", ["three-rules", "A-K or better", "always-bet"])
def test_a_rule_that_people_carry_costs_what_it_costs(typed: str) -> None:
    book = load_book("section10")
    found = run(plan(book, rounds=ROUNDS, strategy=typed, seed=14))
    rule = next(thumb for thumb in THUMBS if thumb.name.lower().replace(" ", "-") == found.strategy)
    table = states(book)
    exact = table.edge(rule.bets(table))
    assert abs(float(found.net_per_ante - exact.net_per_ante)) < 4 * found.standard_error
    assert chi_squared(found.outcomes, exact) < 4


def test_a_rule_against_a_pay_table_costs_what_it_costs() -> None:
    book = load_book("colorado-required")
    found = run(plan(book, rounds=ROUNDS, strategy="two-highest", seed=15))
    exact = community.edge_of(book, community.two_highest)
    assert abs(float(found.net_per_ante - exact.net_per_ante)) < 4 * found.standard_error
    assert chi_squared(found.outcomes, exact) < 4


def test_every_strategy_of_every_book_has_a_name(book: Book) -> None:
    assert strategies(book)[0] == "optimal"
    assert len(set(strategies(book))) == len(strategies(book)) > 2
    assert all(one.replace("-", "").isalnum() for one in strategies(book))


def test_the_bonus_beside_the_best_play_costs_what_it_costs() -> None:
    """32.7351 % of its stake in the required version, as exact/side_bets/bonus.py has it."""
    found = run(plan(load_book("colorado-required"), rounds=ROUNDS, seed=16))
    assert found.side is not None
    assert abs(found.side.net_per_stake + 0.327351) < 4 * found.side.standard_error


def test_a_round_more_is_a_round_more() -> None:
    book = load_book("rws")
    short, long = (run(plan(book, rounds=rounds, seed=17)) for rounds in (70_000, 70_001))
    assert sum(long.outcomes.values()) - sum(short.outcomes.values()) == 1
    difference = long.net_per_ante * long.rounds - short.net_per_ante * short.rounds
    assert difference in {Fraction(net) for net in long.outcomes}
