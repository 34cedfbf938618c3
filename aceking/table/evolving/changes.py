"""Changes of the state that many events share."""

from typing import Any

from msgspec.structs import replace

from aceking.table.cards.place import Place
from aceking.table.state import Box, Round, TableState


def round_of(table: TableState) -> Round:
    """Return the last round, which must exist."""
    assert table.round is not None, "an event of a round, and there is none"
    return table.round


def with_round(table: TableState, **changes: Any) -> TableState:
    """Return the table with its round changed."""
    return replace(table, round=replace(round_of(table), **changes))


def with_box(table: TableState, number: int, **changes: Any) -> TableState:
    """Return the table with a box of its round changed."""
    boxes = round_of(table).boxes
    return with_round(table, boxes={**boxes, number: replace(boxes[number], **changes)})


def with_deck(table: TableState, name: str, **changes: Any) -> TableState:
    """Return the table with a deck changed."""
    return replace(table, decks={**table.decks, name: replace(table.decks[name], **changes)})


def with_cards(table: TableState, hands: dict[Place, tuple[int, ...]]) -> TableState:
    """Return the table with these cards at these places."""
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


def without_question(table: TableState, number: int) -> TableState:
    """Return the table without the question to a box; a question without any box left is closed."""
    if not table.questions:
        return table
    left = []
    for question in table.questions:
        if question.of != "players" or number not in question.boxes:
            left.append(question)
        elif len(question.boxes) > 1:
            left.append(replace(question, boxes=tuple(box for box in question.boxes if box != number)))
    return replace(table, questions=tuple(left))
