"""A house whose chance comes from a seed, so that the same test is dealt the same cards again.

    python -m tests.web.seeded FILE START --db URL --listen HOST:PORT

serves as `aceking serve` does. The program itself takes no seed: chance is an argument of `serve`.
"""

import atexit
import os
import shutil
import sys
import tempfile
from collections import Counter
from functools import cached_property
from hashlib import shake_256
from pathlib import Path

import click


class SeededDraw:
    """Bytes that follow from the text of a file, in which each test writes its own seed.

    No two starts of a server draw the same, nor do two processes of one start; the latter cannot be repeated, for they
    race for the tables.
    """

    def __init__(self, file: Path, start: str) -> None:
        self.file, self.start, self.process = file, start, os.getpid()
        self.drawn: Counter[str] = Counter()

    def __call__(self, count: int, /) -> bytes:
        """The next bytes of the seed that is in the file now."""
        seed, process = self.file.read_text(encoding="utf-8"), os.getpid()
        self.drawn[seed] += 1
        apart = process if process != self.process else 0
        return shake_256(f"{seed}/{self.start}/{apart}/{self.drawn[seed]}".encode()).digest(count)


class Seeds:
    """The file of this process, for the servers that it starts."""

    def __init__(self) -> None:
        self.seed = "of no test"
        self._starts: Counter[str] = Counter()

    @cached_property
    def file(self) -> Path:
        """Made when the first server starts."""
        folder = Path(tempfile.mkdtemp(prefix="aceking-seed-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        found = folder / "seed.txt"
        found.write_text(self.seed, encoding="utf-8")
        return found

    def plant(self, seed: str) -> None:
        """From now on every server of this process draws from this seed."""
        self.seed = seed
        if "file" in vars(self):
            self.file.write_text(seed, encoding="utf-8")

    def next_start(self) -> str:
        """What tells the next server from the others that start under this seed."""
        self._starts[self.seed] += 1
        return f"{self.seed}/{self._starts[self.seed]}"

    def draw(self) -> SeededDraw:
        """Chance for a house in this process."""
        return SeededDraw(self.file, self.next_start())


SEEDS = Seeds()


def serve(file: Path, start: str, words: list[str]) -> int:
    """`aceking serve` with these words, drawing from the seed in the file; the exit status."""
    from aceking.commands.house.serve import run
    from aceking.house.settings import SettingsError, read_settings

    options = dict(zip(words[::2], words[1::2], strict=True))
    try:
        return run(read_settings(None, db=options["--db"], listen=options["--listen"]), draw=SeededDraw(file, start))
    except (click.ClickException, SettingsError) as wrong:
        click.echo(f"aceking: {wrong}", err=True)
        return 2


if __name__ == "__main__":
    sys.exit(serve(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))
