"""A book that starts from another has what it sets, and all that it leaves alone."""

from fractions import Fraction
from pathlib import Path

import pytest

from aceking.cards.hand import Category
from aceking.exact.games import edge
from aceking.rules.book import Book
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import load_book

HEIR = """
from = "section10"
id = "my-house"
title = "Our Caribbean Stud"
house = "My House"
currency = "EUR"
{more}
[[clause]]
id = "MY-1"
topic = "pays"
actor = "house"
says = "The bet pays more than the regulator asks."
set.bet.pays = {{ flush = "7 to 1", full_house = "10 to 1" }}
set.bet.antes = 3
"""


def heir(tmp_path: Path, text: str, name: str = "mine.toml") -> Book:
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    return load_book(str(file))


def complaints(tmp_path: Path, text: str) -> tuple[str, ...]:
    with pytest.raises(BookError) as refused:
        heir(tmp_path, text)
    return refused.value.complaints


def test_an_heir_sets_rules_anew_and_keeps_the_others(tmp_path: Path) -> None:
    mine, older = heir(tmp_path, HEIR.format(more="")), load_book("section10")
    assert (mine.id, mine.currency, mine.version, mine.decimals) == ("my-house", "EUR", older.version, older.decimals)
    assert mine.bet.pays[Category.FLUSH] == 7
    assert mine.bet.pays[Category.STRAIGHT] == older.bet.pays[Category.STRAIGHT]
    assert mine.bet.antes == 3
    assert mine.cite("bet.pays.flush") == mine.cite("bet.antes") == "MY-1"
    assert mine.cite("bet.pays.straight") == older.cite("bet.pays.straight")
    assert mine.dealer == older.dealer
    assert mine.progressive == older.progressive
    assert set(mine.clauses) == {*older.clauses, "MY-1"}


@pytest.mark.parametrize("row", ["", "flsh"])
@pytest.mark.parametrize("pays", ["", "none", "5 to 1"])
def test_a_row_that_there_is_not_is_told_whatever_it_pays(tmp_path: Path, row: str, pays: str) -> None:
    told = complaints(tmp_path, HEIR.format(more="").replace("flush =", f'"{row}" = "{pays}", flush ='))
    assert [one for one in told if f"there is no row '{row}'" in one]


def test_whose_clause_each_rule_is_now_is_known(tmp_path: Path) -> None:
    mine, older = heir(tmp_path, HEIR.format(more="")), load_book("section10")
    heritage = mine.heritage
    assert heritage.line == ("section10",)
    assert set(heritage.origin) == set(older.clauses)
    assert set(heritage.origin.values()) == {"section10"}
    assert heritage.anew == {key: older.cite(key) for key in ("bet.pays.flush", "bet.pays.full_house", "bet.antes")}
    assert heritage.dropped == {}
    assert older.heritage.line == ()


def test_the_figures_are_those_of_the_book_written_out(tmp_path: Path) -> None:
    """The edge of 100/50/25/10/7/5/3/2/1 pays was worked out elsewhere."""
    text = """
from = "section10"
id = "better"
[[clause]]
id = "B-1"
topic = "pays"
actor = "house"
says = "The table of pays."
set.bet.pays.four_of_a_kind = "25 to 1"
set.bet.pays.full_house = "10 to 1"
set.bet.pays.flush = "7 to 1"
set.bet.pays.straight = "5 to 1"
"""
    found = edge(heir(tmp_path, text))
    assert -found.net_per_ante == Fraction(738_262_709_372, 19_933_230_517_200)


def test_the_hash_covers_the_heritage(tmp_path: Path) -> None:
    one = heir(tmp_path, HEIR.format(more=""))
    (tmp_path / "base.toml").write_text(HEIR.format(more="").replace("my-house", "base"), encoding="utf-8")
    child = 'from = "base.toml"\nid = "child"\n'
    first = heir(tmp_path, child, "first.toml")
    (tmp_path / "base.toml").write_text(
        HEIR.format(more="").replace("my-house", "base").replace("7 to 1", "8 to 1"), encoding="utf-8"
    )
    second = heir(tmp_path, child, "second.toml")
    assert len({one.digest, first.digest, second.digest, load_book("section10").digest}) == 4
    assert first.heritage.line == ("base", "section10")
    assert first.heritage.origin["MY-1"] == "base"
    assert first.heritage.anew == one.heritage.anew
    assert second.bet.pays[Category.FLUSH] == 8


def test_a_clause_is_dropped_an_option_fixed_and_a_clause_written_anew(tmp_path: Path) -> None:
    older = load_book("section10")
    gone = next(one.id for one in older.clauses.values() if one.kind == "defines")
    anew = next(one for one in older.clauses.values() if one.kind == "outside")
    more = f"""
drops = ["{gone}"]
fixes = {{ folded-progressive = "payable" }}
[[clause]]
id = "{anew.id}"
topic = "heading"
actor = "house"
says = "We say it in our own words."
outside = "A heading."
"""
    mine = heir(tmp_path, HEIR.format(more=more))
    assert gone not in mine.clauses
    assert mine.clauses[anew.id].says == "We say it in our own words."
    assert mine.heritage.dropped == {gone: "section10", anew.id: "section10"}
    assert anew.id not in mine.heritage.origin
    assert mine.progressive is not None
    assert mine.progressive.folded == "payable"
    assert mine.fixed == {"folded-progressive": "payable"}


def test_a_clause_whose_rules_are_all_set_anew_stays_and_says_so(tmp_path: Path) -> None:
    older = load_book("section10")
    only = next(one for one in older.clauses.values() if one.sets == ("bet.antes",) and one.kind == "sets")
    mine = heir(tmp_path, HEIR.format(more=""))
    if not (only.acts or only.rulings or only.defines):
        assert mine.clauses[only.id].outside == "What it sets is set anew by MY-1."
    assert mine.clauses[only.id].sets == ()


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ('drops = ["CSP-10(zz)"]', "it drops CSP-10(zz), which section10 does not have"),
        ('drops = ["MY-1"]', "it drops MY-1, which section10 does not have"),
        ("drops = 7", "7 is not a list of clauses"),
        ('fixes = { folded-progresive = "payable" }', "did you mean folded-progressive?"),
        ('fixes = { folded-progressive = "perhaps" }', "is one of not-payable, payable"),
        ("fixes = [1]", "[1] is not a table of options"),
        ('colour = "red"', "a book has no key 'colour'"),
    ],
)
def test_what_an_heir_may_not_say_is_told(tmp_path: Path, more: str, told: str) -> None:
    assert any(told in one for one in complaints(tmp_path, HEIR.format(more=more)))


def test_a_needed_clause_cannot_be_dropped(tmp_path: Path) -> None:
    clause = load_book("section10").cite("bet.pays.straight")
    found = complaints(tmp_path, HEIR.format(more=f'drops = ["{clause}"]'))
    assert any("there is no row bet.pays.straight" in one for one in found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('from = "nowhere"\nid = "x"', "x: from: there is no book 'nowhere'; there are colorado-permissible, "),
        ('from = "nowhere.toml"\nid = "x"', "nowhere.toml: there is no such file"),
        ('from = "mine.toml"\nid = "x"', "the book starts from itself"),
        ('from = 7\nid = "x"', "7 is not the name of a book"),
        ('from = "section10"', "the id"),
    ],
)
def test_a_book_starts_from_a_book(tmp_path: Path, text: str, told: str) -> None:
    if told == "the id":
        # Without an id of its own it would be the older book with other rules.
        assert any("a book that starts from another has an id of its own" in one for one in complaints(tmp_path, text))
    else:
        assert any(told in one for one in complaints(tmp_path, text))


def test_two_books_that_start_from_each_other_are_told(tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text('from = "mine.toml"\nid = "other"\n', encoding="utf-8")
    assert any("starts from itself" in one for one in complaints(tmp_path, 'from = "other.toml"\nid = "mine"\n'))


def test_a_file_that_was_written_anew_is_read_again_and_so_is_its_heir(tmp_path: Path) -> None:
    """Who writes a book in a notebook priced the first draft of it again and again."""
    older = heir(tmp_path, HEIR.format(more=""), "older.toml")
    young = 'from = "older.toml"\nid = "young"\n'
    younger = heir(tmp_path, young, "young.toml")
    assert load_book(str(tmp_path / "young.toml")) is younger
    changed = heir(tmp_path, HEIR.format(more="").replace('flush = "7 to 1"', 'flush = "10 to 1"'), "older.toml")
    assert older.bet.pays[Category.FLUSH] == 7
    assert changed.bet.pays[Category.FLUSH] == 10
    assert load_book(str(tmp_path / "young.toml")).bet.pays[Category.FLUSH] == 10
    (tmp_path / "older.toml").unlink()
    with pytest.raises(BookError, match="there is no such file"):
        load_book(str(tmp_path / "young.toml"))
