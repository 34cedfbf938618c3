"""The next state after an event: plain arithmetic, no rules."""

import zlib
from collections.abc import Iterable

from msgspec.structs import replace

from aceking.meter.awards.evolve import occasion_over, on_award, outlives, reached, since_adjusted
from aceking.meter.commands import Adjust
from aceking.meter.events import (
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
    TriggerDrawn,
    TriggerReached,
    TriggerShown,
    Verified,
    WinPagePrinted,
)
from aceking.meter.state import (
    Counters,
    LinkState,
    Occasion,
    SinceHit,
    Table,
    TableFault,
    finer,
    finer_since,
)


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
        case TriggerDrawn():
            return replace(state, trigger=event.drawn)
        case TriggerReached():
            return reached(state, event)
        case TriggerShown():
            return replace(state, trigger=None, shown=(*state.shown, event.shown))
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
            return on_award(state, event)
        case Adjusted():
            parts = event.amount * state.scale
            has = state.counters
            counters = replace(has, value=has.value + parts, adjusted=has.adjusted + parts)
            since = since_adjusted(state.since, parts)
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
        counters, since = finer(state.counters, grown), finer_since(state.since, grown)
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
        hits=tuple(replace(one, came=finer_since(one.came, grown)) for one in state.hits),
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
            awards = {key: one for key, one in awards.items() if one.table != event.table or outlives(one)}
        case RoundVoided():
            state = _fed_back(state, event)
            # What was backed out of a void round has no place in the order of a later one.
            awards = {key: one for key, one in awards.items() if one.table != event.table or outlives(one)}
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
    return replace(state, counters=counters, since=since_adjusted(since, -event.from_meter))


def adjustment_key(one: Adjusted | Adjust) -> str:
    """What an adjustment is known by: the same persons, reason and amount at the same moment are the same."""
    return "|".join((one.at.isoformat(), one.by, one.second, one.reason, str(one.amount)))


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
            return replace(state, counters=counters, since=since_adjusted(state.since, -event.parts))
