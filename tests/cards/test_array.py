"""The table rankers against the obvious one: all 2,598,960 hands, under both rules about the ace."""

from itertools import combinations

import numpy as np
import pytest

from aceking.cards.array import ColumnRanker, strengths
from aceking.cards.card import CardError, CardId
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, rank
from tests.cards.every_hand import HANDS, all_hands, every_hand, one_by_one

#: All hands are ranked once for those who need them.
pytestmark = pytest.mark.xdist_group("every hand")


@pytest.mark.parametrize("ace_low", [True, False])
@pytest.mark.proof
def test_both_table_rankers_equal_the_obvious_one_on_every_hand(ace_low: bool) -> None:
    every = one_by_one(ace_low=ace_low)
    assert ranker(ace_low=ace_low).ranks == every.ranks == every_hand(ace_low=ace_low).ranks
    assert np.array_equal(every_hand(ace_low=ace_low).obvious, every.obvious)
    assert np.array_equal(every.fast, every.obvious)
    assert np.array_equal(strengths(all_hands(), ace_low=ace_low), every.obvious)
    columns = ColumnRanker(HANDS, ace_low=ace_low)
    assert np.array_equal(columns(np.ascontiguousarray(all_hands().T)), every.obvious)


@pytest.mark.parametrize("ace_low", [True, False])
def test_some_hands_of_every_kind_are_ranked_as_the_obvious_ranker_ranks_them(ace_low: bool) -> None:
    suited = np.array(list(combinations(range(0, 52, 4), 5)), np.uint8)
    hands = np.concatenate([all_hands()[::97], suited])
    obvious = [rank([CardId(int(one)) for one in hand], ace_low=ace_low) for hand in hands]
    kinds = ranker(ace_low=ace_low).ranks
    assert list(kinds) == sorted(kinds)
    assert [kinds[strength] for strength in strengths(hands, ace_low=ace_low)] == obvious
    assert {one.category for one in obvious} == {*Category}


def test_there_are_7462_kinds_of_hands_and_as_many_without_the_low_straight() -> None:
    # 5-4-3-2-A is a kind either way: a straight, or a high card; the same holds for it in one suit.
    assert len(every_hand(ace_low=True).ranks) == len(every_hand(ace_low=False).ranks) == 7462


def test_the_order_of_the_cards_does_not_matter() -> None:
    generator = np.random.default_rng(1)
    hands = generator.permuted(all_hands()[:: HANDS // 200_000], axis=1)
    assert np.array_equal(strengths(hands), every_hand(ace_low=True).of(hands))


@pytest.mark.parametrize("number", [0, 1, 7, 32_768, 32_769, 140_000])
def test_any_number_of_hands_is_ranked(number: int) -> None:
    assert np.array_equal(strengths(all_hands()[-number:] if number else all_hands()[:0]), _last(number))


def test_hands_need_not_lie_one_after_the_other_in_memory() -> None:
    backwards = all_hands()[::-3, ::-1]
    assert np.array_equal(strengths(backwards), every_hand(ace_low=True).obvious[::-3])


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        (np.zeros((2, 4), np.uint8), "five columns"),
        (np.zeros(5, np.uint8), "five columns"),
        (np.zeros((2, 5), np.int64), "uint8"),
        (np.array([[0, 1, 2, 3, 52]], np.uint8), "no card 52"),
    ],
)
def test_what_is_no_array_of_hands_is_refused(hands: np.ndarray, reason: str) -> None:
    with pytest.raises(CardError, match=reason):
        strengths(hands)


def _last(number: int) -> np.ndarray:
    every = every_hand(ace_low=True).obvious
    return every[-number:] if number else every[:0]
