"""The pit: every table at a glance, what is due at each and until when, and what waits for a person of rank."""

from typing import Any

import msgspec

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
from aceking.table.show.view import QuestionView, question_view

_HOUR_MS = 3_600_000


class _View(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of what the pit sees."""


class PitQuestion(_View, frozen=True, kw_only=True):
    """An open question at a table, with the answers that would be taken, and whether the viewer may give one."""

    asked: QuestionView
    answers: tuple[str, ...] = ()
    mine: bool = False


class PitTable(_View, frozen=True, kw_only=True):
    """A table as the pit looks at it."""

    id: str
    posted: views.Posted
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
    void: bool = False  # the last round
    tray: str = "0"
    drop: str = "0"
    won: str = "0"  # by the house, since the table stands


class Pit(_View, frozen=True, kw_only=True):
    """The whole floor for those who run it."""

    at: int
    tables: tuple[PitTable, ...]
    waiting: tuple[views.WaitingView, ...] = ()
    meters: tuple[views.MeterView, ...] = ()
    currencies: dict[str, int] = {}  # of the house, with the decimals of each


def pit(floor: Floor, role: Role, person: str, *, at: int) -> Pit:
    """The floor as somebody of the pit sees it."""
    return Pit(
        at=at,
        tables=tuple(_table(floor, one, role, person) for one in floor.tables.values() if not one.gone),
        waiting=views.waiting(floor, role),
        meters=views.meters(floor),
        currencies=dict(floor.house.currencies),
    )


def _table(floor: Floor, one: FloorTable, role: Role, person: str) -> PitTable:
    table, current = one.table, one.table.round
    book = in_force(book_of(floor.house, one), table)
    deck = table.decks.get(table.deck or "")
    hours = _hours(book)
    tray = one.tray + table.accounts.get("tray", 0)
    return PitTable(
        id=table.id,
        posted=views.posted(floor, one),
        seats=one.seats,
        round=None if current is None else current.number,
        phase=None if current is None else current.phase,
        turn=views.rail(floor, table.id).common.turn,
        dealers=table.people.get("dealer", ()),
        open=table.open,
        closing=one.closing,
        suspended=table.suspended,
        questions=_questions(book, one, role),
        due=_due(floor, book, one, role, person),
        stub_in=rounds_to_count(book, table),
        deck_since=None if deck is None else deck.since,
        deck_until=None if deck is None or hours is None else deck.since + hours * _HOUR_MS,
        violations=table.violations,
        void=current is not None and current.phase == "void",
        tray=shown(tray, decimals=book.decimals),
        drop=shown(one.drop, decimals=book.decimals),
        won=shown(table.accounts.get("tray", 0), decimals=book.decimals),
    )


def _hours(book: Book) -> int | None:
    """How long a deck may stay on the table, where the book limits that."""
    by_hand = book.deal.method == "hand" and book.deck.change_hours_hand is not None
    return book.deck.change_hours_hand if by_hand else book.deck.change_hours


def _questions(book: Book, one: FloorTable, role: Role) -> tuple[PitQuestion, ...]:
    """The questions of a table; one is answered by who has the rank that it went to, or by one above."""
    answers: dict[int | None, Any] = {offer.question: offer.answers for offer in question_offers(book, one.table)}
    parts = AT_TABLE.get(role, ())
    return tuple(
        PitQuestion(
            asked=question_view(asked),
            answers=answers.get(asked.number, ()),
            mine="house" in parts or (asked.of == "supervisor" and "supervisor" in parts),
        )
        for asked in one.table.questions
    )


def _due(floor: Floor, book: Book, one: FloorTable, role: Role, person: str) -> DueView | None:
    """What is due of people at a table: at an electronic one the program does all but what takes a person.

    What a trigger has given comes first: it is done on its meter, whatever the table does meanwhile.
    """
    if (hit := due_by_trigger(floor, one, role, person)) is not None:
        return hit
    found = due_view(floor, book, one, role, person)
    of_program = one.posted.mode == "electronic" and found is not None and found.do not in _OF_PEOPLE
    return None if of_program else found


#: What the program of an electronic table leaves to people.
_OF_PEOPLE = ("supervisor-validated", "card-swipe", "documentation-complete")
