"""When something goes wrong: what the table knows of it, what the book rules, and what follows.

A ruling is data of the book: an incident, the circumstances that must hold, the outcome. The most specific ruling
decides. Where the book has none, the question goes to the person with the last word.
"""

from collections.abc import Mapping

from aceking.rules.book import Book
from aceking.rules.clause import Ruling
from aceking.rules.refusal import Refusal
from aceking.rules.words import Circumstance, Incident
from aceking.rules.words import Outcome as Then
from aceking.table import event as ev
from aceking.table.command import Report
from aceking.table.deal import due_places, in_packets
from aceking.table.evolve import evolve
from aceking.table.mishaps.consequences import apply
from aceking.table.mishaps.rebuilding import can_rebuild
from aceking.table.mishaps.stacks import holder, taken_out
from aceking.table.phases.opening import Outcome
from aceking.table.state import Round, Table

#: What can happen to cards and devices while no round runs.
_OF_THE_CARDS = frozenset({"improper-cut", "shuffler-fault", "device-count-wrong", "device-still-on-table"})
#: Errors of a round that, once it is over, are errors found late.
_OF_THE_ROUND = frozenset(
    {
        *("foreign-card", "cards-exposed", "hole-card-exposed", "deck-short-or-long", "shoe-empty", "not-shuffled"),
        *("misdeal", "missed-burn", "dealing-error", "simultaneous-cards", "skipped-box", "empty-box-dealt"),
        *("boxed-card", "card-drawn-in-error", "dealer-miscount", "player-miscount"),
    }
)


def report(book: Book, table: Table, command: Report) -> Outcome:
    """A mishap is put on the record, and ruled on."""
    if table.round is None and command.incident not in (*_OF_THE_CARDS, "jackpot-fault"):
        return Refusal("there has been no round", "")
    for number in command.boxes:
        if number < 1 or number > book.table.seats_max:
            return Refusal(f"there is no box {number}", book.cite("table.seats_max"))
    over = table.live_round is None
    late = over and not _still_open(book, table, command.incident)
    facts = (*command.facts, "after-next-round") if late else command.facts
    found_late = "after-next-round" in facts and command.incident in _OF_THE_ROUND
    if found_late and ruling_for(book, "late-found-error", set()) is not None:
        return rule_on(book, table, "late-found-error", boxes=command.boxes, facts=facts, cards=command.cards)
    if over and command.incident in _OF_THE_CARDS:
        facts = (*command.facts, "before-first-card")
    if command.role == "supervisor":
        facts = (*facts, "supervisor-called")
    boxes = _boxes_concerned(table, command)
    own, other = _exposed_apart(book, table, command)
    events = rule_on(book, table, command.incident, boxes=boxes, facts=facts, cards=own)
    for event in events if other else ():
        table = evolve(table, event)
    if other and table.live_round is not None:
        events += rule_on(book, table, "cards-exposed", boxes=boxes, facts=facts, cards=other)
    if command.incident == "jackpot-fault" and isinstance(events[0], ev.Ruled):
        events.append(ev.TableSet(key="device jackpot", value="faulty", clause=events[0].clause))
    return events


def _still_open(book: Book, table: Table, incident: Incident) -> bool:
    """Whether the book still puts that right after the settlement, until the next round begins."""
    over = table.round is not None and table.round.phase == "done"
    rulings = (one for clause in book.clauses.values() for one in clause.rulings)
    return over and any(one.on == incident and "before-next-round" in one.given for one in rulings)


def _boxes_concerned(table: Table, command: Report) -> tuple[int, ...]:
    """The boxes that were named, or those whose cards they are; who walks away leaves all his boxes."""
    current = table.round
    if current is None:
        return command.boxes
    boxes = command.boxes or tuple(
        box.number for box in current.boxes.values() if any(card in box.cards for card in command.cards)
    )
    if command.incident != "walk-away":
        return boxes
    gone = {current.boxes[number].player for number in boxes if number in current.boxes}
    return tuple(sorted({*boxes, *(box.number for box in current.boxes.values() if box.player in gone)}))


def _exposed_apart(book: Book, table: Table, command: Report) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Exposed cards of the dealer, and those of players where the book rules on the two apart."""
    current = table.round
    apart = book.irregular is not None and book.irregular.exposed_mixed == "becomes-up-card"
    if current is None or command.incident != "hole-card-exposed" or not apart:
        return command.cards, ()
    other = tuple(card for card in command.cards if any(card in box.cards for box in current.boxes.values()))
    return tuple(card for card in command.cards if card not in other), other


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
    if incident == "boxed-card" and then == "discard-and-use-next" and cards and holder(table, cards[0]):
        return [ruled, *_out_of_stack(book, table, ruled, cards[0], clause)]
    return [ruled, *apply(book, table, then, clause=clause, incident=incident, boxes=boxes, cards=cards, given=given)]


def _out_of_stack(book: Book, table: Table, ruled: ev.Ruled, card: int, clause: str) -> list[ev.Event]:
    """A card found face up in a stack that is dealt leaves it; the stub fills the stack, or it is a hand too short."""
    place = holder(table, card)
    current = table.live_round
    if current is None or place is None:
        return []
    out: ev.Event = taken_out(current, place, card, clause)
    if book.irregular is not None and book.irregular.boxed_in_stack == "replace-from-stub" and current.order:
        return [out, ev.Dealt(card=current.order[0], to=place, clause=clause)]
    for event in (ruled, out):
        table = evolve(table, event)
    number = int(place.removeprefix("box ")) if place.startswith("box ") else None
    kinds: dict[str, Incident] = {"dealer": "dealer-miscount", "community": "community-miscount"}
    short = kinds.get(place, "player-miscount")
    return [out, *rule_on(book, table, short, boxes=() if number is None else (number,), facts=())]


def ruling_for(book: Book, incident: Incident, known: set[Circumstance]) -> tuple[str, Ruling] | None:
    """The ruling with the most circumstances that all hold."""
    fitting = [
        (clause.id, ruling)
        for clause in book.clauses.values()
        for ruling in clause.rulings
        if ruling.on == incident and set(ruling.given) <= known
    ]
    return max(fitting, key=lambda one: len(one[1].given), default=None)


_SUPERVISOR_FIRST = ("supervisor", "supervisor-then-fold")


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
    if incident == "walk-away" and "decision-owed" in known and book.decide.absent in _SUPERVISOR_FIRST:
        return "ask-supervisor"
    if house is None:
        return ruling.then
    if incident == "shoe-fault" and "after-deal" in known and house.jam_after_delivery == "void":
        return "void-round"
    if ruling.then == "unregulated" and "community-card" in known and house.community_exposed == "void-all":
        return "void-round"
    seen = incident == "cards-exposed" and "somebody-looked" in known
    if seen and house.exposed_after_look == "continue-with-5.10-options":
        return "offer-choice"
    if incident == "early-pick-up" and house.early_pick_up == "hand":
        return "void-hand"
    if incident == "player-miscount" and "nobody-looked" in known and house.unseen_miscount == "void-hand":
        return "void-hand"
    if incident == "boxed-card" and "in-stack" in known and house.boxed_in_stack == "replace-from-stub":
        return "discard-and-use-next" if "one" in known else ruling.then
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
    if not {"this-round", "later-rounds"} & known:
        known.add("later-rounds" if table.live_round is None else "this-round")
    if incident == "jackpot-fault":
        known |= _course(book, known)
    if current is None:
        return known
    known.add("somebody-looked" if current.anyone_looked else "nobody-looked")
    known.add("bets-open" if current.phase == "betting" else "bets-closed")
    due = due_places(book, current)
    if current.phase == "betting":
        known.add("before-no-more-bets")
    if not current.sequence:
        known.add("before-first-card")
    if not {"during-deal", "after-deal"} & known:
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
    if not {"rebuildable", "not-rebuildable"} & known and (found := can_rebuild(book, current, incident)):
        known.add(found)
    if "after-next-round" not in known:
        known.add("before-next-round")
    how_often = _before(book, current, incident) + max(1, len(_counted(current, incident, cards)))
    known.add("one" if how_often == 1 else "two-or-more")
    known |= _cards_concerned(book, table, incident, cards)
    known |= _counts(book, table)
    return known


_COURSE: Mapping[str, Circumstance] = {
    "close-table": "course-close-table",
    "block-affected-box": "course-block-box",
    "play-without-jackpot": "course-play-without-jackpot",
}


def _course(book: Book, known: set[Circumstance]) -> set[Circumstance]:
    """The course that the house has chosen for rounds after a jackpot fault."""
    chosen = book.progressive.fault_later if book.progressive is not None else None
    if chosen is None or "later-rounds" not in known or known & set(_COURSE.values()):
        return set()
    return {_COURSE[chosen]}


_EXPOSURES: Mapping[str, str] = {"cards-exposed": "hole-card-exposed", "hole-card-exposed": "cards-exposed"}


def _before(book: Book, current: Round, incident: Incident) -> int:
    """How often it happened in this round; exposed cards of dealer and players together where the house says so."""
    together = book.irregular is not None and book.irregular.exposed_mixed == "void-round"
    other = current.incidents.get(_EXPOSURES.get(incident, ""), 0) if together else 0
    return current.incidents.get(incident, 0) + other


def _counted(current: Round, incident: Incident, cards: tuple[int, ...]) -> tuple[int, ...]:
    """The up-card of the dealer is no card exposed by mistake."""
    exposed = incident in ("cards-exposed", "hole-card-exposed")
    return tuple(card for card in cards if card != current.up) if exposed else cards


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
    if incident in ("boxed-card", "card-drawn-in-error"):
        due = due_places(book, current)
        if current.placed < len(due):
            to = due[current.placed].to
            known.add("dealer-card" if to == "dealer" else "community-card" if to == "community" else "player-card")
        if in_packets(book):
            known.add("in-stack")
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
