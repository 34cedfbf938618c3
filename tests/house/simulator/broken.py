"""Servers, stores and hubs that break a promise on purpose: the simulator must find each of them."""

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from aceking.house.desk import Reply, Request
from aceking.house.record import Unit, canonical
from aceking.house.running import NotWritten, Running
from aceking.house.store.protocol import Outcome
from aceking.web.live import messages as m
from aceking.web.live.hub import Connection, Hub
from tests.house.store.memory import MemoryStore


class AnswersBeforeItIsWritten(Running):
    """Who asks is told while the batch is still on its way."""

    async def _batch(self, units: list[Unit]) -> None:
        for unit in units:
            for told in self._answers.pop((unit.id, unit.digest), ()):
                told(msgspec.json.decode(unit.reply, type=Reply))
        await super()._batch(units)


class AsksAgainUnderAnotherId(Running):
    """Whatever could not be written is sent again as something new."""

    async def _asked(self, request: Request, *, not_before: int = 0) -> Reply:
        try:
            return await super()._asked(request, not_before=not_before)
        except NotWritten:
            return await super()._asked(replace(request, id=f"{request.id}-again"), not_before=not_before)


class StartsWithoutSeals(Running):
    """The seeds of the rounds that were live are not read at a start."""

    def _recover(self) -> None:
        super()._recover()
        self.desk.seeds.clear()
        self.desk._renew()


class KeepsWhatIsNotSure(Running):
    """The state that is kept has what was not written yet."""

    def _take_snapshot(self) -> None:
        sure, self.desk.sure = self.desk.sure, self.desk.newest
        super()._take_snapshot()
        self.desk.sure = sure


class GivesUpReading(Running):
    """Where the log cannot be read once, the writer ends, and nobody notices."""

    async def _up_to_date(self) -> None:
        if self.desk.behind:
            await self._catch_up()


class ForgetsWhatItHeard(Running):
    """What is told of while the log is read is taken for read."""

    async def _catch_up(self) -> None:
        await super()._catch_up()
        self._heard = 0


class AnswersByIdAlone(Running):
    """Whoever uses the id of another gets the other's answer."""

    def _tell(self, answers: Any, moved: set[str]) -> None:
        for answer in answers:
            for key in [key for key in self._answers if key[0] == answer.request.id]:
                for told in self._answers.pop(key):
                    told(answer.reply)
        super()._tell(answers, moved)


class ForgetsIds(MemoryStore):
    """Nobody is recognised."""

    def append(self, units: Sequence[Unit]) -> list[Outcome]:
        self._commands.clear()
        return super().append(units)


class SkipsVersions(MemoryStore):
    """Whatever was decided on is taken for what is there."""

    def append(self, units: Sequence[Unit]) -> list[Outcome]:
        outcomes = []
        for unit in units:
            parts = tuple(replace(part, after=self._heads.get(part.stream, 0)) for part in unit.parts)
            outcomes += super().append([replace(unit, parts=parts, seen=(), on=frozenset())])
        return outcomes


class TrustsVersionsAlone(MemoryStore):
    """A unit that was decided on one which is not written is written, if only the number fits."""

    def append(self, units: Sequence[Unit]) -> list[Outcome]:
        return [outcome for unit in units for outcome in super(TrustsVersionsAlone, self).append([unit])]


class LooksAtNothing(MemoryStore):
    """What a unit looked at may have moved."""

    def append(self, units: Sequence[Unit]) -> list[Outcome]:
        return super().append([replace(unit, seen=()) for unit in units])


class NeverSyncs(MemoryStore):
    """What is in the file is thought to be on the disk."""

    def _write(self, frame: Any, *, synced: bool) -> None:
        super()._write(frame, synced=False)


class LeavesFailedWrites(MemoryStore):
    """What of a failed write has landed stays in the file."""

    def _cut(self) -> None:
        self._size = len(self.disk.read())


class WritesSeedsDown(MemoryStore):
    """The seed of a deck in play stands in the log."""

    def append(self, units: Sequence[Unit]) -> list[Outcome]:
        return super().append([_with_seed(unit) if unit.seals else unit for unit in units])


def _with_seed(unit: Unit) -> Unit:
    return replace(unit, asked=canonical({"ask": "note", "event": {"seed": unit.seals[0][1].hex()}}))


class LosesSeals(MemoryStore):
    """A seal is in memory only."""

    def _write(self, frame: Any, *, synced: bool) -> None:
        secrets, kept = frame.secrets, replace(frame, secrets={})
        super()._write(kept, synced=synced)
        for name, secret in secrets.items():
            self._secrets.pop(name, None)
            if secret is not None:
                self._secrets[name] = secret


class ShowsWhatIsNotSure(Hub):
    """Views are made of what is decided and not written yet."""

    def _tell_table(self, table: str) -> None:
        desk = self.house.desk
        sure, desk.sure = desk.sure, desk.newest
        super()._tell_table(table)
        desk.sure = sure


class ShowsOnesPartToAll(Hub):
    """What was made for the first who watches is shown to everybody."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._made: dict[bytes, bytes] = {}

    def _table_frame(self, table: str, rail: bytes, one: Connection) -> bytes:
        return self._made.setdefault(rail, super()._table_frame(table, rail, one))


class TellsNobodyNowAndThen(Hub):
    """One commit in nine goes by unnoticed."""

    told = 0

    def _moved(self, streams: set[str]) -> None:
        self.told += 1
        if self.told % 9:
            super()._moved(streams)


class KeepsTheOldView(Hub):
    """Where a view waits for a slow reader, the newer one is dropped."""

    def come(self, one: Connection) -> None:
        super().come(one)
        show = one.show
        one.show = lambda key, frame: show(key, one._views.get(key, frame))  # type: ignore[method-assign]


class DropsAnswersOfTheSlow(Hub):
    """What would wait for a slow reader is forgotten."""

    def come(self, one: Connection) -> None:
        super().come(one)
        owe = one.owe
        one.owe = lambda message: owe(message) if one.flowing else None  # type: ignore[method-assign]


class LetsNobodyGo(Hub):
    """Who does not read stays for ever."""

    def come(self, one: Connection) -> None:
        super().come(one)
        stalls = one.stalls

        def stays() -> None:
            stalls()
            assert one._stalled is not None
            one._stalled.cancel()

        one.stalls = stays  # type: ignore[method-assign]


class LetsReadersGo(Hub):
    """Who was slow once is let go, also when he reads again."""

    def come(self, one: Connection) -> None:
        super().come(one)

        def flows() -> None:
            one._stalled = None
            one.flush()

        one.flows = flows  # type: ignore[method-assign]


class StaysOpenForTheBarred(Hub):
    """Sessions of open connections are not looked at again."""

    async def _looking(self) -> None:
        await self.house.broken.wait()


class FollowsWithGaps(Hub):
    """Whoever follows the log misses an entry now and then."""

    async def _follow(self, one: Connection, after: int, most: int = 500) -> None:
        one.follows = after + (after % 20 == 19)
        await super()._follow(one, one.follows, most)


class EndsWithWhatCannotBeRead(Hub):
    """Where the log cannot be read for who follows it, nobody is told of anything any more."""

    async def _reading_log(self) -> None:
        while True:
            await self._written.wait()
            self._written.clear()
            for one in [*self._following]:
                if one.follows is not None and one.flowing:
                    await self._follow(one, one.follows)


class ForgetsWhatIsAskedMeanwhile(Hub):
    """Who asks for other entries while some are read for him goes on as before."""

    async def _follow(self, one: Connection, after: int, most: int = 500) -> None:
        upto = min(self.house.desk.seq, after + most)
        if upto > after:
            entries = await asyncio.get_running_loop().run_in_executor(
                None, lambda: list(self.house.store.log(after, upto))
            )
            for entry in entries:
                one.owe(m.Entry(seq=entry.seq, hash=entry.hash.hex(), body=msgspec.Raw(entry.body)))
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
