"""The check of commit subjects notices what it is there for."""

import subprocess
from pathlib import Path

import pytest

CHECK = Path(__file__).resolve().parents[2] / ".ci" / "subjects"


@pytest.mark.parametrize(
    ("subject", "status"),
    [
        ("Close connections whose request never completes", 0),
        ("a" * 72, 0),
        ("a" * 73, 1),
        ("Close connections.", 1),
        ("wip", 1),
        ("Fixed rate for the meter", 0),
    ],
)
def test_a_subject_that_says_little_or_too_much_is_noticed(tmp_path: Path, subject: str, status: int) -> None:
    def git(*words: str) -> str:
        identity = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
        return subprocess.run(
            ["git", *identity, *words], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.strip()

    (tmp_path / ".ci").mkdir()
    script = tmp_path / ".ci" / "subjects"
    script.write_bytes(CHECK.read_bytes())
    git("init", "-q")
    git("commit", "-q", "--allow-empty", "-m", "begin")
    base = git("rev-parse", "HEAD")
    git("commit", "-q", "--allow-empty", "-m", subject)
    done = subprocess.run(["bash", str(script), base], capture_output=True, text=True, check=False)
    assert (done.returncode, subject in done.stderr) == (status, bool(status))
