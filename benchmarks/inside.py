"""The floor without its web, driven inside the process: for figures that need many rounds."""

import asyncio
import uuid
from typing import Any

from aceking.house.desk import Reply, Request
from aceking.house.floor import requests as w
from aceking.house.floor.states import FloorTable
from aceking.house.running import Running
from aceking.table import player as pl
from benchmarks.crowd import ANTE, sender


class ToldClock:
    """A clock that is set by hand; the driver fires the timers of the tables."""

    def __init__(self) -> None:
        self.at = 1_790_000_000_000

    def now(self) -> int:
        return self.at

    async def until(self, moment: int) -> None:
        """Never return: nothing waits for this clock."""
        await asyncio.Event().wait()


def next_request(one: FloorTable, box: int) -> Any:
    """Return what the player of a box does next if players decide in any order; None if it is not their turn."""
    current, table = one.table.live_round, one.table.id
    if current is None:
        return None
    here = current.boxes.get(box)
    if current.phase == "betting":
        if here is None or not here.ante:
            return w.PlayRequest(table=table, act=pl.PlaceAnte(box=box, amount=ANTE))
        return None if one.seats[box] in one.ready else w.SayReady(table=table)
    if current.phase != "deciding" or here is None or not here.owes_decision:
        return None
    if not here.seen:
        return w.PlayRequest(table=table, act=pl.SeeHand(box=box))
    return w.PlayRequest(table=table, act=pl.MakeBet(box=box) if box % 2 == 0 else pl.GiveUp(box=box))


async def asked(house: Running, name: str, body: Any) -> Reply:
    """Make one request, and fail if it is refused."""
    reply = await house.ask(Request(id=uuid.uuid4().hex, sender=sender(name), body=body))
    assert reply.refused is None, f"{name}: {body}: {reply.refused}"
    return reply


class Busy:
    """Players who ask as fast as they are answered."""

    def __init__(self, house: Running) -> None:
        self.house = house
        self.answered = 0
        self._go = False
        self._asking: dict[str, asyncio.Task[None]] = {}
        house.listeners.append(self._moved)

    async def ask(self, seconds: float) -> float:
        """Run for some seconds and return the answers per second."""
        self._go, before = True, self.answered
        loop = asyncio.get_running_loop()
        started = loop.time()
        self._moved({f"table/{name}" for name in self.house.floor.tables})
        await asyncio.sleep(seconds)
        found = (self.answered - before) / (loop.time() - started)
        self._go = False
        while self._asking:
            await asyncio.gather(*self._asking.values())
        return found

    def _moved(self, streams: set[str]) -> None:
        if not self._go:
            return
        for stream in streams:
            table = stream.removeprefix("table/")
            one = self.house.floor.tables.get(table)
            for box, name in one.seats.items() if one is not None else ():
                if name not in self._asking:
                    self._asking[name] = asyncio.create_task(self._one(name, table, box))

    async def _one(self, name: str, table: str, box: int) -> None:
        """Ask one thing after another until there is nothing to do."""
        try:
            while self._go and (body := next_request(self.house.floor.tables[table], box)) is not None:
                await asked(self.house, name, body)
                self.answered += 1
        finally:
            del self._asking[name]


async def play_round(house: Running, clock: ToldClock) -> None:
    """Play one round at every table, all tables in the same batches."""
    numbers = {name: _number(one) for name, one in house.floor.tables.items()}
    while asks := [
        (player, body)
        for name, one in house.floor.tables.items()
        if _number(one) == numbers[name]
        for box, player in one.seats.items()
        if (body := next_request(one, box)) is not None
    ]:
        clock.at += 10
        await asyncio.gather(*(asked(house, player, body) for player, body in asks))


def _number(one: FloorTable) -> int:
    """Return the number of the current round; the next begins at the moment one ends."""
    assert one.table.live_round is not None, "a table goes on by itself"
    return one.table.live_round.number
