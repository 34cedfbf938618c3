"""A campaign that is killed takes its servers and its database with it."""

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.web.processes import LINUX, at_work_in, is_gone, wait_until

pytestmark = pytest.mark.proof

ROOT = Path(__file__).resolve().parents[2]
CAMPAIGN = ("--db", "postgresql", "--servers", "2", "--workers", "2", "--kills", "10000", "--seed", "1")


@LINUX
def test_a_campaign_that_is_killed_leaves_neither_a_server_nor_a_database() -> None:
    with tempfile.TemporaryDirectory(prefix="aceking-") as name:  # not a folder of pytest: see `database`
        _is_killed(Path(name))


def _is_killed(folder: Path) -> None:
    command = [sys.executable, "-m", "tests.house.campaign", *CAMPAIGN, "--folder", str(folder)]
    told = folder / "told.txt"
    with told.open("wb") as out:
        campaign = subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=out)
    try:
        # Written after the first kill, when what was killed has started again.
        wait_until((folder / "postgresql_two_by_two" / "pause.json").exists, told.read_text, seconds=120)
        before = at_work_in(folder)
    finally:
        campaign.kill()
        campaign.wait()
    assert len(before) > 3, "itself, and at least the three processes of the server that was not killed"
    wait_until(lambda: not at_work_in(folder), lambda: f"still there: {at_work_in(folder)}")
    assert all(is_gone(one) for one in before)
