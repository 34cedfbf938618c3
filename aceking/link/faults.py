"""The progressive does not work: what becomes of the round, and how the house goes on."""

from aceking.link.bylaws import FLOOR, Books, No, acts_as, cited, clause_of, ruling_of, table_of
from aceking.link.commands import ChooseCourse, ClearFault, Course, Fault
from aceking.link.events import AnyEvent, CourseChosen, FaultCleared, Faulted
from aceking.link.feed import voided
from aceking.link.state import LinkState, display
from aceking.rules.refusal import Refusal, Unregulated

_GIVEN: dict[Course, str] = {
    "close-table": "course-close-table",
    "block-affected-box": "course-block-box",
    "play-without-jackpot": "course-play-without-jackpot",
}


def fault(books: Books, state: LinkState, command: Fault) -> tuple[AnyEvent, ...] | No:
    """A fault, and the book's ruling on the round; where it has none, that of the person who has the last word."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    book = books[table.book]
    if refused := acts_as(state, command.by, ("dealer", *FLOOR), "R12"):
        return refused
    if table.fault is not None:
        return Refusal("the fault is on the record", "R12")
    if command.looked and not command.dealt:
        return Refusal("nobody can have seen cards that were not dealt", "R12")
    given = ["later-rounds"]
    if table.running:
        given = ["this-round", "somebody-looked" if command.looked else "nobody-looked"]
        given += [] if command.dealt else ["before-first-card"]
    ruled = ruling_of(book, "jackpot-fault", given)
    if ruled is None:
        if command.ruling is None and table.running:
            return Unregulated("what a fault of the progressive does to the round is not said", book.void.last_word)
        if refused := acts_as(state, command.by, FLOOR, "R12"):
            return refused
        return _faulted(books, state, command, then=command.ruling or "choose-course", clause=None)
    then, clause = ruled
    if command.ruling not in (None, then):
        return Refusal(f"the book rules: {then.replace('-', ' ')}", clause)
    return _faulted(books, state, command, then=then, clause=clause)


def _faulted(
    books: Books, state: LinkState, command: Fault, *, then: str, clause: str | None
) -> tuple[AnyEvent, ...] | No:
    """The fault on the record; a round that does not go on is annulled."""
    goes_on = then == "pay-at-last-value"
    event = Faulted(
        at=command.at,
        table=command.table,
        by=command.by,
        value=display(state),
        boxes=command.boxes,
        ruling=then,
        clause=clause,
        this_round=goes_on,
    )
    table = state.tables[command.table]
    rules = books[table.book].progressive
    assert rules is not None
    # Where the book does not say what becomes of the feed, a person annuls the round and says it.
    if goes_on or not table.running or rules.void_feed is None:
        return (event,)
    kept = cited(books[table.book], "progressive.void_feed", otherwise="R12")
    events = voided(state, command, reason="the progressive failed", feed=rules.void_feed, clause=kept)
    return events if isinstance(events, Refusal) else (event, *events)


def choose_course(books: Books, state: LinkState, command: ChooseCourse) -> tuple[AnyEvent, ...] | No:
    """How the house goes on: the table closed, the box blocked, or play without the jackpot under a notice."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    book = books[table.book]
    rules = book.progressive
    assert rules is not None
    clause = cited(book, "progressive.fault_later", otherwise="R12")
    if refused := acts_as(state, command.by, FLOOR, clause):
        return refused
    if table.fault is None:
        return Refusal("the progressive works", clause)
    course = command.course or rules.fault_later
    if course is None:
        return Unregulated("how the house goes on after a fault is not said", book.void.last_word)
    if course == "block-affected-box" and not table.fault.boxes:
        return Refusal("no box is named that the fault affects", clause)
    if course == "play-without-jackpot" and not command.notice:
        notice = clause_of(book, "notice-given", otherwise=clause) if rules.fault_later else clause
        return Refusal("players are told by a notice at the table first", notice)
    ruled = ruling_of(book, "jackpot-fault", ["later-rounds", _GIVEN[course]])
    governs = ruled[1] if ruled is not None else clause
    return (
        CourseChosen(
            at=command.at, table=command.table, by=command.by, course=course, notice=command.notice, clause=governs
        ),
    )


def clear_fault(state: LinkState, command: ClearFault) -> tuple[AnyEvent, ...] | No:
    """The progressive works again."""
    table = table_of(state, command.table)
    if isinstance(table, Refusal):
        return table
    if refused := acts_as(state, command.by, FLOOR, "R12"):
        return refused
    if table.fault is None:
        return Refusal("the progressive works", "R12")
    if table.fault.this_round:
        return Refusal("the round that the fault met is paid by the last value first", "R12")
    return (FaultCleared(at=command.at, table=command.table, by=command.by),)
