"""Many tables and many persons doing what comes to their minds: whatever they do, the money is all there."""

from collections import Counter
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from aceking.link.commands import (
    Adjust,
    AnyCommand,
    CallSupervisor,
    ChooseCourse,
    ClearFault,
    Contribute,
    EndGame,
    Fault,
    Pay,
    PrintWinPage,
    Resume,
    SelectHand,
    SelectSeat,
    ShownAll,
    Sign,
    StartGame,
    Suspend,
    Verify,
    VoidRound,
)
from aceking.link.events import Contributed, Paid, Refused, Released, Signed
from aceking.link.state import HITS_LISTED, Award, identity
from tests.link.floor import PEOPLE, ROYALS, STRAIGHT_FLUSHES, Floor

LINKS: list[dict[str, Any]] = [
    {"tables": {"A": "section10", "B": "section10", "C": "washington"}, "hidden_rate": "2.5%"},
    {"tables": {"A": "rws", "B": "rws", "C": "rws"}, "rate": "33.337%", "limit": 10_001_000},
    {"tables": {"A": "exchange", "B": "exchange", "C": "exchange"}, "reset": 0},
    {"tables": {"A": "washington", "B": "washington", "C": "washington"}, "hidden_rate": "20%", "value": 9},
    {
        "tables": {"A": "exchange", "B": "exchange", "C": "exchange"},
        "options": {"exchange": {"mixed-majors": "from-right-falling", "void-contribution": "reversed"}},
    },
    {
        "tables": {"A": "section10", "B": "section10", "C": "section10"},
        "options": {"section10": {"progressive-meter-deduction": "all-awards", "meter-on-void": "back-out"}},
        "rate": "71.3%",
    },
    {"tables": {"A": "rws", "B": "rws", "C": "rws"}, "options": {"rws": {"sf-award-from-meter": "leave"}}},
]
EXECUTIVE_FROM = 1_000_000
HANDS = [
    *[("royal_flush", cards) for cards in ROYALS.values()],
    *[("straight_flush", cards) for cards in STRAIGHT_FLUSHES.values()],
    ("four_of_a_kind", "4s 4h 4d 4c 2s"),
    ("full_house", "3s 3h 3d 2c 2h"),
    ("royal_flush", "4s 4h 4d 4c 2s"),
]
tables = st.sampled_from("ABC")
seats = st.sampled_from([1, 3, 5, 7])
persons = st.sampled_from([*PEOPLE, "Nobody"])
dealers = st.sampled_from(["Dora", "Dora", "Dan", "Sam"])
floor_staff = st.sampled_from(["Sam", "Sue", "Eva", "Max", "Sam", "Eva", "Dora"])


def has_awards(night: "Night") -> bool:
    return bool(night.floor.state.awards)


def has_open(night: "Night") -> bool:
    return any(one.open for one in night.floor.state.awards.values())


def has_verified(night: "Night") -> bool:
    return any(one.step == "verified" for one in night.floor.state.awards.values())


def has_signed(night: "Night") -> bool:
    return any(one.step == "signed" for one in night.floor.state.awards.values())


def has_hits(night: "Night") -> bool:
    return bool(night.floor.state.hits)


def is_running(night: "Night") -> bool:
    return any(one.running for one in night.floor.state.tables.values())


def is_broken(night: "Night") -> bool:
    return any(one.fault is not None for one in night.floor.state.tables.values())


def is_whole(night: "Night") -> bool:
    return not is_broken(night)


class Night(RuleBasedStateMachine):
    """A night on the floor."""

    floor: Floor

    @initialize(link=st.sampled_from(LINKS))
    def opens(self, link: dict[str, Any]) -> None:
        self.floor = Floor(executive_from=EXECUTIVE_FROM, **link)
        self.rate = Fraction(self.floor.settings["rate"].rstrip("%")) / 100
        self.hidden = Fraction(self.floor.settings.get("hidden_rate", "0%").rstrip("%")) / 100

    def give(self, command: AnyCommand) -> None:
        self.floor.do(command)

    @property
    def at(self) -> datetime:
        return self.floor.now()

    def award(self, pick: int) -> Award | None:
        awards = list(self.floor.state.awards.values())
        return awards[pick % len(awards)] if awards else None

    @rule(table=tables, wagers=st.integers(0, 9))
    def contributes(self, table: str, wagers: int) -> None:
        self.give(Contribute(at=self.at, table=table, wagers=wagers))

    @rule(table=tables, by=dealers, lit=st.sets(seats, max_size=4))
    def starts(self, table: str, by: str, lit: set[int]) -> None:
        self.give(StartGame(at=self.at, table=table, by=by, seats=tuple(lit)))

    @precondition(is_running)
    @rule(table=tables, by=dealers)
    def ends(self, table: str, by: str) -> None:
        self.give(EndGame(at=self.at, table=table, by=by))

    @rule(
        table=tables,
        hands=st.lists(st.sampled_from(HANDS), min_size=1, max_size=3, unique_by=lambda one: one[1]),
        places=st.permutations([1, 3, 5, 7]),
        early=st.integers(-60, 60),
    )
    def wins(self, table: str, hands: list[tuple[str, str]], places: list[int], early: int) -> None:
        """A round with winners: started if none is under way, and the hands selected in any order of seats."""
        self.give(StartGame(at=self.at, table=table, by="Dora", seats=(1, 3, 5, 7)))
        for seat, (hand, cards) in zip(places, hands, strict=False):
            known = {one.seat for one in self.floor.state.awards.values() if one.table == table}
            if seat not in known:
                self.give(SelectSeat(at=self.at, table=table, by="Dora", seat=seat))
                dealt = self.floor.state.tables[table].started or self.at
                dealt += timedelta(seconds=early + seat)
                self.give(SelectHand(at=self.at, table=table, by="Dora", hand=hand, cards=cards, dealt=dealt))

    @precondition(has_open)
    @rule(pick=st.integers(0, 9), by=dealers)
    def takes_back(self, pick: int, by: str) -> None:
        if award := self.award(pick):
            self.give(SelectSeat(at=self.at, table=award.table, by=by, seat=award.seat))
            again = SelectHand(at=self.at, table=award.table, by=by, hand=award.hand, cards=award.cards)
            self.give(again)

    @precondition(has_open)
    @rule(pick=st.integers(0, 9), by=floor_staff, light=st.sampled_from([True, True, True, False]))
    def verifies(self, pick: int, by: str, light: bool) -> None:
        if award := self.award(pick):
            self.give(CallSupervisor(at=self.at, table=award.table, by="Dora", seat=award.seat))
            self.verify(award, by, light=light)

    @precondition(has_open)
    @rule(by=st.sampled_from(["Sam", "Sue", "Eva"]))
    def verifies_all(self, by: str) -> None:
        for award in self.floor.state.awards.values():
            self.give(CallSupervisor(at=self.at, table=award.table, by="Dora", seat=award.seat))
            self.verify(award, by, light=True)

    def verify(self, award: Award, by: str, *, light: bool) -> None:
        where: dict[str, Any] = {"table": award.table, "seat": award.seat, "hand": award.hand, "cards": award.cards}
        self.give(Verify(at=self.at, by=by, light=light, **where))

    @precondition(has_verified)
    @rule(pick=st.integers(0, 9), by=floor_staff, over=st.sampled_from([0, 0, 0, 1, -1]))
    def signs(self, pick: int, by: str, over: int) -> None:
        if award := self.award(pick):
            self.give(Sign(at=self.at, table=award.table, by=by, seat=award.seat, amount=award.amount + over))

    @precondition(has_verified)
    @rule(by=st.sampled_from(["Eva", "Max"]))
    def signs_who_may_be_signed(self, by: str) -> None:
        """One swipe for each award: the first in turn succeeds, the others are told to wait."""
        for award in self.floor.state.awards.values():
            self.give(Sign(at=self.at, table=award.table, by=by, seat=award.seat, amount=award.amount))

    @precondition(has_awards)
    @rule(table=tables)
    def shows_all(self, table: str) -> None:
        self.give(ShownAll(at=self.at, table=table, by="Dora"))

    @precondition(has_signed)
    @rule(pick=st.integers(0, 9), by=persons, over=st.sampled_from([0, 0, 0, 1]))
    def pays(self, pick: int, by: str, over: int) -> None:
        if award := self.award(pick):
            self.give(PrintWinPage(at=self.at, table=award.table, by="Sam", seat=award.seat))
            self.give(Pay(at=self.at, table=award.table, by="Dora", seat=award.seat, amount=award.amount + over))
            self.give(Pay(at=self.at, table=award.table, by=by, seat=award.seat, amount=award.amount))

    @precondition(has_awards)
    @rule()
    def finishes_everything(self) -> None:
        """All that is open is checked, signed and paid, as good people would: nothing may be stuck."""
        self.floor.shown_all()
        for award in self.floor.state.awards.values():
            where: dict[str, Any] = {"table": award.table, "seat": award.seat}
            self.give(CallSupervisor(at=self.at, by=award.dealer, **where))
            self.give(Verify(at=self.at, by="Sue", hand=award.hand, cards=award.cards, light=True, **where))
        for _ in range(len(self.floor.state.awards)):
            for award in self.floor.state.awards.values():
                signer = "Max" if award.verifier != "Max" else "Eva"
                amount = self.floor.state.awards[award.id].amount
                self.give(Sign(at=self.at, table=award.table, by=signer, seat=award.seat, amount=amount))
        for award in self.floor.state.awards.values():
            assert not award.open, award
            self.give(PrintWinPage(at=self.at, table=award.table, by="Sam", seat=award.seat))
            self.give(Pay(at=self.at, table=award.table, by="Dora", seat=award.seat, amount=award.amount))
        assert self.floor.state.counters.locked == 0
        assert self.floor.state.counters.owed == 0
        for table in self.floor.state.tables:
            self.give(EndGame(at=self.at, table=table, by="Dora"))
        assert not self.floor.state.awards
        self.give(Resume(at=self.at, by="Sam"))

    @rule(by=persons, second=persons, amount=st.integers(-500_000, 500_000), reason=st.sampled_from(["", "a count"]))
    def adjusts(self, by: str, second: str, amount: int, reason: str) -> None:
        self.give(Adjust(at=self.at, by=by, second=second, reason=reason, amount=amount))

    @precondition(has_hits)
    @rule(pick=st.integers(0, 30), second=persons)
    def undoes(self, pick: int, second: str) -> None:
        if hits := self.floor.state.hits:
            undo = hits[pick % len(hits)].id
            self.give(Adjust(at=self.at, by="Sam", second=second, reason="a wrong hand", undo=undo))

    @precondition(is_running)
    @rule(table=tables, by=persons, feed=st.sampled_from([None, "kept", "reversed"]))
    def voids(self, table: str, by: str, feed: Any) -> None:
        self.give(VoidRound(at=self.at, table=table, by=by, reason="a card too many", feed=feed))

    @rule(table=tables, by=persons)
    def pauses(self, table: str, by: str) -> None:
        self.give(Suspend(at=self.at, by=by, reason="a drill", tables=(table,)))
        self.give(Resume(at=self.at, by=by))

    @precondition(is_whole)
    @rule(
        table=tables,
        dealt=st.booleans(),
        looked=st.booleans(),
        ruling=st.sampled_from([None, "void-round", "pay-at-last-value"]),
        course=st.sampled_from([None, "close-table", "block-affected-box", "play-without-jackpot"]),
    )
    def fails(self, table: str, dealt: bool, looked: bool, ruling: Any, course: Any) -> None:
        broken = Fault(at=self.at, table=table, by="Sam", dealt=dealt, looked=looked, boxes=(3,), ruling=ruling)
        self.give(broken)
        self.give(ChooseCourse(at=self.at, table=table, by="Sam", course=course, notice=True))

    @precondition(is_broken)
    @rule(table=tables)
    def mends(self, table: str) -> None:
        self.give(ClearFault(at=self.at, table=table, by="Sue"))

    @invariant()
    def every_wager_is_on_the_meter_to_the_last_fraction(self) -> None:
        if not hasattr(self, "floor"):
            return
        state = self.floor.state
        has, scale = state.counters, state.scale
        assert identity(state) == 0
        assert Fraction(has.contributed, scale) == has.wagered * (self.rate + self.hidden)
        assert len(state.hits) <= HITS_LISTED
        fed = [event for event in self.floor.events if isinstance(event, Contributed)]
        assert has.wagers == sum(event.wagers for event in fed)

    @invariant()
    def no_award_without_the_right_signatures(self) -> None:
        if not hasattr(self, "floor"):
            return
        for award in self.floor.state.hits:
            assert PEOPLE[award.dealer] == "dealer"
            assert award.verifier is not None
            assert award.signer is not None
            assert PEOPLE[award.verifier] in ("supervisor", "executive")
            allowed = ("executive",) if award.amount >= EXECUTIVE_FROM else ("supervisor", "executive")
            assert PEOPLE[award.signer] in allowed
            assert len({award.dealer, award.verifier, award.signer}) == 3

    def teardown(self) -> None:
        if not hasattr(self, "floor"):
            return
        self.floor.replayed()
        paid = sum(one.from_meter for one in self.floor.events if isinstance(one, Paid))
        signed = [one.id for one in self.floor.events if isinstance(one, Signed)]
        assert len(signed) == len(set(signed)), "an award was signed twice"
        assert self.floor.state.counters.paid <= paid * self.floor.state.scale
        assert self.floor.state.refusals == sum(isinstance(one, Refused) for one in self.floor.events)
        SEEN.update(type(one).__name__ for one in self.floor.events)
        SEEN["several open at once"] += any(len(one.ids) > 1 for one in self.floor.events if isinstance(one, Released))
        SEEN["shared"] += any(len(one.sealed) > 1 for one in self.floor.events if isinstance(one, Signed))


#: What the nights have come to, so that a machine that only collects refusals does not pass for a proof.
SEEN: Counter[str] = Counter()


def test_whatever_people_do_the_money_is_all_there() -> None:
    """Some ten thousand steps; enough of them must have got somewhere. What is rare needs the many nights."""
    SEEN.clear()
    run_state_machine_as_test(
        Night,
        settings=settings(
            max_examples=400,
            stateful_step_count=50,
            deadline=None,
            derandomize=True,
            # A failing night takes minutes to shrink; it is printed whole instead.
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
        ),
    )
    for name, least in (("Signed", 80), ("Paid", 60), ("TakenBack", 20), ("Released", 50), ("Reseeded", 50)):
        assert SEEN[name] >= least, SEEN
    for name in ("AwardUndone", "RoundVoided", "Faulted", "Suspended", "several open at once", "shared"):
        assert SEEN[name] >= 3, SEEN
