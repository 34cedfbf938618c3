"""What a hand is worth under a book: the ranker of its rules, and its thresholds as strengths."""

from collections.abc import Sequence
from functools import cache

from aceking.cards.card import Card
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank, words
from aceking.rules.book import Book
from aceking.rules.qualifier import qualifier
from aceking.rules.vocabulary import Dealer


class Judge:
    """Ranks hands under one book, quickly."""

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
            """The strength of a threshold, by a hand or a row; unreachable where the book has none."""
            if isinstance(threshold, Category):
                return table.categories.index(threshold)
            return len(table.ranks) if threshold is None else table.strength_of(threshold)

        #: by strength whether a dealer's hand plays
        self.qualifies = bytes(len(table.ranks)) if book.dealer is None else _playing(book.dealer, book.hands.ace_low)
        self.wins_at = at(book.paytable.wins_with if book.paytable else None)
        self.pushes_at = at(book.paytable.pushes_with if book.paytable else None)
        self.ante_paid_at = 0 if book.ante.pays_from is None else at(book.ante.pays_from)
        self.ante_saved_at = at(book.ante.returned_from)
        self.bonus_pushes_at = at(book.bonus.pushes_with if book.bonus else None)

    def words(self, hand: Sequence[Card]) -> str:
        """The words for five cards."""
        return self.words_at(self.strength(hand))

    def words_at(self, strength: int) -> str:
        """The words for a strength."""
        said = self._words.get(strength)
        if said is None:
            said = self._words[strength] = words(self.ranks[strength])
        return said


@cache
def _said(*, ace_low: bool) -> dict[int, str]:
    """The words by strength, of all books with this rule: made when first said, for most of 7,462 never are."""
    return {}


def _playing(rules: Dealer, ace_low: bool) -> bytes:
    at = qualifier(rules.qualifies_with, rules.qualifies_too, ace_low=ace_low)
    return bytes(map(at.plays, range(len(ranker(ace_low=ace_low).ranks))))


@cache
def judge(book: Book) -> Judge:
    """The judge of a book, made once."""
    return Judge(book)
