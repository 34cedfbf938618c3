"""Manual adjustments: two persons, a reason, before and after on the record (R17)."""

from aceking.link.bylaws import FLOOR, Books, No, acts_as, clause_of
from aceking.link.commands import Adjust
from aceking.link.events import Adjusted, AnyEvent, AwardUndone
from aceking.link.state import Award, LinkState, pending
from aceking.rules.refusal import Refusal


def adjust(books: Books, state: LinkState, command: Adjust) -> tuple[AnyEvent, ...] | No:
    """Changes the meter by an amount, or undoes an award that was signed."""
    award = next((one for one in (*state.awards.values(), *state.hits) if one.id == command.undo), None)
    clause = "R17" if award is None else clause_of(books[award.book], "manual-adjustment", otherwise="R17")
    if state.config is None:
        return Refusal("the meter is not configured", "R5")
    if not command.reason.strip():
        return Refusal("an adjustment has a reason", clause)
    for name in (command.by, command.second):
        if refused := acts_as(state, name, FLOOR, clause):
            return refused
    if command.by == command.second:
        return Refusal("the second signature is another person's", clause)
    if waiting := pending(state):
        text = f"the award of table {waiting[0].table}, seat {waiting[0].seat} is to be signed or taken back first"
        return Refusal(text, "R6")
    if command.undo is None:
        return _by_amount(state, command)
    if award is None or not award.signed:
        return Refusal(f"there is no signed award {command.undo!r} among the last hits", clause)
    return _undo(state, command, award, clause)


def _by_amount(state: LinkState, command: Adjust) -> tuple[AnyEvent, ...] | Refusal:
    before = state.counters.value
    after = before + command.amount * state.scale
    assert state.config is not None
    if command.amount == 0:
        return Refusal("an adjustment of nothing", "R17")
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


def _undo(state: LinkState, command: Adjust, found: Award, clause: str) -> tuple[AnyEvent, ...] | Refusal:
    if command.amount:
        return Refusal("an award is undone whole", clause)
    if refused := _undo_refused(state, found):
        return refused
    before = state.counters.value
    seeds = found.seed_house + found.seed_reserve
    return (
        AwardUndone(
            at=command.at,
            id=found.id,
            by=command.by,
            second=command.second,
            reason=command.reason,
            from_meter=found.from_meter,
            seed_house=found.seed_house,
            seed_reserve=found.seed_reserve,
            recovered=found.amount if found.step == "paid" else 0,
            before=before,
            after=before + (found.from_meter - seeds) * state.scale,
        ),
    )


def _undo_refused(state: LinkState, award: Award) -> Refusal | None:
    after = state.counters.value + (award.from_meter - award.seed_house - award.seed_reserve) * state.scale
    if after < 0:
        return Refusal("the refill that came with this award has been won since", "R6")
    if state.config is not None and state.config.limit is not None and after > state.config.limit * state.scale:
        return Refusal("what comes back would exceed the limit", "R7")
    return None
