"""Snapshots: the state of the floor, kept beside the log so that a start reads only the entries after it.

A snapshot is a cache. Deleting it changes nothing but the time that a start takes.
"""

import msgspec

from aceking.house.floor.states import Floor
from aceking.house.store.protocol import Snapshot, Store
from aceking.version import __version__

_STREAM = "floor"
#: A snapshot of another version of the program is not read.
_FORMAT = f"floor {__version__}"
_DECODER = msgspec.json.Decoder(Floor)


def newest_floor(store: Store) -> tuple[Floor, int]:
    """Return the newest snapshot and the log entry it was taken at; an empty floor and 0 if there is none."""
    snapshot = store.snapshots().get(_STREAM)
    if snapshot is None or snapshot.format != _FORMAT:
        return Floor(), 0
    return _DECODER.decode(snapshot.body), snapshot.seq


def keep_floor(store: Store, floor: Floor, seq: int) -> None:
    """Store the floor as it is after log entry `seq`. Raises StoreFailed."""
    store.snapshot([Snapshot(stream=_STREAM, version=seq, seq=seq, format=_FORMAT, body=msgspec.json.encode(floor))])
