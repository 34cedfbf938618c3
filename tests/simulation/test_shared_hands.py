"""Shared hands: the dealer counted in closed form is the dealer enumerated, and the estimate is where it belongs."""

from itertools import combinations

import numpy as np
import pytest

from aceking.cards.array import strengths
from aceking.exact.stud.money import nets
from aceking.rules.reading.load import load_book
from aceking.simulation.chance import BLOCK_ROUNDS, deals
from aceking.simulation.games.game import SimulationError
from aceking.simulation.questions.shared_hands import SharedHands, shared_hands

BOOK = load_book("section10")


@pytest.mark.parametrize("hands", [2, 7])
def test_a_deal_is_worth_what_every_hand_of_the_dealer_makes_of_it(hands: int) -> None:
    table = SharedHands(BOOK, hands)
    dealt = deals(61, 0, cards=5 * hands + 1, rounds=BLOCK_ROUNDS)[:, : 40 if hands == 7 else 3]
    values = table.values(dealt).reshape(hands, -1)
    money, categories, qualifies = nets(BOOK), table.categories, table.plays_from
    for number in range(dealt.shape[1]):
        known = dealt[:, number]
        unseen = np.setdiff1d(np.arange(52, dtype=np.uint8), known)
        holes = np.array(list(combinations(unseen, 4)), np.uint8)
        dealer = strengths(np.concatenate([np.full((len(holes), 1), known[-1], np.uint8), holes], axis=1))
        for seat in range(hands):
            own = int(strengths(known[None, 5 * seat : 5 * seat + 5])[0])
            wins = int(((dealer >= qualifies) & (dealer < own)).sum())
            ties = int(((dealer >= qualifies) & (dealer == own)).sum())
            idle = int((dealer < qualifies).sum())
            loses = len(dealer) - wins - ties - idle
            total = wins * money.win[categories[own]] + ties * money.tie + idle * money.unqualified + loses * money.lose
            assert total == int(values[seat, number])


def test_the_estimates_lie_where_they_were_published() -> None:
    """Published: six hands, house about 0.4 %; seven, player about 2 % and more."""
    for hands, published in ((6, -0.004), (7, 0.0235)):
        found = shared_hands(BOOK, hands=hands, error=0.0006, seed=62)
        assert found.standard_error <= 0.0006
        assert abs(found.net_per_ante - published) < 0.003
    two = shared_hands(BOOK, hands=2, error=0.001, seed=62)
    assert -0.0522430 < two.net_per_ante < -0.045


@pytest.mark.parametrize(
    ("book", "hands", "says"), [("rws", 8, "two to 7"), ("rws", 1, "two to 7"), ("exchange", 2, "without")]
)
def test_tables_that_cannot_be_are_refused(book: str, hands: int, says: str) -> None:
    with pytest.raises(SimulationError, match=says):
        shared_hands(load_book(book), hands=hands)
