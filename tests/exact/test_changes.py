"""Whatever is changed in a book is told, with the book's own value, and the command that is told changes it again."""

import json
import shlex
from fractions import Fraction
from typing import Any

import pytest

from aceking.exact.changes import changes_of, command_line, own_book, priced_hash
from aceking.exact.games import changed, pay_rows
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal


def asked(line: str) -> dict[str, Any]:
    """What a command line asks to change."""
    words = shlex.split(line)[3:]
    found: dict[str, Any] = {"options": {}, "pays": {}, "qualifies_with": None}
    for flag, text in zip(words[::2], words[1::2], strict=True):
        name, _, value = text.partition("=")
        if flag == "--qualifier":
            found["qualifies_with"] = text
        else:
            kind = "pays" if flag == "--pays" else "options"
            found[kind][name] = json.loads(value) if value.startswith("{") else value
    return found


def test_a_house_s_own_book_has_no_changes(book: Book) -> None:
    assert changes_of(book) == ()
    assert {key: rule.value for key, rule in own_book(book).by_key.items()} == {
        key: rule.value for key, rule in book.by_key.items()
    }


def test_every_choice_of_the_house_is_told_and_repeated(book: Book) -> None:
    tried = 0
    for option in book.options.values():
        for choice in option.values:
            other = with_options(book, {option.name: choice})
            if isinstance(other, Refusal):
                continue
            differs = any(rule.value != book.by_key[key].value for key, rule in other.by_key.items())
            told = changes_of(other)
            assert bool(told) == differs, (option.name, choice)
            again, _ = changed(book, **asked(command_line("edge", book.id, told)))
            assert priced_hash(again) == priced_hash(other), (option.name, choice)
            assert all(one.allowed and one.name == option.name for one in told)
            tried += differs
    assert tried > 2


def test_every_pay_row_is_told_and_repeated(book: Book) -> None:
    for row in pay_rows(book):
        other, warnings = changed(book, pays={row: "17 to 2"})
        (one,) = changes_of(other)
        assert (one.value, one.enters) == ("17 to 2", "side" if row.startswith("bonus.") else "main")
        assert one.allowed == (not warnings), row
        again, _ = changed(book, **asked(command_line("edge", book.id, [one])))
        assert priced_hash(again) == priced_hash(other) != priced_hash(book)


@pytest.mark.parametrize(
    "ranks", ["A K 4 3 2", "a k 10 9 8", "2 2 5 4 3", "10 10 2 2 3", "9 9 9 3 2", "6 5 4 3 2", "3 3 3 2 2", "2 2 2 2 3"]
)
def test_a_threshold_is_told_so_that_it_can_be_asked_for(ranks: str) -> None:
    book = load_book("section10")
    other, _ = changed(book, qualifies_with=ranks)
    told = changes_of(other)
    assert len(told) == (ranks != "A K 4 3 2")
    again, _ = changed(book, **asked(command_line("edge", book.id, told)))
    assert priced_hash(again) == priced_hash(other)


def test_a_row_chosen_by_an_option_is_named_with_its_row() -> None:
    book = with_options(load_book("colorado-required"), {"paytable-required": {"flush": "9", "pair": "2"}})
    assert not isinstance(book, Refusal)
    assert [(one.name, one.value, one.own) for one in changes_of(book)] == [
        ("paytable-required, flush", "9 to 1", "8 to 1"),
        ("paytable-required, pair", "2 to 1", "1 to 1"),
    ]
    assert book.bet.pays  # the rows are those of the bet
    assert Fraction(9) in book.bet.pays.values()


def test_a_fine_percentage_is_told_to_the_last_digit() -> None:
    book = load_book("section10")
    other, _ = changed(book, options={"progressive-straight-flush": "12.34567891%"})
    (one,) = changes_of(other)
    assert one.value == "12.34567891% of the meter"
    rates = [changed(book, options={"progression-rate": rate})[0] for rate in ("70.12345678%", "70.12345679%")]
    assert priced_hash(rates[0]) != priced_hash(rates[1])
