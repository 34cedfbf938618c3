"""A store in memory on a simulated disk: the same semantics, with every fault that a seed can ask for.

A batch is one frame: its length, its checksum, and what it adds. A frame that is torn at the end of the file never
happened; one that is wrong anywhere else is damage.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import starmap

import msgspec
from sqlalchemy import Connection

from aceking.house.record import GENESIS, Unit, read_unit
from aceking.house.store.batch import Batch, Known, judge_batch, touches
from aceking.house.store.chain import NOTHING, LogRow, checked, follow
from aceking.house.store.compression import pack, unpack
from aceking.house.store.errors import Damaged, StoreFailed, Unsure
from aceking.house.store.protocol import AppendOutcome, Logged, Repeated, Snapshot, StoredRows, Summary, Touch
from tests.house.store.disk import Disk

_LENGTH = 8
_HEADER = _LENGTH + 32


class _Frame(msgspec.Struct, frozen=True, array_like=True):
    entries: list[tuple[int, int, bytes, bytes]] = []
    secrets: dict[str, bytes | None] = {}
    snapshots: list[Snapshot] = []


_FRAME = msgspec.msgpack.Decoder(_Frame)


class MemoryStore:
    """Opens what the disk has; a torn end is cut off."""

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self._rows: list[LogRow] = []
        self._heads: dict[str, int] = {}
        self._commands: dict[str, Known] = {}
        self._touches: dict[str, dict[int, int]] = {}
        self._secrets: dict[str, bytes] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._broken = ""
        self._size = 0
        data = disk.read()
        for frame, end in _frames(data):
            self._take(frame)
            self._size = end
        if self._size < len(data):
            self._cut()

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        """Write all units in one frame."""
        seq, tip = self.last()
        batch = judge_batch(units, seq=seq, tip=tip, heads=self._heads, known=self._commands)
        if batch.entries:
            self._write(_frame(batch), synced=True)
        return batch.outcomes

    def last(self) -> tuple[int, bytes]:
        """The newest entry's number and hash."""
        return (self._rows[-1].seq, self._rows[-1].hash) if self._rows else (0, GENESIS)

    def heads(self) -> dict[str, int]:
        """The version of every stream."""
        return dict(self._heads)

    def log(self, after: int = 0, upto: int | None = None) -> Iterator[Logged]:
        """Entries in their order, each checked against the hash before it."""
        end = len(self._rows) if upto is None else upto
        return follow(self._rows[after:end], seq=after, before=self._hash(after))

    def news(self, after: int, written: Mapping[int, bytes] = NOTHING) -> tuple[list[Logged], dict[str, bytes]]:
        """Every entry after this one, and the secrets."""
        entries = follow(self._rows[after:], seq=after, before=self._hash(after), written=written)
        return list(entries), self.sealed()

    def stream(self, name: str, after: int = 0) -> Iterator[Logged]:
        """The entries that touch a stream, from the first that brings it beyond a version."""
        for version, seq in self._touches.get(name, {}).items():
            if version > after:
                yield checked(self._rows[seq - 1], self._hash(seq - 1))

    def answer(self, command_id: str) -> Repeated | None:
        """What a command was told, if it was written."""
        known = self._commands.get(command_id)
        return Repeated(known.seq, known.reply) if known else None

    def sealed(self) -> dict[str, bytes]:
        """The secrets, which are not in the log."""
        return dict(self._secrets)

    def snapshot(self, taken: Sequence[Snapshot]) -> None:
        """Keeps states, the newest of each stream; a cache need not be synced."""
        self._write(_Frame(snapshots=list(taken)), synced=False)

    def snapshots(self) -> dict[str, Snapshot]:
        """The state kept of each stream."""
        return dict(self._snapshots)

    def summary(self, *, counted: bool = False) -> Summary:
        """Return the store as it is at this moment."""
        seq, tip = self.last()
        rows = StoredRows(len(self._rows), sum(map(len, self._touches.values()))) if counted else None
        return Summary(seq=seq, hash=tip, heads=self.heads(), rows=rows)

    def indexed(
        self, ids: Sequence[str], touches: Sequence[Touch]
    ) -> tuple[Mapping[str, list[int]], Mapping[Touch, int]]:
        """To which entries the indexes lead."""
        commands = {one: [self._commands[one].seq] for one in ids if one in self._commands}
        moves = {one: self._touches.get(one.stream, {}).get(one.version) for one in touches}
        return commands, {one: seq for one, seq in moves.items() if seq is not None}

    @contextmanager
    def aside(self) -> Iterator[Connection]:
        """A transaction on the small tables that are not in the log."""
        with self.disk.aside.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A short read of the small tables."""
        with self.disk.aside.connect() as connection:
            yield connection

    def close(self) -> None:
        """Do nothing: there is no file and no connection."""

    def _hash(self, seq: int) -> bytes:
        if seq > len(self._rows):
            raise Damaged(seq, "it is missing")
        return self._rows[seq - 1].hash if seq else GENESIS

    def _write(self, frame: _Frame, *, synced: bool) -> None:
        if self._broken:
            raise StoreFailed(self._broken)
        payload = msgspec.msgpack.encode(frame)
        data = len(payload).to_bytes(_LENGTH) + sha256(payload).digest() + payload
        try:
            self.disk.append(data)
            if synced:
                self.disk.sync()
        except OSError as error:
            self._cut()
            raise StoreFailed(f"{error.strerror}") from error
        self._size += len(data)
        self._take(frame)

    def _cut(self) -> None:
        """Makes sure that what failed is not there after a crash either."""
        try:
            self.disk.cut(self._size)
            self.disk.sync()
        except OSError as error:
            self._broken = "the house must be started again, for a failed write was not undone"
            raise Unsure(f"{error.strerror}") from error

    def _take(self, frame: _Frame) -> None:
        for row in starmap(LogRow, frame.entries):
            self._rows.append(row)
            unit = read_unit(unpack(row.body))
            self._commands[unit.id] = Known(row.seq, unit.digest, unit.reply)
            for touch in touches(unit.parts):
                self._heads[touch.stream] = touch.version
                self._touches.setdefault(touch.stream, {})[touch.version] = row.seq
        for name, secret in frame.secrets.items():
            if secret is None:
                self._secrets.pop(name, None)
            else:
                self._secrets[name] = secret
        for one in frame.snapshots:
            kept = self._snapshots.get(one.stream)
            if kept is None or kept.seq <= one.seq:
                self._snapshots[one.stream] = one


def _frame(batch: Batch) -> _Frame:
    return _Frame([(one.seq, one.at, pack(one.body), one.hash) for one in batch.entries], batch.secrets)


def _frames(data: bytes) -> Iterator[tuple[_Frame, int]]:
    """Every whole frame, and where it ends."""
    place = seq = 0
    while len(data) - place >= _HEADER:
        start = place + _HEADER
        end = start + int.from_bytes(data[place : place + _LENGTH])
        if end > len(data):
            return
        payload = data[start:end]
        if sha256(payload).digest() != data[place + _LENGTH : start]:
            if end == len(data):
                return
            raise Damaged(seq + 1, "its checksum is wrong")
        frame = _FRAME.decode(payload)
        seq += len(frame.entries)
        yield frame, end
        place = end
