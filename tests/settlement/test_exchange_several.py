"""Several cards exchanged at once: the price of each number, the pays of the new hand, and every wrong number."""

from pathlib import Path
from typing import Any

import pytest

from aceking.rules.refusal import Refusal
from aceking.settlement.scenario import ScenarioError
from aceking.settlement.scenario_json import scenario_from_data, settle_in
from tests.rules.test_exchange_prices import written

OASIS = str(Path(__file__).resolve().parent.parent.parent / "examples" / "books" / "oasis.toml")
HAND, NEW = "Kc Qd 9h 4s 3c", "Ah Ad As 7c 7d"
BANK = "Kd Kh 8c 5s 2c"
PRICES = {1: 1000, 2: 2000, 3: 3000, 4: 2000, 5: 1000}


def round_of(book: str, give: str, take: str, **seat: Any) -> Any:
    seats = [{"seat": 1, "play": "bet", "cards": HAND, "ante": 10, "exchange": {"give": give, "take": take}, **seat}]
    return settle_in(scenario_from_data({"book": book, "seats": seats, "dealer": BANK}))


def lines(book: str, give: str, take: str, **seat: Any) -> list[tuple[str, int, str, int, str]]:
    _, settled = round_of(book, give, take, **seat)
    return [(one.wager, one.stake, one.outcome, one.pays, one.clause) for one in settled.lines]


@pytest.mark.parametrize("count", PRICES)
def test_each_number_of_cards_has_its_price_and_the_price_is_lost(count: int) -> None:
    give, take = " ".join(HAND.split()[:count]), " ".join(NEW.split()[:count])
    fee, *_ = lines(OASIS, give, take)
    assert fee == ("exchange", PRICES[count], "lose", 0, "EUR-exchange-1")
    assert lines(OASIS, give, take, play="fold")[0] == fee


def test_a_whole_new_hand_is_paid_by_the_table_of_exchanged_hands() -> None:
    _, ante, bet = lines(OASIS, HAND, NEW)
    assert (ante[2:4], bet[:4]) == (("win", 1000), ("bet", 2000, "win", 14000))
    _, settled = round_of(OASIS, HAND, NEW)
    assert settled.seats[0].hand == "full house, aces over sevens"


def test_the_side_bet_of_who_exchanges_several_is_lost_as_for_one() -> None:
    assert lines(OASIS, "Kc Qd", "Ah Ad", side=1)[-1][:3] == ("side", 100, "lose")


def test_part_of_an_ante_is_rounded_up_to_a_coin(tmp_path: Path) -> None:
    book = written(tmp_path, "table.seats_max = 6", "exchange.cards = 2", 'exchange.prices = [1, "150%"]')
    assert lines(book, "Kc Qd", "Ah Ad")[0][1] == 1500
    assert lines(book, "Kc Qd", "Ah Ad", ante="0.05")[0][1] == 8
    assert lines(book, "Kc", "Ah", ante="0.05")[0][1] == 5


def test_more_cards_than_the_book_takes_are_refused_by_its_clause() -> None:
    one = round_of("exchange", "Kc Qd", "Ah Ad")
    assert one == Refusal("seat 1: one card may be exchanged", "EUR-exchange-1")


def test_a_book_of_two_refuses_three(tmp_path: Path) -> None:
    book = written(tmp_path, "table.seats_max = 6", "exchange.cards = 2", "exchange.prices = [1, 2]")
    assert round_of(book, "Kc Qd 9h", "Ah Ad As") == Refusal("seat 1: 1 to 2 cards may be exchanged", "SV-1")
    assert not isinstance(round_of(book, "Kc Qd", "Ah Ad"), Refusal)


@pytest.mark.parametrize(
    ("give", "take", "says"),
    [
        ("Kc Qd", "Ah", "seat 1: 2 given away and 1 taken; the two numbers must be equal"),
        ("Kc", "Ah Ad", "seat 1: 1 given away and 2 taken; the two numbers must be equal"),
        ("Kc Kc", "Ah Ad", "seat 1: a card is given away twice"),
        ("Kc Jd", "Ah Ad", "seat 1: Jd is given away and is not in the hand"),
        ("Kc Qd", "Ah Ah", "Ah"),
        ("Kc Qd", "Ah Kd", "Kd"),
        ("Kc Qd", "Ah 9h", "9h"),
        ("Kc Xx", "Ah Ad", "seat 1: "),
    ],
)
def test_cards_that_cannot_be_are_told_in_one_sentence(give: str, take: str, says: str) -> None:
    with pytest.raises((ScenarioError, ValueError), match=says):
        round_of(OASIS, give, take)
