"""A campaign: one house, one server or two, killed so many times while people play; it can be paused and go on."""

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import httpx
import msgspec

from aceking.client import House, HouseError
from aceking.house.robots import service
from aceking.house.store.errors import Damaged
from aceking.web.routes import HouseView
from tests.house.campaign.auditor import Auditor, Verdict
from tests.house.campaign.database import Database, How
from tests.house.campaign.journal import Journal
from tests.house.campaign.load import STAFF, Sender, senders
from tests.web.forked import Forked

#: So many answers at most between two kills, and so long after them.
ANSWERS = 80
AFTER_SECONDS = 0.3
#: One server in so many is killed again while it starts, at any moment of that, and maybe once more.
STARTING = 4
#: One kill in so many is of the database itself, where that is a server.
OF_DATABASE = 8
DOWN_SECONDS = 0.6
#: The whole log is read again at every so-manyth kill, and decided again at every so-manyth.
WHOLE = 50
VERIFIED = 100
#: A server under load comes back within this time, or it does not come back.
PATIENCE = 90
#: Where nobody was answered for so long, everybody comes again.
STALLED = 2

Progress = Callable[[int], None]
#: What is killed of a server of several processes.
_OF_SEVERAL = ("all of it", "the parent", "one of several")
_WORDS: dict[How, str] = {"all": "of all its processes", "first": "of its first process", "one": "of one that served"}


class Pause(msgspec.Struct):
    """What a campaign knows beside its journal when it goes on: what it has seen, and how the log stood."""

    seen: dict[str, int]
    broken: dict[str, list[str]]
    seq: int
    tip: bytes
    live: list[tuple[str, int]]


class Campaign:
    """The servers of one house, its people, and whoever audits it."""

    def __init__(
        self, served: Sequence[Forked], seed: int, *, kept: Path | None = None, database: Database | None = None
    ) -> None:
        self.served = served
        self.database = database
        self.auditor = Auditor(served[0].url)
        self.verdict = self.auditor.verdict
        self.people: list[Sender] = []
        self._journal = Journal(kept / "journal.jsonl") if kept is not None else None
        self._pause = kept / "pause.json" if kept is not None else None
        self._paused = self._read()
        self._start_seconds = 0.4
        self._turns = count()
        self.dice = random.Random(f"{seed}/{kept.name if kept is not None else ''}/{self.kills}")

    @property
    def kills(self) -> int:
        """How many servers were killed."""
        return self.verdict.seen["kills"]

    async def run(self, kills: int, *, ends: float = float("inf"), progress: Progress = lambda _: None) -> Verdict:
        """So many kills, or as long as there is time; then peace, and the verdict."""
        try:
            await self.begins()
            while self.kills < kills and time.monotonic() < ends and self.verdict.holds:
                await self.goes_on()
                progress(self.kills)
            return await self.ends()
        finally:
            self.leaves()

    async def begins(self) -> None:
        """Servers start, and people log in; who has a past remembers it, and the log must have all of that."""
        for one in self.served:
            one.start()
        self.people = senders(self.served[0], self.dice)
        if self._journal is None:
            return
        by_name = {(one.name, one.table): one for one in self.people}
        for message in self._journal.read():
            name, table, _ = message.id.split(".")
            by_name[name, table].remembers(message)
        for person in self.people:
            person.notes = self._journal.notes
        if self._paused is not None:
            self.verdict.seen["pauses"] += 1
            with self._damage_told():
                self.auditor.resumes(self.people, seq=self._paused.seq, tip=self._paused.tip, live=self._paused.live)

    async def goes_on(self) -> None:
        """One kill, or more where it hits a server that starts."""
        with self._damage_told():
            if self.database is not None and self.dice.randrange(OF_DATABASE) == 0:
                await self._kill_database(self.database)
            else:
                await self._kill(next(self._turns) % len(self.served))
        self._keep()

    async def ends(self) -> Verdict:
        """Peace, and the verdict."""
        with self._damage_told():
            if self.verdict.holds:
                await self._peace()
        self.leaves()
        if self.verdict.holds:
            self._at_last()
        self._keep()
        return self.verdict

    def leaves(self) -> None:
        """No server of ours runs any more."""
        for one in self.served:
            if one.runs:
                self._killed(one)
        if self._journal is not None:
            self._journal.close()

    # What is kept for the time after a pause

    def _read(self) -> Pause | None:
        if self._pause is None or not self._pause.exists():
            return None
        found = msgspec.json.decode(self._pause.read_bytes(), type=Pause)
        self.verdict.seen.update(found.seen)
        self.verdict.broken.update(found.broken)
        return found

    def _keep(self) -> None:
        if self._pause is None:
            return
        kept = Pause(
            seen=dict(self.verdict.seen),
            broken=self.verdict.broken,
            seq=self.auditor.seq,
            tip=self.auditor.tip,
            live=[*self.auditor.live],
        )
        beside = self._pause.with_suffix(".new")
        beside.write_bytes(msgspec.json.encode(kept))
        beside.replace(self._pause)

    @contextmanager
    def _damage_told(self) -> Iterator[None]:
        try:
            yield
        except Damaged as damaged:
            self.verdict.breaks("chain, versions or indexes broken", str(damaged))

    # A kill

    async def _kill(self, turn: int) -> None:
        """Load until some were answered and a moment more; then one server is killed, and the log looked at."""
        victim, several = self.served[turn], len(self.served)
        asking = await self._load()
        how = self.dice.choice(_OF_SEVERAL) if victim.workers > 1 else "all of it"
        if victim.workers > 1:
            self.verdict.seen[f"of them {how}"] += 1
        if how == "one of several":
            await self._kill_one(victim, asking)
            return
        # In a thread: those who hear that their parent is gone say so to the people who are connected.
        await asyncio.to_thread(self._killed, victim, only_parent=how == "the parent")
        self._count()
        await asyncio.gather(*(task for place, task in enumerate(asking) if place % several == turn))
        self._look(still=several == 1)
        await _let_go(asking)
        self._staff()
        while self.dice.randrange(STARTING) == 0:
            victim.launch()
            await asyncio.sleep(self.dice.uniform(0, 1.2 * self._start_seconds))
            self._killed(victim)
            self._count()
            self.verdict.seen["of them while starting"] += 1
        began = time.monotonic()
        await self._back(victim, starts=True)
        self._start_seconds = time.monotonic() - began

    async def _kill_one(self, victim: Forked, asking: Sequence[asyncio.Task[None]]) -> None:
        """The others go on, and another one begins."""
        await asyncio.to_thread(victim.kill_one, self.dice)
        self._count()
        self._look(still=False)
        await _let_go(asking)
        self._staff()
        await self._back(victim, starts=False)

    async def _kill_database(self, database: Database) -> None:
        """The same with the database under the servers: they stay, say that nothing is written, and go on with it."""
        asking = await self._load()
        how = await asyncio.to_thread(database.kill, self.dice)
        self.verdict.seen["kills of the database"] += 1
        self.verdict.seen[f"of them {_WORDS[how]}"] += 1
        await asyncio.sleep(self.dice.uniform(0, DOWN_SECONDS))
        await asyncio.to_thread(database.starts)
        self._look(still=False)
        await _let_go(asking)
        self._staff()
        for one in self.served:
            await self._back(one, starts=False)

    async def _load(self) -> list[asyncio.Task[None]]:
        """Everybody asks; back when some were answered, and a moment later."""
        asking = [self._asks(place) for place in range(len(self.people))]
        wanted = self._answers + self.dice.randrange(ANSWERS)
        async with asyncio.timeout(PATIENCE):
            known, since = self._answers, time.monotonic()
            while self._answers < wanted:
                await asyncio.sleep(0.002)
                if self._answers > known:
                    known, since = self._answers, time.monotonic()
                elif time.monotonic() - since > STALLED:
                    # Turned away, or told to ask again, by a server that had not noticed that its database was killed.
                    await _let_go(asking)
                    asking = [self._asks(place) for place in range(len(self.people))]
                    since = time.monotonic()
        await asyncio.sleep(self.dice.uniform(0, AFTER_SECONDS))
        return asking

    def _asks(self, place: int) -> asyncio.Task[None]:
        """Somebody asks, of one server or the other."""
        return asyncio.create_task(self.people[place].asks(self.served[place % len(self.served)].address))

    def _look(self, *, still: bool) -> None:
        """The log as it was left, before anybody starts again; `still` where nobody else writes meanwhile."""
        self.verdict.seen["looks at the log after a kill"] += 1
        looks = self.verdict.seen["looks at the log after a kill"]
        self.auditor.looks(self.people, whole=looks % WHOLE == 0)
        self.auditor.killed()
        if looks % VERIFIED == 0:
            self._verified(still=still)

    def _killed(self, victim: Forked, *, only_parent: bool = False) -> None:
        victim.kill(only_parent=only_parent)
        if "Traceback" in victim.told:
            self.verdict.breaks("faults in what servers wrote to their logs", victim.told[-3000:])
        else:
            victim.out.unlink()

    def _count(self) -> None:
        self.verdict.seen["kills"] += 1

    @property
    def _answers(self) -> int:
        return sum(len(one.answered) for one in self.people)

    async def _back(self, one: Forked, *, starts: bool) -> None:
        """It starts, or has lived through it, and shows the house as the log has it."""
        try:
            if starts:
                one.start()
            assert one.copy.is_alive(), one.told
            seen = await asyncio.to_thread(_lobby, one.address)
        except (AssertionError, HouseError, httpx.HTTPError) as failed:
            self.verdict.breaks("servers that did not come back", str(failed))
            return
        self.auditor.looks(self.people)
        self.auditor.lobby(seen)

    def _staff(self) -> None:
        """Who confirms and signs is told what waits for him."""
        for table in self.auditor.floor.tables:
            found = service(self.auditor.floor, table, STAFF)
            if found is not None:
                next(one for one in self.people if one.name == found[0]).wants(found[2])
                self.verdict.seen["steps of awards"] += 1

    async def _peace(self) -> None:
        """Nothing new: what was never answered is answered, and every round that was live at a kill ends."""
        address, ends = self.served[0].address, time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            await asyncio.gather(*(one.asks(address, new=0) for one in self.people if one.unanswered))
            self.auditor.looks(self.people)
            if not self.auditor.live and not any(one.unanswered for one in self.people):
                break
            self._staff()
            await asyncio.sleep(0.5)
        for table, number in self.auditor.live:
            self.verdict.breaks("live rounds that did not go on", f"round {number} of {table}")
        for one in self.people:
            for key in one.unanswered:
                self.verdict.breaks("acknowledged and lost", f"{key} was never answered")

    def _at_last(self) -> None:
        """Everybody has gone: the whole log, the purses by what the cashier was told, and `aceking verify`."""
        try:
            self.auditor.looks(self.people, whole=True)
        except Damaged as damaged:
            self.verdict.breaks("chain, versions or indexes broken", str(damaged))
            return
        seen = self.verdict.seen
        seen["requests"] = sum(len(one.asked) for one in self.people)
        seen["sent again"] += sum(one.again for one in self.people)
        self.auditor.purses(self.people)
        self._verified()

    def _verified(self, *, still: bool = True) -> None:
        """By the command that anybody has; beside a server that writes it may find more than was there a moment ago."""
        done = subprocess.run(
            [sys.executable, "-m", "aceking", "verify", self.auditor.url, "--json"],
            capture_output=True,
            check=False,
            text=True,
        )
        found = json.loads(done.stdout or "{}")
        beyond = found.get("entries", 0) - self.auditor.seq
        if not found.get("holds") or beyond < 0 or (beyond and still):
            self.verdict.breaks("verify disagrees", f"{found or done.stderr}, the log has {self.auditor.seq} entries")
            return
        self.verdict.seen["verified"] += 1
        self.verdict.seen["rounds"] = found["rounds"]
        self.verdict.seen["decided again by verify"] = found["decided"]


async def _let_go(asking: Sequence[asyncio.Task[None]]) -> None:
    for task in asking:
        task.cancel()
    for found in await asyncio.gather(*asking, return_exceptions=True):
        if isinstance(found, Exception):
            raise found


def _lobby(address: str) -> HouseView:
    with House(address) as anybody:
        return anybody.house()
