"""Who is on the roster, on whose word, and what two signatures are worth; what the parameters may not become."""

from typing import Any

import pytest

from aceking.meter.commands import AdjustMeter, CallMeterSupervisor, Close, Configure, Enrol, Retire, VerifyAward
from aceking.meter.state import MeterState
from tests.meter.floor import PEOPLE, ROYALS, Floor, book_with

ROYAL = "royal_flush"


def enrol(floor: Floor, name: str, role: Any, by: str = "Eva", second: str | None = None) -> Enrol:
    return Enrol(at=floor.now(), by=by, name=name, role=role, second=second)


def adjust(floor: Floor, by: str, second: str) -> AdjustMeter:
    return AdjustMeter(at=floor.now(), by=by, second=second, reason="a count", amount=5)


@pytest.mark.parametrize(
    ("by", "second", "allowed"),
    [
        ("X1", "X2", False),
        ("X1", "Eva", False),
        ("Eva", "X2", False),
        ("X1", "X3", False),
        ("X1", "Sam", True),
        ("Max", "X2", True),
        ("X1", "Y1", True),
        ("Sam", "Eva", True),
    ],
)
def test_who_invents_persons_does_not_sign_in_their_names(by: str, second: str, allowed: bool) -> None:
    """Eva alone brings in X1 and X2, X2 alone X3; Max alone Y1."""
    floor = Floor({"A": "washington"})
    floor.ok(enrol(floor, "X1", "supervisor"))
    floor.ok(enrol(floor, "X2", "executive"))
    floor.ok(enrol(floor, "X3", "executive", by="X2"))
    floor.ok(enrol(floor, "Y1", "executive", by="Max"))
    refused = floor.do(adjust(floor, by, second))
    assert (refused is None) == allowed
    if refused is not None:
        assert (refused.clause, refused.reason) == (
            "R17",
            f"{by} and {second} act on Eva's word alone; it takes another person",
        )
    floor.replayed()


def test_a_person_whom_two_persons_enrol_acts_on_nobodys_word() -> None:
    floor = Floor({"A": "washington"})
    floor.ok(enrol(floor, "X1", "supervisor", second="Sam"))
    floor.ok(adjust(floor, "X1", "Eva"))
    for by, second in (("Eva", "Max"), ("Eva", "Dora"), ("Eva", "Ghost"), ("Sam", "Sue"), ("Root", "Eva")):
        assert floor.no(enrol(floor, "X2", "executive", by=by, second=second))[0] == "R5"
    floor.ok(enrol(floor, "X3", "executive"))
    floor.ok(enrol(floor, "X4", "executive", by="X3", second="X1"))
    floor.ok(enrol(floor, "X5", "supervisor"))
    assert floor.no(enrol(floor, "X6", "executive", by="X3", second="X5"))[1].startswith("X3 and X5 act on Eva's word")


def test_whom_two_persons_name_in_the_parameters_is_no_ones_creature() -> None:
    floor = Floor({"A": "washington"})
    floor.ok(enrol(floor, "X1", "supervisor"))
    assert floor.no(adjust(floor, "X1", "Eva"))[0] == "R17"
    floor.ok(Close(at=floor.now(), by="Sam"))
    floor.ok(Configure(at=floor.now(), **{**floor.settings, "people": {"X1": "supervisor"}}))
    floor.ok(adjust(floor, "X1", "Eva"))


def test_verifier_and_signer_of_an_award_stand_on_two_words() -> None:
    floor = Floor({"A": "washington"})
    floor.ok(enrol(floor, "Zoe", "supervisor"))
    floor.start("A", 3)
    floor.select("A", 3, ROYAL, ROYALS[1])
    floor.ok(CallMeterSupervisor(at=floor.now(), table="A", by="Dora", seat=3))
    floor.ok(VerifyAward(at=floor.now(), table="A", by="Zoe", seat=3, hand=ROYAL, cards=ROYALS[1], light=True))
    assert floor.no(floor.signature("A", 3, by="Eva"))[0] == "R16"
    floor.ok(floor.signature("A", 3, by="Max"))


def test_nobody_gives_themselves_a_role_or_another_name() -> None:
    floor = Floor({"A": "washington"})
    assert floor.no(enrol(floor, "Eva", "supervisor"))[1] == "nobody gives themselves a role"
    assert floor.no(enrol(floor, "Sam", "executive", second="Sam"))[1] == "nobody gives themselves a role"
    for name in ("eva", "Eva ", " EVA"):
        assert floor.no(enrol(floor, name, "supervisor", by="Max"))[0] == "R16"
    assert floor.no(enrol(floor, " ", "supervisor"))[0] == "R16"
    assert floor.no(enrol(floor, "Zoe", "dealer", by="Sam"))[0] == "R5"
    floor.ok(enrol(floor, "Sue", "executive", by="Max"))
    assert floor.no(adjust(floor, "Sue", "Max"))[0] == "R17"
    floor.ok(enrol(floor, "Dan", "dealer"))
    assert "Dan" not in floor.state.on_word_of, "Dan was enrolled by two, and nothing has changed"


def test_the_persons_of_new_parameters_are_on_the_roster_already() -> None:
    """Only a meter that is new has its first persons from its own parameters."""
    floor = Floor({"A": "washington"}, opened=False)
    invented = {**PEOPLE, "X1": "supervisor", "X2": "executive"}
    change = {**floor.settings, "people": invented, "by": "X1", "second": "X2"}
    assert floor.no(Configure(at=floor.now(), **change))[1].startswith("X1 is not on the roster")
    floor.ok(enrol(floor, "X1", "supervisor"))
    floor.ok(enrol(floor, "X2", "executive"))
    assert floor.no(Configure(at=floor.now(), **change))[1].startswith("X1 and X2 act on Eva's word")
    floor.ok(Configure(at=floor.now(), **{**change, "second": "Max"}))


def test_a_roster_with_one_name_for_two_is_refused() -> None:
    floor = Floor({"A": "washington"}, opened=False)
    settings = floor.settings
    for people in ({**PEOPLE, "SAM": "executive"}, {**PEOPLE, "": "dealer"}):
        floor.state, floor.events = MeterState(), []
        assert floor.no(Configure(at=floor.now(), **{**settings, "people": people}))[0] == "R16"


def test_a_meter_does_not_change_its_currency() -> None:
    """Its tables may: then they are tables of another meter."""
    floor = Floor({"A": "rws"}, opened=False)
    floor.books["section10"] = book_with("section10", {})
    dollars = {**floor.settings, "tables": {"A": "section10"}, "currency": "USD"}
    assert floor.no(Configure(at=floor.now(), **dollars)) == ("R6", "the meter has SGD; it cannot become USD")
    mixed = {**floor.settings, "tables": {"A": "rws", "B": "section10"}}
    assert floor.no(Configure(at=floor.now(), **mixed)) == (
        "R1",
        "table B: section10 is played in USD, not in SGD",
    )


def test_a_meter_is_not_retired_by_two_of_one_word() -> None:
    floor = Floor({"A": "washington"}, opened=False)
    floor.ok(enrol(floor, "X1", "supervisor"))
    gone = Retire(at=floor.now(), by="X1", second="Eva", reason="old", to="meter", place="Grand")
    assert floor.no(gone)[0] == "R5"
