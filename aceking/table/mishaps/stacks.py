"""A card that is found in a hand where it must not lie."""

from aceking.table import event as ev
from aceking.table.state import Round, Table


def holder(table: Table, card: int) -> str | None:
    """The place whose hand has the card: "box 3", "dealer", "community". What lies in the rack is in no hand."""
    current = table.live_round
    if current is None or any(card in cards for _, cards in current.rack):
        return None
    if card in current.dealer:
        return "dealer"
    if card in current.community:
        return "community"
    return next((f"box {box.number}" for box in current.boxes.values() if card in box.cards), None)


def taken_out(current: Round, place: str, card: int, clause: str) -> ev.Rearranged:
    """The hand without the card, which lies with the boxed ones."""
    if place == "dealer":
        held = current.dealer
    elif place == "community":
        held = current.community
    else:
        held = current.boxes[int(place.removeprefix("box "))].cards
    left = tuple(one for one in held if one != card)
    return ev.Rearranged(hands={place: left, "boxed": (*current.boxed, card)}, clause=clause)
