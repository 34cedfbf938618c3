"""What becomes of a batch: the one rule of ids, versions and chain, for every store. It reads and writes nothing."""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256

import msgspec

from aceking.house.record import Part, Unit, body, chained, read_answer
from aceking.house.store.compression import unpack
from aceking.house.store.protocol import Clash, Conflict, Outcome, Repeated, Touch, Written


class Known(msgspec.Struct, frozen=True):
    """A command that was answered."""

    seq: int
    digest: str
    reply: msgspec.Raw


@lru_cache(maxsize=1024)  # a batch asks for each of its ids twice
def key(command_id: str) -> int:
    """What the log is indexed by to find a command: 64 bits of its hash. Others may share it; the body has the id."""
    return int.from_bytes(sha256(command_id.encode()).digest()[:8], signed=True)


def answered(rows: Iterable[tuple[int, bytes]], ids: Container[str]) -> dict[str, Known]:
    """Of these entries, which were found by their keys, those that answered one of these commands."""
    found = {}
    for seq, stored in rows:
        answer = read_answer(unpack(stored))
        if answer.id in ids:
            found[answer.id] = Known(seq, answer.digest, answer.reply)
    return found


class Entry(msgspec.Struct, frozen=True):
    """A row of the log that is to be written."""

    seq: int
    at: int
    key: int
    body: bytes
    hash: bytes


@dataclass(slots=True)
class Batch:
    """Outcomes in the order of the units, and what is to be written if they are to come true."""

    seq: int
    tip: bytes  # the hash of the newest entry
    outcomes: list[Outcome] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    touches: list[tuple[Touch, int]] = field(default_factory=list)
    commands: dict[str, tuple[int, Unit]] = field(default_factory=dict)  # by id: where it is written, and what
    heads: dict[str, int] = field(default_factory=dict)
    lost: set[str] = field(default_factory=set)  # ids of units that are not written as they were decided
    secrets: dict[str, bytes | None] = field(default_factory=dict)


def weigh(
    units: Sequence[Unit], *, seq: int, tip: bytes, heads: Mapping[str, int], known: Mapping[str, Known]
) -> Batch:
    """Judges each unit on the log as the units before it leave it."""
    batch = Batch(seq, tip)
    for unit in units:
        outcome = _outcome(batch, unit, heads, known)
        batch.outcomes.append(outcome)
        if not isinstance(outcome, Written):
            batch.lost.add(unit.id)
    return batch


def _outcome(batch: Batch, unit: Unit, heads: Mapping[str, int], known: Mapping[str, Known]) -> Outcome:
    # The id comes before the versions: a command that is sent again was decided on versions that have passed.
    before = _before(batch, unit.id) or known.get(unit.id)
    if before is not None:
        return Repeated(before.seq, before.reply) if before.digest == unit.digest else Clash()
    assert len({part.stream for part in unit.parts}) == len(unit.parts), f"{unit.id}: a stream is named twice"
    # What it was decided on may be lost, and another process may have written as many events in its place.
    overtaken = not batch.lost.isdisjoint(unit.on)
    for stream, expected in standing(unit):
        head = batch.heads.get(stream, heads.get(stream, 0))
        if expected != head or overtaken:
            return Conflict(stream, expected=expected, head=head)
    return _written(batch, unit)


def _before(batch: Batch, command_id: str) -> Known | None:
    """A command that an earlier unit of the same batch answers."""
    found = batch.commands.get(command_id)
    return None if found is None else Known(found[0], found[1].digest, found[1].reply)


def standing(unit: Unit) -> list[tuple[str, int]]:
    """The streams that a unit stands on, and the version of each: those that it moves, and those that it only saw."""
    for part in unit.parts:
        assert part.events, f"{unit.id}: nothing happens in {part.stream}"
    return [*[(part.stream, part.after) for part in unit.parts], *unit.seen]


def _written(batch: Batch, unit: Unit) -> Written:
    written = body(unit)
    batch.seq += 1
    batch.tip = chained(batch.tip, written)
    batch.entries.append(Entry(batch.seq, unit.at, key(unit.id), written, batch.tip))
    batch.commands[unit.id] = (batch.seq, unit)
    for touch in touches(unit.parts):
        batch.heads[touch.stream] = touch.version
        batch.touches.append((touch, batch.seq))
    if unit.unseals or unit.seals:
        batch.secrets.update(dict.fromkeys(unit.unseals))
        batch.secrets.update(unit.seals)
    return Written(batch.seq, batch.tip)


def touches(parts: Iterable[Part]) -> list[Touch]:
    """The streams that a unit moves, and where to."""
    return [Touch(part.stream, part.version) for part in parts]
