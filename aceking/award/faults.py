"""The progressive does not work: what the book rules for the round, and the courses that the house may take after it.

A table asks `circumstances` and `ruling_of` for the round, `choose` when the house says how it goes on, and `forbids`
before it takes a bet; `COURSES` has what each course needs. The outcome of a ruling has the name of its course.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import get_args

import msgspec

from aceking.award.authority import FLOOR, Person, cited, clause_of, may_act, ruling_of
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, Unregulated
from aceking.rules.words import Circumstance, Course


class Needs(msgspec.Struct, frozen=True, kw_only=True):
    """How a ruling asks for a course, and what must be there before it is taken."""

    given: Circumstance
    boxes: bool = False  # the places that it blocks are named
    notice: bool = False  # the players are told by a sign


COURSES: Mapping[Course, Needs] = {
    "close-table": Needs(given="course-close-table"),
    "block-affected-box": Needs(given="course-block-affected-box", boxes=True),
    "play-without-jackpot": Needs(given="course-play-without-jackpot", notice=True),
}
assert set(COURSES) == set(get_args(Course)), "every course is described"


class Chosen(msgspec.Struct, frozen=True):
    """A course that was taken, and the clause that lets the house take it."""

    course: Course
    clause: str


_LATER: tuple[Circumstance, ...] = ("later-rounds",)


def circumstances(*, running: bool, dealt: bool, looked: bool) -> list[Circumstance]:
    """What a ruling on a fault asks about: this round or later ones, a card out, a card seen."""
    if not running:
        return ["later-rounds"]
    given: list[Circumstance] = ["this-round", "somebody-looked" if looked else "nobody-looked"]
    return given if dealt else [*given, "before-first-card"]


def choose(
    book: Book,
    by: Person,
    course: Course | None,
    *,
    boxes: Collection[int],
    notice: bool,
    given: Sequence[Circumstance] = _LATER,
) -> Chosen | Refusal | Unregulated:
    """How the house goes on: what a person of the floor chooses, else what the book's option says."""
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
        told = clause_of(book, "notice-given", otherwise=clause) if later else clause
        return Refusal("players are told by a notice at the table first", told)
    ruled = ruling_of(book, "jackpot-fault", [*given, needs.given])
    return Chosen(course, clause if ruled is None else ruled[1])


def forbids(book: Book, course: Course | None, *, blocked: Collection[int], seats: Collection[int]) -> Refusal | None:
    """Whether a round may not start with side bets at these seats while the progressive does not work.

    Seat 0 stands for wagers that are reported without their seats, and may come from a box that is blocked.
    """
    clause = cited(book, "progressive.fault_later", otherwise="R12")
    match course:
        case None:
            return Refusal("the progressive has failed, and how to go on is not decided", clause)
        case "close-table":
            return Refusal("the table is closed until the progressive works again", clause)
        case "block-affected-box":
            if 0 in seats:
                return Refusal("a box is blocked: from which boxes are these wagers?", clause)
            if shut := [seat for seat in seats if seat in blocked]:
                return Refusal(f"box {shut[0]} is blocked until the progressive works again", clause)
        case "play-without-jackpot":
            if seats:
                return Refusal("no jackpot bets are taken until the progressive works again", clause)
    return None
