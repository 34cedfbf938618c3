"""The counts behind Colorado: by ranks, corrected for flushes, and the same as laying out every community."""

import random
from bisect import bisect_right
from collections import Counter
from itertools import combinations, combinations_with_replacement
from math import comb

import numpy as np
import pytest

from aceking.cards.card import CardId, cards
from aceking.cards.deck import DECK
from aceking.cards.hand import Category, HandRank, rank, weakest
from aceking.exact.community.counts import COMMUNITIES, counts, states
from aceking.exact.community.hands import class_of, hands
from aceking.exact.community.kinds import WEIGHTS, CommunityKinds

#: Thresholds of the books, and others inside every kind of category.
BOOKS = [weakest("7 7 4 3 2"), weakest("T T 4 3 2"), weakest("J J 4 3 2")]
ODD = [
    *(weakest("A K 4 3 2"), weakest("9 9 A 3 2"), weakest("8 8 5 5 A"), weakest("Q Q Q 3 2"), weakest("9 8 7 6 5")),
    *(HandRank(Category.FLUSH, (12, 5, 4, 3, 1)), HandRank(Category.FULL_HOUSE, (7, 2))),
    *(HandRank(Category.FOUR_OF_A_KIND, (7, 2)), HandRank(Category.STRAIGHT_FLUSH, (7,))),
]
NAMED = ["As Ks 4d", "As Ks Qs", "5h 4h 3h", "Ah 2h 9c", "8s 8h 8d", "8s 8h 4s", "8s 4h 8d", "7c 2d 3h", "Td 9d Jd"]


def row(first: CardId, second: CardId, discard: CardId, kinds: CommunityKinds) -> list[int]:
    """The counts of the table for two cards kept and one laid aside."""
    numbers = counts(kinds).table[states(np.array(first), np.array(second), np.array(discard))]
    return [int(number) for number in numbers]


def laid_out(first: CardId, second: CardId, discard: CardId, kinds: CommunityKinds) -> list[int]:
    """The same by the obvious ranker, one community after the other."""
    left = [one for one in DECK if one not in (first, second, discard)]
    found = Counter(
        bisect_right(kinds.starts, rank((first, second, *shared), ace_low=kinds.ace_low)) - 1
        for shared in combinations(left, 3)
    )
    return [found[kind] for kind in range(len(kinds.starts))]


@pytest.mark.parametrize("text", NAMED)
def test_a_state_counts_what_the_obvious_ranker_finds_in_all_18424_communities(text: str) -> None:
    first, second, discard = cards(text)
    kinds = CommunityKinds.of([*BOOKS, *ODD], ace_low=True)
    assert row(first, second, discard, kinds) == laid_out(first, second, discard, kinds)


@pytest.mark.parametrize("ace_low", [True, False])
def test_random_states_count_what_the_obvious_ranker_finds(ace_low: bool) -> None:
    kinds = CommunityKinds.of([*BOOKS, *ODD], ace_low=ace_low)
    chance = random.Random(38)
    for _ in range(12):
        first, second, discard = (CardId(one) for one in chance.sample(range(52), 3))
        assert row(first, second, discard, kinds) == laid_out(first, second, discard, kinds)


@pytest.mark.parametrize("ace_low", [True, False])
def test_the_kind_of_every_hand_of_five_is_that_of_the_obvious_ranker(ace_low: bool) -> None:
    kinds = CommunityKinds.of([*BOOKS, *ODD], ace_low=ace_low)
    plain, suited = kinds.by_weight()
    for values in combinations_with_replacement(range(13), 5):
        if values[0] == values[4]:
            continue
        weight = WEIGHTS[list(values)].sum()
        # Equal ranks take suits in turn; the last card of different ranks takes another suit than the first.
        suits = [values[:place].count(value) for place, value in enumerate(values)]
        mixed = suits if any(suits) else [0, 0, 0, 0, 1]
        ranked = rank([CardId(4 * value + suit) for value, suit in zip(values, mixed, strict=True)], ace_low=ace_low)
        assert bisect_right(kinds.starts, ranked) - 1 == plain[weight]
        if not any(suits):
            ranked = rank([CardId(4 * value) for value in values], ace_low=ace_low)
            assert bisect_right(kinds.starts, ranked) - 1 == suited[weight]


def test_no_two_choices_of_five_ranks_have_the_same_weight() -> None:
    chosen = [values for values in combinations_with_replacement(range(13), 5) if values[0] != values[4]]
    assert len({int(WEIGHTS[list(values)].sum()) for values in chosen}) == len(chosen) == 6175


def test_every_state_of_three_cards_counts_all_communities() -> None:
    table = counts(CommunityKinds.of([*BOOKS, *ODD], ace_low=True)).table[hands().states]
    assert (table.sum(axis=2) == COMMUNITIES).all()
    assert (table >= 0).all()
    assert comb(49, 3) == COMMUNITIES == 18_424


def test_the_classes_of_hands_are_all_22100_hands_each_once() -> None:
    found = Counter(class_of(three) for three in combinations(DECK, 3))
    made = {
        class_of([CardId(int(one)) for one in three]): int(deals)
        for three, deals in zip(hands().cards, hands().deals, strict=True)
    }
    assert made == found
    assert sum(made.values()) == 22_100
    assert len(made) == 1755


def test_the_cards_of_a_class_rise_and_its_states_are_those_of_its_discards() -> None:
    for three, rows in zip(hands().cards, hands().states, strict=True):
        low, middle, high = (np.array(one) for one in three)
        assert low < middle < high
        assert rows.tolist() == [states(middle, high, low), states(low, high, middle), states(low, middle, high)]
