"""The dealer's acts after the decisions: reveal, collect and pay in order, rack the cards, end the round."""

from aceking.rules.refusal import Refusal, Unregulated, refusal
from aceking.rules.sentence import said
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.deal_order import boxes_to_discard
from aceking.table.cards.discard_rack import not_racked, rack_box, rack_rest
from aceking.table.commands import (
    AnnounceNoHand,
    CollectAwardCards,
    CollectCards,
    CollectChips,
    Compare,
    CountFold,
    EndGame,
    EndRound,
    Pay,
    Reckon,
    Reconstruct,
    Reveal,
    TurnHand,
)
from aceking.table.mishaps.ruling import rule_on
from aceking.table.moment import Done, Moment
from aceking.table.money.award_lines import is_award
from aceking.table.money.blind_bets import confirm_blind_bets, is_blind
from aceking.table.money.settling import final_lines, miscounted, owed, unmoved, unruled
from aceking.table.phases.betting import dark_chips
from aceking.table.phases.buying import offered
from aceking.table.phases.majors import undeclared
from aceking.table.procedure.conditions.closing import waits_for_award
from aceking.table.procedure.orders import breach_of, is_demanded
from aceking.table.state import Round


def reveal(now: Moment, act: Reveal) -> Done:
    """Turn the hidden cards once everybody has decided."""
    current, book = now.table.live_round, now.book
    if current is None or current.phase != "deciding":
        return now.no("there is nothing to reveal now", "time")
    owing = [box.number for box in current.dealt_in if box.owes_decision and not is_blind(book, box)]
    if owing:
        return now.no(said("box {box} has not decided", box=owing[0]), "time", book="decide.choices")
    if waiting := boxes_to_discard(book, current):
        return refusal(said("box {box} has not discarded", box=waiting[0]), book.cite("bet.antes"))
    events = confirm_blind_bets(book, now.table, None)
    events += offered(now.after(events))
    if not book.rules_on("major-hand-undeclared"):
        return events
    # Hands for a share of the meter that should have been announced when they were seen.
    for number in undeclared(book, current):
        ruled = rule_on(now.after(events), "major-hand-undeclared", boxes=(number,))
        if isinstance(ruled, Refusal):
            return ruled
        events += ruled
    return events


def turn_hand(now: Moment, act: TurnHand) -> Done:
    """Turn a hand once the dealer's or the community cards show."""
    current = now.table.live_round
    if current is None or current.phase != "revealed":
        return now.no("hands are turned after the reveal", "time")
    box = current.boxes.get(act.box)
    if box is None or not box.cards or box.racked or box.void:
        return base("box", said("box {box} has no hand to turn", box=act.box))
    return []


def reckon(now: Moment) -> Done:
    """Settle the round once the cards show and claims were made."""
    if waits := _waits_for_card(now):
        return Refusal(waits, now.book.cite("bought.price_antes"))
    if asked := offered(now):
        # The dealer's hand was complete only after the reveal.
        return asked
    settled = final_lines(now.book, now.table)
    if isinstance(settled, Refusal):
        return settled
    if isinstance(settled, Unregulated):
        return [unregulated(now, settled)]
    return [*dark_chips(now), settled]


def _waits_for_card(now: Moment) -> str | None:
    """Return what is still open if players may buy a card for the dealer; None if nothing is."""
    current = now.table.live_round
    if current is None:
        return None
    if current.buying:
        return f"box {current.buying[0].number} has not said whether it buys a card for the dealer"
    return "the card that was bought for the dealer has not come" if current.awaits_card else None


def unregulated(now: Moment, settled: Unregulated) -> ev.Asked:
    """Ask the person with the last word, since the book does not settle it."""
    return ev.Asked(
        question=now.table.asked + 1,
        mishap="uncovered",
        of=settled.decides,
        unregulated=True,
        what=settled.reason,
        clause=settled.clause,
    )


def reckon_now(now: Moment, act: Reckon) -> Done:
    """Settle the round when the cards show; the settlement itself is made before the act."""
    shown = now.table.round is not None and now.table.round.phase in ("revealed", "done")
    return [] if shown else now.no("the cards are not shown yet", "time")


def collect_chips(now: Moment, act: CollectChips) -> Done:
    """Move the losing wagers of a box to the tray."""
    return _move(now, act, take=True)


def pay(now: Moment, act: Pay) -> Done:
    """Pay what a box has won, and return what it keeps."""
    return _move(now, act, take=False)


def _move(now: Moment, act: CollectChips | Pay, *, take: bool) -> Done:
    """Move the chips of one box, or of all boxes in the book's order."""
    current = now.table.live_round
    if take and current is not None and not current.lines and _are_in_tray(current, act.box):
        # The side chips left the layout before the deal: taking them is recorded, and moves nothing.
        return []
    if current is None or not current.lines:
        return now.no("nothing is settled yet", "time")
    # A lost side wager is in the tray already: taking it is recorded, and moves nothing.
    lines = [
        (number, line)
        for number, line in (unmoved(current) if take else owed(current))
        if (line.outcome == "lose") == take and (act.box is None or line.seat == act.box) and not is_award(line)
    ]
    if not lines:
        return now.no("there is nothing to move for that box", "chips")
    moved: list[ev.TableEvent] = [ev.Moved(line=number, clause=line.clause) for number, line in lines]
    late = _out_of_turn(now, act, lines[0][0])
    if isinstance(late, Refusal):
        return late
    return [late, *moved] if late is not None else moved


def _are_in_tray(current: Round, number: int | None) -> bool:
    """Return True if the side chips of a box, or of any box, have just gone to the tray."""
    boxes = [box for box in current.boxes.values() if number in (None, box.number)]
    return current.phase == "closed" and any(box.trayed for box in boxes)


def _out_of_turn(now: Moment, act: CollectChips | Pay, first_of_box: int) -> ev.Violated | Refusal | None:
    """Check the book's order: passes for losers, pushes and winners, and the order of boxes within a pass.

    Folded and declared hands are cleared as they come; the order is for the hands that are compared.
    """
    current, book = now.table.live_round, now.book
    assert current is not None
    line = current.lines[first_of_box]
    ordered = [number for number, one in owed(current) if not is_award(one) and not one.early]
    if act.box is None or line.early or not ordered or first_of_box == ordered[0]:
        return None
    # A lost side chip in the tray is out of the order; and a book may have no order.
    if first_of_box not in ordered or book.collection.order == "any":
        return None
    due = current.lines[ordered[0]]
    seat_by_seat = "seat" in book.collection.passes
    # If each box is settled as it is reached, its own chips go in any order.
    if seat_by_seat and due.seat == act.box:
        return None
    same_pass = due.outcome == line.outcome or seat_by_seat
    if same_pass and isinstance(act, CollectChips) and not seat_by_seat and not _losers_ordered(now):
        return None
    where = book.cite("collection.order" if same_pass else "collection.passes")
    what = f"box {act.box} was served before box {due.seat}"
    return breach_of(book, now.table, act, "paid-in-order", what, at=now.at, otherwise=where)


def _losers_ordered(now: Moment) -> bool:
    """Return True if the book orders the losers among themselves."""
    return is_demanded(now.book, "collect-chips", "paid-in-order") or not is_demanded(now.book, "pay", "paid-in-order")


def collect_cards(now: Moment, act: CollectCards | CollectAwardCards) -> Done:
    """Rack cards in an order from which every hand can be rebuilt."""
    current, book = now.table.live_round, now.book
    if current is None:
        return base("time", "there is no round")
    if act.box is None:
        open_boxes = [box.number for box in current.boxes.values() if not box.racked and box.cards]
        if open_boxes:
            return now.no(said("box {box} still has its cards", box=open_boxes[0]), "time")
        if not current.settled:
            return now.no("the round is not settled", "time", book="collection.order")
        rest = rack_rest(book, current, now.clause)
        return rest or now.no("there are no cards to collect", "time")
    box = current.boxes.get(act.box)
    if box is None or not box.cards or box.racked:
        return now.no("there are no cards to collect", "time")
    to_come = box.live and not current.settled and not box.ended_early
    # A folded hand that can win an award stays until that is known.
    to_come = to_come or (waits_for_award(book, box) and not current.settled)
    if to_come or (any(line.seat == act.box for _, line in owed(current)) and not box.void):
        return now.no(said("box {box} is not settled", box=act.box), "time", book="collection.order")
    if box.live and not current.settled and (wrong := miscounted(book, box)) is not None:
        return wrong
    papers = book.collection.holds_for_papers and current.from_meter.get(act.box)
    if papers and act.box not in current.documented:
        return Refusal("the hand stays until its papers are done", book.cite("collection.holds_for_papers"))
    return rack_box(current, act.box, now.clause)


def compare(now: Moment, act: Compare) -> Done:
    """Compare a hand that is there with the dealer's."""
    current = now.round()
    if isinstance(current, Refusal):
        return current
    box = current.boxes.get(act.box) if act.box is not None else None
    return (
        now.no(said("box {box} has no cards", box=act.box), "box")
        if act.box is not None and (box is None or not box.cards)
        else []
    )


def announce_no_hand(now: Moment, act: AnnounceNoHand) -> Done:
    """Say that the bank has no hand, in a round."""
    current = now.round()
    return current if isinstance(current, Refusal) else []


def reconstruct(now: Moment, act: Reconstruct) -> Done:
    """Rebuild the hands of a round from the rack, if it has cards."""
    last = now.table.round
    return [] if last is not None and last.rack else now.no("nothing lies in the rack", "time")


def count_fold(now: Moment, act: CountFold) -> Done:
    """Spread and count the cards of a folded box."""
    current = now.table.live_round
    box = current.boxes.get(act.box) if current is not None else None
    if box is None or not box.gave_up or box.racked:
        return now.no(said("box {box} has no folded cards", box=act.box), "box")
    return []


def _is_of_void_round(now: Moment, current: Round) -> bool:
    """Return True if the running game was voided, so that the key only resets the system."""
    return now.table.game_runs and (current.phase == "void" or "START GAME" not in current.acts)


def end_round(now: Moment, act: EndRound | EndGame) -> Done:
    """End the round when everything is paid and every card is in the rack."""
    current = now.table.round
    if isinstance(act, EndGame) and current is not None and _is_of_void_round(now, current):
        return []
    if current is None or current.phase in ("done", "void"):
        return now.no("there is no round to end", "time")
    if not current.settled:
        return now.no("the round is not settled", "time", book="collection.order")
    if waiting := owed(current):
        return now.no(said("box {box} is not settled", box=waiting[0][1].seat), "time", book="collection.order")
    if (wrong := unruled(now.book, current)) is not None and (refused := miscounted(now.book, wrong)) is not None:
        return refused
    if left := not_racked(current):
        return refusal(said("the cards of {left} are not in the rack", left=left), now.book.cite("collection.order"))
    return [ev.RoundEnded(at=now.at, counted=current.counted, clause=now.clause)]
