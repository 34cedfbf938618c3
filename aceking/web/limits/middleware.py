"""Around the application: counts what it refuses, and lets those who owe wait before anything is done for them."""

import asyncio
from collections import Counter
from dataclasses import dataclass
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from aceking.web.limits.queue import HEARD, PASSWORD
from aceking.web.limits.rate_limits import LATE_SECONDS, LOG_INS_MOST, WAITING_MOST, Addresses, place_of
from aceking.web.live.endpoint import CLOSED_ORIGIN, CLOSED_TOO_MUCH

_LOG_IN = "/api/login"
#: Under this name a request finds the door that its connection came through, in the state of its scope.
DOOR = "aceking.door"
#: What is owed for a refusal: a wrong password is 64 MB and a tenth of a second of work, a flood some hundred messages.
_FLOOD, _NO_MESSAGE = 10.0, 5.0
_REFUSED = frozenset({400, 401, 403, 404, 405, 411, 413, 414, 415, 429, 431})
_BAD_FRAMES = frozenset({1002, 1003, 1007, 1009})


@dataclass(slots=True)
class Door:
    """Where a connection came in. Behind a proxy that is the proxy's address, and a request has another."""

    place: str
    stood: bool = False  # in the queue, so that its first request does not again


class Late:
    """The application, for those who have waited."""

    def __init__(self, app: ASGIApp, addresses: Addresses) -> None:
        self.app = app
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):  # the start and the end of the server
            await self.app(scope, receive, send)
            return
        one = _Visit(scope, self.addresses)
        if not await one.waited():
            await _not_now(scope, send)
            return

        async def sends(message: Any) -> None:
            one.answered(message)
            await send(message)

        async def receives() -> Any:
            message = await receive()
            one.said(message)
            return message

        one.begins()
        try:
            await self.app(scope, receives, sends)
        finally:
            one.ends()


class _Visit:
    """One request, or one live connection."""

    def __init__(self, scope: Scope, addresses: Addresses) -> None:
        self._scope, self._owed = scope, addresses
        self._place = place_of(scope.get("client"))
        self._door: Door = scope.get("state", {}).get(DOOR) or Door(self._place)
        self._guess = scope["path"] == _LOG_IN
        self._late = self._paid = 0.0
        self._open = False

    async def waited(self) -> bool:
        """Waits as long as he has to; whether he is heard then."""
        owed, place = self._owed, self._place
        stood, self._door.stood = self._door.stood, False
        queues = owed.stands_in_queue(place)
        self._late = LATE_SECONDS if queues else owed.late(place, guess=self._guess)
        if self._late and self._guess and owed.log_ins[place] >= LOG_INS_MOST:
            return False
        if queues:
            if stood and not self._guess:
                return True
            self._paid = PASSWORD if self._guess else HEARD
            return await owed.queue.stood(place, self._paid, owed.put_back(place))
        if self._late:
            if owed.waiting[place] >= WAITING_MOST:
                return False
            await _slept(owed.waiting, place, self._late)
        return True

    def begins(self) -> None:
        """He is heard."""
        self._owed.log_ins[self._place] += self._guess

    def ends(self) -> None:
        """It is over."""
        log_ins = self._owed.log_ins
        log_ins[self._place] -= self._guess
        if not log_ins[self._place]:
            del log_ins[self._place]

    def answered(self, message: Any) -> None:
        """Counts what he is told, and closes his connection where he was refused and waited."""
        cost = self._cost(message)
        if cost:
            self._owed.refused(self._place, cost, person=self._person, paid=self._paid)
            if self._late >= LATE_SECONDS and message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"connection", b"close")]
        elif message["type"] in ("http.response.start", "websocket.accept"):
            self._served()

    def said(self, message: Any) -> None:
        """What he sent was no message at all."""
        if message["type"] == "websocket.disconnect" and message["code"] in _BAD_FRAMES:
            self._owed.refused(self._place, _NO_MESSAGE, person=self._person)

    @property
    def _person(self) -> str | None:
        """Who has logged in; the application has found out by now."""
        return getattr(self._scope.get("user"), "name", None)

    def _served(self) -> None:
        self._open = True
        if self._guess and self._paid:
            self._owed.queue.owe(HEARD - self._paid)  # it was none
        if self._person is not None:
            for place in {self._place, self._door.place}:
                self._owed.came(place, self._person)

    def _cost(self, message: Any) -> float:
        """What is owed for this answer."""
        match message["type"]:
            case "http.response.start" if message["status"] in _REFUSED:
                return PASSWORD if self._guess and message["status"] in (401, 429) else 1.0
            case "websocket.close" if message.get("code") == CLOSED_TOO_MUCH:
                return _FLOOD
            case "websocket.close" if message.get("code") == CLOSED_ORIGIN or not self._open:
                return 1.0
            case _:
                return 0.0


async def _slept(waiting: Counter[str], place: str, seconds: float) -> None:
    waiting[place] += 1
    try:
        await asyncio.sleep(seconds)
    finally:
        waiting[place] -= 1
        if not waiting[place]:
            del waiting[place]


async def _not_now(scope: Scope, send: Send) -> None:
    """Refused before anything was done."""
    if scope["type"] == ScopeType.WEBSOCKET:
        await send({"type": "websocket.close", "code": CLOSED_TOO_MUCH, "reason": "too much was refused"})
        return
    body = b'{"code":"too-many","reason":"too much was refused; try again later"}'
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
