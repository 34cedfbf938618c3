"""Sessions: the person behind a cookie, guards for roles, and the origin check."""

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

from aceking.house import login
from aceking.house.floor.roles import Role
from aceking.house.running import Running
from aceking.house.store.errors import StoreFailed

COOKIE = "aceking"
#: Seconds a session is cached: a log-out through another process takes effect within this time.
_CACHED_SECONDS = 1.0
#: The close code of a live connection whose session cannot be looked up: try again later.
CLOSED_AWAY = 1013


class Visitor(msgspec.Struct, frozen=True):
    """The person behind a session; without one, every field is empty."""

    name: str | None = None
    role: Role | None = None
    token: str = ""


Http = Request[Visitor, Any, Any]


class Visitors:
    """The sessions of this process, cached for a second."""

    def __init__(self, house: Running) -> None:
        self.house = house
        self._cache: dict[str, tuple[float, Visitor]] = {}

    async def of(self, token: str | None) -> Visitor:
        """Return the visitor with this token; an empty one if there is no such session."""
        if not token or len(token) > 100:
            return Visitor()
        now = time.monotonic()
        cached = self._cache.get(token)
        if cached is not None and cached[0] > now:
            return cached[1]
        (visitor,) = await self.now([token])
        if len(self._cache) > 10_000:
            self._cache.clear()
        self._cache[token] = (now + _CACHED_SECONDS, visitor)
        return visitor

    async def now(self, tokens: Sequence[str]) -> list[Visitor]:
        """Return the visitors with these tokens in the same order, from one query in a thread. Raises StoreFailed."""
        house = self.house
        sessions = await asyncio.get_running_loop().run_in_executor(
            None, lambda: login.people_of_tokens(house.store, house.floor.people, tokens, at=house.clock.now())
        )
        return [Visitor(*sessions[token], token) if token in sessions else Visitor() for token in tokens]

    def forget(self, token: str) -> None:
        self._cache.pop(token, None)


class Authentication(AbstractAuthenticationMiddleware):
    """Sets the visitor of every connection. Guards and the floor decide what the visitor may do."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """If the database fails, accept a WebSocket and close it with a reason: a page sees no reason of a refusal."""
        try:
            await super().__call__(scope, receive, send)
        except StoreFailed:
            if scope["type"] != ScopeType.WEBSOCKET or "user" in scope:
                raise
            await receive()
            await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
            await send({"type": "websocket.close", "code": CLOSED_AWAY, "reason": "the database does not answer"})

    async def authenticate_request(self, connection: ASGIConnection[Any, Any, Any, Any]) -> AuthenticationResult:
        visitors: Visitors = connection.app.state.visitors
        return AuthenticationResult(user=await visitors.of(connection.cookies.get(COOKIE)), auth=None)


def limit_key(request: Request[Any, Any, Any]) -> str:
    """Return the key that limits count by: a valid session, otherwise the address. Invented sessions gain nothing."""
    if request.user.name is not None:
        return hashlib.sha256(request.user.token.encode()).hexdigest()
    return request.client.host if request.client is not None else "nowhere"


def known(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Guard: a person is logged in. Raises NotAuthorizedException."""
    if connection.user.name is None:
        raise NotAuthorizedException("log in first")


def only(*roles: Role) -> Any:
    """Return a guard for these roles. It raises NotAuthorizedException or PermissionDeniedException."""

    def guard(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        known(connection, handler)
        if connection.user.role not in roles:
            raise PermissionDeniedException(f"this is for the {' or the '.join(roles)}")

    return guard


def same_origin(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Return True if the request comes from an allowed page, or from no page."""
    origin = connection.headers.get("origin")
    if origin is None:
        return True
    allowed: frozenset[str] = connection.app.state.origins
    return origin in allowed or urlsplit(origin).netloc == connection.headers.get("host")
