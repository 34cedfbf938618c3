"""The decks of a table: which is meant, which comes next, and whether a device counts them."""

from aceking.rules.book import Book
from aceking.table.state import Deck, Table

#: The decks of a table, of which a second is used in turn with the first, and their backs.
NAMES = ("first", "second")
BACKS = ("red", "blue")


def deck_in_use(table: Table, name: str | None) -> Deck | None:
    """The deck that is named, else the one in use, else the only one."""
    return table.decks.get(name or table.deck or next(iter(table.decks), ""))


def next_deck(table: Table) -> str:
    """The deck whose turn it is: of two, the one that did not serve the round before."""
    return next((name for name in table.decks if name != table.last_deck), None) or table.deck or NAMES[0]


def counts_by_device(book: Book) -> bool:
    """Whether the shuffler counts the deck after each shuffle, instead of the dealer the stub."""
    stub = book.stub
    by_hand = book.shuffle is not None and book.shuffle.method == "manual"
    excused = stub is not None and book.deal.method in (stub.device_count_excuses or ()) and not by_hand
    return excused and stub is not None and stub.count == "device-count-each-shuffle"


def cuts(book: Book) -> bool:
    """Whether the cards are cut after the shuffle."""
    return book.cut is not None and book.shuffle is not None and book.shuffle.method == book.cut.after


def is_unready(book: Book, table: Table, name: str | None) -> bool:
    """Whether the deck must still be shuffled, or cut, before a card leaves it."""
    deck = deck_in_use(table, name)
    if deck is None or book.shuffle is None:
        return False
    return deck.shuffled is None or (cuts(book) and "cut" not in deck.acts)
