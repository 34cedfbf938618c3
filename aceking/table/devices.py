"""What stands at a table: devices by their kind, registered or brought along by what the house chose."""

from collections.abc import Mapping

from aceking.rules.book import Book
from aceking.table.cards.deal_order import dealt_out, in_packets
from aceking.table.required_machines import components
from aceking.table.state import Table

SHUFFLER, AUTOMATED_SHOE, SHOE, DISPLAY = "shuffler", "automated shoe", "shoe", "display"
#: The other devices of a table, each with words that houses have for it.
_OTHERS: Mapping[str, tuple[str, ...]] = {
    DISPLAY: ("display", "monitor"),
    "jackpot": ("jackpot", "progressive", "acceptor", "sensor", "controller", "keypad"),
}


def kind_of(name: str) -> str | None:
    """The kind of a device, whatever a house calls its own; None where no table has such a thing."""
    words = name.lower()
    if "shuffl" in words:
        return SHUFFLER
    if "shoe" in words:
        return AUTOMATED_SHOE if "automat" in words else SHOE
    return next((kind for kind, known in _OTHERS.items() if any(word in words for word in known)), None)


def is_device(book: Book, name: str) -> bool:
    """Whether a table of this book can have such a device."""
    system = book.system
    parts = {**components(system.first), **components(system.second)} if system is not None else {}
    return kind_of(name) is not None or name.lower() in parts


def set_up(book: Book) -> frozenset[str]:
    """The kinds of devices that cards are shuffled or dealt by at this table, as the house chose."""
    automated = book.shuffle is not None and book.shuffle.method == "automated"
    kinds = (kind_of(book.deal.method), SHUFFLER if automated else None)
    return frozenset(one for one in kinds if one is not None)


def of_kind(table: Table, kind: str) -> list[str]:
    """The devices of a kind that are on the register and not taken away."""
    return [name for name, device in table.devices.items() if device.status != "removed" and kind_of(name) == kind]


def was_removed(table: Table, kind: str) -> bool:
    """Whether every device of a kind that stood there has left."""
    there = [device for name, device in table.devices.items() if kind_of(name) == kind]
    return bool(there) and all(device.status == "removed" for device in there)


def at_table(book: Book, table: Table, name: str) -> str | None:
    """The name under which a device stands at the table; None where it does not."""
    own = table.devices.get(name)
    if own is not None:
        return name if own.status != "removed" else None
    kind = kind_of(name)
    if kind is None:
        return None
    if there := of_kind(table, kind):
        return there[0]
    return name if kind in set_up(book) and not was_removed(table, kind) else None


def has_stopped_in_deal(book: Book, table: Table, name: str) -> bool:
    """Whether the shoe that a round is dealt from has jammed before it gave all its cards."""
    current, own = table.live_round, at_table(book, table, name)
    device = table.devices.get(own) if own is not None and kind_of(own) == AUTOMATED_SHOE else None
    if current is None or device is None or device.status != "jammed":
        return False
    return in_packets(book) and current.placed > 0 and not dealt_out(book, current)
