"""An award of the progressive at the table: picked by the dealer, confirmed, signed, paid, and backed out.

The meter itself is kept by the link; the table has the acts and the chips.
"""

from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.awarding import award_line, held_row, is_award, is_signed
from aceking.table.base import base
from aceking.table.commands import Adjust, CallSupervisor, CompletePapers, PayAward, SelectWinner, SwipeCard, Validate
from aceking.table.now import Done, Now
from aceking.table.reckon import owed


def select_winner(now: Now, act: SelectWinner) -> Done:
    """The dealer picks the box and hand of an award; the same again takes it back."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    if is_signed(now.book, current, act.box):
        return now.no("the award is signed; only an adjustment undoes it", "award")
    picked = current.selected.get(act.box)
    if picked is not None and act.hand in (None, picked[0]):
        return [ev.Selected(box=act.box, hand=None, by=now.by, clause=now.clause)]
    box = current.boxes.get(act.box)
    back: list[ev.Event] = []
    if box is not None and box.unawarded:
        # What was backed out may be entered anew: the round is reckoned with it again.
        back = [ev.AwardLost(box=act.box, back=True, clause=now.clause)]
    elif award_line(current, act.box) is None:
        return now.no(f"box {act.box} has no award to verify", "award")
    assert box is not None
    held = held_row(now.book, box)
    if act.hand is not None and act.hand != held:
        reason = f"box {act.box} holds a {held.replace('_', ' ')}, not a {act.hand.replace('_', ' ')}"
        return now.no(reason, "award")
    return [*back, ev.Selected(box=act.box, hand=held, by=now.by, clause=now.clause)]


def call_supervisor(now: Now, act: CallSupervisor) -> Done:
    """The dealer calls for the check of an award that he picked."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    return [] if act.box in current.selected else now.no("no award was picked for that box", "award")


def validate(now: Now, act: Validate) -> Done:
    """A supervisor, who is not the dealer, validates an award."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    if act.box not in current.selected:
        return now.no("no award was picked for that box", "award")
    if current.selected[act.box][1] == now.by:
        return now.no(f"{now.by} picked the award and may not validate it", "award")
    if act.box in current.validated:
        return now.no("the award is confirmed already", "award")
    return []


def swipe(now: Now, act: SwipeCard) -> Done:
    """A card is swiped for a confirmed award."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    if act.box not in current.validated:
        return now.no("the award is not confirmed", "award")
    if act.box in current.signed:
        return now.no("the award is signed already", "award")
    return []


def complete_papers(now: Now, act: CompletePapers) -> Done:
    """The papers of an award can be done when it is confirmed."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    if act.box not in current.validated:
        return now.no("there is no confirmed award whose papers could be done", "award")
    return []


def pay_award(now: Now, act: PayAward) -> Done:
    """A confirmed award is paid, in the book's order."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    award = award_line(current, act.box)
    if award is None:
        return now.no(f"box {act.box} has no award", "award")
    number, line = award
    if number in current.moved:
        return now.no(f"the award of box {act.box} is paid", "award")
    rules = now.book.progressive
    assert rules is not None
    only_meter = rules.ordered == "meter-awards"
    if only_meter and not current.from_meter.get(act.box):
        return [ev.Moved(line=number, clause=line.clause)]
    ahead = [one.seat for other, one in owed(current) if is_award(one) and other < number]
    ahead = [seat for seat in ahead if not only_meter or current.from_meter.get(seat)]
    if ahead:
        return Refusal(f"box {ahead[0]} is paid first", now.book.cite("progressive.order"))
    return [ev.Moved(line=number, clause=line.clause)]


def adjust(now: Now, act: Adjust) -> Done:
    """A signed award is backed out by hand: what was paid comes back, and the right one can be entered."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    if not is_signed(now.book, current, act.box):
        return now.no("there is no signed award to back out", "award")
    award = award_line(current, act.box)
    if award is None:
        return base("box", "the box is out of the round, and so is its award")
    if not act.reason.strip():
        return now.no("an adjustment needs a reason", "award")
    back: list[ev.Event] = [ev.Unmoved(line=award[0], clause=now.clause)] if award[0] in current.moved else []
    unpicked = ev.Selected(box=act.box, hand=None, by=now.by, clause=now.clause)
    return [*back, unpicked, ev.AwardLost(box=act.box, clause=now.clause)]
