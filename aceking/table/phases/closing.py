"""The dealer's part after the decisions: reveal, turning, collecting and paying in order, awards, cards to the rack."""

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, Unregulated
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.phases.awards import is_award
from aceking.table.phases.betting import dark_chips
from aceking.table.phases.blind import is_blind, passed_over
from aceking.table.phases.majors import undeclared
from aceking.table.phases.opening import Outcome
from aceking.table.procedure.orders import clause_for
from aceking.table.rack import not_racked, rack_box, rack_rest
from aceking.table.reckon import final_lines, owed
from aceking.table.state import Round, Table


def reveal(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The hidden cards are turned once everybody has decided."""
    current = table.live_round
    if current is None or current.phase != "deciding":
        return Refusal("there is nothing to reveal now", clause or "")
    owing = [box.number for box in current.dealt_in if box.owes_decision and not is_blind(book, box)]
    if owing:
        return Refusal(f"box {owing[0]} has not decided", clause or book.cite("decide.choices"))
    keeping = [box.number for box in current.live if box.choice in ("bet", "stay") and box.discard is None]
    if keeping and book.hands.discards:
        return Refusal(f"box {keeping[0]} has not discarded", book.cite("bet.antes"))
    return [*passed_over(book, table, None), *_undeclared(book, table, current)]


def _undeclared(book: Book, table: Table, current: Round) -> list[ev.Event]:
    """Hands for a share of the meter that show now and should have been declared when they were seen."""
    from aceking.table.mishaps.report import rule_on

    silent = undeclared(book, current) if book.rules_on("major-hand-undeclared") else []
    return [one for box in silent for one in rule_on(book, table, "major-hand-undeclared", boxes=(box,), facts=())]


def reckon(book: Book, table: Table, clause: str | None) -> Outcome:
    """What everybody is owed, once the cards show and claims were made."""
    settled = final_lines(book, table)
    if isinstance(settled, Refusal):
        return settled
    if isinstance(settled, Unregulated):
        number = table.asked + 1
        return [
            ev.Asked(question=number, incident="uncovered", of=settled.decides, unregulated=True, what=settled.reason)
        ]
    return [*dark_chips(book, table, settled.clause), settled]


def collect_chips(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The losing wagers of a box go to the tray."""
    return _move(book, table, act, at, clause, take=True)


def pay(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """What a box has won is paid, and what it may keep goes back."""
    return _move(book, table, act, at, clause, take=False)


def _move(book: Book, table: Table, act: Act, at: int, clause: str | None, *, take: bool) -> Outcome:
    """The chips of one box, or of everybody in the book's order."""
    current = table.live_round
    if current is None or not current.lines:
        return Refusal("nothing is settled yet", clause or "")
    events: list[ev.Event] = []
    open_lines = owed(current)
    mine = [
        (number, line)
        for number, line in open_lines
        if (line.outcome == "lose") == take and (act.box is None or line.seat == act.box) and not is_award(line)
    ]
    if not mine:
        return Refusal("there is nothing to move for that box", clause or "")
    # Folded and declared hands are cleared as they come; the order is that of the hands that are compared.
    ordered = [number for number, line in open_lines if not is_award(line) and not line.early]
    first = ordered[0] if ordered else -1
    # Where each box is settled as it is reached, its own chips go in any order.
    own_turn = ordered and current.lines[first].seat == act.box and "seat" in book.collection.passes
    if not mine[0][1].early and mine[0][0] != first and act.box is not None and not own_turn:
        due = current.lines[first]
        what = f"box {act.box} was served before box {due.seat}"
        # Losers, pushes and winners have their passes; within a pass there is an order.
        same_pass = due.outcome == mine[0][1].outcome or "seat" in book.collection.passes
        key = "collection.order" if same_pass else "collection.passes"
        ordered_by = clause_for(book, table, act, "paid-in-order") or book.cite(key)
        events.append(ev.Violated(what=what, by=act.by or "dealer", at=at, clause=ordered_by))
    events += [ev.Moved(line=number, clause=line.clause) for number, line in mine]
    return events


def collect_cards(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """Cards go to the rack in an order from which every hand can be rebuilt."""
    current = table.live_round
    if current is None:
        return Refusal("there is no round", "")
    if act.box is not None:
        box = current.boxes.get(act.box)
        if box is None or not box.cards or box.racked:
            return Refusal("there are no cards to collect", clause or "")
        result_to_come = box.live and not current.settled and box.choice not in ("fold", "declare")
        if result_to_come or (any(line.seat == act.box for _, line in owed(current)) and not box.void):
            return Refusal(f"box {act.box} is not settled", clause or book.cite("collection.order"))
        if current.from_meter.get(act.box) and act.box not in current.documented and book.collection.holds_for_papers:
            return Refusal("the hand stays until its papers are done", book.cite("collection.holds_for_papers"))
        return rack_box(current, act.box, clause)
    open_boxes = [box.number for box in current.boxes.values() if not box.racked and box.cards]
    if open_boxes:
        return Refusal(f"box {open_boxes[0]} still has its cards", clause or "")
    if not current.settled:
        return Refusal("the round is not settled", clause or book.cite("collection.order"))
    return rack_rest(current, clause)


def end_round(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The round is over when everything is paid and every card is in the rack."""
    current = table.round
    if current is None or current.phase == "done":
        return Refusal("there is no round to end", clause or "")
    if current.phase != "void":
        if not current.settled:
            return Refusal("the round is not settled", clause or "")
        waiting = owed(current)
        if waiting:
            return Refusal(f"box {waiting[0][1].seat} is not settled", clause or "")
        if left := not_racked(current):
            return Refusal(f"the cards of {left} are not in the rack", clause or book.cite("collection.order"))
    return [ev.RoundEnded(at=at, counted=current.counted, clause=clause)]
