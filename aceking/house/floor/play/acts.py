"""Acts at a table of the floor: those of players, staff and devices, and those of the program at an electronic
table."""

from typing import Any, Union

import msgspec
from msgspec.structs import replace

from aceking.house.floor import events as hp
from aceking.house.floor.draft import Draft
from aceking.house.floor.play import bridge, devices
from aceking.house.floor.refusals import house_refusal
from aceking.house.floor.requests import Expects, PlayRequest, Sender, TableAct, Tick, What
from aceking.house.floor.roles import AT_TABLE
from aceking.house.floor.states import FloorTable
from aceking.rules.refusal import Refusal
from aceking.rules.sentence import said
from aceking.rules.words import Actor
from aceking.table import commands as c
from aceking.table.acts import ACTS
from aceking.table.dealer.lap import rest_of_lap
from aceking.table.dealer.next_act import due
from aceking.table.player import as_command
from aceking.table.state import Round

#: Acts of an award that a person does at every table: the program never signs (R16).
_OF_PEOPLE = (c.Validate, c.SwipeCard, c.CompletePapers)
#: Acts of the program for a player whose time has run out.
_OF_CLOCKS = (c.TimeOut, c.BuyDealerCard)
_ANY: Any = Union[(*(entry.command for entry in ACTS.values()), c.Report, c.GiveRuling, c.Choose)]


def play(draft: Draft, sender: Sender, request: PlayRequest) -> Refusal | None:
    """Do a player's act at their own box, within their chips."""
    state = draft.table(request.table)
    if refused := _stale(state, request.expects):
        return refused
    box = request.act.box
    if state.seats.get(box) != sender.name:
        return house_refusal("seat", said("box {box} is not yours: take it first", box=box))
    return do_act(draft, request.table, as_command(request.act, player=sender.name, at=draft.at))


def act(draft: Draft, sender: Sender, request: TableAct) -> Refusal | None:
    """Do an act of staff or of a device, in one of the roles of the person."""
    actor = _actor(draft, sender, request)
    if isinstance(actor, Refusal):
        return actor
    by, role = actor
    fields = request.act.keys() & {"by", "role", "at"}
    if fields:
        return house_refusal(
            "input", said("{field}: a request does not say who acts, in which role or when", field=min(fields))
        )
    try:
        command = msgspec.convert(request.act, _ANY)
    except msgspec.ValidationError as wrong:
        return house_refusal("input", str(wrong))
    if isinstance(command, c.LockAward) and draft.table(request.table).posted.meter is not None:
        return house_refusal("meter", "the meter sets the amount of an award itself")
    seen = devices.with_readings(draft.table(request.table), command)
    if isinstance(seen, Refusal):
        return seen
    return do_act(draft, request.table, replace(seen, by=by, role=role, at=draft.at))


def _actor(draft: Draft, sender: Sender, request: TableAct) -> tuple[str, Actor] | Refusal:
    """Return the name and role of an act: the sender's, or at a live table those of the player it is entered for."""
    roles = AT_TABLE.get(sender.role, ()) if sender.role != "house" else ()
    if request.player is not None:
        state = draft.table(request.table)
        if state.posted.mode != "live" or not roles or request.role not in (None, "player"):
            return house_refusal("access", "acts are entered for players only at a live table")
        if request.player not in state.players:
            return house_refusal("seat", said("{player} does not sit at this table", player=request.player))
        return request.player, "player"
    role = request.role or (roles[0] if roles else None)
    if role is None or role not in roles:
        wanted = request.role or "staff"
        return house_refusal("access", said("{who} has no role as {role} at a table", who=sender.name, role=wanted))
    return sender.name, role


def _stale(state: FloorTable, expects: Expects | None) -> Refusal | None:
    if expects is None:
        return None
    current = state.table.round
    if current is None or current.number != expects.round:
        return house_refusal("stale", said("round {round} is over", round=expects.round))
    if expects.phase is not None and current.phase != expects.phase:
        words = "the round is {phase} by now, no longer {before}"
        return house_refusal("stale", said(words, phase=current.phase, before=expects.phase))
    return None


def do_act(draft: Draft, table: str, command: c.TableCommand) -> Refusal | None:
    """Do one command at the table, with what follows on the meter, within the chips of the players."""
    before = draft.table(table)
    events = bridge.do_command(draft, table, command)
    if isinstance(events, Refusal):
        return events
    if (short := _short(before, draft.table(table))) is not None:
        return short
    _show_seeds(draft, table)
    return None


def _short(before: FloorTable, after: FloorTable) -> Refusal | None:
    """Return the refusal if a player has staked more chips than they have, or None."""
    old, new = before.table.accounts, after.table.accounts
    if old is new:
        return None
    for player in [name for name, amount in new.items() if amount < old.get(name, 0)]:
        if after.chips(player) < 0 and player in after.players:
            return house_refusal("chips", said("{player} does not have that many chips", player=player))
    return None


def _show_seeds(draft: Draft, table: str) -> None:
    """Show the seeds of decks whose round is over or that were shuffled again."""
    state = draft.table(table)
    live = state.table.live_round
    for deck in state.seals:
        on_table = state.table.decks.get(deck)
        if (live is not None and live.deck == deck) or (on_table is not None and on_table.sealed):
            continue
        show_seed(draft, table, deck)


def show_seed(draft: Draft, table: str, deck: str) -> None:
    """Put the seed of a deck and its words on the record."""
    state = draft.table(table)
    seal = state.seals[deck]
    seed = draft.seed(seal.commitment)
    number = state.table.round.number if state.table.round is not None else 0
    words = tuple(seal.words.values())
    draft.add(f"table/{table}", hp.SeedShown(deck=deck, round=number, seed=seed.hex(), words=words))
    draft.unseal(seal.commitment)


def tick(draft: Draft, request: Tick) -> Refusal | None:
    """Record that a deadline has passed; refused if it has not. `go_on` does what follows."""
    state = draft.table(request.table)
    due_tick = deadline(state)
    if due_tick is None or due_tick[1] != request.what or draft.at < due_tick[0]:
        return house_refusal("clock", "it is not time for that")
    draft.add(f"table/{request.table}", hp.DeadlinePassed(what=request.what))
    return None


def deadline(state: FloorTable) -> tuple[int, What] | None:
    """Return the next deadline of an electronic table and what it ends, from the state alone; None if no clock runs."""
    table = state.table
    if state.posted.mode != "electronic" or state.gone or table.holding is not None or table.suspended is not None:
        return None
    current = table.live_round
    if current is None:
        return (round_begins(state), "next-round") if state.seats and not state.closing and state.ended else None
    if current.phase == "betting":
        return (bets_end(state), "close-bets") if current.dealt_in else None
    undecided = current.phase == "deciding" and any(box.owes_decision for box in current.boxes.values())
    return (decision_ends(state), "decision") if undecided or current.buying else None


def go_on(draft: Draft, table: str) -> None:
    """Let the program act at an electronic table until a person must act or a clock runs."""
    if draft.table(table).posted.mode != "electronic":
        return
    while (act := _next(draft, table)) is not None:
        if isinstance(act, c.Shuffle):
            act = _sealing(draft, table, act)
        before = len(draft.events.get(f"table/{table}", ()))
        refused = do_act(draft, table, replace(act, at=draft.at))
        if type(act) is c.DealCard and refused is None:
            refused = _rest_of_lap(draft, table, draft.events[f"table/{table}"][before:])
        assert refused is None, f"the program asked table {table} for {act} and was refused: {refused}"


def _rest_of_lap(draft: Draft, table: str, first: list[Any]) -> Refusal | None:
    """Deal the cards of the lap that are dealt in the same way as the first."""
    following = rest_of_lap(draft.book(table), draft.table(table).table, draft.shoe(table), first)
    return bridge.add_events(draft, table, following)


def _next(draft: Draft, table: str) -> c.Act | c.Report | None:
    """Return the next act of the program; None while a person must act or a clock runs."""
    state, book = draft.table(table), draft.book(table)
    if state.gone:
        return None
    current = state.table.live_round
    may = current is None or current.phase != "betting" or may_close(state, current, draft.at)
    next_act = due(book, state.table, betting_may_close=may, at=draft.at)
    if next_act is None or isinstance(next_act, _OF_PEOPLE):
        return None
    if isinstance(next_act, c.PayAward) and bridge.awaits_signature(draft, table, next_act.box):
        return None
    if isinstance(next_act, c.ResumeTables) and state.posted.meter is not None:
        return None if bridge.stays_stopped(draft, state.posted.meter) else next_act
    if isinstance(next_act, _OF_CLOCKS) and draft.at < decision_ends(state):
        return None
    return None if current is None and not _may_begin(state, draft.at) else next_act


def _may_begin(state: FloorTable, at: int) -> bool:
    """Return True if a round may begin: a player sits and the pause is over."""
    return bool(state.seats) and not state.closing and at >= round_begins(state)


def round_begins(state: FloorTable) -> int:
    return state.ended + state.posted.pause_seconds * 1000 if state.ended else 0


def may_close(state: FloorTable, current: Round, at: int) -> bool:
    """Return True if betting may close: every player with a stake is ready, or the posted time is over."""
    staked = {box.player for box in current.boxes.values() if box.ante > 0}
    return (staked >= set(state.players) and staked <= state.ready) or at >= bets_end(state)


def bets_end(state: FloorTable) -> int:
    """Return when the posted time to bet ends; it runs from the first stake of the round."""
    return state.first_ante + state.posted.bet_seconds * 1000


def decision_ends(state: FloorTable) -> int:
    """Return when the time to decide ends. A player whose connection dropped in this turn has the grace, once."""
    current = state.table.live_round
    if current is None:
        return 0
    ends = current.turn_at + state.posted.decide_seconds * 1000
    if not state.away and not state.returned:
        return ends
    owing = next(iter([*(box for box in current.dealt_in if box.owes_decision), *current.buying]), None)
    if owing is None:
        return ends
    dropped = owing.player in state.away or state.returned.get(owing.player, 0) >= current.turn_at
    return ends + state.posted.grace_seconds * 1000 if dropped else ends


def _sealing(draft: Draft, table: str, act: c.Shuffle) -> c.Shuffle:
    """Fix the order of the deck by a new seed, and record its commitment before the bets. Return the sealed shuffle."""
    assert act.deck is not None, "the program names the deck that it shuffles"
    if act.deck in draft.table(table).seals:
        show_seed(draft, table, act.deck)
    draft.add(f"table/{table}", hp.Committed(deck=act.deck, commitment=draft.seal()))
    return replace(act, sealed=True)
