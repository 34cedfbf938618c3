"""A must-hit-by meter: the wager that reaches a sealed trigger wins it, and everybody can check that afterwards."""

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from aceking.meter.awards.win_page import win_page
from aceking.meter.commands import (
    AdjustMeter,
    CallMeterSupervisor,
    Close,
    Configure,
    Contribute,
    DrawTrigger,
    Open,
    PayMeterAward,
    ReportFault,
    Retire,
    SelectHand,
    SignAward,
    StartMeterGame,
    VerifyAward,
    VoidRound,
)
from aceking.meter.events import AnyEvent, Contributed, TriggerDrawn, TriggerReached, TriggerShown
from aceking.meter.expected_value import MustHit
from aceking.meter.must_hit_by import trigger_of
from aceking.rules.reading.load import load_book
from aceking.seal import commitment
from tests.meter.acting import checked, state_bytes
from tests.meter.floor import ROYALS, UNIT, Floor


def seed_for(trigger: int, *, low: int, high: int, start: int = 0) -> bytes:
    """A seed that has this trigger."""
    seeds = (sha256(f"{number}".encode()).digest() for number in count(start))
    return next(seed for seed in seeds if trigger_of(seed, low=low, high=high) == trigger)


@dataclass
class MustHitFloor:
    """A must-hit-by meter from 100 up to 105; a wager of 1 feeds a tenth of it."""

    tables: dict[str, str] = field(default_factory=lambda: {"A": "section10", "B": "section10"})
    more: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        settings = {"value": 100, "reset": 80, "rate": "10%", "awards": {}, "must_hit_by": 105 * UNIT, **self.more}
        self.floor = Floor(self.tables, opened=False, **settings)

    def draw(self, trigger: int) -> None:
        """A draw that has this trigger, in minor units."""
        config = self.floor.state.config
        assert config is not None
        assert config.ceiling is not None
        start = 10**6 * len(self.floor.seeds)  # no seed twice
        seed = seed_for(trigger, low=self.floor.shows + 1, high=config.ceiling, start=start)
        self.floor.seeds[commitment(seed)] = seed
        self.floor.ok(DrawTrigger(at=self.floor.now(), by="Sam", commitment=commitment(seed)))

    def paid(self, table: str, seat: int) -> int:
        """The way of the award up to the money."""
        floor = self.floor
        floor.ok(CallMeterSupervisor(at=floor.now(), table=table, by="Dora", seat=seat))
        floor.ok(
            VerifyAward(at=floor.now(), table=table, by="Sue", seat=seat, hand="must_hit_by", cards="", light=True)
        )
        return floor.sign_and_pay(table, seat)


def opened(trigger: int, **more: Any) -> MustHitFloor:
    one = MustHitFloor(more=more)
    one.draw(trigger)
    one.floor.open()
    return one


@pytest.mark.parametrize(
    ("trigger", "seat", "amount"),
    [
        (100_01, 1, 100_10),
        (100_10, 1, 100_10),  # just reached
        (100_11, 3, 100_20),  # just missed
        (100_30, 5, 100_30),
        (100_31, None, None),
        (105_00, None, None),
    ],
)
def test_the_seat_whose_wager_reaches_the_trigger_wins_all_that_is_shown(
    trigger: int, seat: int | None, amount: int | None
) -> None:
    one = opened(trigger)
    one.floor.start("A", 5, 1, 3)
    won = [(award.seat, award.amount) for award in one.floor.state.awards.values()]
    assert won == ([] if seat is None else [(seat, amount)])
    assert one.floor.state.counters.contributed == 30 * one.floor.state.scale, "all seats feed, before the hit or after"
    one.floor.replayed()


def test_the_meter_starts_again_and_the_rest_of_the_round_feeds_the_next() -> None:
    one = opened(100_15)
    one.floor.start("A", 1, 3, 5, 7)
    assert one.floor.shows == 80_00 + 20
    assert one.floor.state.since.start == 80_00 * one.floor.state.scale
    assert one.paid("A", 3) == 100_20
    one.floor.end("A")
    assert one.floor.state.counters.won == 100_20
    assert one.floor.no(StartMeterGame(at=one.floor.now(), table="B", by="Dora", seats=(1,)))[0] == "METER-must-hit"
    one.floor.start("B")  # a round without a wager feeds nothing
    one.floor.end("B")
    one.draw(80_30)
    one.floor.start("B", 1)
    assert one.paid("B", 1) == 80_30
    one.floor.end("B")
    assert checked(one.floor.events) == 2
    one.floor.replayed()


def test_two_awards_may_be_open_at_once_and_neither_waits_for_the_other() -> None:
    one = opened(100_05)
    one.floor.start("A", 2)
    one.draw(80_05)
    one.floor.start("B", 4)
    assert (one.paid("B", 4), one.paid("A", 2)) == (80_10, 100_10)
    one.floor.end("A", "B")


def test_an_award_is_never_more_than_the_limit_and_what_is_over_stays() -> None:
    one = opened(105_00, rate="33%", must_hit_by=105_00, value=104)
    one.floor.start("A", 1, 2, 3)
    assert one.floor.state.awards == {}
    one.floor.end("A")
    one.floor.start("A", 1, 2)
    assert one.floor.award("A", 1).amount == 105_00
    assert one.floor.shows == 80_00 + 32 + 33


def test_a_fraction_of_a_coin_stays_on_the_meter_and_the_reserve_refills_it() -> None:
    one = opened(100_01, rate="1.5%", hidden_rate="50%")
    one.floor.start("A", 1, 2)
    award = one.floor.award("A", 1)
    assert (award.amount, award.seed_reserve, award.seed_house) == (100_01, 50, 79_50)
    assert one.floor.state.counters.value == 80_02 * one.floor.state.scale


def test_one_round_hits_at_most_once() -> None:
    one = opened(100_01)
    one.floor.start("A", 1, 2, 3, 4, 5, 6, 7)
    assert len(one.floor.state.awards) == 1
    assert one.floor.state.trigger is None


# What is said, and what is not


def test_nothing_of_the_trigger_is_on_the_record_before_the_hit() -> None:
    one = opened(103_21)
    one.floor.start("A", 1, 3)
    (seed,) = one.floor.seeds.values()
    record = b"".join(repr(event).encode() for event in one.floor.events) + state_bytes(one.floor.state)
    assert seed.hex().encode() not in record
    assert b"10321" not in record
    (drawn,) = [event.drawn for event in one.floor.events if isinstance(event, TriggerDrawn)]
    assert (drawn.low, drawn.high, drawn.commitment) == (100_01, 105_00, commitment(seed))


def test_a_trigger_that_nobody_reached_is_shown_when_the_meter_is_retired() -> None:
    one = opened(103_21)
    floor = one.floor
    floor.ok(Close(at=floor.now(), by="Sam"))
    floor.ok(Retire(at=floor.now(), by="Sam", second="Eva", reason="moved", to="meter", place="other"))
    (shown,) = [event.shown for event in floor.events if isinstance(event, TriggerShown)]
    assert (shown.trigger, shown.award) == (103_21, None)
    assert checked(floor.events) == 1


def night() -> list[AnyEvent]:
    one = opened(100_15)
    one.floor.start("A", 1, 3, 5)
    return one.floor.events


def forged(change: str) -> list[AnyEvent]:
    """A record in which the house has said something else."""
    events = night()
    (hit,) = [event for event in events if isinstance(event, TriggerReached)]
    place = events.index(hit)
    shown = hit.shown
    if change == "seed":
        events[place] = replace(hit, shown=replace(shown, seed="00" * 32))
    elif change == "no seed":
        events[place] = replace(hit, shown=replace(shown, seed="xyz"))
    elif change == "number":
        events[place] = replace(hit, shown=replace(shown, trigger=shown.trigger + 1))
    elif change == "range":
        events[place] = replace(hit, shown=replace(shown, drawn=replace(shown.drawn, high=110_00)))
    elif change == "early":
        fed = events[place - 1]
        assert isinstance(fed, Contributed)
        events[place - 1] = replace(fed, to_meter=fed.to_meter // 2, wagers=1)
    elif change == "late":
        fed, rest = events[place - 1], events[place + 1]
        assert isinstance(fed, Contributed)
        assert isinstance(rest, Contributed)
        events[place - 1] = replace(fed, to_meter=fed.to_meter + rest.to_meter, wagers=3)
        del events[place + 1]
    elif change == "no draw":
        del events[next(at for at, event in enumerate(events) if isinstance(event, TriggerDrawn))]
    return events


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("seed", "is not the one of the commitment"),
        ("no seed", "is not the one of the commitment"),
        ("number", "the seed has another trigger than 10016"),
        ("range", "nothing was committed to"),
        ("early", "the meter stood at 10010 and the trigger was 10015"),
        ("late", "the trigger was 10015, and a wager before this one had reached it"),
        ("no draw", "a round began without a trigger"),
    ],
)
def test_a_record_that_was_changed_does_not_hold(change: str, says: str) -> None:
    assert checked(night()) == 1
    with pytest.raises(ValueError, match=says):
        checked(forged(change))


def test_every_trigger_is_equally_likely() -> None:
    chance = Random(11)
    drawn = Counter(trigger_of(chance.randbytes(32), low=5, high=14) for _ in range(10_000))
    assert set(drawn) == set(range(5, 15))
    assert sum((found - 1000) ** 2 for found in drawn.values()) / 1000 < 21.67  # 99 % of nine degrees of freedom


def test_the_page_of_the_award_has_what_it_takes_to_check_it() -> None:
    one = opened(100_15)
    one.floor.start("A", 1, 3)
    one.paid("A", 3)
    page = win_page(one.floor.books, one.floor.state, one.floor.state.hits[0])
    (seed,) = one.floor.seeds.values()
    for text in ("must hit by", "USD 100.15", "USD 100.01 to USD 105.00", seed.hex(), commitment(seed)):
        assert text in page


# What is refused


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"must_hit_by": 100_00}, "must_hit_by: the meter stands at 100 or more already"),
        ({"must_hit_by": -1}, "must_hit_by: the meter stands at -0.01 or more already"),
        ({"must_hit_by": 100_00, "value": 9, "reset": 100}, "could bring the reset value to 100"),
        ({"must_hit_by": 80_70, "value": 9}, "one round of table A could bring the reset value to 80.70"),
        ({"limit": 200_00}, "limit: no hand wins a must-hit-by meter, and it has no other limit"),
        ({"awards": {"royal_flush": "100%"}}, "awards: no hand wins a must-hit-by meter"),
        ({"odds": {"royal_flush": 649_740}}, "odds: no hand wins a must-hit-by meter"),
        ({"internal_order": "from-right"}, "internal_order: no hand wins"),
        ({"contribution_max": 10}, "contribution_max: a round with every seat of table A feeds more than that"),
    ],
)
def test_parameters_that_cannot_be(settings: dict[str, Any], says: str) -> None:
    floor = MustHitFloor(more=settings).floor
    assert floor.state.config is None
    refused = floor.do(Configure(at=floor.now(), **floor.settings))
    assert refused is not None
    assert says in refused.reason
    assert refused.clause == "METER-must-hit"


@pytest.mark.parametrize(("short", "allowed"), [(0, True), (1, False)])
def test_the_least_limit_is_what_one_round_cannot_reach(short: int, allowed: bool) -> None:
    seats = load_book("section10").table.seats_max
    floor = MustHitFloor(more={"must_hit_by": 80_01 + 10 * seats - short, "value": 9}).floor
    assert (floor.state.config is not None) == allowed


def test_games_that_share_no_hand_share_a_must_hit_by_meter() -> None:
    mixed = MustHitFloor(tables={"A": "section10", "B": "washington"})
    assert mixed.floor.state.config is not None


def test_a_meter_stays_what_it_is() -> None:
    floor = MustHitFloor().floor
    other = {key: value for key, value in floor.settings.items() if key != "must_hit_by"}
    assert floor.no(Configure(at=floor.now(), **other, limit=None))[0] == "METER-must-hit"
    hands = Floor({"A": "section10"}, opened=False)
    assert hands.no(Configure(at=hands.now(), **hands.settings, must_hit_by=10**9))[0] == "METER-must-hit"
    assert hands.no(DrawTrigger(at=hands.now(), by="Sam", commitment="0" * 64))[1].startswith("hands win this meter")


def test_the_limit_moves_only_between_a_hit_and_the_next_draw() -> None:
    one = opened(100_01)
    floor = one.floor
    higher = {**floor.settings, "must_hit_by": 120_00}
    floor.ok(Close(at=floor.now(), by="Sam"))
    assert "a trigger is drawn up to another limit" in floor.no(Configure(at=floor.now(), **higher))[1]
    floor.open()
    floor.start("A", 1)
    one.paid("A", 1)
    floor.end("A")
    floor.ok(Close(at=floor.now(), by="Sam"))
    floor.ok(Configure(at=floor.now(), **higher))
    one.draw(119_00)


def test_no_trigger_is_drawn_twice_nor_from_a_seed_that_was_shown() -> None:
    one = MustHitFloor()
    floor = one.floor
    assert floor.no(Open(at=floor.now(), by="Sam")) == (
        "METER-must-hit",
        "no trigger is drawn: nobody could win the meter",
    )
    assert "does not lie with the meter" in floor.no(DrawTrigger(at=floor.now(), by="Sam", commitment="0" * 64))[1]
    one.draw(100_05)
    (sealed,) = floor.seeds
    again = DrawTrigger(at=floor.now(), by="Sam", commitment=sealed)
    assert "the next one is drawn when it has been reached" in floor.no(again)[1]
    floor.open()
    floor.start("A", 1)
    assert "this seed was shown" in floor.no(replace(again, at=floor.now()))[1]
    assert floor.no(DrawTrigger(at=floor.now(), by="Root", commitment=sealed))[0] == "METER-must-hit"


def test_no_hand_wins_it_and_no_contribution_is_without_a_seat() -> None:
    floor = opened(105_00).floor
    assert "fed at START GAME" in floor.no(Contribute(at=floor.now(), table="A"))[1]
    floor.start("A", 1)
    hand = SelectHand(at=floor.now(), table="A", by="Dora", hand="royal_flush", cards=ROYALS[1])
    assert floor.no(hand) == (
        "METER-must-hit",
        "no hand wins a must-hit-by meter: the wager that reaches its trigger does",
    )


@pytest.mark.parametrize(("hand", "cards"), [("royal_flush", ROYALS[1]), ("must_hit_by", ROYALS[1])])
def test_who_verifies_says_what_has_won(hand: str, cards: str) -> None:
    floor = opened(100_01).floor
    floor.start("A", 1)
    floor.ok(CallMeterSupervisor(at=floor.now(), table="A", by="Dora", seat=1))
    check = VerifyAward(at=floor.now(), table="A", by="Sue", seat=1, hand=hand, cards=cards, light=True)
    assert "no cards win that" in floor.no(check)[1]
    hands = Floor({"A": "section10"})
    hands.start("A", 1)
    hands.select("A", 1, "royal_flush", ROYALS[1])
    hands.ok(CallMeterSupervisor(at=hands.now(), table="A", by="Dora", seat=1))
    check = replace(check, at=hands.now(), hand="must_hit_by", cards="")
    assert "seat 1 has a royal flush" in hands.no(check)[1]


def test_it_is_lowered_by_hand_and_never_raised() -> None:
    floor = opened(104_00).floor
    floor.adjust_by(-5)
    assert floor.shows == 95_00
    up = AdjustMeter(at=floor.now(), by="Sam", second="Eva", reason="a count", amount=1)
    assert floor.no(up)[0] == "METER-must-hit"


def test_a_hit_stands_though_its_round_is_annulled() -> None:
    one = opened(100_01)
    floor = one.floor
    floor.start("A", 1, 3)
    undo = AdjustMeter(at=floor.now(), by="Sam", second="Eva", reason="no", undo="A/1/1")
    assert floor.no(undo) == ("METER-must-hit", "the trigger was reached and is known: that award stands")
    floor.ok(VoidRound(at=floor.now(), table="A", by="Sam", reason="a card too many"))
    assert floor.state.tables["A"].running is False
    assert one.paid("A", 1) == 100_10
    assert floor.state.awards == {}
    late = PayMeterAward(at=floor.now(), table="A", by="Dora", seat=1, amount=1)
    assert floor.no(late) == ("METER-must-hit", "no wager of seat 1 has reached the trigger")


def test_no_round_waits_for_an_award_and_the_first_of_a_seat_is_paid_first() -> None:
    one = opened(100_01)
    floor = one.floor
    floor.start("A", 1)
    floor.end("A")
    one.draw(80_01)
    floor.start("A", 1)
    assert [award.amount for award in floor.state.awards.values()] == [100_10, 80_10]
    floor.ok(CallMeterSupervisor(at=floor.now(), table="A", by="Dora", seat=1))
    check = VerifyAward(at=floor.now(), table="A", by="Sue", seat=1, hand="must_hit_by", cards="", light=True)
    floor.ok(check)
    swipe = SignAward(at=floor.now(), table="A", by="Eva", seat=1, amount=100_10)
    assert "the award is 100.10, not 80.10" in floor.no(replace(swipe, amount=80_10))[1]
    floor.ok(replace(swipe, at=floor.now()))
    floor.ok(PayMeterAward(at=floor.now(), table="A", by="Dora", seat=1, amount=100_10))
    assert one.paid("A", 1) == 80_10
    floor.end("A")
    assert (floor.state.awards, floor.state.counters.hits) == ({}, 2)
    floor.replayed()


def test_a_fault_annuls_the_round_and_not_the_award() -> None:
    one = opened(100_01)
    floor = one.floor
    floor.start("A", 1)
    floor.ok(ReportFault(at=floor.now(), table="A", by="Sam", dealt=False, looked=False, ruling="void-round"))
    assert floor.state.tables["A"].running is False
    assert one.paid("A", 1) == 100_10


def test_no_parameter_changes_before_the_award_is_paid() -> None:
    one = opened(100_01)
    floor = one.floor
    floor.start("A", 1)
    floor.end("A")
    floor.ok(Close(at=floor.now(), by="Sam"))
    assert "is not paid yet" in floor.no(Configure(at=floor.now(), **floor.settings))[1]


def test_a_void_round_takes_back_only_what_is_still_there() -> None:
    one = MustHitFloor(more={"options": {"section10": {"meter-on-void": "back-out"}}})
    one.draw(100_15)
    floor = one.floor
    floor.open()
    floor.start("A", 1, 3, 5, 7)
    one.paid("A", 3)
    floor.ok(VoidRound(at=floor.now(), table="A", by="Sam", reason="a card too many"))
    assert floor.shows == 80_00
    floor.replayed()


# Played through


def test_the_meter_pays_what_the_figures_say_over_every_trigger() -> None:
    """Thirty triggers, each played on a meter of its own: wagers and awards on average are those of `MustHit`."""
    wagers = awards = first = 0
    for trigger in range(104_71, 105_01):
        one = MustHitFloor(tables={"A": "section10"}, more={"rate": "7.5%", "base": 104_70})
        one.draw(trigger)
        one.floor.open()
        one.floor.start("A", *range(1, 8))
        (award,) = one.floor.state.awards.values()
        wagers, awards, first = wagers + award.seat, awards + award.amount, first + (award.seat == 1)
    meter, value = MustHit(limit=105_00, stake=100, feed=Fraction(15, 2)), Fraction(104_70)
    assert meter.wagers_to_hit(value) == Fraction(wagers, 30)
    assert meter.award(value) == Fraction(awards, 30)
    assert meter.next_wager(value)[0] == Fraction(first, 30)


@pytest.mark.parametrize("number", range(4))
def test_a_night_in_which_everything_happens_is_whole_and_can_be_checked(number: int) -> None:
    """Every wager is on the meter, in the reserve or won, after whatever comes; the invariant is the floor's own."""
    chance = Random(number)
    more = {"hidden_rate": "12.5%", "rate": "33.3%", "reset": 97, "must_hit_by": 101_00 + 500 * (number % 2)}
    one = MustHitFloor(more={**more, "options": {"section10": {"meter-on-void": chance.choice(["keep", "back-out"])}}})
    floor = one.floor

    def draw() -> None:
        seed = chance.randbytes(32)
        floor.seeds[commitment(seed)] = seed
        floor.ok(DrawTrigger(at=floor.now(), by="Sam", commitment=commitment(seed)))

    draw()
    floor.open()
    for _ in range(120):
        table = chance.choice("AB")
        if not floor.state.tables[table].running:
            floor.start(table, *chance.sample(range(1, 8), chance.randint(0, 7)))
        elif chance.random() < 0.2:
            floor.ok(VoidRound(at=floor.now(), table=table, by="Sam", reason="a card too many"))
        else:
            floor.end(table)
        if floor.state.trigger is None:
            draw()
        if chance.random() < 0.05:
            floor.adjust_by(-1)
        waiting = [award for award in floor.state.awards.values() if award.step == "selected"]
        if waiting and chance.random() < 0.5:
            one.paid(waiting[0].table, waiting[0].seat)
        assert floor.shows < (floor.state.ceiling or 0)
    assert checked(floor.events) == len(floor.state.shown) > 3
    floor.replayed()
