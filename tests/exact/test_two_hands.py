"""Two hands known: suits summed in closed form are suits dealt out, and every pair of hands is played for the best.

The whole figure takes a minute; `make torture` counts it.
"""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from aceking.cards.card import RANKS
from aceking.cards.hand import Category
from aceking.exact.seen_cards import SeeingError
from aceking.exact.stud.hands import blocks, rank_choices
from aceking.exact.stud.rows import FLUSHES, UP_SUITS
from aceking.exact.two_hands.dead import ten_ranks
from aceking.exact.two_hands.edge import Pairs, TwoHands, UpRank, two_hands
from aceking.exact.two_hands.suits import ANY, OF_ANOTHER, OF_UP, SuitPatterns, opened, suits_of
from aceking.rules.reading.load import load_book
from aceking.simulation.questions.shared_hands import SharedHands

BOOK = load_book("section10")
OTHERS = rank_choices(5)


def dealt(mine: list[int], others: list[int]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All ways to give suits to two hands of these ranks, as cards (rank times four and suit)."""
    found = []
    for suits in product(range(4), repeat=len(mine) + len(others)):
        cards = [4 * rank + suit for rank, suit in zip((*mine, *others), suits, strict=True)]
        first, second = cards[: len(mine)], cards[len(mine) :]
        rising = first == sorted(first) and second == sorted(second)
        if rising and len(set(cards)) == len(cards):
            found.append((tuple(first), tuple(second)))
    return found


def held(ranks: list[int]) -> NDArray[np.int32]:
    return np.bincount(ranks, minlength=len(RANKS)).astype(np.int32)[:, None]


def is_of(suits: SuitPatterns, first: tuple[int, ...]) -> bool:
    kinds = {card % 4 for card in first}
    if suits is ANY:
        return True
    return kinds == {0} if suits is OF_UP else kinds == {1}


@pytest.mark.parametrize("suits", [ANY, OF_UP, OF_ANOTHER])
@pytest.mark.parametrize(
    ("mine", "others", "up"),
    [([0, 3, 7], [1, 5, 9], 11), ([0, 3, 7], [3, 3, 7], 5), ([2, 4, 9], [2, 2, 2], 4), ([2, 4, 9], [0, 2, 4], 2)],
)
def test_suits_come_in_as_many_ways_as_can_be_dealt(
    suits: SuitPatterns, mine: list[int], others: list[int], up: int
) -> None:
    by_set: dict[int, int] = {}
    for first, second in dealt(mine, others):
        if 4 * up not in (*first, *second) and is_of(suits, first):
            bits = sum(1 << card // 4 for card in (*first, *second) if card % 4 == 0)
            by_set[bits] = by_set.get(bits, 0) + 1
    number = suits.number(up, held(mine), held(others))
    assert number.tolist() == [sum(by_set.values())]
    found: dict[int, int] = {}
    for _, sets, ways in opened(suits, up, held(mine), held(others), number):
        for bits, count in zip(sets.tolist(), ways.tolist(), strict=True):
            if count:
                found[bits] = found.get(bits, 0) + count
    assert found == by_set


@pytest.mark.parametrize("category", list(Category))
def test_a_hand_meets_every_hand_of_a_neighbour_once(category: Category) -> None:
    """For a hand and an up-card the neighbour has any five of 46 cards."""
    (block,) = (one for one in blocks(ace_low=True) if one.category is category)
    for up in (0, 7, 12):
        for hand in (0, len(block) // 2, len(block) - 1):
            mine = np.repeat(block.held[:, [hand]], OTHERS.shape[1], axis=1)
            total = sum(times * int(suits.number(up, mine, OTHERS).sum()) for suits, times in suits_of(category))
            patterns = sum(
                int(ways)
                for bits, ways in zip(block.suited[:, hand], block.ways, strict=True)
                if not int(bits) >> up & 1
            )
            assert total == patterns * comb(46, 5)


def test_two_hands_lead_to_their_ten_ranks() -> None:
    ten = ten_ranks()
    assert ten.width == len(set(map(bytes, ten.dead.T.astype(np.uint8)))) == 566_280
    assert (ten.dead.sum(axis=0) == 10).all()
    some = OTHERS[:, ::500]
    columns = ten.columns(some, OTHERS)
    for hand in range(some.shape[1]):
        both = some[:, [hand]] + OTHERS
        possible = (both <= 4).all(axis=0)
        assert (columns[hand] >= 0).tolist() == possible.tolist()
        assert (ten.dead[:, columns[hand, possible]] == both[:, possible]).all()


def total(table: TwoHands) -> Fraction:
    """Return the net of all deals so far."""
    return sum((net * deals for net, deals in table.results.outcomes.items()), Fraction(0))


def every_deal(pairs: Pairs, up: int, *, flush: bool) -> NDArray[np.uint8]:
    """A column for each way to deal a pair of hands beside the up-card of suit 0, from real cards."""
    columns = []
    firsts, seconds = (
        list(product(*(combinations(range(4 * rank, 4 * rank + 4), int(count)) for rank, count in enumerate(each))))
        for each in (pairs.kind.block.held[:, pairs.own[0]], OTHERS[:, pairs.others[0]])
    )
    for first in firsts:
        mine = [card for some in first for card in some]
        if flush == (len({card % 4 for card in mine}) == 1):
            for second in seconds:
                cards = [*mine, *(card for some in second for card in some), 4 * up]
                if len(set(cards)) == len(cards):
                    columns.append(cards)
    return np.array(columns, np.uint8).T


@pytest.mark.proof
def test_pairs_are_played_as_every_hand_of_the_dealer_says() -> None:
    """Real cards, each pair of hands in all suits: the deals move by as much as best play is worth more."""
    table, shared, up = TwoHands(BOOK), SharedHands(BOOK, 2), RANKS.index("5")
    at_rank = UpRank(table, up)
    few = np.flatnonzero((OTHERS > 0).sum(axis=0) == 2)  # neighbours whose cards come in few suits
    looked = moved = 0
    for pairs in at_rank.doubtful():
        some = np.flatnonzero(np.isin(pairs.others, few))
        for place in some[len(some) // 2 :][:1]:
            one = pairs.where(slice(place, place + 1))
            cards = every_deal(one, up, flush=one.kind.block.category in FLUSHES)
            values = shared.values(cards)[: cards.shape[1]]
            fold = one.kind.worth.fold
            alone = values if one.kind.alone[up, one.own[0]] else np.full_like(values, fold)
            worth_more = int((np.maximum(values, fold) - alone).sum())
            before = total(table)
            at_rank.decide(one)
            assert total(table) - before == UP_SUITS * worth_more
            looked, moved = looked + 1, moved + bool(worth_more)
    assert looked > 15
    assert moved > 5


@pytest.mark.parametrize(("book", "says"), [("exchange", "has an exchange"), ("colorado-required", "no dealer")])
def test_books_without_such_a_question_are_refused(book: str, says: str) -> None:
    with pytest.raises(SeeingError, match=says):
        two_hands(load_book(book))
