"""A fault of the progressive: what the book rules for the round, and the courses that the house may take after it.

A table calls `circumstances` and `ruling_of` for the round, `choose` when the house says how to go on, and `forbids`
before it takes a bet. The remedy of a ruling has the name of its course.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import get_args

import msgspec

from aceking.award.authority import FLOOR, Signer, cited, clause_of, may_act, ruling_of
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, Unregulated
from aceking.rules.words import Circumstance, Course


class Needs(msgspec.Struct, frozen=True, kw_only=True):
    """The circumstance that stands for a course in rulings, and what the course needs."""

    given: Circumstance
    boxes: bool = False  # the boxes that it blocks must be named
    notice: bool = False  # a notice must tell the players


COURSES: Mapping[Course, Needs] = {
    "close-table": Needs(given="course-close-table"),
    "block-affected-box": Needs(given="course-block-affected-box", boxes=True),
    "play-without-jackpot": Needs(given="course-play-without-jackpot", notice=True),
}
assert set(COURSES) == set(get_args(Course)), "every course is described"


class ChosenCourse(msgspec.Struct, frozen=True):
    """A course that the house has taken, and the clause that allows it."""

    course: Course
    clause: str


_LATER: tuple[Circumstance, ...] = ("later-rounds",)


def circumstances(*, running: bool, dealt: bool, looked: bool) -> list[Circumstance]:
    """Return the circumstances of a fault: this round or later ones, cards dealt, cards seen."""
    if not running:
        return ["later-rounds"]
    given: list[Circumstance] = ["this-round", "somebody-looked" if looked else "nobody-looked"]
    return given if dealt else [*given, "before-first-card"]


def choose(
    book: Book,
    by: Signer,
    course: Course | None,
    *,
    boxes: Collection[int],
    notice: bool,
    given: Sequence[Circumstance] = _LATER,
) -> ChosenCourse | Refusal | Unregulated:
    """Return the course after a fault: what a person of the floor chooses, else the book's option."""
    rules = book.progressive
    later = None if rules is None else rules.fault_later
    clause = cited(book, "progressive.fault_later", otherwise="R12")
    if refused := may_act(by, FLOOR, clause):
        return refused
    course = course or later
    if course is None:
        return book.silent("how the house goes on after a fault is not said")
    needs = COURSES[course]
    if needs.boxes and not boxes:
        return Refusal("no box is named that the fault affects", clause)
    if needs.notice and not notice:
        notice_clause = clause_of(book, "notice-given", otherwise=clause) if later else clause
        return Refusal("players are told by a notice at the table first", notice_clause)
    ruled = ruling_of(book, "jackpot-fault", [*given, needs.given])
    return ChosenCourse(course, clause if ruled is None else ruled[1])


def forbids(book: Book, course: Course | None, *, blocked: Collection[int], seats: Collection[int]) -> Refusal | None:
    """Return the refusal of a round with side bets at these seats while the progressive does not work, or None.

    Seat 0 stands for wagers that are reported without their seats; they may come from a blocked box.
    """
    clause = cited(book, "progressive.fault_later", otherwise="R12")
    match course:
        case None:
            return Refusal("the progressive has failed, and how to go on is not decided", clause)
        case "close-table":
            return Refusal("the table is closed until the progressive works again", clause)
        case "block-affected-box":
            if 0 in seats:
                return Refusal("name the boxes of these wagers: a box is blocked", clause)
            if shut := [seat for seat in seats if seat in blocked]:
                return Refusal(f"box {shut[0]} is blocked until the progressive works again", clause)
        case "play-without-jackpot":
            if seats:
                return Refusal("no jackpot bets are taken until the progressive works again", clause)
    return None
