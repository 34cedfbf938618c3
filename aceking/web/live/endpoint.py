"""The WebSocket route `/api/live`: requests, views and the log over one connection."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from aceking.web.live import messages as m
from aceking.web.live.hub import Connection, Hub
from aceking.web.live.socket import EXTENSION, MessageHandler
from aceking.web.sessions import Visitor, same_origin

MESSAGE_CHARACTERS_MAX = 16_384
#: Messages per second and connection, after a burst of `_BURST`; a connection above it is closed.
MESSAGES_A_SECOND = 50
_BURST = 200

CLOSED_ORIGIN, CLOSED_TOO_MUCH = 4403, 4429
#: Raised by a text that is not JSON, not one of our messages, or nested too deeply.
_UNREADABLE = (msgspec.DecodeError, RecursionError)


class LiveTransport(Protocol):
    """Carries a live connection: a socket of the server, or a simulated one."""

    def attach(self, handler: MessageHandler) -> None:
        """Pass every message to this handler from now on."""
        ...

    def write(self, frames: bytes) -> None:
        """Send whole WebSocket frames."""
        ...


@websocket("/api/live", opt={"exclude_from_csrf": True})
async def live(socket: WebSocket[Any, Any, Any]) -> None:
    if not same_origin(socket):
        await socket.accept()
        await socket.close(CLOSED_ORIGIN, "another site's page")
        return
    await socket.accept()
    extensions: dict[str, Any] = socket.scope.get("extensions") or {}
    hub, transport = socket.app.state.hub, extensions[EXTENSION]
    close_reason = await serve_connection(hub, socket.user, transport, _disconnected(socket))
    if close_reason is not None:
        await _close(socket, *close_reason)


async def serve_connection(
    hub: Hub, visitor: Visitor, transport: LiveTransport, disconnected: Coroutine[Any, Any, None]
) -> tuple[int, str] | None:
    """Serve one client from its welcome until `disconnected` returns or the house closes the connection.

    Returns the close code and the reason if the house closes it, None if the client left.
    """
    connection = Connection(visitor, transport.write)
    hub.add(connection)
    seq, at = hub.house.desk.seq, hub.house.clock.now()
    connection.answer(m.Welcome(name=connection.name, role=connection.role, seq=seq, at=at))
    transport.attach(_Handler(hub, connection))
    leaving, closing = asyncio.create_task(disconnected), asyncio.create_task(connection.closing.wait())
    try:
        await asyncio.wait((leaving, closing), return_when=asyncio.FIRST_COMPLETED)
    finally:
        connection.closing.set()
        leaving.cancel()
        await asyncio.gather(leaving, closing, return_exceptions=True)
        hub.remove(connection)
    return connection.close_reason if leaving.cancelled() else None


async def _disconnected(socket: WebSocket[Any, Any, Any]) -> None:
    while (await socket.receive())["type"] != "websocket.disconnect":
        continue


async def _close(socket: WebSocket[Any, Any, Any], code: int, reason: str) -> None:
    try:
        await asyncio.wait_for(socket.close(code, reason), 2)
    except (RuntimeError, TimeoutError, WebSocketDisconnect):
        return


class _Handler:
    """Handles the messages of one connection. A bad message gets a `sorry`, and the connection stays open."""

    def __init__(self, hub: Hub, connection: Connection) -> None:
        self._hub, self._connection = hub, connection
        self._loop = asyncio.get_running_loop()
        self._allowance, self._last = float(_BURST), self._loop.time()

    def message_received(self, text: str | bytes) -> None:
        connection = self._connection
        if connection.closing.is_set():
            return
        now = self._loop.time()
        self._allowance = min(_BURST, self._allowance + (now - self._last) * MESSAGES_A_SECOND) - 1
        self._last = now
        if self._allowance < 0:
            connection.close_reason = (CLOSED_TOO_MUCH, "too many messages")
            connection.closing.set()
        elif len(text) > MESSAGE_CHARACTERS_MAX:
            reason = f"a message has at most {MESSAGE_CHARACTERS_MAX} characters"
            connection.answer(m.Sorry(code="too-long", reason=reason))
        else:
            try:
                message = m.read(text)
            except _UNREADABLE as wrong:
                connection.answer(m.Sorry(code="input", reason=str(wrong), id=_id_in(text)))
                return
            _handle(self._hub, connection, message, shallow=m.shallow(text))

    def pause_writing(self) -> None:
        self._connection.pause_writing()

    def resume_writing(self) -> None:
        self._connection.resume_writing()
        if self._connection.follows is not None:
            self._hub.follow(self._connection, self._connection.follows)


def _id_in(text: str | bytes) -> str | None:
    """Return the id of a request that could not be read, so that its sender knows which one. None if it has none."""
    try:
        request = msgspec.json.decode(text)
    except _UNREADABLE:
        return None
    id_ = request.get("id") if isinstance(request, dict) else None
    return id_ if isinstance(id_, str) and len(id_) <= 64 else None


def _handle(hub: Hub, connection: Connection, message: Any, *, shallow: bool) -> None:
    match message:
        case m.Ask():
            hub.ask(connection, message, shallow=shallow)
        case m.Watch():
            hub.watch(connection, message.table)
        case m.Unwatch():
            hub.unwatch(connection, message.table)
        case m.WatchFloor():
            hub.watch_floor(connection)
        case m.Follow() if connection.role == "auditor":
            hub.follow(connection, message.after)
        case m.Follow():
            connection.answer(m.Sorry(code="access", reason="the log is for the auditor"))
        case m.Ping():
            connection.answer(m.Pong(number=message.number))
