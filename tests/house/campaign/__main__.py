"""Kill real servers at random moments while people play. Prints one table; the exit status is 1 if a promise is broken.

python -m tests.house.campaign --kills 200 [--db sqlite|postgresql|all] [--servers 1|2] [--workers 1|2] [--seed N]
                               [--minutes M] [--folder DIR]

`--db all` runs four houses in turn: one on SQLite, one on SQLite with two worker processes, one on PostgreSQL, and one
on PostgreSQL with two servers. With `--folder` a campaign that was stopped or killed continues with the same command.
"""

import argparse
import asyncio
import secrets
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress
from rich.table import Table

from tests.house.campaign.auditor import PROMISES, Verdict, problems
from tests.house.campaign.database import Database, database
from tests.house.campaign.load import opening
from tests.house.campaign.run import Campaign
from tests.web.forked import Forked
from tests.web.served import founded


class Plan(NamedTuple):
    """One of the houses of a campaign."""

    db: str
    servers: int
    workers: int = 1

    @property
    def name(self) -> str:
        """Return the name of its folder, its schema and its column."""
        return self.db + ("_two" if self.servers > 1 else "") + ("_by_two" if self.workers > 1 else "")


ALL = (Plan("sqlite", 1), Plan("sqlite", 1, workers=2), Plan("postgresql", 1), Plan("postgresql", 2))


@contextmanager
def _campaigns(plans: tuple[Plan, ...], folder: Path, seed: int) -> Iterator[dict[str, Campaign]]:
    """Yield the campaign of each house; a house that does not exist yet is founded."""
    needs = any(one.db == "postgresql" for one in plans)
    with database(folder / "postgres") if needs else nullcontext() as server:
        found = {}
        for one in plans:
            kept = folder / one.name
            url = _address(one, kept, server)
            done = kept / "founded"
            if not done.exists():
                founded(url, *opening())
                done.touch()
            served = [Forked(url, kept, {"ACEKING_WORKERS": str(one.workers)}) for _ in range(one.servers)]
            found[one.name] = Campaign(served, seed, kept=kept, database=server if one.db == "postgresql" else None)
        try:
            yield found
        finally:
            for campaign in found.values():
                campaign.leaves()


def _address(one: Plan, kept: Path, server: Database | None) -> str:
    kept.mkdir(parents=True, exist_ok=True)
    if server is None or one.db == "sqlite":
        return f"sqlite:///{kept / 'house.db'}"
    return server.house(one.name)


async def _run(
    campaigns: dict[str, Campaign], kills: int, goes_on: Callable[[], bool], told: Callable[[int], None]
) -> None:
    """Run all campaigns, each time the one with the fewest kills, then finish each in peace."""
    houses = [*campaigns.values()]
    for one in houses:
        await one.begins()
    while (done := sum(one.kills for one in houses)) < kills and goes_on() and all(one.verdict.holds for one in houses):
        told(done)
        await min(houses, key=lambda one: one.kills).goes_on()
    told(done)
    for one in houses:
        await one.ends()


def _told(console: Console, verdicts: dict[str, Verdict]) -> None:
    table = Table("", *verdicts)
    for what in dict.fromkeys(what for one in verdicts.values() for what in one.seen):
        table.add_row(what, *(f"{one.seen[what]:,}" for one in verdicts.values()))
    table.add_section()
    for promise in PROMISES:
        table.add_row(promise, *(f"{len(one.broken[promise]):,}" for one in verdicts.values()))
    console.print(table)
    for name, one in verdicts.items():
        for problem in problems(one):
            console.print(f"BROKEN in {name}: {problem}", markup=False)


def main() -> int:
    parser = argparse.ArgumentParser(description="Real servers, killed while people play.")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--db", choices=("sqlite", "postgresql", "all"), default="sqlite")
    parser.add_argument("--servers", type=int, choices=(1, 2), default=1)
    parser.add_argument("--workers", type=int, choices=(1, 2), default=1, help="processes of each server")
    parser.add_argument("--seed", type=int, help="of the moments and of what people ask for; printed")
    parser.add_argument("--minutes", type=float, help="no longer than that")
    parser.add_argument("--folder", type=Path, help="where it is kept, and goes on when it was stopped")
    given = parser.parse_args()
    if given.kills < 1:
        parser.error("--kills: at least 1")
    if given.db != "postgresql" and given.servers > 1:
        parser.error("a file of SQLite has one server: --servers 2 needs --db postgresql")
    plans = ALL if given.db == "all" else (Plan(given.db, given.servers, given.workers),)
    seed = given.seed if given.seed is not None else secrets.randbelow(10**9)
    console, began = Console(width=120), time.monotonic()
    ends = began + given.minutes * 60 if given.minutes else float("inf")
    stopped: list[int] = []
    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, lambda number, _: stopped.append(number))
    title = f"--kills {given.kills} --db {given.db} --servers {given.servers} --workers {given.workers} --seed {seed}"
    console.print(title)
    with (
        nullcontext(given.folder) if given.folder else tempfile.TemporaryDirectory(prefix="kills-") as name,
        _campaigns(plans, Path(name).absolute(), seed) as campaigns,
        Progress(*Progress.get_default_columns(), MofNCompleteColumn(), console=Console(stderr=True)) as bar,
    ):
        task = bar.add_task("killing", total=given.kills)
        before = sum(one.kills for one in campaigns.values())
        asyncio.run(
            _run(
                campaigns,
                given.kills,
                lambda: not stopped and time.monotonic() < ends,
                lambda done: bar.update(task, completed=done),
            )
        )
    verdicts = {name: one.verdict for name, one in campaigns.items()}
    _told(console, verdicts)
    holds, kills = all(one.holds for one in verdicts.values()), sum(one.kills for one in campaigns.values())
    kept = "every promise was kept" if holds else "a promise was BROKEN"
    since = f"{kills - before} of them now, in {time.monotonic() - began:.0f} s"
    console.print(f"{kept}: {kills} kills, {since}, {title}")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
