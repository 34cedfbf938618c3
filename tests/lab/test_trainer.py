"""The trainer deals hands of every family, values them exactly, and deals one again under other suits."""

from fractions import Fraction

import pytest

from aceking.cards.card import CardError, card, cards
from aceking.exact.games import value
from aceking.lab.question import book_of, question_of
from aceking.lab.trainer import Family, families, family_of, hand
from aceking.rules.reading.load import book_ids, load_book


@pytest.mark.parametrize("name", book_ids())
def test_every_family_of_a_book_is_dealt_and_valued(name: str) -> None:
    asked = question_of(name)
    book, _ = book_of(asked)
    for family in families(book):
        found = hand(asked, family=family, seed=b"of families")
        assert found.family == family
        held, up = cards(" ".join(found.cards)), None if found.up is None else card(found.up)
        worth = value(book, held, up)
        assert {one.choice: Fraction(one.worth) for one in found.choices} == worth.decisions
        assert found.best == worth.best
        best = worth.decisions[worth.best]
        assert all(Fraction(one.costs) == best - Fraction(one.worth) for one in found.choices)


@pytest.mark.parametrize(
    ("book", "held", "up", "family"),
    [
        ("section10", "Ah Kd 9c 5s 2d", "9h", "border-matched"),
        ("section10", "Ah Kd 9c 5s 2d", "8h", "border"),
        ("section10", "Ah Qd 9c 5s 2d", "9h", "below"),
        ("section10", "2h 2d 9c 5s 3d", "9h", "above"),
        ("exchange", "Qh Jh 9h 8h 2c", "7c", "four-suited"),
        ("exchange", "Qh Jh 9h 8d 2c", "7c", "straight-draw"),
        ("exchange", "5h 4h 3d 2d 9c", "7c", "straight-draw"),
        ("exchange", "Ah Kd 9c 5s 2d", "8h", "border"),
        ("colorado-required", "2h 2d 2c", None, "instant"),
        ("colorado-required", "2h 2d 9c", None, "pair"),
        ("colorado-required", "Ah 5d 9c", None, "high"),
        ("colorado-required", "2h 5d 7c", None, "low"),
    ],
)
def test_a_hand_is_of_its_family(book: str, held: str, up: str | None, family: Family) -> None:
    assert family_of(load_book(book), cards(held), None if up is None else card(up)) == family


def test_a_hand_like_another_has_the_same_ranks_and_is_worth_the_same() -> None:
    asked = question_of("section10")
    first = hand(asked, like="Ah Kd Jc 8s 3d Kc", seed=b"first")
    names = {tuple(sorted(hand(asked, like="Ah Kd Jc 8s 3d Kc", seed=bytes([one])).cards)) for one in range(12)}
    assert len(names) > 1, "suits are named otherwise"
    worth = value(load_book("section10"), cards("Ah Kd Jc 8s 3d"), card("Kc"))
    assert [Fraction(one.worth) for one in first.choices] == list(worth.decisions.values())
    assert sorted(one[0] for one in first.cards) == ["3", "8", "A", "J", "K"]
    assert first.up is not None
    assert first.up[0] == "K"


def test_a_family_of_another_game_is_refused() -> None:
    with pytest.raises(CardError, match="has no hands of the family 'pair'"):
        hand(question_of("section10"), family="pair")


@pytest.mark.parametrize("like", ["Ah", "Ah Kd Jc 8s 3d", "Ah Ah Jc 8s 3d Kc", "nonsense"])
def test_a_hand_to_repeat_is_whole(like: str) -> None:
    with pytest.raises(CardError):
        hand(question_of("section10"), like=like)
