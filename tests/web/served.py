"""A house that is served: a real process, a real socket, a real database."""

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from argon2 import PasswordHasher

from aceking.client import House
from aceking.house import login
from aceking.house.desk import Request
from aceking.house.floor import requests as w
from aceking.house.floor.roles import Role
from aceking.house.running import Running, SystemClock
from aceking.house.store import secrets as apart
from aceking.house.store.open import open_store
from tests.web.seeded import SEEDS

ROOT = Path(__file__).resolve().parent.parent.parent
STAFF: dict[str, Role] = {
    "max": "manager",
    "eve": "executive",
    "sam": "supervisor",
    "fay": "floorperson",
    "deb": "dealer",
    "cas": "cashier",
    "aud": "auditor",
    "dev": "device",
}
PLAYERS: dict[str, Role] = {f"p{number}": "player" for number in range(1, 5)}
PASSWORD = "a password for tests"
CURRENCIES = {"EUR": 2, "SGD": 2, "USD": 2}
#: The same password as a hash that takes no time: a hash says itself how much work it is, and the house goes by that.
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)


async def found(
    url: str, *requests: tuple[str, Any], currencies: dict[str, int] = CURRENCIES, quick: bool = False
) -> None:
    """A house with its people, who all have the same password, and what else is asked for.

    A log-in is slow on purpose; a `quick` one is for tests of what people do once they are in.
    """
    store = open_store(url)
    house = Running(store, clock=SystemClock(), draw=SEEDS.draw())
    await house.start()
    people = {**STAFF, **PLAYERS}
    first = w.FoundHouse(name="The Test", currencies=currencies, people=people, float=10**9)
    deposits = [("cas", w.Deposit(player=one, currency=money, amount=10**7)) for one in PLAYERS for money in currencies]
    for number, (who, body) in enumerate([("house", first), *deposits, *requests]):
        role: Any = "house" if who == "house" else people[who]
        reply = await house.ask(Request(id=f"found-{number}", sender=w.Sender(who, role), body=body))
        assert reply.refused is None, f"{body}: {reply.refused}"
    if quick:
        apart.set_credential(store, apart.Credential(person="max", hash=QUICK))
    else:
        login.set_password(store, "max", PASSWORD)
    known = apart.credential(store, "max")
    assert known is not None
    for name in people:  # one hash for all: making them is slow on purpose
        apart.set_credential(store, apart.Credential(person=name, hash=known.hash))
    await house.stop()
    store.close()


def table(name: str, book: str, **posted: Any) -> tuple[str, w.SetTable]:
    """An electronic table that goes on by itself."""
    usual: dict[str, Any] = {"ante_min": 1000, "ante_max": 10_000, "attended": False, "pause_seconds": 0}
    return "fay", w.SetTable(table=name, name=name, book=book, **usual | posted)


@dataclass
class Served:
    """One process of `aceking serve`, with chance from the seed of the test."""

    url: str
    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    listen: str = "127.0.0.1:0"
    seeded: bool = True

    def start(self) -> "Served":
        self.out = self.folder / f"server-{time.monotonic_ns()}.txt"
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *self.program, *self.words],
                stdout=out,
                stderr=subprocess.STDOUT,
                env={
                    **os.environ,
                    "PYTHONPATH": str(ROOT),
                    "ACEKING_REQUESTS_A_MINUTE": "100000",
                    "ACEKING_REFUSALS_A_MINUTE": "1000000",
                    "ACEKING_LAB_SECONDS": "100000",
                    **self.env,
                },
            )
        try:
            self._until_it_answers()
        except BaseException:  # nothing is left behind
            self.ended()
            raise
        return self

    def _until_it_answers(self) -> None:
        ends = time.monotonic() + 300
        while (found := re.search(r"tables at (http://\S+)", self.told)) is None:
            assert self.process.poll() is None, self.told
            assert time.monotonic() < ends, self.told
            time.sleep(0.02)
        self.address = found[1]
        while time.monotonic() < ends:
            try:
                if httpx.get(f"{self.address}/health", timeout=60).status_code == 200:
                    return
            except httpx.HTTPError:
                time.sleep(0.02)
        raise AssertionError(f"it never answers: {self.told}")

    @property
    def program(self) -> list[str]:
        """What runs: the command itself, or the same with a seed."""
        return ["tests.web.seeded", str(SEEDS.file), SEEDS.next_start()] if self.seeded else ["aceking", "serve"]

    @property
    def words(self) -> list[str]:
        """What its command line says."""
        return ["--db", self.url, "--listen", self.listen]

    @property
    def told(self) -> str:
        return self.out.read_text(encoding="utf-8", errors="replace")

    def person(self, name: str) -> House:
        """Somebody who has logged in."""
        return House(self.address, name, PASSWORD)

    def stop(self, by: signal.Signals = signal.SIGINT) -> int:
        """Send SIGINT, as Ctrl-C does, or another signal; return the exit code."""
        self.process.send_signal(by)
        return self.process.wait(300)

    def ended(self) -> None:
        """Whatever has become of it, it does not run any more."""
        if self.process.poll() is None:
            self.kill()

    def kill(self) -> None:
        """Kill the server with SIGKILL."""
        self.process.kill()
        self.process.wait(300)


def founded(url: str, *requests: tuple[str, Any], currencies: dict[str, int] = CURRENCIES, quick: bool = False) -> None:
    """The same, for tests that are not asynchronous."""
    asyncio.run(found(url, *requests, currencies=currencies, quick=quick))


def copied(house: Path, folder: Path) -> str:
    """The address of a house of its own, from one that was founded before."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "house.db").write_bytes(house.read_bytes())
    return f"sqlite:///{folder / 'house.db'}"
