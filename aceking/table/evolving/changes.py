"""Small changes that many events make."""

from typing import Any

from msgspec.structs import replace

from aceking.table.cards.place import Place
from aceking.table.state import Box, Round, Table


def round_of(table: Table) -> Round:
    """The last round, which there must be."""
    assert table.round is not None, "an event of a round, and there is none"
    return table.round


def with_round(table: Table, **changes: Any) -> Table:
    """The table with its round changed."""
    return replace(table, round=replace(round_of(table), **changes))


def with_box(table: Table, number: int, **changes: Any) -> Table:
    """The table with a box of its round changed."""
    boxes = round_of(table).boxes
    return with_round(table, boxes={**boxes, number: replace(boxes[number], **changes)})


def with_deck(table: Table, name: str, **changes: Any) -> Table:
    """The table with a deck changed."""
    return replace(table, decks={**table.decks, name: replace(table.decks[name], **changes)})


def laid(table: Table, hands: dict[Place, tuple[int, ...]]) -> Table:
    """These places hold these cards."""
    current = round_of(table)
    boxes = dict(current.boxes)
    changes: dict[str, Any] = {}
    for place, cards in hands.items():
        if place.kind == "box":
            box = boxes.get(place.number) or Box(number=place.number, player="")
            boxes[place.number] = replace(box, cards=cards)
        else:
            changes[place.kind] = cards
    last = (changes.get("dealer", current.dealer), changes.get("community", current.community))
    changes["placed"] = sum(len(held) for held in (*last, *(box.cards for box in boxes.values())))
    fresh = [card for cards in hands.values() for card in cards if card not in current.sequence]
    changes["sequence"] = (*current.sequence, *fresh)
    changes["strayed"] = True
    return with_round(table, boxes=boxes, **changes)


def unasked(table: Table, number: int) -> Table:
    """A box that is out or has decided is asked no more; a question that nobody is left to answer is closed."""
    if not table.questions:
        return table
    left = []
    for one in table.questions:
        if one.of != "players" or number not in one.boxes:
            left.append(one)
        elif len(one.boxes) > 1:
            left.append(replace(one, boxes=tuple(box for box in one.boxes if box != number)))
    return replace(table, questions=tuple(left))
