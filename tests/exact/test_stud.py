"""What the stud books cost, exactly; the published figures; what one hand is worth."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from aceking.cards.card import CardError, card, cards
from aceking.cards.deck import DECK
from aceking.cards.hand import Category, HandRank, weakest
from aceking.exact.arrays import Mask
from aceking.exact.figures import Edge, Values
from aceking.exact.stud.edge import DEALS, edge, value
from aceking.exact.stud.states import States, states
from aceking.rules.book import Book
from aceking.rules.odds import OddsError, PayTableRow
from aceking.rules.reading.load import load_book
from tests.exact.dealer_hands import DealerEnumerated

#: All hands are ranked once for those who need them.
pytestmark = pytest.mark.xdist_group("every hand")

#: Royal flush first; the last row is for a pair and for less.
EVOLUTION = (100, 50, 25, 10, 7, 5, 3, 2, 1, 1)

#: Wizard of Odds: net antes and deals of 19,933,230,517,200.
SECTION10 = {201: 16_759_740, 101: 156_929_720, 41: 2_832_435_800, 15: 16_624_475_280, 11: 21_856_990_280}
SECTION10 |= {9: 43_805_516_100, 7: 234_242_908_320, 5: 488_012_139_360, 3: 2_343_248_003_808}
SECTION10 |= {1: 4_532_514_033_720, 0: 321_623_100, -1: 9_523_005_974_460, -3: 2_726_592_727_512}


def paying(book: Book, *rows: int | Fraction) -> Book:
    """The book with other pays, royal flush first."""
    pays: dict[PayTableRow, Fraction] = dict(zip(sorted(Category, reverse=True), map(Fraction, rows), strict=True))
    return replace(book, bet=replace(book.bet, pays=pays))


def qualifying(book: Book, qualifier: HandRank) -> Book:
    assert book.dealer is not None
    return replace(book, dealer=replace(book.dealer, qualifies_with=qualifier))


def percent(figure: Fraction) -> float:
    """As it is printed: three digits after the point."""
    return round(float(100 * figure), 3)


@cache
def section10() -> Book:
    return load_book("section10")


@cache
def table() -> States:
    return states(section10())


def test_perfect_play_loses_1_041_372_912_372_antes() -> None:
    found = edge(section10())
    assert found.deals == DEALS == 19_933_230_517_200
    assert found.net_per_ante * found.deals == -1_041_372_912_372
    assert found.outcomes == SECTION10
    assert f"{100 * float(found.house_edge):.10f}" == "5.2243057716"


def test_the_other_printed_figures() -> None:
    found = edge(section10())
    assert percent(found.element_of_risk) == 2.555
    assert round(found.standard_deviation, 2) == 2.24
    assert round(float(100 * found.decisions["bet"]), 2) == 52.23
    assert sum(found.decisions.values()) == 1
    assert found.risked == 1 + 2 * found.decisions["bet"]


def test_the_dealer_qualifies_in_56_3187_percent() -> None:
    always = table().edge(table().best | True)
    assert round(float(100 * (1 - Fraction(always.outcomes[Fraction(1)], DEALS))), 4) == 56.3187


def ace_king() -> Mask:
    return table().not_below(weakest("A K 4 3 2"))


def pair() -> Mask:
    return table().not_below(weakest("2 2 5 4 3"))


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("A-K-J-8-3 or better", 5.316),
        ("a pair, or A-K that matches the up-card", 5.334),
        ("a pair", 5.470),
        ("any A-K", 5.682),
        ("always", 16.607),
    ],
)
def test_simple_strategies_cost_what_is_printed(name: str, printed: float) -> None:
    bets = {
        "A-K-J-8-3 or better": table().not_below(weakest("A K J 8 3")),
        "a pair, or A-K that matches the up-card": pair() | (ace_king() & table().match_up),
        "a pair": pair(),
        "any A-K": ace_king(),
        "always": table().best | True,
    }
    assert percent(table().edge(bets[name]).house_edge) == printed


def test_evolution_returns_96_30_of_the_ante_and_98_19_of_all_money() -> None:
    found = edge(paying(section10(), *EVOLUTION))
    assert round(float(100 * (1 - found.house_edge)), 2) == 96.30
    assert round(float(100 * (1 - found.element_of_risk)), 2) == 98.19


@pytest.mark.parametrize(("book", "net"), [("rws", Fraction(-86_362_082_531, 1_661_102_543_100)), ("washington", None)])
def test_the_other_stud_books(book: str, net: Fraction | None) -> None:
    # Computed two ways. A royal flush at 250 is all in which the Sentosa table differs; Washington's is the usual one.
    found = edge(load_book(book))
    assert found.net_per_ante == (edge(section10()).net_per_ante if net is None else net)


WHAT_IF: Mapping[str, Book] = {
    "as it is": section10(),
    "full house 8, high card 3 to 2": paying(section10(), 100, 50, 20, 8, 5, 4, 3, 2, 1, Fraction(3, 2)),
    "nothing for anything": paying(section10(), *10 * (0,)),
    "all pays large": paying(section10(), *10 * (1000,)),
    "ace never low": replace(section10(), hands=replace(section10().hands, ace_low=False)),
    "any hand qualifies": qualifying(section10(), weakest("7 5 4 3 2")),
    "ace-queen qualifies": qualifying(section10(), weakest("A Q 4 3 2")),
    "a pair of tens qualifies": qualifying(section10(), weakest("T T 4 3 2")),
    "a straight qualifies": qualifying(section10(), weakest("7 6 5 4 3")),
}


@pytest.mark.parametrize("name", WHAT_IF)
def test_what_if_by_rows_equals_what_if_state_by_state(name: str) -> None:
    book = WHAT_IF[name]
    every = states(book)
    assert edge(book) == every.edge(every.best)


def test_no_other_play_is_better_than_the_best() -> None:
    best = edge(section10()).net_per_ante
    flipped = table().best.copy()
    flipped[:: len(flipped) // 50] ^= True
    assert table().edge(flipped).net_per_ante < best


@pytest.mark.parametrize("name", ["section10", "rws", "washington"])
def test_a_hand_is_worth_what_its_enumeration_says(name: str) -> None:
    book = load_book(name)
    random = Random(name)
    for _ in range(20):
        *five, up = random.sample(DECK, 6)
        hand = tuple(five)
        bet = DealerEnumerated(hand, up, ace_low=book.hands.ace_low).bet(book, hand)
        assert value(book, hand, up).decisions == {"fold": -1, "bet": bet}


def test_the_value_of_a_row_is_the_value_of_its_example() -> None:
    random = Random(5)
    for row in random.sample(range(len(table().number)), 25):
        hand, up = tuple(DECK[one] for one in table().hands[row]), DECK[table().ups[row]]
        found = value(section10(), hand, up).decisions["bet"]
        assert found == Fraction(int(table().bets[row]), table().unit)


def test_a_royal_flush_is_bet_and_a_bad_hand_folded() -> None:
    assert value(section10(), cards("As Ks Qs Js Ts"), card("2d")).best == "bet"
    assert value(section10(), cards("2c 4d 6h 8s Tc"), card("Ah")).best == "fold"


def test_of_equal_decisions_the_first_named_is_best() -> None:
    assert Values.of({"fold": Fraction(-1), "bet": Fraction(-1)}).best == "fold"
    assert list(Values.of({"fold": Fraction(-1), "bet": Fraction(1)}).decisions) == ["bet", "fold"]


@pytest.mark.parametrize(
    ("hand", "up", "reason"),
    [
        ("As Ks Qs Js", "2d", "five cards, not 4"),
        ("As Ks Qs Js Js", "2d", "Js is in the hand and again in the hand"),
        ("As Ks Qs Js Ts", "Ts", "Ts is in the hand and again in the dealer's hand"),
    ],
)
def test_wrong_cards_are_refused_in_one_sentence(hand: str, up: str, reason: str) -> None:
    with pytest.raises(CardError, match=reason):
        value(section10(), cards(hand), card(up))


def test_pays_beyond_whole_numbers_of_64_bits_are_refused() -> None:
    with pytest.raises(OddsError, match="royal flush: the pays are too large"):
        edge(paying(section10(), 10**15, *9 * (1,)))


def test_figures_follow_from_the_outcomes() -> None:
    found = Edge("x", 4, {Fraction(1, 2): 1, Fraction(-1): 3}, {"bet": Fraction(1)}, Fraction(2))
    assert found.net_per_ante == Fraction(-5, 8)
    assert found.house_edge == Fraction(5, 8)
    assert found.element_of_risk == Fraction(5, 16)
    assert found.variance == Fraction(27, 64)
