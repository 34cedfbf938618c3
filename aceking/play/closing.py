"""The dealer's part after the decisions: reveal, turning, collecting and paying in order, awards, cards to the rack."""

from aceking.play import event as ev
from aceking.play.command import Act
from aceking.play.lines import Line
from aceking.play.opening import Outcome
from aceking.play.reckon import final_lines, owed
from aceking.play.state import Round, Table
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, Unregulated


def reveal(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The hidden cards are turned once everybody has decided."""
    current = table.live_round
    if current is None or current.phase != "deciding":
        return Refusal("there is nothing to reveal now", clause or "")
    owing = [box.number for box in current.dealt_in if box.owes_decision]
    if owing:
        return Refusal(f"box {owing[0]} has not decided", clause or book.cite("decide.choices"))
    return []


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
    return [settled]


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
    first = next(number for number, line in open_lines if not is_award(line))
    if mine[0][0] != first and act.box is not None:
        due = current.lines[first]
        what = f"box {act.box} was served before box {due.seat}"
        events.append(ev.Violated(what=what, by=act.by or "dealer", at=at, clause=book.cite("collection.order")))
    events += [ev.Moved(line=number, clause=line.clause) for number, line in mine]
    return events


def is_award(line: Line) -> bool:
    """An award of the progressive has its own workflow."""
    return line.wager == "side" and line.consumed and line.outcome == "win"


def select_winner(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The dealer picks the seat and hand of an award; the same again takes it back."""
    current = table.live_round
    if current is None or act.box is None:
        return Refusal("which box?", "")
    award = _award(current, act.box)
    if act.box in current.selected:
        if act.box in current.validated:
            return Refusal("the award is signed; only an adjustment undoes it", clause or "")
        return [ev.Selected(box=act.box, hand=None, by=act.by or "dealer", clause=clause)]
    if award is None:
        return Refusal(f"box {act.box} has no award to verify", clause or "")
    return [ev.Selected(box=act.box, hand=act.hand or "", by=act.by or "dealer", clause=clause)]


def validate(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A supervisor, who is not the dealer, validates an award."""
    current = table.live_round
    if current is None or act.box is None or act.box not in current.selected:
        return Refusal("no award was picked for that box", clause or "")
    if act.by and current.selected[act.box][1] == act.by:
        return Refusal(f"{act.by} picked the award and may not validate it", clause or "")
    return []


def pay_award(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A validated award is paid."""
    current = table.live_round
    if current is None or act.box is None:
        return Refusal("which box?", "")
    award = _award(current, act.box)
    if award is None:
        return Refusal(f"box {act.box} has no award", clause or "")
    number, line = award
    ahead = [seat for other, seat in _awards(current) if other < number and other not in current.moved]
    if ahead:
        return Refusal(f"box {ahead[0]} is paid first", book.cite("progressive.order"))
    return [ev.Moved(line=number, clause=line.clause)]


def _awards(current: Round) -> list[tuple[int, int]]:
    return [(number, line.seat) for number, line in enumerate(current.lines) if is_award(line)]


def _award(current: Round, box: int) -> tuple[int, Line] | None:
    for number, line in enumerate(current.lines):
        if line.seat == box and is_award(line):
            return number, line
    return None


def collect_cards(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """Cards go to the rack in an order from which every hand can be rebuilt."""
    current = table.live_round
    if current is None:
        return Refusal("there is no round", "")
    if act.box is not None:
        box = current.boxes.get(act.box)
        if box is None or not box.cards or box.racked:
            return Refusal("there are no cards to collect", clause or "")
        if any(line.seat == act.box for _, line in owed(current)) and not box.void:
            return Refusal(f"box {act.box} is not settled", clause or book.cite("collection.order"))
        if current.from_meter.get(act.box) and act.box not in current.documented and book.collection.holds_for_papers:
            return Refusal("the hand stays until its papers are done", book.cite("collection.holds_for_papers"))
        return _rack_box(current, act.box, clause)
    open_boxes = [box.number for box in current.dealt_in if not box.racked and box.cards]
    if open_boxes and current.phase != "void":
        return Refusal(f"box {open_boxes[0]} still has its cards", clause or "")
    return _rack_rest(current, clause)


def _rack_box(current: Round, number: int, clause: str | None) -> list[ev.Event]:
    box = current.boxes[number]
    events: list[ev.Event] = []
    if box.give is not None:
        events.append(ev.Racked(what=f"exchanged {number}", cards=(box.give,), clause=clause))
    if box.discard is not None:
        events.append(ev.Racked(what=f"discard {number}", cards=(box.discard,), clause=clause))
    events.append(ev.Racked(what=f"box {number}", cards=box.cards, clause=clause))
    return events


def _rack_rest(current: Round, clause: str | None) -> list[ev.Event]:
    racked = {what for what, _ in current.rack}
    rest = {"dealer": current.dealer, "community": current.community, "burn": current.burn, "boxed": current.boxed}
    events: list[ev.Event] = [
        ev.Racked(what=what, cards=cards, clause=clause) for what, cards in rest.items() if cards and what not in racked
    ]
    if current.order:
        events.append(ev.Racked(what="stub", cards=current.order, clause=clause))
    return events


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
    return [ev.RoundEnded(at=at, counted=current.counted, clause=clause)]


def rebuild(rack: tuple[tuple[str, tuple[int, ...]], ...]) -> dict[str, tuple[int, ...]]:
    """Every hand of a round from its rack: boxes with what they discarded or exchanged, the dealer's, the community."""
    return dict(rack)
