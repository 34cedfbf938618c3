"""The simulator and what was sampled before, as ratios: rounds a second in L, exact figures in U.

python -m benchmarks.simulation
"""

import resource
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from aceking.exact.seeing import seeing
from aceking.exact.simulate.chance import BLOCK_ROUNDS
from aceking.exact.simulate.plan import Plan, plan
from aceking.exact.simulate.result import Result
from aceking.exact.simulate.run import JOB_BLOCKS, Where, run
from aceking.exact.simulate.shared import shared_hands
from aceking.exact.simulate.tally import Job, play_job
from aceking.rules.load import load_book
from benchmarks.unit import in_lean_rounds, in_units, lean_loop, seconds

#: By book: the least rounds a second on one core, in L; on two cores twice as many.
SPEEDS = {"section10": 120, "colorado-required": 120, "colorado-permissible": 120, "exchange": 70}
_BLOCKS = 32
_LONG = 200 * JOB_BLOCKS * BLOCK_ROUNDS // 4
_AT_LEAST, _AT_MOST = "at least", "at most"


def show(what: str, measured: float, unit: str, limit: float | None, sort: str) -> None:
    """One line, and whether the limit is held."""
    held = limit is None or (measured >= limit if sort == _AT_LEAST else measured <= limit)
    asked = "" if limit is None else f"({sort} {limit:g}){'' if held else '  MISSED'}"
    print(f"{what:<52} {measured:9.3f} {unit:<3} {asked}")


def one_core() -> None:
    """Rounds a second of one process."""
    for book_id, least in SPEEDS.items():
        asked = plan(load_book(book_id), rounds=1)
        job = Job(0, _BLOCKS, _BLOCKS * BLOCK_ROUNDS)
        play_job(asked.game, 1, Job(0, 2, 2 * BLOCK_ROUNDS))
        ratio, micro = in_lean_rounds(partial(play_job, asked.game, 1, job), job.rounds)
        show(f"{book_id}: one core (L = {micro:.2f} us)", ratio, "L", least, _AT_LEAST)


def two_workers() -> None:
    """Rounds a second of two processes, from their first report to their last, and how many times one they are."""
    show("two lean loops at once to one: what this machine has free", _free_cores(), "", None, _AT_LEAST)
    for book_id, least in SPEEDS.items():
        asked = plan(load_book(book_id), rounds=_LONG)
        lean = min(seconds(lean_loop) for _ in range(3)) / 40_000
        speeds = {workers: max(_steady(asked, workers) for _ in range(2)) for workers in (1, 2)}
        lean = min(lean, *(seconds(lean_loop) / 40_000 for _ in range(3)))
        show(f"{book_id}: two workers", speeds[2] * lean, "L", 2 * least, _AT_LEAST)
        show(f"{book_id}: two workers to one", speeds[2] / speeds[1], "", 1.8, _AT_LEAST)
        costs = {workers: _processor_each(book_id, workers) for workers in (1, 2)}
        show(f"{book_id}: two workers to one, by processor time", 2 * costs[1] / costs[2], "", None, _AT_LEAST)
    print("By the clock two workers need two cores that nobody else uses; by processor time they do not.")


def _free_cores() -> float:
    """How many times one loop two loops at once are; less than two where somebody else uses the cores."""
    loop = [sys.executable, "-c", "from benchmarks.unit import lean_loop; lean_loop(600_000)"]
    taken = []
    for number in (1, 2):
        started = time.perf_counter()
        for process in [subprocess.Popen(loop) for _ in range(number)]:
            process.wait()
        taken.append(time.perf_counter() - started)
    return 2 * taken[0] / taken[1]


def _processor_each(book_id: str, workers: int) -> float:
    """What a round takes of all processors, start and end of the processes left out."""
    taken = []
    for rounds in (_LONG // 10, _LONG):
        asked = plan(load_book(book_id), rounds=rounds)  # its tables are made before the clock runs
        before = _processor_time()
        run(asked, Where(workers))
        taken.append(_processor_time() - before)
    return (taken[1] - taken[0]) / (_LONG - _LONG // 10)


def _processor_time() -> float:
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def _steady(asked: Plan, workers: int) -> float:
    """Rounds a second once all workers are at work."""
    told: list[tuple[int, float]] = []

    def tell(so_far: Result) -> None:
        told.append((so_far.rounds, time.perf_counter()))

    run(asked, Where(workers), progress=tell)
    first, last = told[3 * workers], told[-1]
    return (last[0] - first[0]) / (last[1] - first[1])


def memory() -> None:
    """The most memory of a process, for few rounds and for many."""
    few, many = (_peak(f"simulate section10 --rounds {rounds} --json") for rounds in (2_000_000, 60_000_000))
    show("section10: memory for 60 M rounds to that for 2 M", many / few, "", 1.05, _AT_MOST)
    print(f"{'section10: memory':<52} {many:9.1f} MB")


def exact_figures() -> None:
    """What is exact now, and what is sampled leanly, in U."""
    book = load_book("section10")
    for cards in (2, 3, 4):
        ratio, unit = in_units(partial(seeing, book, dealer_cards=cards), times=1)
        show(f"seeing {cards} of the dealer's cards (U = {unit:.2f} s)", ratio, "U", 6, _AT_MOST)
    for hands in range(2, 8):
        ratio, _ = in_units(partial(shared_hands, book, hands=hands), times=1)
        show(f"{hands} shared hands to 0.01 %", ratio, "U", 5, _AT_MOST)


def commands() -> None:
    """Whole commands, from the start of the process."""
    ratio, _ = in_units(partial(_command, "strategy exchange --json"), times=1)
    show("strategy exchange", ratio, "U", 4.5, _AT_MOST)
    show("strategy exchange: memory", _peak("strategy exchange --json"), "MB", 320, _AT_MOST)
    with tempfile.TemporaryDirectory() as folder:
        code = (
            "from pathlib import Path; from aceking.exact import kept; from aceking.rules.load import load_book; "
            f"kept.edge(load_book('exchange'), folder=Path({folder!r}))"
        )
        first, _ = in_units(partial(_python, code), times=1)
        again, _ = in_units(partial(_python, code), times=3)
        assert len(list(Path(folder).iterdir())) == 1
    show("exchange: edge, first time", first, "U", None, _AT_MOST)
    show("exchange: edge asked again", again, "U", 0.10, _AT_MOST)


def _command(words: str) -> None:
    subprocess.run([sys.executable, "-m", "aceking", *words.split()], check=True, stdout=subprocess.DEVNULL)


def _python(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def _peak(words: str) -> float:
    """The most memory that a command held, in megabytes."""
    code = (
        f"import sys; sys.argv = ['aceking', *{words.split()!r}]\n"
        "from aceking.cli import cli\n"
        "import contextlib, io\n"
        "with contextlib.redirect_stdout(io.StringIO()): cli(standalone_mode=False)\n"
        "print(open('/proc/self/status').read())"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    (peak,) = [line for line in done.stdout.splitlines() if line.startswith("VmHWM")]
    return int(peak.split()[1]) / 1024


def main() -> None:
    """Prints all of it."""
    for part in (one_core, two_workers, memory, exact_figures, commands):
        part()


if __name__ == "__main__":
    main()
