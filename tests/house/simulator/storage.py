"""Where the log lies: on the disk of one process, or in a database that several share and that can be cut off."""

import contextlib
import random
from collections.abc import Sequence
from typing import Any, Literal, cast

from aceking.house.record import Unit
from aceking.house.store.errors import StoreError, StoreFailed, Unsure
from aceking.house.store.protocol import Outcome, Store
from tests.house.store.disk import Crashed, Disk, Fault
from tests.house.store.memory import MemoryStore

Kind = type[MemoryStore]


class Storage:
    """One log on one disk. `truth` is what it has, as whoever audits the house sees it."""

    def __init__(self, disk: Disk, dice: random.Random, kind: Kind) -> None:
        self.disk, self.dice, self.kind = disk, dice, kind
        self.truth: MemoryStore | None = None

    def fails(self) -> None:
        """One of the next operations of the disk goes wrong."""
        how = self.dice.choice(("full", "broken", "crash"))
        landed = self.dice.choice((0, self.dice.randrange(60), self.dice.randrange(20_000)))
        self.disk.faults[self.disk.operations + self.dice.randint(1, 4)] = Fault(how, landed)  # type: ignore[arg-type]

    def ended(self) -> None:
        """Whoever had the file open is no more: what was not synced is there or not, or half of it."""
        self.truth = None
        self.disk.crash(self.dice.choice((0, self.dice.randrange(20_000), 10**9)))

    def opened(self) -> MemoryStore | None:
        """The file opened again; the disk may fail at that as well."""
        try:
            self.truth = self.kind(self.disk)
        except (Crashed, StoreError):
            self.ended()
        return self.truth


class Alone(Storage):
    """The disk of one process: it dies with the process, and the process with it."""

    def connect(self) -> Store | None:
        """For the process that has it now."""
        return cast("Store | None", self.opened())

    def tend(self) -> None:
        """Nobody but the process tends it."""

    def heal(self) -> None:
        """Nothing goes wrong any more."""
        self.disk.faults.clear()


class Together(Storage):
    """A database for several processes: it can end by itself, and a process can lose its connection to it."""

    def __init__(self, disk: Disk, dice: random.Random, kind: Kind) -> None:
        super().__init__(disk, dice, kind)
        self.opened()

    def connect(self) -> Store | None:
        """A connection for one process."""
        return cast("Store", Connection(self))

    def tend(self) -> None:
        """A database that has ended, or that wants to be started again, is started again."""
        if self.truth is None or self.truth._broken:
            self.ended()
            self.opened()

    def heal(self) -> None:
        """Nothing goes wrong any more."""
        self.disk.faults.clear()
        self.tend()


class Connection:
    """The store of one process: what the database has, or a failure on the way there or on the way back."""

    def __init__(self, database: Together) -> None:
        self.database = database
        self.cut: Literal["", "before", "after"] = ""
        self.failures = 0  # how often it was not reached

    def __getattr__(self, name: str) -> Any:
        if not hasattr(MemoryStore, name):
            raise AttributeError(name)

        def call(*args: Any, **kwargs: Any) -> Any:
            return getattr(self._reached(), name)(*args, **kwargs)

        return call

    def append(self, units: Sequence[Unit]) -> list[Outcome]:
        """One batch; where the connection breaks at the very commit, only the log knows what became of it."""
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
        """Keeps a state, as the store does."""
        with contextlib.suppress(Crashed):
            self._reached().snapshot(taken)
            return
        self.database.ended()
        raise StoreFailed("the database has ended")

    def listen(self) -> "Hearing":
        """Hears of what any process writes."""
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
    """Tells where the log ends; words may be missed, and the next one makes up for it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._told: int = connection._reached().last()[0]

    def heard(self, seconds: float = 0) -> int | None:
        """The newest entry, if it is news."""
        seq: int = self._connection._reached().last()[0]
        if seq == self._told:
            return None
        self._told = seq
        return seq

    def close(self) -> None:
        """No more."""
