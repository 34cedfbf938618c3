"""The Litestar application of a house: routes, authentication, limits, headers and error responses."""

import asyncio
import contextlib
import logging
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import ResponseHeader, State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, ServiceUnavailableException, ValidationException
from litestar.middleware import DefineMiddleware
from litestar.middleware.rate_limit import RateLimitConfig
from litestar.openapi import OpenAPIConfig
from litestar.status_codes import (
    HTTP_400_BAD_REQUEST,
    HTTP_500_INTERNAL_SERVER_ERROR,
    HTTP_503_SERVICE_UNAVAILABLE,
)
from litestar.types import ASGIApp, Receive, Scope, Send

from aceking.house.running import Running
from aceking.house.signing import secret_of
from aceking.house.store.errors import StoreFailed
from aceking.version import __version__
from aceking.web.audit import AUDIT, RoundIndexer, finder_of
from aceking.web.background import Computation
from aceking.web.consoles import CONSOLES
from aceking.web.lab import LAB
from aceking.web.live.endpoint import live
from aceking.web.live.hub import Hub
from aceking.web.metrics import Metrics, metrics
from aceking.web.pages import PAGES
from aceking.web.records import RECORDS
from aceking.web.reference import REFERENCE
from aceking.web.routes import ROUTES, record_event
from aceking.web.sessions import Authentication, Visitors, limit_key, same_origin
from aceking.web.tables import TABLES

log = logging.getLogger("aceking.web")

BODY_BYTES_MAX = 512_000  # a book on file is the largest body that anybody sends
_HASHERS = max(1, (os.cpu_count() or 1) // 2)  # passwords checked at a time: each takes a core and 64 MB
_HASHERS_NICE = 3  # half a share of the processor; with less, log-ins would fail on a busy machine
#: Pages load nothing from other sites and may not be framed.
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class _SameOrigin:
    """Middleware: refuses requests that change something and come from a page of another site."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.HTTP and scope["method"] not in ("GET", "HEAD", "OPTIONS"):
            request: Request[Any, Any, Any] = Request(scope)
            if not same_origin(request):
                refused = Response({"code": "origin", "reason": "this came from another site's page"}, status_code=403)
                await refused.to_asgi_response(app=None, request=request)(scope, receive, send)
                return
        await self.app(scope, receive, send)


def _error(request: Request[Any, Any, Any], error: HTTPException) -> Response[dict[str, Any]]:
    if error.status_code in (401, 403):
        _log_refusal(request, error)
    body: dict[str, Any] = {"code": _code(error), "reason": error.detail or "refused"}
    if isinstance(error, ValidationException) and error.extra:
        body["where"] = error.extra
    return Response(body, status_code=error.status_code, headers=error.headers)


def _log_refusal(request: Request[Any, Any, Any], error: HTTPException) -> None:
    """Write the refusal to the log if the person is known."""
    name = getattr(request.scope.get("user"), "name", None)
    if name is None:
        return
    event = {"is": "access-refused", "name": name, "what": request.url.path[:100], "why": error.detail[:100]}
    task = asyncio.create_task(record_event(request.app.state.house, event))
    _NOTES.add(task)
    task.add_done_callback(_NOTES.discard)


_NOTES: set[asyncio.Task[None]] = set()


def _code(error: HTTPException) -> str:
    codes = {400: "input", 401: "log-in", 403: "access", 404: "unknown", 405: "method", 413: "too-long", 415: "input"}
    return codes.get(error.status_code, {429: "too-many", 503: "not-written"}.get(error.status_code, "refused"))


def _fault(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, str]]:
    """Answer a fault of the program without its details; they go to the log of the server."""
    log.error("a fault at %s", request.url.path, exc_info=error)
    body = {"code": "fault", "reason": "the program has a fault here"}
    return Response(body, status_code=HTTP_500_INTERNAL_SERVER_ERROR)


def _store_failed(request: Request[Any, Any, Any], error: StoreFailed) -> Response[dict[str, str]]:
    """Answer a failure of the database: nothing was done, and the same request may be sent again."""
    log.error("the database does not answer at %s: %s", request.url.path, error)
    body = {"code": "not-written", "reason": "the database does not answer; try again later"}
    return Response(body, status_code=HTTP_503_SERVICE_UNAVAILABLE)


def _too_deep(request: Request[Any, Any, Any], error: RecursionError) -> Response[dict[str, str]]:
    return Response({"code": "input", "reason": "the request is nested too deeply"}, status_code=HTTP_400_BAD_REQUEST)


@get("/health", tags=["operating"], summary="Does the house take requests?", sync_to_thread=False)
def health(state: State) -> dict[str, Any]:
    """Returns 200 while the house takes requests, 503 once it had to stop."""
    house: Running = state.house
    if house.fault is not None:
        raise ServiceUnavailableException("the house has stopped")
    return {"ok": True, "house": house.floor.house.name, "seq": house.desk.seq, "version": __version__}


def _lower_priority() -> None:
    """Lower the priority of this thread: hashing passwords is slow on purpose, and the tables come first."""
    with contextlib.suppress(AttributeError, OSError):  # not every system has priorities of threads
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _HASHERS_NICE)


def create_app(
    house: Running,
    *,
    secure: bool = False,
    origins: Sequence[str] = (),
    requests_a_minute: int = 3_000,
    lab_seconds: int = 120,
    routes: Sequence[Any] = (),
    indexes: bool = True,
    counts: Metrics | None = None,
) -> Litestar:
    """Return the application of a house.

    `secure`: cookies only over TLS. `origins`: other sites whose pages may send requests. `indexes`: this process
    indexes past rounds; of several processes one does. `counts`: figures shared with the other processes.
    """
    counts = counts or Metrics()
    visitors = Visitors(house)
    hub = Hub(house, visitors, counts)
    computation = Computation(lab_seconds)
    hashing = ThreadPoolExecutor(_HASHERS, "hashing", initializer=_lower_priority)
    finder = finder_of(house)
    indexer = RoundIndexer(finder)

    async def start() -> None:
        hub.start()
        if indexes:
            indexer.start()

    async def stop() -> None:
        hashing.shutdown(wait=False, cancel_futures=True)

    limit = RateLimitConfig(
        ("minute", requests_a_minute), identifier_for_request=limit_key, exclude=["/health", "/metrics", "/static/"]
    )
    return Litestar(
        [*ROUTES, *TABLES, *CONSOLES, *RECORDS, *AUDIT, *REFERENCE, *LAB, *PAGES, live, health, metrics, *routes],
        middleware=[
            _SameOrigin,
            DefineMiddleware(Authentication, exclude_http_methods=[]),
            limit.middleware,
        ],
        csrf_config=CSRFConfig(secret=secret_of(house.store, "csrf"), cookie_secure=secure, cookie_samesite="strict"),
        exception_handlers={
            HTTPException: _error,
            StoreFailed: _store_failed,
            RecursionError: _too_deep,
            Exception: _fault,
        },
        response_headers=[ResponseHeader(name=name, value=value) for name, value in HEADERS.items()],
        openapi_config=OpenAPIConfig(title="AceKing", version=__version__, path="/api/schema", render_plugins=[]),
        on_startup=[start],
        on_shutdown=[hub.stop, computation.stop, indexer.stop, stop],
        request_max_body_size=BODY_BYTES_MAX,
        state=State(
            {
                "house": house,
                "hub": hub,
                "metrics": counts,
                "visitors": visitors,
                "computation": computation,
                "finder": finder,
                "histories": {},
                "origins": frozenset(origins),
                "secure": secure,
                "hashing": hashing,
            }
        ),
    )
