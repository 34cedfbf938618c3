"""An ante that comes back: where the dealer does not play, where the player wins, and where the player is beaten."""

from fractions import Fraction
from pathlib import Path

import pytest

from aceking.cards.card import card, cards
from aceking.cards.hand import Category, rank, weakest
from aceking.exact.games import edge, value
from aceking.exact.seen_cards import SeeingError, seeing
from aceking.exact.stud.money import nets
from aceking.exact.stud.states import states
from aceking.exact.two_hands.edge import two_hands
from aceking.exact.unpriced import UnpricedError
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.settlement.judge import judge
from aceking.simulation.plan import plan
from aceking.simulation.run import run
from tests.exact.heirs import bet_lines, enumerated_bet, same_at_the_table, settled_bet
from tests.exact.test_stud_settle import PAIRS
from tests.rules.test_inheritance import complaints, heir

HEIR = """
from = "{older}"
id = "heir"
[[clause]]
id = "AN-1"
topic = "ante"
actor = "house"
says = "What becomes of the ante."
{line}
"""
LINES = {
    "it comes back when the dealer does not qualify": 'set.dealer.unqualified_ante = "push"',
    "it comes back from a winner": 'set.ante.pays = "push"',
    "it is paid from a flush on": 'set.ante.pays_from = "flush"',
    "a beaten straight keeps it": 'set.ante.returned_from = "straight"',
    "it is paid from a pair of tens on": 'set.ante.pays_from = "T T 4 3 2"',
    "both within a row": 'set.ante.pays_from = "A K Q 3 2"\nset.ante.returned_from = "Q Q 4 3 2"',
    "both within one row": 'set.ante.pays_from = "9 9 8 3 2"\nset.ante.returned_from = "K K 4 3 2"',
    "all of it": 'set.dealer.unqualified_ante = "push"\nset.ante.pays_from = "pair"\nset.ante.returned_from = "pair"',
}


def book_of(tmp_path: Path, name: str, older: str = "section10") -> Book:
    return heir(tmp_path, HEIR.format(older=older, line=LINES[name]))


@pytest.mark.parametrize("name", LINES)
def test_the_table_pays_what_the_mathematics_pays(tmp_path: Path, name: str) -> None:
    book = book_of(tmp_path, name)
    money, by = nets(book), judge(book)
    for mine, theirs in PAIRS:
        own, others = rank(mine), rank(theirs)
        if not by.qualifies[by.strength(theirs)]:
            expected = money.unqualified
        elif own == others:
            expected = money.tie
        else:
            mine_at = money.at(own)
            expected = mine_at.win[own.category] if own > others else mine_at.lost(own.category)
        assert settled_bet(book, mine, theirs) == expected


@pytest.mark.parametrize("name", LINES)
def test_rows_equal_states_and_the_table_plays_it(tmp_path: Path, name: str) -> None:
    book = book_of(tmp_path, name)
    table = states(book)
    assert edge(book) == table.edge(table.best)
    assert edge(book).house_edge != edge(load_book("section10")).house_edge
    assert same_at_the_table(book)


def test_one_hand_by_brute_force(tmp_path: Path) -> None:
    book = book_of(tmp_path, "all of it")
    hand, up = cards("Ah Ad 9c 5s 2d"), card("Kc")
    assert value(book, hand, up).decisions["bet"] == enumerated_bet(book, hand, up)


def test_both_sides_of_a_threshold_within_a_row(tmp_path: Path) -> None:
    """Tens are paid, nines are not; what it costs is the ante of every pair below tens that wins."""
    book, older = book_of(tmp_path, "it is paid from a pair of tens on"), load_book("section10")
    dealer = cards("Ah Kd 8h 5s 3d")
    assert settled_bet(book, cards("9c 9d 4h 3s 2c"), dealer) == 2
    assert settled_bet(book, cards("Tc Td 4h 3s 2c"), dealer) == 3
    always, before = states(book).edge(states(book).best | True), states(older).edge(states(older).best | True)
    table = states(older)
    low = (table.categories == Category.PAIR) & ~table.not_below(weakest("T T 4 3 2")) | (table.categories == 0)
    won = int((table.number[low] * (table.below[low].astype(int) - table.unqualified[low])).sum())
    assert always.house_edge - before.house_edge == Fraction(won, before.deals)


def test_what_does_not_know_a_threshold_within_a_row_says_so(tmp_path: Path) -> None:
    book = book_of(tmp_path, "it is paid from a pair of tens on")
    with pytest.raises(UnpricedError, match=r"AN-1: ante\.pays_from: what seeing more is worth is counted where it is"):
        seeing(book, dealer_cards=2)
    exchange = heir(tmp_path, HEIR.format(older="exchange", line='set.ante.returned_from = "Q Q 4 3 2"'), "ex.toml")
    with pytest.raises(UnpricedError, match=r"an exchange is counted over all hands where it is a whole row"):
        edge(exchange)
    assert "exchange 2c" in value(exchange, cards("Qh Qd 9c 5s 2c"), card("Kc")).decisions


def test_an_ante_that_comes_back_costs_what_it_no_longer_wins(tmp_path: Path) -> None:
    """Always bet, and the two books differ by the deals in which the dealer does not qualify."""
    whole, pushes = load_book("section10"), book_of(tmp_path, "it comes back when the dealer does not qualify")
    always = states(whole).edge(states(whole).best | True)
    less = states(pushes).edge(states(pushes).best | True)
    unqualified = Fraction(always.outcomes[Fraction(1)], always.deals)
    assert less.house_edge - always.house_edge == unqualified
    assert round(float(1 - unqualified), 6) == 0.563187


def test_the_lines_say_that_it_comes_back_and_by_which_clause(tmp_path: Path) -> None:
    book = book_of(tmp_path, "all of it")
    for mine, theirs, ante in (
        ("2c 2d 5h 7s 9c", "Ah Qd 9h 5s 3d", "push"),
        ("Ac Kc Qh 7s 9c", "Ah Kd 8h 5s 3d", "push"),
        ("2c 2d 5h 7s 9c", "Ah Ad 9h 5s 3d", "push"),
        ("Ac Kc 4h 7s 9c", "Ah Ad 9h 5s 3d", "lose"),
        ("2c 2d 5h 7s 9c", "Ah Kd 9h 5s 3d", "win"),
    ):
        line = next(one for one in bet_lines(book, cards(mine), cards(theirs)) if one.wager == "ante")
        assert line.outcome == ante, (mine, theirs)
        assert (line.clause == "AN-1") == (ante == "push")


def test_simulated_rounds_and_other_counts_know_it(tmp_path: Path) -> None:
    book = book_of(tmp_path, "all of it")
    exact = edge(book)
    found = run(plan(book, rounds=200_000, seed=3))
    assert abs(float(found.net_per_ante - exact.net_per_ante)) < 5 * exact.standard_deviation / 200_000**0.5
    assert seeing(book, dealer_cards=1) == exact
    with pytest.raises(SeeingError, match="AN-1"):
        two_hands(book)


def test_an_exchange_is_priced_with_it(tmp_path: Path) -> None:
    book = book_of(tmp_path, "a beaten straight keeps it", "exchange")
    assert edge(book).house_edge < edge(load_book("exchange")).house_edge
    assert same_at_the_table(book, rounds=30)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('set.ante.pays_from = "flash"', "ante.pays_from: 'flash' is not one of"),
        ('set.ante.pays_from = "7 5 4 3 2"', "every hand is a high_card or more"),
        ('set.ante.pays_from = "T T"', "ante.pays_from: "),
        ('set.ante.pays_from = "high_card"', "every hand is a high_card or more"),
        ('set.ante.pays = "pushes"', "'pushes' is not odds"),
        ('set.ante.pays = "50%"', "'50%' is not odds"),
        ('set.progressive.increment = "push"', "'push' is not a share"),
    ],
)
def test_what_is_no_rule_of_the_ante_is_told(tmp_path: Path, line: str, says: str) -> None:
    assert any(says in one for one in complaints(tmp_path, HEIR.format(older="section10", line=line)))


def test_against_a_table_of_pays_it_means_nothing(tmp_path: Path) -> None:
    text = HEIR.format(older="colorado-required", line='set.ante.returned_from = "flush"')
    assert any("ante.returned_from: it means nothing" in one for one in complaints(tmp_path, text))


def test_a_category_is_read_and_said(tmp_path: Path) -> None:
    assert book_of(tmp_path, "it is paid from a flush on").ante.pays_from is Category.FLUSH
