"""The answers of the command line that `cache` stores, as JSON data. The mathematics is imported when needed."""

from collections.abc import Callable
from typing import Any

from aceking.rules.book import Book


def edge_answer(book: Book) -> dict[str, Any]:
    """Return the figures of the book and of its side bets, and the sentences about its caps."""
    from aceking.exact.games import edge, edge_data
    from aceking.exact.side_bets.prices import side_bets
    from aceking.exact.unpriced import counted_caps, left_out

    figures = edge(book)
    sentences = {"counted": list(counted_caps(book)), "left_out": list(left_out(book))}
    notes = {key: lines for key, lines in sentences.items() if lines}
    return {**edge_data(figures), "side_bets": side_bets(book, figures), **notes}


def strategy_answer(book: Book, progress: Callable[[int, int], None]) -> dict[str, Any]:
    from aceking.exact.strategy import strategy, strategy_data

    return strategy_data(strategy(book, progress=progress))


def seen_cards_answer(book: Book, dealer_cards: int) -> dict[str, Any]:
    """Return the figures for a player who sees `dealer_cards` of the dealer's cards."""
    from aceking.exact.games import edge_data
    from aceking.exact.seen_cards import seeing

    return edge_data(seeing(book, dealer_cards=dealer_cards))


def two_hands_answer(book: Book, progress: Callable[[int, int], None]) -> dict[str, Any]:
    """Return the figures for a player who knows the hand of one other player."""
    from aceking.exact.games import edge_data
    from aceking.exact.two_hands.edge import two_hands

    return edge_data(two_hands(book, progress=progress))
