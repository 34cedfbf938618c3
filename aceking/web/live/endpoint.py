"""The live connection: requests, views and the log over one WebSocket."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Protocol

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from aceking.web.live import messages as m
from aceking.web.live.hub import Connection, Hub
from aceking.web.live.socket import WIRE, Client
from aceking.web.sessions import Visitor, same_origin

#: No message of a client is longer, and nobody sends more of them in a second for long.
MESSAGE_MOST = 16_384
MESSAGES_A_SECOND = 50
_BURST = 200

CLOSED_ORIGIN, CLOSED_TOO_MUCH = 4403, 4429
#: What is no message: no JSON, not of our types, or lists in lists in lists without end.
_UNREADABLE = (msgspec.DecodeError, RecursionError)


class OpenWire(Protocol):
    """What a live connection is above: the server's own, or one that a simulator has."""

    def take(self, client: Client) -> None:
        """From now on every message is this client's."""
        ...

    def write(self, frames: bytes) -> None:
        """Whole frames."""
        ...


@websocket("/api/live", opt={"exclude_from_csrf": True})
async def live(socket: WebSocket[Any, Any, Any]) -> None:
    """One client."""
    if not same_origin(socket):
        await socket.accept()
        await socket.close(CLOSED_ORIGIN, "another site's page")
        return
    await socket.accept()
    extensions: dict[str, Any] = socket.scope.get("extensions") or {}
    why = await attend(socket.app.state.hub, socket.user, extensions[WIRE], _left(socket))
    if why is not None:
        await _close(socket, *why)


async def attend(hub: Hub, visitor: Visitor, wire: OpenWire, left: Coroutine[Any, Any, None]) -> tuple[int, str] | None:
    """One client from his welcome on, until he has left; where he is let go, the code and why."""
    one = Connection(visitor, wire.write)
    hub.come(one)
    one.answer(m.Welcome(name=one.name, role=one.role, seq=hub.house.desk.seq, at=hub.house.clock.now()))
    wire.take(_Client(hub, one))
    leaving, gone = asyncio.create_task(left), asyncio.create_task(one.gone.wait())
    try:
        await asyncio.wait((leaving, gone), return_when=asyncio.FIRST_COMPLETED)
    finally:
        one.gone.set()
        leaving.cancel()
        await asyncio.gather(leaving, gone, return_exceptions=True)
        hub.leave(one)
    return one.why if leaving.cancelled() else None


async def _left(socket: WebSocket[Any, Any, Any]) -> None:
    """Until the client goes."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        continue


async def _close(socket: WebSocket[Any, Any, Any], code: int, why: str) -> None:
    try:
        await asyncio.wait_for(socket.close(code, why), 2)
    except (RuntimeError, TimeoutError, WebSocketDisconnect):
        return


class _Client:
    """Takes the messages of a connection; a bad one is answered, and the connection stays."""

    def __init__(self, hub: Hub, one: Connection) -> None:
        self._hub, self._one = hub, one
        self._loop = asyncio.get_running_loop()
        self._allowance, self._last = float(_BURST), self._loop.time()

    def hears(self, text: str | bytes) -> None:
        """One message."""
        one = self._one
        if one.gone.is_set():
            return
        now = self._loop.time()
        self._allowance = min(_BURST, self._allowance + (now - self._last) * MESSAGES_A_SECOND) - 1
        self._last = now
        if self._allowance < 0:
            one.why = (CLOSED_TOO_MUCH, "too many messages")
            one.gone.set()
        elif len(text) > MESSAGE_MOST:
            one.answer(m.Sorry(code="too-long", reason=f"a message has at most {MESSAGE_MOST} characters"))
        else:
            try:
                message = m.read(text)
            except _UNREADABLE as wrong:
                one.answer(m.Sorry(code="input", reason=str(wrong), id=_id_in(text)))
                return
            _one(self._hub, one, message, flat=m.flat(text))

    def stalls(self) -> None:
        """The client does not take what it is sent."""
        self._one.stalls()

    def flows(self) -> None:
        """It takes it again."""
        self._one.flows()
        if self._one.follows is not None:
            self._hub.follow(self._one, self._one.follows)


def _id_in(text: str | bytes) -> str | None:
    """The id of a request that was not understood, so that its sender knows which it was."""
    try:
        found = msgspec.json.decode(text)
    except _UNREADABLE:
        return None
    told = found.get("id") if isinstance(found, dict) else None
    return told if isinstance(told, str) and len(told) <= 64 else None


def _one(hub: Hub, one: Connection, message: Any, *, flat: bool) -> None:
    match message:
        case m.Ask():
            hub.ask(one, message, flat=flat)
        case m.Watch():
            hub.watch(one, message.table)
        case m.Unwatch():
            hub.unwatch(one, message.table)
        case m.WatchFloor():
            hub.watch_floor(one)
        case m.Follow() if one.role == "auditor":
            hub.follow(one, message.after)
        case m.Follow():
            one.answer(m.Sorry(code="access", reason="the log is for the auditor"))
        case m.Ping():
            one.answer(m.Pong(number=message.number))
