"""Entries as they are read: each must follow from the one before it."""

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from aceking.house.record import chained
from aceking.house.store.compression import unpack
from aceking.house.store.errors import Damaged
from aceking.house.store.protocol import Logged

NOTHING: Mapping[int, bytes] = MappingProxyType({})


class Row(NamedTuple):
    """An entry as it is stored."""

    seq: int
    at: int
    body: bytes
    hash: bytes


def follow(rows: Iterable[Row], *, seq: int, before: bytes, written: Mapping[int, bytes] = NOTHING) -> Iterator[Logged]:
    """The entries of these rows, the first of which comes after `seq` with the hash `before`; raises Damaged.

    Of entries whose hash is known, for they were `written` here, the body is not worked out again, and left empty.
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


def checked(row: Row, before: bytes | None) -> Logged:
    """One entry, checked against the hash of the one before it."""
    if before is None:
        raise Damaged(row.seq - 1, "it is missing")
    try:
        body = unpack(row.body)
    except ValueError as error:
        raise Damaged(row.seq, f"its body cannot be read ({error})") from None
    if chained(before, body) != row.hash:
        raise Damaged(row.seq, "its hash does not follow from its body and the hash before")
    return Logged(row.seq, row.at, row.hash, body)
