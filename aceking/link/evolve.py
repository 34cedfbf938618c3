"""The next state after an event: plain arithmetic, no rules."""

import zlib
from collections.abc import Iterable

from msgspec.structs import replace

from aceking.award import steps
from aceking.link.commands import Adjust
from aceking.link.events import (
    Adjusted,
    Answered,
    AnyEvent,
    AwardUndone,
    Closed,
    Configured,
    Contributed,
    CourseChosen,
    Enrolled,
    FaultCleared,
    Faulted,
    GameEnded,
    GameStarted,
    HandsShown,
    Locked,
    Opened,
    Overflowed,
    Paid,
    Recognised,
    Refused,
    Released,
    Reseeded,
    Resumed,
    Retired,
    RoundVoided,
    SeatChosen,
    Signed,
    SupervisorCalled,
    Suspended,
    TakenBack,
    Verified,
    WinPagePrinted,
)
from aceking.link.state import HITS_LISTED, Award, Counters, LinkState, Occasion, SinceHit, Table, TableFault


def replay(events: Iterable[AnyEvent], state: LinkState | None = None) -> LinkState:
    """The state after these events, from a new link unless another is given."""
    state = LinkState() if state is None else state
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: LinkState, event: AnyEvent) -> LinkState:
    """The state after one event."""
    # Contributions outnumber everything else by thousands to one.
    if isinstance(event, Contributed):
        return _contributed(state, event)
    return _evolve(replace(state, events=state.events + 1, clock=event.at), event)


def _evolve(state: LinkState, event: AnyEvent) -> LinkState:
    match event:
        case Configured():
            return _configured(state, event)
        case Enrolled():
            return _enrolled(state, event)
        case Opened():
            return replace(state, phase="open")
        case Closed():
            return replace(state, phase="closed")
        case Retired():
            return _retired(state, event)
        case Suspended() | Resumed():
            suspended = isinstance(event, Suspended)
            changed = {name: replace(state.tables[name], suspended=suspended) for name in event.tables}
            return replace(state, tables={**state.tables, **changed})
        case GameStarted() | GameEnded() | RoundVoided() | SeatChosen() | Faulted() | CourseChosen() | FaultCleared():
            return _at_table(state, event)
        case HandsShown():
            return _shown(state, event.table)
        case Recognised():
            return _recognised(state, event)
        case TakenBack():
            return _taken_back(state, event)
        case Released() | Locked() | Reseeded() | Overflowed():
            return _on_meter(state, event)
        case SupervisorCalled() | Verified() | Signed() | WinPagePrinted() | Paid() | AwardUndone():
            return _on_award(state, event)
        case Adjusted():
            parts = event.amount * state.scale
            has = state.counters
            counters = replace(has, value=has.value + parts, adjusted=has.adjusted + parts)
            since = _since_adjusted(state.since, parts)
            return replace(state, counters=counters, since=since, adjustment=adjustment_key(event))
        case Answered():
            return _answered(state, event)
        case Refused():
            return replace(state, refusals=state.refusals + 1)
        case _:
            raise AssertionError(f"nothing is known of {event}")


def _configured(state: LinkState, event: Configured) -> LinkState:
    config = event.new
    grown = event.scale // state.scale
    if event.old is None:
        base = config.base * event.scale
        counters = Counters(base=base, value=base)
        since = SinceHit(start=base, own=base, at=event.at)
    else:
        counters, since = _finer(state.counters, grown), _finer_since(state.since, grown)
    # A table that comes back goes on where it was: its rounds are numbered on, and a fault is not forgotten.
    known = {**state.left, **state.tables}
    known = {name: replace(table, fed=table.fed * grown) for name, table in known.items()}
    tables = {name: replace(known.pop(name, Table(book=book)), book=book) for name, book in config.tables.items()}
    return replace(
        state,
        phase="closed",
        config=config,
        scale=event.scale,
        rate_parts=event.rate_parts,
        hidden_parts=event.hidden_parts,
        people={**state.people, **config.people},
        # Whoever is named in parameters that two persons signed stands on the word of both.
        on_word_of={name: by for name, by in state.on_word_of.items() if name not in config.people},
        tables=tables,
        left=known,
        counters=counters,
        since=since,
        hits=tuple(replace(one, came=_finer_since(one.came, grown)) for one in state.hits),
    )


def _finer(has: Counters, grown: int) -> Counters:
    """The same money in smaller parts, where a new rate needs them."""
    names = ("base", "seeded", "contributed", "adjusted", "value", "paid", "overflow", "reserve", "reserve_used")
    return replace(has, **{name: getattr(has, name) * grown for name in names})


def _finer_since(since: SinceHit, grown: int) -> SinceHit:
    return replace(
        since, **{name: getattr(since, name) * grown for name in ("start", "own", "fed", "adjusted", "taken")}
    )


def _enrolled(state: LinkState, event: Enrolled) -> LinkState:
    vouched = {name: by for name, by in state.on_word_of.items() if name != event.name}
    if event.on_word_of is not None:
        vouched[event.name] = event.on_word_of
    return replace(state, people={**state.people, event.name: event.role}, on_word_of=vouched)


def _retired(state: LinkState, event: Retired) -> LinkState:
    has, record = state.counters, event.record
    counters = replace(has, value=0, reserve=0, overflow=0, retired=has.retired + record.moved + record.recovered)
    return replace(state, phase="retired", counters=counters, since=SinceHit(at=event.at), retired=record)


def drawer(id_: str) -> str:
    """Where the answer to a command is kept: many small drawers, so that none is copied whole for one command."""
    return f"{zlib.crc32(id_.encode()) % 256:02x}"


def _answered(state: LinkState, event: Answered) -> LinkState:
    place = drawer(event.id)
    kept = {**state.answered.get(place, {}), event.id: event.digest}
    return replace(state, answered={**state.answered, place: kept})


def _contributed(state: LinkState, event: Contributed) -> LinkState:
    has, table, to_meter = state.counters, state.tables[event.table], event.to_meter
    total = to_meter + event.to_reserve + event.to_overflow
    counters = replace(
        has,
        wagers=has.wagers + event.wagers,
        wagered=has.wagered + event.wagered,
        contributed=has.contributed + total,
        value=has.value + to_meter,
        overflow=has.overflow + event.to_overflow,
        reserve=has.reserve + event.to_reserve,
    )
    changed = replace(table, wagers=table.wagers + event.wagers, fed=table.fed + total)
    if table.running:
        changed = replace(
            changed,
            game_fed=table.game_fed + to_meter,
            game_reserve=table.game_reserve + event.to_reserve,
            game_overflow=table.game_overflow + event.to_overflow,
        )
    occasion = state.occasion
    return replace(
        state,
        events=state.events + 1,
        clock=event.at,
        counters=counters,
        tables={**state.tables, event.table: changed},
        since=replace(state.since, fed=state.since.fed + to_meter),
        occasion=None if occasion is None else replace(occasion, fed=occasion.fed + to_meter),
    )


def _at_table(
    state: LinkState,
    event: GameStarted | GameEnded | RoundVoided | SeatChosen | Faulted | CourseChosen | FaultCleared,
) -> LinkState:
    table = state.tables[event.table]
    awards = state.awards
    match event:
        case GameStarted():
            table = replace(table, running=True, game=event.game, lit=event.seats, chosen=None, started=event.at)
        case GameEnded():
            table = _dark(table)
            awards = {key: one for key, one in awards.items() if one.table != event.table}
        case RoundVoided():
            state = _fed_back(state, event)
            # What was backed out of a void round has no place in the order of a later one.
            awards = {key: one for key, one in awards.items() if one.table != event.table}
            table = _dark(replace(table, fed=table.fed - event.from_meter - event.from_reserve - event.from_overflow))
        case SeatChosen():
            table = replace(table, chosen=event.seat)
        case Faulted():
            fault = TableFault(at=event.at, value=event.value, boxes=event.boxes, this_round=event.this_round)
            table = replace(table, fault=fault)
        case CourseChosen():
            assert table.fault is not None, "a course is chosen after a fault"
            table = replace(table, fault=replace(table.fault, course=event.course, notice=event.notice))
        case FaultCleared():
            table = replace(table, fault=None)
    state = replace(state, tables={**state.tables, event.table: table}, awards=awards)
    return _shown(state, event.table) if isinstance(event, GameEnded | RoundVoided) else state


def _dark(table: Table) -> Table:
    """A table between two rounds; a fault does not end with the round in which it came."""
    fault = None if table.fault is None else replace(table.fault, this_round=False)
    return replace(
        table,
        running=False,
        lit=(),
        chosen=None,
        fault=fault,
        game_fed=0,
        game_reserve=0,
        game_overflow=0,
    )


def _fed_back(state: LinkState, event: RoundVoided) -> LinkState:
    has, since = state.counters, state.since
    counters = replace(
        has,
        value=has.value - event.from_meter,
        reserve=has.reserve - event.from_reserve,
        overflow=has.overflow - event.from_overflow,
        adjusted=has.adjusted - event.from_meter - event.from_reserve - event.from_overflow,
    )
    return replace(state, counters=counters, since=_since_adjusted(since, -event.from_meter))


def adjustment_key(one: Adjusted | Adjust) -> str:
    """What an adjustment is known by: the same persons, reason and amount at the same moment are the same."""
    return "|".join((one.at.isoformat(), one.by, one.second, one.reason, str(one.amount)))


def _since_adjusted(since: SinceHit, parts: int) -> SinceHit:
    return replace(since, adjusted=since.adjusted + parts)


def _shown(state: LinkState, table: str) -> LinkState:
    """Nobody waits for this table any more."""
    occasion = state.occasion
    if occasion is None or table not in occasion.waiting:
        return state
    waiting = tuple(one for one in occasion.waiting if one != table)
    return replace(state, occasion=replace(occasion, waiting=waiting))


def _recognised(state: LinkState, event: Recognised) -> LinkState:
    award, occasion = event.award, state.occasion
    if award.major and occasion is None:
        has = state.counters
        occasion = Occasion(frozen=has.value, first=award.number, came=state.since, waiting=event.waiting)
    return replace(state, awards={**state.awards, award.id: award}, occasion=occasion, recognised=state.recognised + 1)


def _taken_back(state: LinkState, event: TakenBack) -> LinkState:
    """The award is gone, and the others are paid as if it had never been: from the value of their own moment."""
    left = {key: one for key, one in state.awards.items() if key != event.id}
    state = _occasion_over(replace(state, awards=left))
    occasion = state.occasion
    if occasion is None or occasion.moved:
        return state
    later = min(one.fed for one in left.values() if one.major and not one.sealed) - occasion.fed_in
    if later <= 0:
        return state
    came = replace(occasion.came, fed=occasion.came.fed + later)
    grown = replace(occasion, frozen=occasion.frozen + later, fed_in=occasion.fed_in + later, came=came)
    return replace(state, occasion=grown)


def _occasion_over(state: LinkState) -> LinkState:
    """An occasion ends when no amount in it is open any more."""
    if any(one.major and not one.sealed for one in state.awards.values()):
        return state
    return replace(state, occasion=None)


def _on_meter(state: LinkState, event: Released | Locked | Reseeded | Overflowed) -> LinkState:
    has, scale = state.counters, state.scale
    match event:
        case Released():
            amount, house, reserve = (one * scale for one in (event.amount, event.seed_house, event.seed_reserve))
            counters = replace(
                has,
                value=has.value + amount - house - reserve,
                locked=has.locked - amount,
                seeded=has.seeded - house,
                reserve=has.reserve + reserve,
                reserve_used=has.reserve_used - reserve,
            )
            freed = {
                key: replace(state.awards[key], amount=0, from_meter=0, seed_house=0, seed_reserve=0)
                for key in event.ids
            }
            return replace(state, counters=counters, awards={**state.awards, **freed})
        case Locked():
            amount = event.from_meter * scale
            award = replace(
                state.awards[event.id],
                amount=event.amount,
                from_meter=event.from_meter,
                clause=event.clause,
                came=event.came,
            )
            counters = replace(has, value=has.value - amount, locked=has.locked + amount)
            return replace(state, counters=counters, awards={**state.awards, award.id: award})
        case Reseeded():
            house, reserve = event.from_house * scale, event.from_reserve * scale
            award = replace(state.awards[event.id], seed_house=event.from_house, seed_reserve=event.from_reserve)
            counters = replace(
                has,
                value=has.value + house + reserve,
                seeded=has.seeded + house,
                reserve=has.reserve - reserve,
                reserve_used=has.reserve_used + reserve,
            )
            return replace(state, counters=counters, awards={**state.awards, award.id: award})
        case Overflowed():
            counters = replace(has, value=has.value - event.parts, overflow=has.overflow + event.parts)
            return replace(state, counters=counters, since=_since_adjusted(state.since, -event.parts))


def _on_award(
    state: LinkState, event: SupervisorCalled | Verified | Signed | WinPagePrinted | Paid | AwardUndone
) -> LinkState:
    match event:
        case SupervisorCalled():
            return _with_award(state, steps.called(state.awards[event.id]))
        case Verified():
            award = steps.verified(state.awards[event.id], event.by)
            award = replace(award, verified=event.number, verified_at=event.at)
            return _with_award(replace(state, verified=state.verified + 1), award)
        case Signed():
            return _signed(state, event)
        case WinPagePrinted():
            return _with_award(state, replace(steps.printed(_award(state, event.id)), printed_at=event.at))
        case Paid():
            has, parts = state.counters, event.from_meter * state.scale
            state = replace(state, counters=replace(has, owed=has.owed - parts, paid=has.paid + parts))
            award = steps.paid(_award(state, event.id), event.by)
            return _with_award(state, replace(award, paid_at=event.at))
        case AwardUndone():
            return _undone(state, event)


def _award(state: LinkState, key: str) -> Award:
    found = state.awards.get(key)
    return found if found is not None else next(one for one in state.hits if one.id == key)


def _with_award(state: LinkState, award: Award) -> LinkState:
    """The award wherever it is kept: in hand, on the list of hits, or both."""
    awards = {**state.awards, award.id: award} if award.id in state.awards else state.awards
    hits = tuple(award if one.id == award.id else one for one in state.hits)
    return replace(state, awards=awards, hits=hits)


def _signed(state: LinkState, event: Signed) -> LinkState:
    has = state.counters
    sealed = {key: _sealed_with(state.awards[key], event.sealed) for key in event.sealed}
    award = steps.signed(sealed.get(event.id, state.awards[event.id]), event.by, event.role)
    award = replace(award, sealed=True, signed_at=event.at)
    parts = award.from_meter * state.scale
    counters = replace(
        has,
        locked=has.locked - parts,
        owed=has.owed + parts,
        hits=has.hits + 1,
        won=has.won + award.amount,
        won_tray=has.won_tray + award.from_tray,
    )
    occasion = state.occasion
    if occasion is not None and event.frozen is not None:
        came = replace(event.since, fed=event.since.fed - (occasion.fed - event.fed_in))
        occasion = replace(occasion, frozen=event.frozen, fed_in=event.fed_in, moved=True, came=came)
    state = replace(
        state,
        counters=counters,
        awards={**state.awards, **sealed, award.id: award},
        hits=(*state.hits, award)[-HITS_LISTED:],
        since=event.since,
        occasion=occasion,
    )
    return _occasion_over(state)


def _sealed_with(award: Award, ids: tuple[str, ...]) -> Award:
    """Final, with those who share; one that was final before shares with the same as then."""
    if award.sealed:
        return award
    return replace(award, sealed=True, shares=tuple(one for one in ids if one != award.id))


def _undone(state: LinkState, event: AwardUndone) -> LinkState:
    has, award, scale = state.counters, _award(state, event.id), state.scale
    parts, house, reserve = (one * scale for one in (event.from_meter, event.seed_house, event.seed_reserve))
    was_paid, was_hit = award.step == "paid", award.signed
    counters = replace(
        has,
        value=has.value + parts - house - reserve,
        locked=has.locked - (0 if was_hit else parts),
        owed=has.owed - (parts if was_hit and not was_paid else 0),
        paid=has.paid - (parts if was_paid else 0),
        seeded=has.seeded - house,
        reserve=has.reserve + reserve,
        reserve_used=has.reserve_used - reserve,
        hits=has.hits - was_hit,
        won=has.won - (award.amount if was_hit else 0),
        won_tray=has.won_tray - (award.from_tray if was_hit else 0),
    )
    since = _since_adjusted(state.since, parts - house - reserve)
    since = replace(since, own=max(0, since.own - house))
    state = _with_award(replace(state, counters=counters, since=since), steps.undone(award))
    for key in event.anew:
        state = _with_award(state, replace(_award(state, key), anew=True))
    return state
