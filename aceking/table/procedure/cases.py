"""The cases that clauses name: a clause binds acts in its case only, and is the one cited there."""

from collections.abc import Callable, Mapping

from aceking.rules.book import Book
from aceking.rules.deal_positions import DealPosition
from aceking.table.cards.deal_order import in_packets, next_due
from aceking.table.commands import Act, PlaceForPlayer, RegisterDevice, RemoveDevice
from aceking.table.devices import AUTOMATED_SHOE, DISPLAY, SHOE, SHUFFLER, has_stopped_in_deal, kind_of
from aceking.table.money.award_lines import plays
from aceking.table.state import Round, TableState

Holds = Callable[[Book, TableState, Act], bool]


def qualified(book: Book, current: Round) -> bool | None:
    """Return True if the dealer's hand qualifies; None while it is not shown, or if there is none."""
    if book.dealer is None or current.phase != "revealed" or len(current.dealer) != book.hands.cards:
        return None
    return plays(book, current.dealer)


def _dealer_qualified(book: Book, table: TableState, act: Act) -> bool:
    return table.round is not None and qualified(book, table.round) is True


def _dealer_unqualified(book: Book, table: TableState, act: Act) -> bool:
    return table.round is not None and qualified(book, table.round) is False


def _second_deck(book: Book, table: TableState, act: Act) -> bool:
    """Another deck is at the table already."""
    return any(name != act.deck for name in table.decks)


def _first_deck(book: Book, table: TableState, act: Act) -> bool:
    return not _second_deck(book, table, act)


def _device(kind: str) -> Holds:
    return lambda book, table, act: isinstance(act, RegisterDevice) and kind_of(act.device) == kind


def _system_part(book: Book, table: TableState, act: Act) -> bool:
    """A device that is no shuffler, shoe or display belongs to the progressive."""
    return isinstance(act, RegisterDevice) and kind_of(act.device) not in (SHUFFLER, AUTOMATED_SHOE, SHOE, DISPLAY)


def _stub_counted(book: Book, table: TableState, act: Act) -> bool:
    return table.round is not None and table.round.counted


def due_lap(book: Book, table: TableState) -> DealPosition | None:
    """Return (whether the next card is not a box's, its position in that hand from 1); None if dealt in packets."""
    current = table.live_round
    if current is None or in_packets(book):
        return None
    due = next_due(book, current)
    return None if due is None else (due.to.kind != "box", len(current.held(due.to)) + 1)


def _box_outcome(outcome: str) -> Holds:
    """A box whose ante had this outcome at the reveal."""

    def holds(book: Book, table: TableState, act: Act) -> bool:
        current = table.round
        box = current.boxes.get(act.box or 0) if current is not None else None
        if box is None or box.ended_early:
            return False
        assert current is not None, "its box is in it"
        for line in current.lines:
            if line.seat == box.number and line.wager == "ante" and line.outcome == outcome:
                return True
        return False

    return holds


def _box_chose(choice: str) -> Holds:
    def holds(book: Book, table: TableState, act: Act) -> bool:
        current = table.round
        box = current.boxes.get(act.box or 0) if current is not None else None
        return box is not None and box.chose(choice)

    return holds


def _placed(wager: str) -> Holds:
    """Staff place this wager for a player."""
    return lambda book, table, act: isinstance(act, PlaceForPlayer) and act.wager == wager


def _box_exchanged(book: Book, table: TableState, act: Act) -> bool:
    """A box that has exchanged a card and decides on the new hand."""
    current = table.live_round
    box = current.boxes.get(act.box or 0) if current is not None else None
    return box is not None and box.give is not None


def _stopped_shoe(book: Book, table: TableState, act: Act) -> bool:
    return isinstance(act, RemoveDevice) and has_stopped_in_deal(book, table, act.device)


CASES: Mapping[str, Holds] = {
    "for-first-deck": _first_deck,
    "for-second-deck": _second_deck,
    "for-shuffler": _device(SHUFFLER),
    "for-display": _device(DISPLAY),
    "for-system-part": _system_part,
    "for-counted-stub": _stub_counted,
    "for-uncounted-stub": lambda book, table, act: not _stub_counted(book, table, act),
    "for-qualified-dealer": _dealer_qualified,
    "for-unqualified-dealer": _dealer_unqualified,
    "for-folded-box": _box_chose("fold"),
    "for-exchanged-box": _box_exchanged,
    "for-declared-box": _box_chose("declare"),
    "for-losing-box": _box_outcome("lose"),
    "for-pushing-box": _box_outcome("push"),
    "for-winning-box": _box_outcome("win"),
    "for-asked-box": lambda book, table, act: True,
    "for-named-box": lambda book, table, act: act.box is not None,
    "for-no-box": lambda book, table, act: act.box is None,
    "for-placed-ante": _placed("ante"),
    "for-placed-side": _placed("side"),
    "for-placed-bet": _placed("bet"),
    "for-stopped-shoe": _stopped_shoe,
}
