"""Judge a batch: the rules of ids, versions and chain, the same for every store. It reads and writes nothing."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256

import msgspec

from aceking.house.record import StreamPart, Unit, body, chained, read_answer
from aceking.house.store.compression import unpack
from aceking.house.store.protocol import AppendOutcome, Clash, Conflict, Repeated, Touch, Written


class Known(msgspec.Struct, frozen=True):
    """A command that was answered."""

    seq: int
    digest: str
    reply: msgspec.Raw


@lru_cache(maxsize=1024)  # called twice for each id of a batch
def key(command_id: str) -> int:
    """Return the index key of a command: 64 bits of the hash of its id. Others may share it; the body has the id."""
    return int.from_bytes(sha256(command_id.encode()).digest()[:8], signed=True)


def answered(rows: Iterable[tuple[int, bytes]], ids: Container[str]) -> dict[str, Known]:
    """Return the answers to these commands among the entries found by their keys."""
    answers = {}
    for seq, stored in rows:
        answer = read_answer(unpack(stored))
        if answer.id in ids:
            answers[answer.id] = Known(seq, answer.digest, answer.reply)
    return answers


class LogEntry(msgspec.Struct, frozen=True):
    seq: int
    at: int
    key: int
    body: bytes
    hash: bytes


@dataclass(slots=True)
class Batch:
    """The outcomes in the order of the units, and the rows to write."""

    seq: int
    tip: bytes  # the hash of the newest entry
    outcomes: list[AppendOutcome] = field(default_factory=list)
    entries: list[LogEntry] = field(default_factory=list)
    touches: list[tuple[Touch, int]] = field(default_factory=list)
    commands: dict[str, tuple[int, Unit]] = field(default_factory=dict)  # by id: entry number and unit
    heads: dict[str, int] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)  # ids of units that will not be written
    secrets: dict[str, bytes | None] = field(default_factory=dict)


def judge_batch(
    units: Sequence[Unit], *, seq: int, tip: bytes, heads: Mapping[str, int], known: Mapping[str, Known]
) -> Batch:
    """Decide the outcome of each unit on the log as the units before it leave it."""
    batch = Batch(seq, tip)
    for unit in units:
        outcome = _outcome(batch, unit, heads, known)
        batch.outcomes.append(outcome)
        if not isinstance(outcome, Written):
            batch.lost.add(unit.id)
    return batch


def _outcome(batch: Batch, unit: Unit, heads: Mapping[str, int], known: Mapping[str, Known]) -> AppendOutcome:
    # The id comes before the versions: a repeated command was decided on older versions.
    before = _before(batch, unit.id) or known.get(unit.id)
    if before is not None:
        return Repeated(before.seq, before.reply) if before.digest == unit.digest else Clash()
    assert len({part.stream for part in unit.parts}) == len(unit.parts), f"{unit.id}: a stream is named twice"
    # If a unit that it was decided on is lost, another process may have written as many events in its place.
    overtaken = not batch.lost.isdisjoint(unit.on)
    for stream, expected in read_versions(unit):
        head = batch.heads.get(stream, heads.get(stream, 0))
        if expected != head or overtaken:
            return Conflict(stream, expected=expected, head=head)
    return _written(batch, unit)


def _before(batch: Batch, command_id: str) -> Known | None:
    """Return the answer of an earlier unit of the same batch, or None."""
    earlier = batch.commands.get(command_id)
    return None if earlier is None else Known(earlier[0], earlier[1].digest, earlier[1].reply)


def read_versions(unit: Unit) -> list[tuple[str, int]]:
    """Return the streams that a unit moves or has read, each with the version that it was decided on."""
    for part in unit.parts:
        assert part.events, f"{unit.id}: {part.stream} has no events"
    return [*[(part.stream, part.after) for part in unit.parts], *unit.seen]


def _written(batch: Batch, unit: Unit) -> Written:
    written = body(unit)
    batch.seq += 1
    batch.tip = chained(batch.tip, written)
    batch.entries.append(LogEntry(batch.seq, unit.at, key(unit.id), written, batch.tip))
    batch.commands[unit.id] = (batch.seq, unit)
    for touch in touches(unit.parts):
        batch.heads[touch.stream] = touch.version
        batch.touches.append((touch, batch.seq))
    if unit.seeds_deleted or unit.seeds_added:
        batch.secrets.update(dict.fromkeys(unit.seeds_deleted))
        batch.secrets.update(unit.seeds_added)
    return Written(batch.seq, batch.tip)


def touches(parts: Iterable[StreamPart]) -> list[Touch]:
    """Return the streams that a unit moves, each with its new version."""
    return [Touch(part.stream, part.version) for part in parts]
