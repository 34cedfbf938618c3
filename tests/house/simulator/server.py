"""A server process of the simulation: the real `Running`, which can be killed between any two steps."""

import asyncio
import contextvars
from collections.abc import Callable
from typing import TYPE_CHECKING

from aceking.house.desk import Reply, Request
from aceking.house.floor import requests as w
from aceking.house.floor.states import Floor
from aceking.house.running import NotWritten
from aceking.house.store.errors import StoreFailed
from aceking.house.store.protocol import Store
from aceking.version import __version__
from aceking.web.live.endpoint import serve_connection
from aceking.web.metrics import Metrics
from aceking.web.sessions import Visitor, Visitors
from tests.house.simulator.storage import Connection
from tests.house.simulator.wire import SimulatedWire

if TYPE_CHECKING:
    from tests.house.simulator.world import World

#: The process that the current task belongs to; its tasks end with it.
PROCESS: contextvars.ContextVar["Process | None"] = contextvars.ContextVar("process", default=None)
#: Simulated seconds within which a process that reaches the database must have read what others wrote.
_LAGS = 3.0
#: None means that nothing was written, and the request is to be sent again.
Responds = Callable[[Reply | None], None]


class WallClock:
    """The clock of one machine, which may be set forward or back."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.skew = 0

    def now(self) -> int:
        """Return milliseconds since 1970 by this machine's clock."""
        return self._world.now() + self.skew

    async def until(self, moment: int) -> None:
        """Sleep for the time that is left by this clock now; setting the clock meanwhile changes nothing."""
        await asyncio.sleep(max(0, moment - self.now()) / 1000)


class Process:
    """One server process, from its start to its end."""

    def __init__(self, world: "World", number: int, store: Store) -> None:
        self.world, self.number, self.store = world, number, store
        self.clock = WallClock(world)
        self.running = world.serves(store, clock=self.clock, draw=world.dice.randbytes, snapshot_every=25)
        self.hub = world.tells(self.running, Visitors(self.running), Metrics())
        self.wires: list[SimulatedWire] = []
        self.alive, self.ready = True, False
        self.tasks: dict[asyncio.Task[object], None] = {}  # in the order in which they began
        self._stood: tuple[int, float] = (0, 0.0)  # the newest entry that it had read, and since when
        self._context = contextvars.Context()
        self._context.run(PROCESS.set, self)
        self._begin(self._boot())

    @property
    def failures(self) -> int:
        """Return how often the database could not be reached."""
        return self.store.failures if isinstance(self.store, Connection) else 0

    @property
    def floor(self) -> Floor:
        """Return the durable state of this process."""
        return self.running.floor

    def take(self, request: Request, responds: Responds) -> None:
        """Receive a request from the network. It is lost if the process is not ready."""
        if self.ready:
            self._begin(self._serve(request, responds))

    def attends(self, wire: SimulatedWire, token: str) -> None:
        """Accept a live connection, or break it if the process is not ready."""
        if self.ready:
            wire.process = self
            self.wires.append(wire)
            self._begin(self._attend(wire, token))
        else:
            wire.breaks()

    def inside(self, does: Callable[[], None]) -> None:
        """Run a callback in the context of this process, if it is alive."""
        if self.alive:
            self._context.copy().run(does)

    def kill(self) -> None:
        """End at once: cancel every task and break every connection."""
        self.alive = self.ready = False
        for task in [*self.tasks]:
            task.cancel()
        for wire in self.wires:
            wire.breaks()

    def leave(self) -> None:
        """Stop in order: the process ends once everything is written."""
        if self.ready:
            self.ready = False
            self._begin(self._leave())

    def check(self) -> None:
        """Raise AssertionError if a decision failed with an exception or a task has ended."""
        for request, fault in self.running.desk.faults:
            raise AssertionError(f"a fault while deciding {request.body} of {request.sender.name}") from fault
        for task in (*self.running._tasks, *self.hub._tasks) if self.ready else ():
            if task.done():
                raise AssertionError(f"process {self.number} serves no longer") from task.exception()

    def keeps_up(self, newest: int) -> None:
        """Raise AssertionError if the process has not read what others wrote for `_LAGS` seconds."""
        known, now = self.running.desk.seq, self.world.loop.time()
        cut_off = isinstance(self.store, Connection) and self.store.cut
        if not self.ready or cut_off or known >= newest or known != self._stood[0]:
            self.may_wait()
        elif now - self._stood[1] > _LAGS:
            raise AssertionError(f"process {self.number} knows {known} of {newest} entries for {_LAGS} seconds")

    def may_wait(self) -> None:
        """Start the time limit of `keeps_up` again: the process has read everything, or cannot read."""
        self._stood = (self.running.desk.seq, self.world.loop.time())

    def _begin(self, doing: object) -> None:
        self._context.copy().run(self.world.loop.create_task, doing)  # type: ignore[arg-type]

    async def _boot(self) -> None:
        try:
            await self.running.start()
            start = w.Start(program=__version__)
            await self.running.ask(Request(id=f"start/{self.number}", sender=w.HOUSE, body=start))
            self.hub.start()
        except (NotWritten, StoreFailed):
            self.world.ended(self)
            return
        self.ready = True

    async def _leave(self) -> None:
        try:
            await self.hub.stop()
            await self.running.stop()
        finally:
            if self.alive:
                self.world.ended(self)

    async def _attend(self, wire: SimulatedWire, token: str) -> None:
        """Serve a live connection as the web route does."""
        why: tuple[int, str] | None = None
        try:
            visitor = (await self.hub.visitors.now([token]))[0] if token else Visitor()
            why = await serve_connection(self.hub, visitor, wire, wire.left())
        except StoreFailed:
            wire.breaks()  # the client will connect again
        else:
            wire.closes(why)
        finally:
            self.wires.remove(wire)

    async def _serve(self, request: Request, responds: Responds) -> None:
        try:
            reply: Reply | None = await self.running.ask(request)
        except NotWritten:
            reply = None
        responds(reply)


def task_of_process(
    loop: asyncio.AbstractEventLoop, doing: object, context: contextvars.Context | None = None
) -> "asyncio.Task[object]":
    """Create a task that belongs to the current process."""
    task: asyncio.Task[object] = asyncio.Task(doing, loop=loop, context=context)  # type: ignore[arg-type]
    process = PROCESS.get()
    if process is not None:
        process.tasks[task] = None
        task.add_done_callback(lambda done: process.tasks.pop(done, None))
        if not process.alive:
            task.cancel()
    return task
