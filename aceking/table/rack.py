"""The discard rack: what goes there in which order, and every hand of a round rebuilt from it."""

from collections.abc import Iterable

import msgspec

from aceking.table import event as ev
from aceking.table.state import Round


def rack_box(current: Round, number: int, clause: str | None) -> list[ev.Event]:
    """A hand goes to the rack, with what was given away or laid aside before it."""
    box = current.boxes[number]
    events: list[ev.Event] = []
    if box.give is not None:
        events.append(ev.Racked(what=f"exchanged {number}", cards=(box.give,), clause=clause))
    if box.discard is not None:
        events.append(ev.Racked(what=f"discard {number}", cards=(box.discard,), clause=clause))
    # The hand without what was laid aside; a card that was taken for another lies last, so that it can be told.
    hand = sorted((one for one in box.cards if one != box.discard), key=lambda one: one == box.take)
    events.append(ev.Racked(what=f"box {number}", cards=tuple(hand), clause=clause))
    return events


def rack_rest(current: Round, clause: str | None) -> list[ev.Event]:
    """The dealer's or the community's cards, what was burnt or laid aside, and what is left of the deck."""
    racked = {what for what, _ in current.rack}
    rest = {"dealer": current.dealer, "community": current.community, "burn": current.burn, "boxed": current.boxed}
    events: list[ev.Event] = [
        ev.Racked(what=what, cards=cards, clause=clause) for what, cards in rest.items() if cards and what not in racked
    ]
    if current.order:
        events.append(ev.Racked(what="stub", cards=current.order, clause=clause))
    return events


def not_racked(current: Round) -> str | None:
    """The first place whose cards still lie on the table."""
    racked = {what for what, _ in current.rack}
    held = {"dealer": current.dealer, "community": current.community, "burn": current.burn, "boxed": current.boxed}
    for box in current.boxes.values():
        held[f"box {box.number}"] = box.cards
    return next((place for place, cards in held.items() if cards and place not in racked), None)


class Rebuilt(msgspec.Struct, frozen=True):
    """One hand of a finished round, as the rack tells it."""

    cards: tuple[int, ...]  # as held at the end
    gave: int | None = None  # in an exchange
    took: int | None = None
    discard: int | None = None

    @property
    def dealt(self) -> frozenset[int]:
        """The cards that were dealt: without what was taken, with what was given away or laid aside."""
        held = set(self.cards) - {self.took}
        return frozenset(one for one in (*held, self.gave, self.discard) if one is not None)


Rack = Iterable[tuple[str, tuple[int, ...]]]


def reconstruct(rack: Rack) -> dict[str, Rebuilt]:
    """Every hand of a round from its rack, by place. A card taken in an exchange lies last in its hand."""
    laid = dict(rack)
    hands = {}
    for place, cards in laid.items():
        if place.startswith("box "):
            number = place.removeprefix("box ")
            gave = laid.get(f"exchanged {number}", ())
            discard = laid.get(f"discard {number}", ())
            hands[place] = Rebuilt(
                cards,
                gave=gave[0] if gave else None,
                took=cards[-1] if gave else None,
                discard=discard[0] if discard else None,
            )
        elif place in ("dealer", "community"):
            hands[place] = Rebuilt(cards)
    return hands
