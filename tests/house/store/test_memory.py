"""A disk that fails at every operation in every way: what was acknowledged is there, the rest wholly or not at all."""

from collections.abc import Iterator

import pytest

from aceking.house.record import read_unit
from aceking.house.store.check import check
from aceking.house.store.errors import StoreFailed, Unsure
from aceking.house.store.protocol import Repeated, Snapshot, Written
from tests.house.store.disk import Crashed, Disk, DiskFault
from tests.house.store.memory import MemoryStore
from tests.house.store.units import step

BATCHES = [[step(0)], [step(1), step(2)], [step(3), step(4), step(5)]]


def _ids(store: MemoryStore) -> list[str]:
    return [read_unit(entry.body).id for entry in store.log()]


def _faults() -> Iterator[tuple[int, DiskFault]]:
    for operation in range(1, 10):
        for how in ("full", "broken", "crash"):
            for landed in (0, 1, 39, 40, 41, 200, 10**6):
                yield operation, DiskFault(how, landed)


@pytest.mark.parametrize(
    ("later", "second", "wanted"),
    [
        (0, None, {"whole", "failed", "crashed"}),
        # Putting it right fails as well: the cut, or its sync.
        (1, DiskFault("full"), {"whole", "unsure", "crashed"}),
        (1, DiskFault("crash", 1), {"whole", "crashed"}),
        (2, DiskFault("broken", 1), {"whole", "unsure", "crashed"}),
        (2, DiskFault("crash"), {"whole", "crashed"}),
    ],
)
def test_every_fault_at_every_operation(later: int, second: DiskFault | None, wanted: set[str]) -> None:
    seen = set()
    for operation, fault in _faults():
        for kept in (0, 1, 50, 10**6):
            disk = Disk()
            disk.faults[operation] = fault
            if second:
                disk.faults[operation + later] = second
            seen |= _one_life(disk, kept)
    assert seen == wanted


def _one_life(disk: Disk, kept: int) -> set[str]:
    """Writes until something happens, crashes, comes back, and sends all of it again."""
    safe: list[str] = []
    seen = set()
    unsure = crashed = False
    store = MemoryStore(disk)
    for batch in BATCHES:
        try:
            outcomes = store.append(batch)
        except Unsure:
            seen.add("unsure")
            unsure = True
            with pytest.raises(StoreFailed, match="started again"):
                store.append(batch)
            break
        except StoreFailed:
            seen.add("failed")
            assert _ids(store) == safe
            outcomes = store.append(batch)  # and then it works
        except Crashed:
            seen.add("crashed")
            crashed = True
            break
        assert all(isinstance(one, Written) for one in outcomes)
        safe += [one.id for one in batch]
    else:
        seen.add("whole")
    disk.faults.clear()
    disk.crash(kept)
    again = MemoryStore(disk)
    found = _ids(again)
    check(again)
    assert found[: len(safe)] == safe
    if not (unsure or crashed):
        assert found == safe
    # Beyond what is safe: one whole batch, or nothing of it.
    assert len(found) in (0, 1, 3, 6)
    for batch in BATCHES:
        assert all(isinstance(one, Written | Repeated) for one in again.append(batch))
    assert _ids(again) == [f"c{n}" for n in range(6)]
    check(again)
    disk.crash()
    assert _ids(MemoryStore(disk)) == [f"c{n}" for n in range(6)]
    return seen


def test_a_crash_between_two_commands_loses_nothing() -> None:
    disk = Disk()
    MemoryStore(disk).append(BATCHES[0])
    disk.crash()
    assert _ids(MemoryStore(disk)) == ["c0"]


def test_a_disk_that_is_not_synced_forgets() -> None:
    disk = Disk()
    disk.append(b"safe ")
    disk.sync()
    disk.append(b"not safe")
    disk.crash(kept=3)
    assert disk.read() == b"safe not"


def test_a_snapshot_may_be_lost_in_a_crash_and_takes_nothing_with_it() -> None:
    for kept in (0, 5, 10**6):
        disk = Disk()
        store = MemoryStore(disk)
        store.append(BATCHES[0])
        store.snapshot([Snapshot(stream="table/1", version=1, seq=1, format="f", body=b"state")])
        disk.crash(kept)
        again = MemoryStore(disk)
        assert _ids(again) == ["c0"]
        assert len(again.snapshots()) == (1 if kept == 10**6 else 0)
        again.append(BATCHES[1])
        disk.crash()
        assert _ids(MemoryStore(disk)) == ["c0", "c1", "c2"]
