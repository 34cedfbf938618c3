"""Every n-th write of a whole round with a jackpot fails: the disk is full or broken, once or until it is repaired.

python -m tests.house.campaign.writes [--step 1] [--first 1]

A round is played on a real SQLite file. Each request is repeated under its id until it is answered. At the end the log
must be, byte for byte, that of the same round without a fault: nothing acknowledged is missing, nothing is there twice,
and nothing was decided on entries that were not written.
"""

import argparse
import asyncio
import logging
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rich.console import Console
from rich.progress import track

from aceking.house.record import read_unit
from aceking.house.store.check import check
from aceking.house.store.open import open_store
from aceking.house.verify import verify
from tests.house.campaign.evening import Replay, found_in, jackpot
from tests.house.campaign.files import BROKEN, FULL, Judge, Kind, under_sqlite


@dataclass(frozen=True)
class Trouble:
    """What goes wrong: the disk is full or broken, once or until it is repaired."""

    how: Literal["full", "broken"]
    lasting: bool

    def __str__(self) -> str:
        return f"{self.how} {'until it is mended' if self.lasting else 'once'}"

    def error(self, kind: Kind) -> int:
        """Return the error for an operation: a full disk still syncs, truncates and deletes."""
        if self.how == "broken":
            return BROKEN[kind]
        return FULL if kind == "write" else 0


TROUBLES = tuple(Trouble(how, lasting) for how in ("full", "broken") for lasting in (False, True))


class Mended(Replay):
    """A house whose disk is repaired before every restart."""

    def __init__(self, path: Path, mend: Callable[[], None]) -> None:
        super().__init__(path)
        self._mend = mend
        self._started = False

    def before_start(self) -> None:
        """Repair the disk, but not before the first start, which comes before the trouble."""
        if self._started:
            self._mend()
        self._started = True


class Broken(AssertionError):
    """The house broke one of its promises."""


def played(path: Path, judge: Judge, mend: Callable[[], None] = lambda: None) -> Replay:
    """Play the round on this file. Raises Broken if the log is not that of a round without a fault."""
    asked, begins = jackpot()
    replay = Mended(path, mend)

    async def plays() -> None:
        for one in asked[begins:]:
            reply = await replay.ask(one)
            if reply != one.reply:
                raise Broken(f"{one.request.id} was told {reply}, and without a fault {one.reply}")
        await replay.ends()

    with under_sqlite(judge):
        asyncio.run(plays())
    with closing(open_store(f"sqlite:///{path}")) as store:
        if store.last() != (len(asked), asked[-1].tip):
            raise Broken(f"the log ends with entry {store.last()[0]}, and not as without a fault")
        check(store)
    return replay


def holds(path: Path) -> None:
    """Verify the whole log, as `aceking verify` does."""
    with closing(open_store(f"sqlite:///{path}", only_read=True)) as store:
        verify(lambda: ((entry.seq, read_unit(entry.body)) for entry in store.log()))


def operations(house: Path, folder: Path) -> int:
    """Return the number of file operations in the round."""
    counted = 0

    def judge(number: int, kind: Kind) -> int:
        nonlocal counted
        counted = number
        return 0

    played(_copy(house, folder), judge)
    return counted


def fails(house: Path, folder: Path, number: int, trouble: Trouble) -> Replay:
    """Play the round with this operation failing."""
    mended = False

    def judge(now: int, kind: Kind) -> int:
        failing = now >= number and not mended if trouble.lasting else now == number
        return trouble.error(kind) if failing else 0

    def mend() -> None:
        nonlocal mended
        mended = True

    try:
        return played(_copy(house, folder), judge, mend)
    except AssertionError as broken:
        raise Broken(f"operation {number}, {trouble}: {broken}") from broken


def _copy(house: Path, folder: Path) -> Path:
    for old in folder.glob("house.db*"):
        old.unlink()
    (folder / "house.db").write_bytes(house.read_bytes())
    return folder / "house.db"


def campaign(numbers: Iterable[int], house: Path, folder: Path) -> Counter[str]:
    """Play the round for each operation and each trouble, and return the counts; raises Broken."""
    seen = Counter[str]()
    for number in numbers:
        for trouble in TROUBLES:
            replay = fails(house, folder, number, trouble)
            seen["rounds"] += 1
            seen["requests told that nothing was written"] += replay.not_written
            seen["starts after a fault"] += replay.restarts - 1
        holds(folder / "house.db")
    return seen


def main() -> int:
    """Fail every operation, or every N-th."""
    parser = argparse.ArgumentParser(description="Every n-th write of a whole round with a jackpot fails.")
    parser.add_argument("--step", type=int, default=1, help="every so-manyth only")
    parser.add_argument("--first", type=int, default=1)
    given = parser.parse_args()
    if given.step < 1 or given.first < 1:
        parser.error("--step and --first: at least 1")
    console = Console(width=100)
    logging.disable(logging.CRITICAL)  # the house logs every failed write
    with tempfile.TemporaryDirectory() as name:
        house, folder = Path(name) / "before.db", Path(name) / "round"
        folder.mkdir()
        found_in(house)
        number = operations(house, folder)
        console.print(f"{number} writes, truncations and syncs in the round; {len(TROUBLES)} troubles")
        try:
            each = range(given.first, number + 1, given.step)
            seen = campaign(track(each, "failing", console=Console(stderr=True)), house, folder)
        except Broken as broken:
            console.print(f"BROKEN: {broken}", markup=False)
            return 1
    for what, count in seen.items():
        console.print(f"{what}: {count:,}")
    console.print("each came to the log without a fault, byte for byte")
    return 0


if __name__ == "__main__":
    sys.exit(main())
