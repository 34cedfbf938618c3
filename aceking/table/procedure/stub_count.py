"""When the stub must be counted: at the latest every N rounds, counted per table or per deck."""

from aceking.rules.book import Book
from aceking.table.cards.decks import counts_by_device
from aceking.table.state import TableState


def count_is_due(book: Book, table: TableState) -> bool:
    """Return True if the stub must be counted in this round."""
    left = rounds_to_count(book, table)
    return left is not None and left <= 0


def rounds_to_count(book: Book, table: TableState) -> int | None:
    """Return the number of rounds after this one until the stub must be counted; None if no count is demanded."""
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
