"""How to play stud with an exchange: every exchange valued, and rules of buying with their price."""

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from aceking.cards.card import RANKS, CardId, cards, rank_of, suit_of
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import Category
from aceking.exact.advice import hand_text
from aceking.exact.exchange.states import ExchangeStates
from aceking.exact.exchange.thumbs import chart_rows, draws_of
from aceking.exact.games import changed, edge
from aceking.exact.strategy import Strategy, chart, strategy
from aceking.exact.stud import edge as stud
from aceking.rules.reading.load import load_book

BOOK = load_book("exchange")
ORDER = {hand_text(ranked): place for place, ranked in enumerate(ranker(ace_low=True).ranks)}


@pytest.fixture(scope="module")
def played() -> Strategy:
    heard: list[tuple[int, int]] = []
    found = strategy(BOOK, progress=lambda part, whole: heard.append((part, whole)))
    assert heard == [(part, len(RANKS)) for part in range(len(RANKS) + 1)], "the work knows its length"
    return found


@pytest.mark.proof
def test_the_best_of_all_exchanges_is_the_edge(played: Strategy) -> None:
    # Two ways: every exchange of every state valued here, and only those that a bound does not rule out there.
    assert played.best == stud.edge(BOOK)


def test_the_advice_holds_every_state_once_and_adds_up_to_the_edge(played: Strategy) -> None:
    assert sum(line.share for line in played.advice) == 1
    assert sum(line.share * line.value for line in played.advice) == played.best.net_per_ante
    exchanged = sum(line.share for line in played.advice if line.best.startswith("exchange"))
    assert exchanged == played.best.decisions["exchange"]
    assert all(line.margin >= 0 for line in played.advice)


def test_the_chart_alone_is_that_of_the_strategy(played: Strategy) -> None:
    assert chart(BOOK, most=200) == played.chart
    for row in played.chart.rows:
        assert all((margin is None) == (not cell) for margin, cell in zip(row.margins, row.cells, strict=True))


def test_a_cell_of_the_chart_averages_what_the_next_best_costs(played: Strategy) -> None:
    """Every state of one cell in plain numbers: all that can be done with it, sorted, the best less the second."""
    name = "4 3 2 A, one rank makes a straight"
    states = ExchangeStates(BOOK)
    table = states.against(RANKS.index("9"))
    rows = np.flatnonzero(chart_rows(table, draws_of(table, ace_low=True))[name])
    lost = number = 0
    for row in rows:
        worth = sorted([table.fold, int(table.bets[row]), *table.values[table.state == row].tolist()], reverse=True)
        lost += (worth[0] - worth[1]) * int(table.number[row])
        number += int(table.number[row])
    found = next(one for one in played.chart.rows if one.name == name)
    assert found.margins[RANKS.index("9")] == Fraction(lost, states.unit * number)


def looked_up(played: Strategy, hand: list[CardId], up: CardId) -> str:
    """The decision that a player would look up."""
    strength = ranker(ace_low=True).strength(hand)
    suit, many = Counter(suit_of(one) for one in hand).most_common(1)[0]
    suited = sorted({rank_of(one) for one in hand if suit_of(one) == suit_of(up)}, reverse=True)
    pattern = " ".join(RANKS[rank] for rank in suited) or "none"
    if many == 4:
        pattern += f"; odd {next(RANKS[rank_of(one)] for one in hand if suit_of(one) != suit)}"
    found = [
        line.best
        for line in played.advice
        if line.up == RANKS[rank_of(up)]
        and line.four_suited == (many >= 4)
        and ORDER[line.weakest] <= strength <= ORDER[line.strongest]
        and (not line.suits or pattern in line.suits)
    ]
    assert len(found) == 1, (hand, up, found)
    if found[0] != "exchange the odd suit":
        return found[0]
    return f"exchange {next(RANKS[rank_of(one)] for one in hand if suit_of(one) != suit)}"


def test_the_advice_is_what_value_says_of_the_same_hand(played: Strategy) -> None:
    pick = random.Random(7)
    seen: Counter[str] = Counter()
    for _ in range(40):
        *hand, up = pick.sample(DECK, 6)
        best = stud.value(BOOK, hand, up).best
        seen[best.split()[0]] += 1
        assert looked_up(played, hand, up) == (best[:-1] if best.startswith("exchange") else best)
    assert set(seen) == {"fold", "bet", "exchange"}


@pytest.mark.parametrize(
    ("hand", "up", "best"),
    [
        ("Ah 9h 6h 2h Kc", "Kd", "exchange Kc"),  # four of a suit
        ("Qh Jd Tc 9s 2h", "Ad", "exchange 2h"),  # open straight
        ("Qh Jd 9c 8s 2h", "7d", "exchange 2h"),  # inside, all four above the up-card
        ("Qh Jd 9c 8s 2h", "Td", "fold"),  # inside, but the up-card is the card that is needed
        ("4h 4d 9h 7h 2h", "Kd", "exchange 4d"),  # a small pair is broken for a flush
        ("Jh Jd 9h 7h 2h", "Kd", "bet"),  # a high pair is not
    ],
)
def test_the_rules_of_buying_on_real_cards(played: Strategy, hand: str, up: str, best: str) -> None:
    five, shown = list(cards(hand)), cards(up)[0]
    assert stud.value(BOOK, five, shown).best == best
    assert looked_up(played, five, shown) == (best[:-1] if best.startswith("exchange") else best)


def test_what_a_rule_costs_is_the_sum_of_its_mistakes(played: Strategy) -> None:
    for rule in played.rules:
        assert (
            sum(one.per_round for one in rule.mistakes) == rule.costs == rule.edge.house_edge - played.best.house_edge
        )
    costs = {rule.name: rule.costs for rule in played.rules}
    assert costs["by up-card"] < Fraction(4, 10_000)
    assert (
        costs["by up-card"] < costs["good draws and inside straights"] < costs["good draws"] < costs["never buy a card"]
    )


def test_an_exchange_never_ends_in_a_full_house_or_four_of_a_kind(played: Strategy) -> None:
    # One ante and twice 7 or 12, less the price of one: no other way of winning nets as much.
    assert not {Fraction(14), Fraction(24)} & set(played.best.outcomes)


def test_without_the_exchange_it_is_plain_stud(played: Strategy) -> None:
    plain = {rule.name: rule.edge.net_per_ante for rule in strategy(load_book("section10")).rules}
    mine = {rule.name: rule.edge.net_per_ante for rule in played.rules}
    assert mine["never buy a card"] == plain["three rules"]
    assert mine["always bet"] == plain["always bet"]


def test_full_pays_for_bought_hands_cost_what_is_published() -> None:
    """Published for the full pays: 1.04 % of the ante. With the reduced pays of the book no figure was found."""
    full = {f"exchange.{category.key}": BOOK.bet.pays[category] for category in Category}
    other, warnings = changed(BOOK, pays=full)
    assert len(warnings) == 3
    assert f"{float(100 * edge(other).house_edge):.2f}" == "1.04"
    assert f"{float(100 * edge(BOOK).house_edge):.4f}" == "1.1757"
