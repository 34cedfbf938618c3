"""The sheet of the lab is the one that `aceking sheet` writes; what a visitor changed is not kept on disk."""

import json
from pathlib import Path

import pytest

from aceking.exact.cache import FOLDER
from aceking.lab.question import book_of, question_of
from aceking.lab.sheet import sheet
from aceking.sheet.data import sheet_data
from aceking.sheet.write import write_data


def test_it_is_the_sheet_of_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "kept"))
    asked = question_of("colorado-required", pays=["flush=9"])
    html, raw = write_data(sheet_data(book_of(asked)[0]), tmp_path)
    page, data = sheet(asked, "html"), sheet(asked, "json")
    assert (page.name, data.name) == (html.name, raw.name)
    assert page.name == "colorado-required.what-if.html"
    assert page.body == html.read_text(encoding="utf-8")
    assert json.loads(data.body) == json.loads(raw.read_text(encoding="utf-8"))
    assert not (tmp_path / "kept").exists()


def test_that_of_a_book_as_it_is_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    found = sheet(question_of("colorado-permissible"), "html")
    assert found.name == "colorado-permissible.html"
    assert len(list(tmp_path.glob("sheet-*.json"))) == 1
