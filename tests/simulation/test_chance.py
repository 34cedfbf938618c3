"""Deals are fair, their cards are different, and the same seed and block give the same deals in any process."""

import numpy as np
import pytest

from aceking.cards.array import ColumnRanker, strengths
from aceking.simulation.chance import BLOCK_ROUNDS, deals


@pytest.mark.parametrize("cards", [6, 10, 11, 51, 52])
def test_a_deal_has_no_card_twice(cards: int) -> None:
    rising = np.sort(deals(1, 0, cards=cards, rounds=500), axis=0)
    assert (rising[1:] > rising[:-1]).all()
    assert rising.max() < 52


def test_a_block_is_told_by_seed_and_number_alone() -> None:
    first = deals(1, 5, cards=10)
    assert (deals(1, 5, cards=10) == first).all()
    assert (deals(1, 5, cards=10, rounds=100) == first[:, :100]).all()
    assert (deals(1, 6, cards=10) != first).any()
    assert (deals(2, 5, cards=10) != first).any()


def test_every_card_and_every_pair_of_cards_comes_as_often() -> None:
    blocks = [deals(3, block, cards=11) for block in range(6)]
    dealt = np.concatenate(blocks, axis=1)
    for place in range(11):
        seen = np.bincount(dealt[place], minlength=52)
        expected = dealt.shape[1] / 52
        assert abs(((seen - expected) ** 2 / expected).sum() - 51) < 5 * np.sqrt(2 * 51)
    for one, other in ((0, 1), (1, 2), (4, 5), (0, 10), (9, 10)):
        pairs = np.bincount(dealt[one].astype(np.intp) * 52 + dealt[other], minlength=52 * 52).reshape(52, 52)
        assert (np.diag(pairs) == 0).all()
        expected = dealt.shape[1] / (52 * 51)
        squares = ((pairs - expected) ** 2 / expected).sum() - 52 * expected
        assert abs(squares - (52 * 51 - 1)) < 5 * np.sqrt(2 * 52 * 51)


@pytest.mark.parametrize("ace_low", [True, False])
def test_hands_in_columns_rank_like_any_other_array(ace_low: bool) -> None:
    """All kinds of hands come up; on all 2,598,960 hands the two are compared in tests/cards."""
    rank = ColumnRanker(BLOCK_ROUNDS, ace_low=ace_low)
    for block in range(4):
        dealt = deals(4, block, cards=5)
        assert (rank(dealt) == strengths(np.ascontiguousarray(dealt.T), ace_low=ace_low)).all()
