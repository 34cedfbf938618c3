"""One run of the simulation from one seed: servers, people and trouble, until the house is closed and verified."""

import asyncio
import contextvars
import logging
import random
import zlib
from collections.abc import Callable
from typing import Any, Protocol

from aceking.house.chance import Chance
from aceking.house.desk import Reply, Request
from aceking.house.floor.ledger import LedgerAmount, table_accounts
from aceking.house.floor.states import Floor
from aceking.house.running import Clock, Running
from aceking.house.store import secrets
from aceking.house.store.check import check
from aceking.house.store.protocol import Store
from aceking.house.verify import VerifyResult, verify
from aceking.web.live.hub import Hub
from tests.house.simulator import people
from tests.house.simulator.auditor import Auditor, Broken
from tests.house.simulator.dealing import Crew
from tests.house.simulator.loop import SimulatedLoop
from tests.house.simulator.network import Network
from tests.house.simulator.opening import PLANS, opened
from tests.house.simulator.server import Process, task_of_process
from tests.house.simulator.storage import Alone, Connection, Together
from tests.house.simulator.weather import Weather, some_weather
from tests.house.store.memory import MemoryStore

for _name in ("aceking.house", "aceking.web"):
    logging.getLogger(_name).disabled = True  # disk failures are expected here
#: Simulated seconds within which a house without trouble must come to rest.
_REST = 900.0
#: Simulated seconds within which some server must serve again, whatever fails.
_NOBODY_SERVES = 600.0
_TROUBLE_EVERY = 0.2
#: Simulated seconds of quiet: long enough to find a server that has not read the newest entry.
_QUIET = 6.0


class Serves(Protocol):
    """Creates a `Running`."""

    def __call__(self, store: Store, *, clock: Clock, draw: Chance, snapshot_every: int) -> Running: ...


class World:
    """The clients, servers and disks of one simulated run."""

    def __init__(
        self,
        seed: int,
        steps: int,
        *,
        serves: Serves = Running,
        tells: type[Hub] = Hub,
        keeps: type[MemoryStore] = MemoryStore,
        weather: Callable[[random.Random], Weather] = some_weather,
    ) -> None:
        self.dice = random.Random(seed)
        self.steps, self.serves, self.tells = steps, serves, tells
        self.weather = weather(self.dice)
        self.loop = SimulatedLoop(self.dice)
        self.loop.set_task_factory(task_of_process)  # type: ignore[arg-type]
        self.loop.set_exception_handler(self._wrong)
        self.loop.crashed = self._crashed
        self.loop.worked = lambda: self.does(self._look)
        self.failed: BaseException | None = None
        self._outside = contextvars.Context()
        disk, self._began = opened(seed % PLANS)
        self.storage = (Alone if self.weather.processes == 1 else Together)(disk, self.dice, keeps)
        if self.weather.days:
            key = secrets.Credential(person="house", hash=self.dice.randbytes(32).hex())
            secrets.set_credential(MemoryStore(disk), key)
        self.network = Network(self.later, self.dice, lost=self.weather.lost, twice=self.weather.twice)
        self.network.slow = self.weather.slow
        self.auditor = Auditor()
        self.processes: list[Process | None] = [None] * self.weather.processes
        self.lives = 0
        self.ids: list[str] = []
        self.counts = dict.fromkeys(
            (
                *("asked", "told", "killed", "stopped", "disk", "database", "cut-off", "clock", "entered"),
                *("connections", "wires cut", "slow readers", "let go", "views", "entries sent"),
            ),
            0,
        )
        self.closing, self.quiet_until, self._served_at = False, 0.0, 0.0
        self.clients = people.everybody(self)
        self.pages = people.pages(self)
        if self.weather.live:
            self.clients.append(Crew(self))

    # Time

    def now(self) -> int:
        """Return the true time in milliseconds since 1970."""
        return self._began + int(self.loop.time() * 1000)

    def later(self, seconds: float, does: Callable[[], None]) -> None:
        """Call back after some seconds, in the context of no process."""
        self._outside.run(self.loop.call_later, seconds, self.does, does)

    def does(self, does: Callable[[], None]) -> None:
        """Run a callback outside of every process. An exception ends the run as failed."""
        try:
            does()
        except Exception as failed:
            self._fails(failed)

    # What people do

    def some_process(self) -> Process | None:
        """Return a random process that serves, or None."""
        serving = [one for one in self.processes if one is not None and one.ready]
        return self.dice.choice(serving) if serving else None

    def asked(self, request: Request) -> None:
        """Count a new request."""
        self.counts["asked"] += 1
        self.ids.append(request.id)

    def entered(self, request: Request) -> None:
        """Count a new request of the dealing staff. A round has many, so they do not count as steps."""
        self.counts["entered"] += 1
        self.ids.append(request.id)

    def told_over_a_wire(self, request: Request, reply: Reply) -> None:
        """Check an answer when it leaves the house over a live connection."""
        self._look()
        self.auditor.acknowledged(request, reply)

    def told(self, request: Request, reply: Reply) -> None:
        """Check an answer when it arrives."""
        self.counts["told"] += 1
        self._look()
        self.auditor.acknowledged(request, reply)

    # Trouble

    def ended(self, process: Process) -> None:
        """Note the end of a process, and crash its disk if the disk is its own."""
        process.kill()
        self.processes = [None if one is process else one for one in self.processes]
        if isinstance(self.storage, Alone):
            self.storage.ended()

    def _crashed(self) -> None:
        """End the processes whose disk crashed during a write."""
        for process in self.processes:
            if process is not None:
                self.ended(process)

    def _trouble(self) -> None:
        weather, dice = self.weather, self.dice
        for number, process in enumerate(self.processes):
            if process is None:
                if dice.random() < 0.5:
                    self._start(number)
            elif dice.random() < weather.killed:
                self.counts["killed"] += 1
                self.ended(process)
            elif process.ready and dice.random() < weather.stopped:
                self.counts["stopped"] += 1
                process.leave()
            elif dice.random() < weather.clock:
                self.counts["clock"] += 1
                process.clock.skew = dice.choice((0, dice.randint(-20_000, 20_000), dice.randint(-500, 500)))
            elif isinstance(process.store, Connection) and dice.random() < weather.cut_off:
                self.counts["cut-off"] += 1
                process.store.cut = dice.choice(("before", "after"))
        if dice.random() < weather.disk:
            self.counts["disk"] += 1
            self.storage.fails()
        if isinstance(self.storage, Together) and dice.random() < weather.database:
            self.counts["database"] += 1
            self.storage.ended()
        if dice.random() < weather.quiet:
            self.quiet_until = self.loop.time() + _QUIET
        if dice.random() < 0.5:
            self._tended()

    def _tended(self) -> None:
        """Restart broken databases, and end a process whose own store is broken."""
        self.storage.tend()
        for process in self.processes if isinstance(self.storage, Alone) else ():
            if process is not None and isinstance(process.store, MemoryStore) and process.store._broken:
                self.ended(process)

    def _start(self, number: int) -> None:
        store = self.storage.connect()
        if store is not None:
            self.lives += 1
            self.processes[number] = Process(self, self.lives, store)

    # The run

    def run(self) -> VerifyResult:
        """Run from the opening to the end and return the result of the verifier. Raises what went wrong."""
        try:
            self.later(0, self._beats)
            self.loop.run_forever()
            if self.failed is not None:
                raise self.failed
            return self._verified()
        finally:
            self._put_away()

    def _beats(self) -> None:
        """Cause trouble at random every fifth of a second, or close the house once all steps are done."""
        if any(one is not None and one.ready for one in self.processes):
            self._served_at = self.loop.time()
        elif self.loop.time() > self._served_at + _NOBODY_SERVES:
            raise Broken(f"nobody serves for {_NOBODY_SERVES} seconds")
        if self.counts["asked"] < self.steps:
            self._trouble()
        elif not self.closing:
            self._heal()
        elif self._at_rest():
            self._leave()
            return
        elif self.loop.time() > self._closed_at + _REST:
            raise Broken(f"the house does not come to rest: {self._unrest()}")
        self._look()
        for page in self.pages:
            page.check()
        self.later(_TROUBLE_EVERY, self._beats)

    def _heal(self) -> None:
        """Stop all trouble and set the clocks right, but not behind the time of the log."""
        self.closing, self._closed_at = True, self.loop.time()
        self.storage.heal()
        self._tended()
        self.network.lost = self.network.twice = 0.0
        self._began += max(0, self.auditor.floor.moment - self.now())
        for number, process in enumerate(self.processes):
            if process is None:
                self._start(number)
            else:
                process.clock.skew = 0
                if isinstance(process.store, Connection):
                    process.store.cut = ""

    def _at_rest(self) -> bool:
        for number, process in enumerate(self.processes):
            if process is None:  # it was ending when the trouble ended
                self._start(number)
        equal = all(
            one is not None and one.ready and one.running.desk.seq == self.auditor.seq for one in self.processes
        )
        gone = all(one.gone for one in self.auditor.floor.tables.values())
        return equal and gone and not any(one.pending for one in self.clients)

    def _unrest(self) -> str:
        waiting = [f"{one.name}: {one.pending.body}" for one in self.clients if one.pending is not None]
        tables = [
            f"{name}: {one.table.live_round.phase if one.table.live_round else 'between rounds'}, seats {one.seats}"
            for name, one in self.auditor.floor.tables.items()
            if not one.gone
        ]
        return f"{waiting}, {tables}, processes {[one and one.ready for one in self.processes]}"

    def _leave(self) -> None:
        """Stop all servers, then the loop."""
        for process in self.processes:
            if process is not None:
                process.leave()
        self.later(_TROUBLE_EVERY, self._left)

    def _left(self) -> None:
        if any(process is not None for process in self.processes):
            self.later(_TROUBLE_EVERY, self._left)
        else:
            self.loop.stop()

    def _look(self) -> None:
        """Check everything that must hold after each step."""
        truth = self.storage.truth
        if truth is None:
            for process in self.processes:
                if process is not None:
                    process.may_wait()
            return
        self.auditor.follow(truth)
        for process in self.processes:
            if process is not None and process.alive:
                process.check()
                process.keeps_up(self.auditor.seq)
                self.auditor.compare(process)

    def _wrong(self, loop: Any, context: dict[str, Any]) -> None:
        """Fail the run with an exception that nobody caught."""
        failed = context.get("exception")
        self._fails(failed if failed is not None else RuntimeError(context["message"]))

    def _fails(self, failed: BaseException) -> None:
        if self.failed is None:
            self.failed = failed
        self.loop.stop()

    def _verified(self) -> VerifyResult:
        """Verify the log offline: the chain, every unit decided again, and the same state at the end."""
        store = self.storage.kind(self.storage.disk)
        self.auditor.follow(store)
        self.auditor.no_secret_shown(store)
        check(store)
        found = verify(
            lambda: enumerate(self.auditor.units, start=1),
            hash_of=lambda seq: store._rows[seq - 1].hash.hex(),
            sealed=store.sealed(),
        )
        if found.floor != self.auditor.floor:
            raise Broken("what the verifier works out is not the state of the house")
        if left := {name: amount for name, amount in _at_tables(found.floor).items() if amount}:
            raise Broken(f"chips are left at tables that are gone: {left}")
        return found.seen

    def trace(self) -> str:
        """Return a checksum of the run: the same seed gives the same."""
        happened = f"{self.auditor.tip.hex()} {self.counts} {self.lives} {self.loop.time()}"
        return f"{zlib.crc32(happened.encode()):08x}"

    def _put_away(self) -> None:
        """End every task that still waits."""
        for process in self.processes:
            if process is not None:
                process.kill()
        self.loop.run_until_complete(_nothing())
        self.loop.close()


async def _nothing() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def _at_tables(floor: Floor) -> dict[str, LedgerAmount]:
    """Return the chips of players, layouts and trays by account."""
    kinds = ("layout", "tray", "player")
    return {
        name: amount
        for one in floor.tables.values()
        for name, amount in table_accounts(one).items()
        if name.split("/")[2] in kinds
    }
