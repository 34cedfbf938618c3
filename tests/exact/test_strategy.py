"""How to play stud: the whole strategy adds up to the edge, and rules cost what is published."""

import random
from fractions import Fraction

import pytest

from aceking.cards.card import RANKS, CardId, rank_of, suit_of
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.exact.advice import Advice, hand_text
from aceking.exact.community import edge as community
from aceking.exact.games import changed, edge
from aceking.exact.strategy import Strategy, strategy, strategy_data
from aceking.exact.stud import edge as stud
from aceking.exact.stud.rows import DEALER_HANDS, STATES
from aceking.exact.stud.states import states
from aceking.rules.reading.load import load_book

SECTION10, RWS = load_book("section10"), load_book("rws")
ORDER = {hand_text(ranked): place for place, ranked in enumerate(ranker(ace_low=True).ranks)}


@pytest.fixture(scope="module")
def played() -> Strategy:
    return strategy(SECTION10)


def test_the_best_play_is_the_edge(played: Strategy) -> None:
    assert played.best == stud.edge(SECTION10)


def test_the_advice_holds_every_state_once_and_adds_up_to_the_edge(played: Strategy) -> None:
    assert sum(line.share for line in played.advice) == 1
    assert sum(line.share * line.value for line in played.advice) == played.best.net_per_ante
    for name, share in played.best.decisions.items():
        assert sum(line.share for line in played.advice if line.best == name) == share
    assert all(line.margin > 0 for line in played.advice)


def the_line(played: Strategy, hand: list[CardId], up: CardId) -> Advice:
    """The line of the complete strategy that a player would look up."""
    strength = ranker(ace_low=True).strength(hand)
    suited = sorted({rank_of(one) for one in hand if suit_of(one) == suit_of(up)}, reverse=True)
    pattern = " ".join(RANKS[rank] for rank in suited) or "none"
    found = [
        line
        for line in played.advice
        if line.up == RANKS[rank_of(up)]
        and ORDER[line.weakest] <= strength <= ORDER[line.strongest]
        and (not line.suits or pattern in line.suits)
    ]
    assert len(found) == 1, (hand, up, found)
    return found[0]


def test_the_advice_is_what_value_says_of_the_same_hand(played: Strategy) -> None:
    pick = random.Random(5)
    for _ in range(40):
        *hand, up = pick.sample(DECK, 6)
        assert the_line(played, hand, up).best == stud.value(SECTION10, hand, up).best


def test_the_advice_is_right_on_both_sides_of_a_choice_by_suits(played: Strategy) -> None:
    mixed = [line for line in played.advice if line.suits]
    assert len(mixed) == 2 * 69  # kinds of hand and up-card that suits decide; computed
    assert all(line.weakest.startswith("A K ") for line in mixed)
    pick = random.Random(6)
    for line in pick.sample(mixed, 12):
        assert line.up is not None
        ranks = [RANKS.index(letter) for letter in line.weakest.split()]
        wanted = [RANKS.index(letter) for letter in line.suits[0].split() if letter in RANKS]
        suits = [3 if rank in wanted else place % 3 for place, rank in enumerate(ranks)]
        hand = [CardId(4 * rank + suit) for rank, suit in zip(ranks, suits, strict=True)]
        values = stud.value(SECTION10, hand, CardId(4 * RANKS.index(line.up) + 3))
        assert values.best == line.best


#: Published, at the usual pays: the name of the rule and its house edge in percent.
PUBLISHED = {
    "A-K-J-8-3": "5.316",
    "pair, or A-K with the up-card": "5.334",
    "pair or better": "5.470",
    "A-K or better": "5.682",
    "always bet": "16.607",
}


@pytest.mark.parametrize(("name", "percent"), PUBLISHED.items())
def test_published_simple_strategies_cost_what_is_printed(played: Strategy, name: str, percent: str) -> None:
    rule = next(rule for rule in played.rules if rule.name == name)
    assert f"{float(100 * rule.edge.house_edge):.3f}" == percent
    assert percent in rule.source


def test_what_a_rule_costs_is_the_sum_of_its_mistakes(played: Strategy) -> None:
    assert [rule.costs for rule in played.rules] == sorted(rule.costs for rule in played.rules)
    for rule in played.rules:
        assert (
            sum(one.per_round for one in rule.mistakes) == rule.costs == rule.edge.house_edge - played.best.house_edge
        )
        assert all(one.costs > 0 for one in rule.mistakes)


def test_two_borders_for_each_up_card_cost_next_to_nothing(played: Strategy) -> None:
    cheapest = played.rules[0]
    assert cheapest.name == "by up-card"
    assert 0 < cheapest.costs < Fraction(1, 10**6)
    assert [one.up for one in played.borders] == list(RANKS)
    by_up = {one.up: (one.matched, one.unmatched) for one in played.borders}
    # A queen up: ace-king needs a queen, and nothing else below a pair is bet.
    assert by_up["Q"] == ("A K Q 3 2", "2 2 5 4 3")
    assert by_up["2"] == ("A K 4 3 2", "A K Q 4 3")


def test_the_chart_agrees_with_the_advice(played: Strategy) -> None:
    rows = {row.name: row.cells for row in played.chart.rows}
    assert "A K Q J 2" not in rows  # bet whatever the up-card
    assert next(iter(rows)) == "A K Q T 9"
    for row in played.chart.rows:
        assert all(sum(cell.values()) == 1 for cell in row.cells if cell)
    queen_up = RANKS.index("Q")
    assert rows["A K J T 9"][queen_up] == {"fold": 1}
    assert rows["A K Q 3 2"][queen_up] == {"bet": 1}


def test_published_figures_of_the_game_itself(played: Strategy) -> None:
    best = played.best
    assert f"{float(100 * best.element_of_risk):.3f}" == "2.555"
    assert f"{best.standard_deviation:.2f}" == "2.24"
    assert f"{float(100 * best.decisions['bet']):.2f}" == "52.23"
    table = states(SECTION10)
    unqualified = Fraction(int(table.number @ table.unqualified), STATES * DEALER_HANDS)
    assert f"{float(100 * (1 - unqualified)):.4f}" == "56.3187"


def test_the_published_return_of_another_house() -> None:
    """Evolution pays 100/50/25/10/7/5/3/2/1: 96.30 % of the ante comes back, and 98.19 % of all money bet."""
    other, warnings = changed(SECTION10, pays={"four_of_a_kind": 25, "full_house": 10, "flush": 7, "straight": 5})
    assert warnings == ()
    found = edge(other)
    assert f"{float(100 * (1 - found.house_edge)):.2f}" == "96.30"
    assert f"{float(100 * (1 - found.element_of_risk)):.2f}" == "98.19"


def test_a_blind_bet_on_an_unseen_box_is_priced_where_the_book_has_one(played: Strategy) -> None:
    notes = strategy(RWS).notes
    assert len(notes) == 1
    assert "RWS-3.7" in notes[0]
    assert "16.582 %" in notes[0]
    assert played.notes == ()


def test_a_game_that_is_always_bet_has_a_chart_that_says_so() -> None:
    generous, _ = changed(SECTION10, qualifies_with="A A A A K")
    found = strategy(generous)
    assert found.best.decisions["bet"] == 1
    assert (found.chart.says, found.chart.rows) == ("Every hand is bet.", ())


@pytest.mark.parametrize("name", ["colorado-required", "colorado-permissible"])
def test_the_community_strategy_is_the_same_in_the_common_form(name: str) -> None:
    book = load_book(name)
    found = strategy(book)
    assert found.best == community.edge(book)
    assert len(found.advice) == 1755
    assert sum(line.share * line.value for line in found.advice) == found.best.net_per_ante
    for rule in found.rules:
        assert sum(one.per_round for one in rule.mistakes) == rule.costs


def test_the_data_holds_fractions_in_lowest_terms(played: Strategy) -> None:
    data = strategy_data(played)
    assert data["net_per_ante"] == str(edge(SECTION10).net_per_ante)
    assert sum(Fraction(line["share"]) for line in data["advice"]) == 1
    assert {"name", "says", "source", "house_edge", "costs", "mistakes", "errs_in"} <= set(data["rules"][0])


def test_who_sees_all_five_dealer_cards_folds_what_would_lose(played: Strategy) -> None:
    """Published for practical play: 64.27 % ahead. Perfect play folds what would lose, and is a bit better."""
    always = next(rule.edge for rule in played.rules if rule.name == "always bet")
    seen = Fraction(sum(max(net, Fraction(-1)) * deals for net, deals in always.outcomes.items()), always.deals)
    assert f"{float(100 * seen):.4f}" == "64.2816"


@pytest.mark.parametrize(("book", "steps"), [("section10", 7), ("colorado-required", 2)])
def test_the_work_on_a_strategy_knows_its_length(book: str, steps: int) -> None:
    heard: list[tuple[int, int]] = []
    strategy(load_book(book), progress=lambda part, whole: heard.append((part, whole)))
    assert heard == [(part, steps) for part in range(steps + 1)]
