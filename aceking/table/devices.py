"""The devices of a table by their names: which of them shuffle, which deal, and which stand there unregistered."""

from aceking.rules.book import Book
from aceking.table.deal import dealt_out, in_packets
from aceking.table.state import Table

SHUFFLER = "shuffler"
AUTOMATED_SHOE = "automated shoe"


def is_shuffler(name: str) -> bool:
    """Whether a device shuffles, however the house writes its name."""
    return "shuffl" in name.lower()


def is_shoe(name: str) -> bool:
    """Whether cards are dealt from it."""
    return "shoe" in name.lower()


def is_automated_shoe(name: str) -> bool:
    """Whether it gives stacks by itself."""
    return is_shoe(name) and "automat" in name.lower()


def in_use(book: Book, table: Table) -> tuple[str, ...]:
    """The devices by which the table shuffles and deals, though nobody has put them on its register."""
    shuffles = book.shuffle is not None and book.shuffle.method == "automated"
    found = []
    if shuffles and not any(is_shuffler(name) for name in table.devices):
        found.append(SHUFFLER)
    if (
        in_packets(book)
        and "automat" in book.deal.method
        and not any(is_automated_shoe(name) for name in table.devices)
    ):
        found.append(AUTOMATED_SHOE)
    return tuple(found)


def has_stopped_in_deal(book: Book, table: Table, name: str) -> bool:
    """Whether the shoe that a round is dealt from has jammed before it gave all its cards."""
    current, device = table.live_round, table.devices.get(name)
    if current is None or device is None or device.status != "jammed" or not is_automated_shoe(name):
        return False
    return in_packets(book) and current.placed > 0 and not dealt_out(book, current)
