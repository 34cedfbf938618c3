"""The discard rack: the order in which cards go there, and the hands of a round rebuilt from it."""

from aceking.rules.book import Book
from aceking.table import event as ev
from aceking.table.cards.place import STUB, Pile
from aceking.table.state import Round


def rack_box(current: Round, number: int, clause: str | None) -> list[ev.TableEvent]:
    """Put a hand in the rack, after its exchanged cards and discards."""
    box = current.boxes[number]
    events: list[ev.TableEvent] = []
    if box.give is not None:
        events.append(ev.Racked(what=Pile("exchanged", number), cards=box.gave, clause=clause))
    if box.aside:
        events.append(ev.Racked(what=Pile("discard", number), cards=box.aside, clause=clause))
    # Cards taken in an exchange lie last in the hand, so that `reconstruct` can tell them from the dealt ones.
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


def rack_rest(book: Book, current: Round, clause: str | None) -> list[ev.TableEvent]:
    """Put the remaining cards in the rack: dealer's or community, burnt or laid aside, and the stub."""
    racked = {what for what, _ in current.rack}
    events: list[ev.TableEvent] = [
        ev.Racked(what=what, cards=cards, clause=clause)
        for what, cards in _rest(current).items()
        if cards and what not in racked
    ]
    if STUB not in racked and stub_size(book, current):
        events.append(ev.Racked(what=STUB, count=stub_size(book, current), clause=clause))
    return events


def stub_size(book: Book, current: Round) -> int:
    """Return the number of cards left in the deck, by the record."""
    return book.deck.size - len(current.sequence)


def not_racked(current: Round) -> str | None:
    """Return the first place whose cards still lie on the table; None if all are racked."""
    racked = {what for what, _ in current.rack}
    held = {**_rest(current), **{Pile("hand", box.number): box.cards for box in current.boxes.values()}}
    return next((place.words for place, cards in held.items() if cards and place not in racked), None)
