"""The book's order of acts: who does what, after what, in which case, on which conditions, and what a breach means."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter

from aceking.rules.book import Book
from aceking.rules.deal_positions import LAPS, Lap
from aceking.rules.refusal import Refusal
from aceking.rules.rulings import stands
from aceking.rules.words import ActName, Actor, Case, Condition
from aceking.table import event as ev
from aceking.table.commands import Act, OfDeck, RegisterDeck
from aceking.table.procedure.cases import CASES, Holds, due_lap
from aceking.table.procedure.conditions import CONDITIONS, KEPT_BY_HANDLERS, Predicate
from aceking.table.procedure.precedence import Before, all_done, before, has_been_done
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
                tests=tuple(CONDITIONS[one] for one in act.needs if one not in KEPT_BY_HANDLERS),
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
class _Group:
    """Orders that bind in the same cases, and what they want together: where that holds, none is asked by itself."""

    cases: tuple[Holds, ...]
    before: Before  # what must have gone before
    tests: tuple[Predicate, ...]
    nearest: Order  # of them the act is done by its clause


def _group(many: Sequence[Order]) -> _Group:
    return _Group(
        cases=many[0].cases,
        before=before(needed for order in many for needed in order.after),
        tests=tuple(dict.fromkeys(test for order in many for test in order.tests)),
        nearest=min(many, key=_by_standing),
    )


def _by_case(many: Iterable[Order]) -> tuple[_Group, ...]:
    """Orders of certain cases, those of the same together; the nearest first."""
    found: dict[tuple[Holds, ...], list[Order]] = {}
    for order in sorted(many, key=_by_standing):
        found.setdefault(order.cases, []).append(order)
    return tuple(_group(one) for one in found.values())


@dataclass(frozen=True, slots=True)
class _Together:
    """The clauses that bind a part in an act."""

    always: _Group | None
    by_lap: Mapping[Lap, tuple[_Group, ...]]  # of certain cards of the deal
    sometimes: tuple[_Group, ...]  # in some other cases only


@cache
def _together(book: Book, act: type[Act], role: Actor) -> _Together | None:
    """The orders of a book for a part in an act; None where they leave it to others."""
    governed = orders(book).get(str(act.__struct_config__.tag), ())
    own = [order for order in governed if order.by == role]
    if not own:
        return None
    always = [order for order in own if not order.case]
    laps = {lap for order in own for lap in order.laps}
    return _Together(
        always=_group(always) if always else None,
        by_lap={lap: _by_case(order for order in own if lap in order.laps) for lap in laps},
        sometimes=_by_case(order for order in own if order.case and not order.laps),
    )


def parts_in(book: Book, act: str) -> tuple[Actor, ...]:
    """Who does an act by this book; nobody where it does not mention it."""
    return tuple(dict.fromkeys(order.by for order in orders(book).get(act, ())))


def clause_of(book: Book, table: Table, act: Act) -> str | None:
    """The clause that an act is done by, whoever tries it; None where the book does not speak of this case."""
    # Who deals is said of all cards alike.
    governed = [order for order in orders(book).get(act.do, ()) if not order.laps]
    found = [order for order in governed if _is_case(book, table, act, order.cases)]
    return min(found, key=_by_standing).clause if found else None


def check(book: Book, table: Table, act: Act, role: Actor, at: int) -> Refusal | tuple[str | None, list[ev.Violated]]:
    """The clause by which an act is done with the breaches on the record, or the clause that refuses it."""
    together = _together(book, type(act), role)
    if together is None:
        return None, []
    groups = _bound(book, table, act, together)
    # Nothing stands against it: the usual case, and the quick one.
    if _has_before(book, table, act, groups) and _meets(book, table, act, groups):
        # Where a book speaks of an act in certain cases only, no other case is cited. A clause on the act itself is
        # nearer than one on decisions in general.
        if len(groups) == 1:
            return groups[0].nearest.clause, []
        return (min([one.nearest for one in groups], key=_by_standing).clause if groups else None), []
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


def is_clear(book: Book, table: Table, act: Act, role: Actor, at: int) -> bool:
    """Whether no clause has anything against an act: `check`, for those who do not ask why."""
    together = _together(book, type(act), role)
    if together is None:
        return True
    groups = _bound(book, table, act, together)
    if not _meets(book, table, act, groups):
        return False
    if _has_before(book, table, act, groups):
        return True
    checked = check(book, table, act, role, at)  # something may be excused
    return not isinstance(checked, Refusal) and not checked[1]


def _bound(book: Book, table: Table, act: Act, together: _Together) -> list[_Group]:
    """What binds in the case that this is."""
    found = [] if together.always is None else [together.always]
    if together.by_lap and (lap := due_lap(book, table)) is not None:
        found += [one for one in together.by_lap.get(lap, ()) if _is_case(book, table, act, one.cases)]
    for group in together.sometimes:
        if _is_case(book, table, act, group.cases):
            found.append(group)
    return found


def _is_case(book: Book, table: Table, act: Act, cases: tuple[Holds, ...]) -> bool:
    """Whether this is the case that is spoken of; which card of the deal it is, is asked elsewhere."""
    for case in cases:
        if not case(book, table, act):
            return False
    return True


def _has_before(book: Book, table: Table, act: Act, groups: list[_Group]) -> bool:
    """Whether all that must go before an act has gone; a no may be excused."""
    for group in groups:
        if not all_done(book, table, group.before, act):
            return False
    return True


def _meets(book: Book, table: Table, act: Act, groups: list[_Group]) -> bool:
    """Whether an act meets every demand on it."""
    for group in groups:
        for test in group.tests:
            if test(book, table, act):
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
        if _is_case(book, table, act, order.cases):
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
