"""Every line of a settlement as `aceking settle --json` prints it: wager, stake, outcome, pays and clause."""

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from aceking.rules.odds import Amount
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal, Unregulated
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario_json import result_data, scenario_from_data, settle_in, to_scenario
from aceking.settlement.settle import settle
from tests.settlement.postings import balances, postings

DEALER = "Ah Kd 9c 5s 2d"
TENS, SEVENS = "Ts Td 8h 4s 3c", "7s 7d Jh Th 6c"
ROYAL, OTHER_ROYAL = "As Ks Qs Js Ts", "Ac Kc Qc Jc Tc"


def settled(book: str, seats: list[dict[str, Any]], **laid_out: Any) -> dict[str, Any]:
    data = {"book": book, "seats": [{"ante": "10", **one} for one in seats], **laid_out}
    return result_data(None, settle_in(scenario_from_data(data)))


def lines(result: dict[str, Any]) -> list[str]:
    """All lines, seat by seat: `1 ante 10 win 10 RWS-3.14.1`."""
    return [f"{seat['seat']} {' '.join(line.values())}" for seat in result["seats"] for line in seat["lines"]]


def test_what_is_too_much_goes_back_on_lines_of_its_own() -> None:
    """RWS-5.1.1, 5.3.1, 3.4: an ante over the maximum, a bet over twice that, a jackpot bet of three."""
    seat = {"seat": 1, "cards": TENS, "ante": "15", "bet": "25", "side": "3"}
    found = settled("rws", [seat], dealer=DEALER, limits={"min": "5", "max": "10"})
    assert lines(found) == [
        "1 ante 10 win 10 RWS-3.14.1",
        "1 bet 20 win 20 RWS-4.1",
        "1 ante 5 returned 0 RWS-5.1.1",
        "1 bet 5 returned 0 RWS-5.3.1",
        "1 side 2 returned 0 RWS-3.4",
        "1 side 1 lose 0 RWS-4.2",
    ]


def test_a_jackpot_bet_alone_goes_back() -> None:
    found = settled("rws", [{"seat": 1, "ante": "0", "side": "1"}, {"seat": 2, "cards": TENS}], dealer=DEALER)
    assert lines(found)[0] == "1 side 1 returned 0 RWS-5.4"


def test_an_exchange_costs_its_fee_and_the_jackpot_stake() -> None:
    seats = [
        {"seat": 1, "cards": TENS, "side": "1", "exchange": {"give": "3c", "take": "Tc"}},
        {"seat": 2, "cards": "Kh Jh 7h 6h 3h", "side": "1"},
        {"seat": 3, "cards": "Qs Jc 7c 6d 4d", "play": "fold", "side": "1"},
    ]
    sign = {"four_of_a_kind": "500", "full_house": "150", "flush": "75"}
    found = settled("exchange", seats, dealer=DEALER, meter="1000", awards=sign)
    assert lines(found) == [
        "1 exchange 10 lose 0 EUR-exchange-1",
        "1 ante 10 win 10 EUR-p12-qualify",
        "1 bet 20 win 60 EUR-p14-paytable",
        "1 side 1 lose 0 EUR-exchange-4-jackpot",
        "2 ante 10 win 10 EUR-p12-qualify",
        "2 bet 20 win 100 EUR-p14-paytable",
        "2 side 1 win 75 EUR-p16-jp-pay",
        "3 ante 10 lose 0 EUR-p7-fold",
        "3 side 1 lose 0 EUR-p7-fold",
    ]
    assert found["meter"]["awards"] == [{"seat": 2, "amount": "75", "from": "tray"}]


def test_a_bonus_wins_rests_goes_back_or_is_lost() -> None:
    seats = [
        {"seat": 1, "cards": "Js 3d 2c", "discard": "2c", "side": "1"},
        {"seat": 2, "cards": "8h 7h 6h", "play": "declare", "side": "1"},
        {"seat": 3, "cards": "8s 7c 6d", "play": "declare", "side": "1"},
        {"seat": 4, "cards": "Qs 4d 2h", "play": "fold", "side": "1"},
        {"seat": 5, "cards": "9c 9h 2s", "discard": "2s", "side": "1"},
        {"seat": 6, "cards": "Qd 5d 3h", "discard": "3h", "side": "1"},
    ]
    assert lines(settled("colorado-required", seats, community="Jc 9d Kh")) == [
        "1 ante 10 win 10 CHP-38(m)(2)",
        "1 bet 10 win 10 CHP-38(m)(2)",
        "1 side 1 push 0 CHP-38(m)(4)",
        "2 ante 10 win 50 CHP-38(m)(2)",
        "2 side 1 win 5 CHP-38(m)(4)",
        "3 ante 10 lose 0 CHP-38(o)(4)",
        "3 side 1 returned 0 CHP-38(o)(4)",
        "4 ante 10 lose 0 CHP-38(k)(2)#fold",
        "4 side 1 lose 0 CHP-38(k)(2)#fold",
        "5 ante 10 win 30 CHP-38(m)(2)",
        "5 bet 10 win 30 CHP-38(m)(2)",
        "5 side 1 win 3 CHP-38(m)(4)",
        "6 ante 10 lose 0 CHP-38(k)(3)",
        "6 bet 10 lose 0 CHP-38(k)(3)",
        "6 side 1 lose 0 CHP-38(m)(4)",
    ]


@pytest.mark.parametrize(
    ("scope", "bet", "expected"),
    [
        ("ante-plus-bet-of-one-hand", "150", ["ante 150 win 25000", "bet 150 win 25000"]),
        ("each-wager", "150", ["ante 150 win 50000", "bet 150 win 50000"]),
        ("each-wager", "0", ["ante 150 win 50000"]),
    ],
)
def test_a_cap_on_the_hand_is_divided_and_named(scope: str, bet: str, expected: list[str]) -> None:
    """CHP-38(n)(3): a royal flush at 500 to 1 on 150 and 150 would win 150,000; the house pays 50,000."""
    seat = {"seat": 1, "cards": "As Ks 2c", "discard": "2c", "ante": "150", "bet": bet}
    options = {"hand-payout-cap": "50000", "cap-scope": scope}
    found = settled("colorado-permissible", [seat], community="Qs Js Ts", options=options)
    assert lines(found) == [f"1 {one} CHP-38(n)(3)" for one in expected]


def test_a_cap_that_is_just_reached_is_not_what_decides() -> None:
    seat = {"seat": 1, "cards": "As Ks 2c", "discard": "2c", "ante": "50", "bet": "50"}
    found = settled("colorado-permissible", [seat], community="Qs Js Ts", options={"hand-payout-cap": "50000"})
    assert lines(found) == ["1 ante 50 win 25000 CHP-38(n)(2)", "1 bet 50 win 25000 CHP-38(n)(2)"]


def test_an_unqualified_bank_pays_the_ante_and_leaves_the_bet() -> None:
    found = settled("section10", [{"seat": 1, "cards": TENS}], dealer="Qh Jd 9c 5s 2d")
    assert lines(found) == ["1 ante 10 win 10 CSP-10(j)(6)(ii)", "1 bet 20 void 0 CSP-10(j)(6)(iii)"]


def test_who_keeps_silent_loses_the_jackpot_stake_and_nothing_else() -> None:
    """RWS-4.4: the player gives notice of a winning hand."""
    flush = {"seat": 1, "cards": "Kh Jh 7h 6h 3h", "side": "1"}
    told = settled("rws", [flush], dealer=DEALER, meter="1000")
    compared = settled("rws", [{**flush, "claims": False}], dealer=DEALER, meter="1000")
    assert lines(told)[-1] == "1 side 1 win 100 RWS-4.2"
    assert lines(compared) == lines(told), "a hand that was compared is read by the dealer"
    told = settled("rws", [flush], dealer="Ah Qd Jc 9c 4d", meter="1000")
    silent = settled("rws", [{**flush, "claims": False}], dealer="Ah Qd Jc 9c 4d", meter="1000")
    assert lines(silent)[-1] == f"1 side 1 lose 0 {load_book('rws').cite('progressive.claim')}"
    assert lines(silent)[:-1] == lines(told)[:-1]


def test_a_bonus_that_an_instant_winner_loses() -> None:
    """The house may let the bonus of a declared hand lose; nothing is paid on it then."""
    seat = {"seat": 1, "cards": "8h 7h 6h", "play": "declare", "side": "1"}
    found = settled("colorado-required", [seat], options={"instant-winner-bonus": "lost"})
    clause = load_book("colorado-required").cite("bonus.instant")
    assert lines(found) == ["1 ante 10 win 50 CHP-38(m)(2)", f"1 side 1 lose 0 {clause}"]


def test_a_hand_thrown_away_unseen_cannot_be_judged_even_where_folded_hands_are_paid() -> None:
    book = with_options(load_book("section10"), {"folded-progressive": "payable"})
    assert not isinstance(book, Refusal)
    raw = {"seats": [{"seat": 1, "cards": "Kh Jh 7h 6h 3h", "ante": "10", "play": "fold", "side": "1"}], "meter": "10"}
    scenario = to_scenario(book, scenario_from_data(raw))
    seen = settle(book, scenario)
    unseen = settle(book, structs.replace(scenario, seats=(structs.replace(scenario.seats[0], cards=()),)))
    assert isinstance(seen, Settlement)
    assert isinstance(unseen, Settlement)
    assert [(one.wager, one.outcome, one.pays) for one in seen.lines] == [("ante", "lose", 0), ("side", "win", 50_00)]
    assert [(one.wager, one.outcome, one.pays) for one in unseen.lines] == [("ante", "lose", 0), ("side", "lose", 0)]


# --- Where the money of an award comes from


def test_the_meter_gives_the_odd_coin_to_the_first_of_those_who_share() -> None:
    """CSP-10(l)(7): two royal flushes share 1,000.01; each gets 500.01, the tray adds the coin that is missing."""
    book = load_book("section10")
    seats = [
        {"seat": 1, "cards": ROYAL, "ante": "10", "side": "1"},
        {"seat": 2, "cards": OTHER_ROYAL, "ante": "10", "side": "1"},
    ]
    raw = {"seats": seats, "dealer": "9h 8c 7d 3h 2h", "meter": "1000.01", "reset": "100"}
    result = settle(book, to_scenario(book, scenario_from_data(raw)))
    assert isinstance(result, Settlement)
    assert [(one.seat, one.amount, one.from_meter) for one in result.awards] == [
        (2, 500_01, 500_01),
        (1, 500_01, 500_00),
    ]
    assert balances(postings(book, result)) == {
        "player:1": 10_00 - 1_00 + 500_01,
        "player:2": 10_00 - 1_00 + 500_01,
        "meter": 100_00 - 1000_01,
        "tray": -20_00 + 2_00 - 1 - 100_00,
    }


def test_money_moves_between_player_tray_and_meter_and_nowhere_else() -> None:
    book = load_book("rws")
    raw = {
        "seats": [
            {"seat": 1, "cards": ROYAL, "ante": "10", "side": "1"},
            {"seat": 3, "cards": "Kh Jh 7h 6h 3h", "ante": "10", "side": "1"},
        ],
        "dealer": DEALER,
        "meter": "100000",
        "reset": "10000",
    }
    result = settle(book, to_scenario(book, scenario_from_data(raw)))
    assert isinstance(result, Settlement)
    moved = postings(book, result)
    # The meter gives the royal flush all it has and is refilled by the tray, which pays everything else.
    assert balances(moved) == {
        "player:1": result.seats[0].net,
        "player:3": result.seats[1].net,
        "meter": 10_000_00 - 100_000_00,
        "tray": 100_000_00 - 10_000_00 - result.seats[0].net - result.seats[1].net,
    }
    assert {one.clause for one in moved} <= set(book.clauses)


def test_without_a_meter_only_chips_of_the_tray_move() -> None:
    book = load_book("rws")
    raw = {"seats": [{"seat": 1, "cards": TENS, "ante": "10"}], "dealer": DEALER}
    result = settle(book, to_scenario(book, scenario_from_data(raw)))
    assert isinstance(result, Settlement)
    assert result.meter is None
    assert balances(postings(book, result)) == {"player:1": 30_00, "tray": -30_00}


def test_a_meter_that_no_book_feeds_stays_as_it_is() -> None:
    book = load_book("colorado-required")
    raw = {"seats": [{"seat": 1, "cards": "8h 7h 6h", "play": "declare", "ante": "10"}], "meter": "500"}
    result = settle(book, to_scenario(book, scenario_from_data(raw)))
    assert isinstance(result, Settlement)
    assert balances(postings(book, result)) == {"player:1": 50_00, "tray": -50_00}


def test_lost_jackpot_stakes_are_taken_from_the_right() -> None:
    book = load_book("section10")
    seats = [{"seat": number, "cards": held, "ante": "10", "side": "1"} for number, held in ((1, TENS), (4, SEVENS))]
    result = settle(book, to_scenario(book, scenario_from_data({"seats": seats, "dealer": DEALER, "meter": "10"})))
    assert isinstance(result, Settlement)
    assert [one.seat for one in result.lines if one.wager == "side"] == [4, 1]


# --- Questions that the book leaves open, and books without a side bet


def test_the_order_of_several_meter_awards_may_be_left_to_the_internal_controls() -> None:
    book = with_options(load_book("washington"), {"multi-meter-pay-order": "per-internal-controls"})
    assert not isinstance(book, Refusal)
    seats = [
        {"seat": number, "cards": held, "ante": "10", "side": "1"} for number, held in ((1, ROYAL), (2, OTHER_ROYAL))
    ]
    raw = {"seats": seats, "dealer": "9h 8d 7d 3h 2h", "meter": "900", "awards": {"royal_flush": "100%"}}
    found = settle(book, to_scenario(book, scenario_from_data(raw)))
    assert isinstance(found, Unregulated)
    assert found.reading == "A-WA-09"
    one = settle(book, to_scenario(book, scenario_from_data({**raw, "seats": seats[:1]})))
    assert isinstance(one, Settlement)
    assert one.seats[0].net == 10_00 - 1_00 + 900_00


def test_a_fixed_award_off_a_meter_that_nobody_knows_comes_from_the_tray() -> None:
    book = with_options(load_book("section10"), {"progressive-meter-deduction": "all-awards"})
    assert not isinstance(book, Refusal)
    raw = {"seats": [{"seat": 1, "cards": "Kh Jh 7h 6h 3h", "ante": "10", "side": "1"}], "dealer": DEALER}
    found = settle(book, to_scenario(book, scenario_from_data(raw)))
    assert isinstance(found, Settlement)
    assert [(one.amount, one.from_meter, one.source) for one in found.awards] == [(50_00, 0, "tray")]
    known = settle(book, to_scenario(book, scenario_from_data({**raw, "meter": "20"})))
    assert isinstance(known, Settlement)
    assert [(one.amount, one.from_meter, one.source) for one in known.awards] == [(50_00, 20_00, "meter")]
    assert known.meter is not None
    assert known.meter.after == 0


@pytest.mark.parametrize("ante", [10_00, 0])
def test_a_book_without_a_side_bet_takes_none(ante: int) -> None:
    book = replace(load_book("rws"), progressive=None)
    raw = {"seats": [{"seat": 1, "cards": TENS, "ante": "10", "side": "1"}], "dealer": DEALER}
    scenario = to_scenario(book, scenario_from_data(raw))
    found = settle(book, structs.replace(scenario, seats=(structs.replace(scenario.seats[0], ante=Amount(ante)),)))
    assert isinstance(found, Refusal)
    assert found.clause == book.cite("ante.required")


def test_a_book_that_sells_no_cards_refuses_an_exchange_whatever_it_lists() -> None:
    book = replace(load_book("exchange"), exchange=None)
    raw = {
        "seats": [{"seat": 1, "cards": TENS, "ante": "10", "exchange": {"give": "3c", "take": "Tc"}}],
        "dealer": DEALER,
    }
    found = settle(book, to_scenario(book, scenario_from_data(raw)))
    assert isinstance(found, Refusal)
    assert found.clause == book.cite("decide.choices")


def test_a_fold_with_a_bet_down_is_refused_by_the_act_or_else_by_the_rule() -> None:
    book = load_book("rws")
    raw = {"seats": [{"seat": 1, "cards": TENS, "ante": "10", "play": "fold", "bet": "20"}], "dealer": DEALER}
    found = settle(book, to_scenario(book, scenario_from_data(raw)))
    assert isinstance(found, Refusal)
    assert found.clause == book.governs("fold")
    silent = replace(book, clauses={})
    without = settle(silent, to_scenario(silent, scenario_from_data(raw)))
    assert isinstance(without, Refusal)
    assert without.clause == book.cite("fold.ante")
