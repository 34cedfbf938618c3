"""Events of the table itself, its devices, notices and decks."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from aceking.award import steps
from aceking.award.steps import Award
from aceking.rules.decisions import CHOICES
from aceking.rules.words import ActName
from aceking.table import event as ev
from aceking.table.evolving.changes import with_deck, with_round
from aceking.table.state import (
    JACKPOT,
    Deck,
    Device,
    Round,
    TableState,
)

#: Acts on a deck that each round needs again.
EACH_ROUND: frozenset[ActName] = frozenset(
    {"shuffle", "device-count", "cover-card-laid", "cut", "cover-card-to-rack", "deck-loaded", "deck-held"}
)
#: Acts on a deck that are needed again after its cards have lain idle.
_AFTER_IDLE: frozenset[ActName] = frozenset(
    {"first-player-inspection", "turn-up", "turn-down", "wash", "stack", *EACH_ROUND}
)
#: Acts after which the next box has its full time to decide.
_NEXT_TURN: frozenset[ActName] = frozenset({"stub-to-rack", "go-ahead", *CHOICES, "discard", "time-out"})
_PHASE_AFTER: dict[str, str] = {"no-more-bets": "closed", "START GAME": "closed", "reveal": "revealed"}
#: The keys of the system that start and end a game.
_KEYS: dict[str, bool] = {"START GAME": True, "END GAME": False}
#: Acts that change the phase or the turn of a round each time they are done.
_MOVES_ON: frozenset[str] = frozenset({*_NEXT_TURN, *_PHASE_AFTER, "stub-count"})


def _acted(table: TableState, event: ev.Acted) -> TableState:
    clock = event.at if event.at > table.clock else table.clock
    if event.standing:
        is_open = table.open or event.act == "table-opened"
        return replace(table, clock=clock, did=table.did | {event.act}, open=is_open)
    if event.deck is not None:
        changes = _deck_acted(table, event) if event.deck in table.decks else {}
        return replace(table, clock=clock, **changes)
    if table.round is None:
        return replace(table, clock=clock)
    current = _round_acted(table.round, event)
    if event.act in _KEYS:
        return replace(table, clock=clock, round=current, game_runs=_KEYS[event.act])
    return table if current is table.round and clock == table.clock else replace(table, clock=clock, round=current)


def _round_acted(current: Round, event: ev.Acted) -> Round:
    act, number = event.act, event.box
    if number is None and act in current.acts and act not in _MOVES_ON:
        return current
    changes: dict[str, Any] = {"acts": current.acts | {act}}
    if act in _MOVES_ON:
        phase = _PHASE_AFTER.get(act)
        if phase is not None and current.phase in ("betting", "closed", "deciding"):
            changes["phase"] = phase
        if act in ("stub-to-rack", "go-ahead") and current.phase == "dealing":
            changes["phase"] = "deciding"
        if act in _NEXT_TURN:
            changes["turn_at"] = event.at
        if act == "stub-count":
            changes["counted"] = True
    if number is None:
        return replace(current, **changes)
    if number in current.boxes:
        box = current.boxes[number]
        changes["boxes"] = {**current.boxes, number: replace(box, acts=box.acts | {act})}
    if number in current.awards:
        changes["awards"] = {**current.awards, number: _award_acted(current.awards[number], event)}
    if act == "documentation-complete":
        changes["documented"] = current.documented | {number}
    return replace(current, **changes)


def _award_acted(award: Award, event: ev.Acted) -> Award:
    """Return the award after an act of its workflow."""
    match event.act:
        case "call-supervisor":
            return steps.called(award)
        case "supervisor-validated":
            return steps.verified(award, event.by)
        case "card-swipe":
            return steps.with_signature(award, event.by, None)
        case "win-page":
            return steps.printed(award)
        case "pay-award":
            return steps.paid(award, event.by)
        case _:
            return award


def _deck_acted(table: TableState, event: ev.Acted) -> dict[str, Any]:
    assert event.deck is not None
    deck = table.decks[event.deck]
    changes: dict[str, Any] = {}
    match event.act:
        case "idle-spread":
            deck = replace(deck, acts=(deck.acts - _AFTER_IDLE) | {event.act}, shuffled=None, sealed=False)
        case "deck-to-shuffler":
            deck = replace(deck, acts=deck.acts | {event.act}, racked=False)
        case "deck-loaded" | "deck-held":
            deck = replace(deck, acts=(deck.acts - {"deck-to-shuffler"}) | {event.act})
            changes["deck"] = deck.name
            if table.live_round is not None and not table.live_round.sequence:
                changes["round"] = replace(table.live_round, deck=deck.name, sealed=deck.sealed)
        case "spread" | "turn-up" | "turn-down" | "wash" | "stack" | "cover-card-laid":
            # Cards that lie on the table are not in the shuffler.
            deck = replace(deck, acts=(deck.acts - {"deck-to-shuffler"}) | {event.act})
        case _:
            deck = replace(deck, acts=deck.acts | {event.act})
    return {**changes, "decks": {**table.decks, deck.name: deck}}


def _device_set(table: TableState, event: ev.DeviceSet) -> TableState:
    device = Device(event.status, event.version, event.model, event.side)
    table = replace(table, devices={**table.devices, event.device: device})
    if event.device != JACKPOT or event.status != "fitted":
        return table
    # A jackpot that works again ends the course taken without it, and its notice.
    left = {topic: where for topic, where in table.notices.items() if topic != "no-jackpot-bets"}
    return replace(table, course=None, blocked=frozenset(), notices=left)


def _notice_shown(table: TableState, event: ev.NoticeShown) -> TableState:
    shown = dict.fromkeys(event.about, event.where or "")
    named = table.notice_of if event.option is None else table.notice_of | {event.option}
    return replace(table, notices={**table.notices, **shown}, notice_of=named)


def _approval_filed(table: TableState, event: ev.ApprovalFiled) -> TableState:
    return replace(table, approvals=table.approvals | {(event.of, event.model)})


def _course_taken(table: TableState, event: ev.CourseTaken) -> TableState:
    return replace(table, course=event.course, blocked=frozenset(event.boxes))


def _suspended(table: TableState, event: ev.Suspended) -> TableState:
    return replace(table, suspended=event.cause)


def _resumed(table: TableState, event: ev.Resumed) -> TableState:
    return replace(table, suspended=None)


def _option_changed(table: TableState, event: ev.OptionChanged) -> TableState:
    options = {**table.options, event.option: event.value}
    return replace(table, options=options, notice_of=table.notice_of - {event.option})


def _deck_added(table: TableState, event: ev.DeckAdded) -> TableState:
    return replace(table, decks={**table.decks, event.deck: Deck(name=event.deck, back=event.back, since=event.at)})


def _deck_gone(table: TableState, event: ev.DeckGone) -> TableState:
    left = {name: deck for name, deck in table.decks.items() if name != event.deck}
    return replace(table, decks=left, deck=table.deck if table.deck in left else None)


def _shuffled(table: TableState, event: ev.Shuffled) -> TableState:
    deck = table.decks[event.deck]
    acts = (deck.acts - EACH_ROUND - {"idle-spread"}) | {"shuffle"}
    return with_deck(table, event.deck, acts=acts, shuffled=event.method, sealed=event.sealed, racked=False)


def _was_cut(table: TableState, event: ev.WasCut) -> TableState:
    return with_deck(table, event.deck, acts=table.decks[event.deck].acts | {"cut"})


def _uncut(table: TableState, event: ev.Uncut) -> TableState:
    deck = table.decks[event.deck]
    return with_deck(table, event.deck, acts=(deck.acts - EACH_ROUND) | {"shuffle"})


def _unshuffled(table: TableState, event: ev.Unshuffled) -> TableState:
    deck = table.decks[event.deck]
    current = table.live_round
    if current is not None and current.deck == event.deck and not current.sequence:
        table = with_round(table, sealed=False)
    return with_deck(table, event.deck, acts=deck.acts - EACH_ROUND, shuffled=None, sealed=False)


def _laid_idle(table: TableState, event: ev.LaidIdle) -> TableState:
    return with_deck(table, event.deck, idle=event.face)


def _held(table: TableState, event: ev.Held) -> TableState:
    return replace(table, holding_hand=event.hand)


HOUSE: Mapping[type, Callable[[TableState, Any], TableState]] = {
    ev.Acted: _acted,
    ev.DeviceSet: _device_set,
    ev.NoticeShown: _notice_shown,
    ev.ApprovalFiled: _approval_filed,
    ev.CourseTaken: _course_taken,
    ev.Suspended: _suspended,
    ev.Resumed: _resumed,
    ev.OptionChanged: _option_changed,
    ev.DeckAdded: _deck_added,
    ev.DeckGone: _deck_gone,
    ev.Shuffled: _shuffled,
    ev.WasCut: _was_cut,
    ev.Uncut: _uncut,
    ev.Unshuffled: _unshuffled,
    ev.LaidIdle: _laid_idle,
    ev.Held: _held,
}
