"""The next state after an event of an award: its steps, undoing it, and a trigger that is reached."""

from msgspec.structs import replace

from aceking.award import steps
from aceking.meter.events import (
    AwardSigned,
    AwardUndone,
    AwardVerified,
    Paid,
    SupervisorCalled,
    TriggerReached,
    WinPagePrinted,
)
from aceking.meter.state import HITS_LISTED, MUST_HIT_BY, MeterAward, MeterState, SinceHit


def on_award(
    state: MeterState, event: SupervisorCalled | AwardVerified | AwardSigned | WinPagePrinted | Paid | AwardUndone
) -> MeterState:
    match event:
        case SupervisorCalled():
            return _with_award(state, steps.called(state.awards[event.id]))
        case AwardVerified():
            award = steps.verified(state.awards[event.id], event.by)
            award = replace(award, verified=event.number, verified_at=event.at)
            return _with_award(replace(state, verified=state.verified + 1), award)
        case AwardSigned():
            return _signed(state, event)
        case WinPagePrinted():
            return _with_award(state, replace(steps.printed(_award(state, event.id)), printed_at=event.at))
        case Paid():
            has, parts = state.counters, event.from_meter * state.scale
            state = replace(state, counters=replace(has, owed=has.owed - parts, paid=has.paid + parts))
            award = steps.paid(_award(state, event.id), event.by)
            return _removed_if_paid(_with_award(state, replace(award, paid_at=event.at)), award)
        case AwardUndone():
            return _undone(state, event)


def outlives(award: MeterAward) -> bool:
    """Return True if an award stays when its round ends: an award by trigger that is not paid."""
    return award.hand == MUST_HIT_BY and award.step != "paid"


def _removed_if_paid(state: MeterState, award: MeterAward) -> MeterState:
    """Remove a paid award by trigger whose round has ended."""
    table = state.tables.get(award.table)
    if award.hand != MUST_HIT_BY or (table is not None and table.running and table.game == award.game):
        return state
    return replace(state, awards={key: one for key, one in state.awards.items() if key != award.id})


def _award(state: MeterState, key: str) -> MeterAward:
    award = state.awards.get(key)
    return award if award is not None else next(one for one in state.hits if one.id == key)


def _with_award(state: MeterState, award: MeterAward) -> MeterState:
    """Replace the award among the open ones and in the list of hits."""
    awards = {**state.awards, award.id: award} if award.id in state.awards else state.awards
    hits = tuple(award if one.id == award.id else one for one in state.hits)
    return replace(state, awards=awards, hits=hits)


def _signed(state: MeterState, event: AwardSigned) -> MeterState:
    has = state.counters
    sealed = {key: _sealed_with(state.awards[key], event.sealed) for key in event.sealed}
    award = steps.with_signature(sealed.get(event.id, state.awards[event.id]), event.by, event.role)
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
    return occasion_over(state)


def _sealed_with(award: MeterAward, ids: tuple[str, ...]) -> MeterAward:
    """Make an amount final, with the awards that share; one that was final keeps its own."""
    if award.sealed:
        return award
    return replace(award, sealed=True, shares=tuple(one for one in ids if one != award.id))


def _undone(state: MeterState, event: AwardUndone) -> MeterState:
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
    since = since_adjusted(state.since, parts - house - reserve)
    since = replace(since, own=max(0, since.own - house))
    state = _with_award(replace(state, counters=counters, since=since), steps.undone(award))
    for key in event.anew:
        state = _with_award(state, replace(_award(state, key), anew=True))
    return state


def reached(state: MeterState, event: TriggerReached) -> MeterState:
    """Set the award aside and refill the meter. Contributions of running rounds are won, so they cannot be reversed."""
    has, award = state.counters, event.award
    won, house, reserve = (one * state.scale for one in (award.amount, award.seed_house, award.seed_reserve))
    counters = replace(
        has,
        value=has.value - won + house + reserve,
        locked=has.locked + won,
        seeded=has.seeded + house,
        reserve=has.reserve - reserve,
        reserve_used=has.reserve_used + reserve,
    )
    return replace(
        state,
        counters=counters,
        awards={**state.awards, award.id: award},
        tables={name: replace(table, game_fed=0) for name, table in state.tables.items()},
        since=event.since,
        recognised=state.recognised + 1,
        trigger=None,
        shown=(*state.shown, event.shown),
    )


def occasion_over(state: MeterState) -> MeterState:
    """End the occasion if all its amounts are final."""
    if any(one.major and not one.sealed for one in state.awards.values()):
        return state
    return replace(state, occasion=None)


def since_adjusted(since: SinceHit, parts: int) -> SinceHit:
    """Return the history with an adjustment added."""
    return replace(since, adjusted=since.adjusted + parts)
