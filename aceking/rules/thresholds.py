"""The weakest hand on which a side wager is paid or returned: its place among all hands, and its words."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

from aceking.cards.card import FIVE, RANK_WORDS, RANKS
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank, words
from aceking.cards.three import ThreeRank, weakest_of_three
from aceking.rules.odds import PayTableRow

#: The number of ranks that the words for a hand name, if not one.
_NAMED = {Category.HIGH_CARD: 2, Category.TWO_PAIR: 2, Category.FULL_HOUSE: 2}

#: The place of a hand, or of the weakest hand of a row, among all hands; the greater is the better.
ThresholdRank = tuple[int, tuple[int, ...]]


def place(hand: HandRank | Category, order: Sequence[Category]) -> ThresholdRank:
    """Return the place of a hand, or of the weakest hand of a row, with rows in this order."""
    return (order.index(hand), ()) if isinstance(hand, Category) else (order.index(hand.category), hand.ranks)


def is_weakest(hand: HandRank) -> bool:
    """Return True if no hand of its row is weaker."""
    return hand == _kinds(hand)[0]


def or_better(row: PayTableRow, least: HandRank | None) -> str:
    """Return `pair of jacks or better`, or the name of the row if all of it is paid."""
    return row.title if least is None or row is not least.category else f"{least_words(least)} or better"


def least_words(hand: HandRank) -> str:
    """Return `pair of jacks` or `ace high`, with its kickers if they are not the lowest."""
    alike = _kinds(hand)
    # The hand is the weakest of those that share this many ranks with it.
    needed = next(
        number
        for number in range(1, len(hand.ranks) + 1)
        if next(one for one in alike if one.ranks[:number] == hand.ranks[:number]) == hand
    )
    if hand.category is Category.HIGH_CARD and needed == 1:
        return f"{RANK_WORDS[hand.ranks[0]]} high"
    if needed <= _NAMED.get(hand.category, 1):
        return words(hand)
    return f"{words(hand)} ({'-'.join(RANKS[one] for one in hand.ranks)})"


def with_article(hand: HandRank | Category) -> str:
    """`a pair of jacks`, `ace high`, `two pair`."""
    row = hand if isinstance(hand, Category) else hand.category
    title = hand.title if isinstance(hand, Category) else least_words(hand)
    bare = (Category.HIGH_CARD, Category.TWO_PAIR, Category.THREE_OF_A_KIND, Category.FOUR_OF_A_KIND)
    return title if row in bare else f"a {title}"


def is_low_ace(hand: HandRank) -> bool:
    """Return True for the straight that needs a low ace."""
    return hand.category is Category.STRAIGHT and hand.ranks == (1 if isinstance(hand, ThreeRank) else FIVE,)


def _kinds(hand: HandRank) -> tuple[HandRank, ...]:
    """All hands of the same row and number of cards, weakest first."""
    if isinstance(hand, ThreeRank):
        return _of_three(hand.category)
    return tuple(one for one in ranker(ace_low=True).ranks if one.category is hand.category)


@cache
def _of_three(category: Category) -> tuple[HandRank, ...]:
    every = {weakest_of_three(" ".join(three)) for three in combinations_with_replacement(RANKS, 3)}
    return tuple(sorted(one for one in every if one.category is category))
