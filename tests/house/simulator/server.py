"""A process that serves the house: the real `Running` in a process that can end between any two steps."""

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
from aceking.web.live.endpoint import attend
from aceking.web.metrics import Metrics
from aceking.web.sessions import Visitor, Visitors
from tests.house.simulator.storage import Connection
from tests.house.simulator.wire import SimulatedWire

if TYPE_CHECKING:
    from tests.house.simulator.world import World

#: The process in whose name something runs: with it everything that it began ends.
PROCESS: contextvars.ContextVar["Process | None"] = contextvars.ContextVar("process", default=None)
#: Simulated seconds within which a process that reaches the database must have read what others wrote.
_LAGS = 3.0
#: None: it was not written, and is to be asked again.
Responds = Callable[[Reply | None], None]


class WallClock:
    """The clock of one machine, which may be set forward or back."""

    def __init__(self, world: "World") -> None:
        self._world = world
        self.skew = 0

    def now(self) -> int:
        """Milliseconds since 1970, as this machine has it."""
        return self._world.now() + self.skew

    async def until(self, moment: int) -> None:
        """Sleeps as long as it seems to take by now; who sleeps does not see that the clock is set."""
        await asyncio.sleep(max(0, moment - self.now()) / 1000)


class Process:
    """One life of a server, from its start to its end."""

    def __init__(self, world: "World", number: int, store: Store) -> None:
        self.world, self.number, self.store = world, number, store
        self.clock = WallClock(world)
        self.running = world.serves(store, clock=self.clock, draw=world.dice.randbytes, snapshot_every=25)
        self.hub = world.tells(self.running, Visitors(self.running), Metrics())
        self.wires: list[SimulatedWire] = []
        self.alive, self.ready = True, False
        self.tasks: dict[asyncio.Task[object], None] = {}  # in their order
        self._stood: tuple[int, float] = (0, 0.0)  # the last entry that it knew, and since when
        self._context = contextvars.Context()
        self._context.run(PROCESS.set, self)
        self._begin(self._boot())

    @property
    def failures(self) -> int:
        """How often it could not reach its database."""
        return self.store.failures if isinstance(self.store, Connection) else 0

    @property
    def floor(self) -> Floor:
        """What it is sure of."""
        return self.running.floor

    def take(self, request: Request, responds: Responds) -> None:
        """A request comes in by the network."""
        if self.ready:
            self._begin(self._serve(request, responds))

    def attends(self, wire: SimulatedWire, token: str) -> None:
        """Somebody opens a live connection."""
        if self.ready:
            wire.process = self
            self.wires.append(wire)
            self._begin(self._attend(wire, token))
        else:
            wire.breaks()

    def inside(self, does: Callable[[], None]) -> None:
        """Something that happens to this process, while it lives."""
        if self.alive:
            self._context.copy().run(does)

    def kill(self) -> None:
        """It ends at once: nothing that waits is done, nobody is told."""
        self.alive = self.ready = False
        for task in [*self.tasks]:
            task.cancel()
        for wire in self.wires:
            wire.breaks()

    def leave(self) -> None:
        """It is asked to end, and ends when all is written."""
        if self.ready:
            self.ready = False
            self._begin(self._leave())

    def check(self) -> None:
        """Its tasks run for ever, and nothing that it decides shows a fault of the program."""
        for request, fault in self.running.desk.faults:
            raise AssertionError(f"a fault while deciding {request.wish} of {request.sender.name}") from fault
        for task in (*self.running._tasks, *self.hub._tasks) if self.ready else ():
            if task.done():
                raise AssertionError(f"process {self.number} serves no longer") from task.exception()

    def keeps_up(self, newest: int) -> None:
        """What others write is read soon, also when nobody writes after it and nobody asks."""
        known, now = self.running.desk.seq, self.world.loop.time()
        cut_off = isinstance(self.store, Connection) and self.store.cut
        if not self.ready or cut_off or known >= newest or known != self._stood[0]:
            self.may_wait()
        elif now - self._stood[1] > _LAGS:
            raise AssertionError(f"process {self.number} knows {known} of {newest} entries for {_LAGS} seconds")

    def may_wait(self) -> None:
        """It knows all, or cannot: from now on it has time."""
        self._stood = (self.running.desk.seq, self.world.loop.time())

    def _begin(self, doing: object) -> None:
        self._context.copy().run(self.world.loop.create_task, doing)  # type: ignore[arg-type]

    async def _boot(self) -> None:
        try:
            await self.running.start()
            start = w.Start(program=__version__)
            await self.running.ask(Request(id=f"start/{self.number}", sender=w.HOUSE, wish=start))
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
        """As the route does it, with what is below the route."""
        why: tuple[int, str] | None = None
        try:
            visitor = (await self.hub.visitors.now([token]))[0] if token else Visitor()
            why = await attend(self.hub, visitor, wire, wire.left())
        except StoreFailed:
            wire.breaks()  # the door is closed: whoever wants in comes again
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
    """Every task belongs to the process that began it."""
    task: asyncio.Task[object] = asyncio.Task(doing, loop=loop, context=context)  # type: ignore[arg-type]
    process = PROCESS.get()
    if process is not None:
        process.tasks[task] = None
        task.add_done_callback(lambda done: process.tasks.pop(done, None))
        if not process.alive:
            task.cancel()
    return task
