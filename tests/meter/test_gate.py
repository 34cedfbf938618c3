"""What every command passes: the clock, its id, numbers within reason; and the moments of a deal."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.meter.commands import (
    AdjustMeter,
    AnyCommand,
    CallMeterSupervisor,
    ChooseCourse,
    ClearFault,
    Close,
    Configure,
    Contribute,
    DrawTrigger,
    EndMeterGame,
    Enrol,
    Open,
    PayMeterAward,
    PrintAwardPage,
    ReportFault,
    Resume,
    Retire,
    SelectHand,
    SelectSeat,
    ShownAll,
    SignAward,
    StartMeterGame,
    Suspend,
    VerifyAward,
    VoidRound,
)
from aceking.meter.events import MeterRefused
from aceking.meter.gate import AMOUNT_LARGEST, TEXT_LONGEST, WAGERS_MOST
from aceking.meter.state import MeterState
from tests.meter.acting import act, state_bytes
from tests.meter.floor import ROYALS, START, UNIT, Floor

ROYAL = "royal_flush"
AT = START + timedelta(days=1)
EVERY: list[AnyCommand] = [
    Enrol(at=AT, by="Eva", name="Zoe", role="dealer"),
    Open(at=AT, by="Sam"),
    Close(at=AT, by="Sam"),
    Retire(at=AT, by="Sam", second="Eva", reason="old", to="meter", place="Grand"),
    Suspend(at=AT, by="Sam", reason="a drill"),
    Resume(at=AT, by="Sam"),
    Contribute(at=AT, table="A"),
    StartMeterGame(at=AT, table="A", by="Dora", seats=(1,)),
    EndMeterGame(at=AT, table="A", by="Dora"),
    VoidRound(at=AT, table="A", by="Sam", reason="53 cards"),
    ShownAll(at=AT, table="A", by="Dora"),
    SelectSeat(at=AT, table="A", by="Dora", seat=1),
    SelectHand(at=AT, table="A", by="Dora", hand=ROYAL, cards=ROYALS[1]),
    CallMeterSupervisor(at=AT, table="A", by="Dora", seat=1),
    VerifyAward(at=AT, table="A", by="Sam", seat=1, hand=ROYAL, cards=ROYALS[1], light=True),
    SignAward(at=AT, table="A", by="Eva", seat=1, amount=1),
    PrintAwardPage(at=AT, table="A", by="Sam", seat=1),
    PayMeterAward(at=AT, table="A", by="Dora", seat=1, amount=1),
    AdjustMeter(at=AT, by="Sam", second="Eva", reason="a count", amount=1),
    ReportFault(at=AT, table="A", by="Sam", dealt=False, looked=False),
    ChooseCourse(at=AT, table="A", by="Sam", course="close-table"),
    ClearFault(at=AT, table="A", by="Sam"),
    DrawTrigger(at=AT, by="Sam", commitment="0" * 64),
]


def named(command: AnyCommand) -> str:
    return type(command).__name__


@pytest.mark.parametrize("command", EVERY, ids=named)
def test_no_command_comes_before_the_last_one(command: AnyCommand) -> None:
    """R20; also after a command that was refused, and to the second."""
    floor = Floor({"A": "section10"})
    floor.no(Open(at=AT, by="Sam"))
    before = state_bytes(replace(floor.state, events=0, refusals=0))
    early = replace(command, at=AT - timedelta(seconds=1))
    assert floor.no(early) == ("R20", f"the clock of the meter stands at {AT.isoformat()}; it does not go back")
    assert floor.events[-1].at == AT, "the record itself does not go back either"
    assert state_bytes(replace(floor.state, events=0, refusals=0)) == before
    refused = floor.do(command)
    assert refused is None or refused.clause != "R20"


def test_every_command_is_tried_above() -> None:
    floor = Floor({"A": "section10"}, opened=False)
    assert floor.no(Configure(at=START, **floor.settings))[0] == "R20"
    assert {named(one) for one in EVERY} | {"Configure"} == {one.__name__ for one in AnyCommand.__args__}


@pytest.mark.parametrize(("days", "allowed"), [(0, True), (366, True), (367, False)])
def test_a_clock_that_is_a_year_ahead_does_not_stop_the_meter(days: int, allowed: bool) -> None:
    floor = Floor({"A": "section10"})
    clock = floor.state.clock
    assert clock is not None
    fed = Contribute(at=clock + timedelta(days=days), table="A")
    assert (floor.do(fed) is None) == allowed
    assert floor.state.clock == (fed.at if allowed else clock)
    floor.ok(Contribute(at=clock + timedelta(days=days if allowed else 0), table="A"))


@pytest.mark.parametrize(("year", "allowed"), [(1999, False), (2000, True), (2199, True), (2200, False)])
def test_a_year_that_no_clock_shows(year: int, allowed: bool) -> None:
    settings = Floor({"A": "section10"}, opened=False).settings
    floor = Floor({"A": "section10"}, opened=False)
    floor.state, floor.events = MeterState(), []
    refused = floor.do(Configure(at=datetime(year, 6, 1, tzinfo=UTC), **settings))
    assert (refused is None) == allowed
    assert refused is None or (refused.clause, refused.at.year) == ("R20", 2000)


@pytest.mark.parametrize(
    ("seconds", "clause"),
    [(-1, "R14"), (0, None), (30, None), (61, None), (62, "R20"), (10**8, "R20")],
)
@pytest.mark.parametrize("book", ["rws", "section10"])
def test_a_hand_is_dealt_after_the_bets_are_closed_and_before_it_is_entered(
    book: str, seconds: int, clause: str | None
) -> None:
    """The bets close at 0, the hand is entered at 61."""
    floor = Floor({"A": book, "B": book})
    floor.start("A", 2)
    floor.ok(SelectSeat(at=floor.clock, table="A", by="Dora", seat=2))
    entered = SelectHand(at=floor.now(), table="A", by="Dora", hand=ROYAL, cards=ROYALS[1], dealt=floor.dealt(seconds))
    assert entered.at == floor.dealt(61)
    refused = floor.do(entered)
    assert (None if refused is None else refused.clause) == clause


def test_the_same_id_is_answered_once_and_with_another_content_refused() -> None:
    floor = Floor({"A": "rws"}, value=1_000)
    fed = Contribute(at=floor.now(), table="A", wagers=10, id="A-17")
    floor.ok(fed)
    before = state_bytes(floor.state)
    assert act(floor.books, floor.state, fed) == (floor.state, ())
    floor.ok(Contribute(at=floor.now(), table="A", wagers=1))
    floor.ok(fed)
    assert floor.shows == 1_007_70, "and it is the clock of the first that counts"
    assert state_bytes(floor.state) != before
    for other in (replace(fed, wagers=11), replace(fed, at=floor.now()), Open(at=floor.now(), by="Sam", id="A-17")):
        assert floor.no(other) == ("R20", "the id 'A-17' was given to another command")
    floor.ok(replace(fed, at=floor.now(), id="A-18"))
    floor.ok(replace(fed, at=floor.clock, id=None))
    floor.ok(replace(fed, at=floor.clock, id=None))
    assert floor.shows == 1_007_70 + 3 * 7_00, "without an id, every feed is a feed of its own"
    floor.replayed()


def test_a_refusal_is_the_answer_too() -> None:
    """What was refused is not carried out when the same message comes again, though it could be by now."""
    floor = Floor({"A": "rws"}, opened=False)
    fed = Contribute(at=floor.now(), table="A", wagers=10, id="A-1")
    assert floor.no(fed)[0] == "R5"
    floor.open()
    refusals = floor.state.refusals
    floor.ok(fed)
    assert floor.state.refusals == refusals
    assert floor.shows == 100_000 * UNIT
    floor.ok(replace(fed, id="A-2", at=floor.now()))
    assert floor.no(replace(fed, id=" ", at=floor.now()))[0] == "R20"


def test_many_ids_are_all_remembered() -> None:
    floor = Floor({"A": "rws"})
    sent = [Contribute(at=floor.now(), table="A", wagers=1, id=f"id {number}") for number in range(600)]
    for one in (*sent, *sent):
        floor.ok(one)
    assert floor.state.counters.wagers == 600


@pytest.mark.parametrize(
    "command",
    [
        Contribute(at=AT, table="A", wagers=WAGERS_MOST + 1),
        AdjustMeter(at=AT, by="Sam", second="Eva", reason="a count", amount=AMOUNT_LARGEST + 1),
        AdjustMeter(at=AT, by="Sam", second="Eva", reason="a count", amount=-AMOUNT_LARGEST - 1),
        StartMeterGame(at=AT, table="A", by="Dora", seats=(1, AMOUNT_LARGEST + 1)),
        SignAward(at=AT, table="A", by="Eva", seat=1, amount=10**40),
        ReportFault(at=AT, table="A", by="Sam", dealt=False, looked=False, boxes=(10**30,)),
    ],
    ids=named,
)
def test_a_number_beyond_reason_is_refused(command: AnyCommand) -> None:
    floor = Floor({"A": "section10"})
    assert floor.no(command)[0] == "R1"


def test_numbers_that_are_just_within_reason() -> None:
    assert (WAGERS_MOST, AMOUNT_LARGEST, TEXT_LONGEST) == (1_000_000, 1_000_000_000_000, 1_000)
    floor = Floor({"A": "section10"})
    floor.ok(Contribute(at=floor.now(), table="A", wagers=WAGERS_MOST))
    floor.ok(AdjustMeter(at=floor.now(), by="Sam", second="Eva", reason="a" * TEXT_LONGEST, amount=AMOUNT_LARGEST))
    too_long = AdjustMeter(at=floor.now(), by="Sam", second="Eva", reason="a" * (TEXT_LONGEST + 1), amount=1)
    assert floor.no(too_long)[0] == "R19"


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        ({"base": AMOUNT_LARGEST + 1}, "R1"),
        ({"awards": {ROYAL: "100.01%"}}, "R1"),
        ({"awards": {ROYAL: "0%"}}, "R1"),
        ({"awards": {"flush": "9" * 31}}, "R1"),
        ({"awards": {"flush": str(AMOUNT_LARGEST)}}, "R1"),
        ({"rate": "70.0000000001%"}, "R4"),
        ({"odds": {ROYAL: 10**13}}, "R1"),
        ({"tables": {" ": "washington"}}, "R1"),
        ({"tables": {"x" * (TEXT_LONGEST + 1): "washington"}}, "R19"),
    ],
)
def test_parameters_beyond_reason_are_refused(change: dict[str, Any], clause: str) -> None:
    floor = Floor({"A": "washington"}, opened=False)
    fresh = Floor({"A": "washington"}, opened=False)
    fresh.state, fresh.events = MeterState(), []
    assert fresh.no(Configure(at=floor.now(), **{**floor.settings, **change}))[0] == clause


def test_the_finest_rate_and_the_largest_part_are_taken() -> None:
    floor = Floor({"A": "washington"}, rate="70.0000001%", awards={ROYAL: "100%", "flush": "0.01"})
    assert floor.state.phase == "open"
    assert floor.state.scale == 10**9


def test_the_same_adjustment_twice_is_one() -> None:
    floor = Floor({"A": "section10"})
    once = AdjustMeter(at=floor.now(), by="Sam", second="Eva", reason="a count", amount=500)
    floor.ok(once)
    assert floor.no(once) == ("R17", "this adjustment is on the record; another one has its own moment")
    floor.ok(replace(once, amount=600))
    floor.ok(replace(once, at=floor.now()))
    assert floor.shows == 100_000 * UNIT + 1_600


def test_a_fault_is_at_a_place_of_the_table() -> None:
    floor = Floor({"A": "rws"})
    places = floor.books["rws"].table.seats_max
    for box in (0, places + 1):
        wrong = ReportFault(at=floor.now(), table="A", by="Sam", dealt=False, looked=False, boxes=(box,))
        clause = floor.books["rws"].cite("table.seats_max")
        assert floor.no(wrong) == (clause, f"the table has {places} places, there is no {box}")
    floor.ok(ReportFault(at=floor.now(), table="A", by="Sam", dealt=False, looked=False, boxes=(places, 1, 1)))
    fault = floor.state.tables["A"].fault
    assert fault is not None
    assert fault.boxes == (1, places)


def test_every_refusal_names_a_clause() -> None:
    """All commands at all states that a short night comes through."""
    floor = Floor({"A": "section10", "B": "washington"})
    found: list[MeterRefused] = []
    for _ in range(3):
        for command in EVERY:
            refused = floor.do(replace(command, at=max(floor.now(), AT)))
            found += [] if refused is None else [refused]
        floor.clock = AT + timedelta(seconds=1)
        if floor.state.retired is None and floor.state.phase == "open" and not floor.state.tables["A"].running:
            floor.do(StartMeterGame(at=AT, table="A", by="Dora", seats=(1,)))
    assert len(found) > 20
    assert all(one.clause for one in found)
    assert all(one.reason for one in found)
