"""What every command passes first: its id, the clock, a meter that is retired, and numbers within reason."""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import msgspec

from aceking.meter.commands import AnyCommand, Contribute
from aceking.meter.evolve import drawer
from aceking.meter.state import LinkState
from aceking.rules.refusal import Refusal

#: No amount of a meter, in minor units, and no count is larger than this.
AMOUNT_LARGEST = 10**12
#: How long a text may be, so that a record stays readable.
TEXT_LONGEST = 1_000
#: No contribution is of more wagers than this.
WAGERS_MOST = 10**6
#: A clock that is farther ahead than this is wrong; taken at its word, it would stop the link until then.
_AHEAD = timedelta(days=366)
_YEARS = range(2000, 2200)
_FIRST = datetime(_YEARS.start, 1, 1, tzinfo=UTC)
_ENCODER = msgspec.json.Encoder(order="sorted")


def digest(command: AnyCommand) -> str:
    """What a command with an id is recognised by when it comes again."""
    return hashlib.sha256(_ENCODER.encode(command)).hexdigest()


def repeated(state: LinkState, command: AnyCommand) -> bool | Refusal:
    """Whether this command was answered already; its id with another content is refused."""
    if command.id is None:
        return False
    before = state.answered.get(drawer(command.id), {}).get(command.id)
    if before is None:
        return False
    return before == digest(command) or Refusal(f"the id {command.id!r} was given to another command", "R20")


def stopped(state: LinkState, command: AnyCommand) -> Refusal | None:
    """What stands against a command whatever it asks for."""
    if command.at != state.clock and (wrong := _wrong_moment(state, command.at)):
        return wrong
    if state.retired is not None:
        return Refusal("the meter is retired", "R6")
    return _beyond_reason(command)


def _wrong_moment(state: LinkState, at: datetime) -> Refusal | None:
    if at.year not in _YEARS:
        return Refusal(f"no clock of a link shows the year {at.year}", "R20")
    if state.clock is not None and at < state.clock:
        return Refusal(f"the clock of the link stands at {state.clock.isoformat()}; it does not go back", "R20")
    if state.clock is not None and at - state.clock > _AHEAD:
        return Refusal(f"more than a year after {state.clock:%Y-%m-%d}: the clock of this command is wrong", "R20")
    return None


def moment(state: LinkState, command: AnyCommand) -> datetime:
    """When a refusal goes on the record: at the command's time, or where that cannot be, at the link's."""
    return command.at if _wrong_moment(state, command.at) is None else state.clock or _FIRST


def _beyond_reason(command: AnyCommand) -> Refusal | None:
    if command.id is not None and not command.id.strip():
        return Refusal("the id of a command is not empty", "R20")
    if isinstance(command, Contribute):
        # By far the most frequent command has one number.
        return Refusal("no table has so many wagers", "R1") if command.wagers > WAGERS_MOST else None
    for key, value in _leaves(msgspec.structs.asdict(command)):
        if isinstance(value, int) and abs(value) > AMOUNT_LARGEST:
            return Refusal(f"{key}: no number of a meter is so large", "R1")
        if isinstance(value, str) and len(value) > TEXT_LONGEST:
            return Refusal(f"{key}: no text is so long", "R19")
    return None


def _leaves(values: dict[str, object]) -> Iterator[tuple[str, object]]:
    """Every number and text of a command, also those in lists and tables, with the key that they are under."""
    for key, value in values.items():
        if isinstance(value, dict):
            yield from ((key, name) for name in value)
            yield from ((key, one) for _, one in _leaves(value))
        elif isinstance(value, tuple | list):
            yield from ((key, one) for one in value)
        else:
            yield key, value
