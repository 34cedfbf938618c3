"""Answers to open questions: a person of the right rank finds the facts, or a player chooses.

Where the book says what follows from the facts, the finding decides and the book's clause is cited. Where it leaves
the decision itself to the person, the decision stands with its reason. Every answer that is offered is taken, and
every answer that is taken closes its question.
"""

from collections.abc import Mapping

from aceking.rules.refusal import Refusal, refusal
from aceking.rules.rulings import ruling_for, rulings_on
from aceking.rules.sentence import said
from aceking.rules.words import Circumstance, Mishap, Remedy
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.deal_order import dealt_out, next_due
from aceking.table.commands import Choose, HandWas, LightWas, LookWas, Report, Rule
from aceking.table.mishaps.cards import deal_next
from aceking.table.mishaps.case import Case
from aceking.table.mishaps.circumstances import FINDINGS, OF_THE_CARDS, circumstances, is_misdealt
from aceking.table.mishaps.consequences import GOES_ON, follow, may_choose
from aceking.table.mishaps.evidence import CANNOT_TELL, refuted
from aceking.table.mishaps.rebuilding import to_draw
from aceking.table.mishaps.ruling import rule_on, with_fault
from aceking.table.mishaps.stakes import side_undone
from aceking.table.moment import Done, Now
from aceking.table.state import Question

_ASKS: frozenset[Remedy] = frozenset({"ask-supervisor", "ask-house", "choose-course", "hold-deal", "unregulated"})
#: Remedies that only a ruling of the book, or the engine itself, can give.
_NOT_GIVEN: frozenset[Remedy] = frozenset({*_ASKS, "as-miscount"})


def open_question(now: Now, number: int) -> Question | None:
    """The question of that number, while it is open."""
    return next((one for one in now.table.questions if one.number == number), None)


def answers(now: Now, question: Question) -> tuple[Remedy, ...]:
    """What the person asked may answer: what the book leaves, or what would have an effect."""
    if question.of == "players":
        return ()
    if question.record == CANNOT_TELL:
        return ("record-stands", "as-reported")
    if question.record:
        return ("record-stands", "correct-record") if now.table.mode == "live" else ("record-stands",)
    left = _left_by_the_book(now, question, frozenset())
    if left:
        return tuple(left)
    usual = [*_USUAL, *_ALSO.get(question.mishap, ())]
    if _cannot_go_on(now, question):
        usual = [one for one in usual if one not in GOES_ON]
    return tuple(one for one in usual if _has_effect(now, question, one))


def _cannot_go_on(now: Now, question: Question) -> bool:
    """Whether a hand has a wrong number of cards, so that nothing can be played on as it lies."""
    current = now.table.live_round
    return (
        current is not None
        and question.mishap in OF_THE_CARDS
        and (current.phase in ("deciding", "revealed") or next_due(now.book, current) is None)
        and is_misdealt(now.book, current)
    )


#: Answers that a person may give where the book is silent, the mildest first.
_USUAL: tuple[Remedy, ...] = (
    *("continue", "stands", "settle", "return-excess", "return-stake", "deemed-fold", "deemed-stay"),
    *("void-hand", "offer-choice-to-all", "complete-hand", "void-round", "reshuffle", "recut"),
)
#: And what fits one mishap alone.
_ALSO: Mapping[Mishap, tuple[Remedy, ...]] = {"raked-cards": ("rebuild",)}


_OF_STAKES: frozenset[Mishap] = frozenset({"uncovered", "over-maximum", "under-minimum", "bet-over", "bet-under"})
#: By these play goes on in a way that means something of these mishaps alone; of any other they would change nothing.
_ONLY_OF: Mapping[Remedy, frozenset[Mishap]] = {
    "lose-ante": frozenset({"wrong-declaration"}),
    "pay-at-last-value": frozenset({"jackpot-fault", "uncovered"}),
    **dict.fromkeys(("may-raise", "raise-or-withdraw", "settle-at-maximum", "settle-as-staked"), _OF_STAKES),
}


def _has_effect(now: Now, question: Question, then: Remedy) -> bool:
    case = Case(question.mishap, question.clause, question.boxes, question.cards, frozenset(question.given))
    return isinstance(follow(now, then, case), list)


def decide_question(now: Now, command: Rule) -> Done:
    """A person of the right rank answers an open question, with a reason."""
    question = open_question(now, command.question)
    assert question is not None, "the gate asks whose question it is"
    clause = question.clause
    if question.of == "players":
        return Refusal("the players concerned must choose", clause)
    if not command.reason.strip():
        return Refusal("a decision needs a reason", clause)
    if command.then in _NOT_GIVEN:
        return Refusal("that is the question, not an answer to it", clause)
    for number in command.boxes:
        if number > now.book.table.seats_max:
            return refusal(said("there is no box {box}", box=number), now.book.cite("table.seats_max"))
    if question.record:
        return _on_the_record(now, question, command)
    if command.then in ("record-stands", "correct-record", "as-reported"):
        return base("record", "record and claim do not differ here")
    return _decided(now, question, command)


def _decided(now: Now, question: Question, command: Rule) -> Done:
    found = _ruling(now, question, command)
    if isinstance(found, Refusal):
        return found
    clause, known = found
    if question.mishap not in _ONLY_OF.get(command.then, (question.mishap,)):
        return refusal(said("{remedy}: it would change nothing here", remedy=command.then.replace("-", " ")), clause)
    if command.then in GOES_ON and _cannot_go_on(now, question):
        return Refusal("a hand with a wrong number of cards cannot be played on", clause)
    if problem := _cards_wanting(now, question, command, known):
        return Refusal(problem, clause)
    current = now.table.live_round
    unread = current is not None and current.meter is None and question.what.startswith("meter:")
    if command.meter is not None and not unread:
        return base("input", "nobody asks here what the meter showed")
    if unread and (command.then in GOES_ON if command.meter is None else command.meter < 0):
        return Refusal("what did the meter show?", clause)
    answered = _answered(now, question, command, clause)
    after = now.after([answered])
    decided = "order-decided" in known and question.mishap == "simultaneous-cards" and current is not None
    drawn = _drawn_together(after, command.cards, clause) if decided else []
    case = Case(
        question.mishap,
        clause,
        command.boxes or question.boxes,
        () if decided else command.cards or question.cards,
        frozenset(known),
    )
    done = follow(after.after(drawn), command.then, case)
    if isinstance(done, str):
        if not drawn:
            return refusal(said("{remedy}: {done}", remedy=command.then.replace("-", " "), done=done), clause)
        done = []  # whose card it is, is decided; where everybody has left nobody is asked besides
    if isinstance(done, Refusal):
        return done
    read: list[ev.Event] = [] if command.meter is None else [ev.Trayed(meter=command.meter, clause=clause)]
    return [answered, *read, *drawn, *done]


def _answered(now: Now, question: Question, command: Rule, clause: str) -> ev.Answered:
    return ev.Answered(question=question.number, then=command.then, by=now.by, reason=command.reason, clause=clause)


def _on_the_record(now: Now, question: Question, command: Rule) -> Done:
    """Record and claim differ: the record stands, or at a live table it is corrected and then ruled on."""
    clause = question.clause
    answered = _answered(now, question, command, clause)
    if command.then == "record-stands":
        return [answered]
    if command.then == "as-reported" and question.record == CANNOT_TELL:
        told = frozenset((*question.given, *command.facts))
        after = now.after([answered])
        ruled = rule_on(after, question.mishap, boxes=question.boxes, cards=question.cards, told=told)
        ruled = with_fault(question.mishap, ruled)
        return ruled if isinstance(ruled, Refusal) else [answered, *ruled]
    if command.then != "correct-record":
        return Refusal("the record stands, or it is corrected; the book rules on what it says then", clause)
    if now.table.mode != "live":
        return base("record", "an electronic table deals from its own record: there is nothing to correct")
    if not command.corrects:
        return base("input", "what should the record say?")
    current = now.table.round
    if current is None or current.phase == "void":
        return base("record", "there is no round whose record could be corrected")
    corrected = _corrections(now.after([answered]), question, command, clause)
    if isinstance(corrected, Refusal):
        return corrected
    after = now.after([answered, *corrected])
    ruled = rule_on(after, question.mishap, boxes=question.boxes, cards=command.cards or question.cards)
    return ruled if isinstance(ruled, Refusal) else [answered, *corrected, *ruled]


def _corrections(now: Now, question: Question, command: Rule, clause: str) -> Done:
    """The record as it should be: it must be able to say that, and the claim must follow from it."""
    corrected: list[ev.Event] = []
    for one in command.corrects:
        if isinstance(one, HandWas) and question.mishap not in OF_THE_CARDS:
            return base(
                "record", said("{mishap} is not about the cards of a hand", mishap=question.mishap.replace("-", " "))
            )
        if (problem := _no_correction(now.after(corrected), one)) is not None:
            return base("record", problem)
        corrected.append(ev.Corrected(now=one, by=now.by, reason=command.reason, clause=clause))
    after = now.after(corrected)
    claim = Report(mishap=question.mishap, boxes=question.boxes, cards=question.cards)
    if (still := refuted(after.book, after.table, after.shoe, claim)) is not None:
        return base("record", said("the record would still say otherwise: {still}", still=still))
    for one in command.corrects:
        if isinstance(one, LightWas) and not one.lit:
            # A chip whose light was never on registered no wager.
            corrected += side_undone(now.after(corrected), one.box, clause)
    return corrected


def _no_correction(now: Now, one: HandWas | LookWas | LightWas) -> str | None:
    """Why the record cannot say that."""
    current = now.table.round
    assert current is not None
    match one:
        case HandWas():
            here = (*current.held(one.place), *current.aside)
            elsewhere = [card for card in one.cards if current.is_out(card) and card not in here]
            box = current.boxes.get(one.place.number) if one.place.kind == "box" else None
            changed = box is not None and (box.give is not None or box.discard is not None)
            if changed and current.in_rack(one.place):
                return "those cards are in the rack, and what was given away or laid aside with them"
            if len(set(one.cards)) < len(one.cards):
                return "a card comes twice"
            if box is not None and not set(box.took).issubset(one.cards):
                return "the card that was taken in the exchange is in the hand"
            if elsewhere:
                return "a card of these lies somewhere else on the record"
            known = one.place.kind != "box" or one.place.number in current.boxes
            return None if known else f"box {one.place.number} is not in the round"
        case LightWas() if now.book.progressive is None:
            return "no wager of this book has a light"
        case LookWas() | LightWas():
            return None if one.box in current.boxes else f"box {one.box} is not in the round"


def _known(now: Now, question: Question, found: frozenset[Circumstance]) -> set[Circumstance]:
    """What holds with these findings."""
    return circumstances(
        now.book,
        now.table,
        now.shoe,
        question.mishap,
        boxes=question.boxes,
        cards=question.cards,
        told=frozenset(question.given) | found,
    )


def _left_by_the_book(
    now: Now, question: Question, facts: frozenset[Circumstance]
) -> dict[Remedy, tuple[str, set[Circumstance]]]:
    """The answers that the book leaves, each with its clause and what then holds; none where it leaves it open."""
    rulings = [ruling for _, ruling in rulings_on(now.book, question.mishap)]
    own = {one for ruling in rulings for one in ruling.wants}
    if "rebuildable" in own:
        own.add("not-rebuildable")
    findings = [facts] if facts else [frozenset({one}) for one in sorted(own & FINDINGS)]
    allowed: dict[Remedy, tuple[str, set[Circumstance]]] = {}
    for finding in findings:
        known = _known(now, question, finding)
        ruling = ruling_for(now.book, question.mishap, known)
        if ruling is not None and ruling[1].then not in _ASKS:
            allowed.setdefault(ruling[1].then, (ruling[0], known))
    return allowed if own & FINDINGS else {}


def _ruling(now: Now, question: Question, command: Rule) -> tuple[str, set[Circumstance]] | Refusal:
    """The clause by which an answer stands, with what then holds; the book may leave no other answer."""
    facts = frozenset(one for one in command.facts if one in FINDINGS)
    allowed = _left_by_the_book(now, question, facts)
    if command.then in allowed:
        return allowed[command.then]
    if allowed:
        clause = question.clause if len(allowed) > 1 else next(iter(allowed.values()))[0]
        return refusal(
            said("the book leaves {remedies}, not {remedy}", remedies=" or ".join(allowed), remedy=command.then), clause
        )
    return question.clause, _known(now, question, facts)


def _cards_wanting(now: Now, question: Question, command: Rule, known: set[Circumstance]) -> str | None:
    """The cards that an answer must name, where the table does not know them."""
    current = now.table.live_round
    if current is None:
        return None
    ahead = now.shoe.ahead(current)
    if "order-decided" in known and question.mishap == "simultaneous-cards":
        if len(command.cards) < 2:
            return "which card comes first?"
        if ahead and set(ahead[: len(command.cards)]) != set(command.cards):
            return "those are not the next cards of the deck"
        if len(set(command.cards)) < len(command.cards) or any(current.is_out(card) for card in command.cards):
            return "a card of these is dealt already"
    wanted = to_draw(now.book, current, question.mishap) if "rebuildable" in known else 0
    return "which card was drawn?" if not ahead and len(command.cards) < wanted else None


def _drawn_together(now: Now, cards: tuple[int, ...], clause: str) -> list[ev.Event]:
    """Cards that came out together are dealt in the order that was decided; one for which no place is left stays."""
    events: list[ev.Event] = []
    for card in cards:
        events += deal_next(now.after(events), card, clause)
    return events


def choose(now: Now, command: Choose) -> Done:
    """A player goes on with the hand, or takes the bet back."""
    current = now.table.live_round
    if current is None:
        return base("question", "there is no such choice to make")
    box = current.boxes.get(command.box)
    question = open_question(now, command.question)
    asked = question is not None and command.box in question.boxes
    chosen: Circumstance = "player-goes-on" if command.go_on else "player-withdraws"
    if command.box in current.went_on and not command.go_on and not asked:
        found = ruling_for(now.book, "dealing-error", {chosen, "player-went-on"})
        reason = "who has chosen to go on takes what comes"
        return refusal(reason, found[0]) if found is not None else base("question", reason)
    if question is None or question.of != "players" or box is None:
        return base("question", "there is no such choice to make")
    if not asked:
        reason = "that box is not asked, or has chosen"
        return refusal(reason, question.clause)
    clause, problem = _choice(now, question, command, chosen)
    if problem is not None:
        return Refusal(problem, clause)
    closes = question.boxes == (command.box,)
    then: Remedy = "continue" if command.go_on else "void-hand"
    answered = ev.Answered(
        question=question.number, then=then, by=now.by, box=command.box, closes=closes, clause=clause
    )
    if command.go_on:
        return [answered]
    case = Case(question.mishap, clause, (command.box,))
    out = follow(now.after([answered]), "void-hand", case)
    assert isinstance(out, list), "a box that is asked is in the round"
    return [answered, *out]


def _choice(now: Now, question: Question, command: Choose, chosen: Circumstance) -> tuple[str, str | None]:
    """The clause of a player's choice, and what is against it."""
    current = now.table.live_round
    assert current is not None
    known: set[Circumstance] = {*question.given, chosen}
    found = ruling_for(now.book, "dealing-error", known if "rebuildable" in known else known | {"not-rebuildable"})
    clause = found[0] if found is not None else question.clause
    box = current.boxes[command.box]
    if not may_choose(box):
        return clause, f"box {box.number} has decided"
    wanting = dealt_out(now.book, current) and len(box.cards) != now.book.hands.cards
    if command.go_on and wanting:
        return clause, "there is no whole hand to go on with"
    return clause, None
