"""Pay tables that have no row for some hands."""

from fractions import Fraction
from pathlib import Path

import pytest

from aceking.cards.card import card, cards
from aceking.cards.hand import Category, rank
from aceking.exact.games import edge, value
from aceking.exact.side_bets.prices import side_bets
from aceking.exact.stud.money import nets
from aceking.exact.stud.states import states
from aceking.exact.unpriced import UnpricedError
from aceking.rules.book import Book
from aceking.rules.odds import Awards
from aceking.rules.reading.load import load_book
from aceking.settlement.judge import judge
from tests.exact.heirs import bet_lines, enumerated_bet, same_at_the_table, settled_bet
from tests.exact.test_stud_settle import PAIRS
from tests.rules.test_inheritance import complaints, heir

HEIR = """
from = "{older}"
id = "rows"
[[clause]]
id = "RO-1"
topic = "pays"
actor = "house"
says = "Hands that are not in the table of pays."
{lines}
"""
NO_PAIR = 'set.bet.pays.high_card = "none"\nset.bet.pays.pair = "none"\n'


def book_of(tmp_path: Path, lines: str, older: str = "section10") -> Book:
    return heir(tmp_path, HEIR.format(older=older, lines=lines))


@pytest.mark.parametrize("what", ["push", "lost"])
def test_the_table_the_mathematics_and_the_simulator_agree(tmp_path: Path, what: str) -> None:
    book = book_of(tmp_path, f'{NO_PAIR}set.bet.unlisted = "{what}"')
    assert Category.PAIR not in book.bet.pays
    money, by = nets(book), judge(book)
    assert money.win[Category.PAIR] == (1 if what == "push" else -1)
    for mine, theirs in PAIRS:
        own, others = rank(mine), rank(theirs)
        if by.qualifies[by.strength(theirs)] and own > others:
            assert settled_bet(book, mine, theirs) == money.win[own.category]
    table = states(book)
    assert edge(book) == table.edge(table.best)
    assert same_at_the_table(book)


def test_one_hand_by_brute_force(tmp_path: Path) -> None:
    book = book_of(tmp_path, f'{NO_PAIR}set.bet.unlisted = "lost"')
    hand, up = cards("Ah Ad 9c 5s 2d"), card("Kc")
    assert value(book, hand, up).decisions["bet"] == enumerated_bet(book, hand, up)


def test_a_bet_without_a_row_comes_back_by_its_clause(tmp_path: Path) -> None:
    book = book_of(tmp_path, f'{NO_PAIR}set.bet.unlisted = "push"')
    ante, bet = bet_lines(book, cards("Ah Ad 9c 5s 2d"), cards("Kh Kd 9s 5c 2h"))
    assert (ante.outcome, bet.outcome, bet.clause) == ("win", "push", "RO-1")


def test_a_table_of_pays_without_a_row(tmp_path: Path) -> None:
    push = book_of(tmp_path, 'set.bet.pays.pair = "none"\nset.bet.unlisted = "push"', "colorado-permissible")
    lost = heir(
        tmp_path,
        HEIR.format(older="colorado-permissible", lines='set.bet.pays.pair = "none"\nset.bet.unlisted = "lost"'),
        "lost.toml",
    )
    own = load_book("colorado-permissible")
    assert edge(own).house_edge < edge(push).house_edge < edge(lost).house_edge
    assert same_at_the_table(push)
    assert same_at_the_table(lost)


def test_an_award_that_is_not_there_loses(tmp_path: Path) -> None:
    book = book_of(tmp_path, 'set.progressive.awards.flush = "none"')
    assert book.progressive is not None
    awards: Awards = book.progressive.awards
    assert Category.FLUSH not in awards
    own, less = (side_bets(one, edge(one))["progressive"] for one in (load_book("section10"), book))
    flushes = Fraction(5108 * 50, 2_598_960)
    assert Fraction(own["constant"]) - Fraction(less["constant"]) == flushes


def test_an_exchange_is_priced_where_such_a_bet_comes_back(tmp_path: Path) -> None:
    rows = 'set.bet.pays.high_card = "none"\nset.exchange.pays.high_card = "none"\nset.bet.unlisted = "{}"'
    push = book_of(tmp_path, rows.format("push"), "exchange")
    assert edge(push).house_edge > edge(load_book("exchange")).house_edge
    lost = heir(tmp_path, HEIR.format(older="exchange", lines=rows.format("lost")), "lost.toml")
    with pytest.raises(UnpricedError, match="RO-1"):
        edge(lost)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ('set.bet.pays.pair = "none"', "there is no row bet.pays.pair"),
        ('set.bet.unlisted = "push"', "bet.unlisted: every hand that can win has a row"),
        ('set.bet.unlisted = "loses"', "'loses' is not one of push, lost"),
        (
            'set.bet.unlisted = "push"\n' + "".join(f'set.bet.pays.{one.key} = "none"\n' for one in Category),
            "bet.pays: no row is left",
        ),
    ],
)
def test_a_table_that_is_none_is_told(tmp_path: Path, lines: str, says: str) -> None:
    assert any(says in one for one in complaints(tmp_path, HEIR.format(older="section10", lines=lines)))
