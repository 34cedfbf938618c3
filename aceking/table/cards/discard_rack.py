"""The discard rack: what goes there in which order, and every hand of a round rebuilt from it."""

from collections.abc import Iterable

import msgspec

from aceking.rules.book import Book
from aceking.table import event as ev
from aceking.table.cards.place import STUB, Pile
from aceking.table.commands import Aside, as_aside, laid_aside
from aceking.table.state import Round


def rack_box(current: Round, number: int, clause: str | None) -> list[ev.Event]:
    """A hand goes to the rack, with what was given away or laid aside before it."""
    box = current.boxes[number]
    events: list[ev.Event] = []
    if box.give is not None:
        events.append(ev.Racked(what=Pile("exchanged", number), cards=box.gave, clause=clause))
    if box.aside:
        events.append(ev.Racked(what=Pile("discard", number), cards=box.aside, clause=clause))
    # The hand without what was laid aside; cards that were taken for others lie last, so that they can be told.
    took = box.took
    hand = tuple(sorted(box.kept, key=lambda one: one in took)) if took else box.kept
    events.append(ev.Racked(what=Pile("hand", number), cards=hand, clause=clause))
    return events


def _rest(current: Round) -> dict[Pile, tuple[int, ...]]:
    return {
        Pile("dealer"): current.dealer,
        Pile("bought"): () if current.bought is None else (current.bought,),
        Pile("community"): current.community,
        Pile("burn"): current.burn,
        Pile("boxed"): current.boxed,
        Pile("aside"): current.aside,
    }


def rack_rest(book: Book, current: Round, clause: str | None) -> list[ev.Event]:
    """The dealer's or the community's cards, what was burnt or laid aside, and what is left of the deck."""
    racked = {what for what, _ in current.rack}
    events: list[ev.Event] = [
        ev.Racked(what=what, cards=cards, clause=clause)
        for what, cards in _rest(current).items()
        if cards and what not in racked
    ]
    if STUB not in racked and stub_size(book, current):
        events.append(ev.Racked(what=STUB, count=stub_size(book, current), clause=clause))
    return events


def stub_size(book: Book, current: Round) -> int:
    """How many cards the record leaves in the deck."""
    return book.deck.size - len(current.sequence)


def not_racked(current: Round) -> str | None:
    """The first place whose cards still lie on the table."""
    racked = {what for what, _ in current.rack}
    held = {**_rest(current), **{Pile("hand", box.number): box.cards for box in current.boxes.values()}}
    return next((place.words for place, cards in held.items() if cards and place not in racked), None)


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
