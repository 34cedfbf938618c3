"""The shuffle over many deals, or over those that a log shows; one table at the end.

python -m tests.house.chance --deals 10000000 [--seed NAME]
python -m tests.house.chance --log sqlite:///house.db

A right shuffle fails one time in a hundred, whatever the number of tests: each may have its share of that.
"""

import argparse
import secrets
import sys

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from aceking.house.store.errors import StoreError
from tests.house.chance.counts import Counts, Found
from tests.house.chance.deals import numbered, of_log

FAILS = 0.01
_AT_ONCE = 50_000


def passed(tests: list[Found]) -> bool:
    """Return True if all tests together pass at 99 %."""
    return all(one.chance > FAILS / len(tests) for one in tests)


def _many(deals: int, master: str) -> Counts:
    counts = Counts()
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("dealing", total=deals)
        while counts.deals < deals:
            counts.add(numbered(master, counts.deals, min(_AT_ONCE, deals - counts.deals)))
            bar.update(task, completed=counts.deals)
    return counts


def _recorded(url: str) -> Counts:
    counts, deals = Counts(), of_log(url)
    if len(deals) < 100:
        raise StoreError(f"the log shows {len(deals)} seeds, and 100 are the least that say anything")
    assert len({bytes(seed) for seed in deals.seeds}) == len(deals), "a seed was used twice"
    counts.add(deals)
    return counts


def main() -> int:
    """1 where something is not as chance would have it."""
    parser = argparse.ArgumentParser(description="The shuffle of the house held against chance.")
    parser.add_argument("--deals", type=int, default=10_000_000)
    parser.add_argument("--seed", default="", help="what the seeds are made of; printed, so that a run can be repeated")
    parser.add_argument("--log", metavar="URL", help="the deals that this log shows, in place of new ones")
    given = parser.parse_args()
    if given.deals < 100:
        parser.error("--deals: at least 100")
    master = given.seed or secrets.token_hex(8)
    try:
        counts = _recorded(given.log) if given.log else _many(given.deals, master)
    except StoreError as wrong:
        parser.error(str(wrong))
    tests = counts.found()
    whence = given.log or f"--seed {master}"
    table = Table("test", "off, freedom", "chance", title=f"{counts.deals:,} deals, {whence}", title_justify="left")
    for one in tests:
        table.add_row(one.what, one.measured, f"{one.chance:.4f}")
    console = Console(width=110)
    console.print(table)
    good = passed(tests)
    console.print(
        f"{'As chance has it' if good else 'NOT as chance has it'}: {len(tests)} tests, 99 % for all together"
    )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
