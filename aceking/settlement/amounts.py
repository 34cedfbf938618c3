"""The bets that a book allows on an ante, and the prices of its exchange."""

from fractions import Fraction

from aceking.money.chips import at_odds
from aceking.rules.book import Book
from aceking.rules.odds import Amount

#: The ante used if none is asked for, in units of the currency.
_USUAL_UNITS = 10


def usual_ante(book: Book) -> Amount:
    """Return ten units of the currency, or the nearest ante that the book allows."""
    usual = Amount(_USUAL_UNITS * 10**book.decimals)
    least, most = book.ante.min or usual, book.ante.max or usual
    return max(least, min(usual, most))


def most_antes(book: Book) -> int:
    """Return the largest bet, in antes."""
    return book.bet.antes_max or book.bet.antes


def bet_sizes(book: Book, ante: int) -> range:
    """Return the allowed bets: the book's one size, or every whole number of antes between its limits."""
    return range(ante * book.bet.antes, ante * most_antes(book) + 1, max(ante, 1))


def price_of(book: Book, cards: int) -> Fraction:
    """Return the price of exchanging this number of cards, in antes."""
    assert book.exchange is not None, f"{book.id} has no exchange"
    prices = book.exchange.prices or (book.exchange.price_antes,)
    return Fraction(prices[cards - 1])


def exchange_price(book: Book, ante: int, cards: int) -> Amount:
    """Return the price in chips, rounded up to a whole coin."""
    return at_odds(ante, price_of(book, cards))


def exchange_limit_text(book: Book) -> str:
    """Return how many cards may be exchanged, as the text of a refusal."""
    assert book.exchange is not None, f"{book.id} has no exchange"
    most = book.exchange.cards
    return "one card may be exchanged" if most == 1 else f"1 to {most} cards may be exchanged"
