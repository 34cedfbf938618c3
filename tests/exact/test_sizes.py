"""A bet of one to three antes, as the player chooses: settled, offered, played and priced, each size."""

from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest

from aceking.api.table import Table
from aceking.cards.card import card, cards
from aceking.cards.deck import DECK
from aceking.cards.hand import rank
from aceking.exact.choices import choices, cost
from aceking.exact.games import edge, value
from aceking.exact.seen_cards import seeing
from aceking.exact.strategy import strategy
from aceking.exact.stud.money import nets
from aceking.exact.stud.states import states
from aceking.exact.unpriced import UnpricedError
from aceking.rules.book import Book
from aceking.settlement.judge import judge
from aceking.simulation.plan import plan
from aceking.simulation.run import run
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver, DriverError, new_table
from aceking.table.show.offers import player_offers
from tests.exact.heirs import enumerated_bet, same_at_the_table, settled_bet
from tests.exact.test_stud_settle import PAIRS
from tests.rules.test_inheritance import complaints, heir

HEIR = """
from = "{older}"
id = "sizes"
[[clause]]
id = "SZ-1"
topic = "bet"
actor = "player"
says = "The bet is one to three antes, as the player chooses."
set.bet.antes = {least}
set.bet.antes_max = {most}
"""


def book_of(tmp_path: Path, least: int = 1, most: int = 3, older: str = "section10") -> Book:
    return heir(tmp_path, HEIR.format(older=older, least=least, most=most), f"{least}-{most}.toml")


def test_every_size_nets_at_the_table_what_it_nets_in_the_mathematics(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    by = judge(book)
    for antes in (1, 2, 3):
        money = nets(book, antes=antes)
        for mine, theirs in PAIRS[::3]:
            own, others = rank(mine), rank(theirs)
            if not by.qualifies[by.strength(theirs)]:
                expected = money.unqualified
            elif own == others:
                expected = money.tie
            else:
                expected = money.win[own.category] if own > others else money.lose
            assert settled_bet(book, mine, theirs, bet=antes) == expected


def test_one_hand_by_brute_force(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    hand, up = cards("8h 8d 9c 5s 2d"), card("Kc")
    found = value(book, hand, up).decisions
    assert set(found) == {"fold", "bet 1", "bet 2", "bet 3"}
    assert found["bet 3"] == enumerated_bet(book, hand, up, bet=3)
    assert found["bet 2"] - found["bet 1"] == found["bet 3"] - found["bet 2"]


def test_the_best_play_takes_the_best_size_in_every_state(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    found = edge(book)
    one, three = (states(heir(tmp_path, fixed(antes), f"{antes}.toml")) for antes in (1, 3))
    gain = np.maximum(np.maximum(one.bets, three.bets), one.fold)
    assert one.unit == three.unit
    total = sum(int(number) * int(worth) for number, worth in zip(one.number.tolist(), gain.tolist(), strict=True))
    assert found.net_per_ante == Fraction(total, one.unit * int(one.number.sum()))
    assert sum(found.decisions.values()) == 1
    assert set(found.decisions) == {"fold", "bet 1", "bet 3"}
    assert found.risked == 1 + found.decisions["bet 1"] + 3 * found.decisions["bet 3"]


def fixed(antes: int) -> str:
    return HEIR.format(older="section10", least=antes, most=0).replace("set.bet.antes_max = 0\n", "")


def test_a_choice_is_never_worse_than_one_of_its_sizes(tmp_path: Path) -> None:
    chosen = edge(book_of(tmp_path)).house_edge
    for antes in (1, 2, 3):
        assert chosen < edge(heir(tmp_path, fixed(antes), f"{antes}.toml")).house_edge


def test_values_of_sampled_states_are_those_of_the_sizes(tmp_path: Path) -> None:
    book, random = book_of(tmp_path), Random(2)
    single = {antes: heir(tmp_path, fixed(antes), f"{antes}.toml") for antes in (1, 2, 3)}
    for _ in range(5):
        *hand, up = random.sample(DECK, 6)
        found = value(book, hand, up).decisions
        for antes, other in single.items():
            assert found[f"bet {antes}"] == value(other, hand, up).decisions["bet"]


@pytest.mark.parametrize("antes", [1, 2, 3])
def test_a_table_offers_takes_and_pays_every_size(tmp_path: Path, antes: int) -> None:
    book = book_of(tmp_path)
    driver = Driver(book, new_table(book))
    driver.open_table()
    driver.open_bets(list(range(51, -1, -1)))
    driver.must(c.Ante(box=1, player="Ann", amount=10_00))
    driver.close_bets()
    driver.deal()
    driver.must(c.Look(box=1))
    offered = [one for one in player_offers(book, driver.table, "Ann") if one.do == "bet"]
    assert [(one.amount, one.antes) for one in offered] == [("10", 1), ("20", 2), ("30", 3)]
    found = choices(book, driver.table, 1)
    assert found is not None
    assert found.best.startswith(("bet", "fold"))
    lost = found.decisions[found.best] - found.decisions[f"bet {antes}"]
    assert cost(book, driver.table, 1, f"bet {antes}", among=found) == lost
    for wrong in (5_00, 15_00, 40_00):
        with pytest.raises(DriverError, match="the bet is"):
            driver.must(c.Bet(box=1, player="Ann", amount=wrong))
    driver.must(c.Bet(box=1, player="Ann", amount=antes * 10_00))
    driver.finish()
    current = driver.table.round
    assert current is not None
    assert {line.stake for line in current.lines if line.wager == "bet"} == {antes * 10_00}
    assert sum(driver.table.accounts.values()) == 0


def test_a_programmer_says_how_many_antes(tmp_path: Path) -> None:
    table = Table(book_of(tmp_path), seed=1)
    table.ante(10).deal()
    table.bet(antes=3)
    assert table.round is not None


def test_the_simulator_and_the_table_play_the_best_size(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    assert same_at_the_table(book)
    exact, found = edge(book), run(plan(book, rounds=200_000, seed=4))
    assert abs(float(found.net_per_ante - exact.net_per_ante)) < 5 * exact.standard_deviation / 200_000**0.5
    assert set(found.decisions) == set(exact.decisions)
    for decision, share in exact.decisions.items():
        assert abs(found.decisions[decision] - share) < Fraction(1, 200)


def test_what_knows_one_size_says_so(tmp_path: Path) -> None:
    book = book_of(tmp_path)
    for asked in (
        lambda: strategy(book),
        lambda: seeing(book, dealer_cards=2),
    ):
        with pytest.raises(UnpricedError, match=r"sizes: SZ-1: bet\.antes_max: .* for one size of bet"):
            asked()


@pytest.mark.parametrize(
    ("least", "most", "older", "says"),
    [
        (3, 3, "section10", "bet.antes_max: 3 is not more than the least bet, 3"),
        (3, 1, "section10", "bet.antes_max: 1 is not more than the least bet, 3"),
        (1, 101, "section10", "101 is not a number of antes from 1 to 100"),
        (1, 3, "exchange", "a choice of bets is known against a dealer's hand, without an exchange"),
        (1, 3, "colorado-required", "a choice of bets is known against a dealer's hand, without an exchange"),
    ],
)
def test_a_choice_that_is_none_is_told(tmp_path: Path, least: int, most: int, older: str, says: str) -> None:
    assert any(says in one for one in complaints(tmp_path, HEIR.format(older=older, least=least, most=most)))
