"""Table and meter in one unit: the acts of a table become commands of its meter, and the meter sets the amount of an
award.

If the meter refuses, the table does not act either. If the meter changes the amount of an award, because other
tables fed it or share in it, the table corrects its lines; if it stops other tables, they stop in the same unit.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from aceking.award.authority import EXECUTIVE, FLOOR
from aceking.award.steps import terms_of
from aceking.cards.card import CardId, names
from aceking.house.floor.draft import BOOK, PROGRAM, Draft, moment
from aceking.house.floor.play import must_hit
from aceking.house.floor.states import Floor, FloorTable
from aceking.meter import commands as k
from aceking.meter import events as le
from aceking.meter.awards.selection import award_at
from aceking.meter.decide import decide as meter_decide
from aceking.meter.governing_rules import Books
from aceking.meter.state import MeterAward, display, pending
from aceking.rules.refusal import Refusal, Unregulated
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.shoe import NO_SHOE
from aceking.table.decide import decide
from aceking.table.evolve import evolve
from aceking.table.money.award_lines import is_award, unqualified
from aceking.table.state import Round, TableState

#: After these events an award may no longer stop the tables of its meter.
_HANDLED = (le.AwardSigned, le.TakenBack, le.MeterRoundVoided)


def do_command(draft: Draft, table: str, command: c.TableCommand) -> tuple[ev.TableEvent, ...] | Refusal:
    """Do a command at a table with all that follows on its meter. After a refusal the draft must be dropped."""
    state = draft.table(table)
    shoe = draft.shoe(table) if state.seals else NO_SHOE
    events = decide(draft.book(table), state.table, command, shoe)
    if isinstance(events, Refusal):
        return events
    meter, counted = state.posted.meter, ev.Trayed in map(type, events)
    if counted and meter is not None and not draft.floor.meters[meter].tables[table].running:
        started = _start(draft, meter, state, events, command)
        if started is not None:
            return started
        with_meter = replace(command, meter=display(draft.floor.meters[meter]))
        events = decide(draft.book(table), state.table, with_meter, shoe)
        if isinstance(events, Refusal):
            return events
    for name in must_hit.meters_to_feed(draft, table) if counted else ():
        if (refused := _start(draft, name, state, events, command)) is not None:
            return refused
    return add_events(draft, table, events) or events


def add_events(draft: Draft, table: str, events: Sequence[ev.TableEvent]) -> Refusal | None:
    """Add events of a table, and what each means for its meters."""
    posted = draft.table(table).posted
    if posted.meter is None and not posted.must_hit:
        draft.add(f"table/{table}", *events)
        return None
    for event in events:
        before = draft.table(table).table
        draft.add(f"table/{table}", event)
        if posted.meter is not None:
            refused = _relay(draft, posted.meter, before, draft.table(table), event)
            if refused is not None:
                return refused
        if (refused := _ended(draft, table, event)) is not None:
            return refused
    return None


def _ended(draft: Draft, table: str, event: ev.TableEvent) -> Refusal | None:
    """End or void the round on the must-hit-by meters that it has fed."""
    ending = must_hit.ending(draft, table, event)
    for name in () if ending is None else must_hit.running_meters(draft, table):
        assert ending is not None
        if (refused := _on_meter(draft, name, ending)) is not None:
            return refused
    return None


def _start(
    draft: Draft, meter: str, state: FloorTable, events: tuple[ev.TableEvent, ...], command: c.TableCommand
) -> Refusal | None:
    """Send START GAME to a meter, with the lights that are on when the side wagers are counted; they feed it first."""
    table = state.table
    for event in events:
        table = evolve(table, event)
    assert table.round is not None, "side wagers are counted in a round"
    seats = tuple(sorted(number for number, box in table.round.boxes.items() if box.lit))
    by = _dealer(draft, meter, command.by)
    return _on_meter(draft, meter, k.StartMeterGame(at=moment(draft.at), table=table.id, by=by, seats=seats))


def _relay(draft: Draft, meter: str, before: TableState, after: FloorTable, event: ev.TableEvent) -> Refusal | None:
    """Send the meter the commands that follow from an event of a table."""
    for command in _commands_for(draft, meter, before, after, event):
        if (refused := _on_meter(draft, meter, command)) is not None:
            return refused
    return None


def _commands_for(
    draft: Draft, meter: str, before: TableState, after: FloorTable, event: ev.TableEvent
) -> list[k.AnyCommand]:
    table, at, state = after.table.id, moment(draft.at), draft.floor.meters[meter]
    running = state.tables[table].running
    match event:
        case ev.Selected() if event.hand is not None and running:
            return _picked(draft, meter, after, event)
        case ev.Selected() if running:
            return _unpicked(draft, meter, table, event)
        case ev.Acted() if running and event.box is not None:
            return _step(draft, meter, after, event)
        case ev.Moved() | ev.Unmoved() if running and before.round is not None:
            line = before.round.lines[event.line]
            if not is_award(line) or isinstance(event, ev.Unmoved):
                return []
            by = _dealer(draft, meter, "")
            return [k.PayMeterAward(at=at, table=table, by=by, seat=line.seat, amount=line.pays)]
        case ev.RoundEnded() if running:
            return [k.EndMeterGame(at=at, table=table, by=_dealer(draft, meter, ""))]
        case ev.RoundVoided() if running:
            rules = draft.book(table).progressive
            feed: k.Feed | None = None if rules is not None and rules.void_feed is not None else "reversed"
            reason = f"round {before.round.number if before.round else 0} has no result ({event.clause})"
            return [k.VoidRound(at=at, table=table, by=BOOK, reason=reason, feed=feed)]
        case ev.Suspended():
            others = tuple(name for name, linked in state.tables.items() if not linked.suspended)
            by = _of_floor(draft, meter, "")
            return [k.Suspend(at=at, by=by, reason=event.cause, tables=others)] if others else []
        case ev.Resumed():
            stopped = tuple(name for name, linked in state.tables.items() if linked.suspended)
            return [k.Resume(at=at, by=_of_floor(draft, meter, ""), tables=stopped)] if stopped else []
        case ev.DeviceSet(device="jackpot", status="faulty"):
            current = before.live_round
            dealt = current is not None and bool(current.sequence)
            looked = current is not None and current.anyone_looked
            by = _of_floor(draft, meter, "")
            return [
                k.ReportFault(
                    at=at, table=table, by=by, dealt=dealt, looked=looked, ruling="void-round" if running else None
                )
            ]
        case ev.CourseTaken() if state.tables[table].fault is not None:
            by = _of_floor(draft, meter, "")
            notice = "no-jackpot-bets" in after.table.notices
            return [k.ChooseCourse(at=at, table=table, by=by, course=event.course, notice=notice)]
        case ev.DeviceSet(device="jackpot", status="fitted") if state.tables[table].fault is not None:
            return [k.ClearFault(at=at, table=table, by=_of_floor(draft, meter, ""))]
        case _:
            return []


def _picked(draft: Draft, meter: str, after: FloorTable, event: ev.Selected) -> list[k.AnyCommand]:
    """Return the commands of the dealer's two buttons, place and hand, and the call if the book has no act for it."""
    current, table = after.table.round, after.table.id
    assert current is not None
    assert event.hand is not None
    at, by, box, book = moment(draft.at), _dealer(draft, meter, event.by), current.boxes[event.box], draft.book(table)
    qualifies = book.dealer is not None and not unqualified(book, current)
    hand = k.SelectHand(
        at=at,
        table=table,
        by=by,
        hand=event.hand,
        cards=_shown(current, event.box),
        dealt=moment(after.dealt.get(event.box, draft.at)),
        play="fold" if box.gave_up else "bet",
        exchanged=box.give is not None,
        claimed=box.claimed,
        dealer_qualifies=qualifies,
    )
    called = [] if terms_of(book).called else [k.CallMeterSupervisor(at=at, table=table, by=by, seat=event.box)]
    return [k.SelectSeat(at=at, table=table, by=by, seat=event.box), hand, *called]


def _unpicked(draft: Draft, meter: str, table: str, event: ev.Selected) -> list[k.AnyCommand]:
    """Return the commands that take the hand back; none after the signature, when it takes an adjustment."""
    state = draft.floor.meters[meter]
    award = award_at(state, table, state.tables[table].game, event.box)
    if award is None or award.sealed or award.signed:
        return []
    by, at = _dealer(draft, meter, event.by), moment(draft.at)
    seat = k.SelectSeat(at=at, table=table, by=by, seat=event.box)
    return [seat, k.SelectHand(at=at, table=table, by=by, hand=award.hand, cards=award.cards)]


def _step(draft: Draft, meter: str, after: FloorTable, event: ev.Acted) -> list[k.AnyCommand]:
    """Return the commands for a step of an award after the hand was picked."""
    current, at, table = after.table.round, moment(draft.at), after.table.id
    assert current is not None
    assert event.box is not None
    seat, award = event.box, current.awards.get(event.box)
    by = event.by
    match event.act:
        case "call-supervisor":
            return [k.CallMeterSupervisor(at=at, table=table, by=_dealer(draft, meter, by), seat=seat)]
        case "supervisor-validated" if award is not None:
            cards, lit = _shown(current, seat), current.boxes[seat].lit
            return [k.VerifyAward(at=at, table=table, by=by, seat=seat, hand=award.hand, cards=cards, light=lit)]
        case "card-swipe" if award is not None:
            return [k.SignAward(at=at, table=table, by=by, seat=seat, amount=award.amount)]
        case "win-page" | "documentation-complete":
            return [k.PrintAwardPage(at=at, table=table, by=by, seat=seat)]
        case "manual-adjustment":
            state = draft.floor.meters[meter]
            known = award_at(state, table, state.tables[table].game, seat)
            if known is None or not (known.sealed or known.signed):
                return []
            second = next((name for name, role in state.people.items() if role in EXECUTIVE and name != by), "")
            return [
                k.AdjustMeter(
                    at=at, by=by, second=second, reason=event.remark or "backed out at the table", undo=known.id
                )
            ]
        case _:
            return []


def _on_meter(draft: Draft, meter: str, command: k.AnyCommand) -> Refusal | None:
    """Do one command on the meter, and what follows for the tables linked to it."""
    events = meter_decide(books_of(draft, meter), draft.floor.meters[meter], command, draft.seeds)
    if isinstance(events, Refusal):
        return events
    if isinstance(events, Unregulated):
        return Refusal(f"{events.reason}; {events.decides} decides", events.clause)
    return add_meter_events(draft, meter, events)


def add_meter_events(draft: Draft, meter: str, events: tuple[Any, ...]) -> Refusal | None:
    """Add events of a meter, and what follows for the tables linked to it."""
    draft.add(f"meter/{meter}", *events)
    for event in events:
        if (refused := _follows(draft, meter, event)) is not None:
            return refused
        command = must_hit.follows(draft, meter, event)
        if command is not None and (refused := _on_meter(draft, meter, command)) is not None:
            return refused
    if any(isinstance(event, _HANDLED) for event in events) and (refused := _resume_others(draft, meter)) is not None:
        return refused
    trigger = must_hit.draw(draft, meter)
    return None if trigger is None else _on_meter(draft, meter, trigger)


def _resume_others(draft: Draft, meter: str) -> Refusal | None:
    """Resume the tables whose own awards were handled while the other tables were stopped."""
    state, tables = draft.floor.meters[meter], draft.floor.tables
    free = tuple(
        name
        for name, linked in state.tables.items()
        if linked.suspended and name in tables and tables[name].table.suspended is None
    )
    if not free or stays_stopped(draft, meter):
        return None
    return _on_meter(draft, meter, k.Resume(at=moment(draft.at), by=BOOK, tables=free))


def stays_stopped(draft: Draft, meter: str) -> bool:
    """Return True if the book keeps the tables of a meter stopped: an award on it is not signed."""
    resume = k.Resume(at=moment(draft.at), by=BOOK)
    return isinstance(meter_decide(books_of(draft, meter), draft.floor.meters[meter], resume, draft.seeds), Refusal)


def _follows(draft: Draft, meter: str, event: Any) -> Refusal | None:
    """Apply an event of the meter to its tables: the amount of an award, a stop, the end of a stop."""
    match event:
        case le.Locked():
            award = draft.floor.meters[meter].awards[event.id]
            return _locked(draft, award.table, award.seat, event.amount, event.from_meter)
        case le.MeterSuspended():
            # The table of the award goes on, to handle it: that is what the others wait for (EUR-p25-declare).
            handles = {award.table for award in pending(draft.floor.meters[meter])}
            for name in event.tables:
                other = draft.floor.tables.get(name)
                if other is not None and other.table.suspended is None and name not in handles:
                    stop = c.SuspendTables(cause=event.reason, role="house", at=draft.at)
                    draft.add(f"table/{name}", *_events_or_none(draft, name, stop))
        case le.MeterResumed():
            for name in event.tables:
                other = draft.floor.tables.get(name)
                if other is not None and other.table.suspended is not None:
                    draft.add(f"table/{name}", *_events_or_none(draft, name, c.ResumeTables(role="house", at=draft.at)))
        case _:
            pass
    return None


def _locked(draft: Draft, table: str, box: int, amount: int, from_meter: int) -> Refusal | None:
    """Set the amount of an award at its table, if the table has computed another."""
    current = draft.table(table).table.round
    if current is None:
        return None
    line = next((one for one in current.lines if one.seat == box and is_award(one)), None)
    if line is None or (line.pays == amount and current.from_meter.get(box, 0) == from_meter):
        return None
    lock = c.LockAward(box=box, amount=amount, from_meter=from_meter, role="device", at=draft.at)
    events = decide(draft.book(table), draft.table(table).table, lock)
    if isinstance(events, Refusal):
        return events
    draft.add(f"table/{table}", *events)
    return None


def _events_or_none(draft: Draft, table: str, act: c.Act) -> tuple[ev.TableEvent, ...]:
    events = decide(draft.book(table), draft.table(table).table, act)
    return () if isinstance(events, Refusal) else events


def books_of(draft: Draft, meter: str) -> Books:
    """Return the books of the tables on a meter, by id."""
    posted = {name: state.posted for name, state in draft.floor.tables.items()}
    return {one.book: draft.book(name) for name, one in posted.items() if meter in (one.meter, *one.must_hit)}


def awaiting(draft: Draft, meter: str) -> list[str]:
    """Return the tables with an award in progress on a meter, or stopped by one: they wait for a signature on it."""
    waiting = []
    for name, state in draft.floor.tables.items():
        if state.posted.meter == meter and not state.gone:
            current = state.table.live_round
            if state.table.suspended is not None or (current is not None and current.awards):
                waiting.append(name)
    return waiting


def awaits_signature(draft: Draft, table: str, box: int) -> bool:
    """Return True if the meter still needs a person's signature for an award that the table would pay now."""
    return unsigned(draft.floor, table, box) is not None


def unsigned(floor: Floor, table: str, box: int) -> MeterAward | None:
    """Return the award of a box on its meter that nobody has signed yet, or None."""
    meter = floor.tables[table].posted.meter
    if meter is None:
        return None
    state = floor.meters[meter]
    award = award_at(state, table, state.tables[table].game, box)
    return None if award is None or award.signed else award


def _dealer(draft: Draft, meter: str, name: str) -> str:
    """Return the dealer's name on the roster of the meter: the person's, or PROGRAM."""
    return name if draft.floor.meters[meter].people.get(name) == "dealer" else PROGRAM


def _of_floor(draft: Draft, meter: str, name: str) -> str:
    """Return the name that stops or resumes tables: the person's if they are floor staff on the roster, or BOOK."""
    return name if draft.floor.meters[meter].people.get(name) in FLOOR else BOOK


def _shown(current: Round, box: int) -> str:
    return names(tuple(CardId(one) for one in current.boxes[box].cards))
