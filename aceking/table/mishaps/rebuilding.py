"""Reconstruction: the hands as the order of the cards intended them, and whether a wrong deal can be put right.

After a wrong deal the cards that left the deck are laid out again at the places that were due. Complete hands in the
wrong place can be moved. If a card or a hand is still next in the deck, or the dealer's own place is concerned, a
person decides whether the deal can be reconstructed.
"""

from typing import Literal

from aceking.rules.book import Book
from aceking.rules.words import Mishap
from aceking.table import event as ev
from aceking.table.cards.deal_order import (
    burns,
    due_places,
    hand_size,
    in_packets,
    last_place,
    up_card_of_packet,
)
from aceking.table.cards.place import BOXED, BURN, DEALER, Place, box_place
from aceking.table.state import Round

#: Mishaps in which cards lie at wrong places.
MISPLACED: frozenset[Mishap] = frozenset(
    {"misdeal", "skipped-box", "empty-box-dealt", "player-miscount", "dealer-miscount", "dealing-error"}
)
RebuiltHands = dict[Place, tuple[int, ...]]


def hands_held(book: Book, current: Round) -> RebuiltHands:
    """Return the cards at each place now."""
    last = last_place(book)
    hands = {box_place(box.number): box.cards for box in current.boxes.values() if box.cards or box.ante}
    return {**hands, last: current.held(last)}


def intended(book: Book, current: Round, drawn: tuple[int, ...] = ()) -> RebuiltHands:
    """Return the hands as the order of the cards intended them, as far as cards are out; a surplus is laid aside."""
    cards = [card for card in (*current.sequence, *drawn) if card not in current.boxed]
    due = due_places(book, current)
    hands: RebuiltHands = {}
    if burns(book):
        hands[BURN] = tuple(cards[:1])
        cards = cards[1:]
    for place in due:
        hands.setdefault(place.to, ())
    for place, card in zip(due, cards, strict=False):
        hands[place.to] = (*hands[place.to], card)
    surplus = tuple(cards[len(due) :])
    return {**hands, BOXED: (*current.boxed, *surplus)} if surplus else hands


def to_draw(book: Book, current: Round, mishap: Mishap) -> int:
    """Return the number of cards that a reconstruction draws from the deck: none while the deal still runs."""
    complete = len(current.held(last_place(book))) >= hand_size(book, last_place(book))
    if not complete and mishap != "dealer-miscount":
        return 0
    needed = len(due_places(book, current)) + burns(book)
    return max(0, needed - len([card for card in current.sequence if card not in current.boxed]))


def can_rebuild(book: Book, current: Round, mishap: Mishap) -> Literal["rebuildable", "rebuildable-from-stub"] | None:
    """Return whether complete hands need only be moved, or the stub is needed; None if neither is possible."""
    if mishap not in MISPLACED or not current.placed or cannot_rebuild(current) is not None:
        return None
    present, meant = hands_held(book, current), intended(book, current)
    everywhere = [place for place in {**present, **meant} if place not in (BURN, BOXED)]
    wrong = [place for place in everywhere if present.get(place, ()) != meant.get(place, ())]
    draws = to_draw(book, current, mishap)
    whole = [place for place in wrong if len(meant.get(place, ())) in (0, hand_size(book, place))]
    hands = {frozenset(cards) for cards in present.values()}
    if len(whole) < len(wrong) or any(meant.get(place) and frozenset(meant[place]) not in hands for place in wrong):
        return None
    if not wrong and not draws:
        return None
    if not draws and last_place(book) not in wrong:
        return "rebuildable"
    return None if current.stub_racked else "rebuildable-from-stub"


def cannot_rebuild(current: Round) -> str | None:
    """Return why nothing can be rebuilt any more, whatever a person finds; None if it can."""
    if current.settled:
        return "the round is reckoned"
    if any(box.give is not None or box.discard is not None for box in current.boxes.values()):
        return "a card has been exchanged or laid aside: that player plays on with the cards in hand"
    if current.bought is not None:
        return "a card has come for the dealer: every player plays on with the cards in hand"
    return None


def rebuilt(book: Book, current: Round, clause: str, *, drawn: tuple[int, ...]) -> list[ev.TableEvent]:
    """Move the cards to where they should have been dealt, with those drawn from the deck."""
    hands = intended(book, current, drawn)
    emptied: RebuiltHands = {place: () for place in hands_held(book, current) if place not in hands}
    last = last_place(book)
    events: list[ev.TableEvent] = [ev.Dealt(card=card, to=last, clause=clause) for card in drawn]
    events.append(ev.Rearranged(hands=tuple({**emptied, **hands}.items()), clause=clause))
    up = _up_card(book, current, hands[last]) if last == DEALER else None
    return events if up is None else [*events, ev.UpCard(card=up, clause=clause)]


def _up_card(book: Book, current: Round, dealer: tuple[int, ...]) -> int | None:
    """Return the dealer's new up-card; None if it is the same as before."""
    if current.up in dealer:
        return None
    if in_packets(book):
        turned = current.up is not None and len(dealer) == book.hands.cards
        return up_card_of_packet(book, dealer) if turned else None
    own = [place for place in due_places(book, current) if place.to == DEALER]
    return next((card for place, card in zip(own, dealer, strict=False) if place.up), None)


def changed_boxes(book: Book, current: Round) -> tuple[int, ...]:
    """Return the boxes whose cards a reconstruction changes."""
    present, meant = hands_held(book, current), intended(book, current)
    boxes = (box.number for box in current.live)
    return tuple(number for number in boxes if present.get(box_place(number)) != meant.get(box_place(number)))
