"""The devices at a table by their kind: registered, or present because the house chose them."""

from collections.abc import Mapping

from aceking.rules.book import Book
from aceking.table.cards.deal_order import dealt_out, in_packets
from aceking.table.required_machines import components
from aceking.table.state import TableState

SHUFFLER, AUTOMATED_SHOE, SHOE, DISPLAY = "shuffler", "automated shoe", "shoe", "display"
#: The other devices of a table, each with the words that houses use for it.
_OTHERS: Mapping[str, tuple[str, ...]] = {
    DISPLAY: ("display", "monitor"),
    "jackpot": ("jackpot", "progressive", "acceptor", "sensor", "controller", "keypad"),
}


def kind_of(name: str) -> str | None:
    """Return the kind of a device by its name; None if no table has such a device."""
    words = name.lower()
    if "shuffl" in words:
        return SHUFFLER
    if "shoe" in words:
        return AUTOMATED_SHOE if "automat" in words else SHOE
    return next((kind for kind, known in _OTHERS.items() if any(word in words for word in known)), None)


def is_device(book: Book, name: str) -> bool:
    """Return True if a table of this book can have such a device."""
    system = book.system
    parts = {**components(system.first), **components(system.second)} if system is not None else {}
    return kind_of(name) is not None or name.lower() in parts


def set_up(book: Book) -> frozenset[str]:
    """Return the kinds of devices that shuffle or deal at this table, as the house chose."""
    automated = book.shuffle is not None and book.shuffle.method == "automated"
    kinds = (kind_of(book.deal.method), SHUFFLER if automated else None)
    return frozenset(one for one in kinds if one is not None)


def of_kind(table: TableState, kind: str) -> list[str]:
    """Return the registered devices of a kind that were not removed."""
    return [name for name, device in table.devices.items() if device.status != "removed" and kind_of(name) == kind]


def was_removed(table: TableState, kind: str) -> bool:
    """Return True if the table had devices of a kind and all were removed."""
    devices = [device for name, device in table.devices.items() if kind_of(name) == kind]
    return bool(devices) and all(device.status == "removed" for device in devices)


def at_table(book: Book, table: TableState, name: str) -> str | None:
    """Return the name under which a device is at the table; None if it is not."""
    device = table.devices.get(name)
    if device is not None:
        return name if device.status != "removed" else None
    kind = kind_of(name)
    if kind is None:
        return None
    if present := of_kind(table, kind):
        return present[0]
    return name if kind in set_up(book) and not was_removed(table, kind) else None


def has_stopped_in_deal(book: Book, table: TableState, name: str) -> bool:
    """Return True if the shoe of a round has jammed before it gave all its cards."""
    current, own = table.live_round, at_table(book, table, name)
    device = table.devices.get(own) if own is not None and kind_of(own) == AUTOMATED_SHOE else None
    if current is None or device is None or device.status != "jammed":
        return False
    return in_packets(book) and current.placed > 0 and not dealt_out(book, current)
