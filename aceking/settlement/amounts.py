"""The bets that a book allows on an ante, and the prices of its exchange."""

from fractions import Fraction

from aceking.money.chips import at_odds
from aceking.rules.book import Book
from aceking.rules.odds import Amount

#: An ante that nobody asks after, in units of the currency.
_USUAL_UNITS = 10


def usual_ante(book: Book) -> Amount:
    """Ten units of the currency, or the nearest ante that the book takes."""
    usual = Amount(_USUAL_UNITS * 10**book.decimals)
    least, most = book.ante.min or usual, book.ante.max or usual
    return max(least, min(usual, most))


def most_antes(book: Book) -> int:
    """The greatest bet, in antes."""
    return book.bet.antes_max or book.bet.antes


def bet_sizes(book: Book, ante: int) -> range:
    """The one size that the book prescribes, or every whole number of antes among which the player chooses."""
    return range(ante * book.bet.antes, ante * most_antes(book) + 1, max(ante, 1))


def price_of(book: Book, cards: int) -> Fraction:
    """What it costs to exchange so many cards, in antes."""
    assert book.exchange is not None, f"{book.id} has no exchange"
    prices = book.exchange.prices or (book.exchange.price_antes,)
    return Fraction(prices[cards - 1])


def exchange_price(book: Book, ante: int, cards: int) -> Amount:
    """The same in chips: a part of an ante that is no whole coin is rounded up."""
    return at_odds(ante, price_of(book, cards))


def may_exchange(book: Book) -> str:
    """How many cards may be exchanged, as it is said to who gives another number."""
    assert book.exchange is not None, f"{book.id} has no exchange"
    most = book.exchange.cards
    return "one card may be exchanged" if most == 1 else f"1 to {most} cards may be exchanged"
