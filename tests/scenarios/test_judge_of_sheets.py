"""The judge of sheets is judged: each thing that a sheet can expect, once as it is, once with a deliberate error."""

from typing import Any

import pytest

from aceking.scenarios.sheets import (
    SheetError,
    Verdict,
    cases_of,
    default_folder,
    judge_case,
    read_sheets,
    result_problems,
)

#: Seat 1 wins with a royal flush and the whole jackpot, seat 2 loses with queen high, seat 3 folds a flush.
ROUND: dict[str, Any] = {
    "id": "x",
    "name": "three seats",
    "books": ["rws"],
    "meter": "100000",
    "reset": "10000",
    "dealer": "Ah Kd 9c 5s 2d",
    "seats": [
        {"seat": 1, "cards": "As Ks Qs Js Ts", "ante": "10", "side": "1"},
        {"seat": 2, "cards": "Qd Jd 9h 5c 2h", "ante": "10"},
        {"seat": 3, "cards": "Kh Jh 8h 4h 3h", "ante": "10", "play": "fold", "side": "1"},
    ],
}
REFUSED = {"seats": [{"seat": 1, "cards": "As Ks Qs Js Ts", "ante": "10", "bet": "0"}]}
WRONG_INPUT = {"seats": [{"seat": 1, "cards": "As Ks Qs Js", "ante": "10"}]}
SILENT = {"books": ["section10"], "limits": {"max": "5"}, "meter": "1", "seats": [{**REFUSED["seats"][0], "bet": "20"}]}


def verdict(then: dict[str, Any], **changed: Any) -> Verdict:
    (case,) = cases_of({**ROUND, **changed, "then": then}, "here", sheet="x")
    return judge_case(case)


@pytest.mark.parametrize(
    ("key", "right", "wrong"),
    [
        ("net", {"1": "105009", "2": "-30", "3": "-11"}, {"1": "105009", "2": "-30", "3": "-10"}),
        ("net", "105009.00", "105009.01"),
        ("net", {"2": "-30.00"}, {"2": "30"}),
        ("net", {"2": "-30"}, {"4": "0"}),
        ("net", {"2": "-30"}, {"2": "minus thirty"}),
        ("meter", "10000.00", "100000"),
        ("meter", "10000", "all of it"),
        ("awards", {"1": "100000"}, {"1": "90000"}),
        ("awards", {"1": "100000"}, {}),
        ("awards", {"1": "100000"}, {"1": "100000", "3": "0"}),
        ("awards", "100000", "99999"),
        ("cites", ["RWS-4.1", "RWS-4.2"], ["RWS-4.1", "RWS-5.1"]),
        ("hand", "royal flush", "straight flush, ace high"),
        ("hand", {"1": "royal flush", "2": "queen jack high"}, {"2": "jack high"}),
        ("outcomes", "win win win", "win win"),
        ("outcomes", {"2": "lose lose"}, {"2": "push push"}),
    ],
)
def test_what_follows_is_judged(key: str, right: Any, wrong: Any) -> None:
    assert not verdict({key: right}).problems
    assert len(verdict({key: wrong}).problems) == 1


def test_an_award_to_somebody_else_is_told() -> None:
    seats = [ROUND["seats"][0], {"seat": 3, "cards": "6h 5h 4h 3h 2h", "ante": "10", "side": "1"}]
    assert len(verdict({"awards": {"1": "100000"}}, seats=seats).problems) == 1
    assert len(verdict({"awards": "100000"}, seats=seats).problems) == 1
    assert not verdict({"awards": {"1": "100000", "3": "1000"}}, seats=seats).problems


def test_minus_nothing_is_nothing() -> None:
    seats = [{"seat": 1, "cards": "Ac Ks 9h 5d 2c", "ante": "10"}]
    for text in ("0", "-0", "0.00"):
        assert not verdict({"net": text}, seats=seats).problems


@pytest.mark.parametrize(
    ("laid_out", "right", "wrong"),
    [
        (REFUSED, {"refused": "RWS-3.12.2"}, {"refused": "RWS-1.1"}),
        (REFUSED, {"refused": "RWS-3.12.2"}, {"net": "0"}),
        (REFUSED, {"refused": "RWS-3.12.2"}, {"unregulated": True}),
        (REFUSED, {"refused": "RWS-3.12.2"}, {"error": "bet"}),
        (REFUSED, {"refused": "RWS-3.12.2"}, {"refused": "RWS-3.12.2", "net": "0"}),
        (WRONG_INPUT, {"error": "5 cards"}, {"error": "6 cards"}),
        (WRONG_INPUT, {"error": "5 cards"}, {"refused": "RWS-1.9"}),
        (SILENT, {"unregulated": True}, {"unregulated": "under the minimum"}),
        (SILENT, {"unregulated": "over the maximum"}, {"net": "-30"}),
        ({}, {"net": "105009"}, {"refused": "RWS-3.12.2"}),
        ({}, {"net": "105009"}, {"unregulated": True}),
        ({}, {"net": "105009"}, {"error": "seat"}),
    ],
)
def test_the_way_a_round_ends_is_judged(laid_out: Any, right: dict[str, Any], wrong: dict[str, Any]) -> None:
    assert not verdict(right, **laid_out).problems
    assert verdict(wrong, **laid_out).problems


@pytest.mark.parametrize(
    "then",
    [
        {},
        {"nett": "5"},
        {"cites": []},
        {"net": ""},
        {"net": {}},
        {"net": 5},
        {"error": ""},
        {"refused": ""},
        {"refused": True},
        {"unregulated": False},
        {"unregulated": ""},
        {"cites": "RWS-4.1"},
        {"hand": ""},
        {"outcomes": ""},
        {"meter": ""},
    ],
    ids=str,
)
def test_an_expectation_that_nobody_could_judge_is_an_error(then: dict[str, Any]) -> None:
    with pytest.raises(SheetError):
        verdict(then)


def test_a_misspelt_expectation_of_a_row_or_a_seat_is_named() -> None:
    row = {"name": "a", "cards": "As Ks Qs Js Ts", "ante": "10", "nett": "150"}
    common = {"id": "x", "name": "y", "books": ["rws"], "dealer": "Ah Kd 9c 5s 2d"}
    with pytest.raises(SheetError, match=r"^here: a row has no key 'nett'; it has .*; did you mean net\?$"):
        list(cases_of({**common, "rows": [row]}, "here", sheet="x"))
    with pytest.raises(SheetError, match=r"^here: a seat has no key 'nett'; it has ante, "):
        list(cases_of({**common, "seats": [{"seat": 1, "ante": "10", "nett": "150"}]}, "here", sheet="x"))
    with pytest.raises(SheetError, match=r"^here: there is no expected result; give one of net, refused, "):
        list(cases_of({**common, "seats": [{"seat": 1, "ante": "10"}]}, "here", sheet="x"))


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"metre": "1"}, "a scenario has no key 'metre'; it has .*; did you mean meter?"),
        ({"proves": ["RWS-99"]}, "RWS-99"),
        ({"books": []}, "no books"),
        ({"name": ""}, "no name"),
        ({"books": ["rws", "washington"], "then": {"rws": {"net": "1"}}}, "then has no key 'rws'; it has awards"),
    ],
)
def test_a_misspelt_sheet_is_an_error(changed: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SheetError, match=complaint):
        list(cases_of({**ROUND, "then": {"net": "105009"}, **changed}, "here", sheet="x"))


@pytest.mark.parametrize("seat", [{"cads": "As Ks Qs Js Ts"}, {"antee": "10"}])
def test_a_misspelt_key_of_a_seat_is_reported(seat: dict[str, str]) -> None:
    assert verdict({"net": "105009"}, seats=[{**ROUND["seats"][0], **seat}]).problems


def test_every_sheet_notices_a_settlement_of_nothing() -> None:
    nothing: dict[str, Any] = {"id": None, "book": "rws", "seats": []}
    assert not [case.title for case in read_sheets(default_folder()) if not list(result_problems(case.then, nothing))]
