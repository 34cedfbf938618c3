"""The weakest hand that a side wager pays, or gives its stake back on: its place among all hands, and its words."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

from aceking.cards.card import FIVE, RANK_WORDS, RANKS
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank, words
from aceking.cards.three import ThreeRank, weakest_of_three
from aceking.rules.odds import Row

#: How many ranks of a hand its words name, where that is not one.
_NAMED = {Category.HIGH_CARD: 2, Category.TWO_PAIR: 2, Category.FULL_HOUSE: 2}

#: Where a hand, or the weakest of a row, stands among all hands of its cards; the greater is the better.
Place = tuple[int, tuple[int, ...]]


def place(hand: HandRank | Category, order: Sequence[Category]) -> Place:
    """The place of a hand, or of the weakest of a row, where rows are in this order."""
    return (order.index(hand), ()) if isinstance(hand, Category) else (order.index(hand.category), hand.ranks)


def is_weakest(hand: HandRank) -> bool:
    """Whether no hand of its row is weaker."""
    return hand == _kinds(hand)[0]


def or_better(row: Row, least: HandRank | None) -> str:
    """`pair of jacks or better`; a row that is paid as a whole by its name."""
    return row.title if least is None or row is not least.category else f"{least_words(least)} or better"


def least_words(hand: HandRank) -> str:
    """`pair of jacks`, `ace high`; with its kickers where they are not the lowest."""
    alike = _kinds(hand)
    known = next(
        number
        for number in range(1, len(hand.ranks) + 1)
        if next(one for one in alike if one.ranks[:number] == hand.ranks[:number]) == hand
    )
    if hand.category is Category.HIGH_CARD and known == 1:
        return f"{RANK_WORDS[hand.ranks[0]]} high"
    if known <= _NAMED.get(hand.category, 1):
        return words(hand)
    return f"{words(hand)} ({'-'.join(RANKS[one] for one in hand.ranks)})"


def with_article(hand: HandRank | Category) -> str:
    """`a pair of jacks`, `ace high`, `two pair`."""
    row = hand if isinstance(hand, Category) else hand.category
    said = hand.title if isinstance(hand, Category) else least_words(hand)
    bare = (Category.HIGH_CARD, Category.TWO_PAIR, Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND)
    return said if row in bare else f"a {said}"


def is_low_ace(hand: HandRank) -> bool:
    """Whether it is the straight that there is where the ace may be low, and nowhere else."""
    return hand.category is Category.STRAIGHT and hand.ranks == (1 if isinstance(hand, ThreeRank) else FIVE,)


def _kinds(hand: HandRank) -> tuple[HandRank, ...]:
    """All hands of its row and number of cards, the weakest first."""
    if isinstance(hand, ThreeRank):
        return _of_three(hand.category)
    return tuple(one for one in ranker(ace_low=True).ranks if one.category is hand.category)


@cache
def _of_three(category: Category) -> tuple[HandRank, ...]:
    every = {weakest_of_three(" ".join(three)) for three in combinations_with_replacement(RANKS, 3)}
    return tuple(sorted(one for one in every if one.category is category))
