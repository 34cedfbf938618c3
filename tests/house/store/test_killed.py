"""A writing process is killed again and again: nothing that was said to be safe is lost, and nothing is there twice."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aceking.house.record import read_unit
from aceking.house.store.check import check
from aceking.house.store.protocol import Store
from tests.house.conftest import POSTGRESQL
from tests.house.store.places import Database, opened

KILLS = {"sqlite": 24, "postgresql": 12}
ROOT = Path(__file__).parents[3]


def writer(url: str, name: str, *count: str) -> "subprocess.Popen[str]":
    """A process of its own."""
    words = [sys.executable, "-m", "tests.house.store.writer", url, name, *count]
    return subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def told(process: "subprocess.Popen[str]", first: str = "") -> dict[str, int]:
    """What it said to be safe; a line that was cut off by its end was not said."""
    assert process.stdout is not None
    lines = (first + process.stdout.read()).split("\n")[:-1]
    return {name: int(seq) for name, seq in (line.split(" ") for line in lines)}


def killed(url: str, name: str, *, after: float) -> dict[str, int]:
    """A writer that ends so many seconds after its first word; what it had said until then."""
    with writer(url, name) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        time.sleep(after)
        process.kill()
        return told(process, first)


def in_log(store: Store) -> dict[str, int]:
    """Every command in the log, by id; none twice."""
    found: dict[str, int] = {}
    for entry in store.log():
        name = read_unit(entry.body).id
        assert name not in found, f"{name} happened twice"
        found[name] = entry.seq
    return found


@pytest.mark.timeout(300)
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
@pytest.mark.timeout(300)
def test_two_processes_race_and_one_of_them_is_killed(database: str) -> None:
    place = Database("postgresql", database)
    place.open().close()
    safe: dict[str, int] = {}
    with writer(database, "a", "400") as steady:
        for _ in range(3):
            safe |= killed(database, "b", after=0.1)
        safe |= told(steady)
    assert steady.returncode == 0
    with opened(place) as store:
        found = in_log(store)
        assert safe.items() <= found.items()
        heads = check(store).heads
    # Each moved the cage once for each command: no version was given twice, none is missing.
    assert heads["table/a"] == 400
    assert heads["cage"] == heads["table/a"] + heads["table/b"] == len(found)
