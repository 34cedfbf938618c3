"""Decide a command on a meter: events, a refusal, or the book's silence."""

from types import MappingProxyType

from aceking.meter.adjustments import adjust
from aceking.meter.awards.confirmation import call_supervisor, pay, print_win_page, sign, verify
from aceking.meter.awards.faults import choose_course, clear_fault, fault
from aceking.meter.awards.selection import select_hand, select_seat
from aceking.meter.commands import (
    AdjustMeter,
    AnyCommand,
    CallMeterSupervisor,
    ChooseCourse,
    ClearFault,
    Close,
    Configure,
    Contribute,
    DrawTrigger,
    EndMeterGame,
    Enrol,
    Open,
    PayMeterAward,
    PrintAwardPage,
    ReportFault,
    Resume,
    Retire,
    SelectHand,
    SelectSeat,
    ShownAll,
    SignAward,
    StartMeterGame,
    Suspend,
    VerifyAward,
    VoidRound,
)
from aceking.meter.configuration import configure, enrol, operate, pause
from aceking.meter.contributions import contribute, end_game, shown_all, start_game, void_round
from aceking.meter.events import AnyEvent, MeterAnswered, MeterRefused
from aceking.meter.evolve import evolve
from aceking.meter.gate import digest, moment, repeated, stopped
from aceking.meter.governing_rules import Books
from aceking.meter.must_hit_by import Seeds, draw
from aceking.meter.retirement import retire
from aceking.meter.state import MeterState
from aceking.rules.refusal import No, Refusal

#: For a meter that hands win: it has no trigger, so no seed.
NO_SEEDS: Seeds = MappingProxyType({})


def decide(books: Books, state: MeterState, command: AnyCommand, seeds: Seeds = NO_SEEDS) -> tuple[AnyEvent, ...] | No:
    """Return the events of a command, or why it is not carried out.

    A command that was answered before, by its id, has no events. `seeds` are the secret seeds by commitment.
    """
    barred = decided_without_books(state, command)
    return _decide(books, state, command, seeds) if barred is None else barred


def decided_without_books(state: MeterState, command: AnyCommand) -> tuple[AnyEvent, ...] | Refusal | None:
    """Return no events for a repeated command, the refusal that any command would get, or None to go on."""
    before = repeated(state, command)
    if isinstance(before, Refusal):
        return before
    return () if before else stopped(state, command)


def _decide(books: Books, state: MeterState, command: AnyCommand, seeds: Seeds) -> tuple[AnyEvent, ...] | No:
    match command:
        case Contribute():
            return contribute(books, state, command)
        case StartMeterGame():
            return start_game(books, state, command, seeds)
        case EndMeterGame():
            return end_game(books, state, command)
        case (
            SelectSeat()
            | SelectHand()
            | CallMeterSupervisor()
            | VerifyAward()
            | SignAward()
            | PrintAwardPage()
            | PayMeterAward()
        ):
            return _award_step(books, state, command)
        case VoidRound():
            return void_round(books, state, command)
        case ShownAll():
            return shown_all(books, state, command)
        case AdjustMeter():
            return adjust(books, state, command)
        case ReportFault():
            return fault(books, state, command)
        case ChooseCourse():
            return choose_course(books, state, command)
        case ClearFault():
            return clear_fault(books, state, command)
        case Configure():
            return configure(books, state, command)
        case Enrol():
            return enrol(state, command)
        case Open() | Close():
            return operate(state, command)
        case Retire():
            return retire(state, command, seeds)
        case DrawTrigger():
            return draw(state, command, seeds)
        case Suspend() | Resume():
            return pause(books, state, command)


def _award_step(
    books: Books,
    state: MeterState,
    command: SelectSeat | SelectHand | CallMeterSupervisor | VerifyAward | SignAward | PrintAwardPage | PayMeterAward,
) -> tuple[AnyEvent, ...] | No:
    match command:
        case SelectSeat():
            return select_seat(books, state, command)
        case SelectHand():
            return select_hand(books, state, command)
        case CallMeterSupervisor():
            return call_supervisor(books, state, command)
        case VerifyAward():
            return verify(books, state, command)
        case SignAward():
            return sign(books, state, command)
        case PrintAwardPage():
            return print_win_page(books, state, command)
        case PayMeterAward():
            return pay(books, state, command)


def recorded(
    state: MeterState, command: AnyCommand, decided: tuple[AnyEvent, ...] | No
) -> tuple[MeterState, tuple[AnyEvent, ...]]:
    """Return the state after a decision, and its events; the id of the command is recorded with its answer."""
    events = decided if isinstance(decided, tuple) else (_refused(state, command, decided),)
    if events and command.id is not None and repeated(state, command) is False:
        events = (*events, MeterAnswered(at=events[-1].at, id=command.id, digest=digest(command)))
    for event in events:
        state = evolve(state, event)
    return state, events


def _refused(state: MeterState, command: AnyCommand, no: No) -> MeterRefused:
    decides = None if isinstance(no, Refusal) else no.decides
    return MeterRefused(at=moment(state, command), command=command, reason=no.reason, clause=no.clause, decides=decides)
