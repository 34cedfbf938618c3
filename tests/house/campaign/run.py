"""A campaign: one house, one server or two, killed so many times while people play."""

import asyncio
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from aceking.client import House
from aceking.house.floor import wishes as w
from aceking.house.robots import service
from aceking.house.store.errors import Damaged
from aceking.web.routes import HouseView
from tests.house.campaign.auditor import Auditor, Verdict
from tests.house.campaign.load import APART, STAFF, Sender, senders
from tests.web.forked import Forked
from tests.web.served import PLAYERS

#: So many answers at least between two kills, and so long after them at most.
ANSWERS = 40
AFTER_SECONDS = 0.3
#: One kill in so many falls on a server that is only just starting.
STARTING = 8
#: The whole log is read again at every so-manyth kill, and at the end.
WHOLE = 50
PURSE = 10**7
#: A server under load comes back within this time, or it does not come back.
PATIENCE = 90

Progress = Callable[[int], None]


class Campaign:
    """The servers of one house, its people, and whoever audits it."""

    def __init__(self, served: Sequence[Forked], seed: int) -> None:
        self.served = served
        self.dice = random.Random(seed)
        self.auditor = Auditor(served[0].url)
        self.verdict = self.auditor.verdict
        self.people: list[Sender] = []

    async def run(self, kills: int, *, ends: float = float("inf"), progress: Progress = lambda _: None) -> Verdict:
        """So many kills, or as long as there is time; then peace, and the verdict."""
        for one in self.served:
            one.start()
        try:
            self.people = senders(self.served[0], self.dice)
            while self.verdict.seen["kills"] < kills and time.monotonic() < ends and self.verdict.holds:
                await self._kill(self.verdict.seen["kills"] % len(self.served))
                progress(self.verdict.seen["kills"])
            if self.verdict.holds:
                await self._peace()
        except Damaged as damaged:
            self.verdict.breaks("chain, versions or indexes broken", str(damaged))
        finally:
            for one in self.served:
                if one.copy.is_alive():
                    one.kill()
        if self.verdict.holds:
            self._at_last()
        return self.verdict

    async def _kill(self, turn: int) -> None:
        """Load until some were answered and a moment more; then one server is killed, and the log looked at."""
        victim, several = self.served[turn], len(self.served)
        asking = [
            asyncio.create_task(one.asks(self.served[place % several].address)) for place, one in enumerate(self.people)
        ]
        before = self._answers
        async with asyncio.timeout(PATIENCE):
            while self._answers < before + ANSWERS:
                await asyncio.sleep(0.002)
        await asyncio.sleep(self.dice.uniform(0, AFTER_SECONDS))
        victim.kill()
        self._count()
        await asyncio.gather(*(task for place, task in enumerate(asking) if place % several == turn))
        self.auditor.looks(self.people, whole=self.verdict.seen["kills"] % WHOLE == 0)
        self.auditor.killed()
        for task in asking:
            task.cancel()
        for found in await asyncio.gather(*asking, return_exceptions=True):
            if isinstance(found, Exception):
                raise found
        self._staff()
        if self.dice.randrange(STARTING) == 0:
            victim.launch()
            await asyncio.sleep(self.dice.uniform(0, 0.4))
            victim.kill()
            self._count()
            self.verdict.seen["of them while starting"] += 1
        await self._back(victim)

    def _count(self) -> None:
        self.verdict.seen["kills"] += 1

    @property
    def _answers(self) -> int:
        return sum(len(one.answered) for one in self.people)

    async def _back(self, victim: Forked) -> None:
        """It starts, and shows the house as the log has it."""
        try:
            victim.start()
            seen = await asyncio.to_thread(_lobby, victim.address)
        except AssertionError as failed:
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
        seen["sent again"] = sum(one.again for one in self.people)
        purses, told = self.auditor.floor.cage.tills[APART].purses, _purses(self.people)
        if {player: purses[player] for player in PLAYERS} != told:
            self.verdict.breaks("done twice", f"purses are {purses}, and by the cashier's answers {told}")
        self._verified()

    def _verified(self) -> None:
        """Offline, by the command that anybody has."""
        done = subprocess.run(
            [sys.executable, "-m", "aceking", "verify", self.auditor.url, "--json"],
            capture_output=True,
            check=False,
            text=True,
        )
        found = json.loads(done.stdout or "{}")
        if not found.get("holds") or found["entries"] != self.auditor.seq:
            self.verdict.breaks("verify disagrees", f"{found or done.stderr}, the log has {self.auditor.seq} entries")
            return
        self.verdict.seen["rounds"] = found["rounds"]
        self.verdict.seen["decided again by verify"] = found["decided"]


def _lobby(address: str) -> HouseView:
    with House(address) as anybody:
        return anybody.house()


def _purses(people: Sequence[Sender]) -> dict[str, int]:
    """What each has in the purse by the answers that the cashier got: nothing of the log is in this."""
    found = dict.fromkeys(PLAYERS, PURSE)
    for one in people:
        for key, reply in one.answered.items():
            wish = one.asked[key]
            if isinstance(wish, w.Deposit) and reply.refused is None:
                found[wish.player] += wish.amount
    return found
