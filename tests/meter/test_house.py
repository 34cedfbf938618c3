"""Opening, closing, suspending, annulling, faults: what the house may not do with a meter, and by which rule."""

from typing import Any, Literal

import pytest

from aceking.meter.commands import (
    AdjustMeter,
    AnyCommand,
    ChooseCourse,
    ClearFault,
    Close,
    Configure,
    Enrol,
    Open,
    ReportFault,
    Resume,
    ShownAll,
    Suspend,
    VoidRound,
)
from aceking.meter.state import MeterState
from tests.meter.floor import UNIT, Floor

BOOKS = ("section10", "washington", "rws", "exchange")


def no(floor: Floor, kind: type[AnyCommand], **more: Any) -> tuple[str | None, str]:
    return floor.no(kind(at=floor.now(), **more))


@pytest.mark.parametrize("book", BOOKS)
def test_a_meter_is_opened_and_closed_once_and_not_while_a_round_runs(book: str) -> None:
    floor = Floor({"A": book, "B": book})
    assert no(floor, Open, by="Sam") == ("R5", "the meter is open")
    floor.start("B", 1)
    assert no(floor, Close, by="Sam") == ("R5", "a round is under way at table B")
    floor.end("B")
    floor.ok(Close(at=floor.now(), by="Sam"))
    assert no(floor, Close, by="Sam") == ("R5", "the meter is not in operation")
    assert no(floor, Close, by="Dora")[0] == "R5"
    floor.open()
    assert floor.state.phase == "open"


def test_a_meter_without_parameters_is_not_opened() -> None:
    floor = Floor({"A": "rws"}, opened=False)
    floor.state = MeterState(people=floor.state.people)
    assert no(floor, Open, by="Sam") == ("R5", "the meter is not configured")


@pytest.mark.parametrize("book", BOOKS)
def test_tables_are_suspended_by_name_and_with_a_reason(book: str) -> None:
    floor = Floor({"A": book, "B": book})
    assert no(floor, Suspend, by="Sam", tables=("A", "Z"), reason="a leak") == (
        "R5",
        "there is no table 'Z' on this meter",
    )
    assert no(floor, Suspend, by="Sam", tables=("A",), reason=" ") == ("R17", "give a reason for the suspension")
    assert no(floor, Suspend, by="Dora", tables=("A",), reason="a leak")[0] == "R5"
    floor.ok(Suspend(at=floor.now(), by="Sam", tables=("A",), reason="a leak"))
    assert [name for name, table in floor.state.tables.items() if table.suspended] == ["A"]
    floor.ok(Suspend(at=floor.now(), by="Sam", reason="a leak"))
    assert [name for name, table in floor.state.tables.items() if table.suspended] == ["A", "B"]
    floor.ok(Resume(at=floor.now(), by="Sam", tables=("B",)))
    assert [name for name, table in floor.state.tables.items() if table.suspended] == ["A"]
    floor.ok(Resume(at=floor.now(), by="Sam"))
    assert not any(table.suspended for table in floor.state.tables.values())


@pytest.mark.parametrize("book", BOOKS)
def test_a_round_is_annulled_with_a_reason_by_the_floor_while_it_runs(book: str) -> None:
    floor = Floor({"A": book})
    feed: Literal["kept"] | None = None if floor.books[book].progressive.void_feed else "kept"  # type: ignore[union-attr]
    assert no(floor, VoidRound, table="A", by="Sam", reason="misdeal", feed=feed)[1] != ""
    floor.start("A", 1, 2)
    fed = floor.state.counters.value
    assert no(floor, VoidRound, table="A", by="Sam", reason="  ", feed=feed) == (
        "R17",
        "a round is not annulled without a reason",
    )
    assert no(floor, VoidRound, table="A", by="Dora", reason="misdeal", feed=feed)[1].startswith("Dora is a dealer")
    floor.ok(VoidRound(at=floor.now(), table="A", by="Sam", reason="misdeal", feed=feed))
    assert not floor.state.tables["A"].running
    assert floor.state.counters.value <= fed


@pytest.mark.parametrize("book", BOOKS)
def test_a_fault_is_told_once_and_cleared_once(book: str) -> None:
    floor = Floor({"A": book})
    assert no(floor, ClearFault, table="A", by="Sam") == ("R12", "the progressive works")
    assert no(floor, ChooseCourse, table="A", by="Sam", course="close-table")[1] == "the progressive works"
    seen = {"looked": True, "dealt": False}
    assert no(floor, ReportFault, table="A", by="Sam", **seen) == (
        "R12",
        "nobody can have seen cards that were not dealt",
    )
    assert no(floor, ReportFault, table="A", by="Sam", dealt=False, looked=False, boxes=(17,))[1].endswith(
        "there is no 17"
    )
    assert no(floor, ReportFault, table="A", by="Nobody", dealt=False, looked=False)[0] == "R12"
    floor.ok(ReportFault(at=floor.now(), table="A", by="Sam", dealt=False, looked=False, boxes=(3, 1, 3)))
    broken = floor.state.tables["A"].fault
    assert broken is not None
    assert broken.boxes == (1, 3)
    assert no(floor, ReportFault, table="A", by="Sam", dealt=False, looked=False) == (
        "R12",
        "the fault is on the record",
    )
    assert no(floor, ClearFault, table="A", by="Dora")[0] == "R12"
    floor.ok(ClearFault(at=floor.now(), table="A", by="Sam"))
    assert floor.state.tables["A"].fault is None


@pytest.mark.parametrize("book", BOOKS)
def test_nobody_waits_for_a_table_that_was_not_paused(book: str) -> None:
    floor = Floor({"A": book, "B": book})
    assert no(floor, ShownAll, table="A", by="Dora")[1] == "nobody waits for this table"


def test_two_signatures_are_two_persons() -> None:
    floor = Floor({"A": "rws"})
    assert no(floor, AdjustMeter, by="Eva", second="Eva", reason="a count", amount=5 * UNIT)[1] == (
        "the second signature is another person's"
    )


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(("dealt", "looked"), [(False, False), (True, False), (True, True)])
def test_what_a_fault_does_to_the_round(book: str, *, dealt: bool, looked: bool) -> None:
    """RWS-5.17: before anybody has seen cards the round is void, after that it is paid by the last value.

    The other books do not say; washington not even what becomes of the feed of a void round: a person annuls it.
    """
    floor = Floor({"A": book})
    floor.start("A", 1, 2)
    shown, fed = floor.shows, floor.state.counters.value
    told: dict[str, Any] = {"table": "A", "by": "Sam", "dealt": dealt, "looked": looked}
    if book != "rws":
        asked = floor.do(ReportFault(at=floor.now(), **told))
        assert asked is not None
        assert asked.decides == floor.books[book].void.last_word
        assert no(floor, ReportFault, **{**told, "by": "Dora"}, ruling="void-round")[0] == "R12"
        told["ruling"] = "void-round"
    else:
        other = "void-round" if looked else "pay-at-last-value"
        assert no(floor, ReportFault, **told, ruling=other)[1].startswith("the book rules: ")
    floor.ok(ReportFault(at=floor.now(), **told))
    broken = floor.state.tables["A"].fault
    assert broken is not None
    paid = book == "rws" and looked
    assert (broken.this_round, broken.value) == (paid, shown)
    assert floor.state.tables["A"].running is (paid or book == "washington")
    assert floor.state.counters.value == fed
    if paid:
        assert no(floor, ClearFault, table="A", by="Sam")[1].startswith("the round that the fault met is paid")
    if book == "washington":
        floor.ok(VoidRound(at=floor.now(), table="A", by="Sam", reason="the fault", feed="reversed"))
        assert floor.state.counters.value < fed


@pytest.mark.parametrize("book", BOOKS)
def test_confirmations_are_numbered_in_the_order_in_which_they_came(book: str) -> None:
    floor = Floor({"A": book})
    floor.start("A", 1, 3, 5)
    cards = {1: "Kd Jd 9d 5d 2d", 3: "Kc Jc 9c 5c 2c", 5: "Kh Jh 9h 5h 2h"}
    for seat, hand in cards.items():
        floor.select("A", seat, "flush", hand)
    for seat in (3, 1, 5):
        floor.confirm("A", seat)
    assert [floor.award("A", seat).verified for seat in (3, 1, 5)] == [1, 2, 3]
    assert floor.state.verified == 3
    assert [floor.award("A", seat).verifier for seat in (3, 1, 5)] == ["Sam"] * 3


def test_nobody_gives_themselves_a_role() -> None:
    floor = Floor({"A": "rws"})
    assert no(floor, Enrol, name="Eva", role="supervisor", by="Eva") == ("R5", "nobody gives themselves a role")
    assert no(floor, Enrol, name="Eva", role="supervisor", by="Sam", second="Eva") == (
        "R5",
        "nobody gives themselves a role",
    )
    assert no(floor, Enrol, name="New", role="dealer", by="Dora")[0] == "R5"
    floor.ok(Enrol(at=floor.now(), name="New", role="dealer", by="Eva"))
    assert floor.state.people["New"] == "dealer"


@pytest.mark.parametrize(("length", "taken"), [(30, True), (31, False)])
def test_the_text_of_an_award_is_no_longer_than_reason(length: int, *, taken: bool) -> None:
    floor = Floor({"A": "washington"}, opened=False)
    awards = {**floor.settings["awards"], "flush": "50".rjust(length, "0")}
    refused = floor.do(Configure(at=floor.now(), **{**floor.settings, "awards": awards}))
    assert (refused is None) is taken
    if refused is not None:
        assert (refused.clause, refused.reason) == ("R1", "awards: the award for flush is too long a text")
