"""The lint finds what the documents are known to suffer from."""

import pytest

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.review.lint import Finding, lint


def found(name: str, kind: str) -> list[Finding]:
    return [one for one in lint(load_book(name)) if one.kind == kind]


def test_every_finding_has_a_reading(book: Book) -> None:
    assert not [one for one in lint(book) if not one.explained]


@pytest.mark.parametrize("name", ["colorado-required", "colorado-permissible"])
def test_a_pointer_to_a_paragraph_that_does_not_exist_is_found(name: str) -> None:
    (one,) = found(name, "dangling-reference")
    assert one.clause == "CHP-38(f)(3)"
    assert "CHP-38(k)(3)(i)" in one.says
    assert one.anomalies == ("A-CHP-01",)


@pytest.mark.parametrize(
    ("clause", "anomaly"),
    [
        ("CSP-10(k)(1)", "A-CSP-01"),
        ("CSP-10(a)(1)(vi)", "A-CSP-01"),
        ("CSP-10(f)(2)", "A-CSP-02"),
        ("CSP-10(g)(5)", "A-CSP-03"),
        ("CSP-10(j)(6)", "A-CSP-04"),
        ("CSP-10(l)(7)", "A-CSP-05"),
        ("CSP-10(a)(1)(viii)", "A-CSP-11"),
        ("CSP-10(j)(6)(i)", "A-CSP-30"),
    ],
)
def test_a_pointer_to_the_wrong_place_is_found(clause: str, anomaly: str) -> None:
    wrong = {one.clause: one for one in found("section10", "wrong-reference")}
    assert anomaly in wrong[clause].anomalies


def test_the_required_bonus_pays_a_straight_more_than_a_flush_and_a_full_house() -> None:
    says = [one.says for one in found("colorado-required", "not-monotone")]
    assert says == [
        "bonus.pays: a flush pays 8 to 1, a straight 15 to 1",
        "bonus.pays: a full house pays 11 to 1, a straight 15 to 1",
    ]
    assert not found("colorado-permissible", "not-monotone")


def test_missing_rows_are_found() -> None:
    (trips,) = found("colorado-required", "missing-row")
    assert "bonus.pays.three_of_a_kind" in trips.says
    assert "A-CHP-04" in trips.anomalies
    rows = [one.says.split(":")[0] for one in found("exchange", "missing-row")]
    assert rows == ["bet.pays.high_card", "exchange.pays.high_card"]
    assert not found("rws", "missing-row")


def test_the_gap_between_losing_and_winning_pairs_is_found() -> None:
    gaps = [one for one in found("colorado-required", "gap") if "paytable.pushes_with" in one.says]
    assert [one.clause for one in gaps] == ["CHP-38(k)(3)#push"]
    assert not [one for one in found("colorado-permissible", "gap") if "paytable" in one.says]


def test_documents_that_were_not_supplied_are_named() -> None:
    outside = {one.says for one in found("section10", "outside-reference")}
    assert any("Section 15" in says for says in outside)
