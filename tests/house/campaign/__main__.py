"""Real servers, killed at random moments while people play; one table at the end, and 1 where a promise is broken.

python -m tests.house.campaign --kills 200 [--db sqlite|postgresql] [--servers 1|2] [--seed N] [--minutes M]
"""

import argparse
import asyncio
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress
from rich.table import Table

from benchmarks.store import postgres
from tests.house.campaign.auditor import Verdict, problems
from tests.house.campaign.load import opening
from tests.house.campaign.run import Campaign
from tests.web.forked import Forked
from tests.web.served import founded


@contextmanager
def _database(kind: str, folder: Path) -> Iterator[str]:
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'house.db'}"
    else:
        with postgres() as url:
            yield url


def _told(console: Console, verdict: Verdict) -> None:
    table = Table("seen", "")
    for what, number in verdict.seen.items():
        table.add_row(what, f"{number:,}")
    table.add_section()
    for promise, instances in verdict.broken.items():
        table.add_row(promise, f"{len(instances):,}")
    console.print(table)
    for problem in problems(verdict):
        console.print(f"BROKEN: {problem}", markup=False)


def main() -> int:
    """One campaign."""
    parser = argparse.ArgumentParser(description="Real servers, killed while people play.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--db", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--servers", type=int, choices=(1, 2), default=1)
    parser.add_argument("--seed", type=int, help="of the moments and of what people ask for; printed")
    parser.add_argument("--minutes", type=float, help="no longer than that")
    given = parser.parse_args()
    if given.kills < 1:
        parser.error("--kills: at least 1")
    if given.db == "sqlite" and given.servers > 1:
        parser.error("a file of SQLite has one server: --servers 2 needs --db postgresql")
    seed = given.seed if given.seed is not None else secrets.randbelow(10**9)
    console, began = Console(width=100), time.monotonic()
    ends = began + given.minutes * 60 if given.minutes else float("inf")
    title = f"--kills {given.kills} --db {given.db} --servers {given.servers} --seed {seed}"
    console.print(title)
    with tempfile.TemporaryDirectory() as name, _database(given.db, Path(name)) as url:
        founded(url, *opening())
        campaign = Campaign([Forked(url, Path(name)) for _ in range(given.servers)], seed)
        with Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=Console(stderr=True)) as bar:
            task = bar.add_task("killing", total=given.kills)
            verdict = asyncio.run(
                campaign.run(given.kills, ends=ends, progress=lambda done: bar.update(task, completed=done))
            )
    _told(console, verdict)
    kept = "every promise was kept" if verdict.holds else "a promise was BROKEN"
    console.print(f"{kept}: {verdict.seen['kills']} kills in {time.monotonic() - began:.0f} s, {title}")
    return 0 if verdict.holds else 1


if __name__ == "__main__":
    sys.exit(main())
