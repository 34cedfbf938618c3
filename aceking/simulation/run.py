"""Run a question here, on several processes of this machine, or on a cluster; the totals are the same.

The rounds of a job depend only on the seed and its blocks, and parts are added in the order of play. The jobs of a lost
worker are played again.
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
from aceking.simulation.tally import Job, Tally, TallyPart, play_job

#: Blocks of a job: a worker reports about ten times a second.
JOB_BLOCKS = 32
_WORKERS = 1024
_CHECKPOINT_SECONDS = 10.0

#: Called with the result so far, after every part.
SimulationProgress = Callable[[Result], None]


@dataclass(frozen=True, slots=True)
class Where:
    """Where the rounds are played: in a number of processes here, or on the workers of a cluster."""

    workers: int = 1
    cluster: str | None = None

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise SimulationError(f"the workers must be 1 or more, not {self.workers}")
        if self.workers > _WORKERS:
            raise SimulationError(f"{self.workers} workers are too many for a machine; give at most {_WORKERS}")

    def check(self) -> None:
        """Raise SimulationError if the cluster does not listen, before any work is done."""
        if self.cluster is not None:
            from aceking.simulation.cluster import check_address

            check_address(self.cluster)


def run(
    plan: Plan, where: Where | None = None, *, file: Path | None = None, progress: SimulationProgress | None = None
) -> Result:
    """Play the rounds of a question and return the result. Ctrl-C ends it early with the rounds played so far.

    With a file the work continues from it, and the file is written from time to time and at the end.
    """
    started = monotonic()
    stored = None if file is None else checkpoint.read(file, plan)
    blocks, tally = (0, Tally.empty(plan.game, plan.side, len(plan.sides))) if stored is None else stored
    before = tally.rounds
    saved = -inf  # the first part is saved at once, so a file that cannot be written fails early
    parts = _parts(plan, where or Where(), blocks)
    try:
        for part in parts:
            whole = part.job.rounds == part.job.blocks * BLOCK_ROUNDS
            if not whole and file is not None:
                # The last block is not played to its end. It stays out of the file, so that more rounds can follow.
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
    """Return the result so far; its speed counts the rounds played now, not those read from a file."""
    seconds = monotonic() - started
    played = tally.rounds - before
    return result(plan, tally, seconds * tally.rounds / played if played else seconds)


def jobs(plan: Plan, first: int = 0) -> Iterator[Job]:
    """Yield the jobs of a question from a block up. A block that is not whole is a job of its own."""
    whole, rest = divmod(plan.rounds, BLOCK_ROUNDS)
    for start in range(first, whole, JOB_BLOCKS):
        blocks = min(JOB_BLOCKS, whole - start)
        yield Job(start, blocks, blocks * BLOCK_ROUNDS)
    if rest:
        yield Job(whole, 1, rest)


def _parts(plan: Plan, where: Where, first: int) -> Generator[TallyPart, None, None]:
    if where.cluster is not None:
        from aceking.simulation.cluster import on_cluster

        return on_cluster(plan, jobs(plan, first), where.cluster)
    if where.workers > 1:
        from aceking.simulation.workers import on_workers

        return on_workers(plan, jobs(plan, first), where.workers)
    return _here(plan, jobs(plan, first))


def _here(plan: Plan, all_jobs: Iterator[Job]) -> Generator[TallyPart, None, None]:
    on_meter = plan.on_meter
    for job in all_jobs:
        yield play_job(plan.game, plan.seed, job, on_meter, plan.sides)
