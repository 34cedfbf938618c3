"""One SQLite file for the processes of one server: they write in turns, and each has a bell that the others ring.

What they have in common is made before they are: the lock on the house, which lasts as long as one of them lives, and
the bells. Whose turn it is, is a lock that goes with whoever holds it, however he ends.
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
from aceking.house.store.chain import Row
from aceking.house.store.errors import CannotOpen
from aceking.house.store.protocol import Outcome
from aceking.house.store.sql.queries import FROM, HEADS, LAST, SEALED, unread
from aceking.house.store.sql.sqlite import SqliteStore, connected, locked, must_exist

_ENTRY = struct.Struct("!q")
_FULL = 1 << 16  # bytes of words that a bell holds
_SQLITE = sqlite.dialect()
#: The questions of every store, as they are asked many times a second: on connections without a layer above.
_LAST, _HEADS, _SEALED = (
    str(one.compile(dialect=_SQLITE, compile_kwargs={"literal_binds": True})) for one in (LAST, HEADS, SEALED)
)
_FROM = str(FROM.compile(dialect=_SQLITE))


@dataclass(frozen=True, slots=True)
class Share:
    """What one of the processes has: the bell that it hears, and those that it rings."""

    hears: int
    rings: tuple[int, ...]


class SharedFile:
    """A file that is locked for the processes of one server, which will write to it; raises CannotOpen."""

    def __init__(self, path: Path, processes: int, *, makes: bool = True) -> None:
        if not makes:
            must_exist(path)
        self.path = path
        self._lock = locked(path)
        self._bells = [os.pipe() for _ in range(processes)]
        for end in (end for bell in self._bells for end in bell):
            os.set_blocking(end, False)

    def close(self) -> None:
        """The house is anybody's again."""
        for end in (self._lock, *(end for bell in self._bells for end in bell)):
            with suppress(OSError):
                os.close(end)

    def share(self, number: int) -> Share:
        """That of one process."""
        others = tuple(rings for other, (_, rings) in enumerate(self._bells) if other != number)
        return Share(self._bells[number][0], others)


class Bell:
    """Tells where the log ends, whenever another process has written."""

    def __init__(self, hears: int, last: Callable[[], tuple[int, bytes]]) -> None:
        self.rings = hears  # readable when it rang
        self._last = last

    def heard(self, seconds: float = 0) -> int | None:
        """The newest entry that was told of within this time."""
        if not select.select([self.rings], [], [], seconds)[0]:
            return None
        told = os.read(self.rings, _FULL)  # whole words, for each is written at once
        if len(told) == _FULL:
            return self._last()[0]  # there may have been no place for the last of them
        return max(int(entry) for (entry,) in _ENTRY.iter_unpack(told))

    def close(self) -> None:
        """No more; the bell itself is there for whoever comes in this place."""


class SharedSqliteStore(SqliteStore):
    """One of several processes that write."""

    def __init__(self, path: Path, share: Share, *, makes: bool = True) -> None:
        self._share = share
        self._reading: sqlite3.Connection | None = None
        super().__init__(path, makes=makes)

    def _prepare(self) -> None:
        super()._prepare()
        self._reading = connected(self.path, only_read=True)

    def _locked(self) -> None:
        """The server has locked it for all; what is this process's own is the lock for its turns."""
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

    def _commit(self, batch: Batch) -> list[Outcome]:
        outcomes = super()._commit(batch)
        if batch.entries:
            word = _ENTRY.pack(batch.seq)
            for bell in self._share.rings:
                with suppress(BlockingIOError):  # a bell that is full of words is heard anyway
                    os.write(bell, word)
        return outcomes

    def _from(self, first: int) -> tuple[list[Row], dict[str, bytes]]:
        """Many times a second, and so on a connection of its own."""
        assert self._reading is not None
        try:
            self._reading.execute("BEGIN")
            try:
                rows = [Row(*row) for row in self._reading.execute(_FROM, (first,))]
                return rows, dict(self._reading.execute(_SEALED))
            finally:
                self._reading.execute("COMMIT")
        except sqlite3.Error as error:
            raise unread(error, first + 1) from error

    def listen(self) -> Bell:
        """Hears of what the others write."""
        return Bell(self._share.hears, self.last)

    def close(self) -> None:
        """Lets go of the file."""
        if self._reading is not None:
            self._reading.close()
        super().close()
        os.close(self._turn)
