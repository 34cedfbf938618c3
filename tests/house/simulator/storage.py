"""Where the log is stored: on the disk of one process, or in a database that several processes share."""

import contextlib
import random
from collections.abc import Sequence
from typing import Any, Literal, cast

from aceking.house.record import Unit
from aceking.house.store.errors import StoreError, StoreFailed, Unsure
from aceking.house.store.protocol import AppendOutcome, Store
from tests.house.store.disk import Crashed, Disk, DiskFault
from tests.house.store.memory import MemoryStore

Kind = type[MemoryStore]


class Storage:
    """One log on one disk. `truth` is the open store that the auditor reads; None while nothing has the file open."""

    def __init__(self, disk: Disk, dice: random.Random, kind: Kind) -> None:
        self.disk, self.dice, self.kind = disk, dice, kind
        self.truth: MemoryStore | None = None

    def fails(self) -> None:
        """Make one of the next disk operations fail."""
        how = self.dice.choice(("full", "broken", "crash"))
        landed = self.dice.choice((0, self.dice.randrange(60), self.dice.randrange(20_000)))
        self.disk.faults[self.disk.operations + self.dice.randint(1, 4)] = DiskFault(how, landed)  # type: ignore[arg-type]

    def ended(self) -> None:
        """End the process that had the file open: unsynced bytes are kept, lost, or cut off at a random length."""
        self.truth = None
        self.disk.crash(self.dice.choice((0, self.dice.randrange(20_000), 10**9)))

    def opened(self) -> MemoryStore | None:
        """Open the file again. Returns None if the disk fails meanwhile."""
        try:
            self.truth = self.kind(self.disk)
        except (Crashed, StoreError):
            self.ended()
        return self.truth


class Alone(Storage):
    """The disk of one process. A crash of either ends both."""

    def connect(self) -> Store | None:
        """Open the store for the process that starts."""
        return cast("Store | None", self.opened())

    def tend(self) -> None:
        """Do nothing: only the process itself has this store."""

    def heal(self) -> None:
        """Remove all faults that are still to come."""
        self.disk.faults.clear()


class Together(Storage):
    """A database shared by several processes. It can crash by itself, and a process can lose its connection."""

    def __init__(self, disk: Disk, dice: random.Random, kind: Kind) -> None:
        super().__init__(disk, dice, kind)
        self.opened()

    def connect(self) -> Store | None:
        """Return a connection for one process."""
        return cast("Store", Connection(self))

    def tend(self) -> None:
        """Restart the database if it has ended or is broken."""
        if self.truth is None or self.truth._broken:
            self.ended()
            self.opened()

    def heal(self) -> None:
        """Remove all faults that are still to come, and restart the database if needed."""
        self.disk.faults.clear()
        self.tend()


class Connection:
    """The store of one process: passes calls on to the database, or fails before or after the call."""

    def __init__(self, database: Together) -> None:
        self.database = database
        self.cut: Literal["", "before", "after"] = ""
        self.failures = 0  # how often the database was not reached

    def __getattr__(self, name: str) -> Any:
        if not hasattr(MemoryStore, name):
            raise AttributeError(name)

        def call(*args: Any, **kwargs: Any) -> Any:
            return getattr(self._reached(), name)(*args, **kwargs)

        return call

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        """Append one batch. Raises Unsure if the connection breaks at the commit: only the log knows the outcome."""
        store = self._reached()
        try:
            outcomes = store.append(units)
        except Crashed:
            self.database.ended()
            raise Unsure("the database has ended") from None
        if self.cut == "after":
            self.cut = ""
            raise Unsure("the connection is lost")
        return outcomes

    def snapshot(self, taken: Any) -> None:
        """Store a snapshot. Raises StoreFailed if the database crashes."""
        with contextlib.suppress(Crashed):
            self._reached().snapshot(taken)
            return
        self.database.ended()
        raise StoreFailed("the database has ended")

    def listen(self) -> "Hearing":
        """Return a listener for the writes of any process."""
        return Hearing(self)

    def _reached(self) -> MemoryStore:
        if self.cut == "before":
            self.cut = ""
            self.failures += 1
            raise StoreFailed("the connection is lost")
        if self.database.truth is None:
            self.failures += 1
            raise StoreFailed("there is no database")
        return self.database.truth


class Hearing:
    """Reports the newest entry. A missed announcement is made up for by the next one."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._told: int = connection._reached().last()[0]

    def wait(self, seconds: float = 0) -> int | None:
        """Return the number of the newest entry, or None if it was reported already."""
        seq: int = self._connection._reached().last()[0]
        if seq == self._told:
            return None
        self._told = seq
        return seq

    def close(self) -> None:
        """Stop listening."""
