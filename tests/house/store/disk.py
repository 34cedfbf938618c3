"""A disk for simulations: a file in memory that, like a real one, forgets in a crash what was not synced, and can fail.

Every write, sync and cut has a number, from 1 on; a fault stands at such a number. `landed` says how many bytes of what
was underway reach the file (a write) or the platter (a sync) all the same: a torn write, a sync that failed half-way.
"""

import errno
from functools import cached_property
from typing import Literal

import msgspec
from sqlalchemy import Engine, create_engine
from sqlalchemy.pool import StaticPool

from aceking.house.store.sql.tables import credential, metadata, past_hand, past_round, past_upto, session


class Crashed(Exception):
    """The simulated process ended here. Nobody in the store may catch it."""


class DiskFault(msgspec.Struct, frozen=True):
    """What goes wrong at an operation."""

    how: Literal["full", "broken", "crash"]
    landed: int = 0


class Disk:
    """What is in the file, what of it is safe, and what is to go wrong."""

    def __init__(self) -> None:
        self.faults: dict[int, DiskFault] = {}
        self.operations = 0
        self._file = bytearray()
        self._safe = b""

    def append(self, data: bytes) -> None:
        """Writes at the end; it is not safe yet."""
        fault = self._next()
        self._file += data if fault is None else data[: fault.landed]
        self._raise(fault)

    def sync(self) -> None:
        """What is in the file is safe when this returns."""
        fault = self._next()
        self._safe = self._after_crash(len(self._file) if fault is None else fault.landed)
        if fault is None:
            self._safe = bytes(self._file)
        self._raise(fault)

    def cut(self, size: int) -> None:
        """Drops what comes after; not safe before a sync either."""
        fault = self._next()
        if fault is None or fault.landed:
            del self._file[size:]
        self._raise(fault)

    def read(self) -> bytes:
        return bytes(self._file)

    def crash(self, kept: int = 0) -> None:
        """Ends the process, or the power: what was not synced is lost but for its first bytes."""
        self._safe = self._after_crash(kept)
        self._file = bytearray(self._safe)

    def spoil(self, place: int) -> None:
        """One byte turns, as bytes on old disks do."""
        self._file[place] ^= 0x01
        self._safe = bytes(self._file)

    def _after_crash(self, kept: int) -> bytes:
        if len(self._file) < len(self._safe):
            return self._safe  # a cut that was not synced did not happen
        assert self._file.startswith(self._safe), "what was cut is synced before anything follows it"
        return bytes(self._file[: len(self._safe) + kept])

    def _next(self) -> DiskFault | None:
        self.operations += 1
        return self.faults.get(self.operations)

    def _raise(self, fault: DiskFault | None) -> None:
        match fault:
            case None:
                return
            case DiskFault(how="full"):
                raise OSError(errno.ENOSPC, "no space left on the disk")
            case DiskFault(how="broken"):
                raise OSError(errno.EIO, "the disk failed")
            case _:
                raise Crashed

    @cached_property
    def aside(self) -> Engine:
        """The small tables that are not in the log; crashes leave them alone."""
        engine = create_engine("sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False})
        metadata.create_all(engine, tables=[credential, session, past_round, past_hand, past_upto])
        return engine
