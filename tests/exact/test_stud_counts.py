"""The counts behind the stud figures, against plain enumeration of all 163,185 dealer's hands by the obvious ranker."""

from random import Random

import numpy as np
import pytest

from aceking.cards.card import CardId, card, cards, rank_of, suit_of
from aceking.cards.deck import DECK
from aceking.cards.hand import HandRank, rank, weakest
from aceking.exact.stud.hands import blocks
from aceking.exact.stud.rows import DEALER_HANDS, STATES, UP_SUITS, StudRows, stud_rows
from tests.exact.dealer_hands import DealerEnumerated

#: All hands are ranked once for those who need them.
pytestmark = pytest.mark.xdist_group("every hand")

ACE_KING = weakest("A K 4 3 2")

#: Hands of every category, flushes in the up-card's suit and in another, and blockers of all sorts.
CHOSEN = [
    ("As Ks Qs Js Ts", "9s"),
    ("As Ks Qs Js Ts", "9d"),
    ("5h 4h 3h 2h Ah", "6h"),
    ("9s 8s 7s 6s 5s", "Ts"),
    ("8c 8d 8h 8s Kd", "Kh"),
    ("2c 2d 2h Ks Kd", "Kh"),
    ("Ac Ad Ah Ks Kd", "As"),
    ("As Js 9s 4s 2s", "Ks"),
    ("As Js 9s 4s 2s", "Jd"),
    ("Ad 5s 4h 3c 2d", "6s"),
    ("Ks Qd Jh Tc 9s", "Qs"),
    ("7s 7d 7h Qc 2s", "7c"),
    ("Qc Qd Js Jh 5s", "Jd"),
    ("2c 2d Ks Qs Js", "As"),
    ("2c 2d Ks Qs Js", "2s"),
    ("As Ks Qs Js 9d", "Ts"),
    ("As Ks Qs Jd 9s", "Qd"),
    ("Ac Kd 4h 3s 2c", "Ah"),
    ("Ah Qh Jh 9h 8d", "Kd"),
    ("7d 5c 4s 3h 2d", "2c"),
]


def located(table: StudRows, hand: tuple[CardId, ...], up: CardId, *, ace_low: bool) -> tuple[int, int, int]:
    """The counts that the rows hold for one state: unqualified, beaten, tied."""
    ranked = rank(hand, ace_low=ace_low)
    suited = sum(1 << rank_of(one) for one in hand if suit_of(one) == suit_of(up))
    for rows in table.all:
        if rows.block.category == ranked.category:
            same = np.all(
                [group == value for group, value in zip(rows.block.groups, ranked.ranks, strict=True)], axis=0
            )
            for column in np.flatnonzero(same):
                at = np.array([rank_of(up)]), np.array([column]), np.array([suited])
                unqualified, below, equal = (int(count[0]) for count in table.counts(rows, *at))
                return unqualified, below - unqualified, equal
    raise AssertionError("every hand is in some row")


@pytest.mark.parametrize(
    ("qualifier", "ace_low", "states"),
    [
        (ACE_KING, True, 150),
        (ACE_KING, False, 30),
        (rank(cards("Ad 5s 4h 3c 2d"), ace_low=False), False, 10),
        (weakest("7 5 4 3 2"), True, 15),
        (weakest("T T 4 3 2"), True, 15),
        (weakest("7 6 5 4 3"), True, 15),
        (rank(cards("7s 5s 4s 3s 2s")), True, 15),
    ],
    ids=["ace-king", "ace-king, ace high only", "ace high", "any hand", "tens", "straight", "flush"],
)
def test_counts_equal_the_enumeration(qualifier: HandRank, ace_low: bool, states: int) -> None:
    table = stud_rows(qualifier, ace_low=ace_low)
    random = Random(f"{qualifier}{ace_low}")
    drawn = [random.sample(DECK, 6) for _ in range(states)]
    chosen = [(cards(hand), card(up)) for hand, up in CHOSEN] + [(tuple(six[:5]), six[5]) for six in drawn]
    for hand, up in chosen:
        counted = located(table, hand, up, ace_low=ace_low)
        assert counted == DealerEnumerated(hand, up, ace_low=ace_low).counts(hand, qualifier), (hand, up)


@pytest.mark.parametrize("ace_low", [True, False])
def test_the_blocks_hold_every_hand_once(ace_low: bool) -> None:
    held = [int((block.ways[:, None] + 0 * block.suited).sum()) for block in blocks(ace_low=ace_low)]
    assert sum(held) == 2_598_960


def test_rows_hold_every_state_once_and_their_totals_are_those_of_their_states() -> None:
    table = stud_rows(ACE_KING, ace_low=True)
    assert UP_SUITS * sum(int(rows.states.sum()) for rows in table.all) == STATES
    for rows in table.all:
        number = len(rows.block)
        ups, columns = np.divmod(np.arange(13 * number), number)
        opened = table.open(rows, ups, columns)
        assert np.array_equal(opened.states.sum(axis=0), rows.states.ravel())
        there = opened.states > 0
        for each, tally in (
            (opened.unqualified, rows.unqualified),
            (opened.below, rows.below),
            (opened.equal, rows.equal),
        ):
            assert np.array_equal((opened.states * each).sum(axis=0), tally.total.ravel())
            # The bounds by which most rows are decided.
            assert np.all((each >= np.minimum(tally.bare, tally.full).ravel()) | ~there)
            assert np.all((each <= np.maximum(tally.bare, tally.full).ravel()) | ~there)


def test_all_dealers_hands_are_accounted_for() -> None:
    # A royal flush is beaten by nothing: what does not tie with it is below it.
    table = stud_rows(weakest("7 5 4 3 2"), ace_low=True)
    unqualified, beaten, tied = located(table, cards("As Ks Qs Js Ts"), card("Ad"), ace_low=True)
    assert unqualified + beaten + tied == DEALER_HANDS
    assert tied == 1
