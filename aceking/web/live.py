"""The live connection: requests, views and the log over one WebSocket."""

import asyncio
import time
from typing import Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect

from aceking.web import messages as m
from aceking.web.hub import Connection, Hub
from aceking.web.visitors import Visitor, same_origin

#: No message of a client is longer, and nobody sends more of them in a second for long.
MESSAGE_MOST = 16_384
MESSAGES_A_SECOND = 50
_BURST = 200

CLOSED_ORIGIN, CLOSED_TOO_MUCH = 4403, 4429
#: What is no message: no JSON, not of our types, or lists in lists in lists without end.
_UNREADABLE = (msgspec.DecodeError, RecursionError)


@websocket("/api/live", opt={"exclude_from_csrf": True})
async def live(socket: WebSocket[Any, Any, Any]) -> None:
    """One client."""
    if not same_origin(socket):
        await socket.accept()
        await socket.close(CLOSED_ORIGIN, "another site's page")
        return
    await socket.accept()
    hub: Hub = socket.app.state.hub
    visitor: Visitor = socket.user
    one = Connection(visitor, _sender(socket))
    hub.connections.add(one)
    one.answer(m.Welcome(name=one.name, role=one.role, seq=hub.house.desk.seq, at=hub.house.clock.now()))
    tasks: list[asyncio.Task[Any]] = [
        asyncio.create_task(one.sending()),
        asyncio.create_task(_reading(socket, hub, one)),
        asyncio.create_task(one.gone.wait()),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        code, why = next((task.result() for task in done if isinstance(task.result(), tuple)), one.why)
    finally:
        one.gone.set()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        hub.leave(one)
    if code:
        await _close(socket, code, why)


def _sender(socket: WebSocket[Any, Any, Any]) -> Any:
    async def send(text: bytes) -> None:
        await socket.send_text(text.decode())

    return send


async def _close(socket: WebSocket[Any, Any, Any], code: int, why: str) -> None:
    try:
        await asyncio.wait_for(socket.close(code, why), 2)
    except (RuntimeError, TimeoutError, WebSocketDisconnect):
        return


async def _reading(socket: WebSocket[Any, Any, Any], hub: Hub, one: Connection) -> tuple[int, str]:
    """Takes messages until the client goes; a bad one is answered, and the connection stays."""
    asks: set[asyncio.Task[None]] = set()
    allowance, last = float(_BURST), time.monotonic()
    try:
        while True:
            text = await _next_text(socket)
            if text is None:
                return 0, ""
            now = time.monotonic()
            allowance, last = min(_BURST, allowance + (now - last) * MESSAGES_A_SECOND) - 1, now
            if allowance < 0:
                return CLOSED_TOO_MUCH, "too many messages"
            if len(text) > MESSAGE_MOST:
                one.answer(m.Sorry(code="too-long", reason=f"a message has at most {MESSAGE_MOST} characters"))
                continue
            try:
                message = m.read(text)
            except _UNREADABLE as wrong:
                one.answer(m.Sorry(code="input", reason=str(wrong), id=_id_in(text)))
                continue
            await _one(hub, one, message, asks)
    except WebSocketDisconnect:
        return 0, ""
    finally:
        if asks:
            await asyncio.wait(asks, timeout=5)  # what was asked is answered or written, whoever has gone


async def _next_text(socket: WebSocket[Any, Any, Any]) -> str | None:
    """The next frame as text; None when the client is gone."""
    event: dict[str, Any] = dict(await socket.receive())
    if event["type"] == "websocket.disconnect":
        return None
    text, data = event.get("text"), event.get("bytes")
    if text is not None:
        return str(text)
    try:
        return (data or b"").decode()
    except UnicodeDecodeError:
        return ""


def _id_in(text: str) -> str | None:
    """The id of a request that was not understood, so that its sender knows which it was."""
    try:
        found = msgspec.json.decode(text)
    except _UNREADABLE:
        return None
    told = found.get("id") if isinstance(found, dict) else None
    return told if isinstance(told, str) and len(told) <= 64 else None


async def _one(hub: Hub, one: Connection, message: Any, asks: set[asyncio.Task[None]]) -> None:
    match message:
        case m.Ask():
            task = asyncio.create_task(hub.ask(one, message))
            asks.add(task)
            task.add_done_callback(asks.discard)
        case m.Watch():
            hub.watch(one, message.table)
        case m.Unwatch():
            one.tables.discard(message.table)
        case m.WatchFloor():
            hub.watch_floor(one)
        case m.Follow() if one.role == "auditor":
            one.follows = message.after
            await hub.follow(one)
        case m.Follow():
            one.answer(m.Sorry(code="access", reason="the log is for the auditor"))
        case m.Ping():
            one.answer(m.Pong(number=message.number))
