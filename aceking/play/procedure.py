"""The book's order of acts: who does what, after what, on which conditions; a breach is refused or recorded."""

from dataclasses import dataclass
from functools import cache

from aceking.play import event as ev
from aceking.play.command import Act
from aceking.play.conditions import CONDITIONS
from aceking.play.deal import places
from aceking.play.evolve import DECK_ACTS, TABLE_ACTS
from aceking.play.state import Round, Table
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import ActName, Actor, Condition

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
            order = Order(clause.id, clause.topic, act.by, act.after, act.needs, act.breach == "refused")
            found.setdefault(act.do, []).append(order)
    return {act: tuple(many) for act, many in found.items()}


def default_role(book: Book, act: ActName) -> Actor:
    """Who does an act, where the command does not say."""
    allowed = [order.by for order in orders(book).get(act, ())]
    usual = _USUAL.get(act, "dealer")
    return usual if not allowed or usual in allowed else allowed[0]


_USUAL: dict[str, Actor] = {
    **dict.fromkeys(
        ("ante", "side-bet", "look", "decision", "bet", "fold", "exchange", "discard", "declare"), "player"
    ),
    **dict.fromkeys(("claim", "talk", "touch-cards", "stay-seated", "sit", "first-player-inspection"), "player"),
    **dict.fromkeys(("supervisor-validated", "documentation-complete", "card-swipe", "win-page"), "supervisor"),
    **dict.fromkeys(("recut-ordered", "manual-adjustment", "reconstruct"), "supervisor"),
    **dict.fromkeys(("table-opened", "table-configured", "deck-received", "deck-registered"), "house"),
    **dict.fromkeys(
        ("device-registered", "device-removed", "notice-given", "suspend-tables", "decide-dispute"), "house"
    ),
    **dict.fromkeys(("device-count", "device-jam", "reseed"), "device"),
    "floorperson-verified": "floorperson",
}


def check(book: Book, table: Table, act: Act, role: Actor, at: int) -> Refusal | tuple[str | None, list[ev.Event]]:
    """The clause by which an act is done with the breaches on the record, or the clause that refuses it."""
    governed = orders(book).get(act.do, ())
    if governed and role not in {order.by for order in governed}:
        return Refusal(f"{act.do} is for the {governed[0].by}, not for the {role}", governed[0].clause)
    breaches: list[ev.Event] = []
    for order in governed:
        # What a clause says of the device does not bind the dealer, and the other way round.
        problem = _problem(book, table, act, order) if order.by == role else None
        if problem is None:
            continue
        if order.refuses:
            return Refusal(problem, order.clause)
        breaches.append(ev.Violated(clause=order.clause, what=problem, by=act.by or role, at=at))
    return (min(governed, key=_standing).clause if governed else None), breaches


_TOPICS = (
    *("deal-", "decisions", "settle", "pay-order", "reveal", "table-opening", "shuffle", "cut", "wagers", "side-bets"),
)


def _standing(order: Order) -> int:
    """Which of several clauses an act is done by: the one that is about that part of a round."""
    return next((place for place, topic in enumerate(_TOPICS) if order.topic.startswith(topic)), len(_TOPICS))


def _problem(book: Book, table: Table, act: Act, order: Order) -> str | None:
    for needed in order.after:
        if not has_been_done(book, table, needed, act):
            return f"{act.do} comes after {needed}"
    for condition in order.needs:
        if problem := CONDITIONS[condition](book, table, act):
            return problem
    return None


def has_been_done(book: Book, table: Table, needed: ActName, act: Act) -> bool:
    """Whether an act has gone before, for the deck or the box that is meant."""
    if needed in DECK_ACTS:
        deck = table.decks.get(act.deck or table.deck or next(iter(table.decks), ""))
        if deck is None:
            return False
        # Only cards that lay spread face down must be turned up.
        return needed in deck.acts or (needed == "turn-up" and "idle-spread" not in deck.acts)
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
        case "look":
            return box is not None and box.seen
        case "fold" | "declare":
            # What is said of a folded or declared hand binds no other.
            return box is None or box.choice == needed or current.phase == "revealed"
        case "decision":
            return not any(one.owes_decision for one in current.dealt_in)
        case "card-dealt" | "packet-dealt":
            return current.placed >= len(places(book, [one.number for one in current.dealt_in]))
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
        case _:
            return None


def _moved(current: Round, box: int | None, outcomes: set[str]) -> bool:
    """Whether the chips of these outcomes have moved: of one box, or of all."""
    return all(
        number in current.moved
        for number, line in enumerate(current.lines)
        if line.outcome in outcomes
        and (box is None or line.seat == box)
        and (line.wager != "side" or "win" in outcomes)
    )


def count_is_due(book: Book, table: Table) -> bool:
    """Whether the stub must be counted in this round: the last of so many rounds without a count."""
    stub = book.stub
    if stub is None or stub.count_rounds is None:
        return False
    method = book.deal.method
    if stub.count == "device-count-each-shuffle" and method in (stub.device_count_excuses or ()):
        return False
    deck = table.decks.get(table.deck or "")
    uncounted = deck.rounds_uncounted if stub.count_clock == "per-deck" and deck is not None else table.rounds_uncounted
    return uncounted + 1 >= stub.count_rounds
