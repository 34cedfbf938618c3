"""The books of examples/books: a house of one's own in a few lines, with the figure that its first lines promise."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from aceking.cards.card import cards, names
from aceking.exact.games import edge, value
from aceking.exact.side_bets.side_wagers import named_edge
from aceking.exact.unpriced import UnpricedError
from aceking.rules.reading.load import book_ids, load_book
from aceking.rules.review.lint import lint
from tests.commands.test_new_book import run
from tests.exact.heirs import same_at_the_table

FILES = sorted((Path(__file__).resolve().parents[2] / "examples" / "books").glob("*.toml"))
#: Played and settled, and priced hand by hand only.
UNPRICED = {"oasis", "russian"}
PRICED = [file for file in FILES if file.stem not in UNPRICED]
_PROMISE = re.compile(r"# It costs (\S+) % of the ante: (\d+)/(\d+)\.")

_WAGER = re.compile(r"# The wager (\S+) costs (\S+) % of its stake: (\d+)/(\d+)\.")
_ENVY = re.compile(r"# Envy on the (\S+) gives back (\S+) % of the stake for each other box: (\d+)/(\d+)\.")


def test_there_are_twelve_example_books() -> None:
    assert len(FILES) == 12
    assert {file.stem for file in FILES} >= UNPRICED


@pytest.mark.parametrize("file", PRICED, ids=lambda file: file.stem)
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


@pytest.mark.parametrize("file", PRICED, ids=lambda file: file.stem)
@pytest.mark.proof
def test_a_book_is_played_at_the_table_as_it_is_priced(file: Path) -> None:
    assert same_at_the_table(load_book(str(file)), rounds=40)


def test_a_book_of_the_examples_is_checked_by_the_command(tmp_path: Path) -> None:
    status, out, err = run(tmp_path, "books", "check", str(PRICED[-1]), "--rounds", "50")
    assert status == 0, out + err


def test_a_hand_of_the_price_list_is_worth_what_the_book_says_and_no_edge_is_made_up() -> None:
    file = next(one for one in FILES if one.stem == "oasis")
    text = file.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 30
    book = load_book(str(file))
    promise = re.search(r"hand by hand: (.{14}) against (..) is best given away whole, at (-?\d+/\d+) antes", text)
    assert promise is not None
    hand, up = cards(promise[1]), cards(promise[2])[0]
    found = value(book, hand, up)
    assert len(found.decisions) == 2 + 31
    assert found.best == f"exchange {names(tuple(sorted(hand)))}"
    assert found.decisions[found.best] == Fraction(promise[3])
    with pytest.raises(UnpricedError, match=r"oasis: OAS-2: exchange\.cards: .*`aceking value` prices one hand"):
        edge(book)
    assert all(one.explained for one in lint(book))


@pytest.mark.parametrize("name", ["oasis", "russian"])
def test_what_is_played_and_not_priced_is_said_in_one_sentence(tmp_path: Path, name: str) -> None:
    file = next(one for one in FILES if one.stem == name)
    for words in (["edge"], ["strategy"], ["simulate", "--rounds", "100"]):
        status, out, err = run(tmp_path, words[0], str(file), *words[1:])
        assert (status, out) == (2, "")
        assert err.startswith(f"aceking: {name}: ")
        assert len(err.splitlines()) == 1


def test_a_bought_card_has_no_value_made_up() -> None:
    book = load_book(str(next(one for one in FILES if one.stem == "russian")))
    with pytest.raises(UnpricedError, match=r"russian: RUS-1: bought\.price_antes: .* played, and not priced"):
        value(book, cards("Ah Kd 9c 5s 2d"), cards("9h")[0])
    assert all(one.explained for one in lint(book))
