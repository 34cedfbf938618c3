"""Run a house as a web server: store, floor, robots and application, started and stopped in order."""

import asyncio
import contextlib
import gc
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

import uvicorn

from aceking.house import demo
from aceking.house.chance import Chance
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.running import Running, SystemClock
from aceking.house.settings import Settings
from aceking.house.store.check import LOOKED_BACK, check_before_tail
from aceking.house.store.errors import StoreError, StoreFailed
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store
from aceking.house.store.sql.shared_file import FileShare
from aceking.version import __version__
from aceking.web.app import create_app
from aceking.web.handover import Handover
from aceking.web.limits.http_timeout import timed_connections
from aceking.web.limits.middleware import RateLimitMiddleware
from aceking.web.limits.rate_limits import RateLimits
from aceking.web.live.hub import Hub
from aceking.web.live.socket import LiveProtocol
from aceking.web.metrics import Metrics, ServerFigures

log = logging.getLogger("aceking.serving")

Announce = Callable[[str], None]
_COLLECT_EVERY = 50_000  # new objects between two runs of the garbage collector
#: A closed live connection leaves a hundred objects in reference cycles (the server library's, not ours). After this
#: many closed connections the garbage collector is run, at most once in this many seconds.
_TIDY_AFTER, _TIDY_SECONDS = 100, 10.0
_CHECK_PAUSE = 0.25  # seconds between batches of some hundred entries: the check takes a tenth of a core


class JsonLines(logging.Formatter):
    """Formats log records as one JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": record.created,
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
        }
        if record.exc_info:
            line["fault"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def without_client_noise(record: logging.LogRecord) -> bool:
    """Return False for log lines about malformed requests: clients could fill the disk with them."""
    return not record.getMessage().startswith(("Invalid HTTP request", "Invalid UTF-8 sequence"))


def set_up_logs(settings: Settings) -> None:
    """Log to standard error in the format and from the level of the settings."""
    handler = logging.StreamHandler(sys.stderr)
    text = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if settings.log_format == "json" else text)
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    for name in ("alembic", "uvicorn.error", "websockets"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(without_client_noise)


@dataclass(frozen=True, slots=True)
class WorkerSlot:
    """What a worker process gets from its parent (workers.py)."""

    number: int
    listening: socket.socket
    share: FileShare | None  # of an SQLite file; None for another store
    handover: Handover
    figures: ServerFigures
    parent: int  # a pipe that is at its end when the parent is gone
    ready: Callable[[], None]  # called once the worker serves


async def serve(
    settings: Settings, tell: Announce, place: WorkerSlot | None = None, *, draw: Chance = os.urandom
) -> None:
    """Run until the process is told to stop. Raises one of `ENDS` if the house cannot start or cannot go on."""
    store = open_store(settings.db, makes=settings.demo, share=place.share if place is not None else None)
    try:
        # Listen before the first write: the passwords of a new house are shown once, and must be of use then.
        with listening_at(settings) if place is None else place.listening as listening:
            house = Running(store, clock=SystemClock(), draw=draw)
            await house.start()
            await _served(settings, house, listening, tell, place)
    finally:
        store.close()


async def _served(
    settings: Settings, house: Running, listening: socket.socket, tell: Announce, place: WorkerSlot | None = None
) -> None:
    first = place is None or place.number == 0
    passwords: dict[str, str] = {}
    if not house.floor.house.name:
        if not settings.demo:
            await house.stop()
            raise NoHouse("there is no house in this database: run `aceking house init`, or use `--demo` to try one")
        passwords = await demo.make_demo(house)
    await house.ask(
        Request(id=f"start/{house.desk.seq}/{os.getpid()}", sender=w.HOUSE, body=w.Start(program=__version__))
    )
    robots = demo.robots_of(house) if settings.demo and first else None
    app = create_app(
        house,
        secure=settings.secure,
        origins=settings.origins,
        requests_a_minute=settings.requests_a_minute,
        lab_seconds=settings.lab_seconds,
        indexes=first,
        counts=Metrics(place.figures, place.number) if place is not None else None,
    )
    limits = RateLimits(settings.refusals_a_minute)
    config = uvicorn.Config(
        RateLimitMiddleware(app, limits),
        http=timed_connections(settings.heartbeat_seconds, limits, place.handover if place is not None else None),
        ws=LiveProtocol,
        ws_max_size=64_000,
        ws_per_message_deflate=False,  # compressing every view for every client costs more than sending it
        ws_ping_interval=settings.heartbeat_seconds,
        ws_ping_timeout=settings.heartbeat_seconds,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
    )
    server = _Server(config, app.state.hub, place)
    host, port = listening.getsockname()[:2]
    if first:
        _greet(house, f"http://{f'[{host}]' if ':' in host else host}:{port}", passwords, tell)
    if robots is not None:
        robots.start()
    _collect_seldom()
    tasks = [asyncio.create_task(_end_with(house, server)), asyncio.create_task(_tidy_memory(app.state.hub))]
    if first:
        tasks.append(asyncio.create_task(check_old_entries(house.store)))
        house.watch_task(tasks[-1])
    try:
        await server.serve(sockets=[listening])
    finally:
        for task in tasks:
            task.cancel()
        if robots is not None:
            await robots.stop()
        with contextlib.suppress(asyncio.CancelledError):
            await house.stop()
    if house.fault is not None:
        raise HouseStopped(f"the house had to stop: {house.fault!r}")


class _Server(uvicorn.Server):
    """Stops on SIGINT and SIGTERM without raising the signal again, so that the house can shut down."""

    def __init__(self, config: uvicorn.Config, hub: Hub, place: WorkerSlot | None) -> None:
        super().__init__(config)
        self._hub = hub
        self._place = place
        self._taking: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._place is not None:
            asyncio.get_running_loop().add_reader(self._place.parent, self._orphaned, self._place.parent)
            self._place.handover.tables = lambda: list(self._hub.house.floor.tables)
            self._place.handover.open(self._take)
            self._place.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Closed first: a client that does not answer must not delay the end.
        self._hub.close_all()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; at a second Ctrl-C stop without waiting for connections. (uvicorn's own raises the signal again.)"""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    def _orphaned(self, parent: int) -> None:
        asyncio.get_running_loop().remove_reader(parent)
        log.error("the parent of this process is gone")
        self.should_exit = True

    def _take(self, connection: socket.socket, head: bytes) -> None:
        """Accept a connection from another process, with the bytes read from it so far."""
        connection.setblocking(False)
        task = asyncio.create_task(self._accept(connection, head))
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    async def _accept(self, connection: socket.socket, head: bytes) -> None:
        def new_protocol() -> Any:
            make: Any = self.config.http_protocol_class
            protocol = make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
            protocol.handed_over = True
            return protocol

        transport, protocol = await asyncio.get_running_loop().connect_accepted_socket(new_protocol, connection)
        if not transport.is_closing():  # the house may be closing
            protocol.data_received(head)


def _collect_seldom() -> None:
    """Run the garbage collector seldom: states have no cycles, so reference counts free the objects of a request."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_EVERY)


async def _tidy_memory(hub: Hub) -> None:
    """Run the garbage collector after many closed connections, since by itself it runs seldom."""
    tidied = hub.closed_connections
    while True:
        await asyncio.sleep(_TIDY_SECONDS)
        if hub.closed_connections - tidied >= _TIDY_AFTER:
            tidied = hub.closed_connections
            gc.collect()


async def _end_with(house: Running, server: uvicorn.Server) -> None:
    """Stop the server once the house is broken, so that it does not seem to serve."""
    await house.broken.wait()
    server.should_exit = True


async def check_old_entries(store: Store, *, back: int = LOOKED_BACK) -> None:
    """Check the log before its last `back` entries, slowly, while the house runs. Raises Damaged if it is damaged."""
    entries = check_before_tail(store, back=back)
    while True:
        try:
            if await asyncio.to_thread(next, entries, None) is None:
                return
        except StoreFailed as failed:
            log.error("the log cannot be read to check it: %s", failed)
            entries = check_before_tail(store, back=back)
        await asyncio.sleep(_CHECK_PAUSE)


class HouseStopped(RuntimeError):
    """A task that the house needs has ended. Everything that was acknowledged is in the log."""


class NoHouse(RuntimeError):
    """There is nothing to serve, or no address to serve it at."""


#: Errors that are shown as one sentence, without a traceback.
ENDS = (NoHouse, HouseStopped, StoreError)


def listening_at(settings: Settings) -> socket.socket:
    """Return a listening socket. Raises NoHouse if the address cannot be used."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Without the protocol argument asyncio does not set TCP_NODELAY, and small replies are delayed by 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except OSError as failed:
        listening.close()
        why = failed.strerror or failed
        raise NoHouse(f"cannot listen at {settings.listen}: {why}; choose another address with --listen") from None
    listening.listen(1024)
    return listening


def _greet(house: Running, address: str, passwords: dict[str, str], tell: Announce) -> None:
    tables = [one for one in house.floor.tables.values() if not one.gone]
    tell(f"{house.floor.house.name}: {len(tables)} tables at {address}")
    if passwords:
        tell("These people may log in; the passwords are shown only once:")
        for name, password in passwords.items():
            tell(f"  {name:8} {house.floor.people.role(name):12} {password}")
    tell("Ctrl-C stops the house; the next start continues where it stopped.")
