"""The order of the deal: given the boxes, which place each card of the deck falls to."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from aceking.rules.book import Book
from aceking.table.cards.place import BURN, COMMUNITY, DEALER, Place, box_place
from aceking.table.state import Box, Round


@dataclass(frozen=True, slots=True)
class Due:
    """Where a card of the deal goes, and whether it lies face up."""

    to: Place
    up: bool = False


def burns(book: Book) -> bool:
    """Whether a card is burnt before the deal."""
    return book.deal.method in book.deal.burn


def in_packets(book: Book) -> bool:
    """Whether whole hands are dealt at a time."""
    return book.deal.method in book.deal.packets


def places(book: Book, boxes: list[int]) -> tuple[Due, ...]:
    """All places of the deal in order: from the dealer's far left, the dealer or the community last."""
    return _places(book, tuple(boxes))


def due_places(book: Book, current: Round) -> tuple[Due, ...]:
    """All places of a round's deal. A hand that is out of the round gets no further card."""
    numbers, void = [], []
    for box in current.boxes.values():
        if box.void:
            void.append(box)
        elif box.ante > 0:
            numbers.append(box.number)
    if not void:
        return _places(book, tuple(numbers))
    out = {box_place(box.number): len(box.cards) for box in void}
    held = dict.fromkeys(out, 0)
    left = []
    for place in places(book, [*numbers, *(box.number for box in void)]):
        if place.to in out:
            held[place.to] += 1
            if held[place.to] > out[place.to]:
                continue
        left.append(place)
    return tuple(left)


@lru_cache(maxsize=4096)
def _places(book: Book, boxes: tuple[int, ...]) -> tuple[Due, ...]:
    order = [*(box_place(number) for number in sorted(boxes)), last_place(book)]
    if in_packets(book):
        return tuple(Due(to) for to in order for _ in range(hand_size(book, to)))
    laps = max(book.hands.cards, book.hands.community)
    return tuple(
        Due(to, up=_up(book, to, lap, laps)) for lap in range(laps) for to in order if _has_part(book, to, lap, laps)
    )


def _has_part(book: Book, to: Place, lap: int, laps: int) -> bool:
    """Whether a place gets a card in a lap: players from the first lap on, the board up to the last."""
    return lap >= laps - book.hands.community if to == COMMUNITY else lap < book.hands.cards


def last_place(book: Book) -> Place:
    """The place that is dealt to last."""
    return COMMUNITY if book.hands.community else DEALER


def next_due(book: Book, current: Round) -> Due | None:
    """The place that gets the next card; None when every hand has its cards.

    As long as the deal went straight it is the next of the list. Where a card went astray, it is the first place that
    lacks one: who was passed over is served before the deal goes on.
    """
    due = due_places(book, current)
    if not current.strayed:
        return due[current.placed] if current.placed < len(due) else None
    have = Counter({one.to: len(current.held(one.to)) for one in due})
    # Cards that are void or in the rack get no other.
    out = {box_place(box.number) for box in current.boxes.values() if box.void or box.racked}
    if in_packets(book):
        # A stack that came too short is not filled by the next one: that is for who has none.
        return next((one for one in due if not have[one.to] and one.to not in out), None)
    for one in due:
        if have[one.to] > 0:
            have[one.to] -= 1
        elif one.to not in out:
            return one
    return None


def dealt_out(book: Book, current: Round) -> bool:
    """Whether the deal is finished: every place is filled, or the last hand is complete although one was left out."""
    last = last_place(book)
    return len(current.held(last)) >= hand_size(book, last) or next_due(book, current) is None


def has_hand(book: Book, current: Round, box: Box) -> bool:
    """Whether the cards of a box are all that it gets."""
    return bool(box.cards) and (len(box.cards) >= book.hands.cards or dealt_out(book, current))


def hand_size(book: Book, to: Place) -> int:
    """How many cards belong in a place."""
    return book.hands.community if to == COMMUNITY else book.hands.cards


def keeping(book: Book, current: Round) -> list[int]:
    """The boxes that play on and have not laid aside as many cards as the book wants."""
    due = book.hands.discards
    playing = current.live if due else ()
    return [box.number for box in playing if box.choice in ("bet", "stay") and len(box.aside) < due]


def due_now(book: Book, current: Round) -> Counter[Place]:
    """How many cards each place should hold, after as many cards as have been dealt."""
    return Counter(due.to for due in due_places(book, current)[: current.placed])


def _up(book: Book, to: Place, lap: int, laps: int) -> bool:
    """Whether a card dealt singly is the dealer's up-card."""
    # A card that is turned afterwards is dealt face down like the others.
    if book.deal.up_shown == "turned-face-up":
        return False
    up_lap = {"first": 0, "last": laps - 1}.get(book.deal.up_single or "none")
    return to == DEALER and lap == up_lap


def from_the_left(book: Book, community: tuple[int, ...]) -> tuple[int, ...]:
    """The community cards as the dealer sees them: singly each goes to the right, a stack is spread from the right."""
    return community[::-1] if in_packets(book) else community


def up_card_of_packet(book: Book, packet: tuple[int, ...]) -> int:
    """The card of the dealer's packet that is turned: its first, or its last, which is the bottom one."""
    return packet[0] if book.deal.up_packet == "first" else packet[-1]


def hands_from(book: Book, boxes: list[int], order: tuple[int, ...]) -> dict[Place, tuple[int, ...]]:
    """The hands that a deck order gives, by place, with the card that the book burns. The order decides everything."""
    cards = list(order)
    hands: dict[Place, list[int]] = {}
    if burns(book):
        hands[BURN] = [cards.pop(0)]
    for place in places(book, boxes):
        hands.setdefault(place.to, []).append(cards.pop(0))
    return {to: tuple(held) for to, held in hands.items()}
