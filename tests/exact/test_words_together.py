"""The words of a house in any company: what loads is dealt and settled, and nets what the mathematics nets."""

from pathlib import Path
from random import Random

import pytest

from aceking.cards.deck import DECK
from aceking.cards.hand import rank
from aceking.exact.caps import with_ante
from aceking.exact.games import edge, value
from aceking.exact.stud.money import nets
from aceking.exact.stud.sizes import sizes
from aceking.exact.stud.states import states
from aceking.rules.book import Book
from aceking.rules.odds import Amount
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import load_book
from aceking.settlement.judge import judge
from tests.exact.heirs import ANTE, settled_bet
from tests.rules.damage import play_one, settle_one

WORDS: dict[str, tuple[str, ...]] = {
    "dealer.qualifies_with": ('"any"', '"A Q 4 3 2"', '"2 2 5 4 3"', '"T T 4 3 2"', '"6 5 4 3 2"', '"9 9 9 9 2"'),
    "dealer.qualifies_too": ('["K Q"]', '["A J", "K Q J"]', '["4 4", "9 9"]', '["7 7 7"]', "[]", '["9 9 8 8"]'),
    "dealer.unqualified_ante": ('"push"', '"2 to 1"', '"none"', '"1 to 2"'),
    "dealer.unqualified_bet": ('"push"', '"none"', '"returned"'),
    "ante.pays": ('"push"', '"3 to 2"', '"1 to 1"'),
    "ante.pays_from": ('"pair"', '"flush"', '"high_card"', '"T T 4 3 2"'),
    "ante.returned_from": ('"high_card"', '"straight"', '"royal_flush"', '"A K Q 3 2"'),
    "bet.antes": ("1", "2", "3"),
    "bet.antes_max": ("2", "3", "5"),
    "bet.unlisted": ('"push"', '"lost"'),
    "bet.pays.high_card": ('"none"', '"push"', '"3 to 1"'),
    "bet.pays.flush": ('"none"', '"7 to 1"'),
    "hands.ace_low": ("true", "false"),
    "table.round_cap": ('"5"', '"1000"'),
    "table.round_cap_for": ('"box"', '"table"'),
    "table.round_cap_cut": ('"in-order"', '"pro-rata"'),
}
HEAD = '[[clause]]\nid = "X-1"\ntopic = "x"\nactor = "house"\nsays = "Some of it."\n'


def drawn(tmp_path: Path, number: int) -> Book | None:
    """A book with one to five of the words, or None where the loader tells what is wrong."""
    chance = Random(f"words/{number}")
    older = chance.choice(("section10", "rws", "washington", "exchange", "colorado-required"))
    words = chance.sample(sorted(WORDS), chance.randint(1, 5))
    lines = "".join(f"set.{key} = {chance.choice(WORDS[key])}\n" for key in words)
    file = tmp_path / f"{number}.toml"
    file.write_text(f'from = "{older}"\nid = "drawn"\n{HEAD}{lines}', encoding="utf-8")
    told: tuple[str, ...] = ()
    try:
        return load_book(str(file))
    except BookError as wrong:
        told = wrong.complaints
    assert all("\n" not in one and one.startswith("drawn: ") for one in told)
    return None


@pytest.mark.parametrize("part", range(4))
def test_what_loads_is_played_and_nets_what_is_priced(tmp_path: Path, part: int) -> None:
    loaded = 0
    for number in range(60 * part, 60 * part + 60):
        book = drawn(tmp_path, number)
        if book is None:
            continue
        loaded += 1
        chance = Random(number)
        assert settle_one(book, chance), number
        assert play_one(book, chance), number
        if book.dealer is not None:
            agree(with_ante(book, Amount(ANTE)), chance)
    assert loaded > 8


def agree(book: Book, chance: Random) -> None:
    """Random deals, each size of bet: the table and the mathematics come to the same."""
    by, ace_low = judge(book), book.hands.ace_low
    for _ in range(40):
        dealt = chance.sample(DECK, 10)
        mine, theirs = dealt[:5], dealt[5:]
        own, others = rank(mine, ace_low=ace_low), rank(theirs, ace_low=ace_low)
        for antes in sizes(book):
            money = nets(book, antes=antes)
            if not by.qualifies[by.strength(theirs)]:
                expected = money.unqualified
            elif own == others:
                expected = money.tie
            else:
                money = money.at(own)
                expected = money.win[own.category] if own > others else money.lost(own.category)
            assert settled_bet(book, mine, theirs, bet=antes) == expected


def test_some_of_them_priced_two_ways(tmp_path: Path) -> None:
    priced = 0
    for number in range(240, 300):
        book = drawn(tmp_path, number)
        if book is None or book.dealer is None:
            continue
        if book.exchange is not None:
            continue
        table = states(book)
        if book.bet.antes_max is None:
            assert edge(book) == table.edge(table.best), number
        else:
            assert edge(book).house_edge <= table.edge(table.best).house_edge, number
        priced += 1
        chance = Random(number)
        *hand, up = chance.sample(DECK, 6)
        assert "fold" in value(book, hand, up).decisions
        if priced == 8:
            break
    assert priced >= 5
