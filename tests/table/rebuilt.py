"""Hands as a deck order gives them, and as the rack of a finished round tells them."""

from collections.abc import Iterable

import msgspec

from aceking.rules.book import Book
from aceking.table.cards.deal_order import burns, places
from aceking.table.cards.place import BURN, Pile, Place
from aceking.table.commands import Aside, as_aside, laid_aside


def hands_from(book: Book, boxes: list[int], order: tuple[int, ...]) -> dict[Place, tuple[int, ...]]:
    """The hands that a deck order gives, by place, with the card that the book burns. The order decides everything."""
    cards = list(order)
    hands: dict[Place, list[int]] = {}
    if burns(book):
        hands[BURN] = [cards.pop(0)]
    for place in places(book, boxes):
        hands.setdefault(place.to, []).append(cards.pop(0))
    return {to: tuple(held) for to, held in hands.items()}


class Rebuilt(msgspec.Struct, frozen=True):
    """One hand of a finished round, as the rack tells it."""

    cards: tuple[int, ...]  # as held at the end
    gave: tuple[int, ...] = ()  # in an exchange
    took: tuple[int, ...] = ()
    discard: Aside = None

    @property
    def dealt(self) -> frozenset[int]:
        """The cards that were dealt: without what was taken, with what was given away or laid aside."""
        held = set(self.cards) - set(self.took)
        return frozenset((*held, *self.gave, *laid_aside(self.discard)))


Rack = Iterable[tuple[Pile, tuple[int, ...]]]


def reconstruct(rack: Rack) -> dict[Pile, Rebuilt]:
    """Every hand of a round from its rack, by place. Cards taken in an exchange lie last in their hand."""
    laid = dict(rack)
    hands = {}
    for place, cards in laid.items():
        if place.kind == "hand":
            gave = laid.get(Pile("exchanged", place.number), ())
            discard = laid.get(Pile("discard", place.number), ())
            hands[place] = Rebuilt(
                cards,
                gave=gave,
                took=cards[-len(gave) :] if gave else (),
                discard=as_aside(discard),
            )
        elif place.kind in ("dealer", "community"):
            hands[place] = Rebuilt(cards)
    return hands
