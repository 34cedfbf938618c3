"""Who comes over a connection: the session of a cookie, and the checks of where a request comes from."""

import asyncio
import hashlib
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult
from litestar.types import Receive, Scope, Send

from aceking.house import login as door
from aceking.house.floor.roles import Role
from aceking.house.running import Running
from aceking.house.store.errors import StoreFailed

COOKIE = "aceking"
#: A session is looked up again after so long: a log-out elsewhere holds within this time.
_KNOWN_SECONDS = 1.0
#: The code for a live connection whose session cannot be looked up: try again later.
CLOSED_AWAY = 1013


class Visitor(msgspec.Struct, frozen=True):
    """Somebody, or nobody in particular."""

    name: str | None = None
    role: Role | None = None
    token: str = ""


class Visitors:
    """The sessions that this process has seen lately."""

    def __init__(self, house: Running) -> None:
        self.house = house
        self._known: dict[str, tuple[float, Visitor]] = {}

    async def of(self, token: str | None) -> Visitor:
        """Whose token it is."""
        if not token or len(token) > 100:
            return Visitor()
        now = time.monotonic()
        known = self._known.get(token)
        if known is not None and known[0] > now:
            return known[1]
        (visitor,) = await self.now([token])
        if len(self._known) > 10_000:
            self._known.clear()
        self._known[token] = (now + _KNOWN_SECONDS, visitor)
        return visitor

    async def now(self, tokens: Sequence[str]) -> list[Visitor]:
        """Whose tokens these are by the database, which is asked once and keeps nobody else waiting."""
        house = self.house
        found = await asyncio.get_running_loop().run_in_executor(
            None, lambda: door.whose(house.store, house.floor.people, tokens, at=house.clock.now())
        )
        return [Visitor(*found[token], token) if token in found else Visitor() for token in tokens]

    def forget(self, token: str) -> None:
        """The session is over."""
        self._known.pop(token, None)


class Recognise(AbstractAuthenticationMiddleware):
    """Puts the visitor on every connection; who may what is for guards and for the floor."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A live connection is told why it cannot be: a refused handshake would say 403, and a page not even that."""
        try:
            await super().__call__(scope, receive, send)
        except StoreFailed:
            if scope["type"] != ScopeType.WEBSOCKET or "user" in scope:
                raise
            await receive()
            await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
            await send({"type": "websocket.close", "code": CLOSED_AWAY, "reason": "the database cannot be asked"})

    async def authenticate_request(self, connection: ASGIConnection[Any, Any, Any, Any]) -> AuthenticationResult:
        """The visitor by his cookie."""
        visitors: Visitors = connection.app.state.visitors
        return AuthenticationResult(user=await visitors.of(connection.cookies.get(COOKIE)), auth=None)


def whose(request: Request[Any, Any, Any]) -> str:
    """Limits count for a session that there is, or for an address: who makes sessions up has no more of them for it."""
    if request.user.name is not None:
        return hashlib.sha256(request.user.token.encode()).hexdigest()
    return request.client.host if request.client is not None else "nowhere"


def known(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A guard: somebody who has logged in."""
    if connection.user.name is None:
        raise NotAuthorizedException("log in first")


def only(*roles: Role) -> Any:
    """A guard: somebody of one of these parts."""

    def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        known(connection, handler)
        if connection.user.role not in roles:
            raise PermissionDeniedException(f"this is for the {' or the '.join(roles)}")

    return guard


def same_origin(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether a request comes from our own pages, or from no page at all."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    allowed: frozenset[str] = connection.app.state.origins
    return origin in allowed or urlsplit(origin).netloc == connection.headers.get("host")
