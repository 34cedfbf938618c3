"""The next state after an event: plain arithmetic, no rules."""

import zlib

from msgspec.structs import replace

from aceking.meter.awards.evolve import occasion_over, on_award, outlives, reached, since_adjusted
from aceking.meter.commands import AdjustMeter
from aceking.meter.events import (
    Adjusted,
    AnyEvent,
    AwardSigned,
    AwardUndone,
    AwardVerified,
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
    MeterAnswered,
    MeterOpened,
    MeterRefused,
    MeterResumed,
    MeterRoundVoided,
    MeterSuspended,
    Overflowed,
    Paid,
    Recognised,
    Released,
    Reseeded,
    Retired,
    SeatChosen,
    SupervisorCalled,
    TakenBack,
    TriggerDrawn,
    TriggerReached,
    TriggerShown,
    WinPagePrinted,
)
from aceking.meter.state import Counters, MeterState, MeterTable, Occasion, SinceHit, TableFault, finer, finer_since


def evolve(state: MeterState, event: AnyEvent) -> MeterState:
    # Contributions outnumber everything else by thousands to one.
    if isinstance(event, Contributed):
        return _contributed(state, event)
    return _evolve(replace(state, events=state.events + 1, clock=event.at), event)


def _evolve(state: MeterState, event: AnyEvent) -> MeterState:
    match event:
        case Configured():
            return _configured(state, event)
        case Enrolled():
            return _enrolled(state, event)
        case MeterOpened():
            return replace(state, phase="open")
        case Closed():
            return replace(state, phase="closed")
        case Retired():
            return _retired(state, event)
        case TriggerDrawn():
            return replace(state, trigger=event.drawn)
        case TriggerReached():
            return reached(state, event)
        case TriggerShown():
            return replace(state, trigger=None, shown=(*state.shown, event.shown))
        case MeterSuspended() | MeterResumed():
            suspended = isinstance(event, MeterSuspended)
            changed = {name: replace(state.tables[name], suspended=suspended) for name in event.tables}
            return replace(state, tables={**state.tables, **changed})
        case (
            GameStarted()
            | GameEnded()
            | MeterRoundVoided()
            | SeatChosen()
            | Faulted()
            | CourseChosen()
            | FaultCleared()
        ):
            return _at_table(state, event)
        case HandsShown():
            return _shown(state, event.table)
        case Recognised():
            return _recognised(state, event)
        case TakenBack():
            return _taken_back(state, event)
        case Released() | Locked() | Reseeded() | Overflowed():
            return _on_meter(state, event)
        case SupervisorCalled() | AwardVerified() | AwardSigned() | WinPagePrinted() | Paid() | AwardUndone():
            return on_award(state, event)
        case Adjusted():
            parts = event.amount * state.scale
            has = state.counters
            counters = replace(has, value=has.value + parts, adjusted=has.adjusted + parts)
            since = since_adjusted(state.since, parts)
            return replace(state, counters=counters, since=since, adjustment=adjustment_key(event))
        case MeterAnswered():
            return _answered(state, event)
        case MeterRefused():
            return replace(state, refusals=state.refusals + 1)
        case _:
            raise AssertionError(f"unknown event {event}")


def _configured(state: MeterState, event: Configured) -> MeterState:
    config = event.new
    grown = event.scale // state.scale
    if event.old is None:
        base = config.base * event.scale
        counters = Counters(base=base, value=base)
        since = SinceHit(start=base, own=base, at=event.at)
    else:
        counters, since = finer(state.counters, grown), finer_since(state.since, grown)
    # A table that comes back keeps its round numbers and its fault.
    known = {**state.left, **state.tables}
    known = {name: replace(table, fed=table.fed * grown) for name, table in known.items()}
    tables = {name: replace(known.pop(name, MeterTable(book=book)), book=book) for name, book in config.tables.items()}
    return replace(
        state,
        phase="closed",
        config=config,
        scale=event.scale,
        rate_parts=event.rate_parts,
        hidden_parts=event.hidden_parts,
        people={**state.people, **config.people},
        # Two persons signed these parameters, so both vouch for the people in them.
        on_word_of={name: by for name, by in state.on_word_of.items() if name not in config.people},
        tables=tables,
        left=known,
        counters=counters,
        since=since,
        hits=tuple(replace(one, came=finer_since(one.came, grown)) for one in state.hits),
    )


def _enrolled(state: MeterState, event: Enrolled) -> MeterState:
    vouched = {name: by for name, by in state.on_word_of.items() if name != event.name}
    if event.on_word_of is not None:
        vouched[event.name] = event.on_word_of
    return replace(state, people={**state.people, event.name: event.role}, on_word_of=vouched)


def _retired(state: MeterState, event: Retired) -> MeterState:
    has, record = state.counters, event.record
    counters = replace(has, value=0, reserve=0, overflow=0, retired=has.retired + record.moved + record.recovered)
    return replace(state, phase="retired", counters=counters, since=SinceHit(at=event.at), retired=record)


def bucket(id_: str) -> str:
    """Return the bucket of a command's answer: 256 small dicts, so that one command copies only a small one."""
    return f"{zlib.crc32(id_.encode()) % 256:02x}"


def _answered(state: MeterState, event: MeterAnswered) -> MeterState:
    name = bucket(event.id)
    answers = {**state.answered.get(name, {}), event.id: event.digest}
    return replace(state, answered={**state.answered, name: answers})


def _contributed(state: MeterState, event: Contributed) -> MeterState:
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
    state: MeterState,
    event: GameStarted | GameEnded | MeterRoundVoided | SeatChosen | Faulted | CourseChosen | FaultCleared,
) -> MeterState:
    table = state.tables[event.table]
    awards = state.awards
    match event:
        case GameStarted():
            table = replace(table, running=True, game=event.game, lit=event.seats, chosen=None, started=event.at)
        case GameEnded():
            table = _idle(table)
            awards = {key: one for key, one in awards.items() if one.table != event.table or outlives(one)}
        case MeterRoundVoided():
            state = _reversed(state, event)
            # An award undone in a void round must not affect the order of a later round.
            awards = {key: one for key, one in awards.items() if one.table != event.table or outlives(one)}
            table = _idle(replace(table, fed=table.fed - event.from_meter - event.from_reserve - event.from_overflow))
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
    return _shown(state, event.table) if isinstance(event, GameEnded | MeterRoundVoided) else state


def _idle(table: MeterTable) -> MeterTable:
    """Return the table between two rounds; a fault stays."""
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


def _reversed(state: MeterState, event: MeterRoundVoided) -> MeterState:
    has, since = state.counters, state.since
    counters = replace(
        has,
        value=has.value - event.from_meter,
        reserve=has.reserve - event.from_reserve,
        overflow=has.overflow - event.from_overflow,
        adjusted=has.adjusted - event.from_meter - event.from_reserve - event.from_overflow,
    )
    return replace(state, counters=counters, since=since_adjusted(since, -event.from_meter))


def adjustment_key(adjustment: Adjusted | AdjustMeter) -> str:
    """Return a key that two adjustments share if they have the same time, persons, reason and amount."""
    fields = (adjustment.by, adjustment.second, adjustment.reason, str(adjustment.amount))
    return "|".join((adjustment.at.isoformat(), *fields))


def _shown(state: MeterState, table: str) -> MeterState:
    """The occasion no longer waits for this table."""
    occasion = state.occasion
    if occasion is None or table not in occasion.waiting:
        return state
    waiting = tuple(one for one in occasion.waiting if one != table)
    return replace(state, occasion=replace(occasion, waiting=waiting))


def _recognised(state: MeterState, event: Recognised) -> MeterState:
    award, occasion = event.award, state.occasion
    if award.major and occasion is None:
        has = state.counters
        occasion = Occasion(frozen=has.value, first=award.number, came=state.since, waiting=event.waiting)
    return replace(state, awards={**state.awards, award.id: award}, occasion=occasion, recognised=state.recognised + 1)


def _taken_back(state: MeterState, event: TakenBack) -> MeterState:
    """Remove the award; the others are paid as if it had never been there, from the value when they were recognised."""
    left = {key: one for key, one in state.awards.items() if key != event.id}
    state = occasion_over(replace(state, awards=left))
    occasion = state.occasion
    if occasion is None or occasion.moved:
        return state
    later = min(one.fed for one in left.values() if one.major and not one.sealed) - occasion.fed_in
    if later <= 0:
        return state
    came = replace(occasion.came, fed=occasion.came.fed + later)
    grown = replace(occasion, frozen=occasion.frozen + later, fed_in=occasion.fed_in + later, came=came)
    return replace(state, occasion=grown)


def _on_meter(state: MeterState, event: Released | Locked | Reseeded | Overflowed) -> MeterState:
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
            return replace(state, counters=counters, since=since_adjusted(state.since, -event.parts))
