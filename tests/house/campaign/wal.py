"""Power loss under PostgreSQL after every request of a round with a jackpot: what was not synced is gone.

python -m tests.house.campaign.wal [--seed 1] [--step 1]

The round is played on a real server that makes no checkpoint meanwhile. After every answer the server says how far its
log (WAL) is synced. A machine that loses power then has the files of the last checkpoint and that part of the WAL; of
what was written and not synced it has nothing or some sectors. A new server starts on each of these disks, and
everything acknowledged must be there. The test trusts what the server says about its own syncs.
"""

import argparse
import asyncio
import logging
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple

import psycopg
from rich.console import Console
from rich.progress import track
from sqlalchemy import make_url

from aceking.house.store.check import check
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store
from tests.house.campaign.database import Database, database
from tests.house.campaign.evening import Replay, jackpot
from tests.house.campaign.power import SECTOR, Broken
from tests.house.campaign.wire import founded

SEGMENT = 16 * 2**20
#: Settings under which the server makes no checkpoint, and syncs only what somebody waits for.
_QUIET = {
    "checkpoint_timeout": "1d",
    "max_wal_size": "4GB",
    "wal_writer_delay": "10s",
    "autovacuum": "off",
    "wal_recycle": "off",
}
#: One loss in ten is played on to the end of the round.
_PLAYED_ON = 10

Lost = Literal["all", "some", "between"]


class Loss(NamedTuple):
    """A power loss: the synced and written bytes of the WAL, the entries acknowledged, and what is gone."""

    synced: int
    written: int
    owed: int
    lost: Lost


class Recorded(NamedTuple):
    """A played round: the files at the checkpoint before it, the WAL after it, and the synced positions."""

    base: Path
    log: Path
    options: str  # they name the schema of the house
    synced: list[int]  # before the first request and after each, in bytes


class There(Replay):
    """A house in a PostgreSQL database."""

    def __init__(self, address: str) -> None:
        super().__init__(Path())
        self._address = address

    def opens(self) -> Store:
        return open_store(self._address)

    async def ends(self) -> None:
        """End the house, and close its listener."""
        listener = None if self._house is None else self._house._listener
        await super().ends()
        if listener is not None:
            listener.close()


def recorded(server: Database, folder: Path) -> Recorded:
    """Play the round on this server, and keep what a disk would have."""
    asked, begins = jackpot()
    with psycopg.connect(server.url, autocommit=True) as connection:
        for name, value in _QUIET.items():
            connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        connection.execute("SELECT pg_reload_conf()")
        address = founded(server.url)
        connection.execute("CHECKPOINT")
        base, log = folder / "base", folder / "log"
        _copy(server.folder, base)
        (base / "postmaster.pid").unlink()
        synced = [_synced(connection)]

        async def plays() -> None:
            replay = There(address)
            for one in asked[begins:]:
                assert await replay.ask(one) == one.reply
                synced.append(_synced(connection))
            await replay.ends()

        asyncio.run(plays())
        _copy(server.folder / "pg_wal", log)
        assert connection.execute("SELECT num_timed + num_requested FROM pg_stat_checkpointer").fetchone() == (1,)
    return Recorded(base, log, str(make_url(address).query["options"]), synced)


def _synced(connection: "psycopg.Connection[tuple[object, ...]]") -> int:
    found = connection.execute("SELECT pg_current_wal_flush_lsn() - '0/0'::pg_lsn").fetchone()
    assert found is not None
    return int(str(found[0]))


def _copy(source: Path, target: Path) -> None:
    """Copy with the owner, because a server reads no files of others."""
    subprocess.run(("cp", "-a", "--reflink=auto", str(source), str(target)), check=True)


def losses(recording: Recorded, *, step: int) -> Iterator[Loss]:
    """Yield the losses after each answer, and one between it and the next."""
    _, begins = jackpot()
    ends = [*recording.synced[1:], recording.synced[-1]]
    for number, (synced, written) in enumerate(zip(recording.synced, ends, strict=True)):
        if number % step == 0:
            yield Loss(synced, written, begins + number, "all")
            yield Loss(synced, written, begins + number, "some")
            yield Loss((synced + written) // 2, written, begins + number, "between")


def disk(recording: Recorded, loss: Loss, target: Path, dice: random.Random) -> None:
    """Write the files that are there when the power is back."""
    _copy(recording.base, target)
    for old in (target / "pg_wal").glob("0*"):
        old.unlink()
    for segment in sorted(recording.log.glob("0*")):
        begins = _begins(segment.name)
        if begins > loss.written:
            continue
        _copy(segment, target / "pg_wal" / segment.name)
        with (target / "pg_wal" / segment.name).open("r+b") as file:
            whole = bytearray(file.read())
            _lose(whole, begins, loss, dice)
            file.seek(0)
            file.write(whole)


def _lose(whole: bytearray, begins: int, loss: Loss, dice: random.Random) -> None:
    """Write zeros over what was not synced; with "some", each unsynced sector is kept or not at random."""
    start = max(0, loss.synced - begins)
    while start < len(whole):
        stop = min(len(whole), (start // SECTOR + 1) * SECTOR)
        kept = loss.lost == "some" and begins + start < loss.written and dice.random() < 0.5
        if not kept:
            whole[start:stop] = bytes(stop - start)
        start = stop


def _begins(name: str) -> int:
    """Return the position at which a WAL segment begins, from its name: timeline, then the number in two parts."""
    return (int(name[8:16], 16) * (2**32 // SEGMENT) + int(name[16:24], 16)) * SEGMENT


def held(recording: Recorded, loss: Loss, folder: Path, dice: random.Random, *, plays_on: bool) -> int:
    """Check that the house on this disk is whole.

    Returns the number of entries beyond those acknowledged; raises Broken.
    """
    asked, _ = jackpot()
    where = f"{loss.owed} acknowledged, synced up to {loss.synced}, lost {loss.lost}"
    disk(recording, loss, folder / "postgres", dice)
    with database(folder / "postgres") as server:
        there = make_url(server.url).update_query_dict({"options": recording.options})
        address = there.render_as_string(hide_password=False)
        with closing(open_store(address)) as store:
            seq, tip = store.last()
            check(store)
        if seq < loss.owed:
            raise Broken(f"{where}: {seq} entries are there")
        if tip != asked[seq - 1].tip:
            raise Broken(f"{where}: entry {seq} is none of the round")
        if plays_on:
            asyncio.run(_played_on(address, seq, where))
    return seq - loss.owed


async def _played_on(address: str, seq: int, where: str) -> None:
    asked, _ = jackpot()
    replay = There(address)
    for one in asked[max(0, seq - 2) :]:  # some answered requests are asked again
        if await replay.ask(one) != one.reply:
            raise Broken(f"{where}: {one.request.id} is told something else afterwards")
    await replay.ends()
    with closing(open_store(address)) as store:
        if store.last() != (len(asked), asked[-1].tip):
            raise Broken(f"{where}: the round does not end as it would have")


def campaign(recording: Recorded, each: Iterable[Loss], seed: int) -> Counter[str]:
    """Check every loss and return the counts; raises Broken."""
    seen, dice = Counter[str](), random.Random(seed)
    for loss in each:
        plays_on = seen["losses of power"] % _PLAYED_ON == 0
        with tempfile.TemporaryDirectory() as name:
            Path(name).chmod(0o755)
            beyond = held(recording, loss, Path(name), dice, plays_on=plays_on)
        seen["losses of power"] += 1
        seen["of them with an entry that nobody was told of yet"] += beyond > 0
        seen["of them played on to the end of the round"] += plays_on
    return seen


def main() -> int:
    """Check all requests, or every N-th."""
    parser = argparse.ArgumentParser(description="Loss of power under PostgreSQL in a whole round with a jackpot.")
    parser.add_argument("--seed", type=int, default=1, help="of what is lost")
    parser.add_argument("--step", type=int, default=1, help="every so-manyth request only")
    given = parser.parse_args()
    if given.step < 1:
        parser.error("--step: at least 1")
    console = Console(width=100)
    logging.disable(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        with database(Path(name) / "postgres") as server:
            recording = recorded(server, Path(name))
        each = list(losses(recording, step=given.step))
        bytes_written = recording.synced[-1] - recording.synced[0]
        console.print(f"the round: {len(recording.synced) - 1} requests, {bytes_written:,} bytes of the server's log")
        try:
            seen = campaign(recording, track(each, "without power", console=Console(stderr=True)), given.seed)
        except Broken as broken:
            console.print(f"BROKEN: {broken}", markup=False)
            return 1
    for what, many in seen.items():
        console.print(f"{what}: {many:,}")
    console.print("everything acknowledged was there each time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
