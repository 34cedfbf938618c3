"""Conditions on decks: complete, distinct, fresh, shuffled, cut and used in turn."""

from collections.abc import Mapping

from aceking.rules.book import Book
from aceking.table.cards.decks import deck_in_use
from aceking.table.commands import (
    Act,
    Cut,
    DealCard,
    DealPacket,
    HoldDeck,
    RegisterDeck,
    Shuffle,
    SpreadDeck,
)
from aceking.table.devices import SHUFFLER, was_removed
from aceking.table.procedure.conditions.predicate import Predicate
from aceking.table.state import Deck, TableState

OPENING = ("floorperson-verified", "spread", "first-player-inspection", "wash", "stack")


def _others(table: TableState, act: Act) -> list[Deck]:
    deck = deck_in_use(table, act.deck)
    return [one for one in table.decks.values() if deck is None or one.name != deck.name]


def _deck_complete(book: Book, table: TableState, act: Act) -> str | None:
    if isinstance(act, RegisterDeck) and act.count is not None and act.count != book.deck.size:
        return f"a deck has {book.deck.size} cards, not {act.count}"
    return None


def _extra_cards_present(book: Book, table: TableState, act: Act) -> str | None:
    if not isinstance(act, RegisterDeck):
        return None
    kinds = {one.kind for one in act.extras}
    missing = [one for one in book.deck.extra_cards if one not in kinds]
    return f"the {missing[0]} is missing" if missing else None


def _extra_cards_distinct(book: Book, table: TableState, act: Act) -> str | None:
    """The cutting card and the cover card are opaque, of one colour, and of another than backs and edges."""
    if not isinstance(act, RegisterDeck):
        return None
    for extra in act.extras:
        alike = extra.colour is not None and extra.colour in (act.back, act.edges)
        if not extra.opaque or not extra.solid or alike:
            return f"the {extra.kind} is opaque, of one solid colour, and of another than backs and edges"
    return None


def _second_deck_allowed(book: Book, table: TableState, act: Act) -> str | None:
    others = [name for name in table.decks if name != act.deck] if isinstance(act, RegisterDeck) else []
    method = book.shuffle.method if book.shuffle is not None else None
    if book.deck.decks > 1 and book.deck.second_deck_needs not in (None, method):
        return "a second deck needs an automated shuffler"
    count = len(others) + 1 if isinstance(act, RegisterDeck) else len(table.decks)
    if count > book.deck.decks:
        return f"the table plays with {book.deck.decks} deck{'s' if book.deck.decks > 1 else ''}"
    return None


def _backs_uniform(book: Book, table: TableState, act: Act) -> str | None:
    mixed = isinstance(act, RegisterDeck) and not act.uniform
    return "the backs of a deck are of one colour and design" if mixed else None


def _backs_differ(book: Book, table: TableState, act: Act) -> str | None:
    if not isinstance(act, RegisterDeck):
        return None
    same = [one for one in table.decks.values() if one.name != act.deck and one.back == act.back]
    return f"the other deck has {act.back} backs too" if same else None


def _in_sequence(book: Book, table: TableState, act: Act) -> str | None:
    if not isinstance(act, SpreadDeck):
        return None
    if not act.in_sequence:
        return "the cards are spread by suit and in sequence"
    return "the cards are spread face up" if act.face == "down" else None


def _each_deck_opened(book: Book, table: TableState, act: Act) -> str | None:
    """If two decks are used in turn, each has gone through the opening by itself."""
    for deck in table.decks.values() if len(table.decks) > 1 else ():
        missing: list[str] = [one for one in OPENING if one not in deck.acts]
        # A dealt deck is shuffled again while the other is in play.
        served = deck.racked or deck.name == table.last_deck or "deck-to-shuffler" in deck.acts
        if not missing and deck.shuffled is None and not served:
            missing = ["shuffle"]
        if missing:
            return f"the {deck.name} deck still wants {missing[0]}"
    return None


def _deck_fresh(book: Book, table: TableState, act: Act) -> str | None:
    hours = book.deck.change_hours
    # If the book leaves decks dealt by hand to the house, the house may set no limit at all.
    if book.deal.method == "hand" and "deck.change_hours_hand" in book.by_key:
        hours = book.deck.change_hours_hand
    at = act.at if act.at is not None else table.clock
    for deck in table.decks.values():
        if hours and at - deck.since > hours * 3_600_000:
            return f"the {deck.name} deck has lain at the table for more than {hours} hours"
    return None


def _shuffled(book: Book, table: TableState, act: Act) -> str | None:
    deck = deck_in_use(table, act.deck)
    return None if deck is not None and deck.shuffled else "the deck was not shuffled since the last round"


def _cut_large_enough(book: Book, table: TableState, act: Act) -> str | None:
    if isinstance(act, Cut) and book.cut is not None and act.count < book.cut.cards_min:
        return f"at least {book.cut.cards_min} cards are cut, not {act.count}"
    return None


def _one_handed(book: Book, table: TableState, act: Act) -> str | None:
    wanted = book.cut.hands if book.cut is not None else 1
    return "the cut is made with one hand" if isinstance(act, Cut) and act.hands != wanted else None


def _other_deck_in_shuffler(book: Book, table: TableState, act: Act) -> str | None:
    """While one deck is dealt, the other is in the shuffler; a breach is recorded once, not for each card."""
    current = table.live_round
    if current is None or (current.sequence and isinstance(act, (DealCard, DealPacket))):
        return None
    idle = [one.name for one in _others(table, act) if "deck-to-shuffler" not in one.acts and one.shuffled is None]
    return f"the {idle[0]} deck is not in the shuffler while the other is dealt" if idle else None


def _decks_alternate(book: Book, table: TableState, act: Act) -> str | None:
    if len(table.decks) > 1 and act.deck is not None and act.deck == table.last_deck:
        return f"the {act.deck} deck served the last round; the decks take turns"
    return None


def _one_deck_in_rack(book: Book, table: TableState, act: Act) -> str | None:
    deck = deck_in_use(table, act.deck)
    if deck is None or deck.racked:
        return None
    other = [one.name for one in _others(table, act) if one.racked]
    return f"the rack still holds cards of the {other[0]} deck" if other else None


def _automated_only(book: Book, table: TableState, act: Act) -> str | None:
    if book.shuffle is not None and book.shuffle.method == "manual":
        return "the cards are shuffled by hand"
    removed = isinstance(act, Shuffle) and was_removed(table, SHUFFLER)
    return "the shuffler is off the table" if removed else None


def _cards_ready(book: Book, table: TableState, act: Act) -> str | None:
    """The deck is shuffled; after a shuffle by hand also cut, with the cover card in the rack."""
    deck = deck_in_use(table, act.deck)
    if deck is None or deck.shuffled is None:
        return "the deck is not shuffled"
    if book.cut is not None and deck.shuffled == book.cut.after:
        missing = [one for one in ("cut", "cover-card-to-rack") if one not in deck.acts]
        return f"the deck still wants {missing[0]}" if missing else None
    return None


def _not_idle(book: Book, table: TableState, act: Act) -> str | None:
    for deck in table.decks.values():
        if "idle-spread" in deck.acts:
            turned = ("turn-up",) if deck.idle == "down" else ()
            steps = (*turned, "first-player-inspection", "turn-down", "wash", "stack")
            missing = next((one for one in steps if one not in deck.acts), "shuffle")
            return f"the cards lay idle; the {deck.name} deck still wants {missing}"
    return None


def _same_holding_hand(book: Book, table: TableState, act: Act) -> str | None:
    deck = deck_in_use(table, act.deck)
    held = table.holding_hand
    if not isinstance(act, HoldDeck) or deck is None or "deck-held" not in deck.acts:
        return None
    if held is not None and act.hand is not None and held != act.hand:
        return f"the deck is held in the {held} hand for the whole round"
    return None


def _layout_clear(book: Book, table: TableState, act: Act) -> str | None:
    """All cards of the last round are in the rack before its deck is shuffled."""
    last = table.round
    if last is None or last.phase == "void" or not last.placed or (act.deck or table.deck) != table.deck:
        return None
    left = [f"box {box.number}" for box in last.boxes.values() if box.cards and not box.racked]
    racked = {what.kind for what, _ in last.rack}
    left += ["the community"] if last.community and "community" not in racked else []
    left += ["the dealer"] if last.dealer and "dealer" not in racked else []
    return f"the cards of {left[0]} still lie on the layout" if left else None


def _by_hand_only(book: Book, table: TableState, act: Act) -> str | None:
    """A table set up for a shuffle by hand uses no shuffler."""
    by_hand = book.shuffle is not None and book.shuffle.method == "manual"
    by_device = isinstance(act, Shuffle) and act.method == "automated"
    return "the table is set up for a shuffle that is manual" if by_hand and by_device else None


DECKS: Mapping[str, Predicate] = {
    "deck-complete": _deck_complete,
    "extra-cards-present": _extra_cards_present,
    "extra-cards-distinct": _extra_cards_distinct,
    "second-deck-allowed": _second_deck_allowed,
    "backs-uniform": _backs_uniform,
    "backs-differ": _backs_differ,
    "face-up-in-sequence": _in_sequence,
    "each-deck-opened": _each_deck_opened,
    "deck-fresh": _deck_fresh,
    "shuffled-since-last-round": _shuffled,
    "cut-large-enough": _cut_large_enough,
    "one-handed": _one_handed,
    "other-deck-in-shuffler": _other_deck_in_shuffler,
    "decks-alternate": _decks_alternate,
    "one-deck-in-rack": _one_deck_in_rack,
    "shuffled-by-machine": _automated_only,
    "cards-ready": _cards_ready,
    "not-idle": _not_idle,
    "same-holding-hand": _same_holding_hand,
    "layout-clear": _layout_clear,
    "shuffled-as-set-up": _by_hand_only,
}
