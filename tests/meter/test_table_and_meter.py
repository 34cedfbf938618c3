"""The table's engine and the meter together: lights, lock-out value, awards in order, and the display afterwards."""

from typing import Any

import pytest

from aceking.cards.card import CardId, names
from aceking.settlement.judge import judge
from aceking.table import event as ev
from aceking.table.dealer.driver import Driver
from aceking.table.money.award_lines import is_award
from tests.meter.floor import POSTED, STRAIGHT_FLUSHES, UNIT, Floor
from tests.meter.test_golden import (
    DEALER,
    G26,
    G28,
    G28_MIRROR,
    STUD,
    TWO_STRAIGHT_FLUSHES,
    Wins,
    mixed,
    royals,
)
from tests.table.test_through_table import play


def at_the_table(book: str, floor: Floor, wins: Wins) -> Driver:
    """The round through decide and evolve, played for what the meter shows at lock-out."""
    round_: dict[str, Any] = {
        "dealer": DEALER,
        "meter": str(floor.shows // UNIT),
        "reset": "10000",
        "awards": POSTED[book],
        "seats": [{"seat": seat, "cards": held, "ante": "10", "side": "1"} for seat, (_, held) in wins.items()],
    }
    return play(floor.books[book], round_)


def awards_of(driver: Driver) -> list[tuple[int, int]]:
    """Seat and amount of every award, in the order in which the dealer paid them."""
    current = driver.table.round
    assert current is not None
    moved = [event.line for event in driver.events if isinstance(event, ev.Moved)]
    return [(current.lines[one].seat, current.lines[one].pays) for one in moved if is_award(current.lines[one])]


def lit(driver: Driver) -> list[int]:
    """The seats whose light was on at lock-out."""
    current = driver.table.round
    assert current is not None
    return sorted(box.number for box in current.boxes.values() if box.lit)


@pytest.mark.parametrize("book", STUD)
@pytest.mark.parametrize(
    ("wins", "expected"),
    [
        (royals(1, 5), G26),
        (mixed(1, 5), G28),
        (mixed(5, 1), G28_MIRROR),
        ({seat: ("straight_flush", STRAIGHT_FLUSHES[seat]) for seat in (1, 5)}, TWO_STRAIGHT_FLUSHES),
    ],
    ids=["G26 two royals", "G28 royal left", "G28 mirrored", "two straight flushes"],
)
def test_the_table_pays_what_the_meter_locks(book: str, wins: Wins, expected: dict[str, list[tuple[int, int]]]) -> None:
    floor = Floor({"A": book, "B": book})
    floor.start("A", *wins)
    floor.bring_to(100_000)
    driver = at_the_table(book, floor, wins)
    assert lit(driver) == sorted(wins)
    by_table = awards_of(driver)
    assert dict(by_table) == {seat: amount * UNIT for seat, amount in expected[book]}
    current = driver.table.round
    assert current is not None
    by = judge(driver.book)
    for seat, _ in by_table:
        held = tuple(CardId(one) for one in current.boxes[seat].cards)
        hand = by.categories[by.strength(held)].key
        floor.select("A", seat, hand, names(held), dealt=floor.dealt(seat))
    for seat, _ in by_table:
        floor.confirm("A", seat)
    assert [(seat, floor.sign_and_pay("A", seat)) for seat, _ in by_table] == by_table
    floor.end("A")
    after = [event.meter_after for event in driver.events if isinstance(event, ev.RoundSettled)][-1]
    assert floor.shows == after
    floor.replayed()


@pytest.mark.parametrize("book", STUD)
def test_a_table_without_winners_only_feeds_the_meter(book: str) -> None:
    floor = Floor({"A": book, "B": book})
    before = floor.shows
    floor.start("A", 1, 3)
    driver = at_the_table(book, floor, {1: ("pair", "8s 8d Qh 5s 2h"), 3: ("pair", "9s 9d Jh 6s 3c")})
    assert lit(driver) == [1, 3]
    assert not awards_of(driver)
    floor.end("A")
    # Two stakes of 1 at a rate of 70 % (CSP-10(l)(6) and its like).
    assert floor.shows - before == 140
