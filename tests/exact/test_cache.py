"""Kept answers: the same question is read, another is counted, a broken file is no answer."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import aceking
from aceking.cards import fast
from aceking.exact import cache as kept
from aceking.exact.answers import edge_answer
from aceking.exact.games import changed
from aceking.exact.stud import money as stud_money
from aceking.money import chips
from aceking.rules import vocabulary
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.settlement import payments as settlement
from aceking.sheet.data import sheet_data
from tests.named_sides import LANTERN

BOOK = load_book("colorado-required")
PACKAGE = Path(aceking.__file__).parent


class Counting:
    """A question that counts how often it is worked out."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, book: Book) -> dict[str, Any]:
        """Count the call; return a fixed answer."""
        self.times += 1
        return {"answer": "1/3"}


@pytest.fixture
def keep(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Path]:
    """Return a function that sets the folder of the cache."""

    def set_folder(text: str | None = None) -> Path:
        monkeypatch.setenv(kept.FOLDER, str(tmp_path) if text is None else text)
        return tmp_path

    set_folder()
    return set_folder


def test_an_answer_is_kept_and_read_again(keep: Callable[..., Path]) -> None:
    ask = Counting()
    assert kept.cached_answer("edge", BOOK, ask) == kept.cached_answer("edge", BOOK, ask)
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
            kept.cached_answer(kind, book, ask)
    assert ask.times == 2 * len(books) == len(list(keep().iterdir()))


def test_a_broken_file_is_counted_again_and_a_folder_that_is_none_keeps_nothing(keep: Callable[..., Path]) -> None:
    ask = Counting()
    kept.cached_answer("edge", BOOK, ask)
    (file,) = keep().iterdir()
    for broken in ('{"answer": ', "[1]", "\xff"):
        file.write_bytes(broken.encode("latin-1"))
        assert kept.cached_answer("edge", BOOK, ask) == {"answer": "1/3"}
    assert ask.times == 4
    assert file.read_text(encoding="utf-8") == '{"answer": "1/3"}'
    keep(str(file / "no folder"))
    assert kept.cached_answer("edge", BOOK, ask) == {"answer": "1/3"}


@pytest.mark.parametrize("off", ["", "off"])
def test_the_environment_says_where_and_whether(keep: Callable[..., Path], off: str) -> None:
    assert kept.folder() == keep()
    keep(off)
    assert kept.folder() is None
    ask = Counting()
    kept.cached_answer("edge", BOOK, ask)
    kept.cached_answer("edge", BOOK, ask)
    assert ask.times == 2


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, copied, so that a test may change its text."""
    package = tmp_path_factory.mktemp("copy") / "aceking"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    return package


def in_copy(package: Path, module: str) -> Path:
    """The file of a module, in this copy of the package."""
    return package / Path(str(sys.modules[module].__file__)).relative_to(PACKAGE)


@pytest.mark.parametrize("answer", [edge_answer, sheet_data])
def test_a_changed_byte_is_another_program_where_an_answer_depends_on_it_and_nowhere_else(
    answer: Callable[..., Any], copy: Path
) -> None:
    module = in_copy(copy, answer.__module__)
    before = kept.program(module, copy)
    for read in (settlement, chips, vocabulary, fast, stud_money):
        with one_byte_more(in_copy(copy, read.__name__)):
            assert kept.program(module, copy) != before, read.__name__
    for unread in ("web", "house", "commands"):
        with one_byte_more(next((copy / unread).glob("*.py"))):
            assert kept.program(module, copy) == before, unread


@contextmanager
def one_byte_more(file: Path) -> Iterator[None]:
    text = file.read_bytes()
    file.write_bytes(text + b"#")
    try:
        yield
    finally:
        file.write_bytes(text)


def test_every_module_that_a_count_loads_is_part_of_the_key(copy: Path) -> None:
    """What the imports of the texts say is held against what Python imports while it counts."""
    said = run_in(copy, _COUNT).split()
    covered = kept.depends_on(in_copy(copy, edge_answer.__module__), copy)
    assert len(said) > 40
    assert set(said) - set(covered) == {"__init__.py", "version.py"}, "the package itself loads only its version"


def test_an_import_of_the_package_itself_may_be_of_any_part(tmp_path: Path) -> None:
    package = tmp_path / "aceking"
    (package / "web").mkdir(parents=True)
    (package / "web" / "page.py").write_text("shown = 1\n", encoding="utf-8")
    module = tmp_path / "counting.py"
    for text, more in (
        ("", 0),
        ("from aceking.web import page\n", 1),
        ("def count():\n    from aceking import web\n", 1),
    ):
        module.write_text(text, encoding="utf-8")
        assert len(kept.depends_on(module, package)) == 1 + more, text


def test_a_new_word_of_the_language_moves_no_hash(copy: Path) -> None:
    """A rule and a table of pays that no book sets."""
    file = in_copy(copy, vocabulary.__name__)
    own = file.read_text(encoding="utf-8")
    wider = own
    for step in ("class BetRules:", "class TableRules:", "class SideWagerRules:"):
        start = wider.index("\n\n\n", wider.index(step))
        wider = f"{wider[:start]}\n    learnt: Number | None\n    learnt_pays: Pays{wider[start:]}"
    before = run_in(copy, _HASHES)
    file.write_text(wider, encoding="utf-8")
    try:
        after = run_in(copy, _HASHES)
        assert (
            run_in(copy, "from aceking.rules.vocabulary import BetRules as Bet; print('learnt' in Bet.__annotations__)")
            == "True"
        )
    finally:
        file.write_text(own, encoding="utf-8")
    assert after == before
    assert len(before.splitlines()) == 7


def run_in(package: Path, code: str) -> str:
    """What some code prints in a Python that has this copy of the package."""
    environ = {**os.environ, kept.FOLDER: "off", "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, cwd=package.parent, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


_HASHES = f"""
from aceking.exact.changes import priced_hash
from aceking.rules.reading.load import book_ids, load_book
for name in (*book_ids(), {str(LANTERN)!r}):
    print(name, load_book(name).digest, priced_hash(load_book(name)))
"""
_COUNT = """
import sys
from pathlib import Path
from aceking.exact.answers import edge_answer
from aceking.rules.reading.load import load_book
for name in ("section10", "colorado-required", "washington"):
    edge_answer(load_book(name))
import aceking
for name, module in sys.modules.items():
    if name.partition(".")[0] == "aceking" and module.__file__:
        print(Path(module.__file__).relative_to(Path(aceking.__file__).parent).as_posix())
"""


def test_a_process_whose_program_was_replaced_on_disk_neither_reads_nor_keeps_answers(
    keep: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    program.mkdir()
    (program / "one.py").write_text("", encoding="utf-8")
    written = (program / "one.py").stat().st_mtime
    assert kept.is_replaced(program, since=written - 1)
    assert not kept.is_replaced(program, since=written)
    monkeypatch.setattr(kept, "is_replaced", lambda: True)
    ask = Counting()
    folder = keep(str(tmp_path / "kept")) / "kept"
    kept.cached_answer("edge", BOOK, ask)
    kept.cached_answer("edge", BOOK, ask)
    assert ask.times == 2
    assert not folder.exists()
