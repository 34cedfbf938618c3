"""Kept answers: the same question is read, another is counted, a broken file is no answer."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aceking.exact import cache as kept
from aceking.exact.changes import priced_hash
from aceking.exact.games import changed
from aceking.rules.reading.load import load_book

BOOK = load_book("colorado-required")


class Counting:
    """A question that counts how often it is worked out."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> dict[str, Any]:
        """Works it out."""
        self.times += 1
        return {"answer": "1/3"}


@pytest.fixture
def keep(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Path]:
    """Says where answers are kept."""

    def set_folder(text: str | None = None) -> Path:
        monkeypatch.setenv(kept.FOLDER, str(tmp_path) if text is None else text)
        return tmp_path

    set_folder()
    return set_folder


def test_an_answer_is_kept_and_read_again(keep: Callable[..., Path]) -> None:
    ask = Counting()
    assert kept.remembered("edge", priced_hash(BOOK), ask) == kept.remembered("edge", priced_hash(BOOK), ask)
    assert ask.times == 1
    assert len(list(keep().iterdir())) == 1


def test_another_line_option_or_kind_is_another_question(keep: Callable[..., Path]) -> None:
    ask = Counting()
    books = (
        BOOK,
        changed(BOOK, pays={"flush": 7})[0],
        changed(BOOK, options={"three-card-ace-low": "not-allowed"})[0],
        load_book("colorado-permissible"),
    )
    for kind in ("edge", "strategy"):
        for book in books:
            kept.remembered(kind, priced_hash(book), ask)
    assert ask.times == 2 * len(books) == len(list(keep().iterdir()))


def test_a_broken_file_is_counted_again_and_a_folder_that_is_none_keeps_nothing(keep: Callable[..., Path]) -> None:
    ask = Counting()
    kept.remembered("edge", "0" * 64, ask)
    (file,) = keep().iterdir()
    for broken in ('{"answer": ', "[1]", "\xff"):
        file.write_bytes(broken.encode("latin-1"))
        assert kept.remembered("edge", "0" * 64, ask) == {"answer": "1/3"}
    assert ask.times == 4
    assert file.read_text(encoding="utf-8") == '{"answer": "1/3"}'
    keep(str(file / "no folder"))
    assert kept.remembered("edge", "0" * 64, ask) == {"answer": "1/3"}


@pytest.mark.parametrize("off", ["", "off"])
def test_the_environment_says_where_and_whether(keep: Callable[..., Path], off: str) -> None:
    assert kept.folder() == keep()
    keep(off)
    assert kept.folder() is None
    ask = Counting()
    kept.remembered("edge", "0" * 64, ask)
    kept.remembered("edge", "0" * 64, ask)
    assert ask.times == 2


def test_another_text_of_a_module_is_another_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    module = tmp_path / "aceking" / "exact" / "cache.py"
    module.parent.mkdir(parents=True)
    monkeypatch.setattr(kept, "__file__", str(module))
    found = set()
    for text in ("a = 1", "a = 2", "a = 1"):
        module.write_text(text, encoding="utf-8")
        found.add(kept.program())
    assert len(found) == 2
