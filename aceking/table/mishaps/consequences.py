"""What follows from a ruling: stakes back, hands out, cards moved, questions asked. Each remedy once.

A remedy has its effect, or says in a sentence why it has none, or asks. A test walks through all of them.
"""

from collections.abc import Callable, Mapping

from aceking.award.faults import COURSES
from aceking.rules.refusal import Refusal
from aceking.rules.words import Course, Remedy
from aceking.table import event as ev
from aceking.table.cards.deal_order import dealt_out
from aceking.table.cards.discard_rack import rack_box
from aceking.table.cards.next_card import next_cards
from aceking.table.mishaps import cards as moving
from aceking.table.mishaps import stakes
from aceking.table.mishaps.case import Case, Follow
from aceking.table.mishaps.rebuilding import MISPLACED, changed_boxes, rebuilt, to_draw, why_not
from aceking.table.moment import Now
from aceking.table.money.settling import early_lines, owed
from aceking.table.state import Box, Round

#: Remedies by which play simply goes on, stakes and cards as they lie.
GOES_ON: frozenset[Remedy] = frozenset(
    {
        *("continue", "stands", "settle", "settle-at-maximum", "settle-as-staked", "no-effect"),
        *("raise-or-withdraw", "pay-at-last-value", "lose-ante", "may-raise", "record-stands"),
    }
)


def follow(now: Now, then: Remedy, case: Case) -> Follow:
    """The events of a remedy, or why it has no effect."""
    if then not in _WITHOUT_CARDS and (gone := _unseen_again(now, case)) is not None:
        return gone
    if then in GOES_ON:
        return _without_who_left(now, case) if case.mishap == "walk-away" else []
    done = _REMEDIES[then](now, case)
    return done if not isinstance(done, list) or done else "there is nothing that it could change"


#: Remedies for a box whose cards nobody may look at again.
_WITHOUT_CARDS: frozenset[Remedy] = frozenset(
    {
        *("void-hand", "void-round", "return-all-stakes", "void-round-and-remove-deck", "deemed-fold"),
        *("forfeit-wagers", "dead-cards", "refuse"),
    }
)


def _without_who_left(now: Now, case: Case) -> list[ev.Event]:
    """Play goes on without who walked away: nobody waits for his word on a card for the dealer."""
    current = now.table.live_round
    asked = [box.number for box in current.buying] if current is not None else []
    gone = [number for number in case.boxes if number in asked]
    return [ev.DealerCardChosen(box=number, buys=False, clause=case.clause) for number in gone]


def _unseen_again(now: Now, case: Case) -> str | None:
    """Play does not simply go on with a hand that nobody may check any more, where the book says so."""
    current = now.table.live_round
    if case.mishap != "raked-cards" or now.book.collection.rebuildable is not False or current is None:
        return None
    concerned = [box for box in current.live if box.number in case.boxes and box.racked]
    gone = [box.number for box in concerned if not _was_compared(current, box)]
    return f"the cards of box {gone[0]} may not be looked at again" if gone else None


def _was_compared(current: Round, box: Box) -> bool:
    """Whether nothing hangs on a hand any more: it was given up, or turned, or its chips have moved."""
    own = [line for line in current.lines if line.seat == box.number]
    waiting = any(line.seat == box.number and not line.early for _, line in owed(current))
    return bool(own) and (box.turned or not waiting)


def _round(now: Now, case: Case) -> Round | None:
    """The round that can still be put right: the one that runs, or one just over while no other has begun."""
    if now.table.live_round is not None:
        return now.table.live_round
    over = now.table.round
    return over if over is not None and over.phase == "done" and "before-next-round" in case.given else None


_NO_ROUND = "there is no round that it could change"


# The round, and hands


def _void_round(now: Now, case: Case) -> Follow:
    return stakes.void_round(now, case.clause) if _round(now, case) is not None else _NO_ROUND


def _void_and_remove(now: Now, case: Case) -> Follow:
    if _round(now, case) is None:
        return _NO_ROUND
    gone: list[ev.Event] = [ev.DeckGone(deck=now.table.deck, clause=case.clause)] if now.table.deck else []
    return [*stakes.void_round(now, case.clause), *gone]


def _each_box(now: Now, case: Case, one: Callable[[Now, Round, Box], list[ev.Event]]) -> Follow:
    """The same for each box concerned, one after another."""
    current = _round(now, case)
    if current is None:
        return _NO_ROUND
    if not case.boxes:
        return "no box is named"
    events: list[ev.Event] = []
    for number in case.boxes:
        box = current.boxes.get(number)
        if box is not None and not box.void and not box.forfeited:
            events += one(now.after(events), current, box)
    return events or "no such box is in the round"


def _void_hand(now: Now, case: Case) -> Follow:
    own_fault = case.mishap == "discard-picked-up"
    done = _each_box(
        now, case, lambda then, current, box: stakes.void_hand(then, box.number, case.clause, own_fault=own_fault)
    )
    if not isinstance(done, list):
        return done
    after = now.after(done)
    left = after.table.live_round
    # Nobody is left to play against: the round ends without a result.
    if left is not None and left.phase != "betting" and not left.live:
        return [*done, *stakes.void_round(after, case.clause)]
    return done


def _deemed_fold(now: Now, case: Case) -> Follow:
    if "fold" not in now.book.decide.choices:
        return "no hand is folded in this game"
    return _each_box(now, case, lambda then, current, box: fold_for(then, current, box, case.clause))


def fold_for(now: Now, current: Round, box: Box, clause: str) -> list[ev.Event]:
    """A box whose player is gone folds: now, or when the decisions come. A bet that lies there is a decision."""
    if not box.owes_decision or box.bet or box.left:
        return []
    if current.phase != "deciding" and not dealt_out(now.book, current):
        return [ev.Left(box=box.number, clause=clause)]
    folded = ev.Decided(box=box.number, choice="fold", deemed=True, clause=clause)
    return [folded, *early_lines(now.book, now.table, box, "fold")]


def _deemed_stay(now: Now, case: Case) -> Follow:
    if "stay" not in now.book.decide.choices:
        return "no hand stays without a bet in this game"

    def stay(then: Now, current: Round, box: Box) -> list[ev.Event]:
        if not box.owes_decision or box.bet or not box.cards:
            return []
        # No book says which: the table takes the last cards.
        due = now.book.hands.discards - len(box.aside)
        last = box.kept[len(box.kept) - due :] if due > 0 else ()
        aside = [ev.Discarded(box=box.number, card=card, clause=case.clause) for card in last]
        return [*aside, ev.Decided(box=box.number, choice="stay", deemed=True, clause=case.clause)]

    return _each_box(now, case, stay)


def _forfeit(now: Now, case: Case) -> Follow:
    return _each_box(now, case, lambda then, current, box: stakes.forfeit(then, box.number, case.clause))


def _record_violation(now: Now, case: Case) -> Follow:
    by = f"box {case.boxes[0]}" if case.boxes else "dealer"
    return [ev.Violated(what=case.mishap.replace("-", " "), by=by, at=now.at, clause=case.clause)]


def _dead_cards(now: Now, case: Case) -> Follow:
    """Cards that nobody may look at again. What becomes of stakes that still lie with them no book says."""

    def dead(then: Now, current: Round, box: Box) -> list[ev.Event]:
        if not box.cards:
            return []
        # A hand that is not complete gets its other cards first.
        incomplete = box.racked or len(box.cards) != then.book.hands.cards
        racked = [] if incomplete else rack_box(current, box.number, case.clause)
        if not box.live or _was_compared(current, box):
            return racked
        what = f"the stakes of box {box.number}, whose cards are gone"
        return [*racked, _asked(then, case, then.book.void.last_word, boxes=(box.number,), silent=what)]

    done = _each_box(now, case, dead)
    return "those cards are in the rack, and their stakes are settled" if isinstance(done, str) and case.boxes else done


# Stakes


def _give_back(now: Now, case: Case) -> Follow:
    return _each_box(now, case, lambda then, current, box: stakes.give_back(then, box, case.mishap, case.clause))


def _refuse(now: Now, case: Case) -> Follow:
    """What was tried is not done; chips that were laid down for it go back."""
    return _give_back(now, case) if case.boxes else "what was tried is not done"


# Questions


def _asked(
    now: Now, case: Case, of: str, *, boxes: tuple[int, ...] | None = None, silent: str | None = None
) -> ev.Asked:
    return ev.Asked(
        question=now.table.asked + 1,
        mishap=case.mishap,
        of=of,
        boxes=case.boxes if boxes is None else boxes,
        cards=case.cards,
        unregulated=silent is not None,
        what=silent or "",
        clause=case.clause,
        given=tuple(sorted(case.given)),
    )


def _ask_supervisor(now: Now, case: Case) -> Follow:
    return [_asked(now, case, "supervisor")]


def _ask_house(now: Now, case: Case) -> Follow:
    return [_asked(now, case, now.book.void.last_word)]


def _unregulated(now: Now, case: Case) -> Follow:
    return [_asked(now, case, now.book.void.last_word, silent=f"the book has no rule for {case.mishap}")]


def _offer(now: Now, case: Case) -> Follow:
    """The hands are put right where they can be; then each player concerned goes on or takes the bet back."""
    current = now.table.live_round
    if current is None:
        return _NO_ROUND
    size = now.book.hands.cards
    wrong = [number for number in case.boxes if number in current.boxes and len(current.boxes[number].cards) != size]
    if current.settled and not wrong:
        return "the round is reckoned"
    events: list[ev.Event] = []
    concerned = set(case.boxes)
    can_change = why_not(current) is None
    if can_change and (case.mishap in MISPLACED or "rebuildable" in case.given):
        # Whose cards went to another, and who has them, are both affected.
        concerned |= set(changed_boxes(now.book, current))
    if can_change and "rebuildable" in case.given:
        drawn = next_cards(now, to_draw(now.book, current, case.mishap), case.cards or None)
        if isinstance(drawn, Refusal):
            return drawn
        events += rebuilt(now.book, current, case.clause, drawn=drawn)
    everybody = [box.number for box in current.live if may_choose(box)]
    asked = tuple(number for number in everybody if number in concerned) if concerned else tuple(everybody)
    return [*events, _asked(now, case, "players", boxes=asked)] if asked else events


def may_choose(box: Box) -> bool:
    """Who has left, folded or declared has made his choice."""
    return not box.left and box.choice not in ("fold", "declare")


def _offer_all(now: Now, case: Case) -> Follow:
    everybody = tuple(box.number for box in now.table.live_round.live) if now.table.live_round is not None else ()
    return _offer(now, Case(case.mishap, case.clause, everybody, case.cards, case.given))


# The courses after a fault of the jackpot


def _course(course: Course) -> Callable[[Now, Case], Follow]:
    def take(now: Now, case: Case) -> Follow:
        needs = COURSES[course]
        if needs.boxes and not case.boxes:
            return "no box is named that the fault affects"
        events: list[ev.Event] = [
            ev.CourseTaken(course=course, boxes=case.boxes if needs.boxes else (), clause=case.clause)
        ]
        current = now.table.live_round
        if current is None or current.sequence:
            return events
        # Stakes of a round without a card that the course does not take go back.
        if course == "close-table":
            return [*events, *stakes.void_round(now, case.clause)]
        if course == "block-affected-box":
            after = now.after(events)
            boxes = [number for number in case.boxes if number in current.boxes]
            return [*events, *(one for box in boxes for one in stakes.void_hand(after, box, case.clause))]
        back = [one for box in current.boxes.values() for one in stakes.side_back(box, case.clause)]
        return [*events, *back]

    return take


# Decks


def _deck(then: Remedy) -> Callable[[Now, Case], Follow]:
    """The deck is mixed again, cut again or taken away. Cards that are being dealt are not touched."""

    def touch(now: Now, case: Case) -> Follow:
        table = now.table
        current = table.live_round
        dealt = table.deck if current is not None and current.sequence else None
        names = (table.deck, *table.decks)
        name = next((one for one in names if one is not None and one in table.decks and one != dealt), None)
        if name is None:
            return "the cards are being dealt, and no other deck is at the table"
        if then == "remove-deck":
            return [ev.DeckGone(deck=name, clause=case.clause)]
        if then == "recut" and "cut" not in table.decks[name].acts:
            return "no cut stands that could be made again"
        return [
            ev.Uncut(deck=name, clause=case.clause) if then == "recut" else ev.Unshuffled(deck=name, clause=case.clause)
        ]

    return touch


#: Remedies that are worked out with the ruling or the answer itself: a miscount ruled on as such, a record corrected.
ELSEWHERE: frozenset[Remedy] = frozenset({"as-miscount", "as-reported", "correct-record"})
_REMEDIES: Mapping[Remedy, Callable[[Now, Case], Follow]] = {
    "void-round": _void_round,
    "return-all-stakes": _void_round,
    "void-round-and-remove-deck": _void_and_remove,
    "void-hand": _void_hand,
    "valid-without-box": _void_hand,
    "deemed-fold": _deemed_fold,
    "deemed-stay": _deemed_stay,
    "forfeit-wagers": _forfeit,
    "record-violation": _record_violation,
    "dead-cards": _dead_cards,
    "return-excess": _give_back,
    "return-stake": _give_back,
    "refuse": _refuse,
    "ask-supervisor": _ask_supervisor,
    "hold-deal": _ask_supervisor,
    "ask-house": _ask_house,
    "choose-course": _ask_house,
    "unregulated": _unregulated,
    "offer-choice": _offer,
    "offer-choice-to-all": _offer_all,
    "close-table": _course("close-table"),
    "block-affected-box": _course("block-affected-box"),
    "play-without-jackpot": _course("play-without-jackpot"),
    "reshuffle": _deck("reshuffle"),
    "remove-deck": _deck("remove-deck"),
    "recut": _deck("recut"),
    "complete-hand": moving.complete_hand,
    "discard-and-use-next": moving.discard_and_use_next,
    "replace-from-stub": moving.replace_from_stub,
    "use-as-next": moving.use_as_next,
    "becomes-up-card": moving.becomes_up_card,
    "rebuild": moving.rebuild,
}
