"""The checks that every command passes first: its id, its time, a retired meter, and the size of its values."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from aceking.meter.commands import AnyCommand, Contribute
from aceking.meter.evolve import bucket
from aceking.meter.state import MeterState
from aceking.rules.refusal import Refusal

#: The largest amount, in minor units, and the largest count.
AMOUNT_LARGEST = 10**12
#: Characters in a text of a command.
TEXT_LONGEST = 1_000
#: The most wagers in one contribution.
WAGERS_MOST = 10**6
#: A command farther ahead than this has a wrong clock; accepted, it would stop the meter until then.
_AHEAD = timedelta(days=366)
_YEARS = range(2000, 2200)
_FIRST = datetime(_YEARS.start, 1, 1, tzinfo=UTC)
_ENCODER = msgspec.json.Encoder(order="sorted")


def digest(command: AnyCommand) -> str:
    """Return the hash that recognises a repeated command."""
    return hashlib.sha256(_ENCODER.encode(command)).hexdigest()


def repeated(state: MeterState, command: AnyCommand) -> bool | Refusal:
    """Return True if this command was answered before; the same id with other content is refused."""
    if command.id is None:
        return False
    before = state.answered.get(bucket(command.id), {}).get(command.id)
    if before is None:
        return False
    return before == digest(command) or Refusal(f"the id {command.id!r} was given to another command", "R20")


def stopped(state: MeterState, command: AnyCommand) -> Refusal | None:
    """Return the refusal of a command by its time, its size or a retired meter, or None."""
    if command.at != state.clock and (wrong := _wrong_moment(state, command.at)):
        return wrong
    if state.retired is not None:
        return Refusal("the meter is retired", "R6")
    return _too_large(command)


def _wrong_moment(state: MeterState, at: datetime) -> Refusal | None:
    if at.year not in _YEARS:
        return Refusal(f"no clock of a meter shows the year {at.year}", "R20")
    if state.clock is not None and at < state.clock:
        return Refusal(f"the clock of the meter stands at {state.clock.isoformat()}; it does not go back", "R20")
    if state.clock is not None and at - state.clock > _AHEAD:
        return Refusal(f"more than a year after {state.clock:%Y-%m-%d}: the clock of this command is wrong", "R20")
    return None


def moment(state: MeterState, command: AnyCommand) -> datetime:
    """Return the time to record a refusal at: the command's, or if that is wrong, the meter's."""
    return command.at if _wrong_moment(state, command.at) is None else state.clock or _FIRST


def _too_large(command: AnyCommand) -> Refusal | None:
    if command.id is not None and not command.id.strip():
        return Refusal("the id of a command is not empty", "R20")
    if isinstance(command, Contribute):
        # By far the most frequent command has one number.
        return Refusal("no table has that many wagers", "R1") if command.wagers > WAGERS_MOST else None
    for key, value in _leaves(msgspec.structs.asdict(command)):
        if isinstance(value, int) and abs(value) > AMOUNT_LARGEST:
            return Refusal(f"{key}: no number of a meter is so large", "R1")
        if isinstance(value, str) and len(value) > TEXT_LONGEST:
            return Refusal(f"{key}: no text is so long", "R19")
    return None


def _leaves(values: dict[str, object]) -> Iterator[tuple[str, object]]:
    """Yield every number and text of a command, also those in lists and tables, with their key."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from ((key, name) for name in value)
            yield from ((key, one) for _, one in _leaves(value))
        elif isinstance(value, tuple | list):
            yield from ((key, one) for one in value)
        else:
            yield key, value
