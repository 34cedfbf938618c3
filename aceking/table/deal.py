"""The order of the deal: given the boxes, which place each card of the deck falls to."""

from dataclasses import dataclass
from functools import lru_cache

from aceking.rules.book import Book
from aceking.table.state import Round


@dataclass(frozen=True, slots=True)
class Place:
    """Where the next card goes, and whether it lies face up."""

    to: str  # "box 3", "dealer", "community"
    up: bool = False


def burns(book: Book) -> bool:
    """Whether a card is burnt before the deal."""
    return book.deal.method in book.deal.burn


def in_packets(book: Book) -> bool:
    """Whether whole hands are dealt at a time."""
    return book.deal.method in book.deal.packets


def places(book: Book, boxes: list[int]) -> tuple[Place, ...]:
    """All places of the deal in order: from the dealer's far left, the dealer or the community last."""
    return _places(book, tuple(boxes))


def due_places(book: Book, current: Round) -> tuple[Place, ...]:
    """All places of a round's deal. A hand that is out of the round gets no further card."""
    boxes = current.boxes.values()
    void = [box for box in boxes if box.void]
    if not void:
        return _places(book, tuple([box.number for box in boxes if box.ante > 0]))
    out = {f"box {box.number}": len(box.cards) for box in void}
    held = dict.fromkeys(out, 0)
    left = []
    for place in places(book, [box.number for box in current.boxes.values() if box.ante > 0 or box.void]):
        if place.to in out:
            held[place.to] += 1
            if held[place.to] > out[place.to]:
                continue
        left.append(place)
    return tuple(left)


@lru_cache(maxsize=4096)
def _places(book: Book, boxes: tuple[int, ...]) -> tuple[Place, ...]:
    last = "community" if book.hands.community else "dealer"
    order = [*(f"box {number}" for number in sorted(boxes)), last]
    if in_packets(book):
        return tuple(Place(to) for to in order for _ in range(hand_size(book, to)))
    laps = max(book.hands.cards, book.hands.community)
    return tuple(Place(to, up=_up(book, to, lap, laps)) for lap in range(laps) for to in order)


def dealt_out(book: Book, current: Round) -> bool:
    """Whether the deal is finished: every place is filled, or the last hand is complete although one was left out."""
    last = current.community if book.hands.community else current.dealer
    size = book.hands.community or book.hands.cards
    return current.placed >= len(due_places(book, current)) or len(last) >= size


def hand_size(book: Book, to: str) -> int:
    """How many cards belong in a place."""
    return book.hands.community if to == "community" else book.hands.cards


def _up(book: Book, to: str, lap: int, laps: int) -> bool:
    """Whether a card dealt singly is the dealer's up-card."""
    # A card that is turned afterwards is dealt face down like the others.
    if book.deal.up_shown == "turned-face-up":
        return False
    up_lap = {"first": 0, "last": laps - 1}.get(book.deal.up_single)
    return to == "dealer" and lap == up_lap


def from_the_left(book: Book, community: tuple[int, ...]) -> tuple[int, ...]:
    """The community cards as the dealer sees them: singly each goes to the right, a stack is spread from the right."""
    return community[::-1] if in_packets(book) else community


def up_card_of_packet(book: Book, packet: tuple[int, ...]) -> int:
    """The card of the dealer's packet that is turned: its first, or its last, which is the bottom one."""
    return packet[0] if book.deal.up_packet == "first" else packet[-1]


def hands_from(book: Book, boxes: list[int], order: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """The hands that a deck order gives, by place; `burn` where the book burns a card. The order decides everything."""
    cards = list(order)
    hands: dict[str, list[int]] = {}
    if burns(book):
        hands["burn"] = [cards.pop(0)]
    for place in places(book, boxes):
        hands.setdefault(place.to, []).append(cards.pop(0))
    return {to: tuple(held) for to, held in hands.items()}
