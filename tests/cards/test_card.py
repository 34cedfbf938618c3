"""A card by its name and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aceking.cards.card import (
    ACE,
    FIVE,
    RANK_WORDS,
    RANKS,
    SUITS,
    CardError,
    CardId,
    card,
    cards,
    name,
    names,
    rank_of,
    suit_of,
)

ALL = [CardId(number) for number in range(52)]


def test_the_52_names_are_13_ranks_in_4_suits() -> None:
    assert {name(one) for one in ALL} == {rank + suit for rank in RANKS for suit in SUITS}


@pytest.mark.parametrize(
    ("text", "number"), [("2c", 0), ("2s", 3), ("3c", 4), ("9d", 29), ("Td", 33), ("Ac", 48), ("As", 51)]
)
def test_a_card_is_four_times_its_rank_and_its_suit(text: str, number: int) -> None:
    assert card(text) == number
    assert name(CardId(number)) == text


@pytest.mark.parametrize("one", ALL, ids=name)
def test_rank_and_suit_are_those_of_the_name(one: CardId) -> None:
    assert RANKS[rank_of(one)] + SUITS[suit_of(one)] == name(one)


def test_ranks_rise_from_the_two_to_the_ace() -> None:
    falling = cards("As Ks Qs Js Ts 9s 8s 7s 6s 5s 4s 3s 2s")
    assert [rank_of(one) for one in falling] == list(range(12, -1, -1))
    assert (RANK_WORDS[ACE], RANK_WORDS[FIVE]) == ("ace", "five")
    assert len(RANK_WORDS) == len(RANKS)


@given(st.lists(st.sampled_from(ALL), max_size=52))
def test_cards_that_are_written_are_read_back(many: list[CardId]) -> None:
    assert cards(names(tuple(many))) == tuple(many)


def test_blanks_between_cards_do_not_matter() -> None:
    assert cards("  As   Td\n9c ") == cards("As Td 9c")
    assert cards("") == ()


@pytest.mark.parametrize(
    "text", ["", "A", "s", "sA", "1s", "11s", "0s", "Ax", "A s", " As", "As ", "Asd", "??", "♠A", "10"]
)
def test_what_is_no_card_is_refused_by_name(text: str) -> None:
    with pytest.raises(CardError, match="there is no card") as refused:
        card(text)
    assert repr(text) in str(refused.value)


def test_the_refusal_of_many_cards_names_the_wrong_one() -> None:
    with pytest.raises(CardError, match="there is no card 'Xd'; a card is a rank of 23456789TJQKA and a suit of cdhs"):
        cards("As Xd 9c")


@pytest.mark.parametrize(
    ("text", "name_"),
    [("A♥", "Ah"), ("10c", "Tc"), ("AH", "Ah"), ("Th", "Th"), ("as", "As"), ("tD", "Td"), ("10♦", "Td"), ("K♤", "Ks")],
)
def test_a_card_is_read_as_people_write_it(text: str, name_: str) -> None:
    assert card(text) == card(name_)
    assert cards(f"{text} 2c") == cards(f"{name_} 2c")


def test_cards_are_parted_by_blanks_or_commas_or_by_nothing() -> None:
    assert cards("AsKs10♠, j♠ Q♠\ufe0f") == cards("As Ks Ts Js Qs")
    with pytest.raises(CardError, match="there is no card 'AsK'"):
        cards("AsK")


def test_a_card_with_its_suit_first_is_told_what_was_meant() -> None:
    with pytest.raises(CardError, match="did you mean As"):
        card("sA")
