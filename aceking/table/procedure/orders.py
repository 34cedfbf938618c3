"""The book's order of acts: who does what, after what, in which case, on which conditions, and what a breach means."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter

from aceking.rules.book import Book
from aceking.rules.deal_positions import DEAL_POSITIONS, DealPosition
from aceking.rules.decisions import CHOICES, DECISIONS
from aceking.rules.refusal import Refusal
from aceking.rules.rulings import applies
from aceking.rules.words import ActName, Actor, CaseWord, Condition
from aceking.table import event as ev
from aceking.table.commands import Act
from aceking.table.procedure.cases import CASES, Holds, due_lap
from aceking.table.procedure.conditions import CONDITIONS, KEPT_BY_HANDLERS, Predicate
from aceking.table.procedure.precedence import Before, all_done, before, has_been_done
from aceking.table.state import TableState


@dataclass(frozen=True, slots=True)
class Order:
    """What one clause says about an act."""

    clause: str
    topic: str
    by: Actor
    after: tuple[ActName, ...]
    needs: tuple[Condition, ...]
    refuses: bool
    case: tuple[CaseWord, ...]
    laps: frozenset[DealPosition]  # the cards of the deal that it is about; empty for all
    cases: tuple[Holds, ...]  # the other cases, as predicates
    tests: tuple[Predicate, ...]  # the needs, as predicates
    standing: tuple[int, bool, int]  # rank among the clauses that govern the act; the least is the one cited


#: The roles that may place chips for a player.
STAFF: tuple[Actor, ...] = ("dealer", "supervisor", "floorperson")
#: The wagers that staff may place, each with its case.
PLACED: dict[str, CaseWord] = {"ante": "for-placed-ante", "side-bet": "for-placed-side", "bet": "for-placed-bet"}
#: The rank behind every clause about the act itself.
_BORROWED = (1, True, 0)
#: The case of a decision that a box was asked for, unlike a bet placed before.
_ASKED: CaseWord = "for-asked-box"


def _is_asked(book: Book, table: TableState, act: Act) -> bool:
    """Return True if a bet is a decision; in a book with blind bets, one before the box is asked is not."""
    current = table.live_round
    early = current is not None and current.phase in ("betting", "closed", "dealing")
    box = current.boxes.get(act.box or 0) if current is not None else None
    blind = box is None or not box.seen
    return not (early and blind and book.bet.blind == "any" and act.do == "bet")


#: Acts that are kinds of another: clauses about that one hold for them.
FAMILY: dict[str, ActName] = dict.fromkeys(CHOICES, "decision")


@cache
def orders(book: Book) -> dict[str, tuple[Order, ...]]:
    """Return the clauses that govern each act, as far as they hold under the options of this house."""
    by_act: dict[str, list[Order]] = {}
    for clause in book.clauses.values():
        for act in clause.acts:
            if not applies(act.when, book.chosen):
                continue
            order = Order(
                clause=clause.id,
                topic=clause.topic,
                by=act.by,
                after=act.after,
                needs=act.needs,
                refuses=act.breach == "refused",
                case=act.case,
                laps=frozenset(lap for word in act.case for lap in DEAL_POSITIONS.get(word, ())),
                cases=tuple(CASES[word] for word in act.case if word in CASES),
                tests=tuple(CONDITIONS[word] for word in act.needs if word not in KEPT_BY_HANDLERS),
                standing=_standing(act.do, clause.topic, act.case),
            )
            by_act.setdefault(act.do, []).append(order)
    for name, family in FAMILY.items():
        when_asked = [
            replace(order, case=(*order.case, _ASKED), cases=(*order.cases, _is_asked))
            for order in by_act.get(family, ())
        ]
        by_act[name] = [*when_asked, *by_act.get(name, ())]
    # Clauses about a player's wager hold for staff who place the chips too; the book may say who of the staff does.
    own = by_act.get("place-for-player", [])
    staff = tuple(dict.fromkeys(order.by for order in own)) or STAFF
    placed = [
        replace(order, by=role, case=(*order.case, case), cases=(*order.cases, CASES[case]), standing=_BORROWED)
        for wager, case in PLACED.items()
        for order in by_act.get(wager, ())
        for role in staff
    ]
    by_act["place-for-player"] = [*own, *placed]
    return {act: tuple(many) for act, many in by_act.items()}


_by_standing = attrgetter("standing")


@dataclass(frozen=True, slots=True)
class _Group:
    """Orders that bind in the same cases, tested together: if all their tests hold, none is checked by itself."""

    cases: tuple[Holds, ...]
    before: Before  # the acts that must have been done before
    tests: tuple[Predicate, ...]
    nearest: Order  # the order whose clause is cited for the act


def _group(many: Sequence[Order]) -> _Group:
    return _Group(
        cases=many[0].cases,
        before=before(needed for order in many for needed in order.after),
        tests=tuple(dict.fromkeys(test for order in many for test in order.tests)),
        nearest=min(many, key=_by_standing),
    )


def _by_case(many: Iterable[Order]) -> tuple[_Group, ...]:
    """Group the orders of certain cases by those cases, the nearest first."""
    groups: dict[tuple[Holds, ...], list[Order]] = {}
    for order in sorted(many, key=_by_standing):
        groups.setdefault(order.cases, []).append(order)
    return tuple(_group(one) for one in groups.values())


@dataclass(frozen=True, slots=True)
class _Together:
    """The clauses that bind a role in an act."""

    always: _Group | None
    by_lap: Mapping[DealPosition, tuple[_Group, ...]]  # of certain cards of the deal
    sometimes: tuple[_Group, ...]  # in some other cases only


@cache
def _together(book: Book, act: type[Act], role: Actor) -> _Together | None:
    """Return the book's orders for a role in an act; None if it has none for that role."""
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
    """Return the roles that do an act by this book; none if it does not mention it."""
    return tuple(dict.fromkeys(order.by for order in orders(book).get(act, ())))


def clause_of(book: Book, table: TableState, act: Act) -> str | None:
    """Return the clause of an act, whatever the role; None if the book does not mention this case."""
    # Clauses on who deals are about all cards alike.
    governed = [order for order in orders(book).get(act.do, ()) if not order.laps]
    in_case = [order for order in governed if _is_case(book, table, act, order.cases)]
    return min(in_case, key=_by_standing).clause if in_case else None


def check(
    book: Book, table: TableState, act: Act, role: Actor, at: int
) -> Refusal | tuple[str | None, list[ev.Violated]]:
    """Return the clause of an act and the breaches to record, or the refusal."""
    together = _together(book, type(act), role)
    if together is None:
        return None, []
    groups = _bound(book, table, act, together)
    # The usual case is checked first, quickly: nothing is against the act.
    if _has_before(book, table, act, groups) and _meets(book, table, act, groups):
        # If a book has an act in certain cases only, no clause is cited in another case. A clause on the act itself
        # is nearer than one on decisions in general.
        if len(groups) == 1:
            return groups[0].nearest.clause, []
        return (min([one.nearest for one in groups], key=_by_standing).clause if groups else None), []
    binding = _binding(book, table, act, role)
    against = [(order, problem) for order in binding if (problem := _problem(book, table, act, order)) is not None]
    refusing = [(order.clause, problem) for order, problem in against if order.refuses]
    if refusing:
        clause, reason = refusing[0]
        return Refusal(reason, clause, tuple(dict.fromkeys(one for one, _ in refusing if one != clause)))
    # Several unmet demands of one clause are one breach of it.
    breached: dict[str, str] = {}
    for order, problem in against:
        breached.setdefault(order.clause, problem)
    breaches = [ev.Violated(clause=one, what=what, by=act.by or role, at=at) for one, what in breached.items()]
    return min(binding, key=_by_standing).clause if binding else None, breaches


def is_clear(book: Book, table: TableState, act: Act, role: Actor, at: int) -> bool:
    """Return True if no clause is against an act: a quick `check` without the reasons."""
    together = _together(book, type(act), role)
    if together is None:
        return True
    groups = _bound(book, table, act, together)
    if not _meets(book, table, act, groups):
        return False
    if _has_before(book, table, act, groups):
        return True
    checked = check(book, table, act, role, at)  # an act that was not done before may be excused
    return not isinstance(checked, Refusal) and not checked[1]


def _bound(book: Book, table: TableState, act: Act, together: _Together) -> list[_Group]:
    """Return the groups that bind in this case."""
    bound = [] if together.always is None else [together.always]
    if together.by_lap and (lap := due_lap(book, table)) is not None:
        bound += [one for one in together.by_lap.get(lap, ()) if _is_case(book, table, act, one.cases)]
    for group in together.sometimes:
        if _is_case(book, table, act, group.cases):
            bound.append(group)
    return bound


def _is_case(book: Book, table: TableState, act: Act, cases: tuple[Holds, ...]) -> bool:
    """Return True if this is the case; the card of the deal is checked elsewhere."""
    for case in cases:
        if not case(book, table, act):
            return False
    return True


def _has_before(book: Book, table: TableState, act: Act, groups: list[_Group]) -> bool:
    """Return True if all acts that must come before are done; a False may be excused."""
    for group in groups:
        if not all_done(book, table, group.before, act):
            return False
    return True


def _meets(book: Book, table: TableState, act: Act, groups: list[_Group]) -> bool:
    """Return True if an act meets every condition."""
    for group in groups:
        for test in group.tests:
            if test(book, table, act):
                return False
    return True


def _binding(book: Book, table: TableState, act: Act, role: Actor) -> list[Order]:
    """Return the orders that bind this role in this case."""
    lap: DealPosition | None = None
    binding = []
    for order in orders(book).get(act.do, ()):
        if order.by != role:
            continue
        if order.laps:
            lap = lap or due_lap(book, table)
            if lap not in order.laps:
                continue
        if _is_case(book, table, act, order.cases):
            binding.append(order)
    return binding


def clause_for(book: Book, table: TableState, act: Act, role: Actor, condition: Condition) -> str | None:
    """Return the clause that demands a condition of an act in this case; None if there is none."""
    return next((one.clause for one in _binding(book, table, act, role) if condition in one.needs), None)


def breach_of(
    book: Book, table: TableState, act: Act, condition: Condition, what: str, *, at: int, otherwise: str
) -> ev.Violated | Refusal:
    """Return the breach or refusal for a condition that a handler found unmet, by the clause that demands it."""
    assert act.role is not None
    order = next((one for one in _binding(book, table, act, act.role) if condition in one.needs), None)
    if order is not None and order.refuses:
        return Refusal(what, order.clause)
    clause = order.clause if order is not None else otherwise
    return ev.Violated(clause=clause, what=what, by=act.by or act.role, at=at)


@cache
def is_demanded(book: Book, act: str, condition: Condition) -> bool:
    """Return True if some clause demands a condition of an act."""
    return any(condition in one.needs for one in orders(book).get(act, ()))


_TOPICS = (
    *("deal-", "decisions", "settle", "pay-order", "reveal", "table-opening", "shuffle", "cut", "wagers", "side-bets"),
)


#: The part of a round that an act belongs to, if clauses of other parts mention it as well.
_PART = {
    **dict.fromkeys(("look", "decision", *DECISIONS, "discard"), "decisions"),
    "reveal": "reveal",
    "turn-hand": "reveal",
    "no-more-bets": "deal-",
    "shuffle": "shuffle",
    "cut": "cut",
    "side-bet": "side-bets",
}


def _standing(act: ActName, topic: str, case: tuple[CaseWord, ...]) -> tuple[int, bool, int]:
    """Return the rank of a clause for an act: clauses of that case first, then those about that part of a round."""
    place = next((place for place, part in enumerate(_TOPICS) if topic.startswith(part)), len(_TOPICS))
    return -len(case), not topic.startswith(_PART.get(act, "")), place


def _problem(book: Book, table: TableState, act: Act, order: Order) -> str | None:
    for needed in order.after:
        if not has_been_done(book, table, needed, act):
            return f"{act.do} comes after {needed}"
    for test in order.tests:
        if problem := test(book, table, act):
            return problem
    return None
