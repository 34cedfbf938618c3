"""A full house for long: spectators, clients that do not read, and an evening of many rounds.

python -m benchmarks.load [spectators slow_readers long_evening] [--rounds 100000]
"""

import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import closing
from pathlib import Path

from aceking.house.floor import requests as w
from aceking.house.running import Running
from aceking.house.store.open import open_store
from benchmarks import crowd as people
from benchmarks.inside import ToldClock, play_round
from benchmarks.limits import at_most, note
from benchmarks.parts import Part, from_command_line, measure

SPECTATORS = 1_000
EVENTS = 20
SLOW = 20
SECONDS = 8.0
#: Rounds after which a house keeps its full number of answers (20,000).
FILLED = 5_000
_VERSION = re.compile(rb'"version":(\d+)')


class Glance:
    """A spectator who records when each version of a table was shown, and decodes nothing else."""

    def __init__(self) -> None:
        self.seen: list[tuple[float, int]] = []

    def hears(self, payload: bytes) -> None:
        """Take a view or a welcome."""
        found = _VERSION.search(payload[:200])
        if found is not None:
            self.seen.append((time.perf_counter(), int(found[1])))

    def saw(self, version: int) -> float | None:
        """Return when this version or a newer one was first shown."""
        return next((at for at, shown in self.seen if shown >= version), None)


def spectators() -> None:
    """Measure the time from an act to a thousand spectators without a session, while 200 players are connected."""
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/house.db"
        tokens = people.make_house(url)
        with people.served(url, Path(name)) as server:
            asyncio.run(_shown(server, tokens))


async def _shown(server: people.Server, tokens: dict[str, str]) -> None:
    crowd = people.Crowd()
    await crowd.come(server, tokens)
    actor, table, _ = next(people.FULL.places())
    eyes, sockets = [Glance() for _ in range(SPECTATORS)], []
    for eye in eyes:
        sockets.append(await people.connect(server, eye.hears, ""))
        sockets[-1].send({"is": "watch", "table": table})
    hand = people.Eye(table)
    asking = await people.connect(server, hand.hears, tokens[actor])
    middle, last = [], []
    for _ in range(EVENTS):
        await asyncio.sleep(0.5)
        began = time.perf_counter()
        asking.send({"is": "ask", "id": uuid.uuid4().hex, "wish": w.BuyIn(table=table, amount=1)})
        _, version = await asyncio.wait_for(hand.answers.get(), 60)
        async with asyncio.timeout(60):
            while any(eye.saw(version) is None for eye in eyes):
                await asyncio.sleep(0.01)
        times = [1000 * (at - began) for eye in eyes if (at := eye.saw(version)) is not None]
        middle.append(statistics.median(times))
        last.append(max(times))
    note(f"an act shown on the middle one of {SPECTATORS:,} connections", statistics.median(middle), "ms")
    note("the same on the last one", statistics.median(last), "ms")
    for socket in (asking, *sockets):
        socket.close()
    crowd.leave()


def slow_readers() -> None:
    """Measure 200 players alone, and beside clients that watch every table and read nothing."""
    with tempfile.TemporaryDirectory() as name:
        url = f"sqlite:///{name}/house.db"
        tokens = people.make_house(url)
        with people.served(url, Path(name)) as server:
            asyncio.run(_beside(server, tokens))


async def _beside(server: people.Server, tokens: dict[str, str]) -> None:
    crowd = people.Crowd()
    await crowd.come(server, tokens)
    await crowd.ask(2)
    alone, beside = [], []
    for _ in range(3):  # in turns, because other work on the machine varies
        crowd.forget()
        await crowd.ask(SECONDS / 2)
        alone += crowd.answers
        slow = [await people.connect(server, lambda _: None, "") for _ in range(SLOW)]
        for one in slow:
            one.pause()
            for table in range(people.FULL.tables):
                one.send({"is": "watch", "table": f"t{table}"})
        crowd.forget()
        await crowd.ask(SECONDS / 2)
        beside += crowd.answers
        for one in slow:
            one.close()
    ratio = statistics.median(beside) / statistics.median(alone)
    at_most(f"median answer beside {SLOW} who do not read, to that without", ratio, "", 1.5)
    slowest = statistics.quantiles(beside, n=100)[98] / statistics.quantiles(alone, n=100)[98]
    note("the same, slowest but 1 %", slowest, "")
    crowd.leave()


def long_evening(rounds: int = 2_000) -> None:
    """Measure memory, log growth and verification time over many rounds in one process."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "house.db"
        played, seconds = asyncio.run(_evening(f"sqlite:///{file}", rounds))
        note(f"the file after {played:,} rounds, a round of one box", file.stat().st_size / played / 1024, "KB")
        began = time.perf_counter()
        told = subprocess.run(
            [sys.executable, "-m", "aceking", "verify", str(file), "--json"], capture_output=True, check=True, text=True
        )
        took = time.perf_counter() - began
        found = json.loads(told.stdout)
        assert found["holds"], found
        assert found["rounds"] >= played, found
        note(f"rebuild and verification of {found['entries']:,} entries", took, "s")
        note("the same, to the time in which they were played", took / seconds, "")


async def _evening(url: str, rounds: int) -> tuple[int, float]:
    clock, plan = ToldClock(), people.Plan(books=("section10",), tables=100, boxes=1)
    sizes, played = [], 0
    with closing(open_store(url)) as store:
        house = Running(store, clock=clock, draw=os.urandom)
        await house.start()
        await people.found(house, plan)
        began = time.perf_counter()
        while played < FILLED + rounds:
            await play_round(house, clock)
            played += plan.tables
            sizes.append(_memory())
        seconds = time.perf_counter() - began
        await house.stop()
    filled = sizes[FILLED // plan.tables]
    at_most(f"memory after {played:,} rounds to that after {FILLED:,} ({filled:.0f} MB)", sizes[-1] / filled, "", 1.1)
    return played, seconds


def _memory() -> float:
    """Return the memory of this process in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


PARTS: tuple[Part, ...] = (spectators, slow_readers, long_evening)


def main() -> None:
    measure(PARTS, (), long=long_evening, rounds=2_000)


if __name__ == "__main__":
    from_command_line(__doc__, PARTS, long=long_evening, rounds=2_000, of="of the long evening, after the first 5,000")
