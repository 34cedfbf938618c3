"""An award of the progressive at the table: picked by the dealer, confirmed, signed, paid, and backed out.

The way of an award, and who may do what on it, is owned by `aceking/award/steps.py`, for meter and table alike; the
table has the acts, the cards and the chips. Where it names nobody, only the parts of people are asked for.
"""

from aceking.award import steps
from aceking.award.authority import Person, Role
from aceking.award.steps import Award, terms_of
from aceking.cards.card import Card, names
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
from aceking.table.moment import Done, Now
from aceking.table.money.award_lines import award_line, held_row, is_award, is_signed
from aceking.table.money.settling import owed
from aceking.table.state import Round

#: The parts of a table in the words of an award.
_ROLES: dict[Actor, Role] = {"dealer": "dealer", "supervisor": "supervisor", "floorperson": "supervisor"}


def _person(now: Now, *, role: Role | None = None) -> Person:
    """Who acts: without a name where the table was told none."""
    name = "" if now.by == now.role else now.by
    return Person(name, role or _ROLES.get(now.role, "executive"))


def _step(now: Now, box: int, act: steps.Act) -> tuple[Round, Award] | Refusal:
    """The award of a box, where its way lets this act come now."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    award = current.awards.get(box)
    if award is None:
        return now.no(said("no award was picked for box {box}", box=box), "award")
    refused = steps.refusal(now.book, award, act, terms_of(now.book))
    return (current, award) if refused is None else now.no(refused.reason, "award")


def _asked(now: Now, box: int, act: steps.Act) -> Done:
    found = _step(now, box, act)
    return found if isinstance(found, Refusal) else []


def select_winner(now: Now, act: SelectWinner) -> Done:
    """The dealer picks the box and hand of an award; the same again takes it back."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    if is_signed(now.book, current, act.box):
        return now.no("the award is signed; only an adjustment undoes it", "award")
    picked = current.selected.get(act.box)
    if picked is not None and act.hand in (None, picked):
        return [ev.Selected(box=act.box, hand=None, by=now.by, clause=now.clause)]
    box, found = current.boxes.get(act.box), award_line(current, act.box)
    back: list[ev.Event] = []
    if box is not None and box.unawarded:
        # What was backed out may be entered anew: the round is reckoned with it again.
        back = [ev.AwardLost(box=act.box, back=True, clause=now.clause)]
    elif found is None:
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
    amount = found[1].pays if found is not None else 0
    return [*back, ev.Selected(box=act.box, hand=held, by=now.by, amount=amount, clause=now.clause)]


def call_supervisor(now: Now, act: CallSupervisor) -> Done:
    """The dealer calls for the check of an award that he picked."""
    return _asked(now, act.box, steps.Call(by=_person(now)))


def validate(now: Now, act: Validate) -> Done:
    """Another person has looked at the light and at the cards, and confirms."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    box = current.boxes.get(act.box)
    if box is None:
        return base("box", said("box {box} is not in the round", box=act.box))
    cards = names(tuple(Card(one) for one in box.cards))
    hand = current.selected.get(act.box, "")
    return _asked(now, act.box, steps.Verify(by=_person(now), hand=hand, cards=cards, light=box.lit))


def swipe(now: Now, act: SwipeCard) -> Done:
    """A card is swiped for a confirmed award; who confirmed it at the table may swipe his own card."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    award = current.awards.get(act.box)
    role: Role = "executive" if act.card == "executive" else "supervisor"
    by = _person(now, role=role)
    if award is not None and award.verifier == now.by:
        by = Person("", role)
    amount = act.amount if act.amount is not None else award.amount if award is not None else 0
    return _asked(now, act.box, steps.Sign(by=by, amount=amount))


def print_page(now: Now, act: PrintWinPage) -> Done:
    """The paper of a signed award."""
    return _asked(now, act.box, steps.PrintPage(by=_person(now)))


def complete_papers(now: Now, act: CompletePapers) -> Done:
    """The papers of an award can be done when it is final."""
    return _asked(now, act.box, steps.PrintPage(by=_person(now)))


def pay_award(now: Now, act: PayAward) -> Done:
    """An award is paid, in the book's order; where the book has its people, after them."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    found = award_line(current, act.box)
    if found is None:
        return now.no(said("box {box} has no award", box=act.box), "award")
    number, line = found
    if number in current.moved:
        return now.no(said("the award of box {box} is paid", box=act.box), "award")
    if (first := _paid_first(now, current, number, line)) is not None:
        return first
    return [ev.Moved(line=number, clause=line.clause)]


def _paid_first(now: Now, current: Round, number: int, line: Line) -> Refusal | None:
    """Whether another box comes before it: of all awards, or of those that come off the meter."""
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


def lock(now: Now, act: LockAward) -> Done:
    """The meter that a table is linked to owns the amount: others may have fed it since, or share in it."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    found = award_line(current, act.box)
    if found is None:
        return now.no(said("box {box} has no award", box=act.box), "award")
    if found[0] in current.moved:
        return now.no(said("the award of box {box} is paid", box=act.box), "award")
    if not 0 <= act.from_meter <= act.amount:
        return base("input", "no more comes off the meter than the award is")
    return [ev.AwardLocked(box=act.box, amount=act.amount, from_meter=act.from_meter, clause=found[1].clause)]


def adjust(now: Now, act: Adjust) -> Done:
    """A signed award is backed out by hand: what was paid comes back, and the right one can be entered."""
    second = Person("", "executive")
    found = _step(now, act.box, steps.BackOut(by=_person(now), second=second, reason=act.reason))
    if isinstance(found, Refusal):
        return found
    award = award_line(found[0], act.box)
    if award is None:
        return base("box", "the box is out of the round, and so is its award")
    back: list[ev.Event] = [ev.Unmoved(line=award[0], clause=now.clause)] if award[0] in found[0].moved else []
    unpicked = ev.Selected(box=act.box, hand=None, by=now.by, clause=now.clause)
    return [*back, unpicked, ev.AwardLost(box=act.box, clause=now.clause)]


def reseed(now: Now, act: Reseed) -> Done:
    """The meter is set back: once after each award that takes all of it, whether or not its box is named."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    named = [number for number, box in current.boxes.items() if "reseed" in box.acts]
    again = "reseed" in current.acts and (not named or act.box is None or act.box in named)
    return now.no("the meter is set back already", "award") if again else []
