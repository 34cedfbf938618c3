"""The book's order of acts: who does what, after what, in which case, on which conditions, and what a breach means."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter

from aceking.rules.book import Book
from aceking.rules.laps import LAPS, Lap
from aceking.rules.refusal import Refusal
from aceking.rules.rulings import stands
from aceking.rules.words import ActName, Actor, Case, Condition
from aceking.table import event as ev
from aceking.table.commands import Act, OfDeck, RegisterDeck
from aceking.table.procedure.cases import CASES, Holds, due_lap
from aceking.table.procedure.conditions import CONDITIONS, Predicate
from aceking.table.procedure.done import Before, all_done, before, has_been_done
from aceking.table.state import Table


@dataclass(frozen=True, slots=True)
class Order:
    """What one clause says of an act."""

    clause: str
    topic: str
    by: Actor
    after: tuple[ActName, ...]
    needs: tuple[Condition, ...]
    refuses: bool
    case: tuple[Case, ...]
    laps: frozenset[Lap]  # the cards of the deal it speaks of; empty for all
    cases: tuple[Holds, ...]  # the other cases, ready to be tried
    tests: tuple[Predicate, ...]  # and its needs
    standing: tuple[int, bool, int]  # among the clauses that govern the act; the least is the one it is done by


#: Who may lay chips down for a player.
STAFF: tuple[Actor, ...] = ("dealer", "supervisor", "floorperson")
#: The wagers that staff may lay down, each with its case.
PLACED: dict[str, Case] = {"ante": "for-placed-ante", "side-bet": "for-placed-side", "bet": "for-placed-bet"}
#: Behind every clause that speaks of the act itself.
_BORROWED = (1, True, 0)
#: The case of a decision that a box was asked for, and not of a bet laid down before.
_ASKED: Case = "for-asked-box"


def _is_asked(book: Book, table: Table, act: Act) -> bool:
    """Whether a bet is a decision: where bets may be laid blind, one before the players are asked is none."""
    current = table.live_round
    early = current is not None and current.phase in ("betting", "closed", "dealing")
    box = current.boxes.get(act.box or 0) if current is not None else None
    blind = box is None or not box.seen
    return not (early and blind and book.bet.blind == "any" and act.do == "bet")


#: Acts that are ways of doing another: what is said of that one is said of them.
FAMILY: dict[str, ActName] = dict.fromkeys(("bet", "stay", "fold", "declare"), "decision")


@cache
def orders(book: Book) -> dict[str, tuple[Order, ...]]:
    """The clauses that govern each act, as far as they stand under the options of this house."""
    found: dict[str, list[Order]] = {}
    for clause in book.clauses.values():
        for act in clause.acts:
            if not stands(act.when, book.chosen):
                continue
            order = Order(
                clause=clause.id,
                topic=clause.topic,
                by=act.by,
                after=act.after,
                needs=act.needs,
                refuses=act.breach == "refused",
                case=act.case,
                laps=frozenset(lap for one in act.case for lap in LAPS.get(one, ())),
                cases=tuple(CASES[one] for one in act.case if one in CASES),
                tests=tuple(CONDITIONS[one] for one in act.needs),
                standing=_standing(act.do, clause.topic, act.case),
            )
            found.setdefault(act.do, []).append(order)
    for name, family in FAMILY.items():
        when_asked = [
            replace(order, case=(*order.case, _ASKED), cases=(*order.cases, _is_asked))
            for order in found.get(family, ())
        ]
        found[name] = [*when_asked, *found.get(name, ())]
    # What is said of a player's wager holds whoever lays the chips down; the book may say who of the staff does.
    own = found.get("place-for-player", [])
    staff = tuple(dict.fromkeys(order.by for order in own)) or STAFF
    placed = [
        replace(order, by=role, case=(*order.case, case), cases=(*order.cases, CASES[case]), standing=_BORROWED)
        for wager, case in PLACED.items()
        for order in found.get(wager, ())
        for role in staff
    ]
    found["place-for-player"] = [*own, *placed]
    return {act: tuple(many) for act, many in found.items()}


_by_standing = attrgetter("standing")


@dataclass(frozen=True, slots=True)
class _Together:
    """What all clauses that bind a part in an act want together: where it holds, none has to be asked by itself."""

    always: tuple[Order, ...]
    by_lap: Mapping[Lap, tuple[Order, ...]]  # of certain cards of the deal
    sometimes: tuple[Order, ...]  # in some other cases only; the nearest first
    has_cases: bool
    before: Before  # what must have gone before
    tests: tuple[Predicate, ...]
    first: Order | None  # the act is done by its clause, where no case is nearer; None: each speaks of a case


@cache
def _together(book: Book, act: type[Act], role: Actor) -> _Together | None:
    """The orders of a book for a part in an act; None where they leave it to others."""
    governed = orders(book).get(str(act.__struct_config__.tag), ())
    own = [order for order in governed if order.by == role]
    if not own:
        return None
    always = tuple(order for order in own if not order.case)
    cased = sorted((order for order in own if order.case), key=_by_standing)
    return _Together(
        always=always,
        by_lap={lap: tuple(one for one in cased if lap in one.laps) for one in cased for lap in one.laps},
        sometimes=tuple(order for order in cased if not order.laps),
        has_cases=bool(cased),
        before=before(needed for order in always for needed in order.after),
        tests=tuple(dict.fromkeys(test for order in always for test in order.tests)),
        first=min(always, key=_by_standing) if always else None,
    )


def parts_in(book: Book, act: str) -> tuple[Actor, ...]:
    """Who does an act by this book; nobody where it does not mention it."""
    return tuple(dict.fromkeys(order.by for order in orders(book).get(act, ())))


def clause_of(book: Book, table: Table, act: Act) -> str | None:
    """The clause that an act is done by, whoever tries it; None where the book does not speak of this case."""
    # Who deals is said of all cards alike.
    governed = [order for order in orders(book).get(act.do, ()) if not order.laps]
    found = [order for order in governed if _is_case(book, table, act, order)]
    return min(found, key=_by_standing).clause if found else None


def check(book: Book, table: Table, act: Act, role: Actor, at: int) -> Refusal | tuple[str | None, list[ev.Violated]]:
    """The clause by which an act is done with the breaches on the record, or the clause that refuses it."""
    together = _together(book, type(act), role)
    if together is None:
        return None, []
    cased = _cased(book, table, act, together) if together.has_cases else []
    if _all_well(book, table, act, together, cased):
        # Where a book speaks of an act in certain cases only, no other case is cited.
        first, nearest = together.first, cased[0] if cased else None
        # A clause on the act itself is nearer than one on decisions in general.
        if nearest is None or (first is not None and first.standing <= nearest.standing):
            nearest = first
        return (nearest.clause if nearest is not None else None), []
    binding = _binding(book, table, act, role)
    against = [(order, problem) for order in binding if (problem := _problem(book, table, act, order)) is not None]
    refusing = [(order.clause, problem) for order, problem in against if order.refuses]
    if refusing:
        clause, reason = refusing[0]
        return Refusal(reason, clause, tuple(dict.fromkeys(one for one, _ in refusing if one != clause)))
    # Several demands of one clause that are not met are one breach of it.
    breached: dict[str, str] = {}
    for order, problem in against:
        breached.setdefault(order.clause, problem)
    breaches = [ev.Violated(clause=one, what=what, by=act.by or role, at=at) for one, what in breached.items()]
    return min(binding, key=_by_standing).clause if binding else None, breaches


def _cased(book: Book, table: Table, act: Act, together: _Together) -> list[Order]:
    """The orders for the case that this is, the nearest first."""
    found = [order for order in together.sometimes if _is_case(book, table, act, order)]
    if not together.by_lap or (lap := due_lap(book, table)) is None:
        return found
    of_lap = [order for order in together.by_lap.get(lap, ()) if _is_case(book, table, act, order)]
    return sorted((*of_lap, *found), key=_by_standing) if found else of_lap


def _is_case(book: Book, table: Table, act: Act, order: Order) -> bool:
    """Whether an order speaks of this case; which card of the deal it is, is asked elsewhere."""
    for case in order.cases:
        if not case(book, table, act):
            return False
    return True


def _all_well(book: Book, table: Table, act: Act, together: _Together, cased: list[Order]) -> bool:
    """Whether nothing stands against an act: the usual case, and the quick one."""
    if not all_done(book, table, together.before, act):
        return False
    for test in together.tests:
        if test(book, table, act):
            return False
    for order in cased:
        if _problem(book, table, act, order) is not None:
            return False
    return True


def _binding(book: Book, table: Table, act: Act, role: Actor) -> list[Order]:
    """What is said of the device does not bind the dealer, and what is said of one case binds in no other."""
    lap: Lap | None = None
    found = []
    for order in orders(book).get(act.do, ()):
        if order.by != role:
            continue
        if order.laps:
            lap = lap or due_lap(book, table)
            if lap not in order.laps:
                continue
        if _is_case(book, table, act, order):
            found.append(order)
    return found


def clause_for(book: Book, table: Table, act: Act, role: Actor, condition: Condition) -> str | None:
    """The clause that demands a condition of an act in this case, where there is one."""
    return next((one.clause for one in _binding(book, table, act, role) if condition in one.needs), None)


def breach_of(
    book: Book, table: Table, act: Act, condition: Condition, what: str, *, at: int, otherwise: str
) -> ev.Violated | Refusal:
    """What follows where a handler finds that a condition does not hold: as the clause has it that demands it."""
    assert act.role is not None
    order = next((one for one in _binding(book, table, act, act.role) if condition in one.needs), None)
    if order is not None and order.refuses:
        return Refusal(what, order.clause)
    clause = order.clause if order is not None else otherwise
    return ev.Violated(clause=clause, what=what, by=act.by or act.role, at=at)


@cache
def is_demanded(book: Book, act: str, condition: Condition) -> bool:
    """Whether some clause demands a condition of an act."""
    return any(condition in one.needs for one in orders(book).get(act, ()))


_TOPICS = (
    *("deal-", "decisions", "settle", "pay-order", "reveal", "table-opening", "shuffle", "cut", "wagers", "side-bets"),
)


#: The part of a round that an act belongs to, where other parts speak of it as well.
_PART = {
    **dict.fromkeys(("look", "decision", "bet", "stay", "fold", "exchange", "discard", "declare"), "decisions"),
    "reveal": "reveal",
    "turn-hand": "reveal",
    "no-more-bets": "deal-",
    "shuffle": "shuffle",
    "cut": "cut",
    "side-bet": "side-bets",
}


def _standing(act: ActName, topic: str, case: tuple[Case, ...]) -> tuple[int, bool, int]:
    """Which of several clauses an act is done by: the one for that case, or that is about that part of a round."""
    place = next((place for place, part in enumerate(_TOPICS) if topic.startswith(part)), len(_TOPICS))
    return -len(case), not topic.startswith(_PART.get(act, "")), place


def _problem(book: Book, table: Table, act: Act, order: Order) -> str | None:
    for needed in order.after:
        if not has_been_done(book, table, needed, act):
            return f"{act.do} comes after {needed}"
    for test in order.tests:
        if problem := test(book, table, act):
            return problem
    return None


def is_of_deck(act: Act) -> bool:
    """Whether an act counts for a deck."""
    return isinstance(act, OfDeck | RegisterDeck)
