"""The next state after an event: plain arithmetic, no rules."""

from collections.abc import Iterable

from msgspec.structs import replace

from aceking.link.commands import Role
from aceking.link.events import (
    Adjusted,
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
    return _evolve(replace(state, events=state.events + 1), event)


def _evolve(state: LinkState, event: AnyEvent) -> LinkState:
    match event:
        case Configured():
            return _configured(state, event)
        case Enrolled():
            return replace(state, people={**state.people, event.name: event.role})
        case Opened():
            return replace(state, phase="open")
        case Closed():
            return replace(state, phase="closed")
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
            return replace(state, counters=counters, since=_since_adjusted(state.since, parts))
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
        since = SinceHit(start=base, at=event.at)
    else:
        counters, since = _finer(state.counters, grown), _finer_since(state.since, grown)
    kept = {name: table for name, table in state.tables.items() if config.tables.get(name) == table.book}
    tables = {name: kept.get(name, Table(book=book)) for name, book in config.tables.items()}
    return replace(
        state,
        phase="closed",
        config=config,
        scale=event.scale,
        rate_parts=event.rate_parts,
        hidden_parts=event.hidden_parts,
        people={**state.people, **config.people},
        tables={name: _finer_table(table, grown) for name, table in tables.items()},
        counters=counters,
        since=since,
        hits=tuple(replace(one, came=_finer_since(one.came, grown)) for one in state.hits),
    )


def _finer(has: Counters, grown: int) -> Counters:
    """The same money in smaller parts, where a new rate needs them."""
    names = ("base", "seeded", "contributed", "adjusted", "value", "paid", "overflow", "reserve", "reserve_used")
    return replace(has, **{name: getattr(has, name) * grown for name in names})


def _finer_since(since: SinceHit, grown: int) -> SinceHit:
    return replace(since, **{name: getattr(since, name) * grown for name in ("start", "fed", "adjusted", "taken")})


def _finer_table(table: Table, grown: int) -> Table:
    return replace(table, fed=table.fed * grown)


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
            game_wagers=table.game_wagers + event.wagers,
            game_fed=table.game_fed + to_meter,
            game_reserve=table.game_reserve + event.to_reserve,
            game_overflow=table.game_overflow + event.to_overflow,
        )
    occasion = state.occasion
    return replace(
        state,
        events=state.events + 1,
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
        game_wagers=0,
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
        occasion = Occasion(frozen=state.counters.value, came=state.since, waiting=event.waiting)
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
            return _with_award(state, replace(state.awards[event.id], step="called"))
        case Verified():
            award = replace(
                state.awards[event.id],
                step="verified",
                verified=event.number,
                verifier=event.by,
                verified_at=event.at,
            )
            return _with_award(replace(state, verified=state.verified + 1), award)
        case Signed():
            return _signed(state, event)
        case WinPagePrinted():
            return _with_award(state, replace(_award(state, event.id), printed_at=event.at))
        case Paid():
            has, parts = state.counters, event.from_meter * state.scale
            state = replace(state, counters=replace(has, owed=has.owed - parts, paid=has.paid + parts))
            return _with_award(state, replace(_award(state, event.id), step="paid", payer=event.by, paid_at=event.at))
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
    role: Role = event.role
    award = replace(
        state.awards[event.id],
        step="signed",
        sealed=True,
        signer=event.by,
        signer_role=role,
        signed_at=event.at,
    )
    parts = award.from_meter * state.scale
    counters = replace(
        has,
        locked=has.locked - parts,
        owed=has.owed + parts,
        hits=has.hits + 1,
        won=has.won + award.amount,
        won_tray=has.won_tray + award.from_tray,
    )
    sealed = {key: replace(state.awards[key], sealed=True) for key in event.sealed}
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


def _undone(state: LinkState, event: AwardUndone) -> LinkState:
    has, award, scale = state.counters, _award(state, event.id), state.scale
    parts, house, reserve = (one * scale for one in (event.from_meter, event.seed_house, event.seed_reserve))
    was_paid = award.step == "paid"
    counters = replace(
        has,
        value=has.value + parts - house - reserve,
        owed=has.owed - (0 if was_paid else parts),
        paid=has.paid - (parts if was_paid else 0),
        seeded=has.seeded - house,
        reserve=has.reserve + reserve,
        reserve_used=has.reserve_used - reserve,
        hits=has.hits - 1,
        won=has.won - award.amount,
        won_tray=has.won_tray - award.from_tray,
    )
    since = _since_adjusted(state.since, parts - house - reserve)
    return _with_award(replace(state, counters=counters, since=since), replace(award, step="undone"))
