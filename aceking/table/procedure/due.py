"""When the stub is counted: at the latest after so many rounds, by the table's clock or the deck's."""

from aceking.rules.book import Book
from aceking.table.decks import counts_by_device
from aceking.table.state import Table


def count_is_due(book: Book, table: Table) -> bool:
    """Whether the stub must be counted in this round: the last of so many rounds without a count."""
    stub = book.stub
    if stub is None or stub.count_rounds is None:
        return False
    deck = table.decks.get(table.deck or "")
    if counts_by_device(book) and deck is not None and "device-count" in deck.acts:
        return False
    of_deck = deck.rounds_uncounted + 1 if deck is not None else 0
    of_table = table.rounds_uncounted + 1
    clocks = {"per-deck": of_deck, "per-table": of_table}
    return clocks.get(stub.count_clock or "", max(of_deck, of_table)) >= stub.count_rounds
