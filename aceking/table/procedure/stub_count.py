"""When the stub is counted: at the latest after so many rounds, by the table's clock or the deck's."""

from aceking.rules.book import Book
from aceking.table.cards.decks import counts_by_device
from aceking.table.state import Table


def count_is_due(book: Book, table: Table) -> bool:
    """Whether the stub must be counted in this round: the last of so many rounds without a count."""
    left = rounds_to_count(book, table)
    return left is not None and left <= 0


def rounds_to_count(book: Book, table: Table) -> int | None:
    """After how many rounds from this one the stub is counted at the latest; None where nothing demands it."""
    stub = book.stub
    if stub is None or stub.count_rounds is None:
        return None
    deck = table.decks.get(table.deck or "")
    if counts_by_device(book) and deck is not None and "device-count" in deck.acts:
        return None
    of_deck = deck.rounds_uncounted + 1 if deck is not None else 0
    of_table = table.rounds_uncounted + 1
    clocks = {"per-deck": of_deck, "per-table": of_table}
    return stub.count_rounds - clocks.get(stub.count_clock or "", max(of_deck, of_table))
