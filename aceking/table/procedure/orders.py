"""The book's order of acts: who does what, after what, on which conditions; a breach is refused or recorded."""

from dataclasses import dataclass
from functools import cache
from operator import attrgetter

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import ActName, Actor, Condition
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.deal import dealt_out
from aceking.table.evolve import DECK_ACTS, TABLE_ACTS
from aceking.table.phases.blind import is_blind
from aceking.table.procedure.conditions import CONDITIONS, Predicate
from aceking.table.procedure.scopes import LAPS, SCOPES, Lap, Scope, due_lap
from aceking.table.reckon import owed
from aceking.table.state import Round, Table

_BY_METHOD = {
    "deal-manual-shoe": ("manual-shoe", "card-shoe"),
    "deal-hand": ("hand",),
    "deal-auto-shoe": ("automated-shoe", "electronic-shuffler", "automatic-shuffler"),
}


@dataclass(frozen=True, slots=True)
class Order:
    """What one clause says of an act."""

    clause: str
    topic: str
    by: Actor
    after: tuple[ActName, ...]
    needs: tuple[Condition, ...]
    refuses: bool
    scopes: tuple[Condition, ...]  # the case it speaks of
    laps: frozenset[Lap]  # the cards of the deal it speaks of; empty for all
    cases: tuple[Scope, ...]  # the other cases, ready to be tried
    tests: tuple[Predicate, ...]  # and its needs
    standing: tuple[int, bool, int]  # among the clauses that govern the act; the least is the one it is done by


@cache
def orders(book: Book) -> dict[str, tuple[Order, ...]]:
    """The clauses that govern each act, as far as they concern the way this table deals and shuffles."""
    dealing = {clause.topic for clause in book.clauses.values() if clause.topic in _BY_METHOD}
    found: dict[str, list[Order]] = {}
    for clause in book.clauses.values():
        # Where a book describes several ways of dealing, each way has its own clauses.
        if len(dealing) > 1 and clause.topic in _BY_METHOD and book.deal.method not in _BY_METHOD[clause.topic]:
            continue
        if clause.topic == "cut" and book.shuffle is not None and book.shuffle.method != "manual":
            continue
        for act in clause.acts:
            scopes = tuple(one for one in act.needs if one in SCOPES or one in LAPS)
            needs = tuple(one for one in act.needs if one not in scopes)
            order = Order(
                clause=clause.id,
                topic=clause.topic,
                by=act.by,
                after=act.after,
                needs=needs,
                refuses=act.breach == "refused",
                scopes=scopes,
                laps=frozenset(lap for one in scopes for lap in LAPS.get(one, ())),
                cases=tuple(SCOPES[one] for one in scopes if one in SCOPES),
                tests=tuple(CONDITIONS[one] for one in needs),
                standing=_standing(act.do, clause.topic, scopes),
            )
            found.setdefault(act.do, []).append(order)
    return {act: tuple(many) for act, many in found.items()}


_by_standing = attrgetter("standing")


@dataclass(frozen=True, slots=True)
class _Together:
    """What all clauses that bind a part in an act want together: where it holds, none has to be asked by itself."""

    always: tuple[Order, ...]
    sometimes: tuple[Order, ...]  # in some cases only
    deck: frozenset[ActName]  # what must have been done to the deck
    after: tuple[ActName, ...]  # and what else must have gone before
    tests: tuple[Predicate, ...]
    clause: str  # the act is done by, where no case is nearer


@cache
def _together(book: Book, act: ActName, role: Actor) -> _Together | None:
    """The orders of a book for a part in an act; None where they leave it to others."""
    governed = orders(book).get(act, ())
    own = [order for order in governed if order.by == role]
    if not own:
        return None
    always = tuple(order for order in own if not order.scopes)
    after = dict.fromkeys(needed for order in always for needed in order.after)
    deck = frozenset(needed for needed in after if needed in DECK_ACTS and needed != "turn-up")
    return _Together(
        always=always,
        sometimes=tuple(order for order in own if order.scopes),
        deck=deck,
        after=tuple(needed for needed in after if needed not in deck),
        tests=tuple(dict.fromkeys(test for order in always for test in order.tests)),
        clause=min(always or governed, key=_by_standing).clause,
    )


@cache
def default_role(book: Book, act: ActName) -> Actor:
    """Who does an act, where the command does not say."""
    allowed = [order.by for order in orders(book).get(act, ())]
    usual = _USUAL.get(act, "dealer")
    return usual if not allowed or usual in allowed else allowed[0]


_USUAL: dict[str, Actor] = {
    **dict.fromkeys(
        ("ante", "side-bet", "look", "decision", "bet", "fold", "exchange", "discard", "declare"), "player"
    ),
    **dict.fromkeys(("resume-tables", "approval-recorded"), "house"),
    **dict.fromkeys(("claim", "talk", "touch-cards", "stay-seated", "sit", "keep-in-view"), "player"),
    "first-player-inspection": "player",
    **dict.fromkeys(("supervisor-validated", "documentation-complete", "card-swipe", "win-page"), "supervisor"),
    **dict.fromkeys(("recut-ordered", "manual-adjustment", "reconstruct"), "supervisor"),
    **dict.fromkeys(("table-opened", "table-configured", "deck-received", "deck-registered"), "house"),
    **dict.fromkeys(
        ("device-registered", "device-removed", "notice-given", "suspend-tables", "decide-dispute", "option-changed"),
        "house",
    ),
    **dict.fromkeys(("device-count", "device-jam", "reseed", "time-out"), "device"),
    "floorperson-verified": "floorperson",
}


def check(book: Book, table: Table, act: Act, role: Actor, at: int) -> Refusal | tuple[str | None, list[ev.Event]]:
    """The clause by which an act is done with the breaches on the record, or the clause that refuses it."""
    governed = orders(book).get(act.do)
    if governed is None:
        return None, []
    together = _together(book, act.do, role)
    if together is None:
        about = min(governed, key=_by_standing)
        return Refusal(f"{act.do} is for the {about.by}, not for the {role}", about.clause)
    cased = _applying(book, table, act, together.sometimes) if together.sometimes else []
    if _all_well(book, table, act, together, cased):
        return (min(cased, key=_by_standing).clause if cased else together.clause), []
    breaches: list[ev.Event] = []
    binding = _binding(book, table, act, role)
    for order in binding:
        problem = _problem(book, table, act, order)
        if problem is None:
            continue
        if order.refuses:
            return Refusal(problem, order.clause)
        breaches.append(ev.Violated(clause=order.clause, what=problem, by=act.by or role, at=at))
    return min(binding or governed, key=_by_standing).clause, breaches


def _all_well(book: Book, table: Table, act: Act, together: _Together, cased: list[Order]) -> bool:
    """Whether nothing stands against an act: the usual case, and the quick one."""
    if together.deck:
        deck = table.decks.get(act.deck or table.deck or next(iter(table.decks), ""))
        if deck is None or not together.deck <= deck.acts:
            return False
    for needed in together.after:
        if not has_been_done(book, table, needed, act):
            return False
    for test in together.tests:
        if test(book, table, act):
            return False
    return not cased or all(_problem(book, table, act, order) is None for order in cased)


def _binding(book: Book, table: Table, act: Act, role: Actor) -> list[Order]:
    """What is said of the device does not bind the dealer, and what is said of one case binds in no other."""
    own = tuple(order for order in orders(book).get(act.do, ()) if order.by == role)
    return _applying(book, table, act, own)


def _applying(book: Book, table: Table, act: Act, among: tuple[Order, ...]) -> list[Order]:
    """The orders that speak of this case, or of every case."""
    lap: Lap | None = None
    found = []
    for order in among:
        if order.laps:
            lap = lap or due_lap(book, table)
            if lap not in order.laps:
                continue
        if not order.cases or all(case(book, table, act) for case in order.cases):
            found.append(order)
    return found


def problem_for(book: Book, table: Table, act: Act, role: Actor) -> Refusal | None:
    """What a clause has against a person of this part doing that, whoever else may do it."""
    for order in _binding(book, table, act, role):
        if problem := _problem(book, table, act, order):
            return Refusal(problem, order.clause)
    return None


def clause_for(book: Book, table: Table, act: Act, condition: Condition) -> str | None:
    """The clause that demands a condition of an act in this case, where there is one."""
    role = act.role or default_role(book, act.do)
    return next((one.clause for one in _binding(book, table, act, role) if condition in one.needs), None)


_TOPICS = (
    *("deal-", "decisions", "settle", "pay-order", "reveal", "table-opening", "shuffle", "cut", "wagers", "side-bets"),
)


#: The part of a round that an act belongs to, where other parts speak of it as well.
_PART = {
    **dict.fromkeys(("look", "decision", "bet", "fold", "exchange", "discard", "declare"), "decisions"),
    "reveal": "reveal",
    "turn-hand": "reveal",
    "no-more-bets": "deal-",
}


def _standing(act: ActName, topic: str, scopes: tuple[Condition, ...]) -> tuple[int, bool, int]:
    """Which of several clauses an act is done by: the one for that case, or that is about that part of a round."""
    place = next((place for place, part in enumerate(_TOPICS) if topic.startswith(part)), len(_TOPICS))
    return -len(scopes), not topic.startswith(_PART.get(act, "")), place


def _problem(book: Book, table: Table, act: Act, order: Order) -> str | None:
    for needed in order.after:
        if not has_been_done(book, table, needed, act):
            return f"{act.do} comes after {needed}"
    for test in order.tests:
        if problem := test(book, table, act):
            return problem
    return None


def has_been_done(book: Book, table: Table, needed: ActName, act: Act) -> bool:
    """Whether an act has gone before, for the deck or the box that is meant."""
    if needed in DECK_ACTS:
        deck = table.decks.get(act.deck or table.deck or next(iter(table.decks), ""))
        if deck is None:
            return False
        # Only cards that lay spread face down must be turned up.
        face_down = book.opening is not None and book.opening.idle_spread == "face-down"
        idle = "idle-spread" in deck.acts and face_down
        return needed in deck.acts or (needed == "turn-up" and not idle)
    if needed in TABLE_ACTS:
        return f"did {needed}" in table.facts
    current = table.round
    if current is None:
        return False
    by_state = _by_state(book, table, current, needed, act)
    return by_state if by_state is not None else needed in current.acts


def _by_state(book: Book, table: Table, current: Round, needed: ActName, act: Act) -> bool | None:
    """Acts whose doing shows in the cards and chips themselves; None for all others."""
    box = current.boxes.get(act.box) if act.box is not None else None
    match needed:
        case "ante":
            return box.ante > 0 if box is not None else act.box is None and bool(current.dealt_in)
        case "bets-opened" | "round-opened":
            return table.live_round is not None
        case "look":
            return box is not None and box.seen
        case "bet":
            return box is not None and (box.bet > 0 or box.choice == "bet")
        case "fold" | "declare":
            # What is said of a folded or declared hand binds no other.
            return box is None or box.choice == needed or current.phase == "revealed"
        case "decision":
            return not any(one.owes_decision and not is_blind(book, one) for one in current.dealt_in)
        case "chip-light-count":
            return not any(one.side and one.lit and not one.trayed for one in current.boxes.values())
        case "card-dealt" | "packet-dealt":
            return dealt_out(book, current)
        case "burn":
            return bool(current.burn)
        case "up-card":
            return current.up is not None
        case "stub-count":
            return current.counted or not count_is_due(book, table)
        case "collect-chips":
            return _moved(current, None if act.do == "pay" else act.box, {"lose"})
        case "pay":
            return _moved(current, act.box, {"lose", "win", "push", "returned", "void"})
        case "pay-award":
            return _moved(current, act.box, {"win"})
        case "supervisor-validated":
            return act.box in current.validated
        case "documentation-complete":
            return act.box in current.documented or not current.from_meter.get(act.box or 0)
        case "select-winner":
            return act.box in current.selected
        case "call-supervisor" | "card-swipe" | "win-page" | "fold-count":
            return needed in box.acts if box is not None else needed in current.acts
        case "bets-opened":
            return table.live_round is not None
        case _:
            return None


def _moved(current: Round, box: int | None, outcomes: set[str]) -> bool:
    """Whether the chips of these outcomes have moved: of one box, or of all."""
    return not any(
        line.outcome in outcomes and (box is None or line.seat == box) and (line.wager != "side" or "win" in outcomes)
        for _, line in owed(current)
    )


def count_is_due(book: Book, table: Table) -> bool:
    """Whether the stub must be counted in this round: the last of so many rounds without a count."""
    stub = book.stub
    if stub is None or stub.count_rounds is None:
        return False
    method = book.deal.method
    deck = table.decks.get(table.deck or "")
    counted = deck is not None and "device-count" in deck.acts
    if stub.count == "device-count-each-shuffle" and method in (stub.device_count_excuses or ()) and counted:
        return False
    uncounted = deck.rounds_uncounted if stub.count_clock == "per-deck" and deck is not None else table.rounds_uncounted
    return uncounted + 1 >= stub.count_rounds
