"""The pages for operators: the tutorial runs against a served house, and the settings are those of the code."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from aceking.cli import cli
from aceking.house.settings import Settings
from tests.web.served import Served

DOCS = Path(__file__).resolve().parents[2] / "docs"


def _blocks(language: str) -> list[str]:
    text = (DOCS / "tutorials" / "operator.md").read_text(encoding="utf-8").replace("\\\n", " ")
    return re.findall(rf"^```{language}\b.*?\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)


def _run(line: str) -> str:
    program, *words = shlex.split(line.partition(" | ")[0])
    assert program == "aceking"
    done = CliRunner().invoke(cli, words)
    assert done.exit_code == 0, (line, done.output)
    return done.output


@pytest.mark.proof
def test_the_tutorial_works_at_the_first_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    first, last = (block.splitlines() for block in _blocks("sh"))
    name, _, url = first[0].removeprefix("export ").partition("=")
    monkeypatch.setenv(name, url)
    Path("people.txt").write_text(_run(first[1]), encoding="utf-8")
    assert first[2:] == ["aceking serve"]
    served = Served(url, tmp_path).start()
    names: dict[str, Any] = {}
    try:
        for block in _blocks("python"):
            exec(block.replace("http://127.0.0.1:8000", served.address), names)
        told = [_run(line) for line in last]
    finally:
        for person in names.get("people", {}).values():
            person.close()
        served.stop()
    assert "1 trigger of must-hit-by meters shown" in told[1]
    assert "round: one/1" in told[1]
    assert Path("restored.db").exists()


def test_the_table_of_settings_has_every_setting_with_its_default() -> None:
    page = (DOCS / "reference" / "settings.md").read_text(encoding="utf-8")
    shown = dict(re.findall(r"^\| `(\w+)` \| `?([^`|]+?)`? \|", page, flags=re.MULTILINE))
    written = {False: "false", (): "none"}
    settings = Settings()
    assert shown == {
        name: written.get(getattr(settings, name), str(getattr(settings, name))) for name in Settings.__struct_fields__
    }
