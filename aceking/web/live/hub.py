"""Who watches what: after each commit everybody who watches hears of it once, with the newest state.

A view is made once for the rail and once for each person who may see more. An answer and the view that follows from it
go out together. On each connection only the newest view of a table waits; answers are never dropped; who does not read
is let go.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Protocol

import msgspec

from aceking.house.desk import Reply, Request
from aceking.house.floor import requests as w
from aceking.house.floor.roles import Role
from aceking.house.floor.states import Floor
from aceking.house.running import NotWritten, Running, Told
from aceking.house.store.errors import StoreFailed
from aceking.house.views import table as views
from aceking.web.live import messages as m
from aceking.web.live.socket import framed
from aceking.web.sessions import Visitor, Visitors

log = logging.getLogger("aceking.web")

#: A connection that takes nothing for so long is let go.
STALLED_SECONDS = 10
#: So many answers may wait on one connection.
ANSWERS_MOST = 1_000
#: So many tables are told of before requests have their turn.
TABLES_A_TURN = 4
#: The sessions of open connections are looked at again so often.
SESSION_SECONDS = 5
#: What cannot be read now is read again so soon.
READ_AGAIN_SECONDS = 0.5
CLOSED_SESSION, CLOSED_SLOW, CLOSED_HOUSE = 4401, 4408, 1012
_TOO_DEEP = "what was sent is nested too deep"


class Counts(Protocol):
    """What is counted."""

    def count(self, outcome: str, seconds: float) -> None:
        """A request is answered."""
        ...

    def connected(self, number: int) -> None:
        """So many live connections are open."""
        ...


class TooDeep(RecursionError):
    """Lists in lists in lists: whoever reads the log one day must be able to."""


class Connection:
    """One open connection: what it watches, and what waits to be sent."""

    def __init__(self, visitor: Visitor, write: Callable[[bytes], None]) -> None:
        self.visitor = visitor
        self.name, self.role = visitor.name, visitor.role
        self.tables: set[str] = set()
        self.floor = False
        self.follows: int | None = None
        self.gone = asyncio.Event()
        self.why = (CLOSED_SLOW, "too slow")  # where it is gone and nothing else is said
        self._write = write
        self._answers: list[bytes] = []
        self._views: dict[str, bytes] = {}
        self._stalled: asyncio.TimerHandle | None = None

    def answer(self, message: Any) -> None:
        """Something that must arrive."""
        self.owe(message)
        self.flush()

    def owe(self, message: Any) -> None:
        """Something that must arrive, and is sent with what `flush` sends next."""
        if len(self._answers) >= ANSWERS_MOST:
            self.gone.set()
        self._answers.append(framed(m.write(message)))

    def show(self, key: str, frame: bytes) -> None:
        """A view; where the one before of the same still waits, it takes its place."""
        self._views[key] = frame
        self.flush()

    def flush(self) -> None:
        """Sends what waits, unless the other side does not take it."""
        if self.gone.is_set() or self._stalled is not None:
            return
        waiting = [*self._answers, *self._views.values()]
        if waiting:
            self._answers.clear()
            self._views.clear()
            self._write(waiting[0] if len(waiting) == 1 else b"".join(waiting))

    @property
    def flowing(self) -> bool:
        """Whether the other side takes what it is sent."""
        return self._stalled is None

    def stalls(self) -> None:
        """The other side takes nothing: what comes now waits, and after a while it is let go."""
        self._stalled = asyncio.get_running_loop().call_later(STALLED_SECONDS, self.gone.set)

    def flows(self) -> None:
        """It takes it again."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        self.flush()


class Hub:
    """All connections of this process."""

    def __init__(self, house: Running, visitors: Visitors, metrics: Counts) -> None:
        self.house = house
        self.visitors = visitors
        self.metrics = metrics
        self.connections: dict[Connection, None] = {}  # in the order in which they came
        self.left = 0  # how many have gone since the start
        self._watching: dict[str, dict[Connection, None]] = {}  # by table, in the order in which they came
        self._following: dict[Connection, None] = {}  # those who follow the log
        self._dirty: set[str] = set()
        self._owed: dict[Connection, None] = {}  # those with an answer that is not sent yet
        self._wake = asyncio.Event()
        self._written = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._begun: set[asyncio.Task[None]] = set()
        house.listeners.append(self._moved)

    def start(self) -> None:
        """Begins to tell."""
        self._tasks = [asyncio.create_task(one()) for one in (self._telling, self._reading_log, self._looking)]
        for task in self._tasks:
            self.house.needs(task)

    def let_go(self) -> None:
        """Everybody is told that the house closes."""
        for one in [*self.connections]:
            one.why = (CLOSED_HOUSE, "the house closes")
            one.gone.set()

    async def stop(self) -> None:
        """Lets everybody go."""
        self.let_go()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _moved(self, streams: set[str]) -> None:
        """A refusal moves nothing, and is an entry of the log all the same."""
        if streams:
            self._dirty |= streams
            self._wake.set()
        if self._following:
            self._written.set()

    async def _telling(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            moved, self._dirty = views.tables_of(self._dirty), set()
            owed, self._owed = self._owed, {}
            for one in owed:
                if one.tables.isdisjoint(moved):
                    one.flush()  # nothing else is on its way to him
            for number, table in enumerate(sorted(moved), 1):
                self._tell_table(table)
                if number % TABLES_A_TURN == 0:
                    await asyncio.sleep(0)  # requests go first
            for one in owed:
                one.flush()  # also who has turned away from his table meanwhile
            self._tell_floor()

    async def _reading_log(self) -> None:
        """Entries for those who follow the log, as fast as they take them; while it cannot be read, they wait."""
        while True:
            await self._written.wait()
            self._written.clear()
            try:
                for one in [*self._following]:
                    if one.follows is not None and one.flowing:
                        await self._follow(one, one.follows)
            except StoreFailed as failed:
                log.error("the log could not be read for those who follow it: %s", failed)
                await asyncio.sleep(READ_AGAIN_SECONDS)
                self._written.set()

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
        self._dirty.discard(f"table/{table}")  # what has moved since it was marked is shown as well
        watching = self._watching.get(table)
        if not watching or table not in self.house.floor.tables:
            return
        rail = m.write(views.rail(self.house.floor, table))
        made: dict[tuple[str | None, str], bytes] = {}
        for one in watching:
            key = (one.role, one.name or "" if one.role == "player" else "")
            if key not in made:
                made[key] = self._table_frame(table, rail, one)
            one.show(f"table/{table}", made[key])

    def _table_frame(self, table: str, rail: bytes, one: Connection) -> bytes:
        own = views.own_part(self.house.floor, table, one.role, one.name or "")
        return framed(b'{"is":"table","rail":' + rail + b',"own":' + m.write(own) + b"}")

    def _tell_floor(self) -> None:
        watching = [one for one in self.connections if one.floor]
        if not watching:
            return
        floor = self.house.floor
        tables, meters = views.lobby(floor), views.meters(floor)
        for one in watching:
            one.show("floor", framed(m.write(floor_is(floor, one.name, one.role, tables, meters))))

    async def _follow(self, one: Connection, after: int, most: int = 500) -> None:
        """Entries of the log from where the connection stands."""
        upto = min(self.house.desk.seq, after + most)
        if upto <= after:
            return
        loop = asyncio.get_running_loop()
        entries = await loop.run_in_executor(None, lambda: list(self.house.store.log(after, upto)))
        if one.follows != after:
            return  # he has asked for others meanwhile
        for entry in entries:
            one.owe(m.Entry(seq=entry.seq, hash=entry.hash.hex(), body=msgspec.Raw(entry.body)))
            one.follows = entry.seq
        one.flush()
        if self.house.desk.seq > upto:
            self._written.set()

    # What a connection asks for

    def watch(self, one: Connection, table: str) -> None:
        """Shows a table now and whenever it moves."""
        if table not in self.house.floor.tables:
            one.answer(m.Sorry(code="no-table", reason=f"there is no table {table!r}"))
            return
        one.tables.add(table)
        self._watching.setdefault(table, {})[one] = None
        rail = m.write(views.rail(self.house.floor, table))
        one.show(f"table/{table}", self._table_frame(table, rail, one))
        self._present(one, table)

    def unwatch(self, one: Connection, table: str) -> None:
        """Shows a table no longer."""
        one.tables.discard(table)
        self._watching.get(table, {}).pop(one, None)

    def follow(self, one: Connection, after: int) -> None:
        """Sends the log from this entry on."""
        one.follows = after
        self._following[one] = None
        self._written.set()

    def watch_floor(self, one: Connection) -> None:
        """Shows lobby and meters now and whenever something moves."""
        one.floor = True
        floor = self.house.floor
        shown = floor_is(floor, one.name, one.role, views.lobby(floor), views.meters(floor))
        one.show("floor", framed(m.write(shown)))

    def ask(self, one: Connection, message: m.Ask, *, flat: bool) -> None:
        """A request, answered when it is written; `flat`: nothing in it can be nested too deep."""
        if one.name is None or one.role is None:
            one.answer(m.Sorry(code="log-in", reason="log in first", id=message.id))
            return
        if not flat and m.nested(message.wish):
            one.answer(m.Sorry(code="input", reason=_TOO_DEEP, id=message.id))
            return
        request = Request(id=message.id, sender=w.Sender(one.name, one.role), wish=message.wish)
        told = partial(self._answered, one, message.id, _now())
        if isinstance(request.wish, w.CloseDay):
            self._begin(self._closing(request, told))  # it is signed before it is answered
        else:
            self.house.put(request, told)

    async def _closing(self, request: Request, told: Told) -> None:
        try:
            told(await self.house.ask(request))
        except NotWritten as failed:
            told(failed)

    def _answered(self, one: Connection, id_: str, since: float, reply: Reply | NotWritten) -> None:
        self._count(reply, since)
        if isinstance(reply, NotWritten):
            one.answer(m.Sorry(code="not-written", reason=str(reply), id=id_))
            return
        one.owe(m.Answer(id=id_, reply=reply))
        self._owed[one] = None
        self._wake.set()

    async def asked(self, request: Request) -> Reply:
        """A request to the floor that came by another way, counted; raises TooDeep."""
        if m.nested(request.wish):
            raise TooDeep(_TOO_DEEP)
        since = _now()
        try:
            reply = await self.house.ask(request)
        except NotWritten as failed:
            self._count(failed, since)
            raise
        self._count(reply, since)
        return reply

    def _count(self, reply: Reply | NotWritten, since: float) -> None:
        outcome = "not-written" if isinstance(reply, NotWritten) else "done" if reply.refused is None else "refused"
        self.metrics.count(outcome, _now() - since)

    # Who is there

    def come(self, one: Connection) -> None:
        """A connection is there."""
        self.connections[one] = None
        self.metrics.connected(len(self.connections))

    def leave(self, one: Connection) -> None:
        """A connection is gone; a player without another one at his table is away."""
        self.connections.pop(one, None)
        self._following.pop(one, None)
        self.left += 1
        self.metrics.connected(len(self.connections))
        for table in one.tables:
            self._watching.get(table, {}).pop(one, None)
            others = (other for other in self._watching.get(table, ()) if other.name == one.name)
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
        self._begin(self._marked(request))

    def _begin(self, what: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(what)
        self._begun.add(task)
        task.add_done_callback(self._begun.discard)

    async def _marked(self, request: Request) -> None:
        try:
            await self.house.ask(request)
        except NotWritten:
            return


def floor_is(
    floor: Floor,
    name: str | None,
    role: Role | None,
    tables: tuple[views.TableCard, ...],
    meters: tuple[views.MeterView, ...],
) -> m.FloorIs:
    """The floor as one person may see it; lobby and meters are the same for everybody."""
    purse = views.purse(floor, name) if role == "player" and name is not None else {}
    waiting, currencies = views.waiting(floor, role), dict(floor.house.currencies)
    return m.FloorIs(tables=tables, meters=meters, waiting=waiting, purse=purse, currencies=currencies)


def _now() -> float:
    """Seconds, by the clock of the loop: the one that everything here waits by."""
    return asyncio.get_running_loop().time()
