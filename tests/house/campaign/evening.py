"""A whole round with a jackpot as a list of requests: asked in this order, every house has the same log."""

import asyncio
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from aceking.house.desk import Reply, Request
from aceking.house.running import NotWritten, Running
from aceking.house.store.errors import StoreError
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store
from aceking.house.store.sql.sqlite import SqliteStore
from benchmarks.inside import ToldClock
from tests.house.evening import Evening
from tests.house.test_jackpot import AWARDS, ROYAL, Dealing, linked

#: Pages after which SQLite makes a checkpoint; few, so that it happens often in one round.
CHECKPOINT_PAGES = 60


class Asked(NamedTuple):
    """A request, its time, its reply, and the hash of the log after it."""

    request: Request
    at: int
    reply: Reply
    tip: bytes


class Recorder(Evening):
    """An evening that records its requests."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.asked: list[Asked] = []

    def ask(self, who: str, body: Any, name: str | None = None) -> Reply:
        """Return the reply to a request, and record both."""
        request = self.request(who, body, name)
        reply = super().ask(who, body, request.id)
        self.asked.append(Asked(request, self.at, reply, self.store.last()[1]))
        return reply


@cache
def jackpot() -> tuple[tuple[Asked, ...], int]:
    """Return the requests of a house that pays a royal flush by three persons, and the index where the round begins."""
    house = Recorder()
    linked("washington", ("a",), AWARDS, house=house)
    dealing = Dealing(house, "a", "p1", ROYAL)
    begins = len(house.asked)
    dealing.until()
    state = house.floor.meters["m"]
    assert state.counters.hits == 1
    assert state.counters.paid == 1_000_070 * state.scale
    return tuple(house.asked), begins


class Replay:
    """A house in a SQLite file that answers recorded requests, and is restarted if needed."""

    def __init__(self, path: Path, *settings: str) -> None:
        self.path = path
        self.settings = settings
        self.restarts = 0
        self.not_written = 0
        self._clock = ToldClock()
        self._house: Running | None = None

    async def ask(self, asked: Asked) -> Reply:
        """Ask under the same id until there is an answer; after three failures the house is restarted."""
        for tried in range(12):
            try:
                house = await self._running()
                self._clock.at = asked.at
                reply = await house.ask(asked.request)
            except (NotWritten, StoreError):
                self.not_written += 1
                if tried % 3 == 2:
                    await self.ends()
            else:
                return reply
        raise AssertionError(f"{asked.request.id} is never written")

    async def _running(self) -> Running:
        if self._house is None:
            self.before_start()
            self._house = Running(self.opens(), clock=self._clock, draw=bytes)  # a live table draws nothing
            try:
                await self._house.start()
            except StoreError:
                await self.ends()
                raise
            self.restarts += 1
        return self._house

    def opens(self) -> Store:
        """Return the store of the house."""
        return opened(self.path, *self.settings)

    def before_start(self) -> None:
        """Do nothing: subclasses repair the disk or the network here."""

    async def ends(self) -> None:
        """End the house as after a fault: everything in memory is lost."""
        house, self._house = self._house, None
        if house is None:
            return
        for task in house._tasks:
            task.cancel()
        await asyncio.gather(*house._tasks, return_exceptions=True)
        house._writer.shutdown()
        house.store.close()


def opened(path: Path, *settings: str) -> Store:
    """Open the house in this file, with a checkpoint every few pages and other SQLite settings."""
    store = open_store(f"sqlite:///{path}")
    assert isinstance(store, SqliteStore)
    for setting in (f"wal_autocheckpoint = {CHECKPOINT_PAGES}", *settings):
        store._raw.execute(f"PRAGMA {setting}")
    return store


def found_in(path: Path) -> None:
    """Create the house as it is before the round, and close it in order."""
    asked, begins = jackpot()

    async def made() -> None:
        replay = Replay(path)
        for one in asked[:begins]:
            assert await replay.ask(one) == one.reply
        await replay.ends()

    asyncio.run(made())
    with closing(open_store(f"sqlite:///{path}")) as store:
        assert store.last() == (begins, asked[begins - 1].tip), "it comes to the same log"
