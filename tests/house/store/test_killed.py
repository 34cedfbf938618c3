"""A writing process is killed again and again: nothing that was said to be safe is lost, and nothing is there twice."""

import multiprocessing
import random
import signal
import time

import pytest

from aceking.house.record import read_unit
from aceking.house.store.check import check
from aceking.house.store.protocol import Store
from tests.house.conftest import POSTGRESQL
from tests.house.store.places import Database, opened
from tests.house.store.writer import write

pytestmark = pytest.mark.proof

KILLS = {"sqlite": 24, "postgresql": 12}
_FORKED = multiprocessing.get_context("forkserver")
_FORKED.set_forkserver_preload(["tests.house.store.writer", "psycopg", "sqlalchemy.dialects.postgresql.psycopg"])


class Writer:
    """A process of its own, forked from one that has imported what it needs."""

    def __init__(self, url: str, name: str, count: int = 10**9) -> None:
        self._ear, mouth = _FORKED.Pipe(duplex=False)
        self.process = _FORKED.Process(target=write, args=(url, name, count, mouth))
        self.process.start()
        mouth.close()
        self.safe: dict[str, int] = {}

    def hear(self) -> bool:
        """One more command that it said to be safe; False at its end. What was cut off by its end was not said."""
        try:
            name, seq = self._ear.recv()
        except (EOFError, OSError):
            return False
        self.safe[name] = seq
        return True

    def end(self) -> dict[str, int]:
        """All that it said, when it has ended."""
        while self.hear():
            pass
        self.process.join()
        self._ear.close()
        return self.safe


def killed(url: str, name: str, *, after: float) -> dict[str, int]:
    """Return what a writer had reported when it was killed, `after` seconds after its first report."""
    writer = Writer(url, name)
    assert writer.hear()
    time.sleep(after)
    writer.process.kill()
    safe = writer.end()
    assert writer.process.exitcode == -signal.SIGKILL
    return safe


def in_log(store: Store) -> dict[str, int]:
    """Every command in the log, by id; none twice."""
    found: dict[str, int] = {}
    for entry in store.log():
        name = read_unit(entry.body).id
        assert name not in found, f"{name} happened twice"
        found[name] = entry.seq
    return found


def test_nothing_is_lost_and_nothing_is_twice(real: Database) -> None:
    chance = random.Random(5)
    safe: dict[str, int] = {}
    for _ in range(KILLS[real.name]):
        for name, seq in killed(real.url, "w", after=chance.uniform(0, 0.06)).items():
            assert safe.setdefault(name, seq) == seq, "one command, two places in the log"
    with opened(real) as store:
        found = in_log(store)
        assert safe.items() <= found.items()
        assert check(store).heads == {"table/w": len(found), "cage": len(found)}
        assert list(found) == [f"w-{n}" for n in range(len(found))]
    assert len(safe) > KILLS[real.name]


@POSTGRESQL
def test_two_processes_race_and_one_of_them_is_killed(database: str) -> None:
    place = Database("postgresql", database)
    place.open().close()
    safe: dict[str, int] = {}
    steady = Writer(database, "a", 400)
    for _ in range(3):
        safe |= killed(database, "b", after=0.1)
    safe |= steady.end()
    assert steady.process.exitcode == 0
    with opened(place) as store:
        found = in_log(store)
        assert safe.items() <= found.items()
        heads = check(store).heads
    # Each moved the cage once for each command: no version was given twice, none is missing.
    assert heads["table/a"] == 400
    assert heads["cage"] == heads["table/a"] + heads["table/b"] == len(found)
