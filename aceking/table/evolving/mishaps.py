"""Events of breaches, rulings, questions, answers and corrections."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from aceking.table import event as ev
from aceking.table.cards.place import ASIDE, Pile, Place, pile_of
from aceking.table.commands import HandWas, LightWas, LookWas, as_aside
from aceking.table.evolving.changes import round_of, with_box, with_cards, with_round
from aceking.table.state import (
    OWN_SIDES,
    Question,
    RecordedMishap,
    Round,
    TableState,
)


def _clock_read(table: TableState, event: ev.ClockRead) -> TableState:
    return replace(table, clock=max(table.clock, event.at))


def _violated(table: TableState, event: ev.Violated) -> TableState:
    return replace(table, violations=table.violations + 1)


def _ruled(table: TableState, event: ev.Ruled) -> TableState:
    if table.round is None:
        return table
    mishap = RecordedMishap(event.mishap, event.boxes, event.cards, event.clause)
    return with_round(table, found=(*table.round.found, mishap))


def _asked(table: TableState, event: ev.Asked) -> TableState:
    question = Question(
        number=event.question,
        mishap=event.mishap,
        of=event.of,
        boxes=event.boxes,
        cards=event.cards,
        unregulated=event.unregulated,
        given=event.given,
        clause=event.clause,
        what=event.what,
        record=event.record,
    )
    return replace(table, questions=(*table.questions, question), asked=event.question)


#: A stake outside the limits that a person accepts is settled as it is.
_LIMITS = frozenset({"uncovered", "over-maximum", "under-minimum", "bet-over", "bet-under"})
_LET_STAND = frozenset({"stands", "settle", "settle-as-staked", "continue"})


def _answered(table: TableState, event: ev.Answered) -> TableState:
    left = []
    for question in table.questions:
        if question.number != event.question:
            left.append(question)
        elif not event.closes:
            left.append(replace(question, boxes=tuple(box for box in question.boxes if box != event.box)))
    answered = replace(table, questions=tuple(left))
    asked = next((one for one in table.questions if one.number == event.question), None)
    if asked is not None and asked.holds_play and table.round is not None:
        # The time to decide stops while play waits for an answer.
        answered = with_round(answered, turn_at=max(table.round.turn_at, table.clock))
    if asked is not None and asked.mishap in _LIMITS and event.then in _LET_STAND and table.round is not None:
        return with_round(answered, waived=True)
    if event.box is not None and event.then != "void-hand":
        return with_round(answered, went_on=round_of(answered).went_on | {event.box})
    return answered


def _rack_found(current: Round, place: Place) -> tuple[tuple[Pile, tuple[int, ...]], ...]:
    """Return the rack with the corrected cards, if they lie in it already."""
    if not current.in_rack(place):
        return current.rack
    pile, aside = pile_of(place), pile_of(ASIDE)
    rack = [(what, current.held(place) if what == pile else cards) for what, cards in current.rack if what != aside]
    return (*rack, (aside, current.aside)) if current.aside else tuple(rack)


def _corrected(table: TableState, event: ev.Corrected) -> TableState:
    match event.now:
        case HandWas(place=place, cards=cards):
            # A card that is not in the corrected hand lies aside until it is known where it belongs.
            current = round_of(table)
            aside = tuple(card for card in current.held(place) if card not in cards)
            still_aside = tuple(card for card in current.aside if card not in cards)
            table = with_cards(table, {place: cards, ASIDE: (*still_aside, *aside)})
            table = with_round(table, rack=_rack_found(round_of(table), place))
            box = round_of(table).boxes.get(place.number) if place.kind == "box" else None
            if box is None or not box.aside:
                return table
            left = [card for card in box.aside if card in cards]
            return with_box(table, place.number, discard=as_aside(left))
        case LookWas(box=number, seen=seen):
            return with_box(table, number, seen=seen)
        case LightWas(box=number, lit=lit):
            sides = round_of(table).boxes[number].sides
            own = {name: replace(one, lit=lit) for name, one in sides.items() if name in OWN_SIDES}
            return with_box(table, number, sides={**sides, **own})


MISHAPS: Mapping[type, Callable[[TableState, Any], TableState]] = {
    ev.ClockRead: _clock_read,
    ev.Violated: _violated,
    ev.Ruled: _ruled,
    ev.Asked: _asked,
    ev.Answered: _answered,
    ev.Corrected: _corrected,
}
