"""Acts at a table of the floor: of players, staff and devices, and of the program itself at an electronic one."""

from typing import Any, Union

import msgspec
from msgspec.structs import replace

from aceking.house.floor import events as hp
from aceking.house.floor.draft import Draft
from aceking.house.floor.play import bridge, devices
from aceking.house.floor.refusals import house
from aceking.house.floor.requests import Act, Expects, Play, Sender, Tick, What
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

#: Acts of an award that another person does, at every table: the program never signs (R16).
_OF_PEOPLE = (c.Validate, c.SwipeCard, c.CompletePapers)
#: What the program does for who lets his time run out.
_OF_CLOCKS = (c.TimeOut, c.BuyDealerCard)
_ANY: Any = Union[(*(entry.command for entry in ACTS.values()), c.Report, c.Rule, c.Choose)]


def play(draft: Draft, sender: Sender, wish: Play) -> Refusal | None:
    """A player's act at his box, within what he has before him."""
    one = draft.table(wish.table)
    if refused := _stale(one, wish.expects):
        return refused
    box = wish.act.box
    if one.seats.get(box) != sender.name:
        return house("seat", said("box {box} is not yours: take it first", box=box))
    return done(draft, wish.table, as_command(wish.act, player=sender.name, at=draft.at))


def act(draft: Draft, sender: Sender, wish: Act) -> Refusal | None:
    """An act of staff or of a device, in one of the parts that the person has."""
    part = _part(draft, sender, wish)
    if isinstance(part, Refusal):
        return part
    by, role = part
    told = wish.act.keys() & {"by", "role", "at"}
    if told:
        return house(
            "input", said("{field}: who acts, in which part and when is not for the request to say", field=min(told))
        )
    try:
        command = msgspec.convert(wish.act, _ANY)
    except msgspec.ValidationError as wrong:
        return house("input", str(wrong))
    if isinstance(command, c.LockAward) and draft.table(wish.table).posted.meter is not None:
        return house("meter", "what an award comes to is the meter's to say, and it says it itself")
    seen = devices.completed(draft.table(wish.table), command)
    if isinstance(seen, Refusal):
        return seen
    return done(draft, wish.table, replace(seen, by=by, role=role, at=draft.at))


def _part(draft: Draft, sender: Sender, wish: Act) -> tuple[str, Actor] | Refusal:
    """In whose name and part the act is done: one's own, or at a live table a player's whose act is entered for him."""
    parts = AT_TABLE.get(sender.role, ()) if sender.role != "house" else ()
    if wish.player is not None:
        one = draft.table(wish.table)
        if one.posted.mode != "live" or not parts or wish.role not in (None, "player"):
            return house("access", "what a player does is entered for him only at a live table")
        if wish.player not in one.players:
            return house("seat", said("{player} does not sit at this table", player=wish.player))
        return wish.player, "player"
    role = wish.role or (parts[0] if parts else None)
    if role is None or role not in parts:
        return house(
            "access", said("{who} has no part as {role} at a table", who=sender.name, role=wish.role or "staff")
        )
    return sender.name, role


def _stale(one: FloorTable, expects: Expects | None) -> Refusal | None:
    if expects is None:
        return None
    current = one.table.round
    if current is None or current.number != expects.round:
        return house("stale", said("round {round} is over", round=expects.round))
    if expects.phase is not None and current.phase != expects.phase:
        return house(
            "stale", said("the round is {phase} by now, no longer {before}", phase=current.phase, before=expects.phase)
        )
    return None


def done(draft: Draft, table: str, command: c.Command) -> Refusal | None:
    """One command at the table, with what it means for the meter, within the chips that players have."""
    before = draft.table(table)
    events = bridge.decided(draft, table, command)
    if isinstance(events, Refusal):
        return events
    if (short := _short(before, draft.table(table))) is not None:
        return short
    _show_seeds(draft, table)
    return None


def _short(before: FloorTable, after: FloorTable) -> Refusal | None:
    """Whether somebody staked more than he has before him."""
    was, has = before.table.accounts, after.table.accounts
    if was is has:
        return None
    for player in [name for name, amount in has.items() if amount < was.get(name, 0)]:
        if after.chips(player) < 0 and player in after.players:
            return house("chips", said("{player} has not so many chips before him", player=player))
    return None


def _show_seeds(draft: Draft, table: str) -> None:
    """Seeds of decks whose order holds no longer, for the round is over or the deck is mixed again, are shown."""
    one = draft.table(table)
    live = one.table.live_round
    for deck in one.seals:
        there = one.table.decks.get(deck)
        if (live is not None and live.deck == deck) or (there is not None and there.sealed):
            continue
        show_seed(draft, table, deck)


def show_seed(draft: Draft, table: str, deck: str) -> None:
    """The seed of a deck goes on the record, with the words that were added to it."""
    one = draft.table(table)
    seal = one.seals[deck]
    seed = draft.seed(seal.commitment)
    number = one.table.round.number if one.table.round is not None else 0
    words = tuple(seal.words.values())
    draft.add(f"table/{table}", hp.SeedShown(deck=deck, round=number, seed=seed.hex(), words=words))
    draft.unseal(seal.commitment)


def tick(draft: Draft, wish: Tick) -> Refusal | None:
    """A clock of the house: its time has come, or it does nothing. What follows is done by `go_on`."""
    one = draft.table(wish.table)
    found = deadline(one)
    if found is None or found[1] != wish.what or draft.at < found[0]:
        return house("clock", "it is not time for that")
    draft.add(f"table/{wish.table}", hp.Rang(what=wish.what))
    return None


def deadline(one: FloorTable) -> tuple[int, What] | None:
    """When the next clock of an electronic table runs out, and which: from the state alone."""
    if one.posted.mode != "electronic" or one.gone or one.table.holding is not None or one.table.suspended is not None:
        return None
    current = one.table.live_round
    if current is None:
        return (round_begins(one), "next-round") if one.seats and not one.closing and one.ended else None
    if current.phase == "betting":
        return (bets_end(one), "close-bets") if current.dealt_in else None
    owing = current.phase == "deciding" and any(box.owes_decision for box in current.boxes.values())
    return (decision_ends(one), "decision") if owing or current.buying else None


def go_on(draft: Draft, table: str) -> None:
    """An electronic table goes on until people must act or a clock must run out."""
    if draft.table(table).posted.mode != "electronic":
        return
    while (act := _next(draft, table)) is not None:
        if isinstance(act, c.Shuffle):
            act = _sealing(draft, table, act)
        known = len(draft.events.get(f"table/{table}", ()))
        refused = done(draft, table, replace(act, at=draft.at))
        if type(act) is c.DealCard and refused is None:
            refused = _rest_of_lap(draft, table, draft.events[f"table/{table}"][known:])
        assert refused is None, f"the program asked table {table} for {act} and was refused: {refused}"


def _rest_of_lap(draft: Draft, table: str, first: list[Any]) -> Refusal | None:
    """The cards that are dealt as the one before them was."""
    following = rest_of_lap(draft.book(table), draft.table(table).table, draft.shoe(table), first)
    return bridge.added(draft, table, following)


def _next(draft: Draft, table: str) -> c.Act | c.Report | None:
    """What the program does next, or nothing while somebody else must act."""
    one, book = draft.table(table), draft.book(table)
    if one.gone:
        return None
    current = one.table.live_round
    may = current is None or current.phase != "betting" or may_close(one, current, draft.at)
    found = due(book, one.table, betting_may_close=may, at=draft.at)
    if found is None or isinstance(found, _OF_PEOPLE):
        return None
    if isinstance(found, c.PayAward) and bridge.awaits_signature(draft, table, found.box):
        return None
    if isinstance(found, c.ResumeTables) and one.posted.meter is not None:
        return None if bridge.stays_stopped(draft, one.posted.meter) else found
    if isinstance(found, _OF_CLOCKS) and draft.at < decision_ends(one):
        return None
    return None if current is None and not _may_begin(one, draft.at) else found


def _may_begin(one: FloorTable, at: int) -> bool:
    """A round begins when somebody sits and the pause is over; before the first, the table is made ready."""
    return bool(one.seats) and not one.closing and at >= round_begins(one)


def round_begins(one: FloorTable) -> int:
    """When the next round may begin."""
    return one.ended + one.posted.pause_seconds * 1000 if one.ended else 0


def may_close(one: FloorTable, current: Round, at: int) -> bool:
    """Whether betting may close: everybody with a stake is ready, or the posted time is over."""
    staked = {box.player for box in current.boxes.values() if box.ante > 0}
    return (staked >= set(one.players) and staked <= one.ready) or at >= bets_end(one)


def bets_end(one: FloorTable) -> int:
    """When the posted time to bet is over: it runs from the first stake of the round."""
    return one.first_ante + one.posted.bet_seconds * 1000


def decision_ends(one: FloorTable) -> int:
    """When the time of whose turn it is runs out; whose connection dropped in this turn has the posted grace, once."""
    current = one.table.live_round
    if current is None:
        return 0
    ends = current.turn_at + one.posted.decide_seconds * 1000
    if not one.away and not one.returned:
        return ends
    owing = next(iter([*(box for box in current.dealt_in if box.owes_decision), *current.buying]), None)
    if owing is None:
        return ends
    dropped = owing.player in one.away or one.returned.get(owing.player, 0) >= current.turn_at
    return ends + one.posted.grace_seconds * 1000 if dropped else ends


def _sealing(draft: Draft, table: str, act: c.Shuffle) -> c.Shuffle:
    """The order of the deck is fixed by a new seed, whose commitment is on the record before the bets."""
    assert act.deck is not None, "the program says which deck it mixes"
    if act.deck in draft.table(table).seals:
        show_seed(draft, table, act.deck)
    draft.add(f"table/{table}", hp.Committed(deck=act.deck, commitment=draft.seal()))
    return replace(act, sealed=True)
