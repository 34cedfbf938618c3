"""Check entries as they are read: the hash of each follows from the one before."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from aceking.house.record import chained
from aceking.house.store.compression import unpack
from aceking.house.store.errors import Damaged
from aceking.house.store.protocol import Logged

NOTHING: Mapping[int, bytes] = MappingProxyType({})


class LogRow(NamedTuple):
    seq: int
    at: int
    body: bytes
    hash: bytes


def follow(
    rows: Iterable[LogRow], *, seq: int, before: bytes, written: Mapping[int, bytes] = NOTHING
) -> Iterator[Logged]:
    """Yield the entries of these rows, the first of which follows `seq` and the hash `before`. Raises Damaged.

    Entries that were `written` here are known by their hash; their bodies are left empty.
    """
    for row in rows:
        seq += 1
        if row.seq != seq:
            raise Damaged(seq, f"it is missing; the next is {row.seq}")
        own = written.get(seq)
        if own is None:
            yield checked(row, before)
        elif own != row.hash:
            raise Damaged(seq, "it is not what was written")
        else:
            yield Logged(row.seq, row.at, row.hash, b"")
        before = row.hash


def checked(row: LogRow, before: bytes | None) -> Logged:
    """Return one entry, checked against the hash of the one before it. Raises Damaged."""
    if before is None:
        raise Damaged(row.seq - 1, "it is missing")
    try:
        body = unpack(row.body)
    except ValueError as error:
        raise Damaged(row.seq, f"its body cannot be read ({error})") from None
    if chained(before, body) != row.hash:
        raise Damaged(row.seq, "its hash does not follow from its body and the hash before")
    return Logged(row.seq, row.at, row.hash, body)
