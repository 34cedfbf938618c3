"""The three cards that win at once, and those that almost do."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aceking.cards.card import CardId, cards, rank_of, suit_of
from aceking.cards.deck import DECK
from aceking.cards.three import Instant, instant

STRAIGHT_FLUSH = Instant.THREE_CARD_STRAIGHT_FLUSH
THREE = Instant.INSTANT_THREE_OF_A_KIND

THREES = st.lists(st.sampled_from(DECK), min_size=3, max_size=3, unique=True)


@pytest.mark.parametrize("ace_low", [True, False])
@pytest.mark.parametrize(
    ("three", "found"),
    [
        ("9h 8h 7h", STRAIGHT_FLUSH),
        ("7h 9h 8h", STRAIGHT_FLUSH),
        ("4c 3c 2c", STRAIGHT_FLUSH),
        ("As Ks Qs", STRAIGHT_FLUSH),
        ("Qs As Ks", STRAIGHT_FLUSH),
        ("5s 5d 5c", THREE),
        ("As Ad Ah", THREE),
        ("2s 2d 2h", THREE),
        ("9h 8h 7d", None),
        ("9h 8h 6h", None),
        ("9h 7h 5h", None),
        ("9h 7h 6h", None),
        ("Kh 9h 2h", None),
        ("As Ad Kc", None),
        ("9h 9d 8h", None),
        ("9h 8h 8d", None),
        ("7h 5h 4h", None),
        ("Ah 3h 4h", None),
    ],
)
def test_three_cards_win_at_once_or_not(three: str, found: Instant | None, ace_low: bool) -> None:
    assert instant(cards(three), ace_low=ace_low) is found


@pytest.mark.parametrize("three", ["Ah 2h 3h", "2h 3h Ah", "3h Ah 2h"])
def test_the_ace_stands_below_the_two_where_the_house_allows_it(three: str) -> None:
    assert instant(cards(three), ace_low=True) is STRAIGHT_FLUSH
    assert instant(cards(three), ace_low=False) is None


@pytest.mark.parametrize("ace_low", [True, False])
@pytest.mark.parametrize("three", ["Kh Ah 2h", "2h Ah Kh", "Ah 2h Qh"])
def test_a_run_never_goes_round_the_corner(three: str, ace_low: bool) -> None:
    assert instant(cards(three), ace_low=ace_low) is None


@pytest.mark.parametrize("ace_low", [True, False])
def test_an_ace_low_run_of_two_suits_is_nothing(ace_low: bool) -> None:
    assert instant(cards("Ah 2h 3d"), ace_low=ace_low) is None


@pytest.mark.parametrize(("ace_low", "runs"), [(True, 12 * 4), (False, 11 * 4)])
def test_of_all_22100_deals_the_winners_are_52_threes_and_the_runs(ace_low: bool, runs: int) -> None:
    found = [instant(three, ace_low=ace_low) for three in combinations(DECK, 3)]
    assert len(found) == 22_100
    assert found.count(THREE) == 13 * 4
    assert found.count(STRAIGHT_FLUSH) == runs


@given(THREES, st.permutations(range(3)), st.permutations(range(4)), st.booleans())
def test_order_and_suits_change_nothing(three: list[CardId], order: list[int], suits: list[int], ace_low: bool) -> None:
    traded = [CardId(rank_of(three[place]) * 4 + suits[suit_of(three[place])]) for place in order]
    assert instant(traded, ace_low=ace_low) is instant(three, ace_low=ace_low)


@pytest.mark.parametrize("count", [0, 2, 4])
def test_an_instant_winner_is_three_cards(count: int) -> None:
    with pytest.raises(AssertionError, match="three cards"):
        instant(DECK[:count], ace_low=True)


def test_a_person_reads_the_title_without_the_word_instant() -> None:
    assert STRAIGHT_FLUSH.title == "three card straight flush"
    assert THREE.title == "three of a kind"
