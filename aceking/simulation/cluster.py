"""Run jobs on a dask cluster. The scheduler gives the jobs of a lost worker to another one."""

import socket
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from aceking.simulation.checkpoint import own_program
from aceking.simulation.games.game import Game, SimulationError
from aceking.simulation.games.side_wagers import SideColumns
from aceking.simulation.plan import Plan
from aceking.simulation.tally import Job, TallyPart, TallyQuestion, play_job

#: Timeouts for connecting to a cluster and for its answer: together less than ten seconds.
_LISTEN_SECONDS = 3
_ANSWER_SECONDS = 4
_AHEAD = 4


def on_cluster(plan: Plan, every: Iterator[Job], address: str) -> Generator[TallyPart, None, None]:
    """Yield the parts of all jobs in order. Raises SimulationError if the cluster is lost."""
    client = _client(address)
    try:
        # The tables are sent once, as a job of their own. dask forgets scattered data with the last worker that holds
        # it and keeps few copies; but the result of a job is computed again elsewhere.
        question = client.submit(tables, plan.game, plan.seed, plan.on_meter, plan.sides, pure=False)
        running: deque[Any] = deque()
        waiting = True
        while True:
            ahead = _AHEAD * max(1, sum(client.nthreads().values()))
            while waiting and len(running) < ahead:
                job = next(every, None)
                if job is None:
                    waiting = False
                else:
                    running.append(client.submit(play_on_worker, question, job, pure=False, retries=_AHEAD))
            if not running:
                return
            yield _part(running.popleft(), address)
    finally:
        client.close()


def _part(job: Any, address: str) -> TallyPart:
    """Wait for a job and return its part. Raises SimulationError if the cluster or its workers are lost."""
    try:
        part: TallyPart = job.result()
    except (CancelledError, OSError, TimeoutError) as lost:
        raise SimulationError(f"the cluster at {address} is lost ({lost or type(lost).__name__})") from None
    except Exception as failed:
        # KilledWorker and similar errors are known only to dask: the job took several workers with it.
        if type(failed).__module__.partition(".")[0] != "distributed":
            raise
        raise SimulationError(f"the workers at {address} keep dying: {failed}") from None
    return part


def tables(game: Game, seed: int, on_meter: frozenset[int], sides: tuple[SideColumns, ...]) -> TallyQuestion:
    """Return what all jobs of a plan need. It runs on a worker; the others fetch the result from there."""
    return game, seed, on_meter, sides


def play_on_worker(question: TallyQuestion, job: Job) -> TallyPart:
    game, seed, on_meter, sides = question
    return play_job(game, seed, job, on_meter, sides)


def check_address(address: str) -> None:
    """Raise SimulationError if the address is malformed or nothing listens there. It needs no other package."""
    parts = urlsplit(address if "//" in address else f"tcp://{address}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if parts.scheme not in ("tcp", "tls") or not host or not port:
        raise SimulationError(f"{address!r} is not the address of a cluster; write it as in tcp://127.0.0.1:8786")
    try:
        with socket.create_connection((host, port), timeout=_LISTEN_SECONDS) as line:
            # A scheduler speaks first. A silent peer is not one, and a client would wait for it forever.
            speaks = parts.scheme == "tls" or bool(line.recv(1))
    except OSError:
        speaks = False
    if not speaks:
        raise SimulationError(_no_answer(address))


def _client(address: str) -> Any:
    check_address(address)
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        needs = "a cluster needs dask.distributed: install aceking with its extra, aceking[cluster]"
        raise SimulationError(needs) from None
    try:
        client = distributed.Client(address, timeout=_ANSWER_SECONDS, set_as_default=False)
    except (OSError, TimeoutError):
        raise SimulationError(_no_answer(address)) from None
    if not client.nthreads():
        client.close()
        raise SimulationError(f"the cluster at {address} has no workers; start one: dask worker {address}")
    try:
        _check_workers(client)
    except SimulationError:
        client.close()
        raise
    return client


def _check_workers(client: Any) -> None:
    """Raise SimulationError if workers have another version of the program, which might play other rounds."""
    try:
        versions = client.run(own_program)
    except Exception:  # an older program, or none, may raise anything
        versions = {"a worker": ""}
    for worker, version in versions.items():
        if version != own_program():
            raise SimulationError(f"{worker} has another aceking than this one; install the same wherever workers run")


def _no_answer(address: str) -> str:
    return f"no cluster answers at {address}; start one with dask scheduler, and a worker with dask worker {address}"
