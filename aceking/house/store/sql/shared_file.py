"""Worker processes on one SQLite file.

A file lock lets one process write at a time; the system releases it if its holder dies. After a write the process
wakes the others through pipes. The server makes the pipes and the lock on the house before it starts the workers.
"""

import fcntl
import os
import select
import sqlite3
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.dialects import sqlite

from aceking.house.record import GENESIS
from aceking.house.store.batch import Batch
from aceking.house.store.chain import LogRow
from aceking.house.store.errors import CannotOpen
from aceking.house.store.protocol import AppendOutcome
from aceking.house.store.sql.queries import FROM, HEADS, LAST, SEALED, unread
from aceking.house.store.sql.sqlite import SqliteStore, connected, locked, must_exist

_ENTRY = struct.Struct("!q")
_FULL = 1 << 16  # bytes that a pipe holds
_SQLITE = sqlite.dialect()
#: Queries of every store as SQL text: they run many times a second, on connections without SQLAlchemy.
_LAST, _HEADS, _SEALED = (
    str(one.compile(dialect=_SQLITE, compile_kwargs={"literal_binds": True})) for one in (LAST, HEADS, SEALED)
)
_FROM = str(FROM.compile(dialect=_SQLITE))


@dataclass(frozen=True, slots=True)
class FileShare:
    """The pipe ends of one process: the one that it reads, and those of the others that it writes."""

    reads: int
    writes: tuple[int, ...]


class SharedFile:
    """A file locked for the worker processes of one server. Raises CannotOpen if another server has it."""

    def __init__(self, path: Path, processes: int, *, makes: bool = True) -> None:
        if not makes:
            must_exist(path)
        self.path = path
        self._lock = locked(path)
        self._pipes = [os.pipe() for _ in range(processes)]
        for end in (end for pipe in self._pipes for end in pipe):
            os.set_blocking(end, False)

    def close(self) -> None:
        """Release the house and close the pipes."""
        for end in (self._lock, *(end for pipe in self._pipes for end in pipe)):
            with suppress(OSError):
                os.close(end)

    def share(self, number: int) -> FileShare:
        """Return the pipe ends of one process."""
        others = tuple(end for other, (_, end) in enumerate(self._pipes) if other != number)
        return FileShare(self._pipes[number][0], others)


class PipeListener:
    """Reports the end of the log when another process has written."""

    def __init__(self, descriptor: int, last: Callable[[], tuple[int, bytes]]) -> None:
        self.descriptor = descriptor  # readable when another process has written
        self._last = last

    def wait(self, seconds: float = 0) -> int | None:
        """Return the newest entry number written by another process within this time, or None."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return None
        numbers = os.read(self.descriptor, _FULL)  # whole numbers, since each is written at once
        if len(numbers) == _FULL:
            return self._last()[0]  # the pipe was full, so the last numbers may be missing
        return max(int(entry) for (entry,) in _ENTRY.iter_unpack(numbers))

    def close(self) -> None:
        """Do nothing: the pipe stays open for the worker that takes this place."""


class SharedSqliteStore(SqliteStore):
    """The store of one of several worker processes."""

    def __init__(self, path: Path, share: FileShare, *, makes: bool = True) -> None:
        self._share = share
        self._reading: sqlite3.Connection | None = None
        super().__init__(path, makes=makes)

    def _prepare(self) -> None:
        super()._prepare()
        self._reading = connected(self.path, only_read=True)

    def _locked(self) -> None:
        """Open the lock for the turns to write. The server holds the lock on the house."""
        try:
            self._turn = os.open(f"{self.path}.turn", os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise CannotOpen(f"{self.path}: {error.strerror}") from None

    def _begin_turn(self, *, wait: bool) -> bool:
        if not super()._begin_turn(wait=wait):
            return False
        try:
            fcntl.flock(self._turn, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            super()._end_turn()
            return False
        return True

    def _end_turn(self) -> None:
        fcntl.flock(self._turn, fcntl.LOCK_UN)
        super()._end_turn()

    def _look(self) -> None:
        seq, tip = self._raw.execute(_LAST).fetchone() or (0, GENESIS)
        if seq != self._seq:
            self._seq, self._tip, self._heads = seq, tip, dict(self._raw.execute(_HEADS))

    def _commit(self, batch: Batch) -> list[AppendOutcome]:
        outcomes = super()._commit(batch)
        if batch.entries:
            number = _ENTRY.pack(batch.seq)
            for pipe in self._share.writes:
                with suppress(BlockingIOError):  # a full pipe wakes its reader anyway
                    os.write(pipe, number)
        return outcomes

    def _from(self, first: int) -> tuple[list[LogRow], dict[str, bytes]]:
        """See SqlStore._from. It has a connection of its own, since it runs many times a second."""
        assert self._reading is not None
        try:
            self._reading.execute("BEGIN")
            try:
                rows = [LogRow(*row) for row in self._reading.execute(_FROM, (first,))]
                return rows, dict(self._reading.execute(_SEALED))
            finally:
                self._reading.execute("COMMIT")
        except sqlite3.Error as error:
            raise unread(error, first + 1) from error

    def listen(self) -> PipeListener:
        """Return a listener for the writes of the other workers."""
        return PipeListener(self._share.reads, self.last)

    def close(self) -> None:
        if self._reading is not None:
            self._reading.close()
        super().close()
        os.close(self._turn)
