"""Decide a command: the events that follow from it, or a refusal by the book or by the state of the table."""

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, Unregulated
from aceking.table import event as ev
from aceking.table.acts import ACTS, NAMES
from aceking.table.cards.shoe import NO_SHOE, Shoe
from aceking.table.commands import Act, ChangeOption, Choose, GiveRuling, Report, TableCommand
from aceking.table.evolve import evolve
from aceking.table.gate import Passed, completed, gate
from aceking.table.mishaps import answers
from aceking.table.mishaps.consequences import fold_for
from aceking.table.mishaps.report import report
from aceking.table.moment import Done, Moment
from aceking.table.money.settling import reckon_again
from aceking.table.options import in_force
from aceking.table.phases.closing import reckon, unregulated
from aceking.table.procedure.orders import check
from aceking.table.state import Round, TableState

#: Events after which the amounts owed must be worked out again.
_CHANGES_MONEY: frozenset[type[ev.TableEvent]] = frozenset(
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


def decide(
    book: Book, table: TableState, command: TableCommand, shoe: Shoe = NO_SHOE
) -> tuple[ev.TableEvent, ...] | Refusal:
    """Return the events that a command causes, or why it is refused."""
    book = in_force(book, table)
    passed = gate(book, table, command)
    if isinstance(passed, Refusal):
        return passed
    now = Moment(book, table, shoe, passed.at, passed.by, passed.role)
    done: Done
    match command:
        case Act():
            done = _act(now, command, passed)
        case Report():
            done = report(now, command)
        case GiveRuling():
            done = answers.decide_question(now, command)
        case Choose():
            done = answers.choose(now, command)
        case _:
            raise AssertionError("the gate knows all commands")
    if isinstance(done, Refusal):
        return done
    # An act records its time; a report, a ruling or a choice needs an event of its own for the clock.
    if done and now.at > table.clock and not isinstance(command, Act):
        done = [ev.ClockRead(at=now.at), *done]
    return tuple(_with_consequences(now, done))


def run(
    book: Book, table: TableState, command: TableCommand, shoe: Shoe = NO_SHOE
) -> tuple[TableState, tuple[ev.TableEvent, ...]] | Refusal:
    """Decide a command and apply its events. Return the new state and the events, or the refusal."""
    events = decide(book, table, command, shoe)
    if isinstance(events, Refusal):
        return events
    for event in events:
        table = evolve(table, event)
    return table, events


def _act(now: Moment, act: Act, passed: Passed) -> Done:
    """Settle the round first if the act needs it, check the act against the clauses, then do it."""
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
    now = Moment(now.book, now.table, now.shoe, now.at, now.by, now.role, clause)
    done = entry.handler(now, full) if entry.handler is not None else []
    if isinstance(done, Refusal):
        return done
    if breaches:
        # A clause that was breached is recorded once, even if the handler finds the same breach.
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
    return [*before, *breaches, *done, acted] if entry.creates else [*before, *breaches, acted, *done]


def _is_unreckoned(table: TableState) -> bool:
    """Return True if the round is revealed and not settled yet."""
    current = table.round
    return current is not None and current.phase == "revealed" and not current.settled


def _with_consequences(now: Moment, events: list[ev.TableEvent]) -> list[ev.TableEvent]:
    """Add what follows by itself: players who left fold when decisions are due, and money follows the facts."""
    before = now.table.round
    if before is None:
        return events
    if not before.settled:
        return [*events, *_folded(now.after(events))] if _may_fold(before, events) else events
    if before.phase == "void" or _CHANGES_MONEY.isdisjoint(map(type, events)):
        return events
    after = now.after(events)
    current = after.table.round
    if current is None or current.phase == "void" or current.number != before.number:
        return events
    again = reckon_again(after.book, after.table)
    if isinstance(again, Unregulated):
        return [*events, unregulated(after, again)]
    return events if isinstance(again, Refusal) else [*events, *again]


def _may_fold(before: Round, events: list[ev.TableEvent]) -> bool:
    """Return True if a player has left or leaves now, and decisions are due or may become due now."""
    if before.phase not in ("dealing", "deciding"):
        return False
    for box in before.boxes.values():
        if box.left:
            return True
    return ev.Left in map(type, events)


def _folded(now: Moment) -> list[ev.TableEvent]:
    """Fold the boxes whose players have left, once decisions are due."""
    current = now.table.live_round
    if current is None or current.phase != "deciding":
        return []
    events: list[ev.TableEvent] = []
    for box in current.live:
        if box.left and box.choice is None and not box.bet:
            present = replace(box, left=False)
            events += fold_for(now, current, present, now.book.rules_on("walk-away") or "BASE-box")
    return events
