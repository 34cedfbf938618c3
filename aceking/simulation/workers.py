"""Run jobs in several processes of this machine. A process that dies is replaced, and its jobs are played again."""

import signal
from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from aceking.simulation.games.game import Game, SimulationError
from aceking.simulation.games.side_wagers import SideColumns
from aceking.simulation.plan import Plan
from aceking.simulation.tally import Job, TallyPart, TallyQuestion, play_job

#: Jobs that wait or run, per worker: enough that none is idle.
_AHEAD = 3
#: After this many losses in a row the run is given up.
_LOSSES_MAX = 3

# What a worker process needs, sent to it once. A process serves one question.
_question: dict[str, TallyQuestion] = {}


def on_workers(plan: Plan, every: Iterator[Job], workers: int) -> Generator[TallyPart, None, None]:
    """Yield the parts of all jobs in order. Raises SimulationError if workers keep dying."""
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
                raise SimulationError("the workers keep dying; is there enough memory? try fewer workers") from None
        else:
            return


def _until_lost(
    plan: Plan, every: Iterator[Job], waiting: deque[Job], workers: int
) -> Generator[TallyPart, None, None]:
    """Yield parts in order until all are done or a worker dies; then `waiting` has the jobs to do again."""
    # Fresh processes, not forks: a fork would share locks of threads that it does not have.
    context = get_context("spawn")
    question = (plan.game, plan.seed, plan.on_meter, plan.sides)
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_initialise, initargs=question)
    try:
        running: deque[Future[TallyPart]] = deque(pool.submit(_play, job) for job in waiting)
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


def _initialise(game: Game, seed: int, on_meter: frozenset[int], sides: tuple[SideColumns, ...]) -> None:
    # Ctrl-C reaches the whole process group; the first process stops the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _question["question"] = (game, seed, on_meter, sides)


def _play(job: Job) -> TallyPart:
    game, seed, on_meter, sides = _question["question"]
    return play_job(game, seed, job, on_meter, sides)
