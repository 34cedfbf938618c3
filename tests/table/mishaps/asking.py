"""Open questions, and how they are answered in the tests of answers."""

from typing import Any

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.words import Mishap, Remedy
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.mishaps.answers import decide_question
from aceking.table.moment import Done, Moment
from aceking.table.state import Question, TableState
from tests.table.moment import TABLE, WASHINGTON, moment

WHY = "the camera shows it"
#: Whole hands of five, and a dealer's of which the last card lies face up.
LAST_UP: dict[str, Any] = {"up": 14}


def question(mishap: Mishap = "dispute", *named: int, **more: Any) -> Question:
    return Question(**{"number": 3, "mishap": mishap, "of": "supervisor", "clause": "Q", "boxes": named, **more})


def asked(one: Question, book: Book = WASHINGTON, table: TableState = TABLE, **changes: Any) -> Moment:
    """The moment at which this question is open."""
    return moment(book, replace(table, questions=(one,)), **changes)


def rule(now: Moment, then: Remedy, **more: Any) -> Done:
    return decide_question(now, c.GiveRuling(**{"question": 3, "then": then, "reason": WHY, **more}))


def answered(then: Remedy, clause: str = "Q") -> ev.Answered:
    return ev.Answered(question=3, then=then, by="Sue", reason=WHY, clause=clause)


def back(box: int, wager: str, amount: int, clause: str = "Q") -> ev.Returned:
    return ev.Returned(box=box, wager=wager, amount=amount, clause=clause)
