"""When something goes wrong: what the table knows of it, what the book rules, and what follows.

A ruling is data of the book: an incident, the circumstances that must hold, the outcome. The most specific ruling
decides. Where the book has none, the question goes to the person with the last word.
"""

from aceking.play import event as ev
from aceking.play.command import Choose, Report, Rule
from aceking.play.consequence import apply
from aceking.play.deal import hand_size, places
from aceking.play.opening import Outcome
from aceking.play.state import Question, Table
from aceking.rules.book import Book
from aceking.rules.clause import Ruling
from aceking.rules.refusal import Refusal
from aceking.rules.words import Circumstance, Incident
from aceking.rules.words import Outcome as Then


def report(book: Book, table: Table, command: Report) -> Outcome:
    """A mishap is put on the record, and ruled on."""
    if table.round is None:
        return Refusal("there has been no round", "")
    for number in command.boxes:
        if number < 1 or number > book.table.seats_max:
            return Refusal(f"there is no box {number}", book.cite("table.seats_max"))
    over = table.live_round is None
    facts = (*command.facts, "after-next-round") if over else command.facts
    return rule_on(book, table, command.incident, boxes=command.boxes, facts=facts, cards=command.cards)


def rule_on(
    book: Book,
    table: Table,
    incident: Incident,
    *,
    boxes: tuple[int, ...],
    facts: tuple[Circumstance, ...],
    cards: tuple[int, ...] = (),
) -> list[ev.Event]:
    """The ruling of the book with what follows from it, or an open question."""
    known = circumstances(book, table, incident, boxes, facts, cards)
    found = ruling_for(book, incident, known)
    given = tuple(sorted(known))
    if found is None:
        number = table.asked + 1
        what = f"the book has no rule for {incident}"
        return [
            ev.Asked(
                question=number,
                incident=incident,
                of=book.void.last_word,
                boxes=boxes,
                unregulated=True,
                what=what,
                given=given,
            )
        ]
    clause, ruling = found
    then = overridden(book, incident, known, ruling)
    ruled = ev.Ruled(incident=incident, given=tuple(sorted(ruling.given)), then=then, boxes=boxes, clause=clause)
    return [ruled, *apply(book, table, then, clause=clause, incident=incident, boxes=boxes, cards=cards, given=given)]


def ruling_for(book: Book, incident: Incident, known: set[Circumstance]) -> tuple[str, Ruling] | None:
    """The ruling with the most circumstances that all hold."""
    fitting = [
        (clause.id, ruling)
        for clause in book.clauses.values()
        for ruling in clause.rulings
        if ruling.on == incident and set(ruling.given) <= known
    ]
    return max(fitting, key=lambda one: len(one[1].given), default=None)


def overridden(book: Book, incident: Incident, known: set[Circumstance], ruling: Ruling) -> Then:
    """The outcome where an option of the house replaces the recommended one."""
    house = book.irregular
    stub = book.stub
    window = book.dealer.hole_card_window if book.dealer is not None else None
    if incident == "hole-card-exposed" and window == "literal-before-no-more-bets":
        return ruling.then if "before-no-more-bets" in known else "continue"
    by_count = incident in ("player-miscount", "dealer-miscount") and "found-by-stub-count" in known
    if by_count and stub is not None and stub.misdeal_found == "route-to-(m)(4)":
        other = ruling_for(book, incident, known - {"found-by-stub-count"})
        return other[1].then if other is not None else ruling.then
    if incident == "walk-away" and "decision-owed" in known and book.decide.absent == "supervisor":
        return "ask-supervisor"
    if house is None:
        return ruling.then
    if incident == "shoe-fault" and "after-deal" in known and house.jam_after_delivery == "void":
        return "void-round"
    if incident == "cards-exposed" and "community-card" in known and house.community_exposed == "void-all":
        return "void-round"
    seen = incident == "cards-exposed" and "somebody-looked" in known
    if seen and house.exposed_after_look == "continue-with-5.10-options":
        return "offer-choice"
    if incident == "early-pick-up" and house.early_pick_up == "hand":
        return "void-hand"
    if incident == "player-miscount" and "nobody-looked" in known and house.unseen_miscount == "void-hand":
        return "void-hand"
    if incident == "boxed-card" and "dealer-card" in known and house.boxed_to_dealer is not None:
        return house.boxed_to_dealer
    return ruling.then


def circumstances(
    book: Book,
    table: Table,
    incident: Incident,
    boxes: tuple[int, ...],
    facts: tuple[Circumstance, ...],
    cards: tuple[int, ...],
) -> set[Circumstance]:
    """What holds at this moment: what the table knows by itself, and what was stated."""
    current = table.round
    known: set[Circumstance] = set(facts)
    if current is None:
        return known
    known.add("somebody-looked" if current.anyone_looked else "nobody-looked")
    known.add("bets-open" if current.phase == "betting" else "bets-closed")
    due = places(book, [box.number for box in current.dealt_in])
    if current.phase == "betting":
        known.add("before-no-more-bets")
    if not current.sequence:
        known.add("before-first-card")
    known.add("after-deal" if current.placed >= len(due) and current.sequence else "during-deal")
    if book.dealer is not None:
        known.add("before-up-card" if current.up is None else "after-up-card")
    if current.phase not in ("revealed", "done", "void"):
        known.add("before-reveal")
    if any(box.owes_decision for box in current.dealt_in):
        known.add("before-last-decision")
    lost = any(line.outcome == "lose" for line in current.lines)
    known.add("outcome-established" if lost or current.phase == "revealed" else "no-outcome")
    concerned = [current.boxes[number] for number in boxes if number in current.boxes]
    known.add("decision-owed" if any(box.owes_decision for box in concerned) else "no-decision-owed")
    if concerned and not any(box.seen for box in concerned):
        known.add("unseen")
    if not {"this-round", "later-rounds"} & known:
        known.add("later-rounds" if table.live_round is None else "this-round")
    if "after-next-round" not in known:
        known.add("before-next-round")
    how_often = current.incidents.get(incident, 0) + max(1, len(cards))
    known.add("one" if how_often == 1 else "two-or-more")
    known |= _cards_concerned(book, table, incident, cards)
    known |= _counts(book, table)
    return known


def _cards_concerned(book: Book, table: Table, incident: Incident, cards: tuple[int, ...]) -> set[Circumstance]:
    current = table.round
    assert current is not None
    known: set[Circumstance] = set()
    for card in cards:
        if card in current.dealer:
            known.add("dealer-card")
        elif card in current.community:
            known.add("community-card")
        elif any(card in box.cards for box in current.boxes.values()):
            known.add("player-card")
    if incident == "boxed-card":
        due = places(book, [box.number for box in current.dealt_in])
        if current.placed < len(due) and due[current.placed].to == "dealer":
            known.add("dealer-card")
    return known


def _counts(book: Book, table: Table) -> set[Circumstance]:
    """Whether the hands have the right number of cards."""
    current = table.round
    assert current is not None
    known: set[Circumstance] = set()
    wrong = [box for box in current.dealt_in if not box.void and len(box.cards) != book.hands.cards]
    if book.dealer is not None:
        dealer = len(current.dealer)
        known.add("dealer-has-four" if dealer == book.hands.cards - 1 else "dealer-has-other")
        if dealer != book.hands.cards:
            known.add("misdealt")
    if wrong or (book.hands.community and len(current.community) != book.hands.community):
        known.add("misdealt")
    if "misdealt" not in known:
        known.add("not-misdealt")
    if any(what == "stub" for what, _ in current.rack):
        known.add("stub-mixed")
    return known


def on_stub_count(book: Book, table: Table, count: int) -> Outcome:
    """The count with the cards in sight must make a whole deck, in hands of the right size."""
    current = table.round
    assert current is not None
    on_table = len(current.dealer) + len(current.community) + len(current.burn) + len(current.boxed)
    on_table += sum(len(box.cards) for box in current.boxes.values())
    whole = on_table + count == book.deck.size
    misdealt = "misdealt" in _counts(book, table)
    if whole and not misdealt:
        return []
    facts: tuple[Circumstance, ...] = ("found-by-stub-count", "52-cards" if whole else "not-52-cards")
    if misdealt and whole and book.stub is not None and book.stub.misdeal_found == "route-to-(m)(4)":
        wrong = tuple(box.number for box in current.dealt_in if len(box.cards) != book.hands.cards)
        incident: Incident = "player-miscount" if wrong else "dealer-miscount"
        return rule_on(book, table, incident, boxes=wrong, facts=facts)
    return rule_on(book, table, "stub-miscount", boxes=(), facts=facts)


def decide_question(book: Book, table: Table, command: Rule) -> Outcome:
    """A person of the right rank answers an open question, with a reason."""
    question = _open(table, command.question)
    if question is None:
        return Refusal(f"there is no open question {command.question}", "")
    if question.of == "players":
        return Refusal("the players concerned must choose", book.cite("void.last_word"))
    role = command.role or ("supervisor" if question.of == "supervisor" else "house")
    if role != ("supervisor" if question.of == "supervisor" else "house") and role != "house":
        return Refusal(f"this is for {question.of}, not for the {role}", book.cite("void.last_word"))
    if not command.reason.strip():
        return Refusal("a decision needs a reason", book.cite("void.last_word"))
    clause = book.cite("void.last_word")
    known = circumstances(book, table, question.incident, question.boxes, (*question.given, *command.facts), ())
    answered = ev.Answered(
        question=question.number, then=command.then, by=command.by or role, reason=command.reason, clause=clause
    )
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
    return [answered, *follow]


def choose(book: Book, table: Table, command: Choose) -> Outcome:
    """A player goes on with the hand, or takes the bet back."""
    question = _open(table, command.question)
    current = table.live_round
    if question is None or current is None or question.of != "players":
        return Refusal("there is no such choice to make", "")
    if command.box not in question.boxes:
        settled = command.box in current.went_on
        clause = next((one.id for one in book.clauses.values() if any(r.then == "refuse" for r in one.rulings)), "")
        return Refusal("that box has chosen" if settled else "that box is not asked", clause)
    closes = question.boxes == (command.box,)
    facts: tuple[Circumstance, ...] = ("player-goes-on" if command.go_on else "player-withdraws",)
    known = circumstances(book, table, "dealing-error", (command.box,), (*question.given, *facts), ())
    known.add("rebuildable" if "rebuildable" in question.given else "not-rebuildable")
    found = ruling_for(book, "dealing-error", known)
    clause = found[0] if found is not None else book.cite("void.last_word")
    then: Then = "continue" if command.go_on else "void-hand"
    events: list[ev.Event] = [
        ev.Answered(
            question=question.number,
            then=then,
            by=command.by or "player",
            box=command.box,
            closes=closes,
            clause=clause,
        )
    ]
    if not command.go_on:
        events += apply(
            book,
            table,
            "void-hand",
            clause=clause,
            incident=question.incident,
            boxes=(command.box,),
            cards=(),
            given=(),
        )
    return events


def _open(table: Table, number: int) -> Question | None:
    return next((one for one in table.questions if one.number == number), None)


def hand_sizes(book: Book, table: Table) -> dict[str, tuple[int, int]]:
    """How many cards each place has, and how many belong there."""
    current = table.round
    assert current is not None
    sizes = {f"box {box.number}": (len(box.cards), book.hands.cards) for box in current.dealt_in}
    last = "community" if book.hands.community else "dealer"
    held = current.community if book.hands.community else current.dealer
    return {**sizes, last: (len(held), hand_size(book, last))}
