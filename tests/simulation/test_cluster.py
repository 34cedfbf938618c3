"""A real scheduler and two real workers on this machine: the same totals, and a worker lost in the middle."""

import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from fractions import Fraction
from pathlib import Path

import pytest

from aceking.rules.reading.load import load_book
from aceking.simulation.chance import BLOCK_ROUNDS
from aceking.simulation.cluster import on_cluster
from aceking.simulation.games.game import SimulationError
from aceking.simulation.plan import plan
from aceking.simulation.run import JOB_BLOCKS, Where, jobs, run
from aceking.simulation.tally import Tally

pytestmark = pytest.mark.proof

pytest.importorskip("distributed")

BOOK = load_book("rws")
ROUNDS = 5 * JOB_BLOCKS * BLOCK_ROUNDS + 99

Cluster = tuple[str, list[subprocess.Popen[bytes]]]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The scheduler's address, and its workers."""
    folder = tmp_path_factory.mktemp("dask")
    with (
        _scheduler(folder) as address,
        _worker(address, folder, "one", 1) as one,
        # This one plays two jobs of one game at once, as workers do on machines with several cores.
        _worker(address, folder, "two", 2) as two,
    ):
        yield address, [one, two]


@contextmanager
def _scheduler(folder: Path) -> Iterator[str]:
    log = folder / "scheduler.log"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    with _started([*command, "--no-dashboard"], log, folder):
        yield _address(log)


@contextmanager
def _worker(address: str, folder: Path, name: str, threads: int) -> Iterator[subprocess.Popen[bytes]]:
    log = folder / f"{name}.log"
    command = [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", str(threads), "--no-nanny"]
    with _started([*command, "--no-dashboard"], log, folder) as process:
        _wait_for(log, "Registered to")
        yield process


@contextmanager
def _started(command: list[str], log: Path, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = _start(command, log, folder)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _start(command: list[str], log: Path, folder: Path) -> subprocess.Popen[bytes]:
    with log.open("wb") as output:
        return subprocess.Popen(command, stdout=output, stderr=output, cwd=folder)


def _wait_for(log: Path, text: str) -> str:
    for _ in range(600):
        if text in (found := log.read_text(encoding="utf-8")):
            return found
        time.sleep(0.1)
    raise AssertionError(f"{log}: {log.read_text(encoding='utf-8')}")


def _address(log: Path) -> str:
    found = re.search(r"tcp://127\.0\.0\.1:\d+", _wait_for(log, "Scheduler at:"))
    assert found
    return found[0]


def test_a_cluster_comes_to_the_same_even_if_a_worker_is_lost(cluster: Cluster) -> None:
    address, workers = cluster
    asked = plan(BOOK, rounds=ROUNDS, seed=41)
    alone = run(asked)
    tally = Tally.empty(asked.game, None)
    for part in on_cluster(asked, jobs(asked), address):
        if not tally.rounds:
            workers[0].send_signal(signal.SIGKILL)
        tally.add(part, None)
    assert workers[0].wait(timeout=60) == -signal.SIGKILL
    found = run(asked, Where(cluster=address))
    assert tally.rounds == alone.rounds == found.rounds == ROUNDS
    assert found.outcomes == alone.outcomes
    assert found.net_per_ante == alone.net_per_ante
    counts: dict[Fraction, int] = {}
    for one, number in zip(asked.game.outcomes, tally.outcomes, strict=True):
        counts[one.net] = counts.get(one.net, 0) + number
    assert {net: number for net, number in counts.items() if number} == dict(alone.outcomes)


def test_the_tables_are_not_lost_with_the_last_worker_that_has_them(tmp_path: Path) -> None:
    asked = plan(BOOK, rounds=ROUNDS, seed=43)
    tally = Tally.empty(asked.game, None)
    with _scheduler(tmp_path) as address, ExitStack() as later, _worker(address, tmp_path, "first", 1) as first:
        for part in on_cluster(asked, jobs(asked), address):
            if not tally.rounds:
                first.kill()
                first.wait()
                later.enter_context(_worker(address, tmp_path, "second", 1))
            tally.add(part, None)
    assert tally.rounds == ROUNDS
    assert sum(tally.outcomes) == ROUNDS


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("nonsense", "is not the address"),
        ("http://127.0.0.1:80", "is not the address"),
        ("tcp://host", "not the address"),
    ],
)
def test_an_address_that_is_none_is_refused(address: str, says: str) -> None:
    with pytest.raises(SimulationError, match=says):
        Where(cluster=address).check()


def test_a_cluster_that_does_not_answer_is_given_up_soon() -> None:
    silent = socket.socket()
    try:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        started = time.monotonic()
        with pytest.raises(SimulationError, match="start one with dask scheduler"):
            Where(cluster=f"tcp://127.0.0.1:{silent.getsockname()[1]}").check()
        assert time.monotonic() - started < 10
    finally:
        silent.close()
    with pytest.raises(SimulationError, match="no cluster answers"):
        Where(cluster="tcp://127.0.0.1:1").check()
