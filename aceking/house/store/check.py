"""Check a store: the end of its log when it is opened, all of it for `aceking verify`."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from aceking.house.record import Unit, Unreadable, read_unit
from aceking.house.store.batch import touches
from aceking.house.store.errors import Damaged
from aceking.house.store.protocol import Logged, Store, Summary, Touch, newest
from aceking.house.upcast import PAST, PastFormat

_AT_ONCE = 500
#: Entries before the newest snapshot that a start checks; the earlier ones are checked while the house runs.
LOOKED_BACK = 10_000
CheckProgress = Callable[[int, int], None]


def check(store: Store, progress: CheckProgress | None = None, *, past: PastFormat = PAST) -> Summary:
    """Check the whole log: chain, units, versions, money, indexes. `progress` gets the entries done and their
    number. Raises Damaged."""
    summary = store.summary(counted=True)
    walk = _Walk(store, past, heads={})
    for group in _groups(store.log(upto=summary.seq)):
        walk.take(group)
        if progress:
            progress(group[-1].seq, summary.seq)
    _ends_at(summary, walk)
    for stream in summary.heads.keys() | walk.heads.keys():
        _same_head(summary, stream, walk.heads.get(stream, 0))
    rows = summary.rows
    assert rows is not None
    for name, count, expected in (
        ("log", rows.entries, summary.seq),
        ("touch", rows.touches, walk.touched),
    ):
        if count != expected:
            raise Damaged(summary.seq, f"{name} has {count} rows where the log makes {expected}")
    return summary


def check_tail(store: Store, *, past: PastFormat = PAST, back: int = LOOKED_BACK) -> None:
    """Check the entries after the newest snapshot, `back` entries before it, and the heads. Raises Damaged."""
    summary = store.summary()
    snapshot_at = newest(store.snapshots().values())
    if snapshot_at > summary.seq:
        raise Damaged(summary.seq + 1, f"it is missing; a state of entry {snapshot_at} is kept")
    _indexes_end(store, summary)
    start = max(0, snapshot_at - back)
    walk = _Walk(store, past, heads={} if start == 0 else None)
    for group in _groups(store.log(start, summary.seq)):
        walk.take(group)
    if start < summary.seq:
        _ends_at(summary, walk)
    for stream, version in walk.heads.items():
        _same_head(summary, stream, version)


def check_before_tail(store: Store, *, past: PastFormat = PAST, back: int = LOOKED_BACK) -> Iterator[int]:
    """Check the entries that `check_tail` did not. Yields the last checked entry after each group. Raises Damaged."""
    walk = _Walk(store, past, heads={})
    for group in _groups(store.log(upto=max(0, newest(store.snapshots().values()) - back))):
        walk.take(group)
        yield group[-1].seq


def _indexes_end(store: Store, summary: Summary) -> None:
    """Check that the index of every stream ends at its head, at an entry that exists. Raises Damaged."""
    _, indexed = store.indexed([], [Touch(stream, version) for stream, version in summary.heads.items()])
    for stream, version in summary.heads.items():
        seq = indexed.get(Touch(stream, version))
        if seq is not None and seq > summary.seq:
            raise Damaged(summary.seq + 1, f"it is missing; {stream} stands at {version} by entry {seq}")
        later = next(store.stream(stream, version), None)
        if seq is None or (later is not None and later.seq <= summary.seq):
            raise Damaged(summary.seq, f"the head of {stream} is {version}, and its index ends elsewhere")


class _Walk:
    """Checks entries in order. If it starts in the middle, the first version of each stream is taken as right."""

    def __init__(self, store: Store, past: PastFormat, *, heads: dict[str, int] | None) -> None:
        self.store = store
        self.past = past
        self.whole = heads is not None
        self.heads: dict[str, int] = heads or {}
        self.touched = 0
        self.hash = b""

    def take(self, group: list[Logged]) -> None:
        """Check these entries, and that the indexes lead to each of them. Raises Damaged."""
        units = [(entry, self._unit(entry)) for entry in group]
        moves = [(entry.seq, touch) for entry, unit in units for touch in touches(unit.parts)]
        commands, moved = self.store.indexed([unit.id for _, unit in units], [touch for _, touch in moves])
        for entry, unit in units:
            self._led_to(entry, unit, commands.get(unit.id, []))
        for seq, touch in moves:
            if moved.get(touch) != seq:
                raise Damaged(seq, f"the index of {touch.stream} leads for {touch.version} to {moved.get(touch)}")
        self.touched += len(moves)
        self.hash = group[-1].hash

    def _led_to(self, entry: Logged, unit: Unit, entries: list[int]) -> None:
        """Check that the index of commands leads to this entry, and that no other entry answers the same command."""
        if entry.seq not in entries:
            raise Damaged(entry.seq, f"the index of commands leads for {unit.id} to {entries or None}")
        for other in entries:
            if other != entry.seq and self._id_of(other) == unit.id:
                raise Damaged(max(other, entry.seq), f"the command {unit.id} was answered in entry {min(entries)} too")

    def _id_of(self, seq: int) -> str:
        """Return the command id of an entry that shares its key with another."""
        (entry,) = self.store.log(seq - 1, seq)
        return read_unit(entry.body, self.past).id

    def _unit(self, entry: Logged) -> Unit:
        try:
            unit = read_unit(entry.body, self.past)
        except Unreadable as error:
            raise Damaged(entry.seq, f"it {error}") from None
        if unit.at != entry.at:
            raise Damaged(entry.seq, f"its row is of {entry.at} and its body of {unit.at}")
        for part in unit.parts:
            expected = self.heads.get(part.stream, 0 if self.whole else part.after)
            if part.after != expected:
                raise Damaged(entry.seq, f"it follows {part.stream} at {part.after}, which stood at {expected}")
            self.heads[part.stream] = part.version
        return unit


def _groups(entries: Iterable[Logged]) -> Iterator[list[Logged]]:
    source = iter(entries)
    while group := list(islice(source, _AT_ONCE)):
        yield group


def _ends_at(summary: Summary, walk: _Walk) -> None:
    if summary.seq and walk.hash != summary.hash:
        raise Damaged(summary.seq, "the log does not end with it")


def _same_head(summary: Summary, stream: str, version: int) -> None:
    if summary.heads.get(stream, 0) != version:
        raise Damaged(
            summary.seq, f"the head of {stream} is {summary.heads.get(stream, 0)}, and the log brings it to {version}"
        )
