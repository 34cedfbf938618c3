"""The torture of the table: hundreds of thousands of commands, by right and wrong people at right and wrong times.

    python -m tests.torture --steps 200000 [--seed 1] [--book section10]

After every step the invariants of tests/table/walk.py hold, or it stops and prints the seed that leads there.
"""

import argparse
import random
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

import msgspec

from aceking.rules.reading.load import book_ids
from tests.named_sides import LANTERN
from tests.table.cheats import cheat, tried
from tests.table.walk import VIEWERS, Walk, new_walk
from tests.table.walk_commands import brought_to_its_end, some_command

STEPS_OF_A_WALK = 400


def say(text: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def walk_once(book_id: str, seed: int, steps: int = STEPS_OF_A_WALK, *, cheats: bool = False) -> Walk:
    """Walk one table from its opening on; with `cheats`, a forbidden act is tried at every step."""
    chance = random.Random(f"{Path(book_id).name} {seed}")  # wherever the file lies
    liar = random.Random(f"cheat {seed}")
    walk = new_walk(book_id, chance)
    try:
        for step in range(steps):
            walk.take(some_command(walk, chance))
            if cheats:
                walk.taken += tried(walk, cheat(walk, liar))
            walk.check_view(chance.choice(VIEWERS))
            if step % 7 == 0:
                walk.check_record()
        walk.check_record()
        walk.check_replay()
        brought_to_its_end(walk, chance)
    except Exception:
        last = "\n".join(f"  {msgspec.json.encode(command).decode()}" for command in walk.commands[-4:])
        say(f"{book_id}, seed {seed}, step {len(walk.commands)}, options {walk.table.options}:\n{last}")
        raise
    return walk


def main() -> int:
    """Walk over all books in turn until `--steps` steps are done."""
    parser = argparse.ArgumentParser(description="Torture of the table engine.")
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--book", help="the id of a book, or the path of its file")
    parser.add_argument("--keep-going", action="store_true", help="count the failures by message instead of stopping")
    given = parser.parse_args()
    books = (given.book,) if given.book else (*book_ids(), str(LANTERN))
    started, done, seed, rounds = time.perf_counter(), 0, given.seed, Counter[str]()
    failures: Counter[str] = Counter()
    while done < given.steps:
        for book_id in books:
            try:
                rounds += walk_once(book_id, seed, cheats=seed % 2 == 0).rounds
            except Exception as wrong:
                if not given.keep_going:
                    traceback.print_exc()
                    say(f"FAILED after {done} steps: book {book_id}, seed {seed}")
                    return 1
                failures[f"{type(wrong).__name__}: {str(wrong)[:100]}"] += 1
            done += STEPS_OF_A_WALK
        seed += 1
    seconds = time.perf_counter() - started
    for message, count in failures.most_common():
        say(f"{count:6} {message}")
    say(f"{done} steps, seeds {given.seed} to {seed - 1}, books {', '.join(books)}: {seconds:.0f} s")
    say(f"rounds ended {rounds['ended']}, of which void {rounds['void']}")
    say("FAILED" if failures else "all invariants held")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
