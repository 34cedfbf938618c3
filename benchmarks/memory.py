"""The memory of a server that plays very many rounds while people watch, come and go.

python -m benchmarks.memory [--rounds 100000]     exit status 1 if it grows

The house, its store in a SQLite file and its web are in one process, as in `aceking serve`. The players of a hundred
tables ask inside the process, so that rounds do not wait. The spectators are another process.
"""

import argparse
import asyncio
import multiprocessing
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress

from aceking.house.running import Running
from aceking.house.settings import Settings
from aceking.house.store.open import open_store
from aceking.web.serving import _served, listening_at
from benchmarks import crowd as people
from benchmarks.inside import ToldClock, play_round
from benchmarks.limits import at_most, met, note, summary
from benchmarks.wire import Socket

PLAN = people.Plan(books=("section10",), tables=100, boxes=1)
#: Rounds after which a house keeps its full number of answers (20,000).
FILLED = 5_000
WATCHERS = 20
#: Megabytes per 100,000 rounds that do not matter in a house that runs for a year.
MEGABYTES_MOST = 10.0


def watches(host: str, port: int, token: str) -> None:
    """Run twenty spectators in their own process; one leaves and another comes, until it is ended."""
    os.nice(5)

    async def watching() -> None:
        server: Any = SimpleNamespace(host=host, port=port)

        async def comes(number: int) -> Socket:
            found = await people.connect(server, lambda _: None, token if number % 2 else "")
            found.send({"is": "watch", "table": f"t{number % PLAN.tables}"})
            found.send({"is": "watch-floor"})
            return found

        here = [await comes(number) for number in range(WATCHERS)]
        for number in count(WATCHERS):
            await asyncio.sleep(0.2)
            here.pop(0).close()
            with suppress(ConnectionError):
                here.append(await comes(number))

    asyncio.run(watching())


async def evening(url: str, rounds: int, progress: Any) -> list[tuple[int, float]]:
    """Play, and return the rounds played and the megabytes used, measured repeatedly."""
    clock, found, told = ToldClock(), list[tuple[int, float]](), list[str]()
    settings = Settings(db=url, listen="127.0.0.1:0")
    with closing(open_store(url)) as store, listening_at(settings) as listening:
        house = Running(store, clock=clock, draw=os.urandom)
        await house.start()
        await people.found(house, PLAN)
        token = people.sessions(store)["p1"]
        serving = asyncio.create_task(_served(settings, house, listening, told.append))
        while not told:
            await asyncio.sleep(0.05)
        at = re.search(r"http://([^:]+):(\d+)", told[0])
        assert at is not None, told
        crowd = multiprocessing.get_context("spawn").Process(
            target=watches, args=(at[1], int(at[2]), token), daemon=True
        )
        crowd.start()
        played = 0
        while played < FILLED + rounds:
            await play_round(house, clock)
            played += PLAN.tables
            found.append((played, _megabytes()))
            progress(played)
        assert crowd.is_alive(), "those who watch have ended"
        crowd.terminate()
        house.broken.set()  # the house stops in order
        await serving
    return found


def growth(sizes: Sequence[tuple[int, float]]) -> float:
    """Return the growth in megabytes per 100,000 rounds, by least squares."""
    return 100_000 * statistics.linear_regression(*zip(*sizes, strict=True)).slope


def _megabytes() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def main() -> int:
    """Play, and report whether memory has grown."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--rounds", type=int, default=100_000, help="after the first 5,000")
    rounds = reader.parse_args().rounds
    if rounds < 2_000:
        reader.error("--rounds: at least 2000, or there is nothing to be seen")
    began = time.perf_counter()
    with (
        tempfile.TemporaryDirectory() as name,
        Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=Console(stderr=True)) as bar,
    ):
        task = bar.add_task("playing", total=FILLED + rounds)
        url = f"sqlite:///{name}/house.db"
        sizes = asyncio.run(evening(url, rounds, lambda played: bar.update(task, completed=played)))
        file = (Path(name) / "house.db").stat().st_size
    filled = [one for one in sizes if one[0] >= FILLED]
    for played, size in filled[:: max(1, len(filled) // 10)]:
        note(f"after {played:,} rounds", size, "MB")
    played = sizes[-1][0]
    note("rounds a second", played / (time.perf_counter() - began), "")
    note("the file, for each round", file / played / 1024, "KB")
    at_most(f"memory after {played:,} rounds, to that after {filled[0][0]:,}", sizes[-1][1] / filled[0][1], "", 1.1)
    at_most("growth in 100,000 rounds, by the second half", growth(filled[len(filled) // 2 :]), "MB", MEGABYTES_MOST)
    holds = met()
    summary()
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
