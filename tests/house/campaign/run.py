"""A campaign: one house with one server or two, killed N times while people play. It can be stopped and continued."""

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

#: The most answers between two kills, and the most seconds after them.
ANSWERS = 80
AFTER_SECONDS = 0.3
#: One restart in four is killed while it starts, and then perhaps again.
STARTING = 4
#: One kill in eight is of the database, if that is a server.
OF_DATABASE = 8
DOWN_SECONDS = 0.6
#: The whole log is checked at every 50th kill, and decided again at every 100th.
WHOLE = 50
VERIFIED = 100
#: Seconds within which a server under load must come back.
PATIENCE = 90
#: Seconds without any answer after which everybody connects again.
STALLED = 2

Progress = Callable[[int], None]
#: What is killed of a server with several worker processes.
_OF_SEVERAL = ("all of it", "the parent", "one of several")
_WORDS: dict[How, str] = {"all": "of all its processes", "first": "of its first process", "one": "of one that served"}


class Pause(msgspec.Struct):
    """What a campaign stores besides its journal: its counts, its verdict so far, and the end of the log."""

    seen: dict[str, int]
    broken: dict[str, list[str]]
    seq: int
    tip: bytes
    live: list[tuple[str, int]]


class Campaign:
    """The servers of one house, its people and its auditor."""

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
        """Return how many servers were killed."""
        return self.verdict.seen["kills"]

    async def run(self, kills: int, *, ends: float = float("inf"), progress: Progress = lambda _: None) -> Verdict:
        """Run until N kills are done or time is up, then in peace, and return the verdict."""
        try:
            await self.begins()
            while self.kills < kills and time.monotonic() < ends and self.verdict.holds:
                await self.goes_on()
                progress(self.kills)
            return await self.ends()
        finally:
            self.leaves()

    async def begins(self) -> None:
        """Start the servers and log people in.

        A continued campaign restores its past, and the log must have all of it.
        """
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
        """Do one kill, or several if the server is killed again while it starts."""
        with self._damage_told():
            if self.database is not None and self.dice.randrange(OF_DATABASE) == 0:
                await self._kill_database(self.database)
            else:
                await self._kill(next(self._turns) % len(self.served))
        self._keep()

    async def ends(self) -> Verdict:
        """Finish in peace and return the verdict."""
        with self._damage_told():
            if self.verdict.holds:
                await self._peace()
        self.leaves()
        if self.verdict.holds:
            self._at_last()
        self._keep()
        return self.verdict

    def leaves(self) -> None:
        """Kill every server that still runs, and close the journal."""
        for one in self.served:
            if one.runs:
                self._killed(one)
        if self._journal is not None:
            self._journal.close()

    # What is stored for a pause

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
        """Run the load until some requests are answered, kill one server, check the log, and start the server again."""
        victim, several = self.served[turn], len(self.served)
        asking = await self._load()
        how = self.dice.choice(_OF_SEVERAL) if victim.workers > 1 else "all of it"
        if victim.workers > 1:
            self.verdict.seen[f"of them {how}"] += 1
        if how == "one of several":
            await self._kill_one(victim, asking)
            return
        # In a thread, because workers that lose their parent close the connections of people here.
        await asyncio.to_thread(self._killed, victim, only_parent=how == "the parent")
        self._count()
        await asyncio.gather(*(task for place, task in enumerate(asking) if place % several == turn))
        self._look(still=several == 1)
        await _cancel(asking)
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
        """Kill one worker process; the others continue, and a new one is started."""
        await asyncio.to_thread(victim.kill_one, self.dice)
        self._count()
        self._look(still=False)
        await _cancel(asking)
        self._staff()
        await self._back(victim, starts=False)

    async def _kill_database(self, database: Database) -> None:
        """Kill the database under the servers.

        They stay up, answer that nothing is written, and continue when it is back.
        """
        asking = await self._load()
        how = await asyncio.to_thread(database.kill, self.dice)
        self.verdict.seen["kills of the database"] += 1
        self.verdict.seen[f"of them {_WORDS[how]}"] += 1
        await asyncio.sleep(self.dice.uniform(0, DOWN_SECONDS))
        await asyncio.to_thread(database.starts)
        self._look(still=False)
        await _cancel(asking)
        self._staff()
        for one in self.served:
            await self._back(one, starts=False)

    async def _load(self) -> list[asyncio.Task[None]]:
        """Start the load and return its tasks soon after some requests were answered."""
        asking = [self._asks(place) for place in range(len(self.people))]
        wanted = self._answers + self.dice.randrange(ANSWERS)
        async with asyncio.timeout(PATIENCE):
            known, since = self._answers, time.monotonic()
            while self._answers < wanted:
                await asyncio.sleep(0.002)
                if self._answers > known:
                    known, since = self._answers, time.monotonic()
                elif time.monotonic() - since > STALLED:
                    # A server that had not noticed the killed database turned them away, or told them to ask again.
                    await _cancel(asking)
                    asking = [self._asks(place) for place in range(len(self.people))]
                    since = time.monotonic()
        await asyncio.sleep(self.dice.uniform(0, AFTER_SECONDS))
        return asking

    def _asks(self, place: int) -> asyncio.Task[None]:
        """Start one sender at its server."""
        return asyncio.create_task(self.people[place].asks(self.served[place % len(self.served)].address))

    def _look(self, *, still: bool) -> None:
        """Check the log before the restart; `still` means that no other server writes meanwhile."""
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
        """Check that the server is up, after a start or without one, and shows the house as the log has it."""
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
        """Give each supervisor and executive the step of an award that waits for them."""
        for table in self.auditor.floor.tables:
            found = service(self.auditor.floor, table, STAFF)
            if found is not None:
                next(one for one in self.people if one.name == found[0]).wants(found[2])
                self.verdict.seen["steps of awards"] += 1

    async def _peace(self) -> None:
        """Without new requests, wait until everything is answered and every round that was live at a kill has ended."""
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
        """Check the whole log, the purses by the cashier's answers, and `aceking verify`, after everybody has gone."""
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
        """Run `aceking verify`. While a server still writes, it may find more entries than the auditor."""
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


async def _cancel(asking: Sequence[asyncio.Task[None]]) -> None:
    for task in asking:
        task.cancel()
    for found in await asyncio.gather(*asking, return_exceptions=True):
        if isinstance(found, Exception):
            raise found


def _lobby(address: str) -> HouseView:
    with House(address) as anybody:
        return anybody.house()
