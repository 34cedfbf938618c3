"""The gate: checks who acts, in which role, at which table and box, and at what time.

Every act, report, ruling and choice passes here first. What neither the book nor the base procedure of all tables knows
is refused. A refusal has a clause of the book, or a base rule.
"""

from functools import cache

import msgspec
from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import said
from aceking.rules.words import ActName, Actor
from aceking.table.acts import ACTS, NAMES
from aceking.table.base_procedure import BASE, base
from aceking.table.cards.decks import deck_in_use
from aceking.table.commands import (
    Act,
    ChangeOption,
    Choose,
    GiveRuling,
    KeepInView,
    OfDeck,
    OfPlayer,
    Report,
    StaySeated,
    TableCommand,
)
from aceking.table.procedure.orders import clause_of, orders, parts_in
from aceking.table.state import Question, TableState

#: Acts with cards that a player may do only if the book has them.
_CHOICES = frozenset({"exchange", "discard", "buy-dealer-card"})


class Passed(msgspec.Struct, frozen=True, gc=False):
    """The time, person and role of a command that has passed the gate."""

    at: int
    by: str
    role: Actor


def gate(book: Book, table: TableState, command: TableCommand) -> Passed | Refusal:
    """Return who acts, in which role and when; or why not."""
    at = table.clock if command.at is None else command.at
    if at < table.clock:
        return base("clock", "the table's clock does not run backwards")
    match command:
        case Act():
            role = _role_of_act(book, table, command)
        case Report():
            role = command.role or "dealer"
        case GiveRuling():
            role = _role_of_rule(table, command)
        case Choose():
            role = _role_of_choice(table, command)
        case _:
            return base("known", "there is no such command")
    if isinstance(role, Refusal):
        return role
    if not table.people:
        return Passed(at, command.by or role, role)
    by = _person(book, table, command, role)
    return by if isinstance(by, Refusal) else Passed(at, by, role)


def _person(book: Book, table: TableState, command: TableCommand, role: Actor) -> str | Refusal:
    """Return the person in a role: if the house has assigned persons to it, one of those."""
    assigned, name = table.people.get(role), command.by
    if role == "player" and name and any(name in persons for persons in table.people.values()):
        return base("people", said("{who} is assigned to this table, and does not play at it", who=name))
    if not assigned:
        return name or role
    if not name:
        return assigned[0]
    if name in assigned:
        return name
    reason = said("{who} is not assigned to this table as {role}", who=name, role=role)
    clause = _assigning(book, table, command, role)
    return refusal(reason, clause) if clause else base("people", reason)


def _assigning(book: Book, table: TableState, command: TableCommand, role: Actor) -> str | None:
    """Return the clause that wants persons assigned for this act or role, else the one that governs the act."""
    if isinstance(command, Report | Choose):
        return None
    own = orders(book).get(command.do, ()) if isinstance(command, Act) else ()
    every = [order for many in (own, *orders(book).values()) for order in many if order.by == role]
    clause = next((one.clause for one in every if one.refuses and "assigned-to-table" in one.needs), None)
    return clause or (clause_of(book, table, command) if isinstance(command, Act) else book.cite("void.last_word"))


def _role_of_act(book: Book, table: TableState, act: Act) -> Actor | Refusal:
    """Return the role in which an act is done, or why it is refused at this table."""
    name = NAMES[type(act)]
    allowed = _parts(book, name)
    if not allowed:
        reason = said("neither the book nor the base procedure knows {act}", act=name)
        return refusal(reason, book.cite("decide.choices")) if name in _CHOICES else base("known", reason)
    entry = ACTS[name]
    if table.holding is not None and not entry.asked:
        return _waits(table.holding)
    if table.suspended is not None and not entry.suspended:
        where = book.cite_first("progressive.tables_meanwhile", "void.last_word")
        return Refusal("the games are suspended for a jackpot", where)
    role = act.role or allowed[0]
    if role not in allowed:
        reason = said(
            "{act} is for the {roles}, not for the {role}", act=name, roles=" or the ".join(allowed), role=role
        )
        option = book.options.get(act.option) if isinstance(act, ChangeOption) else None
        clause = option.clause if option is not None else clause_of(book, table, act)
        return refusal(reason, clause) if clause else base("people", reason)
    return role


@cache
def _parts(book: Book, name: ActName) -> tuple[Actor, ...]:
    """Return the roles that may do an act, by the book or else by the table of acts; the usual one first."""
    natural = ACTS[name].by
    governed = parts_in(book, name)
    if not governed:
        return natural if _is_base(book, name) else ()
    usual = next((one for one in natural if one in governed), governed[0])
    return (usual, *(one for one in governed if one != usual))


def _is_base(book: Book, name: ActName) -> bool:
    entry = BASE.get(name)
    return entry is not None and entry[0](book)


def _waits(question: Question) -> Refusal:
    return refusal(
        said("{of} must answer question {question} first", of=question.of, question=question.number), question.clause
    )


def _role_of_rule(table: TableState, command: GiveRuling) -> Actor | Refusal:
    """Return the role that answers a question: the rank it was put to, or the house."""
    question = next((one for one in table.questions if one.number == command.question), None)
    if question is None:
        return base("question", said("there is no open question {question}", question=command.question))
    wanted: Actor = "supervisor" if question.of == "supervisor" else "house"
    role = command.role or wanted
    if role not in (wanted, "house"):
        return refusal(said("this is for {of}, not for the {role}", of=question.of, role=role), question.clause)
    return role


def _role_of_choice(table: TableState, command: Choose) -> Actor | Refusal:
    """Return the role of a choice: the player of the box; staff may enter it for the player."""
    current = table.live_round
    box = current.boxes.get(command.box) if current is not None else None
    role: Actor = command.role or "player"
    if role == "player" and command.by and box is not None and command.by != box.player:
        return base("box", said("box {box} is {player}'s to choose for", box=command.box, player=box.player))
    return role if role in ("player", "dealer", "device") else base("people", "a choice is for the player of the box")


def completed(book: Book, table: TableState, act: Act, passed: Passed) -> Act | Refusal:
    """Return the act with what it left open (person, time, player, deck), or a refusal if the box is another's."""
    act = replace(act, by=passed.by, role=passed.role, at=passed.at)
    if not _leaves_open(type(act)):
        return act
    if isinstance(act, OfDeck) and act.deck is None:
        deck = deck_in_use(table, None)
        return act if deck is None else replace(act, deck=deck.name)
    if isinstance(act, OfPlayer) and passed.role == "player":
        return _of_player(book, table, act, passed)
    if isinstance(act, KeepInView | StaySeated) and passed.role == "player":
        return _of_own_conduct(table, act, passed)
    return act


@cache
def _leaves_open(act: type[Act]) -> bool:
    """Return True if an act may leave open more than the person and the time."""
    return issubclass(act, OfDeck | OfPlayer | KeepInView | StaySeated)


def _of_own_conduct(table: TableState, act: KeepInView | StaySeated, passed: Passed) -> Act | Refusal:
    """Refuse a note on another player's conduct: that is for the house."""
    current = table.live_round
    box = current.boxes.get(act.box) if current is not None and act.box is not None else None
    other = box is not None and box.taken and passed.by not in ("player", box.player)
    return base("people", said("{who} does not speak for box {box}", who=passed.by, box=act.box)) if other else act


def _of_player(book: Book, table: TableState, act: OfPlayer, passed: Passed) -> Act | Refusal:
    """Return the act with its player: the sender, or the player of the box. Refuse it if they differ."""
    current = table.live_round
    box = current.boxes.get(act.box) if current is not None else None
    named = act.player
    if named is None and passed.by != "player":
        named = passed.by
    if passed.by not in ("player", named):
        return base("people", said("{who} does not act for {player}", who=passed.by, player=named))
    if box is not None and box.player and box.taken:
        if named is not None and named != box.player:
            reason = said("box {box} is {player}'s", box=act.box, player=box.player)
            demanded = _demands_own_box(book, act)
            return refusal(reason, demanded) if demanded else base("box", reason)
        named = box.player
    return act if act.player == named else replace(act, player=named)


def _demands_own_box(book: Book, act: Act) -> str | None:
    own = [one for one in orders(book).get(act.do, ()) if one.refuses and {"own-box", "box-unclaimed"} & set(one.needs)]
    return next((one.clause for one in own if "own-box" in one.needs), own[0].clause if own else None)
