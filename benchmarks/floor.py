"""The served floor as ratios of R: one-row commits per second of the same database with the same durability.

R is measured in the same run, in turns with the figure. Commands per second are the median of several turns, each
divided by R before and after it. The house is `aceking serve` with one process and with two; the crowd (200 players on
30 tables) is this process, and they share the cores of the machine.

python -m benchmarks.floor [commands_and_latency log_ins slow_disk log_size restart heard] [--rounds 100000]
"""

import asyncio
import os
import sqlite3
import statistics
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import psycopg

from aceking.house.floor import requests as w
from aceking.house.record import body
from aceking.house.running import Running, SystemClock
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store, Written
from benchmarks import crowd as people
from benchmarks import store as stores
from benchmarks.inside import Busy, ToldClock, play_round
from benchmarks.limits import at_least, at_most, note
from benchmarks.parts import Part, from_command_line, measure
from tests.house.store.disk import Disk
from tests.house.store.memory import MemoryStore

TURNS = 9
TURN_SECONDS = 2.0
PROCESSES = 2  # of `aceking serve`
PACE = 100  # commands a second
PACE_SECONDS = 15.0
SLOW_SECONDS = 0.008
EVENTS = 40
#: Entries after the last snapshot when a restart is measured.
AFTER_SNAPSHOT = 2_500
ONE_TABLE = people.Plan(books=("section10",), tables=1)
#: People who log in while others play; they have no table.
COMERS = tuple(f"comer{number}" for number in range(1, 51))


@contextmanager
def _databases() -> Iterator[list[tuple[str, str, stores.OneRow, Path]]]:
    """Yield SQLite and PostgreSQL, each with a function that commits one row beside the house."""
    with tempfile.TemporaryDirectory() as name, stores.postgres() as url:
        folder = Path(name)
        with stores.plain_sqlite(folder) as sqlite_row, stores.plain_postgres(url) as postgres_row:
            yield [
                ("SQLite", f"sqlite:///{folder}/house.db", sqlite_row, folder),
                ("PostgreSQL", url, postgres_row, folder),
            ]


def _commits(one_row: stores.OneRow) -> float:
    """Measure R for a short while."""
    row = body(stores.unit())

    def commit() -> int:
        one_row(row)
        return 1

    return stores.rate(commit)


def commands_and_latency() -> None:
    """Measure acknowledged commands per second at full speed, and their latency at an even pace."""
    for workers in (1, PROCESSES):
        with _databases() as databases:  # new databases, so that the second run does not read the log of the first
            for name, url, one_row, folder in databases:
                tokens = people.make_house(url)
                with people.served(url, folder, workers) as server:
                    asyncio.run(_measured(f"{name}, {workers} serving", server, tokens, one_row))


async def _measured(name: str, server: people.Server, tokens: dict[str, str], one_row: stores.OneRow) -> None:
    """Measure turns, each with R before and after it: the speed of cores and disk varies."""
    crowd = people.Crowd()
    await crowd.come(server, tokens)
    await crowd.ask(TURN_SECONDS)
    turns: list[tuple[float, float]] = []  # commands a second, and R
    house_busy, crowd_busy, answered = 0.0, 0.0, 0
    before = _commits(one_row)
    for _ in range(TURNS):
        crowd.forget()
        house, own = server.processor(), time.process_time()
        rate = await crowd.ask(TURN_SECONDS)
        house_busy += server.processor() - house
        crowd_busy += time.process_time() - own
        answered += len(crowd.answers)
        after = _commits(one_row)
        turns.append((rate, (before + after) / 2))
        before = after
    assert not crowd.refused, crowd.refused[:3]
    ratios = sorted(rate / rows for rate, rows in turns)
    commands, rows = (statistics.median(column) for column in zip(*turns, strict=True))
    told = f"{name}: commands a second (R = {rows:,.0f})"
    if server.workers == PROCESSES:
        at_least(told, statistics.median(ratios), "R", 0.5)
    else:
        note(told, statistics.median(ratios), "R")
    note(f"{name}: the same, the least and the most of {TURNS} turns ({ratios[-1]:.2f})", ratios[0], "R")
    note(f"{name}: commands a second", commands, "")
    note(f"{name}: the house's processor time for a command", 1000 * house_busy / answered, "ms")
    note(f"{name}: cores that the house used", house_busy / TURNS / TURN_SECONDS, "")
    note(f"{name}: cores that the crowd used", crowd_busy / TURNS / TURN_SECONDS, "")
    await _at_pace(name, crowd, one_row)
    crowd.leave()


def log_ins() -> None:
    """Measure the latency of commands while 50 people log in, as a ratio to that without them."""
    with _databases() as databases:
        for name, url, _, folder in databases:
            tokens = people.make_house(url)
            people.give_passwords(url, COMERS)
            with people.served(url, folder) as server:
                asyncio.run(_beside_log_ins(name, server, tokens))


async def _beside_log_ins(name: str, server: people.Server, tokens: dict[str, str]) -> None:
    crowd = people.Crowd()
    await crowd.come(server, tokens)
    await crowd.ask(TURN_SECONDS)
    crowd.forget()
    await crowd.ask_evenly(PACE_SECONDS / 3, a_second=PACE)
    before = statistics.quantiles(crowd.answers, n=100)
    coming = asyncio.create_task(people.log_in(server, COMERS))
    crowd.forget()
    while not coming.done():
        await crowd.ask_evenly(1.0, a_second=PACE)
    beside = statistics.quantiles(crowd.answers, n=100)
    what = f"{name}: answers while {len(COMERS)} log in, to those before"
    note(f"{what}, the median", beside[49] / before[49], "")
    note(f"{what}, all but 1 % ({1000 * before[98]:.0f} to {1000 * beside[98]:.0f} ms)", beside[98] / before[98], "")
    note(f"{name}: log-ins a second", len(COMERS) / await coming, "")
    crowd.leave()


async def _at_pace(name: str, crowd: people.Crowd, one_row: stores.OneRow) -> None:
    """Measure latency three times and take the turn with the best 99th percentile."""
    found = []
    for _ in range(3):
        commit = 1 / _commits(one_row)
        crowd.forget()
        await crowd.ask_evenly(PACE_SECONDS, a_second=PACE)
        took = statistics.quantiles(crowd.answers, n=100)
        found.append((took[98] / commit, took[98] / took[49], took[98], took[49], len(crowd.answers) / PACE_SECONDS))
    in_commits, in_medians, slow, median, pace = min(found)
    at_most(f"{name}: slowest answers but 1 % at {pace:.0f} a second", in_commits, "1/R", 100)
    at_most(f"{name}: the same to the median", in_medians, "", 10)
    note(f"{name}: the same, and the median in ms ({1000 * median:.1f})", 1000 * slow, "ms")


class SlowDisk(Disk):
    """A disk whose sync takes `SLOW_SECONDS`."""

    def sync(self) -> None:
        time.sleep(SLOW_SECONDS)
        super().sync()


def slow_disk() -> None:
    """Measure commands per second if a commit takes 8 ms, as a ratio to one command per commit."""
    asyncio.run(_on_slow_disk())


async def _on_slow_disk() -> None:
    best_row = best = 0.0
    for _ in range(3):
        stores.fresh()
        best_row = max(best_row, stores.rate(partial(_one_commit, MemoryStore(SlowDisk()))))
        house = Running(MemoryStore(SlowDisk()), clock=SystemClock(), draw=os.urandom)
        await house.start()
        await people.found(house, people.Plan(books=("section10",)))
        used = time.process_time()
        busy = Busy(house)
        best = max(best, await busy.ask(TURN_SECONDS))
        used = time.process_time() - used
        await house.stop()
    at_least(f"a commit of 8 ms: commands to its {best_row:.0f} commits a second", best / best_row, "", 10)
    note("the same, processor time for a command", 1000 * used / busy.answered, "ms")


def _one_commit(store: MemoryStore) -> int:
    (outcome,) = store.append([stores.unit()])
    assert isinstance(outcome, Written), outcome
    return 1


def log_size() -> None:
    """Measure the bytes that a round of seven boxes adds to the database, indexes included."""
    with _databases() as databases:
        for name, url, _, _ in databases:
            grown = asyncio.run(_grown(url))
            at_most(f"{name}: a round of seven boxes in the log", grown / 1024, "KB", 12)


async def _grown(url: str, rounds: int = 100) -> float:
    clock = ToldClock()
    with closing(open_store(url)) as store:
        house = Running(store, clock=clock, draw=os.urandom)
        await house.start()
        await people.found(house, ONE_TABLE)
        await play_round(house, clock)
        before = _bytes(url)
        for _ in range(rounds):
            await play_round(house, clock)
        grown = _bytes(url) - before
        await house.stop()
    return grown / rounds


def _bytes(url: str) -> int:
    """Return the size of the pages in use."""
    if url.startswith("sqlite"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as raw:
            pages, free, size = (
                raw.execute(f"PRAGMA {what}").fetchone()[0] for what in ("page_count", "freelist_count", "page_size")
            )
            return int((pages - free) * size)
    with psycopg.connect(url, autocommit=True) as other:
        row = other.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
            " WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'"
        ).fetchone()
        assert row is not None
        return int(row[0])


def restart(rounds: int = 10_000) -> None:
    """Measure the restart of a killed house, after few rounds and after many.

    `make bench` plays 10,000 rounds for it; `--rounds 100000` takes a quarter of an hour on an idle machine.
    """
    with tempfile.TemporaryDirectory() as folder:
        few, many = (f"sqlite:///{folder}/{number}.db" for number in (1_000, rounds))
        fewer, more = asyncio.run(_played(few, 1_000)), asyncio.run(_played(many, rounds))
        best = {few: 1e9, many: 1e9}
        for _ in range(TURNS):
            for url in best:
                best[url] = min(best[url], asyncio.run(_started(url)))
        at_most(f"restart after {more:,} rounds to one after {fewer:,}", best[many] / best[few], "", 2)
        note("the shorter one, by processor time", best[few], "s")


async def _played(url: str, rounds: int) -> int:
    """Make a house that was killed after N rounds or a few more, always equally far from its last snapshot."""
    clock, plan = ToldClock(), people.Plan(books=("section10",), tables=100, boxes=1)
    with closing(open_store(url)) as store:
        house = Running(store, clock=clock, draw=os.urandom)
        await house.start()
        await people.found(house, plan)
        played = 0
        while played < rounds or not AFTER_SNAPSHOT <= _unkept(store) < AFTER_SNAPSHOT + 500:
            await play_round(house, clock)
            played += plan.tables
    return played


def _unkept(store: Store) -> int:
    """Return the number of entries after the last snapshot."""
    kept = store.snapshots().get("floor")
    return store.last()[0] - (kept.seq if kept is not None else 0)


async def _started(url: str) -> float:
    """Return the processor time of a start: its wall time depends on other work on the machine."""
    started = time.process_time()
    with closing(open_store(url)) as store:
        await Running(store, clock=ToldClock(), draw=os.urandom).start()
        return time.process_time() - started


def heard() -> None:
    """Measure the time from an act to every connection that watches the table, on the same process and on another."""
    with _databases() as databases:
        for name, url, _, folder in databases:
            tokens = people.make_house(url)
            with people.served(url, folder) as server:
                asyncio.run(_told(name, server, server, tokens, watching=people.PLAYERS))
                if name == "PostgreSQL":
                    with people.served(url, folder) as other:
                        asyncio.run(_told(name, server, other, tokens, watching=people.PLAYERS[:1]))


async def _told(
    name: str, server: people.Server, other: people.Server, tokens: dict[str, str], *, watching: Sequence[str]
) -> None:
    """Let one player act repeatedly while the others watch the table, perhaps on another process."""
    actor, table, _ = next(people.FULL.places())
    eyes, hand, sockets = [people.Eye(table) for _ in watching], people.Eye(table), []
    for eye, player in zip(eyes, watching, strict=True):
        sockets.append(await people.connect(other, eye.hears, tokens[player]))
        sockets[-1].send({"is": "watch", "table": table})
    asking = await people.connect(server, hand.hears, tokens[actor])
    after_asking, after_answer = [], []
    for _ in range(EVENTS):
        await asyncio.sleep(0.05)
        began = time.perf_counter()
        asking.send({"is": "ask", "id": uuid.uuid4().hex, "wish": w.BuyIn(table=table, amount=1)})
        answered, version = await asyncio.wait_for(hand.answers.get(), 10)
        seen = statistics.median([await eye.sees(version) for eye in eyes])
        after_asking.append(1000 * (seen - began))
        after_answer.append(1000 * (seen - answered))
    for socket in (asking, *sockets):
        socket.close()
    if other is server:
        at_most(f"{name}: an act shown on {len(eyes)} connections", statistics.median(after_asking), "ms", 100)
    else:
        at_most(f"{name}: an answered act shown by another process", statistics.median(after_answer), "ms", 10)


PARTS: tuple[Part, ...] = (commands_and_latency, log_ins, slow_disk, log_size, restart, heard)


def main() -> None:
    measure(PARTS, (), long=restart, rounds=10_000)


if __name__ == "__main__":
    from_command_line(__doc__, PARTS, long=restart, rounds=10_000, of="of the longer log that is restarted from")
