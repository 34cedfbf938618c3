"""The decks of a table: which one is in use, which comes next, and whether a device counts them."""

from aceking.rules.book import Book
from aceking.table.state import Deck, TableState

#: The names and backs of a table's decks; the second is used in turn with the first.
NAMES = ("first", "second")
BACKS = ("red", "blue")


def deck_in_use(table: TableState, name: str | None) -> Deck | None:
    """Return the named deck, else the one in use, else the only one; None if there is none."""
    return table.decks.get(name or table.deck or next(iter(table.decks), ""))


def next_deck(table: TableState) -> str:
    """Return the deck of the next round: of two, the one that did not serve the last round."""
    return next((name for name in table.decks if name != table.last_deck), None) or table.deck or NAMES[0]


def counts_by_device(book: Book) -> bool:
    """Return True if the shuffler counts the deck after each shuffle, so that the dealer does not count the stub."""
    stub = book.stub
    by_hand = book.shuffle is not None and book.shuffle.method == "manual"
    excused = stub is not None and book.deal.method in (stub.device_count_excuses or ()) and not by_hand
    return excused and stub is not None and stub.count == "device-count-each-shuffle"


def cuts(book: Book) -> bool:
    """Return True if the cards are cut after the shuffle."""
    return book.cut is not None and book.shuffle is not None and book.shuffle.method == book.cut.after


def is_unready(book: Book, table: TableState, name: str | None) -> bool:
    """Return True if the deck must still be shuffled or cut before it is dealt."""
    deck = deck_in_use(table, name)
    if deck is None or book.shuffle is None:
        return False
    return deck.shuffled is None or (cuts(book) and "cut" not in deck.acts)
