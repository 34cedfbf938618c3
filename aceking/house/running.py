"""Run a floor: an event loop drives the desk with a store, a clock and a source of random bytes.

The loop decides requests and delivers answers; one thread writes. What other processes wrote is read before anything
is decided again.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol, runtime_checkable

from aceking.house import signing
from aceking.house.chance import Chance
from aceking.house.desk import Desk, DeskAnswer, Reply, Request
from aceking.house.floor import requests as w
from aceking.house.floor.codec import after_unit
from aceking.house.floor.play import acts
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.record import Unit, read_unit
from aceking.house.snapshots import keep_floor, newest_floor
from aceking.house.store.errors import StoreFailed
from aceking.house.store.protocol import AppendOutcome, Store

log = logging.getLogger("aceking.house")

#: Entries between snapshots: a restart reads no more than these from the log.
SNAPSHOT_EVERY = 5_000
#: Seconds to sleep between tries to get the turn to write; after the last try a thread waits for it.
_TURN_POLLS = (0.0, 0.0, 0.0, 0.0005, 0.0005, 0.001, 0.001)
_READ_RETRY = 0.2  # seconds between tries to read the log after a failure
_STOPPED = "the house has stopped; ask again under the same id when it is back"


class Clock(Protocol):
    """The time of the server."""

    def now(self) -> int:
        """Return the milliseconds since 1970."""
        ...

    async def until(self, moment: int) -> None: ...


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1_000_000

    async def until(self, moment: int) -> None:
        await asyncio.sleep(max(0, moment - self.now()) / 1000)


class LogListener(Protocol):
    """Reports the end of the log when another process has written."""

    def wait(self, seconds: float = 0) -> int | None:
        """Return the newest entry number reported within this time, or None. Raises StoreFailed."""
        ...

    def close(self) -> None:
        """Stop listening."""
        ...


@runtime_checkable
class Pollable(Protocol):
    """A listener with a file descriptor, so that the event loop can wait for it."""

    descriptor: int  # readable when another process has written


@runtime_checkable
class Shared(Protocol):
    """A store that several processes write to."""

    def listen(self) -> LogListener: ...


@runtime_checkable
class Staged(Protocol):
    """A store that can do all of an append except the commit without waiting."""

    def stage(self, units: Sequence[Unit]) -> Callable[[], list[AppendOutcome]] | None:
        """Return the commit, which must be called, or None while another process writes."""
        ...


#: Called when the log has grown, with the streams that moved (maybe none).
ChangeListener = Callable[[set[str]], None]


class NotWritten(RuntimeError):
    """The store could not write, and nothing was recorded: ask again under the same id."""


#: Called with the reply to a request, or with the reason why there is none.
ReplyCallback = Callable[[Reply | NotWritten], None]


def _settle(future: "asyncio.Future[Reply]", reply: Reply | NotWritten) -> None:
    if future.done():  # the waiting task was cancelled
        return
    if isinstance(reply, NotWritten):
        future.set_exception(reply)
    else:
        future.set_result(reply)


class Running:
    """The floor of one process."""

    def __init__(self, store: Store, *, clock: Clock, draw: Chance, snapshot_every: int = SNAPSHOT_EVERY) -> None:
        self.store = store
        self.snapshot_every = snapshot_every
        self.clock = clock
        self.desk = Desk(draw)
        self.listeners: list[ChangeListener] = []
        self._answers: dict[tuple[str, str], list[ReplyCallback]] = {}  # by request id and digest
        self._wake = asyncio.Event()
        self._rearm = asyncio.Event()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._tasks: list[asyncio.Task[None]] = []
        self._snapshot_at = 0
        self._ticks_sent: set[str] = set()
        self._deadlines: dict[str, tuple[FloorTable, tuple[int, w.What] | None]] = {}
        self._announced = 0  # the newest entry that another process reported
        self._listener: LogListener | None = None
        self.broken = asyncio.Event()  # set with `fault`, when the house has stopped
        self.fault: BaseException | None = None

    @property
    def floor(self) -> Floor:
        """The states as of the last entry that was written and read."""
        return self.desk.durable

    async def start(self) -> None:
        """Read the log and start the tasks that write, run the clocks and listen to other processes."""
        await asyncio.get_running_loop().run_in_executor(self._writer, self._recover)
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._run_clocks())]
        if isinstance(self.store, Shared):
            self._listener = self.store.listen()
            self.desk.behind = True  # another process may have written before it listened
            self._wake.set()
            self._tasks.append(asyncio.create_task(self._listen(self._listener)))
        for task in self._tasks:
            self.watch_task(task)

    def watch_task(self, task: asyncio.Task[None]) -> None:
        """Stop the house if this task fails."""
        task.add_done_callback(self._task_ended)

    def _task_ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or (fault := task.exception()) is None:
            return
        log.critical("the house has stopped", exc_info=fault)
        self.fault = fault
        self.broken.set()
        waiting, self._answers = self._answers, {}
        for callbacks in waiting.values():
            for callback in callbacks:
                callback(NotWritten(_STOPPED))

    async def stop(self) -> None:
        """Write what waits, end the tasks and take a snapshot."""
        while not self.desk.idle and self.fault is None:
            await asyncio.sleep(0.005)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.fault is None:
            await asyncio.get_running_loop().run_in_executor(self._writer, self._take_snapshot)
        self._writer.shutdown()
        if self._listener is not None:
            self._listener.close()

    async def ask(self, request: Request) -> Reply:
        """Return the reply to a request once it is written. A day that it closes is signed too. Raises NotWritten."""
        reply = await self._ask_and_wait(request)
        if (
            isinstance(request.body, w.CloseDay)
            and reply.refused is None
            and self.floor.house.signed < request.body.day
        ):
            await self._sign(request.body.day, request.id)
        return reply

    async def _ask_and_wait(self, request: Request, *, not_before: int = 0) -> Reply:
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.put(request, partial(_settle, future), not_before=not_before)
        return await future

    def put(self, request: Request, callback: ReplyCallback, *, not_before: int = 0) -> None:
        """Queue a request and return at once. The callback gets the reply once it is written, or NotWritten."""
        if self.fault is not None:
            callback(NotWritten(_STOPPED))
            return
        known = self.desk.ask(request, at=max(self.clock.now(), not_before))
        if known is not None:
            callback(known.reply)
            return
        self._answers.setdefault(_key(request), []).append(callback)
        self._wake.set()

    def _recover(self) -> None:
        """Read the newest snapshot, if this version of the program wrote it, and the log after it."""
        floor, seq = newest_floor(self.store)
        self._snapshot_at = seq  # not the end of the log: a process that is killed often would never take another
        for number, unit in self._units(seq):
            floor, seq = after_unit(floor, unit), number
        # Entries written meanwhile, with the seeds of the same moment: a round may have ended since the read above.
        newer, sealed = self._news(seq)
        for number, unit in newer:
            floor, seq = after_unit(floor, unit), number
        self.desk = Desk(self.desk.draw, durable=floor, seq=seq, seeds=sealed)

    def _units(self, after: int) -> Iterable[tuple[int, Unit]]:
        return ((entry.seq, read_unit(entry.body)) for entry in self.store.log(after))

    def _take_snapshot(self) -> None:
        """Store the durable states as a cache. If that fails, the next start reads more of the log."""
        seq = self.desk.seq
        if seq > self._snapshot_at:
            self._snapshot_at = seq
            try:
                keep_floor(self.store, self.desk.durable, seq)
            except StoreFailed as failed:
                log.error("the snapshot could not be stored: %s", failed)

    async def _sign(self, day: str, request_id: str) -> None:
        """Sign the chain up to the close of a day with the key of the house."""
        loop = asyncio.get_running_loop()
        try:
            body = await loop.run_in_executor(self._writer, self._signature, day, request_id)
        except StoreFailed as failed:
            log.error("the close of %s could not be read to be signed: %s", day, failed)
            raise NotWritten("the day is closed and not signed yet") from failed
        await self._ask_and_wait(Request(id=f"sign/{day}", sender=w.HOUSE, body=body))

    def _signature(self, day: str, request_id: str) -> w.SignDay:
        answer = self.store.answer(request_id)
        assert answer is not None, "the close of the day is written"
        entry = next(iter(self.store.log(answer.seq - 1, answer.seq)))
        return signing.sign_day(signing.key_of(self.store), day=day, upto=entry.seq, root=entry.hash.hex())

    async def _write(self) -> None:
        """Write batch after batch: each has everything that waited while the one before was written."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._up_to_date()
            while units := self.desk.take():
                await self._batch(units)
                await self._up_to_date()
                self._give_up(self.desk.exhausted())

    async def _batch(self, units: list[Unit]) -> None:
        loop = asyncio.get_running_loop()
        try:
            outcomes = await self._outcomes(units)
        except StoreFailed as failed:
            log.error("the store could not write: %s", failed)
            self.desk.behind = True  # if the connection broke during the commit, the batch may be in the log
            self._give_up(self.desk.failed())
            return
        answers = self.desk.written(outcomes)
        if self.desk.behind:
            await self._up_to_date()
        self._deliver(answers, {part.stream for unit in units for part in unit.parts})
        if self.desk.seq - self._snapshot_at >= self.snapshot_every:
            await loop.run_in_executor(self._writer, self._take_snapshot)

    async def _outcomes(self, units: list[Unit]) -> list[AppendOutcome]:
        """Write a batch. A thread only waits for the disk: two threads that compute slow each other down (20 %
        measured). While another process has its turn to write, the loop goes on deciding."""
        loop, store = asyncio.get_running_loop(), self.store
        if isinstance(store, Staged):
            for seconds in _TURN_POLLS:
                staged = store.stage(units)
                if staged is not None:
                    return await loop.run_in_executor(self._writer, staged)
                await asyncio.sleep(seconds)
        return await loop.run_in_executor(self._writer, store.append, units)

    async def _up_to_date(self) -> None:
        """Read what other processes wrote. If the log cannot be read, give up the waiting requests and try again."""
        while self.desk.behind or self._announced > self.desk.seq:
            self._announced = 0  # before the read: an entry reported meanwhile may have been written after it
            try:
                await self._catch_up()
            except StoreFailed as failed:
                log.error("the log could not be read: %s", failed)
                self.desk.behind = True
                self._give_up(self.desk.failed())
                await asyncio.sleep(_READ_RETRY)

    async def _catch_up(self) -> None:
        """Read the log after the desk's last entry. Only between two batches: a batch rests on the states before."""
        after = self.desk.seq
        if isinstance(self.store, Staged):
            units, sealed = self._news(after)  # reading a local file does not block for long
        else:
            units, sealed = await asyncio.get_running_loop().run_in_executor(self._writer, self._news, after)
        moved = self.desk.catch_up(units, sealed)
        self._publish(moved)

    def _news(self, after: int) -> tuple[list[tuple[int, Unit]], dict[str, bytes]]:
        """Return the entries after this one and the sealed seeds as of the last of them."""
        entries, sealed = self.store.news(after, self.desk.ahead)
        return [(entry.seq, self.desk.own_unit(entry.seq) or read_unit(entry.body)) for entry in entries], sealed

    def _deliver(self, answers: list[DeskAnswer], moved: set[str]) -> None:
        for request, fault in self.desk.faults:
            log.error("a fault while deciding %s of %s", request.body, request.sender.name, exc_info=fault)
        self.desk.faults.clear()
        for answer in answers:
            for callback in self._answers.pop(_key(answer.request), ()):
                callback(answer.reply)
        self._publish(moved)

    def _publish(self, moved: set[str]) -> None:
        if moved:
            self._rearm.set()
        for listener in self.listeners:
            listener(moved)

    def _give_up(self, requests: list[Request]) -> None:
        for request in requests:
            for callback in self._answers.pop(_key(request), ()):
                callback(NotWritten("the house could not write this down; nothing has happened"))

    async def _listen(self, listener: LogListener) -> None:
        """Take note of the end of the log as other processes report it."""
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, thread_name_prefix="listener") as thread:
            while True:
                try:
                    if isinstance(listener, Pollable):
                        await _readable(listener.descriptor)
                        seq = listener.wait()
                    else:
                        seq = await loop.run_in_executor(thread, listener.wait, 0.5)
                except StoreFailed as failed:
                    log.error("%s", failed)
                    await asyncio.sleep(1)
                    continue
                if seq is not None and seq > self.desk.seq:
                    self._announced = seq
                    self._wake.set()

    async def _run_clocks(self) -> None:
        """Send a tick for every deadline of a table, once, under an id that every process would give it."""
        alarm: asyncio.Task[None] | None = None
        alarm_at: int | None = None
        try:
            while True:
                self._rearm.clear()
                following = self._send_due_ticks(self.clock.now())
                if following != alarm_at or (alarm is not None and alarm.done()):
                    if alarm is not None:
                        alarm.cancel()
                    alarm_at = following
                    alarm = None if following is None else asyncio.create_task(self._alarm(following))
                await self._rearm.wait()
        finally:
            if alarm is not None:
                alarm.cancel()

    async def _alarm(self, moment: int) -> None:
        await self.clock.until(moment)
        self._rearm.set()

    def _send_due_ticks(self, now: int) -> int | None:
        """Send the ticks that are due. Return the time of the next one, or None."""
        following = None
        for name, table in self.floor.tables.items():
            deadline = self._deadline(name, table)
            if deadline is None:
                continue
            moment, what = deadline
            if moment <= now:
                self._send(name, what, moment)
            else:
                following = moment if following is None else min(following, moment)
        return following

    def _deadline(self, name: str, table: FloorTable) -> tuple[int, w.What] | None:
        """Return the next deadline of a table, cached until the table moves."""
        known = self._deadlines.get(name)
        if known is None or known[0] is not table:
            known = self._deadlines[name] = (table, acts.deadline(table))
        return known[1]

    def _send(self, table: str, what: w.What, moment: int) -> None:
        key = f"clock/{table}/{what}/{moment}"
        if key in self._ticks_sent:
            return
        self._ticks_sent.add(key)
        if len(self._ticks_sent) > 10_000:
            self._ticks_sent = {key}
        asyncio.get_running_loop().create_task(
            self._ask_tick(Request(id=key, sender=w.HOUSE, body=w.Tick(table=table, what=what)), moment)
        )

    async def _ask_tick(self, request: Request, moment: int) -> None:
        try:
            # The tick was due: if the clock is set back meanwhile, this id must not be refused for good.
            await self._ask_and_wait(request, not_before=moment)
        except NotWritten:
            self._ticks_sent.discard(request.id)
            if self.fault is None:  # a stopped house must not send the tick in a loop
                self._rearm.set()


async def _readable(descriptor: int) -> None:
    """Wait until the descriptor is readable."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)


def _key(request: Request) -> tuple[str, str]:
    """Return the key of the callbacks. Another content under the same id is another request."""
    return request.id, request.digest
