"""What every store does, and what it answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

import msgspec

from aceking.house.record import Unit

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Written(msgspec.Struct, frozen=True):
    """It is in the log, and durable."""

    seq: int
    hash: bytes


class Repeated(msgspec.Struct, frozen=True):
    """The same command was answered before: this is that answer."""

    seq: int
    reply: msgspec.Raw


class Clash(msgspec.Struct, frozen=True):
    """The id was used before, for another content."""


class Conflict(msgspec.Struct, frozen=True):
    """Another unit was faster: the stream stands at another version than the unit was decided on."""

    stream: str
    expected: int
    head: int


Outcome = Written | Repeated | Clash | Conflict


class Logged(msgspec.Struct, frozen=True):
    """An entry of the log; `record.read_unit` reads its body."""

    seq: int
    at: int
    hash: bytes
    body: bytes


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A state as it was at a version of its stream and an entry of the log. `format` is its writer's own."""

    stream: str
    version: int
    seq: int
    format: str
    body: bytes


class Touch(msgspec.Struct, frozen=True):
    """A stream and the version to which an entry brought it."""

    stream: str
    version: int


class Rows(msgspec.Struct, frozen=True):
    """How many rows the log and its index of streams have."""

    entries: int
    touches: int


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A store at one moment, for those who check it."""

    seq: int
    hash: bytes
    heads: dict[str, int]
    rows: Rows | None  # counted only when it is asked for, for that takes time


class Store(Protocol):
    """An append-only log of units; everything else in it can be worked out from the log, or lies apart."""

    def append(self, units: Sequence[Unit]) -> list[Outcome]:
        """One transaction, durable when it returns; blocks. A refused unit does not fail the others of its batch.

        Raises StoreFailed, and then nothing of the batch has happened.
        """

    def last(self) -> tuple[int, bytes]:
        """The newest entry's number and hash."""

    def heads(self) -> dict[str, int]:
        """The version of every stream."""

    def log(self, after: int = 0, upto: int | None = None) -> Iterator[Logged]:
        """Entries in their order, each checked against the hash before it; raises Damaged. Reads page by page."""

    def news(self, after: int, written: Mapping[int, bytes] = ...) -> tuple[list[Logged], dict[str, bytes]]:
        """Every entry after this one, checked, and the secrets that lie apart, both at one moment.

        Entries that were `written` here are known by their hash, and come without a body.
        """

    def stream(self, name: str, after: int = 0) -> Iterator[Logged]:
        """The entries that touch a stream, from the first that brings it beyond a version; checked likewise."""

    def answer(self, command_id: str) -> Repeated | None:
        """What a command was told, if it was written."""

    def sealed(self) -> dict[str, bytes]:
        """The secrets that lie apart."""

    def snapshot(self, taken: Sequence[Snapshot]) -> None:
        """Keeps states, the newest of each stream."""

    def snapshots(self) -> dict[str, Snapshot]:
        """The state kept of each stream."""

    def forget_snapshots(self) -> None:
        """Drops them all; they are a cache."""

    def summary(self, *, counted: bool = False) -> Summary:
        """What the tables say of themselves, at one moment."""

    def indexed(
        self, ids: Sequence[str], touches: Sequence[Touch]
    ) -> tuple[Mapping[str, list[int]], Mapping[Touch, int]]:
        """To which entries the indexes lead: by an id to all that share its key, mostly one."""

    def aside(self) -> "AbstractContextManager[Connection]":
        """A transaction on the small tables that are not in the log (secrets.py); it may wait for an append."""

    def reading(self) -> "AbstractContextManager[Connection]":
        """A short read of them, which waits for nobody."""

    def close(self) -> None:
        """Lets go of files, locks and connections."""


def newest(snapshots: Iterable[Snapshot]) -> int:
    """The entry at which the newest of them was taken."""
    return max((one.seq for one in snapshots), default=0)
