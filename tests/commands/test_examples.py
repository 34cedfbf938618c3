"""The examples are short, run without a warning and say what they promise. Types are checked with all others."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SAYS = {
    "what_if.py": ("5.2243% of the ante", "142031221/2718662100", "full_house at 8 to 1: 5.0575%"),
    "best_play.py": ("exchange 2c", "bet discard Kd", "best"),
    "robot.py": ("examples/robot.py http://127.0.0.1:8000 section10",),
    "rules_of_thumb.py": ("by up-card", "points", "errs most with"),
}


def test_every_example_is_known() -> None:
    assert {file.name for file in EXAMPLES} == set(SAYS)


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.name)
def test_an_example_runs_and_is_short(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) < 40
    done = subprocess.run(
        [sys.executable, "-W", "error", str(file)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    for words in SAYS[file.name]:
        assert words in done.stdout
