"""The progressive does not work: what each course needs, what it gives, what it forbids, and who may choose it."""

import pytest

from aceking.award import faults
from aceking.award.authority import Signer, ruling_of
from aceking.award.faults import COURSES, ChosenCourse
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal, Unregulated
from aceking.rules.words import Course

SAM = Signer("Sam", "supervisor")
RWS, SECTION10 = load_book("rws"), load_book("section10")
CLAUSES: dict[Course, str] = {
    "close-table": "RWS-5.18.2.a",
    "block-affected-box": "RWS-5.18.2.b",
    "play-without-jackpot": "RWS-5.18.2.c",
}


@pytest.mark.parametrize("course", COURSES)
def test_a_course_with_all_that_it_needs(course: Course) -> None:
    assert faults.choose(RWS, SAM, course, boxes=(3,), notice=True) == ChosenCourse(course, CLAUSES[course])
    assert faults.choose(SECTION10, SAM, course, boxes=(3,), notice=True) == ChosenCourse(course, "R12")
    ruled = ruling_of(RWS, "jackpot-fault", ["later-rounds", COURSES[course].given])
    assert ruled == (course, CLAUSES[course])


def test_a_course_that_wants_for_something() -> None:
    boxes = faults.choose(RWS, SAM, "block-affected-box", boxes=(), notice=True)
    assert boxes == Refusal("no box is named that the fault affects", "RWS-5.18.2")
    told = faults.choose(RWS, SAM, "play-without-jackpot", boxes=(3,), notice=False)
    assert told == Refusal("players are told by a notice at the table first", "RWS-5.18.2.c")
    untold = faults.choose(SECTION10, SAM, "play-without-jackpot", boxes=(3,), notice=False)
    assert untold == Refusal("players are told by a notice at the table first", "R12")
    assert isinstance(faults.choose(RWS, SAM, "close-table", boxes=(), notice=False), ChosenCourse)
    assert isinstance(faults.choose(RWS, SAM, "block-affected-box", boxes=(1,), notice=False), ChosenCourse)
    assert isinstance(faults.choose(RWS, SAM, "play-without-jackpot", boxes=(), notice=True), ChosenCourse)


def test_who_chooses_and_what_stands_where_nobody_does() -> None:
    dealer = faults.choose(RWS, Signer("Dora", "dealer"), "close-table", boxes=(), notice=False)
    assert dealer == Refusal("Dora is a dealer; this takes a supervisor or an executive", "RWS-5.18.2")
    assert faults.choose(RWS, SAM, None, boxes=(), notice=False) == ChosenCourse("close-table", "RWS-5.18.2.a")
    silent = faults.choose(SECTION10, SAM, None, boxes=(), notice=False)
    assert isinstance(silent, Unregulated)
    assert silent.decides == "supervisor"


def test_a_course_is_for_the_rounds_after_the_fault() -> None:
    given = faults.circumstances(running=False, dealt=False, looked=False)
    for course, clause in CLAUSES.items():
        chosen = faults.choose(RWS, SAM, course, boxes=(3,), notice=True, given=given)
        assert isinstance(chosen, ChosenCourse)
        assert chosen.clause.startswith(clause)


@pytest.mark.parametrize(
    ("running", "dealt", "looked", "given"),
    [
        (False, False, False, ["later-rounds"]),
        (True, False, False, ["this-round", "nobody-looked", "before-first-card"]),
        (True, True, False, ["this-round", "nobody-looked"]),
        (True, True, True, ["this-round", "somebody-looked"]),
    ],
)
def test_what_a_ruling_asks_about(running: bool, dealt: bool, looked: bool, given: list[str]) -> None:
    assert faults.circumstances(running=running, dealt=dealt, looked=looked) == given


@pytest.mark.parametrize(
    ("course", "seats", "reason"),
    [
        (None, (), "the progressive has failed, and how to go on is not decided"),
        ("close-table", (), "the table is closed until the progressive works again"),
        ("block-affected-box", (), None),
        ("block-affected-box", (1, 2), None),
        ("block-affected-box", (1, 3), "box 3 is blocked until the progressive works again"),
        ("block-affected-box", (0,), "name the boxes of these wagers: a box is blocked"),
        ("play-without-jackpot", (), None),
        ("play-without-jackpot", (1,), "no jackpot bets are taken until the progressive works again"),
    ],
)
def test_what_a_course_forbids(course: Course | None, seats: tuple[int, ...], reason: str | None) -> None:
    for book, clause in ((RWS, "RWS-5.18.2"), (SECTION10, "R12")):
        found = faults.forbids(book, course, blocked=(3,), seats=seats)
        assert found == (None if reason is None else Refusal(reason, clause))
