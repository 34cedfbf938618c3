"""What follows from a command: events, or the refusal that the book or the state of the table gives."""

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, Unregulated
from aceking.table import event as ev
from aceking.table.acts import ACTS, NAMES
from aceking.table.cards.shoe import NO_SHOE, Shoe
from aceking.table.commands import Act, ChangeOption, Choose, Command, Report, Rule
from aceking.table.evolve import evolve
from aceking.table.gate import Passed, completed, gate
from aceking.table.mishaps import answers
from aceking.table.mishaps.consequences import fold_for
from aceking.table.mishaps.report import report
from aceking.table.moment import Done, Now
from aceking.table.money.settling import reckon_again
from aceking.table.options import in_force
from aceking.table.phases.closing import reckon, unregulated
from aceking.table.procedure.orders import check
from aceking.table.state import Round, Table

#: After these what was reckoned may not be what is owed.
_CHANGES_MONEY: frozenset[type[ev.Event]] = frozenset(
    {
        ev.Dealt,
        ev.Rearranged,
        ev.HandVoided,
        ev.Forfeited,
        ev.Claimed,
        ev.Returned,
        ev.Corrected,
        ev.AwardLost,
        ev.AwardLocked,
        ev.Decided,
    }
)


def decide(book: Book, table: Table, command: Command, shoe: Shoe = NO_SHOE) -> tuple[ev.Event, ...] | Refusal:
    """The events that a command brings about, or why it does not."""
    book = in_force(book, table)
    passed = gate(book, table, command)
    if isinstance(passed, Refusal):
        return passed
    now = Now(book, table, shoe, passed.at, passed.by, passed.role)
    done: Done
    match command:
        case Act():
            done = _act(now, command, passed)
        case Report():
            done = report(now, command)
        case Rule():
            done = answers.decide_question(now, command)
        case Choose():
            done = answers.choose(now, command)
        case _:
            raise AssertionError("the gate knows all commands")
    if isinstance(done, Refusal):
        return done
    # An act is on the record with its time; what is reported, ruled or chosen moves the clock as well.
    if done and now.at > table.clock and not isinstance(command, Act):
        done = [ev.ClockRead(at=now.at), *done]
    return tuple(_and_so(now, done))


def run(
    book: Book, table: Table, command: Command, shoe: Shoe = NO_SHOE
) -> tuple[Table, tuple[ev.Event, ...]] | Refusal:
    """Decides a command and takes its events into the state."""
    events = decide(book, table, command, shoe)
    if isinstance(events, Refusal):
        return events
    for event in events:
        table = evolve(table, event)
    return table, events


def _act(now: Now, act: Act, passed: Passed) -> Done:
    """An act: reckoned before where it needs that, held against the clauses that govern it, then done."""
    name = NAMES[type(act)]
    entry = ACTS[name]
    full = completed(now.book, now.table, act, passed)
    if isinstance(full, Refusal):
        return full
    before: Done = reckon(now) if entry.reckons and _is_unreckoned(now.table) else []
    if isinstance(before, Refusal):
        return before
    if before:
        now = now.after(before)
        if now.table.holding is not None:
            return before
    checked = check(now.book, now.table, full, passed.role, passed.at)
    if isinstance(checked, Refusal):
        return checked
    clause, breaches = checked
    if type(full) is ChangeOption and full.option in now.book.options:
        clause = now.book.options[full.option].clause
    now = Now(now.book, now.table, now.shoe, now.at, now.by, now.role, clause)
    done = entry.handler(now, full) if entry.handler is not None else []
    if isinstance(done, Refusal):
        return done
    if breaches:
        # What a clause forbids is one breach of it, whoever finds it.
        on_record = {one.clause for one in breaches}
        done = [one for one in done if not (isinstance(one, ev.Violated) and one.clause in on_record)]
    acted = ev.Acted(
        act=name,
        by=now.by,
        role=now.role,
        at=now.at,
        box=full.box,
        deck=full.deck,
        standing=entry.standing,
        remark=full.remark,
        clause=clause,
    )
    # A round or a deck must exist before an act can be put on its record.
    return [*before, *breaches, *done, acted] if entry.makes else [*before, *breaches, acted, *done]


def _is_unreckoned(table: Table) -> bool:
    """After the reveal the first act that needs it has the round reckoned."""
    current = table.round
    return current is not None and current.phase == "revealed" and not current.settled


def _and_so(now: Now, events: list[ev.Event]) -> list[ev.Event]:
    """What follows by itself: who left has folded when the decisions come, and money follows the facts."""
    was = now.table.round
    if was is None:
        return events
    if not was.settled:
        return [*events, *_folded(now.after(events))] if _may_fold(was, events) else events
    if was.phase == "void" or _CHANGES_MONEY.isdisjoint(map(type, events)):
        return events
    after = now.after(events)
    current = after.table.round
    if current is None or current.phase == "void" or current.number != was.number:
        return events
    again = reckon_again(after.book, after.table)
    if isinstance(again, Unregulated):
        return [*events, unregulated(after, again)]
    return events if isinstance(again, Refusal) else [*events, *again]


def _may_fold(was: Round, events: list[ev.Event]) -> bool:
    """Whether somebody has left, or leaves now, and the decisions have come or may come now."""
    if was.phase not in ("dealing", "deciding"):
        return False
    for box in was.boxes.values():
        if box.left:
            return True
    return ev.Left in map(type, events)


def _folded(now: Now) -> list[ev.Event]:
    """Boxes whose players are gone fold when the decisions come."""
    current = now.table.live_round
    if current is None or current.phase != "deciding":
        return []
    events: list[ev.Event] = []
    for box in current.live:
        if box.left and box.choice is None and not box.bet:
            there = replace(box, left=False)
            events += fold_for(now, current, there, now.book.rules_on("walk-away") or "BASE-box")
    return events
