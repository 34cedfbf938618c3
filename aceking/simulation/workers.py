"""Several processes of this machine. A process that dies is replaced, and what it was at is played again."""

import signal
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from aceking.simulation.games.game import Game, SimulationError
from aceking.simulation.games.side_wagers import SideColumns
from aceking.simulation.plan import Plan
from aceking.simulation.tally import Asked, Job, Part, play_job

#: Jobs that wait or run, for each worker: enough that none is idle.
_AHEAD = 3
#: A job that was at work whenever a worker died so many times is not tried again.
_LOSSES_MAX = 3

# What a worker process needs to know, sent to it once. A process that serves one question has one of these.
_asked: dict[str, Asked] = {}


def on_workers(plan: Plan, every: Iterator[Job], workers: int) -> Generator[Part, None, None]:
    """The parts of all jobs in order."""
    waiting: deque[Job] = deque()
    losses = 0
    while True:
        try:
            for part in _until_lost(plan, every, waiting, workers):
                losses = 0
                yield part
        except BrokenProcessPool:
            losses += 1
            if losses > _LOSSES_MAX:
                raise SimulationError(
                    "workers die again and again; is there enough memory? try fewer workers"
                ) from None
        else:
            return


def _until_lost(plan: Plan, every: Iterator[Job], waiting: deque[Job], workers: int) -> Generator[Part, None, None]:
    """Parts in order until all are done or a worker dies; `waiting` are then the jobs that are left to do again."""
    # Fresh processes, not copies of this one: a copy would share locks of threads that it does not have.
    context = get_context("spawn")
    asked = (plan.game, plan.seed, plan.on_meter, plan.sides)
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_be_told, initargs=asked)
    try:
        running: deque[Future[Part]] = deque(pool.submit(_play, job) for job in waiting)
        while True:
            while len(running) < _AHEAD * workers and (job := next(every, None)) is not None:
                waiting.append(job)
                running.append(pool.submit(_play, job))
            if not running:
                return
            part = running.popleft().result()
            waiting.popleft()
            yield part
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _be_told(game: Game, seed: int, on_meter: frozenset[int], sides: tuple[SideColumns, ...]) -> None:
    # Ctrl-C reaches the whole group of processes; it is for the first one to stop the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _asked["question"] = (game, seed, on_meter, sides)


def _play(job: Job) -> Part:
    game, seed, on_meter, sides = _asked["question"]
    return play_job(game, seed, job, on_meter, sides)
