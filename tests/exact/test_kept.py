"""Kept answers: the same question is read, another is counted, a broken file is no answer."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from aceking.cards.hand import Category
from aceking.exact import kept
from aceking.exact.games import edge
from aceking.rules.book import Book
from aceking.rules.load import load_book, with_options

BOOK = load_book("colorado-required")


def test_an_answer_is_kept_and_read_again(tmp_path: Path) -> None:
    assert kept.edge(BOOK, folder=tmp_path) == edge(BOOK)
    (file,) = tmp_path.iterdir()
    before = file.stat().st_mtime_ns
    assert kept.edge(BOOK, folder=tmp_path) == edge(BOOK)
    assert file.stat().st_mtime_ns == before


def test_another_line_or_option_is_another_question(tmp_path: Path) -> None:
    kept.edge(BOOK, folder=tmp_path)
    pays = {**BOOK.bet.pays, Category.FLUSH: Fraction(7)}
    changed = replace(BOOK, bet=replace(BOOK.bet, pays=pays))
    assert kept.edge(changed, folder=tmp_path) == edge(changed) != edge(BOOK)
    other = with_options(BOOK, {"three-card-ace-low": "not-allowed"})
    assert isinstance(other, Book)
    assert kept.priced(other) != kept.priced(BOOK)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_broken_file_is_counted_again_and_a_folder_that_is_none_keeps_nothing(tmp_path: Path) -> None:
    kept.edge(BOOK, folder=tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_text('{"book": "other", "deals": 3}', encoding="utf-8")
    assert kept.edge(BOOK, folder=tmp_path) == edge(BOOK)
    assert '"outcomes"' in file.read_text(encoding="utf-8")
    assert kept.edge(BOOK, folder=file / "no folder") == edge(BOOK)


def test_the_environment_says_where(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(kept.FOLDER, str(tmp_path))
    assert kept.default_folder() == tmp_path
    monkeypatch.setenv(kept.FOLDER, "")
    assert kept.default_folder() is None
    assert kept.edge(BOOK) == edge(BOOK)
