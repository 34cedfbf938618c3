"""Stud against a dealer who must qualify: the exact figures of a book over all deals, and the value of one hand."""

from collections.abc import Sequence

from aceking.cards.card import CardId
from aceking.exact.exchange import edge as exchange
from aceking.exact.figures import Edge, Values
from aceking.exact.stud.dealers import DealerHands
from aceking.exact.stud.money import common_denominator, nets
from aceking.exact.stud.play import figures, play
from aceking.exact.stud.rows import DEALER_HANDS, STATES, stud_rows
from aceking.exact.stud.sizes import edge_by_size, sizes
from aceking.rules.book import Book

#: The player's five cards, the dealer's five, and which of them is up: 19,933,230,517,200.
DEALS = STATES * DEALER_HANDS


def edge(book: Book) -> Edge:
    """Return the exact figures of a book under the best play. A bet worth no more than folding is not made."""
    if book.exchange is not None:
        return exchange.edge(book)
    assert book.dealer is not None, f"{book.id} has no dealer's hand"
    if book.bet.antes_max is not None:
        return edge_by_size(book)
    table = stud_rows(book.dealer.qualifies_with, book.dealer.qualifies_too, ace_low=book.hands.ace_low)
    money = nets(book)
    results, bets = play(table, money, scale=common_denominator(money))
    return figures(book, results, deals=DEALS, decisions={"fold": STATES - bets, "bet": bets})


def value(book: Book, hand: Sequence[CardId], up: CardId) -> Values:
    """Return the exact value of every decision with these five cards against this up-card, in antes."""
    if book.exchange is not None:
        return exchange.value(book, hand, up)
    money, dealer = nets(book), DealerHands(book, hand, up)
    if book.bet.antes_max is not None:
        bets = {f"bet {antes}": dealer.bet(hand, nets(book, antes=antes)) for antes in sizes(book)}
        return Values.of({"fold": money.fold, **bets})
    return Values.of({"fold": money.fold, "bet": dealer.bet(hand, money)})
