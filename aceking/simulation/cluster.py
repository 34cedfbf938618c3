"""The workers of a dask cluster. The scheduler gives the jobs of a lost worker to another one."""

import socket
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import CancelledError
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from aceking.exact.cache import program
from aceking.simulation.games.game import Game, SimulationError
from aceking.simulation.games.side_wagers import SideColumns
from aceking.simulation.plan import Plan
from aceking.simulation.tally import Asked, Job, Part, play_job

#: A cluster that does not listen, and then answer, by then is not there: all in all in less than ten seconds.
_LISTEN_SECONDS = 3
_ANSWER_SECONDS = 4
_AHEAD = 4


def on_cluster(plan: Plan, every: Iterator[Job], address: str) -> Generator[Part, None, None]:
    """The parts of all jobs in order."""
    client = _client(address)
    try:
        # The tables go out once, as a job of their own: dask forgets scattered data with the last worker that holds
        # them, and it keeps no more copies than it likes; what a job came to is made again elsewhere.
        asked = client.submit(tables, plan.game, plan.seed, plan.on_meter, plan.sides, pure=False)
        running: deque[Any] = deque()
        waiting = True
        while True:
            ahead = _AHEAD * max(1, sum(client.nthreads().values()))
            while waiting and len(running) < ahead:
                job = next(every, None)
                if job is None:
                    waiting = False
                else:
                    running.append(client.submit(play_asked, asked, job, pure=False, retries=_AHEAD))
            if not running:
                return
            yield _part(running.popleft(), address)
    finally:
        client.close()


def _part(job: Any, address: str) -> Part:
    """What a job came to, as soon as somebody has played it."""
    try:
        part: Part = job.result()
    except (CancelledError, OSError, TimeoutError) as lost:
        raise SimulationError(f"the cluster at {address} is lost ({lost or type(lost).__name__})") from None
    except Exception as failed:
        # KilledWorker and its like are known to dask only: the job took several workers with it.
        if type(failed).__module__.partition(".")[0] != "distributed":
            raise
        raise SimulationError(f"the workers at {address} die again and again: {failed}") from None
    return part


def tables(game: Game, seed: int, on_meter: frozenset[int], sides: tuple[SideColumns, ...]) -> Asked:
    """What all jobs of a plan need, on a worker; the others fetch it from there."""
    return game, seed, on_meter, sides


def play_asked(asked: Asked, job: Job) -> Part:
    """One job, on a worker."""
    game, seed, on_meter, sides = asked
    return play_job(game, seed, job, on_meter, sides)


def check_address(address: str) -> None:
    """Refuses an address that is none, or at which nobody listens. It needs no other package."""
    parts = urlsplit(address if "//" in address else f"tcp://{address}")
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if parts.scheme not in ("tcp", "tls") or not host or not port:
        raise SimulationError(f"{address!r} is not the address of a cluster; write it as in tcp://127.0.0.1:8786")
    try:
        with socket.create_connection((host, port), timeout=_LISTEN_SECONDS) as line:
            # A scheduler speaks first; somebody who is silent is none, and a client would wait for him for ever.
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
    """Refuses workers with another program, which might play other rounds."""
    try:
        found = client.run(program)
    except Exception:  # whatever an older program, or none, makes of it
        found = {"a worker": ""}
    for worker, version in found.items():
        if version != program():
            raise SimulationError(f"{worker} has another aceking than this one; install the same wherever workers run")


def _no_answer(address: str) -> str:
    return f"no cluster answers at {address}; start one with dask scheduler, and a worker with dask worker {address}"
