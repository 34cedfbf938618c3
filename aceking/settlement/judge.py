"""Ranks hands under a book, with the book's thresholds as strengths."""

from collections.abc import Sequence
from functools import cache

from aceking.cards.card import CardId
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank, words
from aceking.rules.book import Book
from aceking.rules.qualifier import qualifier
from aceking.rules.vocabulary import DealerRules


class Judge:
    __slots__ = (
        "_words",
        "ante_paid_at",
        "ante_saved_at",
        "bonus_pushes_at",
        "categories",
        "pushes_at",
        "qualifies",
        "ranks",
        "strength",
        "wins_at",
    )

    def __init__(self, book: Book) -> None:
        table = ranker(ace_low=book.hands.ace_low)
        self.strength = table.strength
        self.categories: tuple[Category, ...] = table.categories
        self.ranks = table.ranks
        self._words = _said(ace_low=book.hands.ace_low)

        def at(threshold: HandRank | Category | None) -> int:
            """Return the strength of a threshold; one above the best hand if the book has none."""
            if isinstance(threshold, Category):
                return table.categories.index(threshold)
            return len(table.ranks) if threshold is None else table.strength_of(threshold)

        #: By strength: whether a dealer's hand qualifies.
        self.qualifies = bytes(len(table.ranks)) if book.dealer is None else _playing(book.dealer, book.hands.ace_low)
        self.wins_at = at(book.paytable.wins_with if book.paytable else None)
        self.pushes_at = at(book.paytable.pushes_with if book.paytable else None)
        self.ante_paid_at = 0 if book.ante.pays_from is None else at(book.ante.pays_from)
        self.ante_saved_at = at(book.ante.returned_from)
        self.bonus_pushes_at = at(book.bonus.pushes_with if book.bonus else None)

    def words(self, hand: Sequence[CardId]) -> str:
        return self.words_at(self.strength(hand))

    def words_at(self, strength: int) -> str:
        text = self._words.get(strength)
        if text is None:
            text = self._words[strength] = words(self.ranks[strength])
        return text


@cache
def _said(*, ace_low: bool) -> dict[int, str]:
    """Return the cache of words by strength, shared by all books with this rule; few of the 7,462 are used."""
    return {}


def _playing(rules: DealerRules, ace_low: bool) -> bytes:
    at = qualifier(rules.qualifies_with, rules.qualifies_too, ace_low=ace_low)
    return bytes(map(at.plays, range(len(ranker(ace_low=ace_low).ranks))))


@cache
def judge(book: Book) -> Judge:
    """Return the judge of a book, created once."""
    return Judge(book)
