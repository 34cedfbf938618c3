"""The application: routes, who may come, limits, headers, errors in one shape."""

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
from aceking.web.audit import AUDIT, Keeping, finder_of
from aceking.web.background import Counting
from aceking.web.consoles import CONSOLES
from aceking.web.lab import LAB
from aceking.web.live.endpoint import live
from aceking.web.live.hub import Hub
from aceking.web.metrics import Metrics, metrics
from aceking.web.pages import PAGES
from aceking.web.records import RECORDS
from aceking.web.reference import REFERENCE
from aceking.web.routes import ROUTES, note
from aceking.web.sessions import Recognise, Visitors, same_origin, whose
from aceking.web.tables import TABLES

log = logging.getLogger("aceking.web")

BODY_MOST = 512_000  # a book on file is the largest thing that anybody sends
_HASHERS = max(1, (os.cpu_count() or 1) // 2)  # passwords that are looked at at once: each takes a core and 64 MB
_HASHERS_NICE = 3  # half a share of the processor: more would keep people out where the machine is busy
#: Pages load nothing from elsewhere and are in nobody's frame.
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


class _OwnPages:
    """A request that changes something comes from our own pages, or from no page at all."""

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
    """What went wrong, in one shape."""
    if error.status_code in (401, 403):
        _note_refusal(request, error)
    told: dict[str, Any] = {"code": _code(error), "reason": error.detail or "refused"}
    if isinstance(error, ValidationException) and error.extra:
        told["where"] = error.extra
    return Response(told, status_code=error.status_code, headers=error.headers)


def _note_refusal(request: Request[Any, Any, Any], error: HTTPException) -> None:
    """Whoever wanted what he may not is on the record (R18); who has not logged in is nobody yet."""
    name = getattr(request.scope.get("user"), "name", None)
    if name is None:
        return
    event = {"is": "access-refused", "name": name, "what": request.url.path[:100], "why": error.detail[:100]}
    task = asyncio.create_task(note(request.app.state.house, event))
    _NOTES.add(task)
    task.add_done_callback(_NOTES.discard)


_NOTES: set[asyncio.Task[None]] = set()


def _code(error: HTTPException) -> str:
    codes = {400: "input", 401: "log-in", 403: "access", 404: "unknown", 405: "method", 413: "too-long", 415: "input"}
    return codes.get(error.status_code, {429: "too-many", 503: "not-written"}.get(error.status_code, "refused"))


def _fault(request: Request[Any, Any, Any], error: Exception) -> Response[dict[str, str]]:
    """A fault of the program: told without its inside, and in the log of the server with it."""
    log.error("a fault at %s", request.url.path, exc_info=error)
    told = {"code": "fault", "reason": "the program has a fault here"}
    return Response(told, status_code=HTTP_500_INTERNAL_SERVER_ERROR)


def _away(request: Request[Any, Any, Any], error: StoreFailed) -> Response[dict[str, str]]:
    """The database is: nothing was done, and the same may be asked again."""
    log.error("the database cannot be asked at %s: %s", request.url.path, error)
    told = {"code": "not-written", "reason": "the database cannot be asked; try again later"}
    return Response(told, status_code=HTTP_503_SERVICE_UNAVAILABLE)


def _too_deep(request: Request[Any, Any, Any], error: RecursionError) -> Response[dict[str, str]]:
    """Lists in lists in lists without end: nobody has a use for them."""
    return Response({"code": "input", "reason": "what was sent is nested too deep"}, status_code=HTTP_400_BAD_REQUEST)


@get("/health", tags=["operating"], summary="Does it take commands?", sync_to_thread=False)
def health(state: State) -> dict[str, Any]:
    """200 when it takes commands."""
    house: Running = state.house
    if house.fault is not None:
        raise ServiceUnavailableException("the house stands still")
    return {"ok": True, "house": house.floor.house.name, "seq": house.desk.seq, "version": __version__}


def _give_way() -> None:
    """Passwords are slow to hash on purpose: however many people log in, the tables come first."""
    with contextlib.suppress(AttributeError, OSError):  # where threads have no priority of their own
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _HASHERS_NICE)


def create_app(
    house: Running,
    *,
    secure: bool = False,
    origins: Sequence[str] = (),
    requests_a_minute: int = 3_000,
    lab_seconds: int = 120,
    routes: Sequence[Any] = (),
    keeps: bool = True,
    told: Metrics | None = None,
) -> Litestar:
    """The application of a house. `secure`: cookies only over TLS; `origins`: pages elsewhere that may ask.

    Of several processes one `keeps` past rounds findable, and each counts into figures that all of them tell.
    """
    told = told or Metrics()
    visitors = Visitors(house)
    hub = Hub(house, visitors, told)
    counting = Counting(lab_seconds)
    hashing = ThreadPoolExecutor(_HASHERS, "hashing", initializer=_give_way)
    finder = finder_of(house)
    keeping = Keeping(finder)

    async def start() -> None:
        hub.start()
        if keeps:
            keeping.start()

    async def stop() -> None:
        hashing.shutdown(wait=False, cancel_futures=True)

    limit = RateLimitConfig(
        ("minute", requests_a_minute), identifier_for_request=whose, exclude=["/health", "/metrics", "/static/"]
    )
    return Litestar(
        [*ROUTES, *TABLES, *CONSOLES, *RECORDS, *AUDIT, *REFERENCE, *LAB, *PAGES, live, health, metrics, *routes],
        middleware=[
            _OwnPages,
            DefineMiddleware(Recognise, exclude_http_methods=[]),
            limit.middleware,
        ],
        csrf_config=CSRFConfig(secret=secret_of(house.store, "csrf"), cookie_secure=secure, cookie_samesite="strict"),
        exception_handlers={
            HTTPException: _error,
            StoreFailed: _away,
            RecursionError: _too_deep,
            Exception: _fault,
        },
        response_headers=[ResponseHeader(name=name, value=value) for name, value in HEADERS.items()],
        openapi_config=OpenAPIConfig(title="AceKing", version=__version__, path="/api/schema", render_plugins=[]),
        on_startup=[start],
        on_shutdown=[hub.stop, counting.stop, keeping.stop, stop],
        request_max_body_size=BODY_MOST,
        state=State(
            {
                "house": house,
                "hub": hub,
                "metrics": told,
                "visitors": visitors,
                "counting": counting,
                "finder": finder,
                "histories": {},
                "origins": frozenset(origins),
                "secure": secure,
                "hashing": hashing,
            }
        ),
    )
