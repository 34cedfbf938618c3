"""The pit: every table with what is due and until when, and the requests that wait for a second person."""

from typing import Any

from aceking.house.floor import ledger
from aceking.house.floor.library import book_of
from aceking.house.floor.roles import AT_TABLE, Role
from aceking.house.floor.states import Floor, FloorTable
from aceking.house.views import table as views
from aceking.house.views.console import DueView, due_by_trigger, due_view
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.table.options import in_force
from aceking.table.procedure.stub_count import rounds_to_count
from aceking.table.show.offers import question_offers
from aceking.table.show.part import ShownPart
from aceking.table.show.view import QuestionView, question_view

_HOUR_MS = 3_600_000


class PitQuestion(ShownPart, frozen=True, kw_only=True):
    """An open question at a table, the possible answers, and whether the viewer may give one."""

    asked: QuestionView
    answers: tuple[str, ...] = ()
    mine: bool = False


class PitTable(ShownPart, frozen=True, kw_only=True):
    id: str
    posted: views.PostedLimits
    seats: dict[int, str] = {}
    round: int | None = None
    phase: str | None = None
    turn: str | None = None
    dealers: tuple[str, ...] = ()
    open: bool = False
    closing: bool = False
    suspended: str | None = None
    questions: tuple[PitQuestion, ...] = ()
    due: DueView | None = None
    stub_in: int | None = None  # rounds until the stub is counted; 0: this round
    deck_since: int | None = None
    deck_until: int | None = None  # when the cards must be changed
    violations: int = 0
    void: bool = False  # the last round has no result
    tray: str = "0"
    drop: str = "0"
    won: str = "0"  # by the house, since the table was set up


class Pit(ShownPart, frozen=True, kw_only=True):
    """The whole floor for the pit."""

    at: int
    tables: tuple[PitTable, ...]
    waiting: tuple[views.WaitingView, ...] = ()
    meters: tuple[views.MeterView, ...] = ()
    currencies: dict[str, int] = {}  # of the house: code to decimals


def pit(floor: Floor, role: Role, person: str, *, at: int) -> Pit:
    """Return the floor as a person of the pit sees it."""
    return Pit(
        at=at,
        tables=tuple(_table(floor, state, role, person) for state in floor.tables.values() if not state.gone),
        waiting=views.waiting(floor, role),
        meters=views.meters(floor),
        currencies=dict(floor.house.currencies),
    )


def _table(floor: Floor, state: FloorTable, role: Role, person: str) -> PitTable:
    table, current = state.table, state.table.round
    book = in_force(book_of(floor.house, state), table)
    deck = table.decks.get(table.deck or "")
    hours = _hours(book)
    tray = state.tray + table.accounts.get("tray", 0)
    return PitTable(
        id=table.id,
        posted=views.posted(floor, state),
        seats=state.seats,
        round=None if current is None else current.number,
        phase=None if current is None else current.phase,
        turn=views.rail(floor, table.id).common.turn,
        dealers=table.people.get("dealer", ()),
        open=table.open,
        closing=state.closing,
        suspended=table.suspended,
        questions=_questions(book, state, role),
        due=_due(floor, book, state, role, person),
        stub_in=rounds_to_count(book, table),
        deck_since=None if deck is None else deck.since,
        deck_until=None if deck is None or hours is None else deck.since + hours * _HOUR_MS,
        violations=table.violations,
        void=current is not None and current.phase == "void",
        tray=shown(tray, decimals=book.decimals),
        drop=shown(state.drop, decimals=book.decimals),
        won=shown(ledger.win(state), decimals=book.decimals),
    )


def _hours(book: Book) -> int | None:
    """Return the hours that a deck may stay on the table, or None without a limit."""
    by_hand = book.deal.method == "hand" and book.deck.change_hours_hand is not None
    return book.deck.change_hours_hand if by_hand else book.deck.change_hours


def _questions(book: Book, state: FloorTable, role: Role) -> tuple[PitQuestion, ...]:
    """Return the questions of a table. The role that a question went to, or one above it, may answer."""
    answers: dict[int | None, Any] = {offer.question: offer.answers for offer in question_offers(book, state.table)}
    roles = AT_TABLE.get(role, ())
    return tuple(
        PitQuestion(
            asked=question_view(asked),
            answers=answers.get(asked.number, ()),
            mine="house" in roles or (asked.of == "supervisor" and "supervisor" in roles),
        )
        for asked in state.table.questions
    )


def _due(floor: Floor, book: Book, state: FloorTable, role: Role, person: str) -> DueView | None:
    """Return the act that is due from a person at a table, or None.

    At an electronic table these are only the acts that the program leaves to people. The award of a trigger comes
    first: it is handled on its meter, whatever the table does.
    """
    if (hit := due_by_trigger(floor, state, role, person)) is not None:
        return hit
    due = due_view(floor, book, state, role, person)
    of_program = state.posted.mode == "electronic" and due is not None and due.do not in _OF_PEOPLE
    return None if of_program else due


#: Acts that the program of an electronic table leaves to people.
_OF_PEOPLE = ("supervisor-validated", "card-swipe", "documentation-complete")
