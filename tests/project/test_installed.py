"""The wheel alone: every example of the help works, coverage finds its scenarios, and the shell completes."""

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.proof

ROOT = Path(__file__).resolve().parents[2]
ENTRY = "import sys; sys.path.insert(0, sys.argv.pop(1)); from aceking.cli import main; main()"


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked in a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    build = "import hatchling.build, sys; print(hatchling.build.build_wheel(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    return folder / "site"


def run(site: Path, where: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The installed program, with no checkout in sight: only what it depends on is beside it."""
    libraries = sysconfig.get_paths()["purelib"]
    entry = f"import sys; sys.path.append({libraries!r}); {ENTRY}"
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", entry, str(site), *words],
        capture_output=True,
        text=True,
        cwd=where,
        env={**os.environ, "ACEKING_CACHE": "off"},
        check=False,
    )


def test_the_examples_of_the_help_work_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    assert "No such file" in run(installed, tmp_path, "settle", "examples/jackpot-rws.json").stderr
    written = run(installed, tmp_path, "examples")
    assert (written.returncode, written.stderr) == (0, "")
    for words in (
        ("settle", "examples/jackpot-rws.json"),
        ("settle", "examples/disputes.toml"),
        ("compare", "examples/royal-flush.json"),
        ("meter", "run", "examples/meter-two-royals.jsonl"),
    ):
        assert run(installed, tmp_path, *words).returncode == 0
    # A file of the user's own is never written over.
    (tmp_path / "examples" / "royal-flush.json").write_text("mine", encoding="utf-8")
    again = run(installed, tmp_path, "examples")
    assert again.returncode == 1
    assert "royal-flush.json: a different file exists; not overwritten" in again.stdout
    assert (tmp_path / "examples" / "royal-flush.json").read_text(encoding="utf-8") == "mine"
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert run(installed, tmp_path, "examples", "--out", "file").returncode == 2


def test_coverage_finds_its_scenarios_in_the_wheel(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "books", "coverage", "washington")
    assert done.returncode == 0
    assert "46 of them with a passing scenario" in done.stdout
    absent = run(installed, tmp_path, "books", "coverage", "--scenarios", "nowhere")
    assert (absent.returncode, absent.stderr) == (2, "aceking: nowhere: there is no such folder\n")


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("se", "settle"),
        ("edge sec", "section10"),
        ("edge section10 --pays fu", "full_house="),
        ("edge section10 --option bet-payt", "bet-paytable="),
        ("edge exchange --option ace-low-straight=n", "ace-low-straight=not-allowed"),
        ("books show r", "rws"),
        ("books show rws --clause RWS-4.1", "RWS-4.1.1"),
    ],
)
def test_the_shell_completes(words: str, wanted: str) -> None:
    asked = f"aceking {words}"
    env = {**os.environ, "_ACEKING_COMPLETE": "bash_complete", "COMP_WORDS": asked}
    env["COMP_CWORD"] = str(len(asked.split()) - 1)
    done = subprocess.run(
        [sys.executable, "-m", "aceking"], capture_output=True, text=True, cwd=ROOT, env=env, check=False
    )
    assert f"plain,{wanted}" in done.stdout.splitlines()
    assert done.stderr == ""
