"""A house that serves: store, floor, robots and application, started in order and let go in order."""

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
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.running import Running, SystemClock
from aceking.house.settings import Settings
from aceking.house.store.check import LOOKED_BACK, check_before_tail
from aceking.house.store.errors import StoreError, StoreFailed
from aceking.house.store.open import open_store
from aceking.house.store.protocol import Store
from aceking.house.store.sql.shared_file import Share
from aceking.version import __version__
from aceking.web.app import create_app
from aceking.web.handover import Doors
from aceking.web.limits.http_timeout import patient
from aceking.web.limits.middleware import Late
from aceking.web.limits.rate_limits import Addresses
from aceking.web.live.hub import Hub
from aceking.web.live.socket import Wire
from aceking.web.metrics import Figures, Metrics

log = logging.getLogger("aceking.serving")

Tell = Callable[[str], None]
_COLLECT_EVERY = 50_000  # objects more than before
#: A live connection that has ended leaves a hundred objects that hold each other (the server's parts, not ours): after
#: so many of them, and not more often than that, these are looked for.
_TIDY_AFTER, _TIDY_SECONDS = 100, 10.0
_BETWEEN_LOOKS = 0.25  # seconds between some hundreds of entries: a tenth of a core, however long the log is


class JsonLines(logging.Formatter):
    """One JSON object a line, for machines that read logs."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as JSON."""
        told = {
            "at": record.created,
            "level": record.levelname.lower(),
            "from": record.name,
            "says": record.getMessage(),
        }
        if record.exc_info:
            told["fault"] = self.formatException(record.exc_info)
        return json.dumps(told, ensure_ascii=False)


def no_nonsense(record: logging.LogRecord) -> bool:
    """Whether it is of the house: what strangers send that is no HTTP or no text could fill the disk, line by line."""
    return not record.getMessage().startswith(("Invalid HTTP request", "Invalid UTF-8 sequence"))


def set_up_logs(settings: Settings) -> None:
    """Where the program tells what it does: standard error."""
    handler = logging.StreamHandler(sys.stderr)
    text = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    handler.setFormatter(JsonLines() if settings.log_format == "json" else text)
    logging.basicConfig(level=settings.log_level.upper(), handlers=[handler], force=True)
    for name in ("alembic", "uvicorn.error", "websockets"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(no_nonsense)


@dataclass(frozen=True, slots=True)
class Place:
    """What one of several processes of a house has from its parent (workers.py)."""

    number: int
    listening: socket.socket
    share: Share | None  # of the store, where it is one file
    doors: Doors
    figures: Figures
    parent: int  # a descriptor that ends with the parent
    ready: Callable[[], None]  # to be called when the house is there


async def serve(settings: Settings, tell: Tell, place: Place | None = None) -> None:
    """Runs until it is told to stop. Raises what the store raises where it cannot be opened."""
    store = open_store(settings.db, makes=settings.demo, share=place.share if place is not None else None)
    try:
        # Before anything is written: the passwords of a new house are shown once, to somebody who can use them.
        with listening_at(settings) if place is None else place.listening as listening:
            house = Running(store, clock=SystemClock(), draw=os.urandom)
            await house.start()
            await _served(settings, house, listening, tell, place)
    finally:
        store.close()


async def _served(
    settings: Settings, house: Running, listening: socket.socket, tell: Tell, place: Place | None = None
) -> None:
    first = place is None or place.number == 0
    passwords: dict[str, str] = {}
    if not house.floor.house.name:
        if not settings.demo:
            await house.stop()
            raise NoHouse("there is no house in this database: `aceking house init` makes one, `--demo` one to try")
        passwords = await demo.make_demo(house)
    await house.ask(
        Request(id=f"start/{house.desk.seq}/{os.getpid()}", sender=w.HOUSE, wish=w.Start(program=__version__))
    )
    robots = demo.robots_of(house) if settings.demo and first else None
    app = create_app(
        house,
        secure=settings.secure,
        origins=settings.origins,
        requests_a_minute=settings.requests_a_minute,
        lab_seconds=settings.lab_seconds,
        keeps=first,
        told=Metrics(place.figures, place.number) if place is not None else None,
    )
    addresses = Addresses(settings.refusals_a_minute)
    config = uvicorn.Config(
        Late(app, addresses),
        http=patient(settings.heartbeat_seconds, addresses, place.doors if place is not None else None),
        ws=Wire,
        ws_max_size=64_000,
        ws_per_message_deflate=False,  # to press every view for every viewer costs more than to send it
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
    tasks = [asyncio.create_task(_end_with(house, server)), asyncio.create_task(_tidying(app.state.hub))]
    if first:
        tasks.append(asyncio.create_task(look_back(house.store)))
        house.needs(tasks[-1])
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
        raise StandsStill(f"the house has ended, for it could not go on: {house.fault!r}")


class _Server(uvicorn.Server):
    """Told to stop, by Ctrl-C or a supervisor's SIGTERM, it stops, and leaves the rest of the end to the house."""

    def __init__(self, config: uvicorn.Config, hub: Hub, place: Place | None) -> None:
        super().__init__(config)
        self._hub = hub
        self._place = place
        self._taking: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """One of several ends with their parent, and takes what others hand over, once it serves itself."""
        await super().startup(sockets)
        if self._place is not None:
            asyncio.get_running_loop().add_reader(self._place.parent, self._orphaned, self._place.parent)
            self._place.doors.tables = lambda: list(self._hub.house.floor.tables)
            self._place.doors.open(self._take)
            self._place.ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Nobody who does not answer keeps the house from closing."""
        self._hub.let_go()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A second Ctrl-C waits for nobody. (uvicorn's own raises the signal again, which would cut the house off.)"""
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True

    def _orphaned(self, parent: int) -> None:
        asyncio.get_running_loop().remove_reader(parent)
        log.error("the parent of this process is gone")
        self.should_exit = True

    def _take(self, connection: socket.socket, head: bytes) -> None:
        """A connection from another process, with what was read of it."""
        connection.setblocking(False)
        task = asyncio.create_task(self._taken(connection, head))
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    async def _taken(self, connection: socket.socket, head: bytes) -> None:
        def protocol() -> Any:
            make: Any = self.config.http_protocol_class
            found = make(config=self.config, server_state=self.server_state, app_state=self.lifespan.state)
            found.handed_over = True
            return found

        transport, found = await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)
        if not transport.is_closing():  # as it is where the house closes meanwhile
            found.data_received(head)


def _collect_seldom() -> None:
    """What was made so far stays; what is made for a request goes by itself, for states have no cycles."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_EVERY)


async def _tidying(hub: Hub) -> None:
    """Memory of those who have gone is given back before the collector of cycles comes by itself, which is seldom."""
    tidied = hub.left
    while True:
        await asyncio.sleep(_TIDY_SECONDS)
        if hub.left - tidied >= _TIDY_AFTER:
            tidied = hub.left
            gc.collect()


async def _end_with(house: Running, server: uvicorn.Server) -> None:
    """A house that can neither write nor tell must not look as if it served."""
    await house.broken.wait()
    server.should_exit = True


async def look_back(store: Store, *, back: int = LOOKED_BACK) -> None:
    """A long log is checked to its beginning while the house runs, without haste; a damaged one ends the house."""
    entries = check_before_tail(store, back=back)
    while True:
        try:
            if await asyncio.to_thread(next, entries, None) is None:
                return
        except StoreFailed as failed:
            log.error("the log could not be looked at: %s", failed)
            entries = check_before_tail(store, back=back)
        await asyncio.sleep(_BETWEEN_LOOKS)


class StandsStill(RuntimeError):
    """A part of the house ended that it cannot go on without; what was acknowledged is in the log."""


class NoHouse(RuntimeError):
    """There is nothing to serve."""


#: What ends a server with a sentence.
ENDS = (NoHouse, StandsStill, StoreError)


def listening_at(settings: Settings) -> socket.socket:
    """The socket at which people are expected; raises NoHouse."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Its protocol is named, or asyncio leaves out TCP_NODELAY, and small answers wait 40 ms for each other.
    found = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((settings.host, settings.port))
    except OSError as failed:
        found.close()
        raise NoHouse(f"cannot listen at {settings.listen}: {failed.strerror or failed}") from None
    found.listen(1024)
    return found


def _greet(house: Running, address: str, passwords: dict[str, str], tell: Tell) -> None:
    tables = [one for one in house.floor.tables.values() if not one.gone]
    tell(f"{house.floor.house.name}: {len(tables)} tables at {address}")
    if passwords:
        tell("These may log in; the passwords are shown this once:")
        for name, password in passwords.items():
            tell(f"  {name:8} {house.floor.people.role(name):12} {password}")
    tell("Ctrl-C stops; everything is where it was when it starts again.")
