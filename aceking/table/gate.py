"""The one gate: who, in which part, assigned to this table, at whose box, and at what time. Closed world.

Every act, report, ruling and choice passes here before anything else looks at it. What neither the book nor the base
procedure of all tables knows is refused. A refusal has a clause of the book, or a base rule.
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
    Command,
    KeepInView,
    OfDeck,
    OfPlayer,
    Report,
    Rule,
    StaySeated,
)
from aceking.table.procedure.orders import clause_of, orders, parts_in
from aceking.table.state import Question, Table

#: What a player does with cards only where the book has it.
_CHOICES = frozenset({"exchange", "discard", "buy-dealer-card"})


class Passed(msgspec.Struct, frozen=True, gc=False):
    """A command that may come from this person at this time, with what it left open filled in."""

    at: int
    by: str
    role: Actor


def gate(book: Book, table: Table, command: Command) -> Passed | Refusal:
    """Who acts in which part and when; or why not."""
    at = table.clock if command.at is None else command.at
    if at < table.clock:
        return base("clock", "the table's clock does not run backwards")
    match command:
        case Act():
            role = _role_of_act(book, table, command)
        case Report():
            role = command.role or "dealer"
        case Rule():
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


def _person(book: Book, table: Table, command: Command, role: Actor) -> str | Refusal:
    """The person in a part: where the house has assigned persons, one of those."""
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


def _assigning(book: Book, table: Table, command: Command, role: Actor) -> str | None:
    """The clause that wants persons assigned: for this act, else for that part; else the one that governs the act."""
    if isinstance(command, Report | Choose):
        return None
    own = orders(book).get(command.do, ()) if isinstance(command, Act) else ()
    every = [one for many in (own, *orders(book).values()) for one in many if one.by == role]
    found = next((one.clause for one in every if one.refuses and "assigned-to-table" in one.needs), None)
    return found or (clause_of(book, table, command) if isinstance(command, Act) else book.cite("void.last_word"))


def _role_of_act(book: Book, table: Table, act: Act) -> Actor | Refusal:
    """The part in which an act is done: by the book, else by nature; and whether it has a place here at all."""
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
    """Who does an act by the book, else by nature: first who does it where the command does not say. None: nobody."""
    natural = ACTS[name].by
    governed = parts_in(book, name)
    if not governed:
        return natural if _is_base(book, name) else ()
    usual = next((one for one in natural if one in governed), governed[0])
    return (usual, *(one for one in governed if one != usual))


def _is_base(book: Book, name: ActName) -> bool:
    found = BASE.get(name)
    return found is not None and found[0](book)


def knows(book: Book, name: ActName) -> bool:
    """Whether an act has a place at a table of this book."""
    return name in orders(book) or _is_base(book, name)


def _waits(question: Question) -> Refusal:
    return refusal(
        said("{of} must answer question {question} first", of=question.of, question=question.number), question.clause
    )


def _role_of_rule(table: Table, command: Rule) -> Actor | Refusal:
    """A question is answered by the person of the rank that it went to, or by one above."""
    question = next((one for one in table.questions if one.number == command.question), None)
    if question is None:
        return base("question", said("there is no open question {question}", question=command.question))
    wanted: Actor = "supervisor" if question.of == "supervisor" else "house"
    role = command.role or wanted
    if role not in (wanted, "house"):
        return refusal(said("this is for {of}, not for the {role}", of=question.of, role=role), question.clause)
    return role


def _role_of_choice(table: Table, command: Choose) -> Actor | Refusal:
    """A choice is the player's whose box it is; staff may enter it for him."""
    current = table.live_round
    box = current.boxes.get(command.box) if current is not None else None
    role: Actor = command.role or "player"
    if role == "player" and command.by and box is not None and command.by != box.player:
        return base("box", said("box {box} is {player}'s to choose for", box=command.box, player=box.player))
    return role if role in ("player", "dealer", "device") else base("people", "a choice is for the player of the box")


def completed(book: Book, table: Table, act: Act, passed: Passed) -> Act | Refusal:
    """The act with what it left open: who, when, whose box, which deck; refused where the box is another's."""
    act = replace(act, by=passed.by, role=passed.role, at=passed.at)
    if not _leaves_open(type(act)):
        return act
    if isinstance(act, OfDeck) and act.deck is None:
        deck = deck_in_use(table, None)
        return act if deck is None else replace(act, deck=deck.name)
    if isinstance(act, OfPlayer) and passed.role == "player":
        return _of_player(book, table, act, passed)
    if isinstance(act, KeepInView | StaySeated) and passed.role == "player":
        return _of_himself(table, act, passed)
    return act


@cache
def _leaves_open(act: type[Act]) -> bool:
    """Whether an act may leave open more than who does it and when."""
    return issubclass(act, OfDeck | OfPlayer | KeepInView | StaySeated)


def _of_himself(table: Table, act: KeepInView | StaySeated, passed: Passed) -> Act | Refusal:
    """How another player behaves is for the house to note."""
    current = table.live_round
    box = current.boxes.get(act.box) if current is not None and act.box is not None else None
    other = box is not None and box.taken and passed.by not in ("player", box.player)
    return base("people", said("{who} does not speak for box {box}", who=passed.by, box=act.box)) if other else act


def _of_player(book: Book, table: Table, act: OfPlayer, passed: Passed) -> Act | Refusal:
    """A player acts for himself: where he is named by who gives the command, that is who he is."""
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
