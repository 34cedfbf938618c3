"""The floor without its web, to measure what needs many rounds: the same house, driven from the inside."""

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
    """A clock that stands where it was put; the clocks of the tables are rung by whoever drives."""

    def __init__(self) -> None:
        self.at = 1_790_000_000_000

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self.at

    async def until(self, moment: int) -> None:
        """For ever: nobody waits for this clock."""
        await asyncio.Event().wait()


def wish_of(one: FloorTable, box: int) -> Any:
    """What the player of a box does next, where players decide in any order; nothing while it is not for him."""
    current, table = one.table.live_round, one.table.id
    if current is None:
        return None
    here = current.boxes.get(box)
    if current.phase == "betting":
        if here is None or not here.ante:
            return w.Play(table=table, act=pl.PlaceAnte(box=box, amount=ANTE))
        return None if one.seats[box] in one.ready else w.SayReady(table=table)
    if current.phase != "deciding" or here is None or not here.owes_decision:
        return None
    if not here.seen:
        return w.Play(table=table, act=pl.SeeHand(box=box))
    return w.Play(table=table, act=pl.MakeBet(box=box) if box % 2 == 0 else pl.GiveUp(box=box))


async def asked(house: Running, name: str, wish: Any) -> Reply:
    """One request, done."""
    reply = await house.ask(Request(id=uuid.uuid4().hex, sender=sender(name), wish=wish))
    assert reply.refused is None, f"{name}: {wish}: {reply.refused}"
    return reply


class Busy:
    """Everybody at these tables asks as fast as he is answered, as long as it goes on."""

    def __init__(self, house: Running) -> None:
        self.house = house
        self.answered = 0
        self._go = False
        self._asking: dict[str, asyncio.Task[None]] = {}
        house.listeners.append(self._moved)

    async def ask(self, seconds: float) -> float:
        """How many answers a second there were."""
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
        """One thing after another, until there is nothing to do."""
        try:
            while self._go and (wish := wish_of(self.house.floor.tables[table], box)) is not None:
                await asked(self.house, name, wish)
                self.answered += 1
        finally:
            del self._asking[name]


async def play_round(house: Running, clock: ToldClock) -> None:
    """One round at every table, all of them together: what nobody has to wait for is in one batch."""
    numbers = {name: _number(one) for name, one in house.floor.tables.items()}
    while asks := [
        (player, wish)
        for name, one in house.floor.tables.items()
        if _number(one) == numbers[name]
        for box, player in one.seats.items()
        if (wish := wish_of(one, box)) is not None
    ]:
        clock.at += 10
        await asyncio.gather(*(asked(house, player, wish) for player, wish in asks))


def _number(one: FloorTable) -> int:
    """The round that is played; the next begins in the moment in which one ends."""
    assert one.table.live_round is not None, "a table goes on by itself"
    return one.table.live_round.number
