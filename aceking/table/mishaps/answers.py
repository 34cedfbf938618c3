"""Answers to open questions: a person of the right rank finds the facts, or a player chooses.

Where the book says what follows from the facts, the finding decides and the book's clause is cited. Where it leaves
the decision itself to the person, the decision stands with its reason.
"""

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.words import Actor, Circumstance
from aceking.rules.words import Outcome as Then
from aceking.table import event as ev
from aceking.table.command import Act, Choose, Rule
from aceking.table.deal import dealt_out, due_places
from aceking.table.evolve import evolve
from aceking.table.mishaps.consequences import apply, deal_next, void_round
from aceking.table.mishaps.rebuilding import to_draw
from aceking.table.mishaps.report import circumstances, ruling_for
from aceking.table.phases.dealing import is_out
from aceking.table.phases.opening import Outcome
from aceking.table.procedure.orders import problem_for
from aceking.table.state import Question, Table

#: What a person finds, and the table cannot know.
_FINDINGS: frozenset[Circumstance] = frozenset(
    {
        *("rebuildable", "not-rebuildable", "intentional", "unintentional", "order-decided"),
        *("course-close-table", "course-block-box", "course-play-without-jackpot"),
    }
)
_ASKS = frozenset({"ask-supervisor", "ask-house", "choose-course", "hold-deal", "unregulated"})


def decide_question(book: Book, table: Table, command: Rule) -> Outcome:
    """A person of the right rank answers an open question, with a reason."""
    question = _open(table, command.question)
    if question is None:
        return Refusal(f"there is no open question {command.question}", "")
    clause = question.clause or book.cite("void.last_word")
    if question.of == "players":
        return Refusal("the players concerned must choose", clause)
    wanted: Actor = "supervisor" if question.of == "supervisor" else "house"
    role = command.role or wanted
    if role not in (wanted, "house"):
        return Refusal(f"this is for {question.of}, not for the {role}", clause)
    if not command.reason.strip():
        return Refusal("a decision needs a reason", clause)
    if command.then == "unregulated":
        return Refusal("that is the question, not an answer to it", clause)
    if command.then == "deemed-fold" and "fold" not in book.decide.choices:
        return Refusal("no hand is folded in this game", book.cite("decide.choices"))
    act = Act(do="decide-dispute", by=command.by, role=role)
    if unfit := problem_for(book, table, act, role):
        return unfit
    found = _ruling(book, table, question, command)
    if isinstance(found, Refusal):
        return found
    clause, known = found
    if problem := _cards_wanting(book, table, question, command, known):
        return Refusal(problem, clause)
    answered = ev.Answered(
        question=question.number, then=command.then, by=command.by or role, reason=command.reason, clause=clause
    )
    decided = "order-decided" in known and table.live_round is not None
    drawn = _drawn_together(book, table, command.cards, clause) if decided else []
    for event in drawn:
        table = evolve(table, event)
    follow = apply(
        book,
        table,
        command.then,
        clause=clause,
        incident=question.incident,
        boxes=question.boxes,
        cards=command.cards,
        given=tuple(sorted(known)),
    )
    return [answered, *drawn, *follow]


def _ruling(book: Book, table: Table, question: Question, command: Rule) -> tuple[str, set[Circumstance]] | Refusal:
    """The clause by which an answer stands, with what then holds; the book may leave no other answer."""
    stated = (*(one for one in question.given if one != "rebuildable-from-stub"), *command.facts)
    rulings = [one for clause in book.clauses.values() for one in clause.rulings if one.on == question.incident]
    own = {one for ruling in rulings for one in ruling.given}
    if "rebuildable" in own:
        own.add("not-rebuildable")
    findings = [set(command.facts)] if command.facts else [{one} for one in sorted(own & _FINDINGS)]
    allowed: dict[Then, tuple[str, set[Circumstance]]] = {}
    for finding in findings:
        facts = (*stated, *finding)
        known = circumstances(book, table, question.incident, question.boxes, facts, ())
        ruling = ruling_for(book, question.incident, known)
        if ruling is not None and ruling[1].then not in _ASKS:
            allowed.setdefault(ruling[1].then, (ruling[0], known))
    if command.then in allowed:
        return allowed[command.then]
    if allowed and own & _FINDINGS:
        said = question.clause if len(allowed) > 1 and question.clause else next(iter(allowed.values()))[0]
        return Refusal(f"the book leaves {' or '.join(allowed)}, not {command.then}", said)
    known = circumstances(book, table, question.incident, question.boxes, stated, ())
    return question.clause or book.cite("void.last_word"), known


def _cards_wanting(book: Book, table: Table, question: Question, command: Rule, known: set[Circumstance]) -> str | None:
    """The cards that an answer must name, where the table does not know them."""
    current = table.live_round
    if current is None:
        return None
    if "order-decided" in known:
        ahead = current.order[: len(command.cards)]
        if len(command.cards) < 2:
            return "which card comes first?"
        if current.order and set(ahead) != set(command.cards):
            return "those are not the next cards of the deck"
        if len(set(command.cards)) < len(command.cards) or any(is_out(current, card) for card in command.cards):
            return "a card of these is dealt already"
        if current.placed + len(command.cards) > len(due_places(book, current)):
            return "more cards were drawn than places are left"
    if "rebuildable" in known and not current.order and len(command.cards) < to_draw(book, current, question.incident):
        return "which card was drawn?"
    return None


def _drawn_together(book: Book, table: Table, cards: tuple[int, ...], clause: str) -> list[ev.Event]:
    """Cards that came out together are dealt in the order that was decided."""
    events: list[ev.Event] = []
    for card in cards:
        current = table.live_round
        assert current is not None
        for event in deal_next(book, current, card, clause):
            events.append(event)
            table = evolve(table, event)
    return events


def choose(book: Book, table: Table, command: Choose) -> Outcome:
    """A player goes on with the hand, or takes the bet back."""
    current = table.live_round
    if current is None:
        return Refusal("there is no such choice to make", "")
    if command.box in current.went_on and not command.go_on and not _asks(table, command):
        known = {*_chosen(command), "player-went-on"}
        found = ruling_for(book, "dealing-error", known)
        return Refusal("who has chosen to go on takes what comes", found[0] if found is not None else "")
    question = _open(table, command.question)
    if question is None or question.of != "players":
        return Refusal("there is no such choice to make", "")
    if command.box not in question.boxes:
        return Refusal("that box is not asked, or has chosen", question.clause or "")
    facts = (*(one for one in question.given if one != "rebuildable-from-stub"), *_chosen(command))
    known = circumstances(book, table, "dealing-error", (command.box,), facts, ())
    known.discard("rebuildable-from-stub")
    known.add("rebuildable" if "rebuildable" in question.given else "not-rebuildable")
    found = ruling_for(book, "dealing-error", known)
    clause = found[0] if found is not None else book.cite("void.last_word")
    if command.go_on and _hand_wanting(book, table, command.box):
        return Refusal("there is no whole hand to go on with", clause)
    closes = question.boxes == (command.box,)
    then: Then = "continue" if command.go_on else "void-hand"
    answered = ev.Answered(
        question=question.number, then=then, by=command.by or "player", box=command.box, closes=closes, clause=clause
    )
    if command.go_on:
        return [answered]
    boxes = (command.box,)
    out = apply(book, table, "void-hand", clause=clause, incident=question.incident, boxes=boxes, cards=(), given=())
    if any(box.number != command.box for box in current.live):
        return [answered, *out]
    # Nobody is left to play against: the round ends without a result.
    for event in out:
        table = evolve(table, event)
    return [answered, *out, *void_round(book, table, clause)]


def _asks(table: Table, command: Choose) -> bool:
    question = _open(table, command.question)
    return question is not None and command.box in question.boxes


def _chosen(command: Choose) -> tuple[Circumstance, ...]:
    return ("player-goes-on",) if command.go_on else ("player-withdraws",)


def _hand_wanting(book: Book, table: Table, number: int) -> bool:
    """Whether a hand lacks cards that will not come any more."""
    current = table.live_round
    assert current is not None
    return dealt_out(book, current) and len(current.boxes[number].cards) != book.hands.cards


def _open(table: Table, number: int) -> Question | None:
    return next((one for one in table.questions if one.number == number), None)
