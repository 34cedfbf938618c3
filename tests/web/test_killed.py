"""A served house is killed under load again and again: what was acknowledged is there, what was not is done once."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from aceking.house.desk import Reply
from aceking.house.floor import wishes as w
from aceking.house.floor.codec import after_unit
from aceking.house.floor.ledger import balance, open_pairs
from aceking.house.floor.states import Floor
from aceking.house.record import read_unit
from aceking.house.store.check import check
from aceking.house.store.open import open_store
from aceking.house.verify import verify
from aceking.table import player as pl
from aceking.web import messages as m
from tests.house.conftest import POSTGRESQL
from tests.web.forked import Forked
from tests.web.served import PLAYERS, Served, founded, table

#: More than fifty in all.
KILLS = {"sqlite": 24, "postgresql": 14, "two on postgresql": 14}
BOOKS = {"a": "section10", "b": "exchange"}
PURSE = 10**7
APART = "SGD"  # money that neither table takes: what is in a purse of it the cashier alone has put there
_FROM_HOUSE: "msgspec.json.Decoder[Any]" = msgspec.json.Decoder(m.FromHouse)


def _founding() -> Iterator[tuple[str, Any]]:
    for name, book in BOOKS.items():
        yield table(name, book, bet_seconds=1, decide_seconds=1)
        for box, player in enumerate(PLAYERS, start=1):
            yield player, w.Sit(table=name, box=box)
            yield player, w.BuyIn(table=name, amount=1_000_000)


@dataclass
class Sender:
    """One connection that asks without waiting; it knows what was answered and what was not."""

    name: str
    number: int
    cookies: str
    chance: random.Random
    unanswered: dict[str, Any] = field(default_factory=dict)
    answered: dict[str, Reply] = field(default_factory=dict)
    asked: dict[str, Any] = field(default_factory=dict)
    ids: Iterator[int] = field(default_factory=count)

    def wishes(self) -> Any:
        if self.name == "cas":
            return w.Deposit(player=self.chance.choice([*PLAYERS]), currency=APART, amount=self.chance.randint(1, 999))
        name, box = self.chance.choice([*BOOKS]), int(self.name[1:])
        acts: list[Any] = [pl.PlaceAnte(box=box, amount=1000), pl.SeeHand(box=box), pl.GiveUp(box=box)]
        own = [
            w.SayReady(table=name),
            w.BuyIn(table=name, amount=self.chance.randint(1, 50)),
            w.CashOut(table=name, amount=self.chance.randint(1, 50)),
        ]
        return self.chance.choice([*own, *(w.Play(table=name, act=act) for act in acts)])

    async def asks(self, address: str) -> None:
        """What was not answered first, then something new, until the server is gone."""
        headers = {"Cookie": self.cookies}
        url = address.replace("http", "ws") + "/api/live"
        with suppress(ConnectionClosed, OSError, InvalidHandshake, TimeoutError):
            async with connect(url, additional_headers=headers, max_size=2**22) as socket:
                says = asyncio.create_task(self._says(socket))
                try:
                    await self._hears(socket)
                finally:
                    says.cancel()
                    await asyncio.gather(says, return_exceptions=True)

    async def _says(self, socket: ClientConnection) -> None:
        for key, wish in [*self.unanswered.items()]:
            await self._send(socket, key, wish)
        for key in self.chance.sample([*self.answered], min(2, len(self.answered))):
            await self._send(socket, key, self.asked[key])  # and of what was answered something once more
        for _ in range(150):
            while len(self.unanswered) >= 8:
                await asyncio.sleep(0.002)
            key, wish = f"{self.name}.{self.number}.{next(self.ids)}-request", self.wishes()
            self.asked[key] = self.unanswered[key] = wish
            await self._send(socket, key, wish)

    async def _send(self, socket: ClientConnection, key: str, wish: Any) -> None:
        await socket.send(msgspec.json.encode(m.Ask(id=key, wish=wish)).decode())

    async def _hears(self, socket: ClientConnection) -> None:
        async for text in socket:
            message = _FROM_HOUSE.decode(text)
            assert not isinstance(message, m.Sorry), message
            if isinstance(message, m.Answer):
                known = self.answered.setdefault(message.id, message.reply)
                assert known == message.reply, f"{message.id} was told two things"
                self.unanswered.pop(message.id, None)


@dataclass
class Reader:
    """Whoever holds the log against what the senders know; he reads on from where he was."""

    url: str
    ids: dict[str, Reply] = field(default_factory=dict)
    floor: Floor = field(default_factory=Floor)
    seq: int = 0

    def looks(self, senders: list[Sender]) -> None:
        answered = [(key, reply) for one in senders for key, reply in one.answered.items()]
        with closing(open_store(self.url, only_read=True)) as store:
            for entry in store.log(self.seq):
                unit = read_unit(entry.body)
                assert unit.id not in self.ids, f"{unit.id} is in the log twice"
                self.ids[unit.id] = msgspec.json.decode(unit.reply, type=Reply)
                self.floor, self.seq = after_unit(self.floor, unit), entry.seq
            check(store)
        for key, reply in answered:
            assert self.ids.get(key) == reply, f"{key} was acknowledged, and the log has {self.ids.get(key)}"
        assert not sum(balance(self.floor).values())
        assert not open_pairs(self.floor)

    def verifies(self) -> int:
        with closing(open_store(self.url, only_read=True)) as store:
            found = verify(lambda: ((one.seq, read_unit(one.body)) for one in store.log()))
        assert found.floor == self.floor
        return found.seen.rounds


def _senders(served: Served) -> list[Sender]:
    """Three connections for each player and for the cashier; their sessions outlive the process."""
    found = []
    for name in [*PLAYERS, "cas"]:
        with served.person(name) as person:
            cookies = "; ".join(f"{one.name}={one.value}" for one in person._http.cookies.jar)
        found += [Sender(name, number, cookies, random.Random(f"{name}{number}")) for number in range(3)]
    return found


async def _all_answered(address: str, senders: list[Sender]) -> None:
    """Nothing new: only what was never answered, until everything is."""
    for one in senders:
        url, headers = address.replace("http", "ws") + "/api/live", {"Cookie": one.cookies}
        async with asyncio.timeout(30), connect(url, additional_headers=headers, max_size=2**22) as socket:
            hears = asyncio.create_task(one._hears(socket))
            for key, wish in [*one.unanswered.items()]:
                await one._send(socket, key, wish)
            while one.unanswered:
                await asyncio.sleep(0.002)
            hears.cancel()
            await asyncio.gather(hears, return_exceptions=True)


def _purses(senders: list[Sender]) -> dict[str, int]:
    """What each has in the purse by the answers that the cashier got: nothing of the log is in this."""
    found = dict.fromkeys(PLAYERS, PURSE)
    for one in senders:
        for key, reply in one.answered.items():
            wish = one.asked[key]
            if isinstance(wish, w.Deposit) and reply.refused is None:
                found[wish.player] += wish.amount
    return found


async def _killed(served: list[Forked], kills: int) -> None:
    chance, reader = random.Random(kills), Reader(served[0].url)
    senders = _senders(served[0])
    for number in range(kills):
        turn = number % len(served)
        asking = [
            asyncio.create_task(one.asks(served[place % len(served)].address)) for place, one in enumerate(senders)
        ]
        before = sum(len(one.answered) for one in senders)
        async with asyncio.timeout(30):
            while sum(len(one.answered) for one in senders) < before + 40:
                await asyncio.sleep(0.002)
        await asyncio.sleep(chance.uniform(0, 0.3))
        served[turn].kill()
        hit = [task for place, task in enumerate(asking) if place % len(served) == turn]
        await asyncio.gather(*hit)
        reader.looks(senders)
        for task in asking:
            task.cancel()
        for result in await asyncio.gather(*asking, return_exceptions=True):
            assert result is None or isinstance(result, asyncio.CancelledError), result
        served[turn].start()
    await _all_answered(served[0].address, senders)
    reader.looks(senders)
    purses = reader.floor.cage.tills[APART].purses
    for one in served:
        one.kill()
    reader.looks(senders)
    assert {player: purses[player] for player in PLAYERS} == _purses(senders)
    sent = {key for one in senders for key in one.asked}
    assert sent <= reader.ids.keys()
    assert len(sent) > 40 * kills
    assert reader.verifies() > kills / 4


def _run(served: list[Forked], kills: int) -> None:
    for one in served:
        one.start()
    try:
        asyncio.run(_killed(served, kills))
    finally:
        for one in served:
            if one.copy.is_alive():
                one.kill()


@pytest.mark.timeout(300)
def test_killed_on_sqlite(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    founded(url, *_founding())
    _run([Forked(url, tmp_path)], KILLS["sqlite"])


@POSTGRESQL
@pytest.mark.timeout(300)
def test_killed_on_postgresql(database: str, tmp_path: Path) -> None:
    founded(database, *_founding())
    _run([Forked(database, tmp_path)], KILLS["postgresql"])


@POSTGRESQL
@pytest.mark.timeout(300)
def test_one_of_two_processes_is_killed_and_its_people_go_on_through_the_other(database: str, tmp_path: Path) -> None:
    founded(database, *_founding())
    _run([Forked(database, tmp_path), Forked(database, tmp_path)], KILLS["two on postgresql"])


def test_fifty_kills_and_more() -> None:
    assert sum(KILLS.values()) >= 50
