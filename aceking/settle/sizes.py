"""The bets that a book allows on an ante."""

from aceking.rules.book import Book


def most_antes(book: Book) -> int:
    """The greatest bet, in antes."""
    return book.bet.antes_max or book.bet.antes


def bet_sizes(book: Book, ante: int) -> range:
    """The one size that the book prescribes, or every whole number of antes among which the player chooses."""
    return range(ante * book.bet.antes, ante * most_antes(book) + 1, max(ante, 1))
