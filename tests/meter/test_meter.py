"""The meter itself: exact contributions, limit, reserve, lock and play on, pauses, faults, annulled rounds."""

from fractions import Fraction
from random import Random

import msgspec
import pytest

from aceking.meter.commands import (
    AdjustMeter,
    AnyCommand,
    CallMeterSupervisor,
    ChooseCourse,
    ClearFault,
    Contribute,
    EndMeterGame,
    PayMeterAward,
    ReportFault,
    Resume,
    StartMeterGame,
    VoidRound,
)
from aceking.meter.events import AnyEvent, CourseChosen, Faulted, MeterRoundVoided
from aceking.meter.reports import since_total
from aceking.meter.state import HITS_LISTED, MeterState, carried, screens
from tests.meter.acting import replay, state_bytes
from tests.meter.floor import ROYALS, STRAIGHT_FLUSHES, UNIT, Floor

ROYAL, STRAIGHT_FLUSH = "royal_flush", "straight_flush"


def test_forty_tables_at_the_same_moment_lose_no_fraction() -> None:
    tables = {f"T{number}": "section10" for number in range(40)}
    floor = Floor(tables, rate="71.337%", hidden_rate="3.113%")
    chance, wagered = Random(7), 0
    at = floor.now()
    for _ in range(2_000):
        wagers = chance.randint(1, 7)
        wagered += wagers * UNIT
        floor.ok(Contribute(at=at, table=chance.choice(list(tables)), wagers=wagers))
    assert floor.shows + carried(floor.state) == 100_000 * UNIT + wagered * Fraction("0.71337")
    assert Fraction(floor.state.counters.reserve, floor.state.scale) == wagered * Fraction("0.03113")
    assert sum(table.wagers for table in floor.state.tables.values()) * UNIT == wagered
    floor.replayed()


def test_what_exceeds_the_limit_goes_to_overflow_and_the_limit_itself_does_not() -> None:
    floor = Floor({"A": "section10"}, value=100, reset=10, limit=100_70)
    floor.ok(Contribute(at=floor.now(), table="A", wagers=1))
    assert (floor.shows, floor.state.counters.overflow) == (100_70, 0)
    floor.ok(Contribute(at=floor.now(), table="A", wagers=1))
    assert (floor.shows, floor.state.counters.overflow) == (100_70, 70 * floor.state.scale)


@pytest.mark.parametrize(("bound", "allowed"), [(69, False), (70, True)])
def test_a_contribution_beyond_the_bound_of_the_house_is_refused(bound: int, allowed: bool) -> None:
    floor = Floor({"A": "section10"}, contribution_max=bound)
    assert (floor.do(Contribute(at=floor.now(), table="A", wagers=1)) is None) == allowed
    refused = floor.do(StartMeterGame(at=floor.now(), table="A", by="Dora", seats=(1,)))
    assert (refused is None) == allowed
    assert refused is None or refused.clause == "R1"


def test_the_reserve_pays_the_next_reset_as_far_as_it_goes() -> None:
    floor = Floor({"A": "section10"}, reset=100, hidden_rate="30%")
    floor.ok(Contribute(at=floor.now(), table="A", wagers=7))
    floor.start("A", 1)
    floor.select("A", 1, ROYAL, ROYALS[1])
    award = floor.award("A", 1)
    assert (award.seed_reserve, award.seed_house) == (2_40, 97_60)
    assert floor.shows == 100 * UNIT


def test_the_amount_is_locked_and_the_others_play_on() -> None:
    floor = Floor({"A": "section10", "B": "section10"})
    floor.start("A", 1)
    floor.select("A", 1, ROYAL, ROYALS[1])
    locked = floor.award("A", 1).amount
    assert locked == 100_000_70
    for _ in range(10):
        floor.ok(Contribute(at=floor.now(), table="B", wagers=7))
    for screen in screens(floor.state):
        assert screen.pending == (("A", 1, locked),)
        assert screen.value == 10_000 * UNIT + 49_00
        assert not screen.suspended
    floor.confirm("A", 1)
    assert floor.sign_and_pay("A", 1) == locked
    assert screens(floor.state)[1].won == (("A", 1, locked),)
    assert floor.shows == 10_000 * UNIT + 49_00
    came = floor.state.hits[0].came
    assert came.start + came.fed == locked * floor.state.scale
    assert floor.state.since.fed == 49_00 * floor.state.scale


def test_the_next_winner_is_paid_what_is_shown_then() -> None:
    """RWS-4.5.2: what was fed between the two is on the display when the second hand is recognised."""
    floor = Floor({"A": "rws", "B": "rws"})
    floor.start("A", 1)
    floor.select("A", 1, ROYAL, ROYALS[1], dealt=floor.dealt(0))
    floor.ok(Contribute(at=floor.now(), table="B", wagers=10))
    floor.start("B", 1)
    floor.select("B", 1, ROYAL, ROYALS[5], dealt=floor.dealt(9))
    assert floor.award("B", 1).amount == 10_000 * UNIT + 7_70
    floor.confirm("B", 1)
    assert floor.no(floor.signature("B", 1)) == ("RWS-4.5.2", "seat 1 of table A is paid first")
    floor.confirm("A", 1)
    assert floor.sign_and_pay("A", 1) == 100_000_70
    assert floor.sign_and_pay("B", 1) == 10_007_70


def test_a_winner_who_is_left_when_another_is_taken_back_is_paid_from_their_own_moment() -> None:
    floor = Floor({"A": "section10", "B": "section10"})
    floor.start("A", 1)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.ok(Contribute(at=floor.now(), table="B", wagers=10))
    floor.start("B", 1)
    floor.select("B", 1, ROYAL, ROYALS[5])
    floor.ok(floor.hand("A", 1, ROYAL, ROYALS[1]))
    assert floor.award("B", 1).amount == 100_000_70 + 7_70
    assert since_total(floor.award("B", 1).came) == (100_000_70 + 7_70) * floor.state.scale


def test_a_share_is_signed_only_when_all_who_share_are_verified() -> None:
    floor = Floor({"A": "section10"})
    floor.start("A", 1, 5)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.select("A", 5, ROYAL, ROYALS[5])
    floor.confirm("A", 5)
    assert floor.no(floor.signature("A", 5))[0] == "CSP-10(l)(7)"
    floor.confirm("A", 1)
    assert floor.no(floor.signature("A", 1)) == ("CSP-10(l)(7)", "seat 5 of table A is paid first")
    floor.ok(floor.signature("A", 5))
    assert "manual adjustment" in floor.no(floor.hand("A", 1, ROYAL, ROYALS[1]))[1]


def test_a_royal_that_comes_up_after_the_share_was_signed() -> None:
    floor = Floor({"A": "section10"})
    floor.start("A", 1, 5)
    floor.select("A", 5, ROYAL, ROYALS[5])
    floor.confirm("A", 5)
    floor.sign_and_pay("A", 5)
    assert floor.no(floor.hand("A", 1, ROYAL, ROYALS[1]))[0] == "CSP-10(l)(7)"


@pytest.mark.parametrize("before", [True, False])
def test_a_share_is_with_those_whose_round_had_begun_when_it_was_signed(before: bool) -> None:
    """EUR-p25-share-royal: B shares if its round was under way; a round that begins later is another occasion."""
    floor = Floor({"A": "exchange", "B": "exchange"})
    floor.start("A", 1)
    if before:
        floor.start("B", 2)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.confirm("A", 1)
    floor.shown_all()
    floor.ok(floor.signature("A", 1))
    if not before:
        floor.ok(Resume(at=floor.now(), by="Sam"))
        floor.start("B", 2)
    late = floor.hand("B", 2, ROYAL, ROYALS[5])
    if before:
        assert floor.no(late)[0] == floor.books["exchange"].cite("progressive.shared")
    else:
        floor.ok(late)
        assert floor.award("B", 2).amount == 10_000 * UNIT + 70


def test_the_history_of_an_amount_adds_up_also_for_the_next_in_turn() -> None:
    """R21: start, fed, adjusted and taken add up to the value that each was paid from."""
    floor = Floor({"A": "washington"})
    floor.start("A", 1, 3, 5)
    floor.bring_to(90_000)
    floor.adjust_by(10_000)
    for seat in (1, 3, 5):
        floor.select("A", seat, STRAIGHT_FLUSH, STRAIGHT_FLUSHES[seat])
    for seat, value in ((5, 100_000), (3, 90_000), (1, 81_000)):
        award = floor.award("A", seat)
        assert award.amount == value // 10 * UNIT
        assert since_total(award.came) == value * UNIT * floor.state.scale
        assert award.came.adjusted == -2_10 * floor.state.scale
    for seat in (1, 3, 5):
        floor.confirm("A", seat)
    assert [floor.sign_and_pay("A", seat) for seat in (5, 3, 1)] == [10_000 * UNIT, 9_000 * UNIT, 8_100 * UNIT]
    assert since_total(floor.state.since) == 72_900 * UNIT * floor.state.scale


def test_the_history_of_those_who_wait_goes_on_after_a_signature() -> None:
    """R21: A is signed while B waits and the meter is fed; then C comes up, and all is set aside anew."""
    floor = Floor({"A": "rws", "B": "rws", "C": "rws"})
    floor.start("A", 1)
    floor.start("B", 1)
    floor.start("C", 1)
    floor.bring_to(100_000)
    floor.select("A", 1, ROYAL, ROYALS[1], dealt=floor.dealt(1))
    floor.select("B", 1, ROYAL, ROYALS[3], dealt=floor.dealt(2))
    floor.confirm("A", 1)
    floor.sign_and_pay("A", 1)
    floor.end("A")
    floor.ok(Contribute(at=floor.now(), table="A", wagers=10))
    floor.select("C", 1, STRAIGHT_FLUSH, STRAIGHT_FLUSHES[5], dealt=floor.dealt(3))
    for table, value in (("B", 10_000_00), ("C", 10_007_00)):
        assert since_total(floor.award(table, 1).came) == value * floor.state.scale
    assert floor.award("B", 1).amount == 10_000_00
    floor.confirm("B", 1)
    floor.confirm("C", 1)
    assert floor.sign_and_pay("B", 1) == 10_000_00
    assert floor.sign_and_pay("C", 1) == 1_000_70


def test_an_odd_cent_of_a_share_is_the_trays() -> None:
    floor = Floor({"A": "section10"})
    floor.start("A", 1, 5)
    odd = AdjustMeter(at=floor.now(), by="Sam", second="Eva", reason="an odd cent", amount=1)
    floor.ok(odd)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.select("A", 5, ROYAL, ROYALS[5])
    assert [one.amount for one in floor.state.awards.values()] == [50_000_71, 50_000_71]
    assert floor.state.counters.locked == 100_001_41 * floor.state.scale
    assert sum(one.from_tray for one in floor.state.awards.values()) == 1


def test_all_tables_pause_and_none_is_signed_before_each_has_shown_its_hands() -> None:
    """EUR-p25: the pause is one event; all who win at a table in mid-round share."""
    floor = Floor({"A": "exchange", "B": "exchange", "C": "exchange"})
    floor.start("A", 1)
    floor.start("B", 2)
    floor.bring_to(100_000)
    floor.select("A", 1, ROYAL, ROYALS[1])
    assert all(screen.suspended for screen in screens(floor.state))
    assert floor.no(StartMeterGame(at=floor.now(), table="C", by="Dora", seats=(1,)))[0] == "EUR-p25-declare"
    assert floor.no(Resume(at=floor.now(), by="Sam"))[0] == "EUR-p25-declare"
    floor.confirm("A", 1)
    assert floor.no(floor.signature("A", 1)) == ("EUR-p25-share-royal", "table B has not shown all its hands")
    floor.select("B", 2, ROYAL, ROYALS[5])
    floor.confirm("B", 2)
    floor.shown_all()
    assert floor.sign_and_pay("B", 2) == floor.sign_and_pay("A", 1) == 50_000 * UNIT
    floor.ok(Resume(at=floor.now(), by="Sam"))
    floor.end("A", "B")
    floor.start("C", 1)


def test_a_flush_pauses_nobody() -> None:
    floor = Floor({"A": "exchange", "B": "exchange"})
    floor.start("A", 1)
    floor.select("A", 1, "flush", "Kd Jd 9d 5d 2d")
    assert not any(screen.suspended for screen in screens(floor.state))


def test_an_order_left_to_the_internal_controls() -> None:
    options = {"washington": {"multi-meter-pay-order": "per-internal-controls"}}
    floor = Floor({"A": "washington"}, options=options)
    floor.start("A", 1, 5)
    floor.select("A", 1, ROYAL, ROYALS[1])
    refused = floor.do(floor.hand("A", 5, ROYAL, ROYALS[5]))
    assert refused is not None
    assert (refused.clause, refused.decides) == (floor.books["washington"].cite("void.last_word"), "supervisor")
    floor = Floor({"A": "washington"}, options=options, internal_order="from-first-dealt")
    floor.start("A", 1, 5)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.select("A", 5, ROYAL, ROYALS[5])
    assert floor.award("A", 5).amount == 10_000 * UNIT


def test_only_the_last_25_hits_are_listed() -> None:
    floor = Floor({"A": "section10"})
    for _ in range(HITS_LISTED + 2):
        floor.start("A", 1)
        floor.select("A", 1, STRAIGHT_FLUSH, STRAIGHT_FLUSHES[1])
        floor.confirm("A", 1)
        floor.sign_and_pay("A", 1)
        floor.end("A")
    assert len(floor.state.hits) == HITS_LISTED
    assert floor.state.counters.hits == HITS_LISTED + 2
    assert floor.state.hits[0].game == 3


def test_papers_before_the_game_ends_where_the_book_wants_them() -> None:
    floor = Floor({"A": "section10"})
    floor.start("A", 1)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.confirm("A", 1)
    floor.ok(floor.signature("A", 1))
    floor.ok(PayMeterAward(at=floor.now(), table="A", by="Dora", seat=1, amount=floor.award("A", 1).amount))
    assert floor.no(EndMeterGame(at=floor.now(), table="A", by="Dora"))[0] == "CSP-10(j)(5)(iii)#doc-hold"


def fault(floor: Floor, *, dealt: bool, looked: bool, **more: object) -> ReportFault:
    return msgspec.convert(
        {"do": "fault", "at": floor.now(), "table": "A", "by": "Sam", "dealt": dealt, "looked": looked, **more},
        ReportFault,
    )


@pytest.mark.parametrize(("dealt", "ruling"), [(True, "void-round"), (False, "void-round")])
def test_rws_5_17_nobody_has_looked(dealt: bool, ruling: str) -> None:
    floor = Floor({"A": "rws"})
    floor.start("A", 1)
    floor.ok(fault(floor, dealt=dealt, looked=False))
    ruled, voided = floor.events[-2:]
    assert isinstance(ruled, Faulted)
    assert (ruled.ruling, ruled.clause) == (ruling, "RWS-5.17")
    assert isinstance(voided, MeterRoundVoided)
    assert voided.feed == "kept"
    assert not floor.state.tables["A"].running


def test_rws_5_18_1_somebody_has_looked_and_is_paid_by_the_last_value() -> None:
    floor = Floor({"A": "rws", "B": "rws"})
    floor.start("A", 1)
    floor.ok(fault(floor, dealt=True, looked=True))
    last = floor.shows
    floor.ok(Contribute(at=floor.now(), table="B", wagers=10))
    floor.select("A", 1, STRAIGHT_FLUSH, STRAIGHT_FLUSHES[1])
    assert floor.award("A", 1).amount == -(-last // 10)
    floor.confirm("A", 1)
    assert floor.no(ClearFault(at=floor.now(), table="A", by="Sam"))[0] == "R12"
    floor.sign_and_pay("A", 1)
    floor.end("A")
    assert floor.no(StartMeterGame(at=floor.now(), table="A", by="Dora", seats=(1,)))[0] == "RWS-5.18.2"


def test_rws_5_18_2_the_three_courses() -> None:
    for course, clause in (
        ("close-table", "RWS-5.18.2.a"),
        ("block-affected-box", "RWS-5.18.2.b"),
        ("play-without-jackpot", "RWS-5.18.2.c"),
    ):
        floor = Floor({"A": "rws"})
        floor.ok(fault(floor, dealt=False, looked=False, boxes=(3,)))
        choose = {"do": "choose-course", "at": floor.now(), "table": "A", "by": "Sam", "course": course}
        if course == "play-without-jackpot":
            assert floor.no(msgspec.convert(choose, ChooseCourse))[0] == "RWS-5.18.2.c"
        floor.ok(msgspec.convert({**choose, "notice": True}, ChooseCourse))
        event = floor.events[-1]
        assert isinstance(event, CourseChosen)
        assert event.clause == clause
        assert floor.no(StartMeterGame(at=floor.now(), table="A", by="Dora", seats=(3,)))[0] == "RWS-5.18.2"
        assert (floor.do(StartMeterGame(at=floor.now(), table="A", by="Dora")) is None) == (course != "close-table")
        floor.replayed()


def test_a_fault_is_unregulated_elsewhere_until_a_person_rules() -> None:
    for book, decides, clause in (
        ("section10", "supervisor", "CSP-10(d)(4)"),
        ("exchange", "Gaming Management", "EUR-p26-dispute"),
        ("washington", "supervisor", "WA-7"),
    ):
        floor = Floor({"A": book})
        floor.start("A", 1)
        refused = floor.do(fault(floor, dealt=True, looked=False))
        assert refused is not None
        assert (refused.clause, refused.decides) == (clause, decides)
        floor.ok(fault(floor, dealt=True, looked=False, ruling="pay-at-last-value"))
        ruled = floor.events[-1]
        assert isinstance(ruled, Faulted)
        assert (ruled.ruling, ruled.clause, ruled.this_round) == ("pay-at-last-value", None, True)
        refused = floor.do(ChooseCourse(at=floor.now(), table="A", by="Sam"))
        assert refused is not None
        assert (refused.clause, refused.decides) == (clause, decides)


def test_what_a_void_round_fed_stays_or_is_backed_out() -> None:
    def void(floor: Floor, feed: str | None = None) -> VoidRound:
        raw = {"do": "void-round", "at": floor.now(), "table": "A", "by": "Sam", "reason": "53 cards", "feed": feed}
        return msgspec.convert(raw, VoidRound)

    floor = Floor({"A": "section10"})
    floor.start("A", 1)
    assert floor.no(void(floor, "reversed"))[0] == "CSP-10(l)(6)"
    floor.ok(void(floor))
    assert floor.shows == 100_000_70
    floor = Floor({"A": "section10"}, options={"section10": {"meter-on-void": "back-out"}}, hidden_rate="2%")
    floor.start("A", 1)
    floor.ok(void(floor))
    assert (floor.shows, floor.state.counters.reserve) == (100_000_00, 0)
    floor = Floor({"A": "washington"})
    floor.start("A", 1)
    refused = floor.do(void(floor))
    assert refused is not None
    assert refused.decides == "supervisor"
    floor.ok(void(floor, "kept"))


@pytest.mark.parametrize(("later", "back"), [(0, 0), (1, 70), (2, 70)])
def test_what_a_void_round_fed_and_somebody_won_since_is_not_backed_out_twice(later: int, back: int) -> None:
    """R6: the meter gives back what the round fed as far as it has it, and the round is not stuck."""
    options = {"section10": {"meter-on-void": "back-out"}}
    floor = Floor({"A": "section10", "B": "section10"}, options=options, value=0, reset=0)
    floor.start("A", 1)
    floor.start("B", 1)
    floor.select("B", 1, ROYAL, ROYALS[5])
    floor.confirm("B", 1)
    void = VoidRound(at=floor.now(), table="A", by="Sam", reason="53 cards")
    assert floor.no(void)[0] == "R6"
    assert floor.sign_and_pay("B", 1) == 1_40
    floor.end("B")
    for _ in range(later):
        floor.ok(Contribute(at=floor.now(), table="B", wagers=1))
    floor.ok(VoidRound(at=floor.now(), table="A", by="Sam", reason="53 cards"))
    event = floor.events[-1]
    assert isinstance(event, MeterRoundVoided)
    assert event.from_meter == back * floor.state.scale
    assert floor.shows == later * 70 - back


def test_commands_events_and_state_survive_json() -> None:
    floor = Floor({"A": "section10", "B": "washington"}, hidden_rate="1.5%")
    floor.start("A", 1, 5)
    floor.select("A", 1, ROYAL, ROYALS[1])
    floor.do(CallMeterSupervisor(at=floor.now(), table="A", by="Nobody", seat=1))
    events = [msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) for event in floor.events]
    assert events == floor.events
    assert state_bytes(replay(events)) == state_bytes(floor.state)
    assert msgspec.json.decode(state_bytes(floor.state), type=MeterState) == floor.state
    command: AnyCommand = Contribute(at=floor.now(), table="A", wagers=3)
    assert msgspec.json.decode(msgspec.json.encode(command), type=AnyCommand) == command
