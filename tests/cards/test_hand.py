"""What five cards are worth: categories, kickers, the ace, and thresholds."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aceking.cards.card import ACE, RANKS, CardId, cards, rank_of, suit_of
from aceking.cards.deck import DECK
from aceking.cards.hand import CATEGORY_BY_KEY, Category, HandRank, plural, rank, weakest, words

HANDS = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)
KING = ACE - 1


def ranked(text: str, *, ace_low: bool = True) -> HandRank:
    """The rank of the cards in the text."""
    return rank(cards(text), ace_low=ace_low)


@pytest.mark.parametrize(
    ("hand", "category", "spoken"),
    [
        ("As Ks Qs Js Ts", Category.ROYAL_FLUSH, "royal flush"),
        ("Ks Qs Js Ts 9s", Category.STRAIGHT_FLUSH, "straight flush, king high"),
        ("5d 4d 3d 2d Ad", Category.STRAIGHT_FLUSH, "straight flush, five high"),
        ("6s 6h 6d 6c Ks", Category.FOUR_OF_A_KIND, "four of a kind, sixes"),
        ("8s 8h 8d 3c 3h", Category.FULL_HOUSE, "full house, eights over threes"),
        ("3s 3h 3d 8c 8h", Category.FULL_HOUSE, "full house, threes over eights"),
        ("Kd Jd 9d 5d 2d", Category.FLUSH, "flush, king high"),
        ("As Kh Qd Jc Ts", Category.STRAIGHT, "straight, ace high"),
        ("9h 8c 7d 6s 5h", Category.STRAIGHT, "straight, nine high"),
        ("5h 4c 3d 2s Ah", Category.STRAIGHT, "straight, five high"),
        ("Qs Qh Qd 9c 2h", Category.THREE_OF_A_KIND, "three of a kind, queens"),
        ("4s 4h As Ah 9d", Category.TWO_PAIR, "two pair, aces and fours"),
        ("Ts Td 8h 5s 2d", Category.PAIR, "pair of tens"),
        ("6s 6d 8h 5s 2d", Category.PAIR, "pair of sixes"),
        ("Ah Kd 9c 5s 2d", Category.HIGH_CARD, "ace king high"),
        ("7s 5h 4d 3c 2s", Category.HIGH_CARD, "seven five high"),
    ],
)
def test_a_hand_has_its_category_and_its_words(hand: str, category: Category, spoken: str) -> None:
    assert ranked(hand).category is category
    assert words(ranked(hand)) == spoken


def test_a_category_has_a_key_for_pay_tables_and_a_title_for_people() -> None:
    assert (Category.FOUR_OF_A_KIND.key, Category.FOUR_OF_A_KIND.title) == ("four_of_a_kind", "four of a kind")
    assert [CATEGORY_BY_KEY[category.key] for category in Category] == list(Category)


def test_more_than_one_of_a_rank_is_named_in_the_plural() -> None:
    assert [plural(RANKS.index(letter)) for letter in "A26T"] == ["aces", "twos", "sixes", "tens"]


RISING = [
    ("the weakest hand", "7s 5h 4d 3c 2s"),
    ("the best without a pair", "As Kh Qd Jc 9s"),
    ("the weakest pair", "2s 2h 5d 4c 3s"),
    ("the best pair", "As Ah Kd Qc Js"),
    ("the weakest two pair", "3s 3h 2d 2c 4s"),
    ("the best two pair", "As Ah Kd Kc Qs"),
    ("the weakest three of a kind", "2s 2h 2d 4c 3s"),
    ("the best three of a kind", "As Ah Ad Kc Qs"),
    ("the weakest straight", "5s 4h 3d 2c As"),
    ("the next straight", "6s 5h 4d 3c 2s"),
    ("the best straight", "As Kh Qd Jc Ts"),
    ("the weakest flush", "7s 5s 4s 3s 2s"),
    ("the best flush", "As Ks Qs Js 9s"),
    ("the weakest full house", "2s 2h 2d 3c 3s"),
    ("the best full house", "As Ah Ad Kc Ks"),
    ("the weakest four of a kind", "2s 2h 2d 2c 3s"),
    ("the best four of a kind", "As Ah Ad Ac Ks"),
    ("the weakest straight flush", "5s 4s 3s 2s As"),
    ("the next straight flush", "6s 5s 4s 3s 2s"),
    ("the best straight flush", "Ks Qs Js Ts 9s"),
    ("the royal flush", "As Ks Qs Js Ts"),
]


@pytest.mark.parametrize(
    ("lower", "higher"),
    [(below[1], above[1]) for below, above in pairwise(RISING)],
    ids=[f"{below[0]} under {above[0]}" for below, above in pairwise(RISING)],
)
def test_the_best_of_a_category_loses_to_the_weakest_of_the_next(lower: str, higher: str) -> None:
    assert ranked(lower) < ranked(higher)


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        pytest.param("Ks Kh 4d 3c 2s", "Qs Qh Ad Kc Js", id="the pair before any other card"),
        pytest.param("Ks Kh Ad 3c 2s", "Kd Kc Qd Jh Ts", id="a pair by its first kicker"),
        pytest.param("Ks Kh Ad 4c 2s", "Kd Kc As 3h 2d", id="a pair by its second kicker"),
        pytest.param("Ks Kh Ad 4c 3s", "Kd Kc As 4h 2d", id="a pair by its third kicker"),
        pytest.param("As Ah 2d 2c 3s", "Ks Kh Qd Qc Js", id="two pair by the higher pair"),
        pytest.param("As Ah 4d 4c 2s", "Ad Ac 3d 3c Ks", id="two pair by the lower pair"),
        pytest.param("As Ah 4d 4c 3s", "Ad Ac 4s 4h 2s", id="two pair by the kicker"),
        pytest.param("9s 9h 9d 3c 2s", "8s 8h 8d Ac Ks", id="three of a kind by its rank"),
        pytest.param("9s 9h 9d Ac 2s", "9c 9s 9h Kc Qs", id="three of a kind by a kicker"),
        pytest.param("3s 3h 3d 2c 2s", "2h 2d 2s Ac As", id="a full house by its three"),
        pytest.param("3s 3h 3d 5c 5s", "3c 3d 3s 4c 4s", id="a full house by its pair"),
        pytest.param("9s 9h 9d 9c 2s", "8s 8h 8d 8c As", id="four of a kind by its rank"),
        pytest.param("9s 9h 9d 9c 3s", "9s 9h 9d 9c 2s", id="four of a kind by the kicker"),
        pytest.param("Ks 9s 5s 4s 3s", "Kh 9h 5h 4h 2h", id="a flush by its last card"),
        pytest.param("As 5h 4d 3c 2d", "Ks Qh Jd Tc 8s", id="a wheel is a straight, so above king high"),
        pytest.param("Ah Ks Qh 5s 2d", "Ad Kd Jc 6s 3d", id="ace king by the third card"),
        pytest.param("Ah Ks 9h 5s 3d", "Ad Kd 9c 5h 2d", id="ace king by the fifth card"),
        pytest.param("6h 5c 4d 3s 2h", "Ah 5d 4c 3c 2s", id="the ace of a wheel counts low"),
    ],
)
def test_inside_a_category_the_larger_group_and_then_the_kickers_decide(higher: str, lower: str) -> None:
    assert ranked(higher) > ranked(lower)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ac Ks 9h 5d 2c", "Ah Kd 9c 5s 2d"),
        ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th"),
        ("Ts Th 8d 5c 2s", "Td Tc 8h 5s 2d"),
        ("Kd Jd 9d 5d 2d", "Ks Js 9s 5s 2s"),
    ],
)
def test_equal_ranks_tie_whatever_their_suits(one: str, other: str) -> None:
    assert ranked(one) == ranked(other)


@pytest.mark.parametrize("hand", ["Ah Kd Qc 3s 2d", "Ah Kd Qc Js 2d", "Ah Kd 4c 3s 2d", "Ks Ad 2c 3h 4s"])
def test_an_ace_in_the_middle_makes_no_straight(hand: str) -> None:
    assert ranked(hand).category is Category.HIGH_CARD


@pytest.mark.parametrize("hand", ["Ah Kh Qh 3h 2h", "Ah Kh Qh Jh 2h", "Ah Kh 4h 3h 2h"])
def test_an_ace_in_the_middle_of_one_suit_is_a_flush_only(hand: str) -> None:
    assert ranked(hand).category is Category.FLUSH


def test_without_the_low_ace_a_wheel_is_ace_high() -> None:
    assert words(ranked("Ah 5d 4c 3c 2s", ace_low=False)) == "ace five high"
    assert words(ranked("Ah 5h 4h 3h 2h", ace_low=False)) == "flush, ace high"


@given(HANDS)
def test_the_low_ace_changes_nothing_but_the_wheel(hand: list[CardId]) -> None:
    if {RANKS[rank_of(one)] for one in hand} != set("A2345"):
        assert rank(hand, ace_low=False) == rank(hand, ace_low=True)


def test_the_low_ace_is_the_rule_unless_a_book_says_otherwise() -> None:
    assert rank(cards("Ah 5d 4c 3c 2s")).category is Category.STRAIGHT


@given(HANDS, st.permutations(range(5)), st.booleans())
def test_the_order_of_the_cards_changes_nothing(hand: list[CardId], order: list[int], ace_low: bool) -> None:
    assert rank([hand[place] for place in order], ace_low=ace_low) == rank(hand, ace_low=ace_low)


@given(HANDS, st.permutations(range(4)), st.booleans())
def test_trading_suits_for_one_another_changes_nothing(hand: list[CardId], suits: list[int], ace_low: bool) -> None:
    traded = [CardId(rank_of(one) * 4 + suits[suit_of(one)]) for one in hand]
    assert rank(traded, ace_low=ace_low) == rank(hand, ace_low=ace_low)


@given(HANDS)
def test_the_deciding_ranks_are_those_of_the_hand_each_once(hand: list[CardId]) -> None:
    found = rank(hand)
    assert len(set(found.ranks)) == len(found.ranks)
    assert set(found.ranks) <= {rank_of(one) for one in hand}


@pytest.mark.parametrize("count", [0, 4, 6])
def test_a_hand_is_five_cards(count: int) -> None:
    with pytest.raises(AssertionError, match="five cards"):
        rank(DECK[:count])


@pytest.mark.parametrize(
    ("threshold", "just_in", "just_out"),
    [
        pytest.param("A K 4 3 2", "Ah Kd 4c 3s 2d", "Ah Qd Jc Ts 9d", id="ace king"),
        pytest.param("2 2 5 4 3", "2h 2d 5c 4s 3d", "Ah Kd Qc Js 9d", id="any pair"),
        pytest.param("7 7 4 3 2", "7h 7d 4c 3s 2d", "6h 6d Ac Ks Qd", id="sevens"),
        pytest.param("9 9 4 3 2", "9h 9d 4c 3s 2d", "8h 8d Ac Ks Qd", id="nines"),
        pytest.param("T T 4 3 2", "Th Td 4c 3s 2d", "9h 9d Ac Ks Qd", id="tens"),
        pytest.param("J J 4 3 2", "Jh Jd 4c 3s 2d", "Th Td Ac Ks Qd", id="jacks"),
        pytest.param("3 3 2 2 4", "3h 3d 2c 2s 4d", "Ah Ad Kc Qs Jd", id="two pair"),
        pytest.param("2 2 2 4 3", "2h 2d 2c 4s 3d", "Ah Ad Kc Ks Qd", id="three of a kind"),
        pytest.param("5 4 3 2 A", "5h 4d 3c 2s Ad", "Ah Ad Ac Ks Qd", id="a straight"),
        pytest.param("2 2 2 3 3", "2h 2d 2c 3s 3d", "Ah Kh Qh Jh 9h", id="a full house"),
        pytest.param("2 2 2 2 3", "2h 2d 2c 2s 3d", "Ah Ad Ac Ks Kd", id="four of a kind"),
    ],
)
def test_a_threshold_lets_in_its_own_hand_and_nothing_weaker(threshold: str, just_in: str, just_out: str) -> None:
    assert ranked(just_in) == weakest(threshold)
    assert ranked(just_out) < weakest(threshold)


def test_ace_king_is_passed_by_every_ace_king_and_by_no_lesser_high_card() -> None:
    hands = [hand for hand in combinations(range(13), 5) if _is_high_card(hand)]
    passed = {hand for hand in hands if HandRank(Category.HIGH_CARD, hand[::-1]) >= weakest("A K 4 3 2")}
    assert passed == {hand for hand in hands if {ACE, KING} <= set(hand)}


def _is_high_card(rising: tuple[int, ...]) -> bool:
    return rising[4] - rising[0] != 4 and rising != (0, 1, 2, 3, ACE)


@pytest.mark.parametrize("text", ["7 5 4 3 2", "A K Q J 9", "K Q J T 9", "A K Q J T", "A 5 4 3 2"])
def test_a_threshold_is_never_a_flush(text: str) -> None:
    assert weakest(text).category in (Category.HIGH_CARD, Category.STRAIGHT)


@given(st.permutations(["T", "T", "4", "3", "2"]))
def test_the_order_in_a_threshold_changes_nothing(letters: list[str]) -> None:
    assert weakest(" ".join(letters)) == weakest("T T 4 3 2")


@pytest.mark.parametrize("text", ["", "A K", "A K 4 3 2 2"])
def test_a_threshold_is_five_ranks(text: str) -> None:
    with pytest.raises(AssertionError, match="five ranks"):
        weakest(text)
