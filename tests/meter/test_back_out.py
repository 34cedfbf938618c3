"""An award backed out: its money, its place in the order, those who shared with it, and the right winner after it."""

from typing import Any

import pytest

from aceking.meter.awards.win_page import win_page
from aceking.meter.commands import (
    AdjustMeter,
    Close,
    Configure,
    Contribute,
    EndMeterGame,
    PayMeterAward,
    SelectHand,
    SelectSeat,
    VoidRound,
)
from aceking.meter.events import AwardUndone, Overflowed
from aceking.meter.reports import since_total
from aceking.meter.state import pending
from tests.meter.floor import ROYALS, STRAIGHT_FLUSHES, UNIT, Floor, book_with

ROYAL, STRAIGHT_FLUSH = "royal_flush", "straight_flush"
FLUSH = "As Ks Qs Js 9s"


def undo(floor: Floor, key: str, **more: Any) -> AdjustMeter:
    return AdjustMeter(at=floor.now(), **{"by": "Sue", "second": "Max", "reason": "misread", "undo": key, **more})


def finish(floor: Floor, table: str, *seats: int) -> list[int]:
    """Verified, signed and paid in this order; the amounts in whole units."""
    for seat in seats:
        floor.confirm(table, seat)
    return [floor.sign_and_pay(table, seat) // UNIT for seat in seats]


@pytest.mark.parametrize("paid", [False, True])
def test_the_wrong_hand_is_backed_out_and_the_right_one_entered_at_the_same_seat(paid: bool) -> None:
    """WA-9h."""
    floor = Floor({"A": "washington"}, value=100_000)
    floor.start("A", 2)
    floor.select("A", 2, "flush", FLUSH)
    floor.confirm("A", 2)
    floor.ok(floor.signature("A", 2))
    if paid:
        floor.ok(PayMeterAward(at=floor.now(), table="A", by="Dora", seat=2, amount=50 * UNIT))
    assert floor.no(floor.hand("A", 2, ROYAL, ROYALS[1]))[0] == "WA-9h"
    floor.ok(undo(floor, "A/1/2"))
    undone = floor.events[-1]
    assert isinstance(undone, AwardUndone)
    assert undone.recovered == (50 * UNIT if paid else 0)
    assert floor.no(undo(floor, "A/1/2"))[0] == "WA-9h"
    assert floor.no(PayMeterAward(at=floor.now(), table="A", by="Dora", seat=2, amount=50 * UNIT))[0] == "WA-9d"
    floor.select("A", 2, ROYAL, ROYALS[1])
    assert floor.award("A", 2).id == "A/1/2-2"
    assert finish(floor, "A", 2) == [100_000]
    floor.end("A")
    assert [(one.id, one.step) for one in floor.state.hits] == [("A/1/2", "undone"), ("A/1/2-2", "paid")]
    assert floor.state.counters.hits == 1
    floor.replayed()


def test_ids_are_counted_on_with_every_back_out() -> None:
    floor = Floor({"A": "washington"})
    floor.start("A", 2, 3)
    for key in ("A/1/2", "A/1/2-2", "A/1/2-3"):
        floor.select("A", 2, "flush", FLUSH)
        assert floor.award("A", 2).id == key
        floor.confirm("A", 2)
        floor.ok(floor.signature("A", 2))
        floor.ok(undo(floor, key))
    floor.select("A", 3, "flush", FLUSH)
    assert floor.award("A", 3).id == "A/1/3"
    floor.ok(floor.hand("A", 3, "flush", FLUSH))
    floor.select("A", 3, "flush", FLUSH)
    assert floor.award("A", 3).id == "A/1/3", "taken back, it was never on the record of hits"


def test_the_cards_of_an_award_that_was_backed_out_may_lie_at_another_seat() -> None:
    floor = Floor({"A": "section10"})
    floor.start("A", 2, 3)
    floor.select("A", 2, ROYAL, ROYALS[1])
    assert floor.no(floor.hand("A", 3, ROYAL, ROYALS[1]))[0] == "R16"
    floor.confirm("A", 2)
    floor.ok(floor.signature("A", 2))
    floor.ok(undo(floor, "A/1/2"))
    floor.select("A", 3, ROYAL, ROYALS[1])
    assert finish(floor, "A", 3) == [100_001]


@pytest.mark.parametrize("voided", [True, False])
def test_a_confirmation_that_was_backed_out_gives_no_place_in_the_order(voided: bool) -> None:
    """CSP-10(l)(7): A was confirmed first, but for an award that is gone; B is first, in this round and in a later."""
    floor = Floor({"A": "section10", "B": "section10"}, value=99_998)
    floor.start("A", 1, 3)
    floor.select("A", 1, STRAIGHT_FLUSH, STRAIGHT_FLUSHES[1])
    floor.confirm("A", 1)
    floor.ok(floor.signature("A", 1))
    floor.ok(undo(floor, "A/1/1"))
    if voided:
        floor.ok(VoidRound(at=floor.now(), table="A", by="Sam", reason="misdeal"))
        assert not floor.state.awards
        floor.start("A", 3)
    floor.start("B", 4)
    floor.select("A", 3, ROYAL, ROYALS[5])
    floor.select("B", 4, ROYAL, ROYALS[3])
    floor.confirm("B", 4)
    assert floor.award("A", 3).amount == 10_000 * UNIT
    assert floor.award("B", 4).amount > 99_998 * UNIT


def test_a_table_keeps_its_place_when_the_first_of_its_awards_is_signed() -> None:
    """A is confirmed first, then B, then A again: A's second comes before B, before and after A's first is signed."""
    floor = Floor({"A": "washington", "B": "washington"})
    floor.start("A", 1, 5)
    floor.start("B", 4)
    floor.select("A", 5, ROYAL, ROYALS[5])
    floor.select("B", 4, ROYAL, ROYALS[3])
    floor.select("A", 1, ROYAL, ROYALS[1])
    for table, seat in (("A", 5), ("B", 4), ("A", 1)):
        floor.confirm(table, seat)
    assert floor.no(floor.signature("B", 4))[1] == "seat 5 of table A is paid first"
    floor.ok(floor.signature("A", 5))
    assert floor.no(floor.signature("B", 4))[1] == "seat 1 of table A is paid first"
    floor.ok(floor.signature("A", 1))
    floor.ok(floor.signature("B", 4))


def test_an_award_of_an_earlier_occasion_gives_no_place_in_the_next() -> None:
    """A's first royal is signed and its occasion over; then B is confirmed before A's second."""
    floor = Floor({"A": "washington", "B": "washington"})
    floor.start("A", 1, 5)
    floor.start("B", 4)
    floor.select("A", 5, ROYAL, ROYALS[5])
    floor.confirm("A", 5)
    floor.ok(floor.signature("A", 5))
    floor.select("B", 4, ROYAL, ROYALS[3])
    floor.confirm("B", 4)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.confirm("A", 1)
    assert floor.no(floor.signature("A", 1))[1] == "seat 4 of table B is paid first"
    floor.ok(floor.signature("B", 4))
    floor.ok(floor.signature("A", 1))


def shared(book: str = "section10") -> Floor:
    """Two royals of one table share: 50,000 each, both signed."""
    floor = Floor({"A": book, "B": book})
    floor.start("A", 1, 5)
    floor.bring_to(100_000)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.select("A", 5, ROYAL, ROYALS[5])
    floor.confirm("A", 1)
    floor.confirm("A", 5)
    return floor


@pytest.mark.parametrize("book", ["section10", "exchange"])
@pytest.mark.parametrize("wrong", [1, 5])
@pytest.mark.parametrize("paid", [False, True])
def test_one_of_two_that_share_is_backed_out_and_the_other_is_due_the_whole(book: str, wrong: int, paid: bool) -> None:
    """CSP-10(l)(7), EUR-p25: nothing is stuck, whichever of them is wrong, signed or paid."""
    floor = shared(book)
    right = 6 - wrong
    for seat in (5, 1):
        floor.ok(floor.signature("A", seat))
    if paid:
        floor.ok(PayMeterAward(at=floor.now(), table="A", by="Dora", seat=right, amount=50_000 * UNIT))
    floor.ok(undo(floor, f"A/1/{wrong}"))
    clause = floor.books[book].cite("progressive.shared")
    paid_again = floor.no(PayMeterAward(at=floor.now(), table="A", by="Dora", seat=right, amount=50_000 * UNIT))
    assert paid_again[1].startswith("the award is paid" if paid else "one that shared with seat")
    ended = floor.no(EndMeterGame(at=floor.now(), table="A", by="Dora"))
    assert ended == (
        clause,
        f"the award of seat {right} is to be reckoned anew: one that shared with it was backed out",
    )
    assert [one.anew for one in floor.state.hits] == [one.seat == right for one in floor.state.hits]
    floor.ok(undo(floor, f"A/1/{right}"))
    assert floor.shows == 100_000 * UNIT
    floor.select("A", right, ROYAL, ROYALS[right])
    assert finish(floor, "A", right) == [100_000]
    floor.end("A")
    assert floor.shows == 10_000 * UNIT
    floor.replayed()


def test_a_share_that_is_final_and_not_signed_yet_is_backed_out_too() -> None:
    """The first signature makes both shares final; the other, found false, need not be signed to be undone."""
    floor = shared()
    floor.ok(floor.signature("A", 5))
    assert [one.seat for one in pending(floor.state)] == [1]
    assert floor.no(floor.hand("A", 1, ROYAL, ROYALS[1]))[1].startswith("the award is signed; only a manual")
    floor.ok(undo(floor, "A/1/1"))
    assert not pending(floor.state)
    assert floor.state.counters.locked == 0
    assert floor.state.counters.hits == 1
    assert floor.award("A", 5).anew
    floor.ok(undo(floor, "A/1/5"))
    floor.select("A", 5, ROYAL, ROYALS[5])
    assert finish(floor, "A", 5) == [100_000]
    floor.end("A")


def test_a_share_whose_partner_was_backed_out_is_not_signed() -> None:
    floor = shared()
    floor.ok(floor.signature("A", 5))
    floor.ok(undo(floor, "A/1/5"))
    assert floor.no(floor.signature("A", 1))[0] == "CSP-10(l)(7)"
    floor.ok(undo(floor, "A/1/1"))
    floor.select("A", 1, ROYAL, ROYALS[1])
    assert finish(floor, "A", 1) == [100_000]


def test_what_is_not_final_is_not_backed_out() -> None:
    floor = shared()
    assert floor.no(undo(floor, "A/1/1")) == (
        "R6",
        "the award of table A, seat 1 is to be signed or taken back first",
    )
    floor = Floor({"A": "washington"})
    floor.start("A", 1)
    floor.select("A", 1, "flush", FLUSH)
    assert floor.no(undo(floor, "A/1/1"))[0] == "WA-9h"
    assert floor.no(undo(floor, "A/9/1"))[0] == "R17"


def test_an_award_that_does_not_touch_the_meter_is_backed_out_while_another_waits() -> None:
    floor = Floor({"A": "washington", "B": "washington"})
    floor.start("A", 1)
    floor.start("B", 2)
    floor.select("A", 1, "flush", FLUSH)
    floor.confirm("A", 1)
    floor.sign_and_pay("A", 1)
    floor.select("B", 2, ROYAL, ROYALS[5])
    floor.ok(undo(floor, "A/1/1"))
    floor.confirm("B", 2)
    assert floor.sign_and_pay("B", 2) == 100_001_40


@pytest.mark.parametrize(("limit", "over"), [(100_000, 350), (100_003, 50), (100_004, 0)])
def test_undone_at_the_limit_while_another_table_feeds(limit: int, over: int) -> None:
    """R7: what the meter cannot hold is overflow, to the cent; the back-out itself is not refused."""
    floor = Floor({"A": "washington", "B": "washington"}, limit=limit * UNIT, value=100_000)
    floor.start("A", 2)
    floor.bring_to(100_000)
    overflow = floor.state.counters.overflow
    floor.select("A", 2, ROYAL, ROYALS[1])
    floor.confirm("A", 2)
    floor.ok(floor.signature("A", 2))
    floor.ok(Contribute(at=floor.now(), table="B", wagers=5))
    floor.ok(undo(floor, "A/1/2"))
    assert floor.state.counters.overflow - overflow == over * floor.state.scale
    assert floor.shows == 100_000 * UNIT + 350 - over
    assert isinstance(floor.events[-1], Overflowed if over else AwardUndone)
    floor.replayed()


def test_a_refill_that_was_partly_won_since_is_recovered_as_far_as_it_is_there() -> None:
    """A meter of 3 is won and refilled to 100; a tenth of that is won; then the first award proves false."""
    floor = Floor({"A": "section10", "B": "section10"}, value=2, reset=100)
    floor.start("A", 1)
    floor.start("B", 1)
    floor.bring_to(3)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.confirm("A", 1)
    floor.ok(floor.signature("A", 1))
    floor.select("B", 1, STRAIGHT_FLUSH, STRAIGHT_FLUSHES[5])
    floor.confirm("B", 1)
    assert floor.sign_and_pay("B", 1) == 10 * UNIT
    floor.ok(undo(floor, "A/1/1"))
    undone = floor.events[-1]
    assert isinstance(undone, AwardUndone)
    assert (undone.seed_house, undone.seed_reserve, undone.after) == (93 * UNIT, 0, 0)
    assert floor.shows == 0
    floor.replayed()


def test_what_the_reserve_gave_to_the_refill_is_in_the_reserve_again() -> None:
    floor = Floor({"A": "section10"}, reset=100, hidden_rate="30%")
    floor.ok(Contribute(at=floor.now(), table="A", wagers=7))
    floor.start("A", 1)
    before, since = floor.state.counters, floor.state.since
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.confirm("A", 1)
    floor.sign_and_pay("A", 1)
    assert floor.state.counters.reserve == 0
    floor.ok(undo(floor, "A/1/1"))
    after = floor.state.counters
    assert (after.value, after.reserve, after.reserve_used, after.seeded) == (
        before.value,
        2_40 * floor.state.scale,
        0,
        0,
    )
    assert since_total(floor.state.since) == since_total(since)


def test_a_royal_pressed_by_accident_on_an_empty_meter_refills_nothing() -> None:
    """R6: with all awards off the meter, quads of 500 have drained 300; nobody has won a royal."""
    options = {"section10": {"progressive-meter-deduction": "all-awards"}}
    floor = Floor({"A": "section10"}, value=298, options=options)
    floor.start("A", 1, 3)
    floor.bring_to(300)
    floor.select("A", 1, "four_of_a_kind", "2s 2h 2d 2c 3s")
    floor.confirm("A", 1)
    assert floor.sign_and_pay("A", 1) == 500 * UNIT
    assert (floor.state.hits[0].from_meter, floor.state.hits[0].from_tray) == (300 * UNIT, 200 * UNIT)
    floor.select("A", 3, ROYAL, ROYALS[1])
    assert (floor.award("A", 3).amount, floor.shows) == (0, 10_000 * UNIT)
    floor.ok(floor.hand("A", 3, ROYAL, ROYALS[1]))
    assert floor.shows == 0
    assert floor.state.counters.seeded == 0
    floor.end("A")


def test_a_royal_that_comes_up_after_a_signature_shares_once_that_is_backed_out() -> None:
    floor = Floor({"A": "section10"})
    floor.start("A", 1, 5)
    floor.bring_to(100_000)
    floor.select("A", 5, ROYAL, ROYALS[5])
    floor.confirm("A", 5)
    floor.sign_and_pay("A", 5)
    assert floor.no(floor.hand("A", 1, ROYAL, ROYALS[1]))[0] == "CSP-10(l)(7)"
    floor.ok(undo(floor, "A/1/5"))
    floor.select("A", 5, ROYAL, ROYALS[5])
    floor.select("A", 1, ROYAL, ROYALS[1])
    for seat in (1, 5):
        floor.confirm("A", seat)
    assert [floor.sign_and_pay("A", seat) for seat in (5, 1)] == [50_000 * UNIT, 50_000 * UNIT]


def late(floor: Floor, **more: Any) -> SelectHand:
    """B's royal was dealt at three seconds and is seen after A's, dealt at five, was signed."""
    floor.start("A", 2)
    floor.start("B", 4)
    floor.bring_to(100_000)
    floor.select("A", 2, ROYAL, ROYALS[1], dealt=floor.dealt(5))
    floor.confirm("A", 2)
    floor.ok(floor.signature("A", 2))
    return floor.hand("B", 4, ROYAL, ROYALS[5], **more)


def test_a_hand_dealt_earlier_than_one_that_is_signed_does_not_get_the_rest_in_silence() -> None:
    """RWS-4.5.2: the House decides: the signed award is backed out and both are put in order, or it stands."""
    floor = Floor({"A": "rws", "B": "rws"})
    first = late(floor, dealt=floor.started)
    assert floor.no(SelectHand(**{**_fields(first), "dealt": floor.dealt(3)}))[0] == "RWS-4.5.2"
    floor.ok(undo(floor, "A/1/2"))
    floor.select("B", 4, ROYAL, ROYALS[5], dealt=floor.dealt(3))
    floor.select("A", 2, ROYAL, ROYALS[1], dealt=floor.dealt(5))
    for table, seat in (("A", 2), ("B", 4)):
        floor.confirm(table, seat)
    assert [floor.sign_and_pay("B", 4), floor.sign_and_pay("A", 2)] == [100_000 * UNIT, 10_000 * UNIT]


@pytest.mark.parametrize(("by", "allowed"), [("Eva", True), ("Sam", False), ("Ghost", False)])
def test_an_executive_may_let_the_signed_award_stand(by: str, allowed: bool) -> None:
    floor = Floor({"A": "rws", "B": "rws"})
    entry = late(floor)
    entry = SelectHand(**{**_fields(entry), "dealt": floor.dealt(3), "let_stand": by})
    assert (floor.do(entry) is None) == allowed
    if allowed:
        assert floor.award("B", 4).let_stand == "Eva"
        assert floor.award("B", 4).amount == 10_000 * UNIT


@pytest.mark.parametrize(("seconds", "allowed"), [(4, False), (5, True), (6, True)])
def test_only_a_hand_that_was_dealt_later_has_passed_the_turn(seconds: int, allowed: bool) -> None:
    floor = Floor({"A": "rws", "B": "rws"})
    entry = SelectHand(**{**_fields(late(floor)), "dealt": floor.dealt(seconds)})
    assert (floor.do(entry) is None) == allowed


def test_within_a_table_the_first_dealt_is_not_passed_either() -> None:
    floor = Floor({"A": "rws"})
    floor.start("A", 2, 4, 6)
    floor.select("A", 4, ROYAL, ROYALS[1])
    floor.confirm("A", 4)
    floor.ok(floor.signature("A", 4))
    assert floor.no(floor.hand("A", 2, ROYAL, ROYALS[3]))[0] == floor.books["rws"].cite("progressive.order")
    floor.select("A", 6, ROYAL, ROYALS[5])


def _fields(command: SelectHand) -> dict[str, Any]:
    return {name: getattr(command, name) for name in command.__struct_fields__}


def left() -> Floor:
    """A straight flush was paid at A; then A left the meter and only B, of another book, is on it."""
    floor = Floor({"A": "section10"}, awards={})
    floor.start("A", 1)
    floor.select("A", 1, STRAIGHT_FLUSH, STRAIGHT_FLUSHES[1])
    floor.confirm("A", 1)
    floor.sign_and_pay("A", 1)
    floor.end("A")
    floor.ok(Close(at=floor.now(), by="Sam"))
    floor.books = {"washington": book_with("washington", {})}
    posted = {"royal_flush": "100%", "straight_flush": "10%", "flush": "50"}
    floor.ok(Configure(at=floor.now(), **{**floor.settings, "tables": {"B": "washington"}, "awards": posted}))
    return floor


def test_an_award_of_a_book_that_has_left_the_meter_is_undone_and_printed_all_the_same() -> None:
    floor = left()
    assert "section10" in win_page(floor.books, floor.state, floor.state.hits[0])
    assert floor.no(undo(floor, "A/1/1", reason=" "))[0] == "R17"
    floor.ok(undo(floor, "A/1/1"))
    assert floor.shows == 100_000_70
    floor.replayed()


def test_a_table_that_comes_back_goes_on_where_it_was() -> None:
    floor = left()
    assert (floor.state.left["A"].game, floor.state.left["A"].wagers) == (1, 1)
    floor.books["section10"] = book_with("section10", {})
    floor.ok(Configure(at=floor.now(), **floor.settings))
    assert "A" not in floor.state.left
    assert floor.state.left["B"].game == 0
    floor.open()
    floor.start("A", 1)
    floor.select("A", 1, STRAIGHT_FLUSH, STRAIGHT_FLUSHES[1])
    assert floor.award("A", 1).id == "A/2/1"
    assert floor.state.tables["A"].wagers == 2
    floor.ok(SelectSeat(at=floor.now(), table="A", by="Dora", seat=1))
    floor.replayed()
