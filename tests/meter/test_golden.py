"""Golden rows G21 to G30 and their mirror images, through the table's settlement and the meter together."""

from typing import Any

import pytest

from aceking.meter.commands import SelectHand
from aceking.settlement.scenario_json import scenario_from_data, settle_in
from tests.meter.floor import POSTED, ROYALS, STRAIGHT_FLUSHES, UNIT, Floor

STUD = ("section10", "rws", "exchange", "washington")
ROYAL, STRAIGHT_FLUSH = "royal_flush", "straight_flush"
DEALER = "Ac Kc 4h 3h 2d"
UNQUALIFIED = "Ah Qd Jc 9c 7d"

Wins = dict[int, tuple[str, str]]


def settled(book: str, wins: Wins, options: dict[str, Any] | None = None, dealer: str = DEALER) -> dict[int, int]:
    """The side awards of a round by the table's settlement, in minor units, in the order of payment."""
    seats = [
        {"seat": seat, "cards": cards, "ante": "10", "play": "bet", "side": "1"} for seat, (_, cards) in wins.items()
    ]
    raw = {
        "book": book,
        "options": options or {},
        "meter": "100000",
        "reset": "10000",
        "dealer": dealer,
        "seats": seats,
        "awards": POSTED[book],
    }
    result = settle_in(scenario_from_data(raw))
    assert isinstance(result, tuple), result
    return {one.seat: one.amount for one in result[1].awards}


def paid(
    book: str, wins: Wins, order: list[int], options: dict[str, Any] | None = None
) -> tuple[dict[int, int], Floor]:
    """The same round on a meter of two tables, every award signed and paid in this order."""
    floor = Floor({"A": book, "B": book}, options={book: options or {}})
    floor.start("A", *wins)
    floor.bring_to(100_000)
    for seat, (hand, cards) in wins.items():
        floor.select("A", seat, hand, cards, dealt=floor.dealt(seat))
    for seat in wins:
        floor.confirm("A", seat)
    amounts = {seat: floor.sign_and_pay("A", seat) for seat in order}
    floor.end("A")
    floor.replayed()
    return amounts, floor


def royals(*seats: int) -> Wins:
    return {seat: (ROYAL, ROYALS[seat]) for seat in seats}


def mixed(royal: int, straight_flush: int) -> Wins:
    both = {royal: (ROYAL, ROYALS[royal]), straight_flush: (STRAIGHT_FLUSH, STRAIGHT_FLUSHES[straight_flush])}
    return dict(sorted(both.items()))


G26 = {
    "section10": [(5, 50_000), (1, 50_000)],
    "rws": [(1, 100_000), (5, 10_000)],
    "exchange": [(5, 50_000), (1, 50_000)],
    "washington": [(5, 100_000), (1, 10_000)],
}
G28 = {
    "section10": [(5, 10_000), (1, 90_000)],
    "rws": [(1, 100_000), (5, 1_000)],
    "exchange": [(5, 10_000), (1, 100_000)],
    "washington": [(5, 10_000), (1, 90_000)],
}
G28_MIRROR = {
    "section10": [(5, 100_000), (1, 1_000)],
    "rws": [(1, 10_000), (5, 90_000)],
    "exchange": [(5, 100_000), (1, 10_000)],
    "washington": [(5, 100_000), (1, 1_000)],
}
THREE_ROYALS = {"section10": (5, 3, 1), "rws": (1, 3, 5), "exchange": (5, 3, 1), "washington": (5, 3, 1)}
TWO_STRAIGHT_FLUSHES = {
    "section10": [(5, 10_000), (1, 9_000)],
    "rws": [(1, 10_000), (5, 9_000)],
    "exchange": [(5, 5_000), (1, 5_000)],
    "washington": [(5, 10_000), (1, 9_000)],
}


@pytest.mark.parametrize("book", STUD)
@pytest.mark.parametrize(
    ("wins", "expected"),
    [
        (royals(1, 5), G26),
        (mixed(1, 5), G28),
        (mixed(5, 1), G28_MIRROR),
        ({seat: (STRAIGHT_FLUSH, STRAIGHT_FLUSHES[seat]) for seat in (1, 5)}, TWO_STRAIGHT_FLUSHES),
    ],
    ids=["G26 two royals", "G28 royal left", "G28 mirrored", "two straight flushes"],
)
def test_winners_at_one_table_are_paid_what_is_settled(
    book: str, wins: Wins, expected: dict[str, list[tuple[int, int]]]
) -> None:
    due = {seat: amount * UNIT for seat, amount in expected[book]}
    assert settled(book, wins) == due
    amounts, _ = paid(book, wins, list(due))
    assert amounts == due


@pytest.mark.parametrize("book", STUD)
def test_three_royals_at_one_table(book: str) -> None:
    """A third of 100,000.00 is not a whole cent: each gets the cent, the tray bears what is over."""
    amounts, floor = paid(book, royals(1, 3, 5), list(THREE_ROYALS[book]))
    assert amounts == settled(book, royals(1, 3, 5))
    shared = book in ("section10", "exchange")
    assert list(amounts.values()) == ([33_333_34] * 3 if shared else [100_000_00, 10_000_00, 10_000_00])
    assert floor.state.counters.won_tray == (2 if shared else 0)
    assert floor.shows == 10_000_00


def test_g28_with_a_fixed_straight_flush() -> None:
    """CSP-10(l)(5): the house may post 5,000 instead; it comes from the tray (A-CSP-18)."""
    options = {"progressive-straight-flush": "fixed"}
    due = {5: 5_000 * UNIT, 1: 100_000 * UNIT}
    assert settled("section10", mixed(1, 5), options) == due
    amounts, floor = paid("section10", mixed(1, 5), [5, 1], options)
    assert amounts == due
    assert floor.state.counters.won_tray == 5_000 * UNIT


def test_g28_under_every_choice_of_mixed_majors() -> None:
    for option, due in (
        ("each-of-frozen", {5: 10_000, 1: 100_000}),
        ("straight-flush-first-then-rest", {5: 10_000, 1: 90_000}),
        ("from-right-falling", {5: 10_000, 1: 90_000}),
    ):
        options = {"mixed-majors": option}
        expected = {seat: amount * UNIT for seat, amount in due.items()}
        assert settled("exchange", mixed(1, 5), options) == expected
        amounts, floor = paid("exchange", mixed(1, 5), [5, 1], options)
        assert amounts == expected, option
        assert floor.shows == 10_000 * UNIT


def test_a_straight_flush_between_two_royals_is_paid_on_the_reset_amount() -> None:
    """A-CSP-19: the meter is set aside for both royals when the first of them comes up."""
    wins: Wins = {1: (ROYAL, ROYALS[1]), 3: (STRAIGHT_FLUSH, STRAIGHT_FLUSHES[3]), 5: (ROYAL, ROYALS[5])}
    due = {5: 50_000 * UNIT, 3: 1_000 * UNIT, 1: 50_000 * UNIT}
    assert settled("section10", wins) == due
    amounts, floor = paid("section10", wins, [5, 3, 1])
    assert amounts == due
    assert floor.shows == 9_000 * UNIT


@pytest.mark.parametrize(
    ("book", "first", "amounts"),
    [
        ("section10", "A", {"A": 100_000, "B": 10_000}),
        ("rws", "B", {"A": 10_000, "B": 100_000}),
        ("exchange", "A", {"A": 50_000, "B": 50_000}),
        ("washington", "A", {"A": 100_000, "B": 10_000}),
    ],
)
@pytest.mark.parametrize("mirrored", [False, True])
def test_g30_royals_at_two_tables(book: str, first: str, amounts: dict[str, int], mirrored: bool) -> None:
    """A's hand is complete at five seconds and B's at three; A is verified first. Mirrored: the tables swapped."""
    names = {"A": "B", "B": "A"} if mirrored else {"A": "A", "B": "B"}
    floor = Floor({"A": book, "B": book}, value=100_000)
    for table in ("A", "B"):
        floor.start(table, 2)
    floor.bring_to(100_000)
    a, b = names["A"], names["B"]
    floor.select(a, 2, ROYAL, ROYALS[1], dealt=floor.dealt(5))
    floor.confirm(a, 2)
    floor.select(b, 2, ROYAL, ROYALS[5], dealt=floor.dealt(3))
    floor.confirm(b, 2)
    if book == "exchange":
        floor.shown_all()
    order = [names[first], names["B" if first == "A" else "A"]]
    if book != "exchange":
        clause, _ = floor.no(floor.signature(order[1], 2))
        assert clause == floor.books[book].cite("progressive.across_tables")
    found = {table: floor.sign_and_pay(table, 2) for table in order}
    assert found == {names[table]: amount * UNIT for table, amount in amounts.items()}
    assert floor.shows == 10_000 * UNIT
    floor.replayed()


def test_g30_the_later_to_be_selected_but_first_to_be_confirmed_is_paid_first() -> None:
    floor = Floor({"A": "washington", "B": "washington"})
    for table in ("A", "B"):
        floor.start(table, 2)
    floor.bring_to(100_000)
    floor.select("A", 2, ROYAL, ROYALS[1])
    floor.select("B", 2, ROYAL, ROYALS[5])
    assert floor.award("A", 2).amount == 100_000 * UNIT
    floor.confirm("B", 2)
    assert floor.award("A", 2).amount == 10_000 * UNIT
    assert floor.award("B", 2).amount == 100_000 * UNIT


@pytest.mark.parametrize(
    ("book", "clause"),
    [("section10", None), ("rws", "RWS-4.4"), ("exchange", "EUR-p13-jp-inform"), ("washington", None)],
)
def test_g21_a_flush_of_a_silent_player(book: str, clause: str | None) -> None:
    """Where the dealer checks, 50 is paid whatever the player says; where the player must speak, nothing is."""
    floor = Floor({"A": book})
    floor.start("A", 1)
    flush = floor.hand("A", 1, "flush", "Ks Js 9s 5s 2s", claimed=False)
    raw: dict[str, Any] = {
        "book": book,
        "dealer": UNQUALIFIED,
        "meter": "100000",
        "awards": POSTED[book],
        "seats": [{"seat": 1, "cards": "Ks Js 9s 5s 2s", "ante": "10", "side": "1", "claims": False}],
    }
    result = settle_in(scenario_from_data(raw))
    assert isinstance(result, tuple)
    table_awards = [one.amount for one in result[1].awards]
    if clause is None:
        floor.ok(flush)
        floor.confirm("A", 1)
        assert [floor.sign_and_pay("A", 1)] == table_awards == [50 * UNIT]
    else:
        assert floor.no(flush)[0] == clause
        assert table_awards == []


@pytest.mark.parametrize(("book", "award"), [("section10", 100), ("rws", 200), ("exchange", 150), ("washington", 100)])
def test_g23_a_full_house_that_loses_is_paid_from_the_tray(book: str, award: int) -> None:
    wins: Wins = {1: ("full_house", "8s 8h 8d 3c 3h")}
    assert settled(book, wins, dealer="Ks Kh Kd Kc 2c") == {1: award * UNIT}
    amounts, floor = paid(book, wins, [1])
    assert amounts == {1: award * UNIT}
    assert floor.state.counters.won_tray == award * UNIT
    assert floor.shows == 100_000 * UNIT


@pytest.mark.parametrize("book", STUD)
def test_g24_a_folded_full_house_wins_nothing(book: str) -> None:
    floor = Floor({"A": book})
    floor.start("A", 1)
    folded = floor.hand("A", 1, "full_house", "8s 8h 8d 3c 3h", play="fold")
    assert floor.no(folded)[0] == floor.books[book].cite("progressive.folded")


def test_g24_a_folded_full_house_where_the_house_lets_it_win() -> None:
    floor = Floor({"A": "washington"}, options={"washington": {"folded-hand-progressive": "eligible"}})
    floor.start("A", 1)
    folded: SelectHand = floor.hand("A", 1, "full_house", "8s 8h 8d 3c 3h", play="fold")
    floor.ok(folded)
    assert floor.award("A", 1).amount == 100 * UNIT
