"""The progressive does not work: what becomes of the round, and how the house goes on."""

from aceking.award.authority import DEALER, FLOOR, cited, ruling_of
from aceking.award.faults import choose, circumstances
from aceking.meter.commands import ChooseCourse, ClearFault, Fault
from aceking.meter.contributions import voided
from aceking.meter.events import AnyEvent, CourseChosen, FaultCleared, Faulted
from aceking.meter.governing_rules import Books, No, Place, acts_as, person, place_of
from aceking.meter.state import LinkState, display
from aceking.rules.refusal import Refusal, Unregulated


def fault(books: Books, state: LinkState, command: Fault) -> tuple[AnyEvent, ...] | No:
    """A fault, and the book's ruling on the round; where it has none, that of the person who has the last word."""
    found = place_of(books, state, command, (*DEALER, *FLOOR), lambda _: "R12")
    if isinstance(found, Refusal):
        return found
    table, book = found.table, found.book
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
        return _faulted(state, command, found, then=command.ruling or "choose-course", clause=None)
    then, clause = ruled
    if command.ruling not in (None, then):
        return Refusal(f"the book rules: {then.replace('-', ' ')}", clause)
    return _faulted(state, command, found, then=then, clause=clause)


def _faulted(
    state: LinkState, command: Fault, place: Place, *, then: str, clause: str | None
) -> tuple[AnyEvent, ...] | No:
    """The fault on the record; a round that does not go on is annulled."""
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
    # Where the book does not say what becomes of the feed, a person annuls the round and says it.
    if goes_on or not place.table.running or place.rules.void_feed is None:
        return (event,)
    kept = cited(place.book, "progressive.void_feed", otherwise="R12")
    events = voided(state, command, reason="the progressive failed", feed=place.rules.void_feed, clause=kept)
    return events if isinstance(events, Refusal) else (event, *events)


def choose_course(books: Books, state: LinkState, command: ChooseCourse) -> tuple[AnyEvent, ...] | No:
    """How the house goes on: the table closed, the box blocked, or play without the jackpot under a notice."""
    later = "progressive.fault_later"
    found = place_of(books, state, command, FLOOR, lambda book: cited(book, later, otherwise="R12"))
    if isinstance(found, Refusal):
        return found
    broken = found.table.fault
    if broken is None:
        return Refusal("the progressive works", found.clause)
    by = person(state, command.by)
    chosen = choose(found.book, by, command.course, boxes=broken.boxes, notice=command.notice)
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


def clear_fault(books: Books, state: LinkState, command: ClearFault) -> tuple[AnyEvent, ...] | No:
    """The progressive works again."""
    found = place_of(books, state, command, FLOOR, lambda _: "R12")
    if isinstance(found, Refusal):
        return found
    broken = found.table.fault
    if broken is None:
        return Refusal("the progressive works", "R12")
    if broken.this_round:
        return Refusal("the round that the fault met is paid by the last value first", "R12")
    return (FaultCleared(at=command.at, table=command.table, by=command.by),)
