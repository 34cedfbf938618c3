"""A floor that runs: the desk driven by an event loop, with a store, a clock and chance that it is given.

One thread writes; the loop decides, answers and tells. What other processes wrote is caught up with before anything is
decided again.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Protocol, runtime_checkable

import msgspec

from aceking.house import signing
from aceking.house.chance import Chance
from aceking.house.desk import Answer, Desk, Reply, Request
from aceking.house.floor import requests as w
from aceking.house.floor.codec import after_unit
from aceking.house.floor.play import acts as playing
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.record import Unit, read_unit
from aceking.house.store.errors import StoreFailed
from aceking.house.store.protocol import Outcome, Snapshot, Store
from aceking.version import __version__

log = logging.getLogger("aceking.house")

#: A snapshot is taken after so many entries: a restart reads no more than that.
SNAPSHOT_EVERY = 5_000
#: Seconds between looks whether it is this process's turn to write, before a thread waits for it.
_PATIENCE = (0.0, 0.0, 0.0, 0.0005, 0.0005, 0.001, 0.001)
_READ_AGAIN = 0.2  # seconds, while the log cannot be read
_STANDS_STILL = "the house stands still; ask again under the same id when it is back"
_FORMAT = f"floor {__version__}"
_READ_FLOOR = msgspec.json.Decoder(Floor)


class Clock(Protocol):
    """The time of the server, and waiting for it."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        ...

    async def until(self, moment: int) -> None:
        """Waits until then."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000

    async def until(self, moment: int) -> None:
        """Waits until then."""
        await asyncio.sleep(max(0, moment - self.now()) / 1000)


class Hears(Protocol):
    """Tells where the log ends, whenever another process has written."""

    def heard(self, seconds: float = 0) -> int | None:
        """The newest entry that was told of within this time."""
        ...

    def close(self) -> None:
        """No more."""
        ...


@runtime_checkable
class Rings(Protocol):
    """One that needs no thread to wait for it."""

    rings: int  # a descriptor, readable when there is something to hear


@runtime_checkable
class Shared(Protocol):
    """A store that several processes write to."""

    def listen(self) -> Hears:
        """Hears of what any process writes."""
        ...


@runtime_checkable
class Staged(Protocol):
    """A store that can do all of an append but the commit at once."""

    def stage(self, units: Sequence[Unit]) -> Callable[[], list[Outcome]] | None:
        """What commits it, and must be called; None while somebody else writes."""
        ...


#: Told when the log has grown: the streams that moved, which may be none.
Listener = Callable[[set[str]], None]


class NotWritten(RuntimeError):
    """The store could not write, and nothing has happened: ask again under the same id."""


#: Hears the answer to a request, or why there is none.
Told = Callable[[Reply | NotWritten], None]


def _settle(future: "asyncio.Future[Reply]", reply: Reply | NotWritten) -> None:
    if future.done():  # whoever waited has gone
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
        self.listeners: list[Listener] = []
        self._answers: dict[tuple[str, str], list[Told]] = {}  # by id and content
        self._wake = asyncio.Event()
        self._rearm = asyncio.Event()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._tasks: list[asyncio.Task[None]] = []
        self._snapshot_at = 0
        self._rung: set[str] = set()
        self._deadlines: dict[str, tuple[FloorTable, tuple[int, w.What] | None]] = {}
        self._heard = 0  # an entry that another process told of
        self._hearing: Hears | None = None
        self.broken = asyncio.Event()  # set when it cannot go on
        self.fault: BaseException | None = None

    @property
    def floor(self) -> Floor:
        """Everything that is sure."""
        return self.desk.sure

    async def start(self) -> None:
        """Reads the log, and goes on where it ends."""
        await asyncio.get_running_loop().run_in_executor(self._writer, self._recover)
        self._tasks = [asyncio.create_task(self._write()), asyncio.create_task(self._ring())]
        if isinstance(self.store, Shared):
            self._hearing = self.store.listen()
            self.desk.behind = True  # something may have been written before it listened
            self._wake.set()
            self._tasks.append(asyncio.create_task(self._hear(self._hearing)))
        for task in self._tasks:
            self.needs(task)

    def needs(self, task: asyncio.Task[None]) -> None:
        """A part without which the house cannot go on: if it ends before it is told to, the house stands still."""
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or (fault := task.exception()) is None:
            return
        log.critical("the floor stands still", exc_info=fault)
        self.fault = fault
        self.broken.set()
        waiting, self._answers = self._answers, {}
        for many in waiting.values():
            for told in many:
                told(NotWritten(_STANDS_STILL))

    async def stop(self) -> None:
        """Writes what waits, then lets go."""
        while not self.desk.idle and self.fault is None:
            await asyncio.sleep(0.005)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self.fault is None:
            await asyncio.get_running_loop().run_in_executor(self._writer, self._take_snapshot)
        self._writer.shutdown()
        if self._hearing is not None:
            self._hearing.close()

    async def ask(self, request: Request) -> Reply:
        """The answer to a request, once it is written; a day that it closes is signed as well."""
        reply = await self._asked(request)
        if (
            isinstance(request.wish, w.CloseDay)
            and reply.refused is None
            and self.floor.house.signed < request.wish.day
        ):
            await self._sign(request.wish.day, request.id)
        return reply

    async def _asked(self, request: Request, *, not_before: int = 0) -> Reply:
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self.put(request, partial(_settle, future), not_before=not_before)
        return await future

    def put(self, request: Request, told: Told, *, not_before: int = 0) -> None:
        """Takes a request and returns at once; its answer is told once it is written, or that it could not be."""
        if self.fault is not None:
            told(NotWritten(_STANDS_STILL))
            return
        known = self.desk.ask(request, at=max(self.clock.now(), not_before))
        if known is not None:
            told(known.reply)
            return
        self._answers.setdefault(_key(request), []).append(told)
        self._wake.set()

    def _recover(self) -> None:
        """The newest snapshot, where there is one that this program wrote, and the log after it."""
        floor, seq = Floor(), 0
        kept = self.store.snapshots().get("floor")
        if kept is not None and kept.format == _FORMAT:
            floor, seq = _READ_FLOOR.decode(kept.body), kept.seq
        self._snapshot_at = seq  # not the end of the log: who is killed often would never come to take another
        for number, unit in self._units(seq):
            floor, seq = after_unit(floor, unit), number
        # What others wrote meanwhile, and the secrets of that same moment: a round may have ended since it was read.
        late, sealed = self._news(seq)
        for number, unit in late:
            floor, seq = after_unit(floor, unit), number
        self.desk = Desk(self.desk.draw, sure=floor, seq=seq, seeds=sealed)

    def _units(self, after: int) -> Iterable[tuple[int, Unit]]:
        return ((entry.seq, read_unit(entry.body)) for entry in self.store.log(after))

    def _take_snapshot(self) -> None:
        """A cache: where the store cannot keep it, the next start reads more of the log."""
        seq = self.desk.seq
        if seq > self._snapshot_at:
            self._snapshot_at = seq
            body = msgspec.json.encode(self.desk.sure)
            try:
                self.store.snapshot([Snapshot(stream="floor", version=seq, seq=seq, format=_FORMAT, body=body)])
            except StoreFailed as failed:
                log.error("no snapshot could be kept: %s", failed)

    async def _sign(self, day: str, asked: str) -> None:
        """The chain up to the close of a day, signed with the key of the house."""
        loop = asyncio.get_running_loop()
        try:
            wish = await loop.run_in_executor(self._writer, self._signature, day, asked)
        except StoreFailed as failed:
            log.error("the close of %s could not be read to be signed: %s", day, failed)
            raise NotWritten("the day is closed and not signed yet") from failed
        await self._asked(Request(id=f"sign/{day}", sender=w.HOUSE, wish=wish))

    def _signature(self, day: str, asked: str) -> w.SignDay:
        known = self.store.answer(asked)
        assert known is not None, "the close of the day is written"
        entry = next(iter(self.store.log(known.seq - 1, known.seq)))
        return signing.signed(signing.key_of(self.store), day=day, upto=entry.seq, root=entry.hash.hex())

    async def _write(self) -> None:
        """One batch after another: all that waited while the one before was written."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._up_to_date()
            while units := self.desk.take():
                await self._batch(units)
                await self._up_to_date()
                self._give_up(self.desk.tired())

    async def _batch(self, units: list[Unit]) -> None:
        loop = asyncio.get_running_loop()
        try:
            outcomes = await self._outcomes(units)
        except StoreFailed as failed:
            log.error("the store could not write: %s", failed)
            self.desk.behind = True  # it may be written after all, where the connection broke: the log knows
            self._give_up(self.desk.failed())
            return
        answers = self.desk.written(outcomes)
        if self.desk.behind:
            await self._up_to_date()
        self._tell(answers, {part.stream for unit in units for part in unit.parts})
        if self.desk.seq - self._snapshot_at >= self.snapshot_every:
            await loop.run_in_executor(self._writer, self._take_snapshot)

    async def _outcomes(self, units: list[Unit]) -> list[Outcome]:
        """Writes a batch. Only waiting for the disk is for a thread: two that work take turns at every step, and a
        fifth of the time goes with that. While another process writes, who comes meanwhile is decided."""
        loop, store = asyncio.get_running_loop(), self.store
        if isinstance(store, Staged):
            for seconds in _PATIENCE:
                staged = store.stage(units)
                if staged is not None:
                    return await loop.run_in_executor(self._writer, staged)
                await asyncio.sleep(seconds)
        return await loop.run_in_executor(self._writer, store.append, units)

    async def _up_to_date(self) -> None:
        """What other processes wrote is read before anything is decided on it; who waits meanwhile is to ask again."""
        while self.desk.behind or self._heard > self.desk.seq:
            self._heard = 0  # before it is read: what is told of meanwhile may be written after the reading
            try:
                await self._catch_up()
            except StoreFailed as failed:
                log.error("the log could not be read: %s", failed)
                self.desk.behind = True
                self._give_up(self.desk.failed())
                await asyncio.sleep(_READ_AGAIN)

    async def _catch_up(self) -> None:
        """Only between two batches, for a batch stands on what was sure before."""
        after = self.desk.seq
        if isinstance(self.store, Staged):
            units, sealed = self._news(after)  # a file is read at once
        else:
            units, sealed = await asyncio.get_running_loop().run_in_executor(self._writer, self._news, after)
        moved = self.desk.catch_up(units, sealed)
        self._publish(moved)

    def _news(self, after: int) -> tuple[list[tuple[int, Unit]], dict[str, bytes]]:
        """The entries after this one, and the secrets as they lie at the last of them."""
        entries, sealed = self.store.news(after, self.desk.ahead)
        return [(entry.seq, self.desk.wrote(entry.seq) or read_unit(entry.body)) for entry in entries], sealed

    def _tell(self, answers: list[Answer], moved: set[str]) -> None:
        for request, fault in self.desk.faults:
            log.error("a fault while deciding %s of %s", request.wish, request.sender.name, exc_info=fault)
        self.desk.faults.clear()
        for answer in answers:
            for told in self._answers.pop(_key(answer.request), ()):
                told(answer.reply)
        self._publish(moved)

    def _publish(self, moved: set[str]) -> None:
        if moved:
            self._rearm.set()
        for listener in self.listeners:
            listener(moved)

    def _give_up(self, requests: list[Request]) -> None:
        for request in requests:
            for told in self._answers.pop(_key(request), ()):
                told(NotWritten("the house could not write this down; nothing has happened"))

    async def _hear(self, hearing: Hears) -> None:
        """Where the log ends, as other processes tell it."""
        loop = asyncio.get_running_loop()
        with ThreadPoolExecutor(1, thread_name_prefix="hearing") as thread:
            while True:
                try:
                    if isinstance(hearing, Rings):
                        await _readable(hearing.rings)
                        seq = hearing.heard()
                    else:
                        seq = await loop.run_in_executor(thread, hearing.heard, 0.5)
                except StoreFailed as failed:
                    log.error("%s", failed)
                    await asyncio.sleep(1)
                    continue
                if seq is not None and seq > self.desk.seq:
                    self._heard = seq
                    self._wake.set()

    async def _ring(self) -> None:
        """The clocks of the house: each rings once, under an id that every process would give it."""
        alarm: asyncio.Task[None] | None = None
        alarm_at: int | None = None
        try:
            while True:
                self._rearm.clear()
                following = self._rung_by(self.clock.now())
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

    def _rung_by(self, now: int) -> int | None:
        """Rings what is due; when the next is."""
        following = None
        for name, one in self.floor.tables.items():
            found = self._deadline(name, one)
            if found is None:
                continue
            moment, what = found
            if moment <= now:
                self._send(name, what, moment)
            else:
                following = moment if following is None else min(following, moment)
        return following

    def _deadline(self, name: str, one: FloorTable) -> tuple[int, w.What] | None:
        """What a table waits for; worked out when the table has moved, for most have not."""
        known = self._deadlines.get(name)
        if known is None or known[0] is not one:
            known = self._deadlines[name] = (one, playing.deadline(one))
        return known[1]

    def _send(self, table: str, what: w.What, moment: int) -> None:
        key = f"clock/{table}/{what}/{moment}"
        if key in self._rung:
            return
        self._rung.add(key)
        if len(self._rung) > 10_000:
            self._rung = {key}
        asyncio.get_running_loop().create_task(
            self._rang(Request(id=key, sender=w.HOUSE, wish=w.Tick(table=table, what=what)), moment)
        )

    async def _rang(self, request: Request, moment: int) -> None:
        try:
            # It was time: a clock that is set back meanwhile must not have this id refused for ever.
            await self._asked(request, not_before=moment)
        except NotWritten:
            self._rung.discard(request.id)
            if self.fault is None:  # a house that stands still does not ring again and again
                self._rearm.set()


async def _readable(descriptor: int) -> None:
    """Until there is something to read."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(descriptor, ready.set)
    try:
        await ready.wait()
    finally:
        loop.remove_reader(descriptor)


def _key(request: Request) -> tuple[str, str]:
    """Who waits for which answer: under one id, another content is another request."""
    return request.id, request.digest
