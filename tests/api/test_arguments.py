"""An argument of the wrong type is one sentence that names it, and a float is never money."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

import aceking
from aceking import Card, Hand, Table, edge, settle, simulate, strategy, value
from aceking.cards.card import CardError

A_FLOAT = "an amount is a text, as in '10.50', so that no cent is lost"
DEALT = ["Ah", "Kd", "9c", "5s", "2d"]
wrong: Any = 5


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: aceking.load_book(wrong), "book: an id or a path, not 5"),
        (lambda: edge(wrong), "book: an id, a path or a Book, not 5"),
        (lambda: edge("rws", pays=wrong), "pays: a mapping of rows to odds, not 5"),
        (lambda: edge("rws", options=wrong), "options: a mapping of names to values, not 5"),
        (lambda: edge("rws", qualifier=wrong), "qualifier: a text, not 5"),
        (lambda: strategy(wrong), "book: an id, a path or a Book, not 5"),
        (lambda: value("rws", wrong, up="Ah"), "cards: a text or a sequence of cards, not 5"),
        (lambda: value("rws", [*DEALT[1:], wrong / 2], up="Ah"), "a card is a name or a number, not 2.5"),
        (lambda: value("exchange", DEALT, "9h", exchanged=wrong), "exchanged: the cards given and taken, not 5"),
        (lambda: settle(wrong), "scenario: a mapping or a JSON text, not 5"),
        (lambda: settle({"seats": []}, book=wrong), "book: an id or a path, not 5"),
        (lambda: simulate(wrong, rounds=10), "book: an id, a path or a Book, not 5"),
        (lambda: simulate("rws", rounds=wrong / 2), "rounds: a whole number, not 2.5"),
        (lambda: simulate("rws", rounds=10, strategy=wrong), "strategy: a text, not 5"),
        (lambda: Hand(wrong), "cards: a text or a sequence of cards, not 5"),
        (lambda: Card(wrong / 2), "a card is a name or a number, not 2.5"),
        (lambda: Table(wrong), "book: an id, a path or a Book, not 5"),
        (lambda: Table("rws", options=wrong), "options: a mapping of names to values, not 5"),
        (lambda: Table("rws", awards=wrong), "awards: a mapping of hands to awards, not 5"),
    ],
)
def test_a_wrong_type_is_a_sentence_with_the_argument(call: Callable[[], object], says: str) -> None:
    with pytest.raises(TypeError) as raised:
        call()
    assert str(raised.value) == says


@pytest.mark.parametrize("nothing", [None, "x"])
def test_nothing_and_a_word_are_not_a_round_and_not_a_number(nothing: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"a mapping or a JSON text, not None|this is not JSON"):
        settle(nothing)
    with pytest.raises(TypeError, match=f"rounds: a whole number, not {nothing!r}"):
        simulate("rws", rounds=nothing)


@pytest.mark.parametrize(
    "call",
    [
        lambda: Table("rws", seed=1).ante(wrong * 2.1),
        lambda: Table("rws", meter=wrong * 2.1),
        lambda: Table("rws", ante_min=wrong * 2.1),
        lambda: Table("rws", ante_max=wrong * 2.1),
        lambda: edge("rws", ante=wrong * 2.1),
    ],
)
def test_a_float_is_not_money_and_is_refused_in_the_words_of_settle(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=f": {A_FLOAT}$"):
        call()
    seat = {"seat": 1, "cards": "As Ks Qs Js Ts", "ante": 10.5, "play": "bet"}
    with pytest.raises(ValueError, match=f"^seat 1: ante: {A_FLOAT}$"):
        settle({"book": "rws", "dealer": "Ah Kd 9c 5s 2d", "seats": [seat]})


def test_exact_amounts_are_taken_as_they_are() -> None:
    amounts: list[Any] = [10, "10", Decimal("10.00")]
    for one in amounts:
        current = Table("rws", seed=1).ante(one).state.round
        assert current is not None
        assert current.boxes[1].ante == 1000


def test_cards_are_a_text_or_a_list_of_names_or_numbers() -> None:
    by_text = value("rws", "Ah Kd 9c 5s 2d", "9h")
    assert value("rws", DEALT, "9h") == by_text
    assert value("rws", [Card(one) for one in DEALT], Card("9h")) == by_text
    given = value("exchange", "2c 3d 9c 5s Kd", "9h", exchanged=("2c", "Kh"))
    assert value("exchange", "2c 3d 9c 5s Kd", "9h", exchanged=(Card("2c"), ["Kh"])) == given
    with pytest.raises(CardError, match="there is no card 99"):
        value("rws", DEALT, 99)
