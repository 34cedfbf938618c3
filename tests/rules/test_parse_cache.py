"""The parsed form of a shipped book: kept under the hash of its text, and never another than the text."""

import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from aceking.rules.reading import parse_cache as compiled
from aceking.rules.reading.parse_cache import compile_books

_TEXTS = sorted(Path(str(files("aceking.books"))).rglob("*.toml"))


@pytest.fixture
def books(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of books of which nothing is kept yet."""
    for text in _TEXTS:
        (tmp_path / text.name).write_bytes(text.read_bytes())
    monkeypatch.setattr(compiled, "BOOKS", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return tmp_path


def _kept(books: Path) -> list[Path]:
    return sorted((books / "__pycache__").glob("*.json"))


def test_every_shipped_text_comes_back_as_it_is_written(books: Path) -> None:
    assert compile_books() == len(_TEXTS) == len(_kept(books))
    for text in books.glob("*.toml"):
        data = text.read_bytes()
        assert compiled.compiled(text.name, data) == tomllib.loads(data.decode())


def test_a_text_is_kept_when_it_is_first_read_and_read_from_there(books: Path) -> None:
    data = b'says = "one"'
    assert compiled.compiled("a.toml", data) == {"says": "one"}
    (kept,) = _kept(books)
    kept.write_bytes(b'{"says": "kept"}')
    assert compiled.compiled("a.toml", data) == {"says": "kept"}


def test_a_changed_text_is_parsed_anew_and_the_old_form_goes_when_all_are_compiled(books: Path) -> None:
    compiled.compiled("a.toml", b"x = 1")
    assert compiled.compiled("a.toml", b"x = 2") == {"x": 2}
    assert len(_kept(books)) == 2
    compile_books()
    assert not [file for file in _kept(books) if file.name.startswith("a.toml")]


@pytest.mark.parametrize("damage", [b"", b'{"x": ', b"[1]", b"\xff"])
def test_a_damaged_form_is_no_answer(books: Path, damage: bytes) -> None:
    compiled.compiled("a.toml", b"x = 1")
    (kept,) = _kept(books)
    kept.write_bytes(damage)
    assert compiled.compiled("a.toml", b"x = 1") == {"x": 1}


def test_what_json_cannot_say_is_parsed_each_time(books: Path) -> None:
    for text in (b"x = nan", b"x = 2026-01-01"):
        found: Any = compiled.compiled("a.toml", text)
        assert str(found["x"]) in ("nan", "2026-01-01")
    assert not _kept(books)


def test_nothing_is_written_where_python_writes_no_bytecode(books: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compiled.compiled("a.toml", b"x = 1") == {"x": 1}
    assert not _kept(books)


def test_a_folder_that_cannot_be_written_is_no_fault(books: Path) -> None:
    (books / "__pycache__").write_text("a file in the way")
    assert compiled.compiled("a.toml", b"x = 1") == {"x": 1}
