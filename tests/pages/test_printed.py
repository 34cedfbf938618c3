"""What is printed at a table is what its book says, and a past round is told as it was."""

import pytest

from aceking.house.views.printed import clauses, printed
from aceking.house.views.returns import returns_of
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book


def test_every_fact_and_pay_cites_a_clause_of_its_book(book: Book) -> None:
    cloth, words = printed(book), clauses(book)
    cited = [one.clause for one in cloth.facts] + [one.clause for one in cloth.pays] + [*cloth.governs.values()]
    cited += [cloth.side.clause] if cloth.side is not None else []
    cited += [one.clause for one in cloth.sides]
    assert cited
    for clause in cited:
        assert words[clause].says == book.clauses[clause].says


def test_the_pays_on_the_sign_are_the_pays_of_the_book(book: Book) -> None:
    [bet] = [one for one in printed(book).pays if one.wager == "bet"]
    assert [(row.hand, row.odds) for row in bet.rows] == [
        (hand.title, f"{pays.numerator} to {pays.denominator}") for hand, pays in book.bet.pays.items()
    ]


@pytest.mark.parametrize(
    ("name", "facts"),
    [
        ("section10", {"ante-pays": "1 to 1", "qualifies": "ace king high", "bet-antes": "2"}),
        ("exchange", {"ante-pays": "1 to 1", "qualifies": "ace king high", "bet-antes": "2", "exchange-antes": "1"}),
        ("colorado-required", {"wins": "pair of tens", "pushes": "pair of sevens", "bet-antes": "1"}),
        ("colorado-permissible", {"wins": "pair of jacks", "pushes": "pair of nines", "bet-antes": "1"}),
    ],
)
def test_the_felt_states_the_rules_of_its_game(name: str, facts: dict[str, str]) -> None:
    assert {one.what: one.value for one in printed(load_book(name)).facts} == facts


def test_an_award_that_the_house_must_post_and_has_not_is_printed_as_such() -> None:
    [awards] = [one for one in printed(load_book("exchange")).pays if one.wager == "progressive"]
    rows = {row.hand: (row.amount, row.share) for row in awards.rows}
    assert rows["royal flush"] == (None, "100")
    assert rows["four of a kind"] == (None, None)
    assert "open" in returns_of(load_book("exchange")).sides["progressive"]
