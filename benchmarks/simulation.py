"""The simulator in rounds per second as ratios of L, and exact figures as ratios of U.

python -m benchmarks.simulation [one_core two_workers memory exact_figures two_hands_exactly commands]
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from aceking.exact.cache import FOLDER
from aceking.exact.games import changed, edge
from aceking.exact.seen_cards import seeing
from aceking.exact.two_hands.edge import two_hands
from aceking.rules.reading.load import load_book
from aceking.simulation.chance import BLOCK_ROUNDS
from aceking.simulation.plan import Plan, plan
from aceking.simulation.questions.shared_hands import shared_hands
from aceking.simulation.result import Result
from aceking.simulation.run import JOB_BLOCKS, Where, run
from aceking.simulation.tally import Job, play_job
from benchmarks.limits import at_least, at_most, note, summary
from benchmarks.unit import LEAN_ROUNDS, in_lean_rounds, in_units, lean_loop, processor_time, seconds

#: By book: the least rounds per second on one core, in L; on two cores twice as many.
SPEEDS = {"section10": 120, "colorado-required": 120, "colorado-permissible": 120, "exchange": 70}
_BLOCKS = 32
_LONG = 200 * JOB_BLOCKS * BLOCK_ROUNDS // 4


def one_core() -> None:
    """Measure the rounds per second of one process."""
    for book_id, least in SPEEDS.items():
        asked = plan(load_book(book_id), rounds=1)
        job = Job(0, _BLOCKS, _BLOCKS * BLOCK_ROUNDS)
        play_job(asked.game, 1, Job(0, 2, 2 * BLOCK_ROUNDS))
        ratio, micro = in_lean_rounds(partial(play_job, asked.game, 1, job), job.rounds)
        at_least(f"{book_id}: one core (L = {micro:.2f} us)", ratio, "L", least)


def two_workers() -> None:
    """Measure the rounds per second of two processes, and their ratio to one."""
    note("two lean loops at once to one: what this machine has free", _free_cores(), "")
    for book_id, least in SPEEDS.items():
        asked = plan(load_book(book_id), rounds=_LONG)
        lean = min(seconds(lean_loop) for _ in range(3)) / LEAN_ROUNDS
        speeds = {workers: max(_steady(asked, workers) for _ in range(2)) for workers in (1, 2)}
        lean = min(lean, *(seconds(lean_loop) / LEAN_ROUNDS for _ in range(3)))
        at_least(f"{book_id}: two workers", speeds[2] * lean, "L", 2 * least)
        at_least(f"{book_id}: two workers to one", speeds[2] / speeds[1], "", 1.8)
        costs = {workers: _processor_each(book_id, workers) for workers in (1, 2)}
        note(f"{book_id}: two workers to one, by processor time", 2 * costs[1] / costs[2], "")
    print("By the clock two workers need two cores that nobody else uses; by processor time they do not.")


def _free_cores() -> float:
    """Return how much faster two loops at once are than one; less than two if other work uses the cores."""
    loop = [sys.executable, "-c", "from benchmarks.unit import lean_loop; lean_loop(600_000)"]
    taken = []
    for number in (1, 2):
        started = time.perf_counter()
        for process in [subprocess.Popen(loop) for _ in range(number)]:
            process.wait()
        taken.append(time.perf_counter() - started)
    return 2 * taken[0] / taken[1]


def _processor_each(book_id: str, workers: int) -> float:
    """Return the processor time of a round, without start and end of the processes."""
    taken = []
    for rounds in (_LONG // 10, _LONG):
        asked = plan(load_book(book_id), rounds=rounds)  # its tables are made before the measurement
        before = processor_time()
        run(asked, Where(workers))
        taken.append(processor_time() - before)
    return (taken[1] - taken[0]) / (_LONG - _LONG // 10)


def _steady(asked: Plan, workers: int) -> float:
    """Return the rounds per second once all workers are running."""
    told: list[tuple[int, float]] = []

    def tell(so_far: Result) -> None:
        told.append((so_far.rounds, time.perf_counter()))

    run(asked, Where(workers), progress=tell)
    first, last = told[3 * workers], told[-1]
    return (last[0] - first[0]) / (last[1] - first[1])


def memory() -> None:
    """Measure the peak memory of a process, for few rounds and for many.

    The peak comes before the first round, when the exact strategy is made. By chance of the allocator it is one of two
    values some per cent apart, whatever the number of rounds, so each figure is the most of three runs.
    """
    asked = (f"simulate section10 --rounds {rounds} --json" for rounds in (10_000_000, 100_000_000))
    few, many = (max(_peak(words) for _ in range(3)) for words in asked)
    at_most("section10: memory for 100 M rounds to that for 10 M", many / few, "", 1.05)
    note("section10: memory", many, "MB")


def exact_figures() -> None:
    """Measure exact figures and lean sampling in U."""
    book, bought = load_book("section10"), load_book("exchange")
    for cards in (2, 3, 4):
        ratio, unit = in_units(partial(seeing, book, dealer_cards=cards), times=2)
        at_most(f"seeing {cards} of the dealer's cards (U = {unit:.2f} s)", ratio, "U", 6)
    for hands in range(2, 8):
        ratio, _ = in_units(partial(shared_hands, book, hands=hands), times=2)
        at_most(f"{hands} shared hands to 0.01 %", ratio, "U", 5)
    edge(bought)  # counts are computed once; a what-if only changes the pay table
    other, _ = changed(bought, pays={"full_house": 8})
    ratio, _ = in_units(partial(edge, other), times=9)
    at_most("exchange: what-if, another pay table", ratio, "U", 0.18)


def two_hands_exactly() -> None:
    """Measure every deal of two hands and a dealer; there is no limit, it only has to end."""
    ratio, _ = in_units(partial(two_hands, load_book("section10")), times=1)
    note("2 shared hands, exactly", ratio, "U")


def commands() -> None:
    """Measure whole commands from the start of the process, without caches unless the cache is what is measured."""
    ratio, _ = in_units(partial(_command, "strategy exchange --json"), times=2)
    at_most("strategy exchange", ratio, "U", 4.5)
    at_most("strategy exchange: memory", _peak("strategy exchange --json"), "MB", 320)
    with tempfile.TemporaryDirectory() as folder:
        ask = partial(_command, "edge exchange --json", cache=folder)
        first, _ = in_units(ask, times=1)
        again, _ = in_units(ask, times=9)
        assert len(list(Path(folder).iterdir())) == 1
    note("edge exchange, first time", first, "U")
    at_most("edge exchange, asked again", again, "U", 0.10)


def _command(words: str, *, cache: str = "off") -> None:
    command = [sys.executable, "-m", "aceking", *words.split()]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, FOLDER: cache})


def _peak(words: str) -> float:
    """Return the peak memory of a command in megabytes."""
    code = (
        f"import sys; sys.argv = ['aceking', *{words.split()!r}]\n"
        "from aceking.cli import cli\n"
        "import contextlib, io\n"
        "with contextlib.redirect_stdout(io.StringIO()): cli(standalone_mode=False)\n"
        "print(open('/proc/self/status').read())"
    )
    command, env = [sys.executable, "-c", code], {**os.environ, FOLDER: "off"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    (peak,) = [line for line in done.stdout.splitlines() if line.startswith("VmHWM")]
    return int(peak.split()[1]) / 1024


PARTS = (one_core, two_workers, memory, exact_figures, two_hands_exactly, commands)


def main(wanted: Sequence[str] = ()) -> None:
    for part in PARTS:
        if not wanted or part.__name__ in wanted:
            part()
    summary()


if __name__ == "__main__":
    main(sys.argv[1:])
