"""An award of the progressive at the table: picked by the dealer, confirmed, signed, paid, and backed out.

The meter itself and the signatures of its persons are kept by the link; the table has the acts and the chips.
"""

from aceking.cards.card import Card
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.settle.judge import judge
from aceking.settle.lines import Line
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.phases.opening import Outcome
from aceking.table.reckon import is_out_of_round, owed
from aceking.table.state import Box, Round, Table


def is_award(line: Line) -> bool:
    """An award of the progressive has its own workflow."""
    return line.wager == "side" and line.consumed and line.outcome == "win"


def award_line(current: Round, box: int) -> tuple[int, Line] | None:
    """The line of a box's award, with its place in the settlement."""
    found = ((number, line) for number, line in enumerate(current.lines) if line.seat == box and is_award(line))
    return next((one for one in found if not is_out_of_round(current, one[1])), None)


def is_signed(book: Book, current: Round, number: int) -> bool:
    """Whether an award is past undoing: the card was swiped, or, where the book has no card, it was validated."""
    box = current.boxes.get(number)
    if box is None or number not in current.validated:
        return False
    return "card-swipe" in box.acts if book.governs("card-swipe") else True


def row_of(book: Book, box: Box) -> str:
    """The row of the award table that the cards of a box show."""
    by = judge(book)
    return by.categories[by.strength([Card(one) for one in box.cards])].key


def unqualified(book: Book, current: Round) -> bool:
    """Whether the dealer's cards are turned and make no hand that plays."""
    if book.dealer is None or len(current.dealer) != book.hands.cards or current.phase not in ("revealed", "done"):
        return False
    by = judge(book)
    return by.strength([Card(one) for one in current.dealer]) < by.qualifies_at


def select_winner(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The dealer picks the seat and hand of an award; the same again takes it back."""
    current = table.live_round
    if current is None or act.box is None:
        return Refusal("which box?", "")
    if is_signed(book, current, act.box):
        return Refusal("the award is signed; only an adjustment undoes it", clause or "")
    picked = current.selected.get(act.box)
    if picked is not None and act.hand in (None, picked[0]):
        return [ev.Selected(box=act.box, hand=None, by=act.by or "dealer", clause=clause)]
    if award_line(current, act.box) is None:
        return Refusal(f"box {act.box} has no award to verify", clause or "")
    hand = act.hand or row_of(book, current.boxes[act.box])
    return [ev.Selected(box=act.box, hand=hand, by=act.by or "dealer", clause=clause)]


def validate(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A supervisor, who is not the dealer, validates an award."""
    current = table.live_round
    if current is None or act.box is None or act.box not in current.selected:
        return Refusal("no award was picked for that box", clause or "")
    if act.by and current.selected[act.box][1] == act.by:
        return Refusal(f"{act.by} picked the award and may not validate it", clause or "")
    return []


def pay_award(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A validated award is paid, in the book's order."""
    current = table.live_round
    if current is None or act.box is None:
        return Refusal("which box?", "")
    award = award_line(current, act.box)
    if award is None:
        return Refusal(f"box {act.box} has no award", clause or "")
    number, line = award
    if number in current.moved:
        return Refusal(f"the award of box {act.box} is paid", clause or "")
    ahead = [one.seat for other, one in owed(current) if is_award(one) and other < number]
    if ahead:
        return Refusal(f"box {ahead[0]} is paid first", book.cite("progressive.order"))
    return [ev.Moved(line=number, clause=line.clause)]


def adjust(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A signed award is backed out by hand: what was paid comes back, and the award waits to be picked again."""
    current = table.round
    if current is None or act.box is None or not is_signed(book, current, act.box):
        return Refusal("there is no signed award to back out", clause or "")
    award = award_line(current, act.box)
    if award is None:
        return Refusal("the box is out of the round, and so is its award", clause or "")
    back: list[ev.Event] = [ev.Unmoved(line=award[0], clause=clause)] if award[0] in current.moved else []
    return [*back, ev.Selected(box=act.box, hand=None, by=act.by or "supervisor", clause=clause)]
