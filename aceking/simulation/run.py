"""Runs a question: here, on several processes of this machine, or on a cluster; the totals are the same.

Whoever plays a job, its rounds depend on the seed and its blocks only, and parts are added in the order of play. A
worker that is lost loses its jobs; they are played again.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import monotonic

from aceking.simulation import checkpoint
from aceking.simulation.chance import BLOCK_ROUNDS
from aceking.simulation.games.game import SimulationError
from aceking.simulation.plan import Plan
from aceking.simulation.result import Result, result
from aceking.simulation.tally import Job, Part, Tally, play_job

#: Blocks of a job: a worker reports about ten times a second.
JOB_BLOCKS = 32
_WORKERS = 1024
_CHECKPOINT_SECONDS = 10.0

#: Told about the rounds so far, after every part.
Progress = Callable[[Result], None]


@dataclass(frozen=True, slots=True)
class Where:
    """Who plays: so many processes here, or the workers of a cluster."""

    workers: int = 1
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise SimulationError(f"{self.workers} workers are none; give one or more")
        if self.workers > _WORKERS:
            raise SimulationError(f"{self.workers} workers are too many for a machine; give at most {_WORKERS}")

    def check(self) -> None:
        """Refuses a cluster that nobody listens for, before any work is done."""
        if self.cluster is not None:
            from aceking.simulation.cluster import check_address

            check_address(self.cluster)


def run(
    plan: Plan, where: Where | None = None, *, file: Path | None = None, progress: Progress | None = None
) -> Result:
    """Plays the rounds of a question. A stop by Ctrl-C ends it early with what was done so far.

    With a file the work goes on from it, and it is written from time to time and at the end.
    """
    started = monotonic()
    kept = None if file is None else checkpoint.read(file, plan)
    blocks, tally = (0, Tally.empty(plan.game, plan.side, len(plan.sides))) if kept is None else kept
    before = tally.rounds
    saved = -inf  # the first part is kept at once: a file that cannot be written is told at the start
    parts = _parts(plan, where or Where(), blocks)
    try:
        for part in parts:
            whole = part.job.rounds == part.job.blocks * BLOCK_ROUNDS
            if not whole and file is not None:
                # The last block is not played to its end: it stays out of the file, so that more rounds can follow.
                checkpoint.write(file, plan, blocks, tally)
                file = None
            tally.add(part, plan.side)
            blocks += part.job.blocks
            if file is not None and monotonic() - saved > _CHECKPOINT_SECONDS:
                checkpoint.write(file, plan, blocks, tally)
                saved = monotonic()
            if progress is not None:
                progress(_timed(plan, tally, before, started))
    except KeyboardInterrupt:
        parts.close()
        if tally.rounds == 0:
            raise
    if file is not None:
        checkpoint.write(file, plan, blocks, tally)
    return _timed(plan, tally, before, started)


def _timed(plan: Plan, tally: Tally, before: int, started: float) -> Result:
    """The result so far; its speed is that of the rounds played now, not of those read from a file."""
    seconds = monotonic() - started
    played = tally.rounds - before
    return result(plan, tally, seconds * tally.rounds / played if played else seconds)


def jobs(plan: Plan, first: int = 0) -> Iterator[Job]:
    """The jobs of a question from a block on. A block that is not whole is a job of its own."""
    whole, rest = divmod(plan.rounds, BLOCK_ROUNDS)
    for start in range(first, whole, JOB_BLOCKS):
        blocks = min(JOB_BLOCKS, whole - start)
        yield Job(start, blocks, blocks * BLOCK_ROUNDS)
    if rest:
        yield Job(whole, 1, rest)


def _parts(plan: Plan, where: Where, first: int) -> Generator[Part, None, None]:
    if where.cluster is not None:
        from aceking.simulation.cluster import on_cluster

        return on_cluster(plan, jobs(plan, first), where.cluster)
    if where.workers > 1:
        from aceking.simulation.workers import on_workers

        return on_workers(plan, jobs(plan, first), where.workers)
    return _here(plan, jobs(plan, first))


def _here(plan: Plan, every: Iterator[Job]) -> Generator[Part, None, None]:
    on_meter = plan.on_meter
    for job in every:
        yield play_job(plan.game, plan.seed, job, on_meter, plan.sides)
