"""What each address owes for what was refused: who owes much is heard late, so that he costs the others little.

Somebody who is refused now and then notices nothing of it. Who sends one bad request after another, from one address,
waits a moment before each; where several do so at once, or where passwords are guessed, it is a second, and there are
never more than some of his connections at a time.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from aceking.web.live import CLOSED_TOO_MUCH

#: Seconds of allowed refusals that may be owed before somebody is heard late, and at most.
_LATE_FROM, _MOST = 10, 40
LATE_SECONDS = 1.0
#: One after the other is no crowd: a program that tries everything out goes on at fifty requests a second.
ALONE, MOMENT_SECONDS = 2, 0.02
#: Connections of one address that are heard late at the same time, and log-ins of it; more are refused at once.
WAITING_MOST = 64
LOG_INS_MOST = 2
_LOG_IN = "/api/login"
_ADDRESSES_KEPT = 10_000
#: What is owed for a refusal: a wrong password is 64 MB and a tenth of a second of work, a flood some hundred messages.
_GUESS, _FLOOD, _NO_MESSAGE = 10.0, 10.0, 5.0
_REFUSED = frozenset({400, 401, 403, 404, 405, 411, 413, 414, 415, 429, 431})
_BAD_FRAMES = frozenset({1002, 1003, 1007, 1009})

Clock = Callable[[], float]


class Addresses:
    """Debts by address; each is paid off by waiting."""

    def __init__(self, refusals_a_minute: int, clock: Clock = time.monotonic) -> None:
        self._a_second = refusals_a_minute / 60
        self._clock = clock
        self._debts: dict[str, tuple[float, float]] = {}  # how much, and when it was that
        self.waiting: Counter[str] = Counter()
        self.log_ins: Counter[str] = Counter()

    def refused(self, place: str, cost: float = 1.0) -> None:
        """Something was, to somebody there."""
        if len(self._debts) > _ADDRESSES_KEPT:
            self._debts = {one: debt for one, debt in self._debts.items() if self._owes(one) > 0}
        self._debts[place] = (min(_MOST * self._a_second, self._owes(place) + cost), self._clock())

    def late(self, place: str, *, guess: bool = False) -> float:
        """For how many seconds whoever comes from there waits."""
        if self._owes(place) <= _LATE_FROM * self._a_second:
            return 0.0
        return LATE_SECONDS if guess or self.waiting[place] >= ALONE else MOMENT_SECONDS

    def _owes(self, place: str) -> float:
        debt, when = self._debts.get(place, (0.0, 0.0))
        return max(0.0, debt - (self._clock() - when) * self._a_second)


def place_of(client: tuple[str, int] | None) -> str:
    """An address as one that somebody has: of IPv6 a network, for whoever has one has all of it."""
    if client is None:
        return "nowhere"
    try:
        address = ip_address(client[0])
    except ValueError:
        return client[0][:100]
    return str(ip_network((address, 64), strict=False)) if isinstance(address, IPv6Address) else str(address)


class Late:
    """Around the application: counts what it refuses, and lets those who owe wait before anything is done for them."""

    def __init__(self, app: ASGIApp, addresses: Addresses) -> None:
        self.app = app
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):  # the start and the end of the server
            await self.app(scope, receive, send)
            return
        place, owed = place_of(scope.get("client")), self.addresses
        guess = scope["path"] == _LOG_IN
        late = owed.late(place, guess=guess)
        if late:
            if owed.waiting[place] >= WAITING_MOST or (guess and owed.log_ins[place] >= LOG_INS_MOST):
                await _not_now(scope, send)
                return
            await _waited(owed.waiting, place, late)

        async def sends(message: Any) -> None:
            cost = _cost(message, guess=guess)
            if cost:
                owed.refused(place, cost)
                if late >= LATE_SECONDS and message["type"] == "http.response.start":
                    message["headers"] = [*message["headers"], (b"connection", b"close")]
            await send(message)

        async def receives() -> Any:
            message = await receive()
            if message["type"] == "websocket.disconnect" and message["code"] in _BAD_FRAMES:
                owed.refused(place, _NO_MESSAGE)
            return message

        owed.log_ins[place] += guess
        try:
            await self.app(scope, receives, sends)
        finally:
            owed.log_ins[place] -= guess
            if not owed.log_ins[place]:
                del owed.log_ins[place]


async def _waited(waiting: Counter[str], place: str, seconds: float) -> None:
    waiting[place] += 1
    try:
        await asyncio.sleep(seconds)
    finally:
        waiting[place] -= 1
        if not waiting[place]:
            del waiting[place]


def _cost(message: Any, *, guess: bool) -> float:
    """What is owed for this answer."""
    match message["type"]:
        case "http.response.start" if message["status"] in _REFUSED:
            return _GUESS if guess and message["status"] in (401, 429) else 1.0
        case "websocket.close" if message.get("code") == CLOSED_TOO_MUCH:
            return _FLOOD
        case _:
            return 0.0


async def _not_now(scope: Scope, send: Send) -> None:
    """Refused before anything was done."""
    if scope["type"] == ScopeType.WEBSOCKET:
        await send({"type": "websocket.close", "code": CLOSED_TOO_MUCH, "reason": "too much was refused"})
        return
    body = b'{"code":"too-many","reason":"too much from this address was refused; try again later"}'
    headers = [
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(body)),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
