"""The hands with which a dealer qualifies: all from the weakest one up, and some kinds of hands below it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from aceking.cards.card import RANK_WORDS, RANKS
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank, plural

#: The weakest hand: a dealer who qualifies with it always plays.
ANY_HAND = HandRank(Category.HIGH_CARD, (5, 3, 2, 1, 0))

_GROUPS = {
    (1, 1): Category.HIGH_CARD,
    (1, 1, 1): Category.HIGH_CARD,
    (1, 1, 1, 1): Category.HIGH_CARD,
    (2,): Category.PAIR,
    (2, 1): Category.PAIR,
    (2, 1, 1): Category.PAIR,
    (2, 2): Category.TWO_PAIR,
    (3,): Category.THREE_OF_A_KIND,
    (3, 1): Category.THREE_OF_A_KIND,
}


@dataclass(frozen=True, slots=True)
class Alike:
    """Hands that begin alike: `K Q` are those without a pair whose highest cards are king and queen."""

    category: Category
    ranks: tuple[int, ...]

    @classmethod
    def of(cls, ranks: Sequence[int]) -> "Alike | None":
        """The hands whose highest cards, or largest groups of cards, are these; None if no hand begins like that."""
        groups = sorted(set(ranks), key=lambda rank: (ranks.count(rank), rank), reverse=True)
        category = _GROUPS.get(tuple(ranks.count(rank) for rank in groups))
        return None if category is None else cls(category, tuple(groups))

    def __str__(self) -> str:
        sizes = {Category.HIGH_CARD: (1,), Category.PAIR: (2,), Category.TWO_PAIR: (2, 2)}.get(self.category, (3,))
        each = (*sizes, *(1,) * len(self.ranks))
        return " ".join(RANKS[rank] for rank, size in zip(self.ranks, each, strict=False) for _ in range(size))

    @property
    def words(self) -> str:
        """`king queen high`, `a pair of fours`."""
        first, *rest = self.ranks
        match self.category:
            case Category.HIGH_CARD:
                return f"{' '.join(RANK_WORDS[rank] for rank in self.ranks)} high"
            case Category.TWO_PAIR:
                return f"two pair, {plural(first)} and {plural(rest[0])}"
            case Category.PAIR:
                kickers = "".join(f" {RANK_WORDS[rank]}" for rank in rest)
                return f"a pair of {plural(first)}{f' with{kickers}' if rest else ''}"
            case _:
                kickers = "".join(f" {RANK_WORDS[rank]}" for rank in rest)
                return f"three {plural(first)}{f' with{kickers}' if rest else ''}"


#: A range of strengths: the first one, and the one after the last.
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Qualifier:
    """The strengths of hands that qualify."""

    weakest: int  # this strength and all above it qualify
    too: tuple[Span, ...]  # ranges below it that qualify too: rising, with gaps between them

    def plays(self, strength: int) -> bool:
        return strength >= self.weakest or any(first <= strength < end for first, end in self.too)

    @property
    def gaps(self) -> tuple[Span, ...]:
        """The strengths that do not qualify, rising; the first gap starts at 0."""
        firsts = (0, *(end for _, end in self.too))
        ends = (*(first for first, _ in self.too), self.weakest)
        return tuple(zip(firsts, ends, strict=True))


@cache
def qualifier(weakest: HandRank, too: tuple[Alike, ...] | None, *, ace_low: bool) -> Qualifier:
    """Return the qualifier for a dealer's rules; ranges that touch are joined."""
    ranks = ranker(ace_low=ace_low).ranks
    least = ranks.index(weakest)
    spans: list[Span] = []
    for first, end in sorted(span(one, ace_low=ace_low) for one in too or ()):
        if spans and first <= spans[-1][1]:
            first, end = spans[-1][0], max(end, spans.pop()[1])
        spans.append((first, end))
    if spans and spans[-1][1] >= least:
        least = min(least, spans.pop()[0])
    return Qualifier(least, tuple(one for one in spans if one[1] <= least and one[0] < one[1]))


@cache
def span(alike: Alike, *, ace_low: bool) -> Span:
    """Return the strengths of hands that begin alike; an empty range if there are none."""
    ranks = ranker(ace_low=ace_low).ranks
    length = len(alike.ranks)
    places = [
        place
        for place, hand in enumerate(ranks)
        if hand.category is alike.category and hand.ranks[:length] == alike.ranks
    ]
    return (places[0], places[-1] + 1) if places else (0, 0)
