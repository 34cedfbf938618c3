"""Take a meter out of service: two persons, a reason, and where its money goes (R5, R6)."""

from aceking.meter.commands import Retire
from aceking.meter.configuration import two_of_the_floor
from aceking.meter.events import AnyEvent, Retired
from aceking.meter.must_hit_by import Seeds, reveal_trigger
from aceking.meter.state import MeterState, Retirement, pending
from aceking.rules.refusal import No, Refusal

_TWO = "a meter is retired by a supervisor and an executive together"


def retire(state: MeterState, command: Retire, seeds: Seeds) -> tuple[AnyEvent, ...] | No:
    """Move all money of the meter, its reserve and its overflow to another meter or a distribution.

    The house takes back only its own money that nobody has won.
    """
    if refused := _not_ready(state, command):
        return refused
    has = state.counters
    whole = has.value + has.reserve + has.overflow
    own = house_share(state)
    takes_own = command.to == "house" or command.seed == "recovered"
    if command.to == "house" and own < whole:
        return Refusal("players fed this meter: what is theirs goes to another meter or is distributed", "R6")
    if command.to != "house" and not command.place.strip():
        to_meter = command.to == "meter"
        return Refusal(
            "name where the money goes: the other meter" if to_meter else "name where the money goes: the distribution",
            "R6",
        )
    recovered = own if takes_own else 0
    record = Retirement(
        at=command.at,
        by=command.by,
        second=command.second,
        reason=command.reason,
        to=command.to,
        place=command.place,
        moved=whole - recovered,
        recovered=recovered,
    )
    return (*reveal_trigger(state, command, seeds), Retired(at=command.at, record=record))


def house_share(state: MeterState) -> int:
    """Return what is left of the house's base or last refill, in parts. The reserve belongs to the players."""
    return max(0, min(state.since.own - state.since.taken, state.counters.value))


def _not_ready(state: MeterState, command: Retire) -> Refusal | None:
    if state.config is None:
        return Refusal("the meter is not configured", "R5")
    if refused := two_of_the_floor(state, state.people, command.by, command.second, _TWO):
        return refused
    if not command.reason.strip():
        return Refusal("give a reason for the retirement", "R17")
    if waiting := pending(state):
        text = f"the award of table {waiting[0].table}, seat {waiting[0].seat} is not signed yet"
        return Refusal(text, "R6")
    if state.counters.owed:
        return Refusal("an award is signed and not paid yet", "R6")
    if state.phase == "open":
        return Refusal("the meter is in operation: close it first", "R5")
    return None
