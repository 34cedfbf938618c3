"""What is refused: by which clause, on the record, and with nothing moved (the floor checks that for each refusal)."""

from dataclasses import replace
from typing import Any

import pytest

from aceking.meter.commands import (
    AdjustMeter,
    CallMeterSupervisor,
    Close,
    Configure,
    Contribute,
    EndMeterGame,
    Enrol,
    Open,
    PayMeterAward,
    SelectHand,
    SelectSeat,
    StartMeterGame,
    VerifyAward,
)
from aceking.meter.configuration import chances
from aceking.meter.events import AwardUndone, MeterRefused
from tests.meter.floor import PEOPLE, ROYALS, UNIT, Floor, book_with

ROYAL = "royal_flush"


def selected(book: str = "washington", **more: Any) -> Floor:
    """A royal at seat 3, selected and called."""
    floor = Floor({"A": book, "B": book}, **more)
    floor.start("A", 1, 3)
    floor.select("A", 3, ROYAL, ROYALS[1])
    floor.ok(CallMeterSupervisor(at=floor.now(), table="A", by="Dora", seat=3))
    return floor


def check(
    floor: Floor, by: str = "Sam", cards: str = ROYALS[1], hand: str = ROYAL, *, light: bool = True
) -> VerifyAward:
    return VerifyAward(at=floor.now(), table="A", by=by, seat=3, hand=hand, cards=cards, light=light)


def test_an_award_for_a_seat_without_a_lit_side_bet() -> None:
    for book, clause in (("washington", "WA-6"), ("section10", "CSP-10(f)(3)#light"), ("exchange", "EUR-p13-jp-light")):
        floor = Floor({"A": book})
        floor.start("A", 1, 3)
        assert floor.no(SelectSeat(at=floor.now(), table="A", by="Dora", seat=2))[0] == clause


def test_a_hand_that_the_cards_do_not_show() -> None:
    floor = Floor({"A": "washington"})
    floor.start("A", 3)
    wrong = floor.hand("A", 3, ROYAL, "9c 8c 7c 6c 5c")
    assert floor.no(wrong) == ("WA-9d", "the cards show a straight flush, not a royal flush")
    for cards in ("As Ks Qs Js", "As As Qs Js Ts", "As Ks Qs Js Xs"):
        assert floor.no(floor.hand("A", 3, ROYAL, cards))[0] == "WA-9d"
    assert floor.no(floor.hand("A", 3, "five_aces", ROYALS[1]))[0] == "WA-9d"
    assert floor.no(floor.hand("A", 3, "pair", "As Ad Qs Js 9s"))[0] == "WA-3"


def test_the_same_cards_at_two_seats() -> None:
    floor = Floor({"A": "section10"})
    floor.start("A", 1, 3)
    floor.select("A", 1, ROYAL, ROYALS[1])
    assert floor.no(floor.hand("A", 3, ROYAL, ROYALS[1]))[0] == "R16"


def test_the_check_is_of_win_light_and_cards_by_another_person() -> None:
    floor = selected()
    assert floor.no(check(floor, by="Dora"))[0] == "WA-show-a-proghand"
    assert floor.no(check(floor, by="Root"))[1].startswith("Root is an administrator")
    assert floor.no(check(floor, light=False))[0] == "WA-6"
    assert floor.no(check(floor, cards=ROYALS[3]))[1].startswith("the dealer entered As")
    assert floor.no(check(floor, cards="9c 8c 7c 6c 5c"))[1].startswith("the cards show")
    floor.ok(check(floor))
    assert floor.no(check(floor, by="Sue"))[1].startswith(("the award is", "Sue"))


def test_a_signature_by_the_same_person_or_the_wrong_role() -> None:
    floor = selected(executive_from=50_000 * UNIT)
    assert floor.no(floor.signature("A", 3))[1] == "the hand is not verified"
    floor.ok(check(floor, by="Eva"))
    assert floor.no(floor.signature("A", 3, by="Eva"))[1] == "Eva verified the hand; it takes another person"
    assert floor.no(floor.signature("A", 3, by="Sue"))[0] == "WA-9f"
    assert floor.no(floor.signature("A", 3, by="Dora"))[1] == "Dora is a dealer; this takes an executive"
    floor.ok(floor.signature("A", 3, by="Max"))


@pytest.mark.parametrize(("amount", "by", "allowed"), [(499, "Sam", True), (500, "Sam", False), (500, "Eva", True)])
def test_from_the_threshold_on_an_executive_signs(amount: int, by: str, allowed: bool) -> None:
    """Both sides of the threshold, which is the book's option."""
    options = {"washington": {"executive-card-threshold": "500"}}
    awards = {ROYAL: "100%", "flush": str(amount)}
    floor = Floor({"A": "washington"}, options=options, awards=awards)
    floor.start("A", 3)
    floor.select("A", 3, "flush", "Kd Jd 9d 5d 2d")
    floor.ok(CallMeterSupervisor(at=floor.now(), table="A", by="Dora", seat=3))
    floor.ok(check(floor, by="Sue", hand="flush", cards="Kd Jd 9d 5d 2d"))
    refused = floor.do(floor.signature("A", 3, by=by))
    assert (refused is None) == allowed
    assert refused is None or refused.clause == "WA-9f"


def test_a_swipe_or_a_payment_for_another_amount_is_refused() -> None:
    floor = selected()
    floor.ok(check(floor))
    due = floor.award("A", 3).amount
    for wrong in (due - 1, due + 1, 0):
        assert floor.no(floor.signature("A", 3, amount=wrong))[0] == "WA-9f"
    floor.ok(floor.signature("A", 3))
    assert floor.no(PayMeterAward(at=floor.now(), table="A", by="Dora", seat=3, amount=due - 1))[0] == "WA-9"
    assert floor.no(EndMeterGame(at=floor.now(), table="A", by="Dora"))[0] == "WA-9"
    floor.ok(PayMeterAward(at=floor.now(), table="A", by="Dora", seat=3, amount=due))
    assert floor.no(PayMeterAward(at=floor.now(), table="A", by="Dora", seat=3, amount=due))[1] == "the award is paid"


def test_pressing_the_button_again_takes_it_back_until_the_swipe() -> None:
    floor = selected()
    assert floor.shows == 10_000 * UNIT

    def again() -> SelectHand:
        return SelectHand(at=floor.now(), table="A", by="Dora", hand=ROYAL, cards=ROYALS[1], dealt=floor.clock)

    floor.ok(again())
    assert not floor.state.awards
    assert floor.shows == 100_001_40
    floor.ok(again())
    floor.confirm("A", 3)
    floor.ok(floor.signature("A", 3))
    assert floor.no(again()) == ("WA-9h", "the award is signed; only a manual adjustment undoes it")


def test_only_an_adjustment_with_a_reason_and_two_signatures_undoes_an_award() -> None:
    floor = selected()
    value = 100_001_40 * floor.state.scale
    floor.ok(check(floor))
    floor.sign_and_pay("A", 3)
    undo: dict[str, Any] = {"by": "Sam", "second": "Eva", "reason": "the camera shows a palmed card", "undo": "A/1/3"}
    for wrong in ({"reason": " "}, {"second": "Sam"}, {"second": "Dora"}, {"by": "Root"}, {"amount": 5}):
        assert floor.no(AdjustMeter(at=floor.now(), **{**undo, **wrong}))[0] == "WA-9h"
    floor.ok(AdjustMeter(at=floor.now(), **undo))
    event = floor.events[-1]
    assert isinstance(event, AwardUndone)
    assert (event.by, event.second, event.after) == ("Sam", "Eva", value)
    assert floor.state.counters.value == value
    assert floor.state.counters.paid == 0
    assert floor.no(AdjustMeter(at=floor.now(), **undo))[0] == "WA-9h"
    floor.replayed()


def test_an_adjustment_of_the_meter_needs_a_reason_and_two_persons_and_keeps_its_bounds() -> None:
    floor = Floor({"A": "section10"}, limit=100_500 * UNIT)
    base: dict[str, Any] = {"by": "Sam", "second": "Eva", "reason": "a count", "amount": 100}
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"reason": ""}, "R17"),
        ({"second": "Sam"}, "R17"),
        ({"amount": 0}, "R17"),
        ({"by": "Dan"}, "R17"),
        ({"amount": 501 * UNIT}, "R7"),
        ({"amount": -(10**8)}, "R6"),
    ]
    for wrong, clause in wrongs:
        assert floor.no(AdjustMeter(at=floor.now(), **{**base, **wrong}))[0] == clause
    floor.ok(AdjustMeter(at=floor.now(), **base))
    assert floor.shows == 100_000 * UNIT + 100
    assert floor.no(AdjustMeter(at=floor.now(), **{**base, "amount": 500 * UNIT - 99}))[0] == "R7"
    floor.ok(AdjustMeter(at=floor.now(), **{**base, "amount": 500 * UNIT - 100}))
    assert floor.no(AdjustMeter(at=floor.now(), **{**base, "amount": -100_500 * UNIT - 1}))[0] == "R6"
    floor.ok(AdjustMeter(at=floor.now(), **{**base, "amount": -100_500 * UNIT}))
    assert floor.shows == 0


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        ({"rate": "69.99%"}, "CSP-10(l)(6)"),
        ({"rate": "0%"}, "R4"),
        ({"rate": "90%", "hidden_rate": "11%"}, "R4"),
        ({"rate": "seventy"}, "R1"),
        ({"odds": {ROYAL: 100_000_002}}, "R4"),
        ({"odds": {ROYAL: 649_739}}, "R4"),
        ({"odds": {"pair": 2}}, "R4"),
        ({"limit": 99_999 * UNIT}, "R7"),
        ({"base": 0, "limit": 9_999 * UNIT}, "R7"),
        ({"base": -1}, "R1"),
        ({"awards": {"flush": "49"}}, "CSP-10(l)(5)"),
        ({"awards": {"flash": "49"}}, "R1"),
        ({"second": "Sue"}, "R5"),
        ({"second": "Sam"}, "R5"),
        ({"by": "Dora"}, "R5"),
        ({"by": "Ghost"}, "R5"),
        ({"tables": {}}, "R1"),
        ({"currency": "EUR"}, "R1"),
        ({"tables": {"A": "section10", "B": "nowhere"}}, "R1"),
    ],
)
def test_a_configuration_that_is_refused(change: dict[str, Any], clause: str) -> None:
    floor = Floor({"A": "section10"}, opened=False)
    fresh = Floor({"A": "section10"}, opened=False)
    fresh.state, fresh.events = type(fresh.state)(), []
    assert fresh.no(Configure(at=floor.now(), **{**floor.settings, **change}))[0] == clause
    assert fresh.state.config is None


def test_the_rate_may_be_the_minimum_and_the_odds_those_of_the_cards() -> None:
    floor = Floor({"A": "section10"}, rate="70%", odds={ROYAL: 649_740, "straight_flush": 72_193, "flush": 509})
    assert floor.state.phase == "open"


def test_the_refusal_of_a_rate_says_what_the_book_wants() -> None:
    floor = Floor({"A": "section10"}, opened=False)
    refused = floor.no(Configure(at=floor.now(), **{**floor.settings, "rate": "69%"}))
    assert refused == ("CSP-10(l)(6)", "section10: the meter is fed 69% of a wager and must have 70%")


@pytest.mark.parametrize("exchanged", [True, False])
def test_a_hand_with_an_exchanged_card_has_no_award(exchanged: bool) -> None:
    floor = Floor({"A": "exchange"})
    floor.start("A", 1)
    refused = floor.do(floor.hand("A", 1, "flush", "Kd Jd 9d 5d 2d", exchanged=exchanged))
    assert (refused is not None) == exchanged
    assert refused is None or refused.clause == floor.books["exchange"].cite("progressive.exchanged")


@pytest.mark.parametrize("book", ["section10", "rws", "washington"])
def test_no_hand_has_an_exchanged_card_where_none_is_exchanged(book: str) -> None:
    floor = Floor({"A": book})
    floor.start("A", 1)
    refused = floor.do(floor.hand("A", 1, "flush", "Kd Jd 9d 5d 2d", exchanged=True))
    assert refused is not None
    assert refused.clause == floor.books[book].cite("decide.choices")


@pytest.mark.parametrize(("tables", "asked"), [("A", False), ("AB", True)])
def test_when_was_the_hand_dealt_is_asked_where_two_tables_can_win(tables: str, asked: bool) -> None:
    floor = Floor(dict.fromkeys(tables, "rws"))
    floor.start("A", 1)
    refused = floor.do(floor.hand("A", 1, ROYAL, ROYALS[1], dealt=None))
    assert (refused is not None) == asked
    missing = ("RWS-4.5.2", "give the time at which the hand was complete")
    assert refused is None or (refused.clause, refused.reason) == missing


def test_a_higher_seat_is_not_dealt_to_before_a_lower() -> None:
    floor = Floor({"A": "rws", "B": "rws"})
    floor.start("A", 1, 3)
    floor.select("A", 1, ROYAL, ROYALS[1], dealt=floor.dealt(5))
    early = floor.hand("A", 3, ROYAL, ROYALS[3], dealt=floor.dealt(4))
    assert floor.no(early)[1] == "seat 3 cannot have been dealt to before seat 1"
    floor.select("A", 3, ROYAL, ROYALS[3], dealt=floor.dealt(5))


def test_how_often_each_hand_comes() -> None:
    """The counts of 2,598,960 hands that every handbook has; without the wheel there is one straight in ten less."""
    counts = [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540]
    book = book_with("section10", {})
    assert [int(one * 2_598_960) for one in chances(book).values()] == counts
    without = replace(book, hands=replace(book.hands, ace_low=False))
    assert [int(one * 2_598_960) for one in chances(without).values()][1:6] == [32, 624, 3_744, 5_112, 9_180]


def test_the_house_is_told_the_odds_of_the_cards() -> None:
    floor = Floor({"A": "section10"}, opened=False)
    for stated, says in (
        (649_739, "not once in 649,739"),
        (0, "is no hand of a game"),
        (100_000_002, "is no hand"),
    ):
        fresh = Floor({"A": "section10"}, opened=False)
        fresh.state, fresh.events = type(fresh.state)(), []
        refused = fresh.no(Configure(at=floor.now(), **{**floor.settings, "odds": {ROYAL: stated}}))
        assert refused[0] == "R4"
        assert says in refused[1]
        assert "once in 649,740 hands" in refused[1] or stated != 649_739


def test_games_share_a_meter_only_where_hand_award_and_order_agree() -> None:
    assert Floor({"A": "section10", "B": "washington"}).state.phase == "open"
    unlike = Floor({"A": "section10", "B": "washington"}, awards={ROYAL: "100%", "straight_flush": "20%"})
    assert isinstance(unlike.events[0], MeterRefused)
    assert unlike.events[0].clause == "R10"
    found = Floor({"A": "section10"}, opened=False)
    found.books["colorado-required"] = book_with("colorado-required", {})
    changed = {**found.settings, "tables": {"A": "section10", "B": "colorado-required"}}
    assert "no progressive" in found.no(Configure(at=found.now(), **changed))[1]


def test_games_that_count_or_turn_otherwise_do_not_share_a_meter() -> None:
    floor = Floor({"A": "section10", "B": "washington"}, opened=False)
    own = floor.books["washington"]
    assert own.progressive is not None
    for other, says in (
        (replace(own, progressive=replace(own.progressive, across_tables="by-time-of-deal")), "different orders"),
        (replace(own, hands=replace(own.hands, ace_low=False)), "not equally likely"),
    ):
        fresh = Floor({"A": "section10", "B": "washington"}, opened=False)
        fresh.state, fresh.events = type(fresh.state)(), []
        fresh.books["washington"] = other
        clause, reason = fresh.no(Configure(at=fresh.now(), **floor.settings))
        assert clause == "R10"
        assert says in reason


def test_no_parameter_changes_while_the_meter_runs() -> None:
    floor = Floor({"A": "section10"})
    change = {**floor.settings, "rate": "75%"}
    assert floor.no(Configure(at=floor.now(), **change))[0] == "R5"
    floor.start("A", 1)
    assert floor.no(Close(at=floor.now(), by="Sam"))[0] == "R5"
    floor.end("A")
    floor.ok(Close(at=floor.now(), by="Sam"))
    assert floor.no(Contribute(at=floor.now(), table="A"))[0] == "R5"
    assert floor.no(Configure(at=floor.now(), **{**change, "limit": 100_000 * UNIT}))[0] == "R7"
    assert floor.no(Configure(at=floor.now(), **{**change, "base": 5}))[0] == "R6"
    assert floor.no(Configure(at=floor.now(), **{**change, "people": {"Dora": "executive"}}))[0] == "R5"
    floor.ok(Configure(at=floor.now(), **{**change, "rate": "75.125%"}))
    floor.ok(Open(at=floor.now(), by="Eva"))
    floor.ok(Contribute(at=floor.now(), table="A", wagers=1))
    assert floor.state.counters.value * 10 == (1_000_000_00 + 700 + 751.25) * floor.state.scale
    floor.replayed()


def test_roles_are_given_by_an_executive_and_not_changed_in_mid_award() -> None:
    floor = selected()
    assert floor.no(Enrol(at=floor.now(), by="Sam", name="Zoe", role="dealer"))[0] == "R5"
    assert floor.no(Enrol(at=floor.now(), by="Eva", name="Dora", role="supervisor"))[0] == "R16"
    floor.ok(Enrol(at=floor.now(), by="Eva", name="Zoe", role="supervisor"))
    floor.ok(check(floor, by="Zoe"))


def test_other_acts_out_of_place() -> None:
    floor = Floor({"A": "section10"}, contribution_max=2 * UNIT)
    now = floor.now
    assert floor.no(StartMeterGame(at=now(), table="A", by="Sam", seats=(1,)))[1].startswith("Sam is a supervisor")
    assert floor.no(StartMeterGame(at=now(), table="Z", by="Dora", seats=(1,)))[0] == "R5"
    assert floor.no(StartMeterGame(at=now(), table="A", by="Dora", seats=(1, 1)))[0] == "CSP-10(f)(3)#light"
    assert "places" in floor.no(StartMeterGame(at=now(), table="A", by="Dora", seats=(99,)))[1]
    assert floor.no(Contribute(at=now(), table="A", wagers=3))[0] == "R1"
    assert floor.no(Contribute(at=now(), table="A", wagers=0))[0] == "R1"
    assert floor.no(SelectHand(at=now(), table="A", by="Dora", hand=ROYAL, cards=ROYALS[1]))[1].startswith("no round")
    floor.start("A", 1)
    assert floor.no(StartMeterGame(at=now(), table="A", by="Dora"))[1] == "the round before is not ended"
    assert floor.no(SelectHand(at=now(), table="A", by="Dora", hand=ROYAL, cards=ROYALS[1]))[1].startswith("the place")
    assert floor.no(CallMeterSupervisor(at=now(), table="A", by="Dora", seat=1))[1] == "no hand is selected at seat 1"
    assert set(PEOPLE.values()) == {"dealer", "supervisor", "executive", "administrator"}
    floor.replayed()
