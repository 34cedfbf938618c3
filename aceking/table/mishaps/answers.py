"""Answers to open questions: a person of the right rank finds the facts, or a player chooses.

If the book says what follows from the facts, the finding decides, and the book's clause is cited. If the book leaves
the decision to the person, the decision stands with its reason. Every answer that is offered is accepted, and every
accepted answer closes its question.
"""

from collections.abc import Mapping

from aceking.rules.refusal import Refusal, refusal
from aceking.rules.rulings import ruling_for, rulings_on
from aceking.rules.sentence import said
from aceking.rules.words import Circumstance, Mishap, Remedy
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.deal_order import dealt_out, next_due
from aceking.table.commands import Choose, GiveRuling, HandWas, LightWas, LookWas, Report
from aceking.table.mishaps.cards import deal_next
from aceking.table.mishaps.case import MishapCase
from aceking.table.mishaps.circumstances import FINDINGS, OF_THE_CARDS, circumstances, is_misdealt
from aceking.table.mishaps.consequences import GOES_ON, apply_remedy, may_choose
from aceking.table.mishaps.evidence import CANNOT_TELL, refuted
from aceking.table.mishaps.rebuilding import to_draw
from aceking.table.mishaps.ruling import rule_on, with_fault
from aceking.table.mishaps.stakes import side_undone
from aceking.table.moment import Done, Moment
from aceking.table.state import Question

_ASKS: frozenset[Remedy] = frozenset({"ask-supervisor", "ask-house", "choose-course", "hold-deal", "unregulated"})
#: Remedies that only a ruling of the book or the engine itself can give.
_NOT_GIVEN: frozenset[Remedy] = frozenset({*_ASKS, "as-miscount"})


def open_question(now: Moment, number: int) -> Question | None:
    """Return the open question of that number; None if there is none."""
    return next((one for one in now.table.questions if one.number == number), None)


def answers(now: Moment, question: Question) -> tuple[Remedy, ...]:
    """Return the answers open to the person asked: those the book leaves, or those that would have an effect."""
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


def _cannot_go_on(now: Moment, question: Question) -> bool:
    """Return True if a hand has a wrong number of cards, so that play cannot go on with the cards as they lie."""
    current = now.table.live_round
    return (
        current is not None
        and question.mishap in OF_THE_CARDS
        and (current.phase in ("deciding", "revealed") or next_due(now.book, current) is None)
        and is_misdealt(now.book, current)
    )


#: Answers that a person may give if the book is silent, the mildest first.
_USUAL: tuple[Remedy, ...] = (
    *("continue", "stands", "settle", "return-excess", "return-stake", "deemed-fold", "deemed-stay"),
    *("void-hand", "offer-choice-to-all", "complete-hand", "void-round", "reshuffle", "recut"),
)
#: Further answers to one mishap.
_ALSO: Mapping[Mishap, tuple[Remedy, ...]] = {"raked-cards": ("rebuild",)}


_OF_STAKES: frozenset[Mishap] = frozenset({"uncovered", "over-maximum", "under-minimum", "bet-over", "bet-under"})
#: Remedies that have a meaning for these mishaps alone; for any other they would change nothing.
_ONLY_OF: Mapping[Remedy, frozenset[Mishap]] = {
    "lose-ante": frozenset({"wrong-declaration"}),
    "pay-at-last-value": frozenset({"jackpot-fault", "uncovered"}),
    **dict.fromkeys(("may-raise", "raise-or-withdraw", "settle-at-maximum", "settle-as-staked"), _OF_STAKES),
}


def _has_effect(now: Moment, question: Question, then: Remedy) -> bool:
    case = MishapCase(question.mishap, question.clause, question.boxes, question.cards, frozenset(question.given))
    return isinstance(apply_remedy(now, then, case), list)


def decide_question(now: Moment, command: GiveRuling) -> Done:
    """Answer an open question by a person of the right rank, with a reason."""
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


def _decided(now: Moment, question: Question, command: GiveRuling) -> Done:
    ruling = _ruling(now, question, command)
    if isinstance(ruling, Refusal):
        return ruling
    clause, known = ruling
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
        return Refusal("give the value that the meter showed", clause)
    answered = _answered(now, question, command, clause)
    after = now.after([answered])
    decided = "order-decided" in known and question.mishap == "simultaneous-cards" and current is not None
    drawn = _drawn_together(after, command.cards, clause) if decided else []
    case = MishapCase(
        question.mishap,
        clause,
        command.boxes or question.boxes,
        () if decided else command.cards or question.cards,
        frozenset(known),
    )
    done = apply_remedy(after.after(drawn), command.then, case)
    if isinstance(done, str):
        if not drawn:
            return refusal(said("{remedy}: {done}", remedy=command.then.replace("-", " "), done=done), clause)
        done = []  # the owner of the card is decided; if everybody has left, nobody is asked besides
    if isinstance(done, Refusal):
        return done
    read: list[ev.TableEvent] = [] if command.meter is None else [ev.Trayed(meter=command.meter, clause=clause)]
    return [answered, *read, *drawn, *done]


def _answered(now: Moment, question: Question, command: GiveRuling, clause: str) -> ev.Answered:
    return ev.Answered(question=question.number, then=command.then, by=now.by, reason=command.reason, clause=clause)


def _on_the_record(now: Moment, question: Question, command: GiveRuling) -> Done:
    """Answer a claim against the record: the record stands, or at a live table it is corrected and then ruled on."""
    clause = question.clause
    answered = _answered(now, question, command, clause)
    if command.then == "record-stands":
        return [answered]
    if command.then == "as-reported" and question.record == CANNOT_TELL:
        reported = frozenset((*question.given, *command.facts))
        after = now.after([answered])
        ruled = rule_on(after, question.mishap, boxes=question.boxes, cards=question.cards, reported=reported)
        ruled = with_fault(question.mishap, ruled)
        return ruled if isinstance(ruled, Refusal) else [answered, *ruled]
    if command.then != "correct-record":
        return Refusal("the record stands, or it is corrected; the book rules on what it says then", clause)
    if now.table.mode != "live":
        return base("record", "an electronic table deals from its own record: there is nothing to correct")
    if not command.corrects:
        return base("input", "say what the record should say")
    current = now.table.round
    if current is None or current.phase == "void":
        return base("record", "there is no round whose record could be corrected")
    corrected = _corrections(now.after([answered]), question, command, clause)
    if isinstance(corrected, Refusal):
        return corrected
    after = now.after([answered, *corrected])
    ruled = rule_on(after, question.mishap, boxes=question.boxes, cards=command.cards or question.cards)
    return ruled if isinstance(ruled, Refusal) else [answered, *corrected, *ruled]


def _corrections(now: Moment, question: Question, command: GiveRuling, clause: str) -> Done:
    """Correct the record, if it can say that and the claim then follows from it."""
    corrected: list[ev.TableEvent] = []
    for correction in command.corrects:
        if isinstance(correction, HandWas) and question.mishap not in OF_THE_CARDS:
            return base(
                "record", said("{mishap} is not about the cards of a hand", mishap=question.mishap.replace("-", " "))
            )
        if (problem := _no_correction(now.after(corrected), correction)) is not None:
            return base("record", problem)
        corrected.append(ev.Corrected(now=correction, by=now.by, reason=command.reason, clause=clause))
    after = now.after(corrected)
    claim = Report(mishap=question.mishap, boxes=question.boxes, cards=question.cards)
    if (still := refuted(after.book, after.table, after.shoe, claim)) is not None:
        return base("record", said("the record would still say otherwise: {still}", still=still))
    for correction in command.corrects:
        if isinstance(correction, LightWas) and not correction.lit:
            # A chip whose light was never on registered no wager.
            corrected += side_undone(now.after(corrected), correction.box, clause)
    return corrected


def _no_correction(now: Moment, correction: HandWas | LookWas | LightWas) -> str | None:
    """Return why the record cannot say that; None if it can."""
    current = now.table.round
    assert current is not None
    match correction:
        case HandWas():
            here = (*current.held(correction.place), *current.aside)
            elsewhere = [card for card in correction.cards if current.is_out(card) and card not in here]
            box = current.boxes.get(correction.place.number) if correction.place.kind == "box" else None
            changed = box is not None and (box.give is not None or box.discard is not None)
            if changed and current.in_rack(correction.place):
                return "those cards are in the rack, and what was given away or laid aside with them"
            if len(set(correction.cards)) < len(correction.cards):
                return "a card comes twice"
            if box is not None and not set(box.took).issubset(correction.cards):
                return "the card that was taken in the exchange is in the hand"
            if elsewhere:
                return "a card of these lies somewhere else on the record"
            known = correction.place.kind != "box" or correction.place.number in current.boxes
            return None if known else f"box {correction.place.number} is not in the round"
        case LightWas() if now.book.progressive is None:
            return "no wager of this book has a light"
        case LookWas() | LightWas():
            return None if correction.box in current.boxes else f"box {correction.box} is not in the round"


def _known(now: Moment, question: Question, findings: frozenset[Circumstance]) -> set[Circumstance]:
    """Return what holds with these findings."""
    return circumstances(
        now.book,
        now.table,
        now.shoe,
        question.mishap,
        boxes=question.boxes,
        cards=question.cards,
        reported=frozenset(question.given) | findings,
    )


def _left_by_the_book(
    now: Moment, question: Question, facts: frozenset[Circumstance]
) -> dict[Remedy, tuple[str, set[Circumstance]]]:
    """Return the answers that the book leaves, each with its clause and what then holds; empty if it is silent."""
    rulings = [ruling for _, ruling in rulings_on(now.book, question.mishap)]
    wanted = {one for ruling in rulings for one in ruling.circumstances}
    if "rebuildable" in wanted:
        wanted.add("not-rebuildable")
    findings = [facts] if facts else [frozenset({one}) for one in sorted(wanted & FINDINGS)]
    allowed: dict[Remedy, tuple[str, set[Circumstance]]] = {}
    for finding in findings:
        known = _known(now, question, finding)
        ruling = ruling_for(now.book, question.mishap, known)
        if ruling is not None and ruling[1].then not in _ASKS:
            allowed.setdefault(ruling[1].then, (ruling[0], known))
    return allowed if wanted & FINDINGS else {}


def _ruling(now: Moment, question: Question, command: GiveRuling) -> tuple[str, set[Circumstance]] | Refusal:
    """Return the clause of an answer and what then holds, or a refusal if the book leaves another answer."""
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


def _cards_wanting(now: Moment, question: Question, command: GiveRuling, known: set[Circumstance]) -> str | None:
    """Return what an answer must say about cards that the table does not know; None if nothing is missing."""
    current = now.table.live_round
    if current is None:
        return None
    ahead = now.shoe.ahead(current)
    if "order-decided" in known and question.mishap == "simultaneous-cards":
        if len(command.cards) < 2:
            return "name the card that comes first"
        if ahead and set(ahead[: len(command.cards)]) != set(command.cards):
            return "those are not the next cards of the deck"
        if len(set(command.cards)) < len(command.cards) or any(current.is_out(card) for card in command.cards):
            return "a card of these is dealt already"
    wanted = to_draw(now.book, current, question.mishap) if "rebuildable" in known else 0
    return "name the card that was drawn" if not ahead and len(command.cards) < wanted else None


def _drawn_together(now: Moment, cards: tuple[int, ...], clause: str) -> list[ev.TableEvent]:
    """Deal cards that came out together in the order decided; a card without a place left stays in the deck."""
    events: list[ev.TableEvent] = []
    for card in cards:
        events += deal_next(now.after(events), card, clause)
    return events


def choose(now: Moment, command: Choose) -> Done:
    """Let a player go on with the hand, or take the bet back."""
    current = now.table.live_round
    if current is None:
        return base("question", "there is no such choice to make")
    box = current.boxes.get(command.box)
    question = open_question(now, command.question)
    asked = question is not None and command.box in question.boxes
    chosen: Circumstance = "player-goes-on" if command.go_on else "player-withdraws"
    if command.box in current.went_on and not command.go_on and not asked:
        ruling = ruling_for(now.book, "dealing-error", {chosen, "player-went-on"})
        reason = "a player who has chosen to go on takes what comes"
        return refusal(reason, ruling[0]) if ruling is not None else base("question", reason)
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
    case = MishapCase(question.mishap, clause, (command.box,))
    voided = apply_remedy(now.after([answered]), "void-hand", case)
    assert isinstance(voided, list), "a box that is asked is in the round"
    return [answered, *voided]


def _choice(now: Moment, question: Question, command: Choose, chosen: Circumstance) -> tuple[str, str | None]:
    """Return the clause of a player's choice, and what is against it or None."""
    current = now.table.live_round
    assert current is not None
    known: set[Circumstance] = {*question.given, chosen}
    ruling = ruling_for(now.book, "dealing-error", known if "rebuildable" in known else known | {"not-rebuildable"})
    clause = ruling[0] if ruling is not None else question.clause
    box = current.boxes[command.box]
    if not may_choose(box):
        return clause, f"box {box.number} has decided"
    wanting = dealt_out(now.book, current) and len(box.cards) != now.book.hands.cards
    if command.go_on and wanting:
        return clause, "there is no whole hand to go on with"
    return clause, None
