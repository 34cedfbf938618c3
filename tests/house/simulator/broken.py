"""Servers, stores and hubs that each break one promise on purpose: the simulator must find every one."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from aceking.house.desk import Reply, Request
from aceking.house.record import Unit, canonical
from aceking.house.running import NotWritten, Running
from aceking.house.store.protocol import AppendOutcome
from aceking.web.live import messages as m
from aceking.web.live.hub import Connection, Hub
from tests.house.store.memory import MemoryStore


class AnswersBeforeItIsWritten(Running):
    """Answers while the batch is still being written."""

    async def _batch(self, units: list[Unit]) -> None:
        for unit in units:
            for told in self._answers.pop((unit.id, unit.digest), ()):
                told(msgspec.json.decode(unit.reply, type=Reply))
        await super()._batch(units)


class AsksAgainUnderAnotherId(Running):
    """After a failed write, sends the request again under a new id."""

    async def _ask_and_wait(self, request: Request, *, not_before: int = 0) -> Reply:
        try:
            return await super()._ask_and_wait(request, not_before=not_before)
        except NotWritten:
            return await super()._ask_and_wait(replace(request, id=f"{request.id}-again"), not_before=not_before)


class StartsWithoutSeals(Running):
    """Does not load the seeds of unfinished rounds when it starts."""

    def _recover(self) -> None:
        super()._recover()
        self.desk.seeds.clear()
        self.desk._rebase()


class KeepsWhatIsNotSure(Running):
    """Takes snapshots of state that is not written yet."""

    def _take_snapshot(self) -> None:
        sure, self.desk.durable = self.desk.durable, self.desk.newest
        super()._take_snapshot()
        self.desk.durable = sure


class GivesUpReading(Running):
    """Its writer ends silently at the first failed read of the log."""

    async def _up_to_date(self) -> None:
        if self.desk.behind:
            await self._catch_up()


class ForgetsWhatItHeard(Running):
    """Forgets an announcement that arrives while the log is being read."""

    async def _catch_up(self) -> None:
        await super()._catch_up()
        self._announced = 0


class AnswersByIdAlone(Running):
    """Gives the answer of an id to any request that uses this id."""

    def _deliver(self, answers: Any, moved: set[str]) -> None:
        for answer in answers:
            for key in [key for key in self._answers if key[0] == answer.request.id]:
                for told in self._answers.pop(key):
                    told(answer.reply)
        super()._deliver(answers, moved)


class ForgetsIds(MemoryStore):
    """Does not recognise ids that were used before."""

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        self._commands.clear()
        return super().append(units)


class SkipsVersions(MemoryStore):
    """Does not check the versions that a unit was decided on."""

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        outcomes = []
        for unit in units:
            parts = tuple(replace(part, after=self._heads.get(part.stream, 0)) for part in unit.parts)
            outcomes += super().append([replace(unit, parts=parts, seen=(), on=frozenset())])
        return outcomes


class TrustsVersionsAlone(MemoryStore):
    """Writes a unit whose base was not written, if the version number fits."""

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        return [outcome for unit in units for outcome in super(TrustsVersionsAlone, self).append([unit])]


class LooksAtNothing(MemoryStore):
    """Does not check the streams that a unit only read."""

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        return super().append([replace(unit, seen=()) for unit in units])


class NeverSyncs(MemoryStore):
    """Never syncs the file."""

    def _write(self, frame: Any, *, synced: bool) -> None:
        super()._write(frame, synced=False)


class LeavesFailedWrites(MemoryStore):
    """Leaves the bytes of a failed write in the file."""

    def _cut(self) -> None:
        self._size = len(self.disk.read())


class WritesSeedsDown(MemoryStore):
    """Writes the seed of a deck in play to the log."""

    def append(self, units: Sequence[Unit]) -> list[AppendOutcome]:
        return super().append([_with_seed(unit) if unit.seeds_added else unit for unit in units])


def _with_seed(unit: Unit) -> Unit:
    return replace(unit, asked=canonical({"ask": "note", "event": {"seed": unit.seeds_added[0][1].hex()}}))


class LosesSeals(MemoryStore):
    """Keeps sealed seeds in memory only."""

    def _write(self, frame: Any, *, synced: bool) -> None:
        secrets, kept = frame.secrets, replace(frame, secrets={})
        super()._write(kept, synced=synced)
        for name, secret in secrets.items():
            self._secrets.pop(name, None)
            if secret is not None:
                self._secrets[name] = secret


class ShowsWhatIsNotSure(Hub):
    """Shows state that is decided but not written yet."""

    def _send_table(self, table: str) -> None:
        desk = self.house.desk
        sure, desk.durable = desk.durable, desk.newest
        super()._send_table(table)
        desk.durable = sure


class ShowsOnesPartToAll(Hub):
    """Shows the first viewer's private part to every viewer."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._made: dict[bytes, bytes] = {}

    def _table_frame(self, table: str, rail: bytes, one: Connection) -> bytes:
        return self._made.setdefault(rail, super()._table_frame(table, rail, one))


class TellsNobodyNowAndThen(Hub):
    """Ignores one commit in nine."""

    told = 0

    def _on_commit(self, streams: set[str]) -> None:
        self.told += 1
        if self.told % 9:
            super()._on_commit(streams)


class KeepsTheOldView(Hub):
    """Keeps the older view for a slow reader and drops the newer one."""

    def add(self, one: Connection) -> None:
        super().add(one)
        show = one.show
        one.show = lambda key, frame: show(key, one._views.get(key, frame))  # type: ignore[method-assign]


class DropsAnswersOfTheSlow(Hub):
    """Drops replies that a slow reader would have to wait for."""

    def add(self, one: Connection) -> None:
        super().add(one)
        queue = one.queue_reply
        one.queue_reply = lambda message: queue(message) if one.writable else None  # type: ignore[method-assign]


class LetsNobodyGo(Hub):
    """Never closes the connection of a client that does not read."""

    def add(self, one: Connection) -> None:
        super().add(one)
        pause = one.pause_writing

        def stays() -> None:
            pause()
            assert one._stalled is not None
            one._stalled.cancel()

        one.pause_writing = stays  # type: ignore[method-assign]


class LetsReadersGo(Hub):
    """Closes the connection of a slow reader even if it reads again."""

    def add(self, one: Connection) -> None:
        super().add(one)

        def resumes() -> None:
            one._stalled = None
            one.flush()

        one.resume_writing = resumes  # type: ignore[method-assign]


class StaysOpenForTheBarred(Hub):
    """Does not check the sessions of open connections."""

    async def _check_sessions(self) -> None:
        await self.house.broken.wait()


class FollowsWithGaps(Hub):
    """Skips an entry of the log now and then."""

    async def _send_entries(self, one: Connection, after: int, most: int = 500) -> None:
        one.follows = after + (after % 20 == 19)
        await super()._send_entries(one, one.follows, most)


class EndsWithWhatCannotBeRead(Hub):
    """Stops sending the log to everybody after one failed read."""

    async def _send_log(self) -> None:
        while True:
            await self._written.wait()
            self._written.clear()
            for one in [*self._following]:
                if one.follows is not None and one.writable:
                    await self._send_entries(one, one.follows)


class ForgetsWhatIsAskedMeanwhile(Hub):
    """Ignores a new starting entry that a client asks for while entries are being read for it."""

    async def _send_entries(self, one: Connection, after: int, most: int = 500) -> None:
        upto = min(self.house.desk.seq, after + most)
        if upto > after:
            entries = await asyncio.get_running_loop().run_in_executor(
                None, lambda: list(self.house.store.log(after, upto))
            )
            for entry in entries:
                one.queue_reply(m.Entry(seq=entry.seq, hash=entry.hash.hex(), body=msgspec.Raw(entry.body)))
                one.follows = entry.seq
            one.flush()


SERVERS: tuple[type[Running], ...] = (
    AnswersBeforeItIsWritten,
    AsksAgainUnderAnotherId,
    StartsWithoutSeals,
    KeepsWhatIsNotSure,
    GivesUpReading,
    AnswersByIdAlone,
)
STORES: tuple[type[MemoryStore], ...] = (
    ForgetsIds,
    SkipsVersions,
    TrustsVersionsAlone,
    LooksAtNothing,
    NeverSyncs,
    LeavesFailedWrites,
    WritesSeedsDown,
    LosesSeals,
)
HUBS: tuple[type[Hub], ...] = (
    ShowsWhatIsNotSure,
    ShowsOnesPartToAll,
    TellsNobodyNowAndThen,
    KeepsTheOldView,
    DropsAnswersOfTheSlow,
    LetsNobodyGo,
    LetsReadersGo,
    StaysOpenForTheBarred,
    FollowsWithGaps,
    EndsWithWhatCannotBeRead,
    ForgetsWhatIsAskedMeanwhile,
)
