"""The floor on an event loop with real databases: restarts, snapshots, clocks, two processes on one log."""

import asyncio
import random
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from itertools import count
from typing import Any

import pytest
from sqlalchemy import text

from aceking.house.chance import Chance
from aceking.house.desk import Reply, Request
from aceking.house.floor import requests as w
from aceking.house.floor.ledger import open_pairs
from aceking.house.floor.roles import Role
from aceking.house.record import Unit, read_unit
from aceking.house.running import NotWritten, Running, SystemClock
from aceking.house.store.open import open_store
from aceking.house.store.protocol import AppendOutcome, Logged, Store, newest
from aceking.house.verify import verify
from aceking.table import player as pl
from tests.house.accounts import balance
from tests.house.conftest import POSTGRESQL
from tests.house.evening import CURRENCIES, PLAYERS, STAFF
from tests.house.store.disk import Disk
from tests.house.store.memory import MemoryStore

_IDS = count()


def chance() -> Chance:
    """Other seeds for each house, and the same in each run."""
    return random.Random(f"running {next(_IDS)}").randbytes


async def started(store: Store) -> Running:
    house = Running(store, clock=SystemClock(), draw=chance())
    await house.start()
    return house


async def ask(house: Running, who: str, body: Any) -> Reply:
    role: Any = "house" if who == "house" else house.floor.people.role(who) or "player"
    return await house.ask(Request(id=f"test-{next(_IDS)}", sender=w.Sender(who, role), body=body))


async def do(house: Running, who: str, body: Any) -> None:
    reply = await ask(house, who, body)
    assert reply.refused is None, f"{who}: {body}: {reply.refused}"


async def found(house: Running, *tables: str, seats: int = 3, seconds: int = 60) -> None:
    people: dict[str, Role] = {**STAFF, **dict.fromkeys(PLAYERS, "player")}
    await do(house, "house", w.FoundHouse(name="The Test", currencies=CURRENCIES, people=people, float=10**9))
    for player in PLAYERS[:seats]:
        await do(house, "cas", w.Deposit(player=player, currency="USD", amount=10_000_000))
    for table in tables:
        posted = {"bet_seconds": seconds, "decide_seconds": seconds, "pause_seconds": 0, "attended": False}
        body = w.SetTable(table=table, name=table, book="section10", ante_min=1000, ante_max=5000, **posted)  # type: ignore[arg-type]
        await do(house, "fay", body)
        for box, player in enumerate(PLAYERS[:seats], start=1):
            await do(house, player, w.SitRequest(table=table, box=box))
            await do(house, player, w.BuyIn(table=table, amount=500_000))


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(300):
        while not holds():
            await asyncio.sleep(0.005)


async def play_round(house_of: Callable[[int], Running], table: str, seats: int = 3) -> None:
    """Play one round in which each player asks their own process."""
    one = house_of(1)
    await until(lambda: one.floor.tables[table].table.live_round is not None)
    number = one.floor.tables[table].table.rounds

    async def bets(box: int) -> None:
        own = house_of(box)
        await until(lambda: own.floor.tables[table].table.live_round is not None)
        await do(own, f"p{box}", w.PlayRequest(table=table, act=pl.PlaceAnte(box=box, amount=1000)))
        await do(own, f"p{box}", w.SayReady(table=table))

    async def folds(box: int) -> None:
        own = house_of(box)
        await until(lambda: own.floor.tables[table].table.live_round.phase == "deciding")  # type: ignore[union-attr]
        await until(lambda: _turn(own, table) == box)
        await do(own, f"p{box}", w.PlayRequest(table=table, act=pl.GiveUp(box=box)))

    await asyncio.gather(*(bets(box) for box in range(1, seats + 1)))
    await asyncio.gather(*(folds(box) for box in range(1, seats + 1)))
    await until(lambda: one.floor.tables[table].table.rounds == number + 1)


def _turn(house: Running, table: str) -> int | None:
    current = house.floor.tables[table].table.live_round
    owing = [] if current is None else [box.number for box in current.dealt_in if box.owes_decision]
    return owing[0] if owing else None


def run(doing: Awaitable[None]) -> None:
    async def limited() -> None:
        async with asyncio.timeout(240):
            await doing

    asyncio.run(limited())


def whole(store: Store) -> Any:
    return verify(lambda: ((one.seq, read_unit(one.body)) for one in store.log()))


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=POSTGRESQL)])
def url(request: pytest.FixtureRequest, tmp_path: Any) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'house.db'}"
    address: str = request.getfixturevalue("database")
    return address


@pytest.mark.proof
def test_a_house_that_is_stopped_and_started_is_where_it_was(url: str) -> None:
    async def evening() -> None:
        store = open_store(url)
        house = await started(store)
        await found(house, "one")
        await play_round(lambda box: house, "one")
        await until(lambda: house.floor.tables["one"].table.live_round is not None)
        await do(house, "p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=2000)))
        await house.stop()
        before, seq = house.floor, house.desk.seq
        store.close()
        for keeps in (True, False):  # with its snapshot, then from the log alone
            store = open_store(url)
            if not keeps:
                with store.aside() as connection:
                    connection.execute(text("DELETE FROM snapshot"))
            again = Running(store, clock=SystemClock(), draw=chance())
            again._recover()
            assert (again.floor, again.desk.seq) == (before, seq)
            assert again.desk.seeds == store.sealed()
            store.close()

    run(evening())


def test_a_house_that_is_killed_again_and_again_keeps_a_snapshot_all_the_same() -> None:
    disk = Disk()

    async def lives(asks: int, every: int) -> None:
        """Send some requests, and end without stopping the house."""
        house = Running(MemoryStore(disk), clock=SystemClock(), draw=chance(), snapshot_every=every)
        await house.start()
        if not house.desk.seq:
            await found(house)
        for _ in range(asks):
            await do(house, "cas", w.Deposit(player="p1", currency="USD", amount=1))
        for task in house._tasks:
            task.cancel()
        await asyncio.gather(*house._tasks, return_exceptions=True)

    kept = []
    for _ in range(9):
        asyncio.run(lives(asks=3, every=10))
        kept.append(newest(MemoryStore(disk).snapshots().values()))
    ends = MemoryStore(disk).last()[0]
    assert ends - kept[-1] <= 10 + 3
    assert len(set(kept)) > 1


@POSTGRESQL
def test_a_start_has_the_seeds_of_the_states_that_it_has_whatever_others_write_meanwhile(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that starts beside a serving one must not report a fault that goes away once it has read on."""

    async def evening() -> None:
        loop = asyncio.get_running_loop()
        first, second = open_store(database), open_store(database)
        other = await started(first)
        await found(other, "one")
        read = second.log

        def overtaken(after: int = 0, upto: int | None = None) -> Iterator[Logged]:
            yield from read(after, upto)
            asyncio.run_coroutine_threadsafe(play_round(lambda box: other, "one"), loop).result(300)

        monkeypatch.setattr(second, "log", overtaken)
        house = Running(second, clock=SystemClock(), draw=chance())
        await loop.run_in_executor(None, house._recover)
        seals = [seal for one in house.floor.tables.values() for seal in one.seals.values()]
        assert seals
        assert {seal.commitment for seal in seals} <= house.desk.seeds.keys()
        await other.stop()
        first.close()
        second.close()

    run(evening())


@pytest.mark.proof
def test_the_clocks_ring_by_themselves_and_a_round_ends_without_anybody(url: str) -> None:
    async def evening() -> None:
        store = open_store(url)
        house = await started(store)
        await found(house, "one", seats=1, seconds=1)
        await do(house, "p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000)))
        await until(lambda: house.floor.tables["one"].table.rounds == 1)  # one second to bet, one to decide
        one = house.floor.tables["one"]
        assert one.chips("p1") == 499_000
        await house.stop()
        assert whole(store).floor == house.floor
        store.close()

    run(evening())


@POSTGRESQL
def test_two_processes_on_one_log_serve_the_same_tables(database: str) -> None:
    async def evening() -> None:
        stores = [open_store(database), open_store(database)]
        houses = [await started(stores[0])]
        await found(houses[0], "one", "two")
        houses.append(await started(stores[1]))
        for _ in range(3):
            await asyncio.gather(
                play_round(lambda box: houses[box % 2], "one"), play_round(lambda box: houses[(box + 1) % 2], "two")
            )
        await until(lambda: houses[0].desk.seq == houses[1].desk.seq)
        for house in houses:
            await house.stop()
        assert houses[0].floor.tables == houses[1].floor.tables
        assert not sum(balance(houses[0].floor).values())
        assert not open_pairs(houses[0].floor)
        checked = whole(stores[0])
        assert checked.seen.rounds >= 6
        assert checked.floor.tables == houses[0].floor.tables
        for store in stores:
            store.close()

    run(evening())


@POSTGRESQL
def test_an_entry_that_is_announced_while_the_log_is_read_is_read_as_well(database: str) -> None:
    async def evening() -> None:
        stores = [open_store(database), open_store(database)]
        one = await started(stores[0])
        await found(one, "one", seats=1)
        other = await started(stores[1])
        await until(lambda: other.desk.seq == one.desk.seq)
        read, go_on, news = threading.Event(), threading.Event(), other._news

        def slowly(after: int) -> Any:
            found = news(after)
            read.set()
            assert go_on.wait(120)
            return found

        other._news = slowly  # type: ignore[method-assign]
        await do(one, "p1", w.BuyIn(table="one", amount=100))
        await until(read.is_set)
        await do(one, "p1", w.BuyIn(table="one", amount=200))  # the reader has not seen this one
        await until(lambda: other._announced == one.desk.seq)
        go_on.set()
        await until(lambda: other.desk.seq == one.desk.seq)  # nobody writes any more
        assert other.floor.tables == one.floor.tables
        for house, store in zip((one, other), stores, strict=True):
            await house.stop()
            store.close()

    run(evening())


@POSTGRESQL
def test_what_is_written_between_reading_and_listening_is_read_as_well(database: str) -> None:
    async def evening() -> None:
        stores = [open_store(database), open_store(database)]
        one = await started(stores[0])
        await found(one, "one", seats=1)
        other = Running(stores[1], clock=SystemClock(), draw=chance())
        other._recover()
        await do(one, "p1", w.BuyIn(table="one", amount=100))
        other._recover = lambda: None  # type: ignore[method-assign]
        await other.start()
        await until(lambda: other.desk.seq == one.desk.seq)
        for house, store in zip((one, other), stores, strict=True):
            await house.stop()
            store.close()

    run(evening())


@POSTGRESQL
def test_one_process_of_two_ends_in_mid_round_and_its_players_go_on_through_the_other(database: str) -> None:
    async def evening() -> None:
        first, second = open_store(database), open_store(database)
        one = await started(first)
        await found(one, "one", seats=1)
        other = await started(second)
        await do(one, "p1", w.PlayRequest(table="one", act=pl.PlaceAnte(box=1, amount=1000)))
        for task in one._tasks:  # it is gone, as by a kill: nothing is written any more
            task.cancel()
        await until(lambda: bool(other.floor.tables["one"].table.live_round.boxes))  # type: ignore[union-attr]
        await do(other, "p1", w.SayReady(table="one"))
        await do(other, "p1", w.PlayRequest(table="one", act=pl.GiveUp(box=1)))
        assert other.floor.tables["one"].table.rounds == 1
        await other.stop()
        assert whole(second).floor == other.floor
        assert one._listener is not None
        one._listener.close()
        first.close()
        second.close()

    run(evening())


def test_many_at_once_are_all_answered_and_the_money_is_whole(url: str) -> None:
    async def evening() -> None:
        store = open_store(url)
        house = await started(store)
        await found(house, "one", "two", seats=3)
        dice = random.Random(5)

        async def restless(player: str) -> int:
            done = 0
            for _ in range(25):
                table, amount = dice.choice(["one", "two"]), dice.randrange(1, 2000)
                body = dice.choice([w.BuyIn(table=table, amount=amount), w.CashOut(table=table, amount=amount)])
                reply = await ask(house, player, body)
                done += reply.refused is None
            return done

        done = await asyncio.gather(*(restless(player) for player in PLAYERS[:3] for _ in range(4)))
        assert sum(done) > 200
        assert not sum(balance(house.floor).values())
        assert balance(house.floor)["outside/USD"] == -(10**9 + 3 * 10_000_000)
        await house.stop()
        assert whole(store).floor == house.floor
        store.close()

    run(evening())


class _Fails(MemoryStore):
    """A store with a fault that nobody has foreseen."""

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        if any(unit.by == "cas" for unit in units):
            raise ZeroDivisionError("nobody has foreseen this")
        return super().append(units)


def test_a_house_that_cannot_write_any_more_says_so_to_all_who_wait_and_ends() -> None:
    async def doing() -> None:
        house = await started(_Fails(Disk()))
        people: dict[str, Role] = {**STAFF, **dict.fromkeys(PLAYERS, "player")}
        await do(house, "house", w.FoundHouse(name="The Test", currencies=CURRENCIES, people=people, float=10**9))
        assert not house.broken.is_set()
        for _ in range(2):  # who was waiting, and who comes later
            with pytest.raises(NotWritten, match="has stopped"):
                await ask(house, "cas", w.Deposit(player="p1", currency="USD", amount=1))
            assert house.broken.is_set()
        assert isinstance(house.fault, ZeroDivisionError)
        await house.stop()

    run(doing())


def test_a_refusal_is_told_to_who_listens_for_it_is_an_entry_too() -> None:
    """Found by the simulator: an auditor who follows the log was sent it only when somebody moved something."""

    async def evening() -> list[set[str]]:
        house = await started(MemoryStore(Disk()))
        await found(house)
        told: list[set[str]] = []
        house.listeners.append(told.append)
        assert (await ask(house, "p1", w.SitRequest(table="nowhere", box=1))).refused is not None
        await house.stop()
        return told

    assert asyncio.run(evening()) == [set()]
