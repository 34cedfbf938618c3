"""One deck of 52, and no card in two places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aceking.cards.card import CardError, CardId, cards, name
from aceking.cards.deck import DECK, one_deck


def test_the_deck_is_52_different_cards() -> None:
    assert len(DECK) == 52
    assert len({name(one) for one in DECK}) == 52


def test_cards_that_lie_once_are_of_one_deck() -> None:
    one_deck([("the dealer's hand", cards("Ah Kd 9c 5s 2d")), ("seat 1", cards("As Ks Qs Js Ts")), ("seat 2", ())])
    one_deck([])


def test_the_whole_deck_may_be_out() -> None:
    one_deck([("seat 1", DECK[:26]), ("seat 2", DECK[26:])])


def test_a_card_in_two_places_is_refused_and_both_are_named() -> None:
    places = [("the dealer's hand", cards("Ah Kd")), ("seat 1", cards("Qs Js")), ("seat 2", cards("9c Kd"))]
    with pytest.raises(CardError, match="Kd is in the dealer's hand and again in seat 2; there is one deck of 52"):
        one_deck(places)


def test_a_card_twice_in_one_place_is_refused() -> None:
    with pytest.raises(CardError, match="As is in seat 1 and again in seat 1"):
        one_deck([("seat 1", cards("As Kd As"))])


@given(st.lists(st.sampled_from(DECK), max_size=10))
def test_a_repeated_card_is_refused_wherever_the_hands_are_parted(many: list[CardId]) -> None:
    for parting in range(len(many) + 1):
        places = [("left", tuple(many[:parting])), ("right", tuple(many[parting:]))]
        if len(set(many)) == len(many):
            one_deck(places)
        else:
            with pytest.raises(CardError):
                one_deck(places)
