"""Power loss in a whole round with a jackpot: the disk keeps what was synced, and any part of the rest or nothing.

python -m tests.house.campaign.power [--seed N] [--step 1]

The round is played on a real SQLite file, and every write, truncation and sync is recorded. Then the power fails before
and after every sync, and at some writes in between. What was not synced is lost, kept, or kept in some of its sectors
of 512 bytes. A house that is opened from such a disk must have every entry that was acknowledged by then and no entry
that is not of the round, and it must be able to play the round to its end.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import track

from aceking.house.store.check import check
from aceking.house.store.errors import StoreError
from aceking.house.store.open import open_store
from tests.house.campaign.evening import Replay, found_in, jackpot
from tests.house.campaign.files import Operation, under_sqlite

SECTOR = 512
#: Besides every sync, the power fails at every 7th operation.
_BETWEEN = 7
#: One state in ten is played on to the end of the round.
_PLAYED_ON = 10


class Recorded(NamedTuple):
    """The operations on the files, and after how many of them each request of the round was acknowledged."""

    operations: list[Operation]
    acknowledged: list[int]


def recorded(house: Path, folder: Path, *settings: str) -> Recorded:
    """Play the round without a fault and record it."""
    asked, begins = jackpot()
    path = folder / "house.db"
    path.write_bytes(house.read_bytes())
    acknowledged: list[int] = []
    replay = Replay(path, *settings)

    async def plays() -> None:
        files.keeps = True
        for one in asked[begins:]:
            assert await replay.ask(one) == one.reply
            acknowledged.append(len(files.noted))
        files.keeps = False
        await replay.ends()

    with under_sqlite() as files:
        asyncio.run(plays())
    assert all(one.file and one.kind != "delete" for one in files.noted), (
        "files without names or ends are not simulated"
    )
    return Recorded(files.noted, acknowledged)


Kept = Callable[[], bool]


class Disk:
    """Files with everything that is synced, and the operations since the last sync of each."""

    def __init__(self, sure: dict[str, bytes]) -> None:
        self.sure = sure
        self.pending: list[Operation] = []

    def takes(self, one: Operation) -> None:
        """Apply the next operation. A new file counts as synced in its folder, as SQLite's VFS does it."""
        if one.kind != "sync":
            self.pending.append(one)
            return
        mine = [other for other in self.pending if other.file == one.file]
        self.pending = [other for other in self.pending if other.file != one.file]
        self.sure = _after(self.sure, mine, lambda: True)

    def without_power(self, kept: Kept) -> dict[str, bytes]:
        """Return the files after the power is back; `kept` decides for each unsynced sector."""
        return _after(self.sure, self.pending, kept)


def _after(files: dict[str, bytes], operations: Iterable[Operation], kept: Kept) -> dict[str, bytes]:
    """Apply operations to files; `kept` decides for each sector written and for each truncation."""
    found = {name: bytearray(data) for name, data in files.items()}
    for one in operations:
        data = found.setdefault(one.file, bytearray())
        if one.kind == "truncate":
            if kept():
                del data[one.size :]
            continue
        end = one.offset + len(one.data)
        start = one.offset
        while start < end:
            stop = min(end, (start // SECTOR + 1) * SECTOR)
            if kept():
                data.extend(bytes(max(0, stop - len(data))))
                data[start:stop] = one.data[start - one.offset : stop - one.offset]
            start = stop
    return {name: bytes(data) for name, data in found.items()}


class State(NamedTuple):
    """A disk after a power loss: at which operation, what was lost, and the files."""

    at: int
    lost: str
    files: dict[str, bytes]


def moments(operations: list[Operation], *, step: int = 1) -> list[int]:
    """Return the operations at which the power fails: before each, and after it if it is a sync."""
    every = [at for at, one in enumerate(operations) if one.kind == "sync" or at % _BETWEEN == 0]
    return every[step - 1 :: step]


def states(house: Path, operations: list[Operation], at: list[int], dice: random.Random) -> Iterator[list[State]]:
    """Yield for each moment all disks that may be left."""

    def some() -> bool:
        return dice.random() < 0.5

    disk = Disk({"house.db": house.read_bytes()})
    ways: dict[str, Kept] = {"all": lambda: False, "nothing": lambda: True, "some": some, "some again": some}
    for number, one in enumerate(operations):
        found = [State(number, lost, disk.without_power(kept)) for lost, kept in ways.items()] if number in at else []
        disk.takes(one)
        if number in at:
            if one.kind == "sync":
                found += [State(number + 1, lost, disk.without_power(ways[lost])) for lost in ("all", "some")]
            yield found


class Broken(AssertionError):
    """The house broke one of its promises."""


def held(state: State, recording: Recorded, folder: Path, *, plays_on: bool) -> int:
    """Check that the house on this disk is whole.

    Returns the number of entries beyond those acknowledged; raises Broken.
    """
    asked, begins = jackpot()
    for old in folder.glob("house.db*"):
        old.unlink()
    for name, data in state.files.items():
        (folder / name).write_bytes(data)
    owed = begins + bisect_right(recording.acknowledged, state.at)
    where, path = f"operation {state.at}, lost {state.lost}", folder / "house.db"
    try:
        with closing(open_store(f"sqlite:///{path}")) as store:
            seq, tip = store.last()
            check(store)
    except StoreError as error:
        raise Broken(f"{where}: {error}") from error
    if seq < owed:
        raise Broken(f"{where}: {owed} entries were acknowledged, and {seq} are there")
    if tip != asked[seq - 1].tip:
        raise Broken(f"{where}: entry {seq} is none of the round")
    if plays_on:
        asyncio.run(_played_on(path, seq, where))
    return seq - owed


async def _played_on(path: Path, seq: int, where: str) -> None:
    asked, _ = jackpot()
    replay = Replay(path)
    for one in asked[max(0, seq - 2) :]:  # some answered requests are asked again
        if await replay.ask(one) != one.reply:
            raise Broken(f"{where}: {one.request.id} is told something else afterwards")
    await replay.ends()
    with closing(open_store(f"sqlite:///{path}")) as store:
        if store.last() != (len(asked), asked[-1].tip):
            raise Broken(f"{where}: the round does not end as it would have")


def campaign(left: Iterable[list[State]], recording: Recorded, folder: Path) -> Counter[str]:
    """Check every state and return the counts; raises Broken."""
    seen = Counter[str]()
    for state in (one for many in left for one in many):
        plays_on = seen["losses of power"] % _PLAYED_ON == 0
        beyond = held(state, recording, folder, plays_on=plays_on)
        seen["losses of power"] += 1
        seen["of them with an entry that nobody was told of yet"] += beyond > 0
        seen["of them played on to the end of the round"] += plays_on
    return seen


def main() -> int:
    """Check all moments, or every N-th."""
    parser = argparse.ArgumentParser(description="Loss of power at every sync of a whole round with a jackpot.")
    parser.add_argument("--seed", type=int, default=1, help="of what is lost")
    parser.add_argument("--step", type=int, default=1, help="every so-manyth moment only")
    given = parser.parse_args()
    if given.step < 1:
        parser.error("--step: at least 1")
    console = Console(width=100)
    with tempfile.TemporaryDirectory() as name:
        house, folder = Path(name) / "before.db", Path(name) / "round"
        folder.mkdir()
        found_in(house)
        recording = recorded(house, folder)
        kinds = Counter(one.kind for one in recording.operations)
        console.print(f"the round: {dict(kinds)} in {len({one.file for one in recording.operations})} files")
        at = moments(recording.operations, step=given.step)
        try:
            left = states(house, recording.operations, at, random.Random(given.seed))
            bar = track(left, "without power", total=len(at), console=Console(stderr=True))
            seen = campaign(bar, recording, folder)
        except Broken as broken:
            console.print(f"BROKEN: {broken}", markup=False)
            return 1
    for what, count in seen.items():
        console.print(f"{what}: {count:,}")
    console.print("everything acknowledged was there each time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
