"""Conditions on the deal: method, face, hand, completeness, and the stub after it."""

from collections.abc import Mapping

from aceking.rules.book import Book
from aceking.table.cards.deal_order import burns, dealt_out, in_packets, next_due
from aceking.table.cards.place import DEALER
from aceking.table.commands import Act, DealCard, DealPacket, HoldDeck, LoadDeck, RackStub
from aceking.table.devices import AUTOMATED_SHOE, SHOE, kind_of
from aceking.table.money.settling import needs_bank
from aceking.table.procedure.conditions.predicate import Predicate
from aceking.table.procedure.stub_count import count_is_due
from aceking.table.state import TableState

#: A constant, since a union in the call would be created for every card.
_FACED = (DealCard, DealPacket, RackStub)


def _face(act: Act) -> str | None:
    return act.face if isinstance(act, _FACED) else None


def _face_down(book: Book, table: TableState, act: Act) -> str | None:
    return "the card is dealt face down" if _face(act) == "up" else None


def _face_up(book: Book, table: TableState, act: Act) -> str | None:
    """One card lies open; if another shows already by mistake, this one lies face down."""
    shown = table.live_round is not None and table.live_round.up is not None
    return "the card is dealt face up" if _face(act) == "down" and not shown else None


def _only_dealer_card_up(book: Book, table: TableState, act: Act) -> str | None:
    """Only the dealer's up-card lies face up."""
    current = table.live_round
    if _face(act) != "up" or current is None or not isinstance(act, (DealCard, DealPacket)):
        return None
    expected = next_due(book, current)
    to = act.to or (expected.to if expected is not None else None)
    if to == DEALER and expected is not None and expected.to == DEALER and expected.up:
        return None
    return "the dealer's other cards are dealt face down" if to == DEALER else "a player's card lies face up"


def _unexposed(book: Book, table: TableState, act: Act) -> str | None:
    return "the stub is not shown" if _face(act) == "up" else None


def _as_configured(book: Book, table: TableState, act: Act) -> str | None:
    """Cards are dealt by the method that the table is set up for."""
    match act:
        case DealCard():
            wrong = act.to is None and in_packets(book)
        case DealPacket():
            wrong = not in_packets(book)
        case HoldDeck():
            wrong = book.deal.method != "hand"
        case LoadDeck():
            wrong = book.deal.method == "hand"
        case _:
            wrong = False
    return f"the table deals by {book.deal.method.replace('-', ' ')}" if wrong else None


def _automated_shuffle(book: Book, table: TableState, act: Act) -> str | None:
    needs = book.deal.needs_automated_shuffle or ()
    manual = book.shuffle is not None and book.shuffle.method == "manual"
    return "dealing from the hand needs an automated shuffler" if book.deal.method in needs and manual else None


def _packet_of_right_size(book: Book, table: TableState, act: Act) -> str | None:
    """The shoe is set up for stacks of the size of a hand."""
    size = getattr(act, "packet", None)
    if size is not None and size != book.hands.cards:
        return f"a stack has {book.hands.cards} cards, not {size}"
    return None


def _nearer_hand(book: Book, table: TableState, act: Act) -> str | None:
    """Cards are drawn with the hand nearer to the shoe, if the command says which hand it was."""
    if not isinstance(act, DealCard) or act.hand is None:
        return None
    shoes = (one for name, one in table.devices.items() if kind_of(name) in (SHOE, AUTOMATED_SHOE))
    side = next((one.side for one in shoes if one.side), "left")
    return None if act.hand == side else f"the shoe stands at the {side}; the {act.hand} hand drew the card"


def _other_hand(book: Book, table: TableState, act: Act) -> str | None:
    """The hand that does not hold the deck draws the cards."""
    held = table.holding_hand
    if isinstance(act, DealCard) and act.hand is not None and held is not None and act.hand == held:
        return f"the deck is held in the {held} hand and dealt with the other"
    return None


def _burnt_first(book: Book, table: TableState, act: Act) -> str | None:
    """The first card of a round is burnt; if it was not, that is one breach, not one for each card."""
    current = table.live_round
    missed = current is not None and burns(book) and not current.sequence
    return "no card was burnt" if missed else None


def _before_first_card(book: Book, table: TableState, act: Act) -> str | None:
    current = table.live_round
    return "a card has been dealt" if current is not None and current.placed else None


def _up_card_shown(book: Book, table: TableState, act: Act) -> str | None:
    """Nobody looks or decides before the dealer's up-card is shown."""
    current = table.live_round
    if current is None or book.dealer is None or current.up is not None:
        return None
    hidden = in_packets(book) or dealt_out(book, current)
    return "the dealer's up-card is not shown yet" if hidden else None


def _hands_complete(book: Book, table: TableState, act: Act) -> str | None:
    current = table.live_round
    if current is None:
        return None
    wrong = [box.number for box in current.live if not box.racked and len(box.cards) != book.hands.cards]
    if wrong:
        return f"box {wrong[0]} has not {book.hands.cards} cards: a misdeal to be ruled on"
    # If no hand is left to compare, nothing depends on the dealer's hand.
    if book.dealer is not None and len(current.dealer) != book.hands.cards and needs_bank(book, current):
        return f"the dealer has not {book.hands.cards} cards: a misdeal to be ruled on"
    return None


def _count_posted(book: Book, table: TableState, act: Act) -> str | None:
    """If the stub must be counted in this round, the count comes first."""
    current = table.live_round
    due = current is not None and bool(current.placed) and not current.counted and count_is_due(book, table)
    return "the stub must be counted in this round" if due else None


def _stub_put_away(book: Book, table: TableState, act: Act) -> str | None:
    """Before the first hand is looked at, the stub is in the rack."""
    current = table.live_round
    if current is None or current.anyone_looked or current.stub_racked:
        return None
    return "the stub is not in the rack"


def _kept_by_the_handler(book: Book, table: TableState, act: Act) -> str | None:
    """The handler that moves the card or the chips checks the order, and cites the clause."""
    return None


#: Conditions that handlers check.
KEPT_BY_HANDLERS = frozenset({"deal-in-order", "paid-in-order"})

DEAL: Mapping[str, Predicate] = {
    "dealt-face-down": _face_down,
    "dealt-face-up": _face_up,
    "only-dealer-card-up": _only_dealer_card_up,
    "unexposed": _unexposed,
    "as-configured": _as_configured,
    "automated-shuffle": _automated_shuffle,
    "packet-of-right-size": _packet_of_right_size,
    "nearer-hand": _nearer_hand,
    "other-hand": _other_hand,
    "burnt-first": _burnt_first,
    "before-first-card": _before_first_card,
    "up-card-shown": _up_card_shown,
    "hands-complete": _hands_complete,
    "count-posted": _count_posted,
    "stub-put-away": _stub_put_away,
    **dict.fromkeys(KEPT_BY_HANDLERS, _kept_by_the_handler),
}
