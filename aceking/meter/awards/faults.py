"""A fault of the progressive: the ruling on the round, and the course of the house."""

from aceking.award.authority import DEALER, FLOOR, cited, ruling_of
from aceking.award.faults import choose, circumstances
from aceking.meter.commands import ChooseCourse, ClearFault, ReportFault
from aceking.meter.contributions import voided
from aceking.meter.events import AnyEvent, CourseChosen, FaultCleared, Faulted
from aceking.meter.governing_rules import Books, GoverningRules, acts_as, governing, person
from aceking.meter.state import MeterState, display
from aceking.rules.refusal import No, Refusal, Unregulated


def fault(books: Books, state: MeterState, command: ReportFault) -> tuple[AnyEvent, ...] | No:
    """Record a fault with the book's ruling on the round, or the person's if the book has none."""
    place = governing(books, state, command, (*DEALER, *FLOOR), lambda _: "R12")
    if isinstance(place, Refusal):
        return place
    table, book = place.table, place.book
    if table.fault is not None:
        return Refusal("the fault is on the record", "R12")
    if command.looked and not command.dealt:
        return Refusal("nobody can have seen cards that were not dealt", "R12")
    if wrong := [box for box in command.boxes if not 1 <= box <= book.table.seats_max]:
        text = f"the table has {book.table.seats_max} places, there is no {wrong[0]}"
        return Refusal(text, book.cite("table.seats_max"))
    given = circumstances(running=table.running, dealt=command.dealt, looked=command.looked)
    ruled = ruling_of(book, "jackpot-fault", given)
    if ruled is None:
        if command.ruling is None and table.running:
            return book.silent("what a fault of the progressive does to the round is not said")
        if refused := acts_as(state, command.by, FLOOR, "R12"):
            return refused
        return _faulted(state, command, place, then=command.ruling or "choose-course", clause=None)
    then, clause = ruled
    if command.ruling not in (None, then):
        return Refusal(f"the book rules: {then.replace('-', ' ')}", clause)
    return _faulted(state, command, place, then=then, clause=clause)


def _faulted(
    state: MeterState, command: ReportFault, place: GoverningRules, *, then: str, clause: str | None
) -> tuple[AnyEvent, ...] | No:
    """Return the fault; a round that does not go on is voided."""
    goes_on = then == "pay-at-last-value"
    event = Faulted(
        at=command.at,
        table=command.table,
        by=command.by,
        value=display(state),
        boxes=tuple(sorted(set(command.boxes))),
        ruling=then,
        clause=clause,
        this_round=goes_on,
    )
    # If the book has no rule for the contributions, a person voids the round with their own ruling.
    if goes_on or not place.table.running or place.rules.void_feed is None:
        return (event,)
    kept = cited(place.book, "progressive.void_feed", otherwise="R12")
    events = voided(state, command, reason="the progressive failed", feed=place.rules.void_feed, clause=kept)
    return events if isinstance(events, Refusal) else (event, *events)


def choose_course(books: Books, state: MeterState, command: ChooseCourse) -> tuple[AnyEvent, ...] | No:
    """Record how the house goes on: table closed, box blocked, or play without the jackpot."""
    later = "progressive.fault_later"
    place = governing(books, state, command, FLOOR, lambda book: cited(book, later, otherwise="R12"))
    if isinstance(place, Refusal):
        return place
    table_fault = place.table.fault
    if table_fault is None:
        return Refusal("the progressive works", place.clause)
    by = person(state, command.by)
    chosen = choose(place.book, by, command.course, boxes=table_fault.boxes, notice=command.notice)
    if isinstance(chosen, Refusal | Unregulated):
        return chosen
    return (
        CourseChosen(
            at=command.at,
            table=command.table,
            by=command.by,
            course=chosen.course,
            notice=command.notice,
            clause=chosen.clause,
        ),
    )


def clear_fault(books: Books, state: MeterState, command: ClearFault) -> tuple[AnyEvent, ...] | No:
    """Record that the progressive works again."""
    place = governing(books, state, command, FLOOR, lambda _: "R12")
    if isinstance(place, Refusal):
        return place
    table_fault = place.table.fault
    if table_fault is None:
        return Refusal("the progressive works", "R12")
    if table_fault.this_round:
        return Refusal("the round that the fault met is paid by the last value first", "R12")
    return (FaultCleared(at=command.at, table=command.table, by=command.by),)
