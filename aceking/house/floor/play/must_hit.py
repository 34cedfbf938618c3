"""Must-hit-by meters on the floor: what a table's round means for them, and what a hit means for its player.

The side wager that feeds the table's own meter feeds these too, if they are in operation. A trigger is drawn in the
unit that leaves its meter without one; its seed is stored outside the log, like those of the decks. The award of a
trigger goes into the player's purse when two persons have confirmed and signed it; no table waits for that.
"""

from aceking.house.floor import events as hp
from aceking.house.floor.draft import BOOK, PROGRAM, Draft, moment
from aceking.meter import commands as k
from aceking.meter import events as le
from aceking.meter.state import MeterState
from aceking.table import event as ev


def meters_to_feed(draft: Draft, table: str) -> tuple[str, ...]:
    """Return the must-hit-by meters in operation that a round of this table feeds now."""
    posted = draft.table(table).posted
    return tuple(name for name in posted.must_hit if _takes(draft.floor.meters[name], table))


def _takes(state: MeterState, table: str) -> bool:
    linked = state.tables.get(table)
    return state.phase == "open" and linked is not None and not (linked.running or linked.suspended or linked.fault)


def running_meters(draft: Draft, table: str) -> tuple[str, ...]:
    """Return the must-hit-by meters on which the round of this table has begun."""
    posted = draft.table(table).posted
    return tuple(name for name in posted.must_hit if _began(draft.floor.meters[name], table))


def _began(state: MeterState, table: str) -> bool:
    linked = state.tables.get(table)
    return linked is not None and linked.running


def ending(draft: Draft, table: str, event: ev.TableEvent) -> k.EndMeterGame | k.VoidRound | None:
    """Return the meter's command for the end of a round, with or without a result; None for other events."""
    at = moment(draft.at)
    match event:
        case ev.RoundEnded():
            return k.EndMeterGame(at=at, table=table, by=PROGRAM)
        case ev.RoundVoided():
            rules = draft.book(table).progressive
            feed: k.Feed | None = None if rules is not None and rules.void_feed is not None else "reversed"
            return k.VoidRound(at=at, table=table, by=BOOK, reason=f"no result ({event.clause})", feed=feed)
        case _:
            return None


def follows(draft: Draft, meter: str, event: le.AnyEvent) -> k.AnyCommand | None:
    """Add the floor's events for an event of a must-hit-by meter. Return the command that follows on the meter, or
    None."""
    state, at = draft.floor.meters[meter], moment(draft.at)
    if state.ceiling is None:
        return None
    match event:
        case le.TriggerReached():
            draft.unseal(event.shown.drawn.commitment)
            award = event.award
            draft.add("cage", _won(draft, meter, event))
            return k.CallMeterSupervisor(at=at, table=award.table, by=PROGRAM, seat=award.seat)
        case le.TriggerShown():
            draft.unseal(event.shown.drawn.commitment)
        case le.AwardSigned():
            signed = state.awards[event.id]
            return k.PayMeterAward(at=at, table=signed.table, by=PROGRAM, seat=signed.seat, amount=signed.amount)
        case le.Paid():
            won = draft.floor.cage.won[f"{meter}/{event.id}"]
            assert state.config is not None
            paid = hp.TriggerPaid(
                meter=meter,
                award=event.id,
                player=won.player,
                currency=state.config.currency,
                amount=won.amount,
            )
            draft.add("cage", paid)
        case _:
            pass
    return None


def _won(draft: Draft, meter: str, event: le.TriggerReached) -> hp.TriggerWon:
    award = event.award
    current = draft.table(award.table).table.round
    assert current is not None, "a wager is in a round"
    player = current.boxes[award.seat].player
    return hp.TriggerWon(
        meter=meter, award=award.id, table=award.table, box=award.seat, player=player, amount=award.amount
    )


def draw(draft: Draft, meter: str) -> k.DrawTrigger | None:
    """Return the command that draws the next trigger; None if the meter needs none."""
    state = draft.floor.meters[meter]
    if state.ceiling is None or state.trigger is not None or state.phase == "retired":
        return None
    return k.DrawTrigger(at=moment(draft.at), by=PROGRAM, commitment=draft.seal())
