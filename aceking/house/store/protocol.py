"""The protocol of every store, and the outcomes of an append."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Protocol

import msgspec

from aceking.house.record import Unit

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Written(msgspec.Struct, frozen=True):
    """The unit is in the log, and durable."""

    seq: int
    hash: bytes


class Repeated(msgspec.Struct, frozen=True):
    """The same command was answered before, with this reply."""

    seq: int
    reply: msgspec.Raw


class Clash(msgspec.Struct, frozen=True):
    """The id was used before with another content."""


class Conflict(msgspec.Struct, frozen=True):
    """Another unit was written first: the stream has another version than the one that the unit was decided on."""

    stream: str
    expected: int
    head: int


AppendOutcome = Written | Repeated | Clash | Conflict


class Logged(msgspec.Struct, frozen=True):
    """An entry of the log; `record.read_unit` reads its body."""

    seq: int
    at: int
    hash: bytes
    body: bytes


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    """A state at a version of its stream and an entry of the log. `format` names the program that wrote it."""

    stream: str
    version: int
    seq: int
    format: str
    body: bytes


class Touch(msgspec.Struct, frozen=True):
    """A stream and the version to which an entry brought it."""

    stream: str
    version: int


class StoredRows(msgspec.Struct, frozen=True):
    """The number of rows of the log and of its index of streams."""

    entries: int
    touches: int


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A store at one moment, for checks."""

    seq: int
    hash: bytes
    heads: dict[str, int]
    rows: StoredRows | None  # only on request, since counting takes time


class Store(Protocol):
    """An append-only log of units. Everything else in it follows from the log or is stored outside it."""

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        """Write units in one transaction, durable on return; blocks. A refused unit does not fail the others of its
        batch.

        Raises StoreFailed, and then nothing of the batch has happened.
        """

    def last(self) -> tuple[int, bytes]:
        """Return the number and hash of the newest entry."""

    def heads(self) -> dict[str, int]:
        """Return the version of every stream."""

    def log(self, after: int = 0, upto: int | None = None) -> Iterator[Logged]:
        """Yield the entries in order, read page by page, each checked against the hash before it. Raises Damaged."""

    def news(self, after: int, written: Mapping[int, bytes] = ...) -> tuple[list[Logged], dict[str, bytes]]:
        """Return every entry after this one, checked, and the sealed seeds, both at one moment. Raises Damaged.

        Entries that were `written` here are known by their hash, and come without a body.
        """

    def stream(self, name: str, after: int = 0) -> Iterator[Logged]:
        """Yield the entries that move a stream beyond a version, checked as in `log`. Raises Damaged."""

    def answer(self, command_id: str) -> Repeated | None:
        """Return the reply to a command, or None if it was not written."""

    def sealed(self) -> dict[str, bytes]:
        """Return the sealed seeds, by name."""

    def snapshot(self, taken: Sequence[Snapshot]) -> None:
        """Store states, only the newest of each stream."""

    def snapshots(self) -> dict[str, Snapshot]:
        """Return the stored state of each stream."""

    def summary(self, *, counted: bool = False) -> Summary:
        """Return a summary at one moment, with the numbers of rows if `counted`."""

    def indexed(
        self, ids: Sequence[str], touches: Sequence[Touch]
    ) -> tuple[Mapping[str, list[int]], Mapping[Touch, int]]:
        """Return the entries that the indexes give for these ids (all that share the key of an id) and versions."""

    def aside(self) -> "AbstractContextManager[Connection]":
        """Open a transaction on the tables outside the log (secrets.py); it may wait for an append."""

    def reading(self) -> "AbstractContextManager[Connection]":
        """Open a short read, which waits for no write."""

    def close(self) -> None:
        """Close files, locks and connections."""


def newest(snapshots: Iterable[Snapshot]) -> int:
    """Return the entry of the newest snapshot; 0 if there is none."""
    return max((snapshot.seq for snapshot in snapshots), default=0)
