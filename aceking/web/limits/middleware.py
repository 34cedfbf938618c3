"""ASGI middleware around the application: counts refusals, and delays requests of addresses over their limit."""

from typing import Any

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from aceking.web.limits.queue import LOG_IN_SECONDS, REQUEST_SECONDS
from aceking.web.limits.rate_limits import RateLimits, address_of
from aceking.web.live.endpoint import CLOSED_ORIGIN, CLOSED_TOO_MUCH

_LOG_IN = "/api/login"
#: Key in the state of a scope: the address that the connection came from. Behind a proxy that is the proxy's address.
CONNECTION_ADDRESS = "aceking.connection-address"
#: Costs: a wrong password is 64 MB and a tenth of a second of work, a flood some hundred messages.
_PASSWORD_COST, _FLOOD_COST, _BAD_FRAME_COST = 10.0, 10.0, 5.0
_REFUSED = frozenset({400, 401, 403, 404, 405, 411, 413, 414, 415, 429, 431})
_BAD_FRAMES = frozenset({1002, 1003, 1007, 1009})


class RateLimitMiddleware:
    """Delays or refuses requests from addresses over their limit.

    A connection has waited for its turn already (http_timeout.py), so only log-ins wait here, and all requests that
    came through a proxy.
    """

    def __init__(self, app: ASGIApp, limits: RateLimits) -> None:
        self.app = app
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):  # the start and the end of the server
            await self.app(scope, receive, send)
            return
        request = _Request(scope, self.limits)
        if not await request.wait_turn():
            await _refuse(scope, send)
            return

        async def counted_send(message: Any) -> None:
            request.answered(message)
            await send(message)

        async def counted_receive() -> Any:
            message = await receive()
            request.received(message)
            return message

        await self.app(scope, counted_receive, counted_send)


class _Request:
    """One request, or one live connection."""

    def __init__(self, scope: Scope, limits: RateLimits) -> None:
        self._scope, self._limits = scope, limits
        self._address = address_of(scope.get("client"))
        self._connection = scope.get("state", {}).get(CONNECTION_ADDRESS, self._address)
        self._log_in = scope["path"] == _LOG_IN
        self._open = False

    async def wait_turn(self) -> bool:
        """Wait for a turn if one is needed. Return False if the request is refused."""
        proxied = self._address != self._connection
        if not (self._log_in or proxied) or not self._limits.limited(self._address):
            return True
        return await self._limits.queue.wait_turn(self._address, LOG_IN_SECONDS if self._log_in else REQUEST_SECONDS)

    def answered(self, message: Any) -> None:
        """Count an answer. A refusal to a limited address closes the connection, so that the next one waits."""
        cost = self._cost(message)
        if cost:
            self._limits.refused(self._address, cost, account=self._account)
            if message["type"] == "http.response.start" and self._limits.limited(self._address):
                message["headers"] = [*message["headers"], (b"connection", b"close")]
        elif message["type"] in ("http.response.start", "websocket.accept"):
            self._open = True
            if self._account is not None:
                for address in {self._address, self._connection}:
                    self._limits.served(address, self._account)

    def received(self, message: Any) -> None:
        """Count a live connection that ended because of frames that are not WebSocket messages."""
        if message["type"] == "websocket.disconnect" and message["code"] in _BAD_FRAMES:
            self._limits.refused(self._address, _BAD_FRAME_COST, account=self._account)

    @property
    def _account(self) -> str | None:
        """Who has logged in; None for nobody, and before the application has looked."""
        return getattr(self._scope.get("user"), "name", None)

    def _cost(self, message: Any) -> float:
        """Return what an answer costs; 0 if it is no refusal."""
        match message["type"]:
            case "http.response.start" if message["status"] in _REFUSED:
                return _PASSWORD_COST if self._log_in and message["status"] in (401, 429) else 1.0
            case "websocket.close" if message.get("code") == CLOSED_TOO_MUCH:
                return _FLOOD_COST
            case "websocket.close" if message.get("code") == CLOSED_ORIGIN or not self._open:
                return 1.0
            case _:
                return 0.0


async def _refuse(scope: Scope, send: Send) -> None:
    """Refuse a request before the application sees it."""
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
