"""Manual adjustments: two persons, a reason, before and after on the record (R17)."""

from aceking.award import steps
from aceking.award.authority import clause_of
from aceking.meter.awards.winners import Draft, open_majors, over_limit
from aceking.meter.commands import Adjust
from aceking.meter.events import Adjusted, AnyEvent, AwardUndone
from aceking.meter.evolve import adjustment_key
from aceking.meter.governing_rules import Books, No, one_word, person
from aceking.meter.must_hit_by import CLAUSE
from aceking.meter.state import MUST_HIT_BY, Award, LinkState, pending
from aceking.rules.refusal import Refusal


def adjust(books: Books, state: LinkState, command: Adjust) -> tuple[AnyEvent, ...] | No:
    """Changes the meter by an amount, or undoes an award that is final."""
    award = next((one for one in (*state.awards.values(), *state.hits) if one.id == command.undo), None)
    # The book of an award may have left the link since; then the requirement stands alone.
    book = None if award is None else books.get(award.book)
    clause = "R17" if book is None else clause_of(book, "manual-adjustment", otherwise="R17")
    if state.config is None:
        return Refusal("the meter is not configured", "R5")
    by, second = person(state, command.by), person(state, command.second)
    act = steps.BackOut(by=by, second=second, reason=command.reason)
    if refused := steps.not_backed_out(book, act) or one_word(state, command.by, command.second, clause):
        return refused
    if command.undo is None:
        return _by_amount(state, command)
    if award is not None and award.hand == MUST_HIT_BY:
        return Refusal("the trigger was reached and is known: that award stands", CLAUSE)
    # What is final waits for its signature and does not move with the meter any more; the others do.
    waiting = [one for one in open_majors(state) if not one.sealed]
    if award is not None and award.major and waiting:
        return _first(waiting[0])
    if award is None or not (award.signed or (award.sealed and award.open)):
        return Refusal(f"there is no signed award {command.undo!r} among the last hits", clause)
    if command.amount:
        return Refusal("an award is undone whole", clause)
    return _undo(state, command, award)


def _first(waiting: Award) -> Refusal:
    return Refusal(f"the award of table {waiting.table}, seat {waiting.seat} is to be signed or taken back first", "R6")


def _by_amount(state: LinkState, command: Adjust) -> tuple[AnyEvent, ...] | Refusal:
    before = state.counters.value
    after = before + command.amount * state.scale
    assert state.config is not None
    # What a trigger has given is final, and does not move with the meter.
    if state.ceiling is None and (waiting := pending(state)):
        return _first(waiting[0])
    if adjustment_key(command) == state.adjustment:
        return Refusal("this adjustment is on the record; another one has its own moment", "R17")
    if command.amount == 0:
        return Refusal("an adjustment of nothing", "R17")
    if command.amount > 0 and state.ceiling is not None:
        text = "a must-hit-by meter is not raised by hand: its trigger could be passed, and nobody would win it"
        return Refusal(text, CLAUSE)
    if after < 0:
        return Refusal("the meter does not have so much", "R6")
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


def _undo(state: LinkState, command: Adjust, found: Award) -> tuple[AnyEvent, ...]:
    """The award's part is on the meter again, and its refill goes back, as far as it was not won since."""
    before = state.counters.value
    there = before // state.scale + found.from_meter
    reserve = min(found.seed_reserve, there)
    house = min(found.seed_house, there - reserve)
    listed = {one.id: one for one in (*state.hits, *state.awards.values())}
    draft = Draft(state)
    draft.add(
        AwardUndone(
            at=command.at,
            id=found.id,
            by=command.by,
            second=command.second,
            reason=command.reason,
            from_meter=found.from_meter,
            seed_house=house,
            seed_reserve=reserve,
            recovered=found.amount if found.step == "paid" else 0,
            anew=tuple(key for key in found.shares if key in listed and not listed[key].gone),
            before=before,
            after=before + (found.from_meter - house - reserve) * state.scale,
        )
    )
    # Others may have fed the meter meanwhile: what it cannot hold is overflow (R7).
    over_limit(draft, command.at)
    return tuple(draft.events)
