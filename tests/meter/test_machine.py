"""Many tables and many persons doing what comes to their minds: whatever they do, the money is all there.

The nights are drawn by a generator with a seed of its own. A library that draws them from what it finds in the process
(Hypothesis takes constants of all modules that are loaded) gives other nights after other tests, and other verdicts.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from aceking.meter.commands import (
    AdjustMeter,
    AnyCommand,
    CallMeterSupervisor,
    ChooseCourse,
    ClearFault,
    Close,
    Configure,
    Contribute,
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
from aceking.meter.events import AwardSigned, Contributed, MeterRefused, Paid, Recognised, Released
from aceking.meter.state import HITS_LISTED, MeterAward, identity
from tests.meter.acting import state_bytes
from tests.meter.floor import PEOPLE, ROYALS, STRAIGHT_FLUSHES, Floor

SET_UPS: list[dict[str, Any]] = [
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
        "limit": 10_000_500,
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
TABLES, SEATS = "ABC", (1, 3, 5, 7)
PERSONS = [*PEOPLE, "Nobody"]
DEALERS = ["Dora", "Dora", "Dan", "Sam"]
FLOOR_STAFF = ["Sam", "Sue", "Eva", "Max", "Sam", "Eva", "Dora"]


class Night:
    """A night on the floor, drawn by its number."""

    def __init__(self, number: int) -> None:
        self.chance = Random(number)
        set_up = SET_UPS[number % len(SET_UPS)]
        self.floor = Floor(executive_from=EXECUTIVE_FROM, **set_up)
        self.rate = Fraction(self.floor.settings["rate"].rstrip("%")) / 100
        self.hidden = Fraction(self.floor.settings.get("hidden_rate", "0%").rstrip("%")) / 100

    def steps(self, count: int) -> None:
        """Make `count` random moves and check the meter after each."""
        for _ in range(count):
            moves = [move for move, possible in MOVES if possible(self)]
            self.chance.choice(moves)(self)
            self.every_wager_is_on_the_meter_to_the_last_fraction()
            self.no_award_without_the_right_signatures()
        self.in_the_morning()

    def one(self, things: Any) -> Any:
        return self.chance.choice(things)

    @property
    def awards(self) -> list[MeterAward]:
        return list(self.floor.state.awards.values())

    def give(self, command: AnyCommand) -> None:
        self.floor.do(command)

    @property
    def at(self) -> datetime:
        return self.floor.now()

    def contributes(self) -> None:
        self.give(Contribute(at=self.at, table=self.one(TABLES), wagers=self.chance.randint(0, 9)))

    def repeats(self) -> None:
        """The same message twice, and once more with another content."""
        fed = Contribute(at=self.at, table=self.one(TABLES), wagers=3, id=f"m{self.chance.randint(1, 9)}")
        self.give(fed)
        before = state_bytes(self.floor.state)
        self.give(fed)
        assert state_bytes(self.floor.state) == before or isinstance(self.floor.events[-1], MeterRefused)

    def is_early(self) -> None:
        self.floor.no(Contribute(at=self.floor.clock - timedelta(seconds=61), table=self.one(TABLES), wagers=1))

    def starts(self) -> None:
        lit = self.chance.sample(SEATS, self.chance.randint(0, 4))
        self.give(StartMeterGame(at=self.at, table=self.one(TABLES), by=self.one(DEALERS), seats=tuple(lit)))

    def ends(self) -> None:
        self.give(EndMeterGame(at=self.at, table=self.one(TABLES), by=self.one(DEALERS)))

    def wins(self) -> None:
        """A round with winners: started if none is under way, and the hands selected in any order of seats."""
        table, early = self.one(TABLES), self.chance.randint(-2, 30)
        self.give(StartMeterGame(at=self.at, table=table, by="Dora", seats=SEATS))
        self.floor.clock += timedelta(seconds=60)
        hands = self.chance.sample(HANDS[: self.one([4, len(HANDS)])], self.chance.randint(1, 3))
        for seat, (hand, cards) in zip(self.chance.sample(SEATS, 4), hands, strict=False):
            if not any(one.seat == seat and one.table == table and not one.gone for one in self.awards):
                self.give(SelectSeat(at=self.at, table=table, by="Dora", seat=seat))
                dealt = (self.floor.state.tables[table].started or self.at) + timedelta(seconds=early + seat)
                stands = self.one([None, None, "Eva", "Sam"])
                self.give(
                    SelectHand(
                        at=self.at, table=table, by="Dora", hand=hand, cards=cards, dealt=dealt, let_stand=stands
                    )
                )

    def takes_back(self) -> None:
        award, by = self.one(self.awards), self.one(DEALERS)
        self.give(SelectSeat(at=self.at, table=award.table, by=by, seat=award.seat))
        self.give(SelectHand(at=self.at, table=award.table, by=by, hand=award.hand, cards=award.cards))

    def verifies(self) -> None:
        self.check(self.one(self.awards), self.one(FLOOR_STAFF), light=self.one([True, True, True, False]))

    def verifies_all(self) -> None:
        by = self.one(["Sam", "Sue", "Eva"])
        for award in self.awards:
            self.check(award, by, light=True)

    def check(self, award: MeterAward, by: str, *, light: bool) -> None:
        where: dict[str, Any] = {"table": award.table, "seat": award.seat}
        self.give(CallMeterSupervisor(at=self.at, by="Dora", **where))
        self.give(VerifyAward(at=self.at, by=by, hand=award.hand, cards=award.cards, light=light, **where))

    def signs(self) -> None:
        award, over = self.one(self.awards), self.one([0, 0, 0, 1, -1])
        by = self.one(FLOOR_STAFF)
        self.give(SignAward(at=self.at, table=award.table, by=by, seat=award.seat, amount=award.amount + over))

    def signs_who_may_be_signed(self) -> None:
        """One swipe for each award: the first in turn succeeds, the others are told to wait."""
        by = self.one(["Eva", "Max"])
        for award in self.awards:
            self.give(SignAward(at=self.at, table=award.table, by=by, seat=award.seat, amount=award.amount))

    def shows_all(self) -> None:
        self.give(ShownAll(at=self.at, table=self.one(TABLES), by="Dora"))

    def pays(self) -> None:
        award, over = self.one(self.awards), self.one([0, 0, 0, 1])
        self.give(PrintAwardPage(at=self.at, table=award.table, by="Sam", seat=award.seat))
        self.give(PayMeterAward(at=self.at, table=award.table, by="Dora", seat=award.seat, amount=award.amount + over))
        self.give(
            PayMeterAward(at=self.at, table=award.table, by=self.one(PERSONS), seat=award.seat, amount=award.amount)
        )

    def finishes_everything(self) -> None:
        """All that is open is checked, signed and paid, as good people would: nothing may be stuck."""
        self.floor.shown_all()
        self.backs_out_what_is_to_be_reckoned_anew()
        for award in self.awards:
            where: dict[str, Any] = {"table": award.table, "seat": award.seat}
            self.give(CallMeterSupervisor(at=self.at, by=award.dealer, **where))
            self.give(VerifyAward(at=self.at, by="Sue", hand=award.hand, cards=award.cards, light=True, **where))
        for _ in range(len(self.awards)):
            for award in self.awards:
                signer = "Max" if award.verifier != "Max" else "Eva"
                amount = self.floor.state.awards[award.id].amount
                self.give(SignAward(at=self.at, table=award.table, by=signer, seat=award.seat, amount=amount))
        for award in self.awards:
            assert not award.open, award
            self.give(PrintAwardPage(at=self.at, table=award.table, by="Sam", seat=award.seat))
            self.give(PayMeterAward(at=self.at, table=award.table, by="Dora", seat=award.seat, amount=award.amount))
        assert self.floor.state.counters.locked == 0
        assert self.floor.state.counters.owed == 0
        for table in self.floor.state.tables:
            self.give(EndMeterGame(at=self.at, table=table, by="Dora"))
        assert not self.awards
        self.give(Resume(at=self.at, by="Sam"))

    def backs_out_what_is_to_be_reckoned_anew(self) -> None:
        """One that shared was backed out: what waits for a turn is taken back first, then all that shared goes too."""
        if not any(one.anew and not one.gone for one in self.awards):
            return
        for award in self.awards:
            if award.open and award.major and not award.sealed:
                self.floor.ok(SelectSeat(at=self.at, table=award.table, by="Dora", seat=award.seat))
                self.floor.ok(SelectHand(at=self.at, table=award.table, by="Dora", hand=award.hand, cards=award.cards))
        for award in self.awards:
            if award.anew and not award.gone:
                self.floor.ok(AdjustMeter(at=self.at, by="Sam", second="Eva", reason="reckoned anew", undo=award.id))
                SEEN["reckoned anew"] += 1

    def adjusts(self) -> None:
        by, second, reason = self.one(PERSONS), self.one(PERSONS), self.one(["", "a count"])
        amount = self.chance.randint(-500_000, 500_000)
        self.give(AdjustMeter(at=self.at, by=by, second=second, reason=reason, amount=amount))

    def undoes(self) -> None:
        undo = self.one(self.floor.state.hits).id
        self.give(AdjustMeter(at=self.at, by="Sam", second=self.one(PERSONS), reason="a wrong hand", undo=undo))

    def enters_anew(self) -> None:
        """A final award is backed out and the same hand is entered again."""
        award = self.one([one for one in self.awards if one.sealed])
        self.give(AdjustMeter(at=self.at, by="Sue", second="Max", reason="a wrong seat", undo=award.id))
        self.give(SelectSeat(at=self.at, table=award.table, by="Dora", seat=award.seat))
        where: dict[str, Any] = {"table": award.table, "hand": award.hand, "cards": award.cards}
        self.give(SelectHand(at=self.at, by="Dora", dealt=award.dealt, let_stand="Eva", **where))

    def voids(self) -> None:
        feed = self.one([None, "kept", "reversed"])
        by = self.one(PERSONS)
        self.give(VoidRound(at=self.at, table=self.one(TABLES), by=by, reason="a card too many", feed=feed))

    def pauses(self) -> None:
        by = self.one(PERSONS)
        self.give(Suspend(at=self.at, by=by, reason="a drill", tables=(self.one(TABLES),)))
        self.give(Resume(at=self.at, by=by))

    def fails(self) -> None:
        table, dealt, looked = self.one(TABLES), self.one([True, False]), self.one([True, False])
        ruling = self.one([None, "void-round", "pay-at-last-value"])
        course = self.one([None, "close-table", "block-affected-box", "play-without-jackpot"])
        self.give(ReportFault(at=self.at, table=table, by="Sam", dealt=dealt, looked=looked, boxes=(3,), ruling=ruling))
        self.give(ChooseCourse(at=self.at, table=table, by="Sam", course=course, notice=True))

    def mends(self) -> None:
        for table in TABLES:
            self.give(ClearFault(at=self.at, table=table, by="Sue"))

    def enrols(self) -> None:
        role = self.one(["dealer", "supervisor", "executive"])
        second = self.one([None, *PERSONS])
        self.give(Enrol(at=self.at, by=self.one(PERSONS), name=self.one([*PERSONS, "Zoe"]), role=role, second=second))
        for name, role in PEOPLE.items():
            if self.floor.state.people[name] != role:
                two = ("Max" if name == "Eva" else "Eva", "Sue" if name == "Sam" else "Sam")
                self.floor.ok(Enrol(at=self.at, by=two[0], name=name, role=role, second=two[1]))
        assert not set(PEOPLE) & set(self.floor.state.on_word_of)

    def reconfigures(self) -> None:
        """The meter is closed if it can be, a table leaves or comes back, and it opens again."""
        self.give(Close(at=self.at, by="Sam"))
        tables = dict(self.floor.settings["tables"])
        if self.one([True, False]):
            tables.pop(self.one(TABLES))
        self.give(Configure(at=self.at, **{**self.floor.settings, "tables": tables}))
        if len(tables) < len(TABLES):
            self.give(Configure(at=self.at, **self.floor.settings))
        self.give(Open(at=self.at, by="Sam"))

    def every_wager_is_on_the_meter_to_the_last_fraction(self) -> None:
        state = self.floor.state
        has, scale = state.counters, state.scale
        assert identity(state) == 0
        assert Fraction(has.contributed, scale) == has.wagered * (self.rate + self.hidden)
        assert len(state.hits) <= HITS_LISTED
        fed = [event for event in self.floor.events if isinstance(event, Contributed)]
        assert has.wagers == sum(event.wagers for event in fed)
        assert has.wagers == sum(table.wagers for table in (*state.tables.values(), *state.left.values()))

    def no_award_without_the_right_signatures(self) -> None:
        for award in self.floor.state.hits:
            assert award.verifier is not None
            assert award.signer is not None
            assert PEOPLE[award.dealer] == "dealer"
            assert PEOPLE[award.verifier] in ("supervisor", "executive")
            allowed = ("executive",) if award.amount >= EXECUTIVE_FROM else ("supervisor", "executive")
            assert award.signer_role in allowed
            assert len({award.dealer, award.verifier, award.signer}) == 3

    def in_the_morning(self) -> None:
        """Replayed byte for byte, signed once each, the clock never back; then the meter is retired."""
        events = self.floor.events
        paid = sum(one.from_meter for one in events if isinstance(one, Paid))
        signed = [one.id for one in events if isinstance(one, AwardSigned)]
        assert len(signed) == len(set(signed)), "an award was signed twice"
        assert self.floor.state.counters.paid <= paid * self.floor.state.scale
        assert self.floor.state.refusals == sum(isinstance(one, MeterRefused) for one in events)
        assert all(first.at <= then.at for first, then in pairwise(events))
        assert all(one.clause for one in events if isinstance(one, MeterRefused))
        SEEN["several open at once"] += any(len(one.ids) > 1 for one in events if isinstance(one, Released))
        SEEN["shared"] += any(len(one.sealed) > 1 for one in events if isinstance(one, AwardSigned))
        SEEN["entered again"] += any("-" in one.award.id for one in events if isinstance(one, Recognised))
        if not any(table.running for table in self.floor.state.tables.values()):
            self.give(Close(at=self.at, by="Sam"))
            whole = self.floor.state.counters
            gone = Retire(at=self.at, by="Sam", second="Eva", reason="a new game", to="meter", place="Grand")
            self.floor.ok(gone)
            assert self.floor.state.counters.retired == whole.value + whole.reserve + whole.overflow
        SEEN.update(type(one).__name__ for one in events)
        self.floor.replayed()


def _open(night: Night) -> bool:
    return any(one.open for one in night.awards)


def _verified(night: Night) -> bool:
    return any(one.step == "verified" for one in night.awards)


def _signed(night: Night) -> bool:
    return any(one.step == "signed" for one in night.awards)


def _running(night: Night) -> bool:
    return any(one.running for one in night.floor.state.tables.values())


def _broken(night: Night) -> bool:
    return any(one.fault is not None for one in night.floor.state.tables.values())


MOVES: list[tuple[Callable[[Night], None], Callable[[Night], bool]]] = [
    (Night.contributes, lambda _: True),
    (Night.repeats, lambda _: True),
    (Night.is_early, lambda _: True),
    (Night.starts, lambda _: True),
    (Night.ends, _running),
    (Night.wins, lambda _: True),
    (Night.takes_back, _open),
    (Night.verifies, _open),
    (Night.verifies_all, _open),
    (Night.signs, _verified),
    (Night.signs_who_may_be_signed, _verified),
    (Night.shows_all, lambda night: bool(night.awards)),
    (Night.pays, _signed),
    (Night.finishes_everything, lambda night: bool(night.awards)),
    (Night.adjusts, lambda _: True),
    (Night.undoes, lambda night: bool(night.floor.state.hits)),
    (Night.enters_anew, lambda night: any(one.sealed for one in night.awards)),
    (Night.voids, _running),
    (Night.pauses, lambda _: True),
    (Night.fails, lambda night: not _broken(night)),
    (Night.mends, _broken),
    (Night.enrols, lambda night: not night.awards),
    (Night.reconfigures, lambda night: not _running(night)),
]
#: What the nights have come to, so that a machine that only collects refusals does not pass for a proof.
SEEN: Counter[str] = Counter()
NIGHTS, STEPS = 420, 50


def nights(numbers: range) -> Counter[str]:
    """Play these nights; return how often each thing was seen."""
    SEEN.clear()
    for number in numbers:
        night = Night(number)
        try:
            night.steps(STEPS)
        except AssertionError as wrong:
            wrong.add_note(f"night {number}, after {night.floor.events[-3:]}")
            raise
    return SEEN


@pytest.mark.proof
def test_whatever_people_do_the_money_is_all_there() -> None:
    """Some twenty thousand steps; enough of them must have got somewhere. What is rare needs the many nights."""
    seen = nights(range(NIGHTS))
    for name, least in (("AwardSigned", 80), ("Paid", 60), ("TakenBack", 20), ("Released", 50), ("Reseeded", 50)):
        assert seen[name] >= least, seen
    for name in (
        "AwardUndone",
        "MeterRoundVoided",
        "Faulted",
        "MeterSuspended",
        "Configured",
        "MeterAnswered",
        "Retired",
    ):
        assert seen[name] >= 3, seen
    for name in ("several open at once", "shared", "entered again"):
        assert seen[name] >= 3, seen
    assert seen["reckoned anew"], seen


@pytest.mark.parametrize("seed", ["0", "1", "31337"])
def test_a_night_is_the_same_in_every_process(seed: str) -> None:
    """Neither the order of sets nor what was imported before changes what happens."""
    program = "import sys, tests.meter.test_machine as m; print(sorted(m.nights(range(7)).items()))"
    other = "import tests.meter.test_golden, aceking.exact.figures; " if seed == "1" else ""
    root = Path(__file__).resolve().parents[2]
    environment = {"PYTHONHASHSEED": seed, "PATH": "/usr/bin:/bin", "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", other + program]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=root, check=True)
    assert done.stdout.strip() == str(sorted(nights(range(7)).items()))
