"""How a new user adds a book: it is written, checked, priced and played; all mistakes are reported at once."""

import json
from pathlib import Path

import pytest

from aceking.exact.games import edge
from aceking.rules.reading.load import book_ids, load_book
from tests.commands.in_process import aceking
from tests.named_sides import with_side


def run(folder: Path, *words: str) -> tuple[int, str, str]:
    done = aceking(*words, cwd=folder, env={"ACEKING_CACHE": "off"})
    return done.returncode, done.stdout, done.stderr


def test_a_new_book_stands_by_itself(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, "books", "new", "corner-house")
    assert status == 0
    assert out == "corner-house.toml\nNext: aceking books check corner-house.toml\n"
    mine = load_book(str(tmp_path / "corner-house.toml"))
    assert mine.id == "corner-house"
    assert edge(mine).house_edge == edge(load_book("section10")).house_edge  # the same pays and qualifier
    status, out, _ = run(tmp_path, "books", "check", "corner-house.toml", "--rounds", "300", "--json")
    told = json.loads(out)
    assert (status, told["good"], told["faults"], told["rounds"]) == (0, True, [], 300)
    assert told["exact"] == str(edge(mine).house_edge)


@pytest.mark.parametrize("older", book_ids())
def test_an_heir_of_every_book_loads(tmp_path: Path, older: str) -> None:
    status, _, err = run(tmp_path, "books", "new", "heir-of-it", "--from", older)
    assert status == 0, err
    mine = load_book(str(tmp_path / "heir-of-it.toml"))
    assert mine.heritage.line == (older,)
    assert mine.cite("bet.pays.flush") == "HEIROFIT-1"
    assert len((tmp_path / "heir-of-it.toml").read_text().splitlines()) < 25


def test_a_file_that_is_there_is_left_alone_and_a_path_is_no_name(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("precious")
    status, _, err = run(tmp_path, "books", "new", "mine")
    assert (status, err) == (2, "aceking: mine.toml exists already, and is not overwritten\n")
    assert (tmp_path / "mine.toml").read_text() == "precious"
    for name in ("../mine", "a/b", "Mine", "", "-x", "a" * 65):
        status, _, err = run(tmp_path, "books", "new", "--", name)
        assert status == 2
        assert "is not a name for a book" in err
    assert [one.name for one in tmp_path.iterdir()] == ["mine.toml"]


def test_everything_that_is_wrong_has_a_line_of_its_own(tmp_path: Path) -> None:
    run(tmp_path, "books", "new", "mine")
    file = tmp_path / "mine.toml"
    text = file.read_text()
    file.write_text(text.replace("size = 52", "size = 48").replace("antes = 2", "antes = 0").replace('"look"', '"lok"'))
    status, out, err = run(tmp_path, "books", "check", "mine.toml")
    assert (status, out) == (2, "")
    lines = err.splitlines()
    assert lines[0] == "aceking: mine: 4 things are wrong"
    assert "  mine: 1.1: deck.size: 48 is not one of 52" in lines
    assert "  mine: 3.1: bet.antes: 0 is not a number of antes from 1 to 100" in lines
    assert sum("'lok' is not a word of the vocabulary" in line and "did you mean look?" in line for line in lines) == 2


def test_the_words_of_a_book_are_found(tmp_path: Path) -> None:
    status, out, _ = run(tmp_path, "books", "words", "bet.antes")
    assert status == 0
    assert "a number of antes from 1 to 100" in out
    status, out, _ = run(tmp_path, "books", "words", "void-round")
    assert status == 0
    assert "Remedies." in out
    status, _, err = run(tmp_path, "books", "words", "bet.ante")
    assert (status, err) == (2, "aceking: no book has the word 'bet.ante'; did you mean bet.antes?\n")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("oasis", "OAS-2: exchange.cards: an exchange of one card is counted over all hands"),
        ("russian", "RUS-1: bought.price_antes: a game with a bought card is settled and played, and not priced"),
    ],
)
def test_a_game_that_is_not_priced_is_checked_and_played_all_the_same(name: str, says: str, tmp_path: Path) -> None:
    older = Path(__file__).resolve().parents[2] / "examples" / "books" / f"{name}.toml"
    side = (
        'stake = "5"\ncards = "own"\nexchanged = "first-hand"\nfolded = "stands"\npays = { royal_flush = "1000 to 1" }'
    )
    (tmp_path / f"{name}.toml").write_text(older.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "mine.toml").write_text(with_side(side, f"{name}.toml"), encoding="utf-8")
    status, out, _ = run(tmp_path, "books", "check", "mine.toml", "--rounds", "60")
    assert status == 0
    assert f"house edge   not priced: {says}" in out
    assert "extra   99.8459 % of its stake, exactly 7129/7140" in out
    assert "60 rounds at a table, every choice at random, seed 1: played out, no chip made or lost" in out
    assert "Everything else holds." in out
    status, out, _ = run(tmp_path, "books", "check", "mine.toml", "--rounds", "5", "--json")
    found = json.loads(out)
    assert (found["good"], found["rounds"], list(found["sides"])) == (True, 5, ["extra"])
    assert found["open"].startswith(says)
