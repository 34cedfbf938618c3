"""What clauses demand of cards, decks, devices and the deal: predicates as in conditions.py."""

from collections.abc import Callable, Mapping

from aceking.cards.card import Card
from aceking.cards.hand import rank
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.settle.scenario import Limits
from aceking.settle.stakes import check_cap
from aceking.table.command import Act
from aceking.table.deal import in_packets
from aceking.table.state import Deck, Table


def _deck(table: Table, act: Act) -> Deck | None:
    return table.decks.get(act.deck or table.deck or next(iter(table.decks), ""))


def _others(table: Table, act: Act) -> list[Deck]:
    mine = _deck(table, act)
    return [one for one in table.decks.values() if mine is None or one.name != mine.name]


def _extra_cards_distinct(book: Book, table: Table, act: Act) -> str | None:
    """The cutting card and the cover card are opaque and of another colour than the backs."""
    for said in (act.note or "").split(","):
        card = next((one for one in book.deck.extra_cards if one in said), None)
        if card is not None and ("transparent" in said or (act.method and act.method in said)):
            return f"the {card} is opaque and of another colour than the backs"
    return None


def _other_deck_in_shuffler(book: Book, table: Table, act: Act) -> str | None:
    current = table.live_round
    if current is None or current.sequence:
        return None
    idle = [one.name for one in _others(table, act) if "deck-to-shuffler" not in one.acts and one.shuffled is None]
    return f"the {idle[0]} deck is not in the shuffler while the other is dealt" if idle else None


def _decks_alternate(book: Book, table: Table, act: Act) -> str | None:
    if len(table.decks) > 1 and act.deck is not None and act.deck == table.last_deck:
        return f"the {act.deck} deck served the last round; the decks take turns"
    return None


def _one_deck_in_rack(book: Book, table: Table, act: Act) -> str | None:
    mine = _deck(table, act)
    if mine is None or mine.racked:
        return None
    other = [one.name for one in _others(table, act) if one.racked]
    return f"the rack still holds cards of the {other[0]} deck" if other else None


def _automated_only(book: Book, table: Table, act: Act) -> str | None:
    manual = book.shuffle is not None and book.shuffle.method == "manual"
    return "the cards are shuffled by hand" if manual else None


def _cards_ready(book: Book, table: Table, act: Act) -> str | None:
    """Shuffled, and where the hand did it cut, with the cover card in the rack."""
    deck = _deck(table, act)
    if deck is None or deck.shuffled is None:
        return "the deck is not shuffled"
    if book.cut is not None and deck.shuffled == book.cut.after:
        missing = [one for one in ("cut", "cover-card-to-rack") if one not in deck.acts]
        return f"the deck still wants {missing[0]}" if missing else None
    return None


def _as_configured(book: Book, table: Table, act: Act) -> str | None:
    """Cards are dealt in the one way that the table is set up for."""
    packets = in_packets(book)
    wrong = {
        "packet-dealt": not packets,
        "card-dealt": packets and act.to is None,
        "deck-held": book.deal.method != "hand",
        "deck-loaded": book.deal.method == "hand",
    }
    return f"the table deals by {book.deal.method.replace('-', ' ')}" if wrong.get(act.do) else None


def _not_idle(book: Book, table: Table, act: Act) -> str | None:
    for deck in table.decks.values():
        if "idle-spread" in deck.acts:
            face = book.opening is not None and book.opening.idle_spread == "face-down"
            steps = (("turn-up",) if face else ()) + ("first-player-inspection", "turn-down", "wash", "stack")
            missing = next((one for one in steps if one not in deck.acts), "shuffle")
            return f"the cards lay idle; the {deck.name} deck still wants {missing}"
    return None


def _as_house_spreads(book: Book, table: Table, act: Act) -> str | None:
    wanted = book.opening.idle_spread if book.opening is not None else None
    if act.face is not None and wanted is not None and wanted != f"face-{act.face}":
        return f"idle cards lie {wanted} at this house"
    return None


def _nearer_hand(book: Book, table: Table, act: Act) -> str | None:
    side = table.facts.get("side shoe", "left")
    if act.method in ("left", "right") and act.method != side:
        return f"the shoe stands at the {side}; the {act.method} hand drew the card"
    return None


def _same_holding_hand(book: Book, table: Table, act: Act) -> str | None:
    deck, held = _deck(table, act), table.facts.get("holding hand")
    if deck is not None and "deck-held" in deck.acts and act.method and held and held != act.method:
        return f"the deck is held in the {held} hand for the whole round"
    return None


def _face_down(book: Book, table: Table, act: Act) -> str | None:
    return "the card is dealt face down" if act.face == "up" else None


def _face_up(book: Book, table: Table, act: Act) -> str | None:
    return "the card is dealt face up" if act.face == "down" else None


def _unexposed(book: Book, table: Table, act: Act) -> str | None:
    return "the stub is not shown" if act.face == "up" else None


def _hands_complete(book: Book, table: Table, act: Act) -> str | None:
    current = table.live_round
    if current is None:
        return None
    wrong = [box.number for box in current.live if not box.racked and len(box.cards) != book.hands.cards]
    if wrong:
        return f"box {wrong[0]} has not {book.hands.cards} cards: a misdeal to be ruled on"
    if book.dealer is not None and len(current.dealer) != book.hands.cards:
        return f"the dealer has not {book.hands.cards} cards: a misdeal to be ruled on"
    return None


def _hole_cards_hidden(book: Book, table: Table, act: Act) -> str | None:
    current = table.round
    shown = current is not None and current.phase in ("revealed", "done", "void")
    return "the hole cards are shown" if shown else None


def _hole_cards_shown(book: Book, table: Table, act: Act) -> str | None:
    hidden = table.live_round is not None and table.live_round.phase != "revealed"
    return "the hole cards are still hidden" if hidden else None


def _not_set_down(book: Book, table: Table, act: Act) -> str | None:
    """Cards that were examined and set face down are not touched again."""
    current = table.round
    box = current.boxes.get(act.box or 0) if current is not None else None
    own = box is not None and act.player in (None, box.player)
    return "the cards were set down" if own and box is not None and box.choice is not None else None


def _stays_seated(book: Book, table: Table, act: Act) -> str | None:
    current = table.live_round
    box = current.boxes.get(act.box or 0) if current is not None else None
    return f"{box.player} left the seat in the round" if box is not None and box.live and act.note == "left" else None


def _coupon_accepted(book: Book, table: Table, act: Act) -> str | None:
    refused = book.progressive is not None and not book.progressive.coupons
    return "the house takes no coupon for this wager" if refused and "coupon" in (act.means or "") else None


def _turned_if_due(book: Book, table: Table, act: Act) -> str | None:
    """Against a dealer without a hand only the hands are turned that the house chose to turn."""
    current = table.round
    box = current.boxes.get(act.box or 0) if current is not None else None
    only_side = book.dealer is not None and book.dealer.turn_unqualified == "progressive-bettors-only"
    if box is not None and only_side and not (box.side and box.lit):
        return f"the hand of box {box.number} stays face down: it has no progressive wager"
    return None


def _progressive_hand_turned(book: Book, table: Table, act: Act) -> str | None:
    current = table.round
    box = current.boxes.get(act.box or 0) if current is not None else None
    due = box is not None and box.side and box.lit and not box.turned and box.choice != "fold"
    return "the hand of a progressive wager is turned first" if due else None


def _hand_wins_award(book: Book, table: Table, act: Act) -> str | None:
    current = table.round
    box = current.boxes.get(act.box or 0) if current is not None else None
    if book.progressive is None or box is None or len(box.cards) != 5:
        return "there is no such hand"
    held = rank(tuple(Card(one) for one in box.cards), ace_low=book.hands.ace_low).category
    return None if held.key in {str(row) for row in _rows(book)} else f"a {held.title} wins no award"


def _rows(book: Book) -> list[str]:
    return [key.removeprefix("progressive.awards.") for key in book.by_key if key.startswith("progressive.awards.")]


def _count_posted(book: Book, table: Table, act: Act) -> str | None:
    """Where the stub must be counted in this round, the count comes first."""
    from aceking.table.procedure.orders import count_is_due

    current = table.live_round
    due = current is not None and bool(current.placed) and not current.counted and count_is_due(book, table)
    return "the stub must be counted in this round" if due else None


def _kept_by_the_engine(book: Book, table: Table, act: Act) -> None:
    """What the handler of the act itself holds against the table; the clause that needs it is cited."""


def _cap_above_floor(book: Book, table: Table, act: Act) -> str | None:
    least = None if table.ante_min is None else Amount(table.ante_min)
    refused = check_cap(book, Limits(least, None))
    return None if refused is None else refused.reason


CARD_CONDITIONS: Mapping[str, Callable[[Book, Table, Act], str | None]] = {
    "extra-cards-distinct": _extra_cards_distinct,
    "other-deck-in-shuffler": _other_deck_in_shuffler,
    "decks-alternate": _decks_alternate,
    "one-deck-in-rack": _one_deck_in_rack,
    "shuffled-by-machine": _automated_only,
    "cards-ready": _cards_ready,
    "as-configured": _as_configured,
    "not-idle": _not_idle,
    "as-house-spreads": _as_house_spreads,
    "nearer-hand": _nearer_hand,
    "same-holding-hand": _same_holding_hand,
    "dealt-face-down": _face_down,
    "dealt-face-up": _face_up,
    "unexposed": _unexposed,
    "hands-complete": _hands_complete,
    "hole-cards-hidden": _hole_cards_hidden,
    "hole-cards-shown": _hole_cards_shown,
    "not-set-down": _not_set_down,
    "stays-seated": _stays_seated,
    "coupon-accepted": _coupon_accepted,
    "turned-if-due": _turned_if_due,
    "progressive-hand-turned": _progressive_hand_turned,
    "hand-wins-award": _hand_wins_award,
    "count-posted": _count_posted,
    "cap-above-floor": _cap_above_floor,
    "deal-in-order": _kept_by_the_engine,
    "paid-in-order": _kept_by_the_engine,
}
