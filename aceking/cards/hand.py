"""The rank of five cards: the plain ranker, which sorts and counts, and the words for a rank."""

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from aceking.cards.card import ACE, FIVE, RANK_WORDS, RANKS, CardId, rank_of, suit_of


class Category(IntEnum):
    """The ten classes of a five-card hand, weakest first."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def key(self) -> str:
        """The name a pay table uses: `four_of_a_kind`."""
        return self.name.lower()

    @property
    def title(self) -> str:
        """The name a person reads: `four of a kind`."""
        return self.key.replace("_", " ")


CATEGORY_BY_KEY = {category.key: category for category in Category}

_SHAPES = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.PAIR,
}


class HandRank(NamedTuple):
    """A hand's place in the order of all hands: a greater rank beats a smaller one, equal ranks tie.

    `ranks` are the ranks that decide inside the category, the largest group first, each group once.
    """

    category: Category
    ranks: tuple[int, ...]


def rank(hand: Sequence[CardId], *, ace_low: bool = True) -> HandRank:
    """Return the rank of five cards. With `ace_low` the ace may also be below the two: 5-4-3-2-A."""
    assert len(hand) == 5, "a hand is five cards"
    counts = Counter(rank_of(one) for one in hand)
    groups = sorted(counts, key=lambda value: (counts[value], value), reverse=True)
    shape = tuple(counts[value] for value in groups)
    if shape in _SHAPES:
        return HandRank(_SHAPES[shape], tuple(groups))
    flush = len({suit_of(one) for one in hand}) == 1
    high = straight_high(groups, ace_low=ace_low)
    if high is None:
        return HandRank(Category.FLUSH if flush else Category.HIGH_CARD, tuple(groups))
    if not flush:
        return HandRank(Category.STRAIGHT, (high,))
    return HandRank(Category.ROYAL_FLUSH if high == ACE else Category.STRAIGHT_FLUSH, (high,))


def straight_high(falling: Sequence[int], *, ace_low: bool) -> int | None:
    """Return the highest of five falling ranks if they are a straight, else None."""
    if falling[0] - falling[4] == 4:
        return falling[0]
    if ace_low and tuple(falling) == (ACE, FIVE, FIVE - 1, FIVE - 2, FIVE - 3):
        return FIVE
    return None


def weakest(text: str) -> HandRank:
    """Return the rank of a hand of mixed suits, given by its ranks: `weakest("A K 4 3 2")`. Used for thresholds."""
    values = [RANKS.index(letter) for letter in text.split()]
    assert len(values) == 5, "a threshold is a hand of five ranks"
    # The first card gets another suit, so that the hand is never a flush; cards of one rank get different suits.
    suits = [1 if place == 0 else 0 for place in range(5)]
    for place, value in enumerate(values):
        taken = {suits[earlier] for earlier in range(place) if values[earlier] == value}
        suits[place] = next(suit for suit in (suits[place], 0, 1, 2, 3) if suit not in taken)
    return rank([CardId(value * 4 + suit) for value, suit in zip(values, suits, strict=True)])


def words(ranked: HandRank) -> str:
    """Return the words a player would use: `two pair, aces and fours`, `ace king high`."""
    ranks = ranked.ranks
    match ranked.category:
        case Category.ROYAL_FLUSH:
            return "royal flush"
        case Category.STRAIGHT_FLUSH | Category.FLUSH | Category.STRAIGHT:
            return f"{ranked.category.title}, {RANK_WORDS[ranks[0]]} high"
        case Category.FOUR_OF_A_KIND | Category.THREE_OF_A_KIND:
            return f"{ranked.category.title}, {plural(ranks[0])}"
        case Category.FULL_HOUSE:
            return f"full house, {plural(ranks[0])} over {plural(ranks[1])}"
        case Category.TWO_PAIR:
            return f"two pair, {plural(ranks[0])} and {plural(ranks[1])}"
        case Category.PAIR:
            return f"pair of {plural(ranks[0])}"
        case _:
            return f"{RANK_WORDS[ranks[0]]} {RANK_WORDS[ranks[1]]} high"


def plural(value: int) -> str:
    """Return the plural word for a rank: `aces`, `sixes`."""
    word = RANK_WORDS[value]
    return word + ("es" if word.endswith("x") else "s")
