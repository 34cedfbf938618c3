"""Every command with warnings as errors and the interpreter's own checks on: not a word on standard error."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.terminal import ROOT

COMMANDS = [
    "books list",
    "books show rws",
    "books diff section10 rws",
    "value exchange --cards QhJh9h8h2c --up 7c",
    "value exchange --cards QhJh9h8h2c --up 7c --exchanged 2cTs",
    "edge colorado-required",
    "strategy colorado-required",
    "settle examples/jackpot-rws.json",
    "settle examples/disputes.toml",
    "compare examples/royal-flush.json",
    "round examples/boxed-card.toml",
    "meter run examples/meter-night.jsonl",
    "ask ruin rws --bankroll 20 --sessions 20 --rounds 20",
    "simulate section10 --rounds 1000",
    "reference acts",
    "replay",
    "play",
]


@pytest.mark.parametrize("words", COMMANDS)
@pytest.mark.proof
def test_commands_give_no_warning_and_leave_nothing_open(words: str, tmp_path: Path) -> None:
    env = {**os.environ, "ACEKING_SESSIONS": str(tmp_path), "ACEKING_CACHE": "off"}
    command = [sys.executable, "-W", "error", "-X", "dev", "-m", "aceking", *words.split()]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT, env=env, check=False
    )
    # After a second a person is told what the program is at.
    told = [line for line in done.stderr.splitlines() if ": playing " not in line and ": counting " not in line]
    assert (done.returncode, told) == (0, [])
    assert done.stdout


def test_a_script_may_begin_with_a_mark_of_its_encoding(tmp_path: Path) -> None:
    script = (ROOT / "examples" / "boxed-card.toml").read_text(encoding="utf-8")
    for encoding in ("utf-8-sig", "utf-16"):
        marked = tmp_path / f"{encoding}.toml"
        marked.write_text(script, encoding=encoding)
        done = subprocess.run(
            [sys.executable, "-m", "aceking", "round", str(marked)],
            capture_output=True,
            text=True,
            cwd=ROOT,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert "Ann: +70 USD" in done.stdout
