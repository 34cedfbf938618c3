"""Dealers who qualify with sets of hands: settled, counted and enumerated alike."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
import pytest

from aceking.cards.deck import DECK
from aceking.cards.hand import rank, weakest
from aceking.exact.games import edge, value
from aceking.exact.seen_cards import SeeingError, seeing
from aceking.exact.stud.edge import DEALS
from aceking.exact.stud.money import nets
from aceking.exact.stud.rows import DEALER_HANDS, STATES
from aceking.exact.stud.states import states
from aceking.exact.unpriced import UnpricedError
from aceking.rules.book import Book
from aceking.rules.qualifier import ANY_HAND, Alike, Qualifier, qualifier
from aceking.rules.reading.load import load_book
from aceking.settlement.judge import judge
from aceking.simulation.games.game import SimulationError
from aceking.simulation.plan import plan
from aceking.simulation.questions.shared_hands import shared_hands
from aceking.simulation.run import run
from tests.cards.every_hand import every_hand
from tests.exact.dealer_hands import DealerEnumerated
from tests.exact.heirs import same_at_the_table
from tests.exact.test_stud_settle import PAIRS, settled
from tests.rules.test_inheritance import complaints, heir

#: All hands are ranked once for those who need them.
pytestmark = pytest.mark.xdist_group("every hand")

KING_QUEEN = """
from = "section10"
id = "king-queen"
[[clause]]
id = "KQ-1"
topic = "qualify"
actor = "dealer"
says = "The dealer plays with a pair, with ace-king, ace-queen or king-queen."
set.dealer.qualifies_with = "2 2 5 4 3"
set.dealer.qualifies_too = ["A K", "A Q", "K Q"]
"""
ALWAYS = """
from = "section10"
id = "always"
[[clause]]
id = "AL-1"
topic = "qualify"
actor = "dealer"
says = "The dealer always plays."
set.dealer.qualifies_with = "any"
set.dealer.unqualified_ante = "none"
set.dealer.unqualified_bet = "none"
"""
RANKS = "23456789TJQKA"


def alike(text: str) -> Alike:
    found = Alike.of([RANKS.index(one) for one in text.split()])
    assert found is not None
    return found


def with_set(book: Book, least: str, *too: str) -> Book:
    assert book.dealer is not None
    rules = replace(book.dealer, qualifies_with=weakest(least), qualifies_too=tuple(map(alike, too)) or None)
    return replace(book, dealer=rules)


@cache
def section10() -> Book:
    return load_book("section10")


SETS = {
    "king-queen": ("2 2 5 4 3", "A K", "A Q", "K Q"),
    "pairs of fours and of jacks under aces up": ("A A 3 3 2", "4 4", "J J", "7 6 5 3"),
    "two pair and threes under a straight": ("6 5 4 3 2", "9 9 8 8", "5 5 5", "A K Q J"),
}


def plays(book: Book, strength: int) -> bool:
    assert book.dealer is not None
    ranks = every_hand(ace_low=True).ranks
    ranked = ranks[strength]
    if ranked >= book.dealer.qualifies_with:
        return True
    return any(
        ranked.category is one.category and ranked.ranks[: len(one.ranks)] == one.ranks
        for one in book.dealer.qualifies_too or ()
    )


@pytest.mark.parametrize("name", SETS)
def test_the_judge_takes_exactly_the_hands_of_the_set(name: str) -> None:
    book = with_set(section10(), *SETS[name])
    assert [bool(one) for one in judge(book).qualifies] == [
        plays(book, at) for at in range(len(every_hand(ace_low=True).ranks))
    ]


@pytest.mark.parametrize("name", SETS)
def test_every_hand_of_the_dealer_is_counted_as_enumeration_counts_it(name: str) -> None:
    """By brute force: all 2,598,960 hands of the dealer, each as likely as another."""
    book = with_set(section10(), *SETS[name])
    every = every_hand(ace_low=True)
    playing = np.array([plays(book, at) for at in range(len(every.ranks))])
    unqualified = int((~playing[every.obvious]).sum())
    table = states(book)
    counted = int(table.number @ table.unqualified)
    assert Fraction(counted, STATES * DEALER_HANDS) == Fraction(unqualified, len(every.obvious))


@pytest.mark.parametrize("name", SETS)
def test_rows_equal_states_and_states_equal_plain_enumeration(name: str) -> None:
    book = with_set(section10(), *SETS[name])
    table = states(book)
    found = edge(book)
    assert found == table.edge(table.best)
    assert found.deals == DEALS
    money, random = nets(book), Random(name)
    for row in random.sample(range(len(table.number)), 15):
        hand, up = tuple(DECK[one] for one in table.hands[row]), DECK[table.ups[row]]
        dealer = DealerEnumerated(hand, up, ace_low=True)
        mine = dealer.every.of(np.array([hand], np.uint8))[0]
        playing = np.array([plays(book, at) for at in range(len(dealer.every.ranks))])[dealer.strengths]
        qualified = dealer.strengths[playing]
        below, equal = int((qualified < mine).sum()), int((qualified == mine).sum())
        lost = len(qualified) - below - equal
        bet = Fraction(
            (len(playing) - len(qualified)) * money.unqualified
            + below * money.win[rank(hand).category]
            + lost * money.lose
            + equal * money.tie
        ) / len(playing)
        assert Fraction(int(table.bets[row]), table.unit) == bet
        assert value(book, hand, up).decisions["bet"] == bet


@pytest.mark.parametrize("name", SETS)
def test_the_table_pays_what_the_mathematics_pays(name: str) -> None:
    book = with_set(section10(), *SETS[name])
    money, every = nets(book), every_hand(ace_low=True)
    for mine, theirs in PAIRS:
        own, others = rank(mine), rank(theirs)
        expected = (
            money.unqualified
            if not plays(book, every.ranks.index(others))
            else money.tie
            if own == others
            else money.win[own.category]
            if own > others
            else money.lose
        )
        assert settled(book, mine, theirs, "bet", None) == expected


def test_a_set_that_is_a_threshold_is_priced_as_one() -> None:
    whole = with_set(section10(), "A K 4 3 2", "A Q")
    plain = with_set(section10(), "A Q 4 3 2")
    assert edge(whole) == replace(edge(plain), book=whole.id)


def test_an_heir_says_it_in_ten_lines(tmp_path: Path) -> None:
    assert len(KING_QUEEN.splitlines()) < 20
    book = heir(tmp_path, KING_QUEEN)
    assert book.dealer is not None
    assert edge(book).outcomes == edge(with_set(section10(), *SETS["king-queen"])).outcomes


def test_a_dealer_who_always_plays(tmp_path: Path) -> None:
    book = heir(tmp_path, ALWAYS)
    assert book.dealer is not None
    assert book.dealer.qualifies_with == ANY_HAND
    assert all(judge(book).qualifies)
    found = edge(book)
    assert found.outcomes == edge(with_set(section10(), "7 5 4 3 2")).outcomes
    assert Fraction(1) not in found.outcomes or found.outcomes[Fraction(1)] == 0


@pytest.mark.parametrize("text", [KING_QUEEN, ALWAYS])
def test_the_table_plays_what_the_simulator_plays(tmp_path: Path, text: str) -> None:
    assert same_at_the_table(heir(tmp_path, text))


def test_simulated_rounds_come_to_the_exact_figure(tmp_path: Path) -> None:
    book = heir(tmp_path, KING_QUEEN)
    found = run(plan(book, rounds=200_000, seed=7))
    exact = edge(book)
    error = exact.standard_deviation / 200_000**0.5
    assert abs(float(found.net_per_ante - exact.net_per_ante)) < 5 * error


def test_what_does_not_count_sets_says_so(tmp_path: Path) -> None:
    book = heir(tmp_path, KING_QUEEN)
    with pytest.raises(SeeingError, match="KQ-1"):
        seeing(book, dealer_cards=2)
    with pytest.raises(SimulationError, match="KQ-1"):
        shared_hands(book, hands=2)
    exchange = heir(tmp_path, KING_QUEEN.replace("section10", "exchange"), "exchange.toml")
    with pytest.raises(UnpricedError, match=r"KQ-1: dealer\.qualifies_too: it is not priced"):
        edge(exchange)
    hand = tuple(DECK[one] for one in (0, 5, 10, 15, 50))
    assert "bet" in value(exchange, hand, DECK[30]).decisions


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('set.dealer.qualifies_too = ["K"]', "'K' does not begin a hand"),
        ('set.dealer.qualifies_too = ["K Q J T 9"]', "'K Q J T 9' does not begin a hand"),
        ('set.dealer.qualifies_too = ["K Q", 3]', "3 is not a text"),
        ('set.dealer.qualifies_too = "K Q"', "'K Q' is not a list"),
        ('set.dealer.qualifies_too = ["4 4"]', "a pair of fours is not below what the dealer qualifies with anyhow"),
        ('set.dealer.unqualified_ante = "none"', "nothing says what follows when the dealer does not play"),
    ],
)
def test_a_set_that_is_none_is_told(tmp_path: Path, line: str, says: str) -> None:
    text = KING_QUEEN.replace('set.dealer.qualifies_too = ["A K", "A Q", "K Q"]', line)
    assert any(says in one for one in complaints(tmp_path, text))


def test_what_follows_an_unqualified_dealer_means_nothing_where_there_is_none(tmp_path: Path) -> None:
    text = ALWAYS.replace('set.dealer.unqualified_bet = "none"\n', "")
    assert any("dealer.unqualified_bet: it means nothing" in one for one in complaints(tmp_path, text))


def test_spans_that_touch_are_joined() -> None:
    ranks = every_hand(ace_low=True).ranks
    at = ranks.index(weakest("A Q 4 3 2"))
    found = qualifier(weakest("A K 4 3 2"), (alike("A Q"),), ace_low=True)
    assert found == Qualifier(at, ())
    both = qualifier(weakest("2 2 5 4 3"), (alike("K Q J"), alike("K Q")), ace_low=True)
    assert len(both.too) == 1
    assert both.plays(ranks.index(weakest("K Q 7 3 2")))
    assert not both.plays(ranks.index(weakest("A 9 7 3 2")))
