"""One command in, events out: what the books and the house's rules make of it."""

from types import MappingProxyType

from aceking.meter.adjustments import adjust
from aceking.meter.awards.confirmation import call_supervisor, pay, print_win_page, sign, verify
from aceking.meter.awards.faults import choose_course, clear_fault, fault
from aceking.meter.awards.selection import select_hand, select_seat
from aceking.meter.commands import (
    Adjust,
    AnyCommand,
    CallSupervisor,
    ChooseCourse,
    ClearFault,
    Close,
    Configure,
    Contribute,
    Draw,
    EndGame,
    Enrol,
    Fault,
    Open,
    Pay,
    PrintWinPage,
    Resume,
    Retire,
    SelectHand,
    SelectSeat,
    ShownAll,
    Sign,
    StartGame,
    Suspend,
    Verify,
    VoidRound,
)
from aceking.meter.configuration import configure, enrol, operate, pause
from aceking.meter.contributions import contribute, end_game, shown_all, start_game, void_round
from aceking.meter.events import Answered, AnyEvent, Refused
from aceking.meter.evolve import evolve
from aceking.meter.gate import digest, moment, repeated, stopped
from aceking.meter.governing_rules import Books, No
from aceking.meter.must_hit_by import Seeds, draw
from aceking.meter.retirement import retire
from aceking.meter.state import LinkState
from aceking.rules.refusal import Refusal

#: A meter that hands win has no trigger, and no seed to it.
NO_SEEDS: Seeds = MappingProxyType({})


def decide(books: Books, state: LinkState, command: AnyCommand, seeds: Seeds = NO_SEEDS) -> tuple[AnyEvent, ...] | No:
    """What follows from a command, or the clause that does not allow it, or the book's silence.

    A command that was answered already, by its id, is followed by nothing. `seeds`: what lies apart, by commitment.
    """
    barred = before_all(state, command)
    return _decide(books, state, command, seeds) if barred is None else barred


def before_all(state: LinkState, command: AnyCommand) -> tuple[AnyEvent, ...] | Refusal | None:
    """The answer to a command that needs no book: nothing more where it was answered, or what stands against any."""
    before = repeated(state, command)
    if isinstance(before, Refusal):
        return before
    return () if before else stopped(state, command)


def _decide(books: Books, state: LinkState, command: AnyCommand, seeds: Seeds) -> tuple[AnyEvent, ...] | No:
    match command:
        case Contribute():
            return contribute(books, state, command)
        case StartGame():
            return start_game(books, state, command, seeds)
        case EndGame():
            return end_game(books, state, command)
        case SelectSeat() | SelectHand() | CallSupervisor() | Verify() | Sign() | PrintWinPage() | Pay():
            return _award_step(books, state, command)
        case VoidRound():
            return void_round(books, state, command)
        case ShownAll():
            return shown_all(books, state, command)
        case Adjust():
            return adjust(books, state, command)
        case Fault():
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
        case Draw():
            return draw(state, command, seeds)
        case Suspend() | Resume():
            return pause(books, state, command)


def _award_step(
    books: Books,
    state: LinkState,
    command: SelectSeat | SelectHand | CallSupervisor | Verify | Sign | PrintWinPage | Pay,
) -> tuple[AnyEvent, ...] | No:
    match command:
        case SelectSeat():
            return select_seat(books, state, command)
        case SelectHand():
            return select_hand(books, state, command)
        case CallSupervisor():
            return call_supervisor(books, state, command)
        case Verify():
            return verify(books, state, command)
        case Sign():
            return sign(books, state, command)
        case PrintWinPage():
            return print_win_page(books, state, command)
        case Pay():
            return pay(books, state, command)


def act(
    books: Books, state: LinkState, command: AnyCommand, seeds: Seeds = NO_SEEDS
) -> tuple[LinkState, tuple[AnyEvent, ...]]:
    """Carries a command out. What is refused moves nothing and is on the record all the same."""
    decided = decide(books, state, command, seeds)
    return recorded(state, command, decided)


def recorded(
    state: LinkState, command: AnyCommand, decided: tuple[AnyEvent, ...] | No
) -> tuple[LinkState, tuple[AnyEvent, ...]]:
    """The events of a decision, and the state after them; the id of the command is kept with its answer."""
    events = decided if isinstance(decided, tuple) else (_refused(state, command, decided),)
    if events and command.id is not None and repeated(state, command) is False:
        events = (*events, Answered(at=events[-1].at, id=command.id, digest=digest(command)))
    for event in events:
        state = evolve(state, event)
    return state, events


def _refused(state: LinkState, command: AnyCommand, no: No) -> Refused:
    decides = None if isinstance(no, Refusal) else no.decides
    return Refused(at=moment(state, command), command=command, reason=no.reason, clause=no.clause, decides=decides)
