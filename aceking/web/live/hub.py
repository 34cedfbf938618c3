"""The live connections of one process: after each commit, every connection that watches gets the newest view.

A view has a part that everybody may see, encoded once, and an own part, encoded once per role or player. A reply and
the view that follows from it are sent together. On each connection only the newest view of a table waits; replies are
never dropped; a connection that does not read is closed.
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
from aceking.house.running import NotWritten, ReplyCallback, Running
from aceking.house.store.errors import StoreFailed
from aceking.house.views import table as views
from aceking.web.live import messages as m
from aceking.web.live.socket import text_frame
from aceking.web.sessions import Visitor, Visitors

log = logging.getLogger("aceking.web")

#: A connection that reads nothing for this long is closed.
STALLED_SECONDS = 10
#: Unsent replies per connection; at the limit the connection is closed.
UNSENT_REPLIES_MAX = 1_000
#: Tables broadcast per loop turn, so that incoming requests are not delayed.
TABLES_A_TURN = 4
#: Seconds between two checks of the sessions of open connections.
SESSION_SECONDS = 5
#: Seconds before a failed read of the log is tried again.
READ_AGAIN_SECONDS = 0.5
CLOSED_SESSION, CLOSED_SLOW, CLOSED_HOUSE = 4401, 4408, 1012
_TOO_DEEP = "the request is nested too deeply"


class HubCounts(Protocol):
    """Receives the figures of the hub."""

    def count(self, outcome: str, seconds: float) -> None:
        """Count one answered request, with the seconds from its arrival to its reply."""
        ...

    def connected(self, number: int) -> None:
        """Set the number of open live connections."""
        ...


class TooDeep(RecursionError):
    """The request is nested deeper than every reader of the log can be expected to read."""


class Connection:
    """One open connection: what it watches, and what is not sent yet."""

    def __init__(self, visitor: Visitor, write: Callable[[bytes], None]) -> None:
        self.visitor = visitor
        self.name, self.role = visitor.name, visitor.role
        self.tables: set[str] = set()
        self.floor = False
        self.follows: int | None = None
        self.closing = asyncio.Event()
        self.close_reason = (CLOSED_SLOW, "too slow")  # unless another reason is set before `closing`
        self._write = write
        self._replies: list[bytes] = []
        self._views: dict[str, bytes] = {}
        self._stalled: asyncio.TimerHandle | None = None

    def answer(self, message: Any) -> None:
        """Queue a reply and send it now. Replies are never dropped; views may be."""
        self.queue_reply(message)
        self.flush()

    def queue_reply(self, message: Any) -> None:
        """Queue a reply; the next `flush` sends it. Closes the connection at 1,000 unsent replies."""
        if len(self._replies) >= UNSENT_REPLIES_MAX:
            self.closing.set()
        self._replies.append(text_frame(m.write(message)))

    def show(self, key: str, frame: bytes) -> None:
        """Send a view. It replaces an unsent view with the same key."""
        self._views[key] = frame
        self.flush()

    def flush(self) -> None:
        """Send what is queued, unless the client is not reading."""
        if self.closing.is_set() or self._stalled is not None:
            return
        waiting = [*self._replies, *self._views.values()]
        if waiting:
            self._replies.clear()
            self._views.clear()
            self._write(waiting[0] if len(waiting) == 1 else b"".join(waiting))

    @property
    def writable(self) -> bool:
        return self._stalled is None

    def pause_writing(self) -> None:
        """Queue everything from now on, and close the connection unless `resume_writing` follows in time."""
        self._stalled = asyncio.get_running_loop().call_later(STALLED_SECONDS, self.closing.set)

    def resume_writing(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        self.flush()


class Hub:
    """All live connections of this process."""

    def __init__(self, house: Running, visitors: Visitors, metrics: HubCounts) -> None:
        self.house = house
        self.visitors = visitors
        self.metrics = metrics
        self.connections: dict[Connection, None] = {}  # dicts as ordered sets: the oldest first
        self.closed_connections = 0  # since the start
        self._watching: dict[str, dict[Connection, None]] = {}  # by table
        self._following: dict[Connection, None] = {}  # the log
        self._changed: set[str] = set()  # streams with entries that are not broadcast yet
        self._replying: dict[Connection, None] = {}  # connections with a queued reply
        self._wake = asyncio.Event()
        self._written = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._short_tasks: set[asyncio.Task[None]] = set()  # held, for the loop keeps weak references only
        house.listeners.append(self._on_commit)

    def start(self) -> None:
        """Start the tasks that send views, log entries and session checks."""
        self._tasks = [asyncio.create_task(run()) for run in (self._send_views, self._send_log, self._check_sessions)]
        for task in self._tasks:
            self.house.watch_task(task)

    def close_all(self) -> None:
        """Close every connection with the code for a house that closes."""
        for connection in [*self.connections]:
            connection.close_reason = (CLOSED_HOUSE, "the house closes")
            connection.closing.set()

    async def stop(self) -> None:
        """Close every connection, then cancel the tasks and wait for them."""
        self.close_all()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _on_commit(self, streams: set[str]) -> None:
        # A refusal changes no stream, but is an entry of the log.
        if streams:
            self._changed |= streams
            self._wake.set()
        if self._following:
            self._written.set()

    async def _send_views(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            tables, self._changed = views.tables_of(self._changed), set()
            replying, self._replying = self._replying, {}
            for connection in replying:
                if connection.tables.isdisjoint(tables):
                    connection.flush()  # no view follows that the reply could be sent with
            for number, table in enumerate(sorted(tables), 1):
                self._send_table(table)
                if number % TABLES_A_TURN == 0:
                    await asyncio.sleep(0)  # requests go first
            for connection in replying:
                connection.flush()  # a client may have stopped watching its table meanwhile
            self._send_floor()

    async def _send_log(self) -> None:
        """Send entries to connections that follow the log, as fast as they read; wait while the store fails."""
        while True:
            await self._written.wait()
            self._written.clear()
            try:
                for connection in [*self._following]:
                    if connection.follows is not None and connection.writable:
                        await self._send_entries(connection, connection.follows)
            except StoreFailed as failed:
                log.error("the log cannot be read for the connections that follow it: %s", failed)
                await asyncio.sleep(READ_AGAIN_SECONDS)
                self._written.set()

    async def _check_sessions(self) -> None:
        """Close connections whose session is over or whose person has another role by now."""
        while True:
            await asyncio.sleep(SESSION_SECONDS)
            logged_in = [one for one in self.connections if one.name is not None]
            try:
                visitors = await self.visitors.now([one.visitor.token for one in logged_in])
            except StoreFailed as failed:
                log.error("sessions cannot be checked: %s", failed)
                continue
            for connection, visitor in zip(logged_in, visitors, strict=True):
                if visitor != connection.visitor:
                    connection.close_reason = (CLOSED_SESSION, "the session is over")
                    connection.closing.set()

    def _send_table(self, table: str) -> None:
        self._changed.discard(f"table/{table}")  # this view has every change until now
        watching = self._watching.get(table)
        if not watching or table not in self.house.floor.tables:
            return
        rail = m.write(views.rail(self.house.floor, table))
        frames: dict[tuple[str | None, str], bytes] = {}
        for connection in watching:
            key = (connection.role, connection.name or "" if connection.role == "player" else "")
            if key not in frames:
                frames[key] = self._table_frame(table, rail, connection)
            connection.show(f"table/{table}", frames[key])

    def _table_frame(self, table: str, rail: bytes, connection: Connection) -> bytes:
        own = views.own_part(self.house.floor, table, connection.role, connection.name or "")
        return text_frame(b'{"is":"table","rail":' + rail + b',"own":' + m.write(own) + b"}")

    def _send_floor(self) -> None:
        watching = [one for one in self.connections if one.floor]
        if not watching:
            return
        floor = self.house.floor
        tables, meters = views.lobby(floor), views.meters(floor)
        for connection in watching:
            message = floor_message(floor, connection.name, connection.role, tables, meters)
            connection.show("floor", text_frame(m.write(message)))

    async def _send_entries(self, connection: Connection, after: int, most: int = 500) -> None:
        upto = min(self.house.desk.seq, after + most)
        if upto <= after:
            return
        loop = asyncio.get_running_loop()
        entries = await loop.run_in_executor(None, lambda: list(self.house.store.log(after, upto)))
        if connection.follows != after:
            return  # the client asked for other entries meanwhile
        for entry in entries:
            connection.queue_reply(m.Entry(seq=entry.seq, hash=entry.hash.hex(), body=msgspec.Raw(entry.body)))
            connection.follows = entry.seq
        connection.flush()
        if self.house.desk.seq > upto:
            self._written.set()

    # What a connection asks for

    def watch(self, connection: Connection, table: str) -> None:
        """Send the table now and after each change."""
        if table not in self.house.floor.tables:
            connection.answer(m.Sorry(code="no-table", reason=f"there is no table {table!r}"))
            return
        connection.tables.add(table)
        self._watching.setdefault(table, {})[connection] = None
        rail = m.write(views.rail(self.house.floor, table))
        connection.show(f"table/{table}", self._table_frame(table, rail, connection))
        self._mark_back(connection, table)

    def unwatch(self, connection: Connection, table: str) -> None:
        connection.tables.discard(table)
        self._watching.get(table, {}).pop(connection, None)

    def follow(self, connection: Connection, after: int) -> None:
        """Send the entries after this one, and new ones as they are written."""
        connection.follows = after
        self._following[connection] = None
        self._written.set()

    def watch_floor(self, connection: Connection) -> None:
        """Send lobby and meters now and after each change."""
        connection.floor = True
        floor = self.house.floor
        message = floor_message(floor, connection.name, connection.role, views.lobby(floor), views.meters(floor))
        connection.show("floor", text_frame(m.write(message)))

    def ask(self, connection: Connection, message: m.Ask, *, shallow: bool) -> None:
        """Put a request to the floor; its reply is sent once it is written. `shallow`: it cannot be nested too deep."""
        if connection.name is None or connection.role is None:
            connection.answer(m.Sorry(code="log-in", reason="log in first", id=message.id))
            return
        if not shallow and m.too_deep(message.wish):
            connection.answer(m.Sorry(code="input", reason=_TOO_DEEP, id=message.id))
            return
        request = Request(id=message.id, sender=w.Sender(connection.name, connection.role), body=message.wish)
        callback = partial(self._on_reply, connection, message.id, _now())
        if isinstance(request.body, w.CloseDay):
            self._start_task(self._close_day(request, callback))  # the day is signed before the reply
        else:
            self.house.put(request, callback)

    async def _close_day(self, request: Request, callback: ReplyCallback) -> None:
        try:
            callback(await self.house.ask(request))
        except NotWritten as failed:
            callback(failed)

    def _on_reply(self, connection: Connection, id_: str, since: float, reply: Reply | NotWritten) -> None:
        self._count(reply, since)
        if isinstance(reply, NotWritten):
            connection.answer(m.Sorry(code="not-written", reason=str(reply), id=id_))
            return
        connection.queue_reply(m.Answer(id=id_, reply=reply))
        self._replying[connection] = None
        self._wake.set()

    async def ask_over_http(self, request: Request) -> Reply:
        """Put a request to the floor and wait for its reply. Raises TooDeep, and NotWritten if the write failed."""
        if m.too_deep(request.body):
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

    # Presence

    def add(self, connection: Connection) -> None:
        self.connections[connection] = None
        self.metrics.connected(len(self.connections))

    def remove(self, connection: Connection) -> None:
        """Forget a closed connection. A seated player without another connection to the table is marked away."""
        self.connections.pop(connection, None)
        self._following.pop(connection, None)
        self.closed_connections += 1
        self.metrics.connected(len(self.connections))
        for table in connection.tables:
            self._watching.get(table, {}).pop(connection, None)
            others = (other for other in self._watching.get(table, ()) if other.name == connection.name)
            sits = table in self.house.floor.tables and connection.name in self.house.floor.tables[table].players
            if connection.role == "player" and connection.name is not None and sits and next(others, None) is None:
                self._record_presence(w.ConnectionLost(table=table, player=connection.name))

    def _mark_back(self, connection: Connection, table: str) -> None:
        name, away = connection.name, self.house.floor.tables[table].away
        if connection.role == "player" and name is not None and name in away:
            self._record_presence(w.ConnectionBack(table=table, player=name))

    def _record_presence(self, presence: w.ConnectionLost | w.ConnectionBack) -> None:
        """Write it to the log. The id names the version of the table, so that two processes write it once."""
        version = self.house.floor.versions[f"table/{presence.table}"]
        request = Request(
            id=f"here/{presence.table}/{presence.player}/{version}/{type(presence).__name__}",
            sender=w.HOUSE,
            body=presence,
        )
        self._start_task(self._ask_quietly(request))

    def _start_task(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._short_tasks.add(task)
        task.add_done_callback(self._short_tasks.discard)

    async def _ask_quietly(self, request: Request) -> None:
        try:
            await self.house.ask(request)
        except NotWritten:
            return


def floor_message(
    floor: Floor,
    name: str | None,
    role: Role | None,
    tables: tuple[views.TableCard, ...],
    meters: tuple[views.MeterView, ...],
) -> m.FloorIs:
    """Return the floor as one person may see it; `tables` and `meters` are the same for everybody."""
    purse = views.purse(floor, name) if role == "player" and name is not None else {}
    waiting, currencies = views.waiting(floor, role), dict(floor.house.currencies)
    return m.FloorIs(tables=tables, meters=meters, waiting=waiting, purse=purse, currencies=currencies)


def _now() -> float:
    return asyncio.get_running_loop().time()
