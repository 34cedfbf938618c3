"""The books of examples/books: a house of one's own in a few lines, with the figure that its first lines promise."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from aceking.exact.games import edge
from aceking.exact.named import named_edge
from aceking.rules.lint import lint
from aceking.rules.load import book_ids, load_book
from tests.exact.heirs import same_at_the_table
from tests.test_writing import run

FILES = sorted((Path(__file__).resolve().parent.parent / "examples" / "books").glob("*.toml"))
_PROMISE = re.compile(r"# It costs (\S+) % of the ante: (\d+)/(\d+)\.")

_WAGER = re.compile(r"# The wager (\S+) costs (\S+) % of its stake: (\d+)/(\d+)\.")
_ENVY = re.compile(r"# Envy on the (\S+) gives back (\S+) % of the stake for each other box: (\d+)/(\d+)\.")


def test_there_are_some() -> None:
    assert len(FILES) >= 7


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_book_is_short_and_costs_what_it_says(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 40
    book = load_book(str(file))
    assert book.id == file.stem
    assert book.heritage.line[-1] in book_ids()
    promise = _PROMISE.search(text)
    assert promise is not None
    assert edge(book).house_edge == Fraction(int(promise[2]), int(promise[3]))
    assert f"{float(100 * edge(book).house_edge):.4f}" == promise[1]
    assert all(one.explained for one in lint(book))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_side_wager_of_a_book_costs_what_it_says(file: Path) -> None:
    text, book = file.read_text(encoding="utf-8"), load_book(str(file))
    told = {name: (percent, Fraction(int(part), int(of))) for name, percent, part, of in _WAGER.findall(text)}
    assert told.keys() == book.sides.keys()
    for name, (percent, exact) in told.items():
        assert named_edge(book, name).house_edge == exact
        assert f"{float(100 * exact):.4f}" == percent
    envy = {name: Fraction(int(part), int(of)) for name, _, part, of in _ENVY.findall(text)}
    assert envy.keys() == {name for name, side in book.sides.items() if side.envy}
    for name, exact in envy.items():
        stake, paid = book.sides[name].stake, named_edge(book, name).envy
        assert stake is not None
        assert paid == exact * stake


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_book_is_played_at_the_table_as_it_is_priced(file: Path) -> None:
    assert same_at_the_table(load_book(str(file)), rounds=40)


def test_a_book_of_the_examples_is_checked_by_the_command(tmp_path: Path) -> None:
    status, out, err = run(tmp_path, "books", "check", str(FILES[-1]), "--rounds", "50")
    assert status == 0, out + err
