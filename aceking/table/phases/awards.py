"""An award of the progressive at the table: picked by the dealer, confirmed, signed, paid, and backed out.

`aceking/award/steps.py` owns the steps of an award and who may take them, for meter and table alike; the table adds the
acts, the cards and the chips. If a table names no people, only their roles are checked.
"""

from aceking.award import steps
from aceking.award.authority import AwardRole, Signer
from aceking.award.steps import Award, terms_of
from aceking.cards.card import CardId, names
from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import said
from aceking.rules.words import Actor
from aceking.settlement.jackpot import at_once
from aceking.settlement.lines import Line
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.commands import (
    Adjust,
    CallSupervisor,
    CompletePapers,
    LockAward,
    PayAward,
    PrintWinPage,
    Reseed,
    SelectWinner,
    SwipeCard,
    Validate,
)
from aceking.table.moment import Done, Moment
from aceking.table.money.award_lines import award_line, held_row, is_award, is_signed
from aceking.table.money.settling import owed
from aceking.table.state import Round

#: The table's roles as the roles of an award.
_ROLES: dict[Actor, AwardRole] = {"dealer": "dealer", "supervisor": "supervisor", "floorperson": "supervisor"}


def _person(now: Moment, *, role: AwardRole | None = None) -> Signer:
    """Return who acts; without a name if the table was given none."""
    name = "" if now.by == now.role else now.by
    return Signer(name, role or _ROLES.get(now.role, "executive"))


def _step(now: Moment, box: int, act: steps.AwardAct) -> tuple[Round, Award] | Refusal:
    """Return the round and the award of a box, or why its workflow refuses this act now."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    award = current.awards.get(box)
    if award is None:
        return now.no(said("no award was picked for box {box}", box=box), "award")
    refused = steps.refusal(now.book, award, act, terms_of(now.book))
    return (current, award) if refused is None else now.no(refused.reason, "award")


def _asked(now: Moment, box: int, act: steps.AwardAct) -> Done:
    step = _step(now, box, act)
    return step if isinstance(step, Refusal) else []


def select_winner(now: Moment, act: SelectWinner) -> Done:
    """Pick the box and hand of an award; the same pick again takes it back."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    if is_signed(now.book, current, act.box):
        return now.no("the award is signed; only an adjustment undoes it", "award")
    picked = current.selected.get(act.box)
    if picked is not None and act.hand in (None, picked):
        return [ev.Selected(box=act.box, hand=None, by=now.by, clause=now.clause)]
    box, line = current.boxes.get(act.box), award_line(current, act.box)
    back: list[ev.TableEvent] = []
    if box is not None and box.unawarded:
        # An award that was backed out may be entered anew: the round is settled with it again.
        back = [ev.AwardLost(box=act.box, back=True, clause=now.clause)]
    elif line is None:
        return now.no(said("box {box} has no award to verify", box=act.box), "award")
    assert box is not None
    held = held_row(now.book, box)
    if act.hand is not None and act.hand != held:
        reason = said(
            "box {box} holds a {held}, not a {hand}",
            box=act.box,
            held=held.replace("_", " "),
            hand=act.hand.replace("_", " "),
        )
        return now.no(reason, "award")
    amount = line[1].pays if line is not None else 0
    return [*back, ev.Selected(box=act.box, hand=held, by=now.by, amount=amount, clause=now.clause)]


def call_supervisor(now: Moment, act: CallSupervisor) -> Done:
    """Call for the check of an award that the dealer picked."""
    return _asked(now, act.box, steps.Call(by=_person(now)))


def validate(now: Moment, act: Validate) -> Done:
    """Confirm an award by another person, who has looked at the light and at the cards."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    box = current.boxes.get(act.box)
    if box is None:
        return base("box", said("box {box} is not in the round", box=act.box))
    cards = names(tuple(CardId(one) for one in box.cards))
    hand = current.selected.get(act.box, "")
    return _asked(now, act.box, steps.VerifyStep(by=_person(now), hand=hand, cards=cards, light=box.lit))


def swipe(now: Moment, act: SwipeCard) -> Done:
    """Swipe a card for a confirmed award; the person who confirmed it may swipe their own card."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    award = current.awards.get(act.box)
    role: AwardRole = "executive" if act.card == "executive" else "supervisor"
    by = _person(now, role=role)
    if award is not None and award.verifier == now.by:
        by = Signer("", role)
    amount = act.amount if act.amount is not None else award.amount if award is not None else 0
    return _asked(now, act.box, steps.SignStep(by=by, amount=amount))


def print_page(now: Moment, act: PrintWinPage) -> Done:
    """Print the page of a signed award."""
    return _asked(now, act.box, steps.PrintPage(by=_person(now)))


def complete_papers(now: Moment, act: CompletePapers) -> Done:
    """Complete the papers of an award, once it is final."""
    return _asked(now, act.box, steps.PrintPage(by=_person(now)))


def pay_award(now: Moment, act: PayAward) -> Done:
    """Pay an award, in the book's order; if the book names people for it, after they have acted."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    own = award_line(current, act.box)
    if own is None:
        return now.no(said("box {box} has no award", box=act.box), "award")
    number, line = own
    if number in current.moved:
        return now.no(said("the award of box {box} is paid", box=act.box), "award")
    if (first := _paid_first(now, current, number, line)) is not None:
        return first
    return [ev.Moved(line=number, clause=line.clause)]


def _paid_first(now: Moment, current: Round, number: int, line: Line) -> Refusal | None:
    """Refuse if another box is paid first: of all awards, or of those that come off the meter."""
    rules = now.book.progressive
    assert rules is not None
    if at_once(rules):
        return None
    only_meter = rules.ordered == "meter-awards"
    if only_meter and not current.from_meter.get(line.seat):
        return None
    ahead = [one.seat for other, one in owed(current) if is_award(one) and other < number]
    ahead = [seat for seat in ahead if not only_meter or current.from_meter.get(seat)]
    return (
        refusal(said("box {first} is paid first", first=ahead[0]), now.book.cite("progressive.order"))
        if ahead
        else None
    )


def lock(now: Moment, act: LockAward) -> Done:
    """Set the award to the linked meter's amount: other tables may have fed it since, or share in it."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    own = award_line(current, act.box)
    if own is None:
        return now.no(said("box {box} has no award", box=act.box), "award")
    if own[0] in current.moved:
        return now.no(said("the award of box {box} is paid", box=act.box), "award")
    if not 0 <= act.from_meter <= act.amount:
        return base("input", "no more comes off the meter than the award is")
    return [ev.AwardLocked(box=act.box, amount=act.amount, from_meter=act.from_meter, clause=own[1].clause)]


def adjust(now: Moment, act: Adjust) -> Done:
    """Back out a signed award by hand: what was paid comes back, and the right award can be entered."""
    second = Signer("", "executive")
    step = _step(now, act.box, steps.BackOut(by=_person(now), second=second, reason=act.reason))
    if isinstance(step, Refusal):
        return step
    award = award_line(step[0], act.box)
    if award is None:
        return base("box", "the box is out of the round, and so is its award")
    back: list[ev.TableEvent] = [ev.Unmoved(line=award[0], clause=now.clause)] if award[0] in step[0].moved else []
    unpicked = ev.Selected(box=act.box, hand=None, by=now.by, clause=now.clause)
    return [*back, unpicked, ev.AwardLost(box=act.box, clause=now.clause)]


def reseed(now: Moment, act: Reseed) -> Done:
    """Reset the meter once after each award that takes all of it, with or without the box's number."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    named = [number for number, box in current.boxes.items() if "reseed" in box.acts]
    again = "reseed" in current.acts and (not named or act.box is None or act.box in named)
    return now.no("the meter is set back already", "award") if again else []
