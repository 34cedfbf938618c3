"""Who watches what: after each commit everybody who watches hears of it once, with the newest state.

A view is made once for the rail and once for each person who may see more. On each connection only the newest view of a
table waits; answers are never dropped; who does not read is let go.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import msgspec

from aceking.house import views
from aceking.house.desk import Reply, Request
from aceking.house.floor import wishes as w
from aceking.house.running import NotWritten, Running
from aceking.house.store.errors import StoreFailed
from aceking.web import messages as m
from aceking.web.visitors import Visitor, Visitors

log = logging.getLogger("aceking.web")

#: A connection that takes nothing for so long is let go.
STALLED_SECONDS = 10
#: So many answers may wait on one connection.
ANSWERS_MOST = 1_000
#: The sessions of open connections are looked at again so often.
SESSION_SECONDS = 5
CLOSED_SESSION, CLOSED_SLOW = 4401, 4408


class Counts(Protocol):
    """What is counted of requests."""

    requests: Any
    seconds: Any


class TooDeep(RecursionError):
    """Lists in lists in lists: whoever reads the log one day must be able to."""


class Connection:
    """One open connection: what it watches, and what waits to be sent."""

    def __init__(self, visitor: Visitor, send: Callable[[bytes], Awaitable[None]]) -> None:
        self.visitor = visitor
        self.name, self.role = visitor.name, visitor.role
        self.tables: set[str] = set()
        self.floor = False
        self.follows: int | None = None
        self.gone = asyncio.Event()
        self.why = (CLOSED_SLOW, "too slow")  # where it is gone and nothing else is said
        self._send = send
        self._answers: deque[bytes] = deque()
        self._views: dict[str, bytes] = {}
        self._wake = asyncio.Event()

    def answer(self, message: Any) -> None:
        """Something that must arrive."""
        if len(self._answers) >= ANSWERS_MOST:
            self.gone.set()
        self._answers.append(m.write(message))
        self._wake.set()

    def show(self, key: str, text: bytes) -> None:
        """A view; a newer one of the same takes its place."""
        self._views.pop(key, None)
        self._views[key] = text
        self._wake.set()

    async def sending(self) -> None:
        """Sends what waits, until the connection is gone."""
        while not self.gone.is_set():
            await self._wake.wait()
            self._wake.clear()
            while self._answers or self._views:
                text = self._answers.popleft() if self._answers else self._views.pop(next(iter(self._views)))
                try:
                    async with asyncio.timeout(STALLED_SECONDS):
                        await self._send(text)
                except TimeoutError:
                    self.gone.set()
                    return


class Hub:
    """All connections of this process."""

    def __init__(self, house: Running, visitors: Visitors, metrics: Counts) -> None:
        self.house = house
        self.visitors = visitors
        self.metrics = metrics
        self.connections: set[Connection] = set()
        self._dirty: set[str] = set()
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._marks: set[asyncio.Task[None]] = set()
        house.listeners.append(self._moved)

    def start(self) -> None:
        """Begins to tell."""
        self._tasks = [asyncio.create_task(self._telling()), asyncio.create_task(self._looking())]
        for task in self._tasks:
            self.house.needs(task)

    async def stop(self) -> None:
        """Lets everybody go."""
        for one in [*self.connections]:
            one.gone.set()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _moved(self, streams: set[str]) -> None:
        self._dirty |= streams
        self._wake.set()

    async def _telling(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            streams, self._dirty = self._dirty, set()
            for table in views.tables_of(streams):
                self._tell_table(table)
                await asyncio.sleep(0)  # answers go first
            self._tell_floor()
            await self._tell_log()

    async def _looking(self) -> None:
        """Lets connections go whose session is over, or whose owner has another part by now."""
        while True:
            await asyncio.sleep(SESSION_SECONDS)
            somebody = [one for one in self.connections if one.name is not None]
            try:
                now = await self.visitors.now([one.visitor.token for one in somebody])
            except StoreFailed as failed:
                log.error("sessions cannot be looked at: %s", failed)
                continue
            for one, visitor in zip(somebody, now, strict=True):
                if visitor != one.visitor:
                    one.why = (CLOSED_SESSION, "the session is over")
                    one.gone.set()

    def _tell_table(self, table: str) -> None:
        watching = [one for one in self.connections if table in one.tables]
        if not watching or table not in self.house.floor.tables:
            return
        rail = msgspec.Raw(m.write(views.rail(self.house.floor, table)))
        made: dict[tuple[str | None, str], bytes] = {}
        for one in watching:
            key = (one.role, one.name or "" if one.role == "player" else "")
            if key not in made:
                made[key] = self._table_text(table, rail, one)
            one.show(f"table/{table}", made[key])

    def _table_text(self, table: str, rail: msgspec.Raw, one: Connection) -> bytes:
        own = views.own_part(self.house.floor, table, one.role, one.name or "")
        return b'{"is":"table","rail":' + bytes(rail) + b',"own":' + m.write(own) + b"}"

    def _tell_floor(self) -> None:
        watching = [one for one in self.connections if one.floor]
        if not watching:
            return
        floor = self.house.floor
        tables, meters = views.lobby(floor), views.meters(floor)
        for one in watching:
            one.show("floor", m.write(self._floor(one, tables, meters)))

    def _floor(
        self, one: Connection, tables: tuple[views.TableCard, ...], meters: tuple[views.MeterView, ...]
    ) -> m.FloorIs:
        floor = self.house.floor
        purse = views.purse(floor, one.name) if one.role == "player" and one.name is not None else {}
        waiting, currencies = views.waiting(floor, one.role), dict(floor.house.currencies)
        return m.FloorIs(tables=tables, meters=meters, waiting=waiting, purse=purse, currencies=currencies)

    async def _tell_log(self) -> None:
        for one in [*self.connections]:
            if one.follows is not None:
                await self.follow(one)

    async def follow(self, one: Connection, most: int = 500) -> None:
        """Entries of the log from where the connection stands."""
        assert one.follows is not None
        after = one.follows
        upto = min(self.house.desk.seq, after + most)
        if upto <= after:
            return
        loop = asyncio.get_running_loop()
        entries = await loop.run_in_executor(None, lambda: list(self.house.store.log(after, upto)))
        for entry in entries:
            one.answer(m.Entry(seq=entry.seq, hash=entry.hash.hex(), body=msgspec.Raw(entry.body)))
            one.follows = entry.seq
        if self.house.desk.seq > upto:
            self._wake.set()

    # What a connection asks for

    def watch(self, one: Connection, table: str) -> None:
        """Shows a table now and whenever it moves."""
        if table not in self.house.floor.tables:
            one.answer(m.Sorry(code="no-table", reason=f"there is no table {table!r}"))
            return
        one.tables.add(table)
        rail = msgspec.Raw(m.write(views.rail(self.house.floor, table)))
        one.show(f"table/{table}", self._table_text(table, rail, one))
        self._present(one, table)

    def watch_floor(self, one: Connection) -> None:
        """Shows lobby and meters now and whenever something moves."""
        one.floor = True
        floor = self.house.floor
        one.show("floor", m.write(self._floor(one, views.lobby(floor), views.meters(floor))))

    async def ask(self, one: Connection, message: m.Ask) -> None:
        """A request, answered when it is written."""
        if one.name is None or one.role is None:
            one.answer(m.Sorry(code="log-in", reason="log in first", id=message.id))
            return
        request = Request(id=message.id, sender=w.Sender(one.name, one.role), wish=message.wish)
        try:
            reply = await self.asked(request)
        except TooDeep as wrong:
            one.answer(m.Sorry(code="input", reason=str(wrong), id=message.id))
            return
        except NotWritten as failed:
            one.answer(m.Sorry(code="not-written", reason=str(failed), id=message.id))
            return
        one.answer(m.Answer(id=message.id, reply=reply))

    async def asked(self, request: Request) -> Reply:
        """A request to the floor, counted; raises TooDeep."""
        if m.nested(request.wish):
            raise TooDeep("what was sent is nested too deep")
        with self.metrics.seconds.time():
            try:
                reply = await self.house.ask(request)
            except NotWritten:
                self.metrics.requests.labels("not-written").inc()
                raise
        self.metrics.requests.labels("done" if reply.refused is None else "refused").inc()
        return reply

    # Who is there

    def leave(self, one: Connection) -> None:
        """A connection is gone; a player without another one at his table is away."""
        self.connections.discard(one)
        for table in one.tables:
            others = (other for other in self.connections if other.name == one.name and table in other.tables)
            sits = table in self.house.floor.tables and one.name in self.house.floor.tables[table].players
            if one.role == "player" and one.name is not None and sits and next(others, None) is None:
                self._mark(w.Gone(table=table, player=one.name))

    def _present(self, one: Connection, table: str) -> None:
        if one.role == "player" and one.name is not None and one.name in self.house.floor.tables[table].away:
            self._mark(w.Back(table=table, player=one.name))

    def _mark(self, wish: w.Gone | w.Back) -> None:
        """Puts it on the record; the id says which state it was, so that two processes say it once."""
        version = self.house.floor.versions[f"table/{wish.table}"]
        request = Request(
            id=f"here/{wish.table}/{wish.player}/{version}/{type(wish).__name__}", sender=w.HOUSE, wish=wish
        )
        task = asyncio.create_task(self._marked(request))
        self._marks.add(task)
        task.add_done_callback(self._marks.discard)

    async def _marked(self, request: Request) -> None:
        try:
            await self.house.ask(request)
        except NotWritten:
            return
