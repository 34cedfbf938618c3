"""Whether a store is what was written: the end of its log when it is opened, all of it for those who verify."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from aceking.house.record import Unit, Unreadable, read_unit
from aceking.house.store.batch import touches
from aceking.house.store.errors import Damaged
from aceking.house.store.protocol import Logged, Store, Summary, Touch, newest
from aceking.house.upcast import PAST, Past

_AT_ONCE = 500
#: A start looks at so many entries before the newest snapshot; at what lies before them while the house runs already.
LOOKED_BACK = 10_000
Progress = Callable[[int, int], None]


def check(store: Store, progress: Progress | None = None, *, past: Past = PAST) -> Summary:
    """Walks the whole log: chain, units, versions, money, indexes. `progress` is told entries done, and of how many."""
    found = store.summary(counted=True)
    walk = _Walk(store, past, heads={})
    for group in _groups(store.log(upto=found.seq)):
        walk.take(group)
        if progress:
            progress(group[-1].seq, found.seq)
    _ends_at(found, walk)
    for stream in found.heads.keys() | walk.heads.keys():
        _same_head(found, stream, walk.heads.get(stream, 0))
    rows = found.rows
    assert rows is not None
    for name, count, wanted in (
        ("log", rows.entries, found.seq),
        ("touch", rows.touches, walk.touched),
    ):
        if count != wanted:
            raise Damaged(found.seq, f"{name} has {count} rows where the log makes {wanted}")
    return found


def check_tail(store: Store, *, past: Past = PAST, back: int = LOOKED_BACK) -> None:
    """What came after the newest snapshot and some before it, and that the heads are those of the log."""
    found = store.summary()
    kept = newest(store.snapshots().values())
    if kept > found.seq:
        raise Damaged(found.seq + 1, f"it is missing; a state of entry {kept} is kept")
    _indexes_end(store, found)
    start = max(0, kept - back)
    walk = _Walk(store, past, heads={} if start == 0 else None)
    for group in _groups(store.log(start, found.seq)):
        walk.take(group)
    if start < found.seq:
        _ends_at(found, walk)
    for stream, version in walk.heads.items():
        _same_head(found, stream, version)


def check_before_tail(store: Store, *, past: Past = PAST, back: int = LOOKED_BACK) -> Iterator[int]:
    """What `check_tail` did not look at: checks some entries, tells up to which, and goes on when it is asked again."""
    walk = _Walk(store, past, heads={})
    for group in _groups(store.log(upto=max(0, newest(store.snapshots().values()) - back))):
        walk.take(group)
        yield group[-1].seq


def _indexes_end(store: Store, found: Summary) -> None:
    """Every head is where the index of its stream ends, at an entry that is there."""
    _, indexed = store.indexed([], [Touch(stream, version) for stream, version in found.heads.items()])
    for stream, version in found.heads.items():
        seq = indexed.get(Touch(stream, version))
        if seq is not None and seq > found.seq:
            raise Damaged(found.seq + 1, f"it is missing; {stream} stands at {version} by entry {seq}")
        later = next(store.stream(stream, version), None)
        if seq is None or (later is not None and later.seq <= found.seq):
            raise Damaged(found.seq, f"the head of {stream} is {version}, and its index ends elsewhere")


class _Walk:
    """Goes along the entries. Where it starts in the middle, a stream is believed when it is first met."""

    def __init__(self, store: Store, past: Past, *, heads: dict[str, int] | None) -> None:
        self.store = store
        self.past = past
        self.whole = heads is not None
        self.heads: dict[str, int] = heads or {}
        self.touched = 0
        self.hash = b""

    def take(self, group: list[Logged]) -> None:
        """Checks these entries, and that the indexes lead to each of them."""
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

    def _led_to(self, entry: Logged, unit: Unit, found: list[int]) -> None:
        """The index of commands leads to this entry, and no other one has answered the same command."""
        if entry.seq not in found:
            raise Damaged(entry.seq, f"the index of commands leads for {unit.id} to {found or None}")
        for other in found:
            if other != entry.seq and self._id_of(other) == unit.id:
                raise Damaged(max(other, entry.seq), f"the command {unit.id} was answered in entry {min(found)} too")

    def _id_of(self, seq: int) -> str:
        """Of an entry that shares its key with another."""
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


def _ends_at(found: Summary, walk: _Walk) -> None:
    if found.seq and walk.hash != found.hash:
        raise Damaged(found.seq, "the log does not end with it")


def _same_head(found: Summary, stream: str, version: int) -> None:
    if found.heads.get(stream, 0) != version:
        raise Damaged(
            found.seq, f"the head of {stream} is {found.heads.get(stream, 0)}, and the log brings it to {version}"
        )
