"""Manual adjustments: two persons, a reason, the values before and after (R17)."""

from aceking.award import steps
from aceking.award.authority import clause_of
from aceking.meter.awards.winners import WinnersDraft, open_majors, over_limit
from aceking.meter.commands import AdjustMeter
from aceking.meter.events import Adjusted, AnyEvent, AwardUndone
from aceking.meter.evolve import adjustment_key
from aceking.meter.governing_rules import Books, person, same_voucher
from aceking.meter.must_hit_by import CLAUSE
from aceking.meter.state import MUST_HIT_BY, MeterAward, MeterState, pending
from aceking.rules.refusal import No, Refusal


def adjust(books: Books, state: MeterState, command: AdjustMeter) -> tuple[AnyEvent, ...] | No:
    """Change the meter by an amount, or undo a final award."""
    award = next((one for one in (*state.awards.values(), *state.hits) if one.id == command.undo), None)
    # If the book of the award has left the meter since, R17 is cited alone.
    book = None if award is None else books.get(award.book)
    clause = "R17" if book is None else clause_of(book, "manual-adjustment", otherwise="R17")
    if state.config is None:
        return Refusal("the meter is not configured", "R5")
    by, second = person(state, command.by), person(state, command.second)
    act = steps.BackOut(by=by, second=second, reason=command.reason)
    if refused := steps.not_backed_out(book, act) or same_voucher(state, command.by, command.second, clause):
        return refused
    if command.undo is None:
        return _by_amount(state, command)
    if award is not None and award.hand == MUST_HIT_BY:
        return Refusal("the trigger was reached and is known: that award stands", CLAUSE)
    # Amounts that are not final would change with the meter.
    waiting = [one for one in open_majors(state) if not one.sealed]
    if award is not None and award.major and waiting:
        return _first(waiting[0])
    if award is None or not (award.signed or (award.sealed and award.open)):
        return Refusal(f"there is no signed award {command.undo!r} among the last hits", clause)
    if command.amount:
        return Refusal("an award is undone whole", clause)
    return _undo(state, command, award)


def _first(waiting: MeterAward) -> Refusal:
    return Refusal(f"the award of table {waiting.table}, seat {waiting.seat} is to be signed or taken back first", "R6")


def _by_amount(state: MeterState, command: AdjustMeter) -> tuple[AnyEvent, ...] | Refusal:
    before = state.counters.value
    after = before + command.amount * state.scale
    assert state.config is not None
    # An award by trigger is final, and does not change with the meter.
    if state.ceiling is None and (waiting := pending(state)):
        return _first(waiting[0])
    if adjustment_key(command) == state.adjustment:
        return Refusal("this adjustment is on the record; another one has its own moment", "R17")
    if command.amount == 0:
        return Refusal("an adjustment of 0 changes nothing", "R17")
    if command.amount > 0 and state.ceiling is not None:
        text = "a must-hit-by meter is not raised by hand: its trigger could be passed, and nobody would win it"
        return Refusal(text, CLAUSE)
    if after < 0:
        return Refusal("the meter has less than that", "R6")
    if state.config.limit is not None and after > state.config.limit * state.scale:
        return Refusal("the adjustment exceeds the limit", "R7")
    return (
        Adjusted(
            at=command.at,
            by=command.by,
            second=command.second,
            reason=command.reason,
            amount=command.amount,
            before=before,
            after=after,
        ),
    )


def _undo(state: MeterState, command: AdjustMeter, award: MeterAward) -> tuple[AnyEvent, ...]:
    """Put the award's money back on the meter, and take back its refill as far as nobody has won it since."""
    before = state.counters.value
    available = before // state.scale + award.from_meter
    reserve = min(award.seed_reserve, available)
    house = min(award.seed_house, available - reserve)
    listed = {one.id: one for one in (*state.hits, *state.awards.values())}
    draft = WinnersDraft(state)
    draft.add(
        AwardUndone(
            at=command.at,
            id=award.id,
            by=command.by,
            second=command.second,
            reason=command.reason,
            from_meter=award.from_meter,
            seed_house=house,
            seed_reserve=reserve,
            recovered=award.amount if award.step == "paid" else 0,
            anew=tuple(key for key in award.shares if key in listed and not listed[key].gone),
            before=before,
            after=before + (award.from_meter - house - reserve) * state.scale,
        )
    )
    # Tables may have fed the meter since: what exceeds the limit is overflow (R7).
    over_limit(draft, command.at)
    return tuple(draft.events)
