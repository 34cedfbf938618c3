"""In which order the dealer takes and pays: what was over before the reveal, then the book's passes from the right."""

from typing import Any

import pytest

from aceking.settlement.lines import Line, Settlement
from aceking.settlement.scenario_json import scenario_from_data, settle_in

DEALER = "Ah Kd 9c 5s 2d"
WINS, LOSES, TIES = "Ts Td 8h 4s 3c", "Qd Jd 8c 6h 3h", "Ac Kc 9h 5h 2c"
MORE_WINS, MORE_LOSES = "7s 7d Jh Th 6c", "Qs Jc Tc 7h 4d"


def lines(book: str, seats: list[dict[str, Any]], **laid_out: Any) -> list[Line]:
    data = {"id": "order", "book": book, "seats": [{"ante": "10", **one} for one in seats], **laid_out}
    result = settle_in(scenario_from_data(data))
    assert isinstance(result, tuple), result
    settlement = result[1]
    assert isinstance(settlement, Settlement)
    return list(settlement.lines)


def told(many: list[Line]) -> list[str]:
    return [f"{one.seat} {one.wager} {one.outcome}" for one in many]


FIVE = [
    {"seat": 1, "cards": WINS},
    {"seat": 2, "cards": LOSES},
    {"seat": 3, "cards": TIES},
    {"seat": 4, "cards": MORE_WINS},
    {"seat": 5, "cards": MORE_LOSES},
]


@pytest.mark.parametrize("book", ["section10", "rws"])
def test_losers_then_pushes_then_winners_each_from_the_right(book: str) -> None:
    """CSP-10(j)(5), RWS-3.14: the seat with the highest number is farthest to the dealer's right."""
    assert told(lines(book, FIVE, dealer=DEALER)) == [
        *("5 ante lose", "5 bet lose", "2 ante lose", "2 bet lose"),
        *("3 ante push", "3 bet push"),
        *("4 ante win", "4 bet win", "1 ante win", "1 bet win"),
    ]


@pytest.mark.parametrize("book", ["exchange", "washington"])
def test_boxes_are_settled_one_after_the_other_from_the_right(book: str) -> None:
    """EUR-p12-qualify, WA-8: each box is settled as a whole before the next."""
    assert [one.seat for one in lines(book, FIVE, dealer=DEALER)] == [5, 5, 4, 4, 3, 3, 2, 2, 1, 1]


@pytest.mark.parametrize("book", ["section10", "rws", "exchange", "washington"])
def test_folds_are_over_before_the_reveal_in_the_order_of_the_decisions(book: str) -> None:
    seats = [{**FIVE[0], "play": "fold"}, FIVE[1], {**FIVE[4], "play": "fold"}]
    found = lines(book, seats, dealer=DEALER)
    assert told(found) == ["1 ante lose", "5 ante lose", "2 ante lose", "2 bet lose"]
    assert [one.early for one in found] == [True, True, False, False]


def test_the_price_of_an_exchange_is_taken_at_once() -> None:
    """EUR-exchange-1: the fee lies with the house before anybody's hand is turned."""
    swapped = {**FIVE[0], "exchange": {"give": "3c", "take": "Tc"}}
    found = lines("exchange", [swapped, FIVE[1]], dealer=DEALER)
    assert told(found) == ["1 exchange lose", "2 ante lose", "2 bet lose", "1 ante win", "1 bet win"]
    assert [one.early for one in found] == [True, False, False, False, False]


@pytest.mark.parametrize("book", ["section10", "rws"])
def test_a_paid_ante_with_a_returned_bet_is_a_winner(book: str) -> None:
    """The bank does not qualify: all antes are paid from the right, and a fold was over before."""
    seats = [FIVE[0], {**FIVE[1], "play": "fold"}, FIVE[4]]
    found = lines(book, seats, dealer="Qh Jh 9c 5s 2d")
    back = found[2].outcome
    assert back != "lose"
    assert told(found) == ["2 ante lose", "5 ante win", f"5 bet {back}", "1 ante win", f"1 bet {back}"]


def test_what_only_goes_back_is_handled_with_the_pushes() -> None:
    """RWS-5.4: a jackpot bet without an ante, at the far left, between the loser and the winner."""
    alone = {"seat": 1, "ante": "0", "side": "1"}
    found = lines("rws", [alone, {**FIVE[1], "seat": 2}, {**FIVE[2], "seat": 3}, {**FIVE[0], "seat": 4}], dealer=DEALER)
    assert [one.seat for one in found] == [2, 2, 3, 3, 1, 4, 4]


@pytest.mark.parametrize("book", ["colorado-required", "colorado-permissible"])
def test_colorado_takes_returns_and_pays_from_the_right(book: str) -> None:
    """CHP-38(k)(4), (l)(7): a declared hand was paid before the community cards were turned."""
    seats = [
        {"seat": 1, "cards": "Js 3d 2c", "discard": "2c", "side": "1"},
        {"seat": 2, "cards": "Qs 5d 4d", "discard": "4d"},
        {"seat": 3, "cards": "9s 4s 2h", "discard": "2h"},
        {"seat": 4, "cards": "8h 7h 6h", "play": "declare"},
        {"seat": 6, "cards": "Jd 5h 3c", "discard": "3c"},
        {"seat": 7, "cards": "Qd 6s 4h", "discard": "4h"},
    ]
    found = told(lines(book, seats, community="Jc 9c Kh"))
    assert found == [
        "4 ante win",
        *("7 ante lose", "7 bet lose", "2 ante lose", "2 bet lose"),
        *("3 ante push", "3 bet push"),
        *("6 ante win", "6 bet win", "1 ante win", "1 bet win", "1 side push"),
    ]


def test_awards_come_after_the_main_wagers() -> None:
    """A progressive stake is spent, won or lost; its lines follow those of ante and bet."""
    seats = [{**FIVE[0], "side": "1"}, {"seat": 2, "cards": "Kh Jh 7h 4h 3h", "side": "1"}]
    found = lines("section10", seats, dealer=DEALER, meter="1000", reset="100")
    assert told(found)[-2:] == ["2 side win", "1 side lose"] or told(found)[-2:] == ["1 side lose", "2 side win"]
    assert [one.consumed for one in found if one.wager == "side" and one.outcome == "win"] == [True]
    assert not any(one.consumed for one in found if one.wager != "side")
