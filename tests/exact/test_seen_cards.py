"""What seeing more is worth: exact, against what is known otherwise, against samples and what was published."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import sqrt

import numpy as np
import pytest

from aceking.cards.array import strengths
from aceking.cards.fast import ranker
from aceking.cards.hand import weakest
from aceking.exact.games import edge
from aceking.exact.seen_cards import SeeingError, seeing
from aceking.exact.stud.money import nets
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book

BOOK = load_book("section10")


def with_qualifier(book: Book, ranks: str) -> Book:
    assert book.dealer is not None
    return replace(book, dealer=replace(book.dealer, qualifies_with=weakest(ranks)))


@pytest.mark.parametrize(
    "book",
    [
        BOOK,
        load_book("rws"),
        replace(BOOK, hands=replace(BOOK.hands, ace_low=False)),
        with_qualifier(BOOK, "4 4 6 3 2"),
    ],
    ids=["section10", "rws", "no low ace", "pair of fours"],
)
def test_seeing_the_up_card_alone_is_the_book_itself_outcome_by_outcome(book: Book) -> None:
    assert seeing(book, dealer_cards=1) == edge(book)


@pytest.mark.parametrize(
    ("dealer_cards", "exactly", "published"),
    [
        # Published for practical play, which perfect play beats a little. Four cards are counted in the torture.
        (2, Fraction(-2558246932, 415275635775), -0.0174),
        (3, Fraction(397558091753, 3322205086200), 0.1157),
        # All five, computed two ways: here, and from the dealer's hands alone in test_strategy.
        (5, Fraction(71185534689, 110740169540), 0.6427),
    ],
)
def test_seeing_more_of_the_dealer(dealer_cards: int, exactly: Fraction, published: float) -> None:
    found = seeing(BOOK, dealer_cards=dealer_cards)
    assert found.net_per_ante == exactly
    assert published <= float(found.net_per_ante) < published + 0.012
    mean, error = sampled(BOOK, dealer_cards, 2_000)
    assert abs(mean - float(exactly)) < 5 * error


def sampled(book: Book, dealer_cards: int, states: int) -> tuple[float, float]:
    """The same another way: sampled states, every completion of the dealer's hand ranked and played."""
    assert book.dealer is not None
    money, table = nets(book), ranker(ace_low=True)
    qualifier = table.strength_of(book.dealer.qualifies_with)
    chance = np.random.Generator(np.random.Philox(7))
    choices = np.array(list(combinations(range(47 - dealer_cards), 5 - dealer_cards)), dtype=np.intp)
    found = np.empty(states)
    for number in range(states):
        deck = chance.permutation(52).astype(np.uint8)
        dealer = np.empty((len(choices), 5), np.uint8)
        dealer[:, :dealer_cards] = deck[5 : 5 + dealer_cards]
        dealer[:, dealer_cards:] = deck[5 + dealer_cards :][choices]
        own, theirs = int(strengths(deck[None, :5])[0]), strengths(dealer)
        plays, won = theirs >= qualifier, float(money.win[table.categories[own]])
        bet = np.where(theirs < own, won, np.where(theirs == own, float(money.tie), float(money.lose)))
        found[number] = max(np.where(plays, bet, float(money.unqualified)).mean(), float(money.fold))
    return float(found.mean()), float(found.std(ddof=1)) / sqrt(states)


@pytest.mark.parametrize(
    ("book", "dealer_cards", "says"),
    [
        ("exchange", 2, "exchange"),
        ("colorado-required", 2, "no dealer"),
        ("rws", 6, "one to five"),
        ("rws", 0, "not 0"),
    ],
)
def test_what_cannot_be_seen_is_said_in_a_sentence(book: str, dealer_cards: int, says: str) -> None:
    with pytest.raises(SeeingError, match=says):
        seeing(load_book(book), dealer_cards=dealer_cards)
