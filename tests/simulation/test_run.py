"""The totals are the same with any number of workers, and however often the run is stopped."""

import json
import os
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from aceking.exact.cache import depends_on
from aceking.rules.reading.load import load_book
from aceking.simulation import checkpoint
from aceking.simulation.chance import BLOCK_ROUNDS
from aceking.simulation.games.game import SimulationError
from aceking.simulation.meter import SimulatedSide
from aceking.simulation.plan import Plan, plan
from aceking.simulation.result import Result
from aceking.simulation.run import JOB_BLOCKS, Where, jobs, run
from aceking.simulation.tally import Job, Tally, play_job
from aceking.simulation.workers import on_workers

BOOK = load_book("rws")
#: Three jobs and a block that is not whole.
ROUNDS = 2 * JOB_BLOCKS * BLOCK_ROUNDS + 2 * BLOCK_ROUNDS + 777

#: One process plays them alone once.
pytestmark = pytest.mark.xdist_group("workers")


def question(rounds: int = ROUNDS, *, seed: int = 31) -> Plan:
    side = SimulatedSide.of(BOOK, start=10_000_00, rate=Fraction(7, 10))
    return plan(BOOK, rounds=rounds, seed=seed, side=side)


def alike(found: Result) -> dict[str, object]:
    """Return the figures of a result without the times."""
    return {name: value for name, value in found.data().items() if "second" not in name}


@pytest.fixture(scope="module")
def alone() -> Result:
    return run(question())


def test_two_workers_come_to_what_one_comes_to(alone: Result) -> None:
    assert alike(run(question(), Where(workers=2))) == alike(alone)


@pytest.mark.proof
def test_a_worker_that_dies_loses_nothing_but_time(alone: Result) -> None:
    asked = question()
    tally = Tally.empty(asked.game, asked.side)
    killed: list[int] = []
    for part in on_workers(asked, jobs(asked), 2):
        tally.add(part, asked.side)
        if not killed:
            worker = next(int(pid) for pid in children(os.getpid()) if is_worker(int(pid)))
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)
    assert killed
    assert tally.rounds == ROUNDS
    whole = Tally.empty(asked.game, asked.side)
    for job in jobs(asked):
        whole.add(play_job(asked.game, asked.seed, job, asked.on_meter), asked.side)
    assert tally.data() == whole.data()


@pytest.mark.parametrize("book", ["rws", "exchange", "colorado-required"])
@pytest.mark.proof
def test_threads_that_play_one_game_at_once_do_not_meddle(book: str) -> None:
    game = plan(load_book(book), rounds=1).game
    every = [Job(2 * number, 2, 2 * BLOCK_ROUNDS) for number in range(8)]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda job: play_job(game, 34, job), every))
    assert together == [play_job(game, 34, job) for job in every]


def children(parent: int) -> list[str]:
    return Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii").split()


def is_worker(process: int) -> bool:
    return b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()


def test_jobs_cover_every_round_once_from_any_block_on() -> None:
    asked = question()
    every = list(jobs(asked))
    assert sum(job.rounds for job in every) == ROUNDS
    assert [job.first for job in every] == [0, JOB_BLOCKS, 2 * JOB_BLOCKS, 2 * JOB_BLOCKS + 2]
    assert list(jobs(asked, 2 * JOB_BLOCKS + 1)) == [
        Job(2 * JOB_BLOCKS + 1, 1, BLOCK_ROUNDS),
        Job(2 * JOB_BLOCKS + 2, 1, 777),
    ]


def test_it_goes_on_from_a_checkpoint_and_comes_to_the_same(alone: Result, tmp_path: Path) -> None:
    file = tmp_path / "night.json"
    run(question(BLOCK_ROUNDS + 5), file=file)
    assert json.loads(file.read_text())["blocks"] == 1
    assert alike(run(question(), file=file)) == alike(alone)
    # The last block was not whole; it is played again when more rounds are asked for.
    assert json.loads(file.read_text())["blocks"] == ROUNDS // BLOCK_ROUNDS
    longer = run(question(ROUNDS + 10 * BLOCK_ROUNDS), file=file)
    assert longer.rounds == ROUNDS + 10 * BLOCK_ROUNDS


def test_a_stop_keeps_what_was_done_and_can_go_on(alone: Result, tmp_path: Path) -> None:
    file = tmp_path / "night.json"

    def stop(_: Result) -> None:
        raise KeyboardInterrupt

    stopped = run(question(), file=file, progress=stop)
    assert stopped.stopped
    assert stopped.rounds == JOB_BLOCKS * BLOCK_ROUNDS
    assert alike(run(question(), file=file)) == alike(alone)


def test_a_checkpoint_of_another_question_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "night.json"
    run(question(BLOCK_ROUNDS), file=file)
    with pytest.raises(SimulationError, match="another question: rws, seats 1, seed 31"):
        run(question(BLOCK_ROUNDS, seed=32), file=file)
    with pytest.raises(SimulationError, match="more than the 5 asked for"):
        run(question(5), file=file)
    file.write_text("{}")
    with pytest.raises(SimulationError, match="is not a checkpoint"):
        run(question(5), file=file)
    with pytest.raises(SimulationError, match=f"^{tmp_path}: the checkpoint cannot be read: it is a folder$"):
        run(question(5), file=tmp_path)
    with pytest.raises(SimulationError, match="cannot be written"):
        run(question(5), file=tmp_path / "no folder" / "night.json")


def test_a_checkpoint_of_another_program_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "night.json"
    run(question(BLOCK_ROUNDS), file=file)
    said = json.loads(file.read_text())
    file.write_text(json.dumps({**said, "program": said["program"][::-1]}))
    with pytest.raises(SimulationError, match="another version of the program; start a new one"):
        run(question(2 * BLOCK_ROUNDS), file=file)
    file.write_text(json.dumps(said))
    assert run(question(2 * BLOCK_ROUNDS), file=file).rounds == 2 * BLOCK_ROUNDS


def test_what_a_checkpoint_depends_on_is_the_whole_program_that_plays_the_rounds() -> None:
    files = depends_on(Path(checkpoint.__file__))
    assert {"simulation/chance.py", "settlement/settle.py", "money/chips.py", "cards/array.py"} <= files.keys()


def test_another_line_of_the_book_is_another_question() -> None:
    pays = {**BOOK.bet.pays, next(iter(BOOK.bet.pays)): Fraction(77)}
    other = replace(BOOK, bet=replace(BOOK.bet, pays=pays))
    assert plan(other, rounds=1).key != plan(BOOK, rounds=1).key
    assert plan(BOOK, rounds=1).key == plan(BOOK, rounds=2).key


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"rounds": 0}, "the rounds must be 1 or more, not 0"),
        ({"rounds": -3}, "the rounds must be 1 or more, not -3"),
        ({"rounds": 1, "seats": 0}, "the seats must be 1 or more, not 0"),
        ({"rounds": 1, "seats": 8}, "rws has 7 seats"),
        ({"rounds": 1, "seed": -1}, "a seed is a whole number"),
        ({"rounds": 1, "strategy": "clever"}, "no strategy 'clever'; there are optimal"),
    ],
)
def test_wrong_questions_are_refused_in_a_sentence(asked: dict[str, int], says: str) -> None:
    with pytest.raises(SimulationError, match=says):
        plan(BOOK, **asked)  # type: ignore[arg-type]


def test_more_seats_than_the_deck_has_cards_for_are_refused() -> None:
    crowded = replace(BOOK, table=replace(BOOK.table, seats_max=12))
    with pytest.raises(SimulationError, match="need 56 cards"):
        plan(crowded, rounds=1, seats=10)
    with pytest.raises(SimulationError, match="the workers must be 1 or more, not 0"):
        Where(workers=0)
