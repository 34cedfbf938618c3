"""Events of lines of money, awards, hands that are out, the rack, and the end of a round."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from aceking.award.steps import Award
from aceking.rules.words import ActName
from aceking.table import event as ev
from aceking.table.cards.place import STUB
from aceking.table.evolving.changes import round_of, with_box, with_deck, with_round, without_question
from aceking.table.evolving.house import EACH_ROUND
from aceking.table.money.accounts import chips_on_layout, pay
from aceking.table.money.award_lines import is_award
from aceking.table.state import (
    LAYOUT,
    METER,
    TRAY,
    TableState,
)

#: The steps of an award after the hand was picked.
_AWARD_ACTS: frozenset[ActName] = frozenset(
    {"call-supervisor", "supervisor-validated", "card-swipe", "win-page", "pay-award", "documentation-complete"}
)


def _settled(table: TableState, event: ev.RoundSettled) -> TableState:
    current = round_of(table)
    changes: dict[str, Any]
    if event.again:
        changes = {"lines": event.lines, "from_meter": event.from_meter, "moved": frozenset(event.moved)}
        changes["awards"] = _remaining_awards(current.awards, event)
    else:
        lines = (*current.lines, *event.lines)
        changes = {"lines": lines, "from_meter": {**current.from_meter, **event.from_meter}}
    if current.phase == "revealed":
        changes["settled"] = True
    return with_round(table, **changes)


def _remaining_awards(awards: dict[int, Award], event: ev.RoundSettled) -> dict[int, Award]:
    """Return the awards of boxes that still have one; an award of another amount must be confirmed again."""
    due = {line.seat: line.pays for line in event.lines if is_award(line)}
    return {
        box: old if old.amount == due[box] else Award(seat=box, hand=old.hand, dealer=old.dealer, amount=due[box])
        for box, old in awards.items()
        if box in due
    }


def _moved(table: TableState, event: ev.Moved) -> TableState:
    return _move(table, event.line, back=False)


def _unmoved(table: TableState, event: ev.Unmoved) -> TableState:
    return _move(table, event.line, back=True)


def _move(table: TableState, number: int, *, back: bool) -> TableState:
    """Move the chips of a line: a lost stake to the tray, a win and its stake to the player; with `back`, undo it."""
    current = round_of(table)
    line = current.lines[number]
    box = current.boxes[line.seat]
    sign = -1 if back else 1
    in_tray = line.wager == "side" and box.trayed
    if line.outcome == "lose":
        if not in_tray:
            table = pay(table, LAYOUT, TRAY, sign * line.stake)
    else:
        off_meter = current.from_meter.get(line.seat, 0) if is_award(line) else 0
        table = pay(table, METER, box.player, sign * off_meter)
        table = pay(table, TRAY, box.player, sign * (line.pays - off_meter))
        if not line.consumed:
            table = pay(table, TRAY if in_tray else LAYOUT, box.player, sign * line.stake)
        elif not in_tray:
            # A spent stake goes to the tray at the latest when its award is paid.
            table = pay(table, LAYOUT, TRAY, sign * line.stake)
    moved = current.moved - {number} if back else current.moved | {number}
    return with_round(table, moved=moved)


def _kept(table: TableState, event: ev.Kept) -> TableState:
    return with_box(pay(table, LAYOUT, TRAY, event.amount), event.box, fee=0)


def _hand_voided(table: TableState, event: ev.HandVoided) -> TableState:
    return without_question(with_round(with_box(table, event.box, void=True), strayed=True), event.box)


def _forfeited(table: TableState, event: ev.Forfeited) -> TableState:
    box = round_of(table).boxes[event.box]
    paid = pay(with_box(table, event.box, forfeited=True), LAYOUT, TRAY, chips_on_layout(round_of(table), box))
    return without_question(paid, event.box)


def _award_lost(table: TableState, event: ev.AwardLost) -> TableState:
    return with_box(table, event.box, unawarded=not event.back)


def _award_locked(table: TableState, event: ev.AwardLocked) -> TableState:
    return with_round(table, locked={**round_of(table).locked, event.box: (event.amount, event.from_meter)})


def _selected(table: TableState, event: ev.Selected) -> TableState:
    current = round_of(table)
    others = {box: one for box, one in current.awards.items() if box != event.box}
    if event.hand is not None:
        picked = Award(seat=event.box, hand=event.hand, dealer=event.by, amount=event.amount)
        return with_round(table, awards={**others, event.box: picked})
    # What was confirmed or signed for a hand goes with the pick.
    table = with_box(table, event.box, acts=current.boxes[event.box].acts - _AWARD_ACTS)
    return with_round(table, awards=others, documented=current.documented - {event.box})


def _racked(table: TableState, event: ev.Racked) -> TableState:
    current = round_of(table)
    if event.back:
        left = tuple(one for one in current.rack if one[0] != event.what)
        return with_round(with_box(table, event.what.number, racked=False), rack=left)
    changes: dict[str, Any] = {"rack": (*current.rack, (event.what, event.cards))}
    if event.what == STUB:
        changes["stub_exposed"] = event.exposed
    if event.what.kind == "hand":
        number = event.what.number
        changes["boxes"] = {**current.boxes, number: replace(current.boxes[number], racked=True)}
    deck = table.decks.get(current.deck or "")
    if deck is not None and not deck.racked:
        table = with_deck(table, deck.name, racked=True)
    return with_round(table, **changes)


def _round_voided(table: TableState, event: ev.RoundVoided) -> TableState:
    return with_round(replace(table, questions=(), suspended=None), phase="void")


def _round_ended(table: TableState, event: ev.RoundEnded) -> TableState:
    current = round_of(table)
    decks = dict(table.decks)
    if table.deck is not None and table.deck in decks:
        deck = decks[table.deck]
        uncounted = 0 if event.counted else deck.rounds_uncounted + 1
        decks[table.deck] = replace(
            deck, acts=deck.acts - EACH_ROUND, shuffled=None, sealed=False, rounds_uncounted=uncounted
        )
    return replace(
        table,
        decks=decks,
        rounds=current.number,
        last_deck=current.deck,
        rounds_uncounted=0 if event.counted else table.rounds_uncounted + 1,
        clock=max(table.clock, event.at),
        round=replace(current, phase="void" if current.phase == "void" else "done"),
        questions=(),
    )


CHIPS: Mapping[type, Callable[[TableState, Any], TableState]] = {
    ev.RoundSettled: _settled,
    ev.Moved: _moved,
    ev.Unmoved: _unmoved,
    ev.Kept: _kept,
    ev.HandVoided: _hand_voided,
    ev.Forfeited: _forfeited,
    ev.AwardLost: _award_lost,
    ev.AwardLocked: _award_locked,
    ev.Selected: _selected,
    ev.Racked: _racked,
    ev.RoundVoided: _round_voided,
    ev.RoundEnded: _round_ended,
}
