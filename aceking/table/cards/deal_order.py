"""The order of the deal: the place that each card of the deck goes to."""

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from aceking.rules.book import Book
from aceking.rules.decisions import GOES_ON
from aceking.table.cards.place import COMMUNITY, DEALER, Place, box_place
from aceking.table.state import Box, Round


@dataclass(frozen=True, slots=True)
class Due:
    """The place that a card of the deal goes to, and whether it lies face up."""

    to: Place
    up: bool = False


def burns(book: Book) -> bool:
    """Return True if a card is burnt before the deal."""
    return book.deal.method in book.deal.burn


def in_packets(book: Book) -> bool:
    """Return True if whole hands are dealt at a time."""
    return book.deal.method in book.deal.packets


def places(book: Book, boxes: list[int]) -> tuple[Due, ...]:
    """Return all places of the deal in order: from the dealer's far left, the dealer or the community last."""
    return _places(book, tuple(boxes))


def dealing_place(book: Book, number: int) -> int:
    """Return where a box stands in the order of the deal; the least comes first."""
    return number


def due_places(book: Book, current: Round) -> tuple[Due, ...]:
    """Return all places of a round's deal. A hand that is out of the round gets no further card."""
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
    numbers = sorted(boxes, key=lambda number: dealing_place(book, number))
    order = [*map(box_place, numbers), last_place(book)]
    if in_packets(book):
        return tuple(Due(to) for to in order for _ in range(hand_size(book, to)))
    laps = max(book.hands.cards, book.hands.community)
    return tuple(
        Due(to, up=_up(book, to, lap, laps)) for lap in range(laps) for to in order if _has_part(book, to, lap, laps)
    )


def _has_part(book: Book, to: Place, lap: int, laps: int) -> bool:
    """Return True if a place gets a card in a lap: players from the first lap on, the board up to the last."""
    return lap >= laps - book.hands.community if to == COMMUNITY else lap < book.hands.cards


def last_place(book: Book) -> Place:
    """Return the place that is dealt to last."""
    return COMMUNITY if book.hands.community else DEALER


def next_due(book: Book, current: Round) -> Due | None:
    """Return the place that gets the next card; None if every hand has its cards.

    In a regular deal it is the next of the list. After a card went to a wrong place, it is the first place that lacks
    one: a box that was passed over is served before the deal goes on.
    """
    due = due_places(book, current)
    if not current.strayed:
        return due[current.placed] if current.placed < len(due) else None
    have = Counter({one.to: len(current.held(one.to)) for one in due})
    # Hands that are void or in the rack get no further card.
    out = {box_place(box.number) for box in current.boxes.values() if box.void or box.racked}
    if in_packets(book):
        # The next stack does not fill a short one: it goes to a place that has none.
        return next((one for one in due if not have[one.to] and one.to not in out), None)
    for place in due:
        if have[place.to] > 0:
            have[place.to] -= 1
        elif place.to not in out:
            return place
    return None


def dealt_out(book: Book, current: Round) -> bool:
    """Return True if the deal is finished: all places are filled, or the last hand is complete."""
    last = last_place(book)
    return len(current.held(last)) >= hand_size(book, last) or next_due(book, current) is None


def has_hand(book: Book, current: Round, box: Box) -> bool:
    """Return True if a box has all the cards that it gets."""
    return bool(box.cards) and (len(box.cards) >= book.hands.cards or dealt_out(book, current))


def hand_size(book: Book, to: Place) -> int:
    """Return the number of cards that belong at a place."""
    return book.hands.community if to == COMMUNITY else book.hands.cards


def boxes_to_discard(book: Book, current: Round) -> list[int]:
    """Return the boxes that play on and have fewer discards than the book asks for."""
    due = book.hands.discards
    playing = current.live if due else ()
    return [box.number for box in playing if box.choice in GOES_ON and len(box.aside) < due]


def cards_due(book: Book, current: Round) -> Counter[Place]:
    """Return how many cards each place should hold after the cards dealt so far."""
    return Counter(due.to for due in due_places(book, current)[: current.placed])


def _up(book: Book, to: Place, lap: int, laps: int) -> bool:
    """Return True if a card dealt singly is the dealer's up-card."""
    # A card that is turned later is dealt face down.
    if book.deal.up_shown == "turned-face-up":
        return False
    up_lap = {"first": 0, "last": laps - 1}.get(book.deal.up_single or "none")
    return to == DEALER and lap == up_lap


def from_the_left(book: Book, community: tuple[int, ...]) -> tuple[int, ...]:
    """Return the community cards from the dealer's left: singly dealt they go to the right, a stack the other way."""
    return community[::-1] if in_packets(book) else community


def up_card_of_packet(book: Book, packet: tuple[int, ...]) -> int:
    """Return the card of the dealer's packet that is turned: the first, or the last, which is the bottom one."""
    return packet[0] if book.deal.up_packet == "first" else packet[-1]
