"""Apply the remedy of a ruling: return stakes, void hands, move cards, ask questions.

A remedy has events, or a sentence that says why it has no effect, or asks. A test applies all of them.
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
from aceking.table.mishaps.case import MishapCase, RemedyResult
from aceking.table.mishaps.rebuilding import MISPLACED, cannot_rebuild, changed_boxes, rebuilt, to_draw
from aceking.table.moment import Moment
from aceking.table.money.settling import early_lines, owed
from aceking.table.state import Box, Round

#: Remedies by which play goes on, with stakes and cards as they are.
GOES_ON: frozenset[Remedy] = frozenset(
    {
        *("continue", "stands", "settle", "settle-at-maximum", "settle-as-staked", "no-effect"),
        *("raise-or-withdraw", "pay-at-last-value", "lose-ante", "may-raise", "record-stands"),
    }
)


def apply_remedy(now: Moment, then: Remedy, case: MishapCase) -> RemedyResult:
    """Return the events of a remedy, or why it has no effect, or a refusal."""
    if then not in _WITHOUT_CARDS and (gone := _no_second_look(now, case)) is not None:
        return gone
    if then in GOES_ON:
        return _decline_for_absent(now, case) if case.mishap == "walk-away" else []
    done = _REMEDIES[then](now, case)
    return done if not isinstance(done, list) or done else "there is nothing that it could change"


#: Remedies for a box whose cards may not be looked at again.
_WITHOUT_CARDS: frozenset[Remedy] = frozenset(
    {
        *("void-hand", "void-round", "return-all-stakes", "void-round-and-remove-deck", "deemed-fold"),
        *("forfeit-wagers", "dead-cards", "refuse"),
    }
)


def _decline_for_absent(now: Moment, case: MishapCase) -> list[ev.TableEvent]:
    """Decline the card for the dealer for players who walked away, so that nobody waits for them."""
    current = now.table.live_round
    asked = [box.number for box in current.buying] if current is not None else []
    absent = [number for number in case.boxes if number in asked]
    return [ev.DealerCardChosen(box=number, buys=False, clause=case.clause) for number in absent]


def _no_second_look(now: Moment, case: MishapCase) -> str | None:
    """Return why play cannot go on with a racked hand that the book does not allow to be checked again."""
    current = now.table.live_round
    if case.mishap != "raked-cards" or now.book.collection.rebuildable is not False or current is None:
        return None
    concerned = [box for box in current.live if box.number in case.boxes and box.racked]
    gone = [box.number for box in concerned if not _was_compared(current, box)]
    return f"the cards of box {gone[0]} may not be looked at again" if gone else None


def _was_compared(current: Round, box: Box) -> bool:
    """Return True if nothing depends on a hand any more: it was folded or turned, or its chips have moved."""
    own = [line for line in current.lines if line.seat == box.number]
    waiting = any(line.seat == box.number and not line.early for _, line in owed(current))
    return bool(own) and (box.turned or not waiting)


def _round(now: Moment, case: MishapCase) -> Round | None:
    """Return the round that can still be put right: the current one, or the last one before another begins."""
    if now.table.live_round is not None:
        return now.table.live_round
    over = now.table.round
    return over if over is not None and over.phase == "done" and "before-next-round" in case.given else None


_NO_ROUND = "there is no round that it could change"


# The round, and hands


def _void_round(now: Moment, case: MishapCase) -> RemedyResult:
    return stakes.void_round(now, case.clause) if _round(now, case) is not None else _NO_ROUND


def _void_and_remove(now: Moment, case: MishapCase) -> RemedyResult:
    if _round(now, case) is None:
        return _NO_ROUND
    gone: list[ev.TableEvent] = [ev.DeckGone(deck=now.table.deck, clause=case.clause)] if now.table.deck else []
    return [*stakes.void_round(now, case.clause), *gone]


def _each_box(now: Moment, case: MishapCase, do: Callable[[Moment, Round, Box], list[ev.TableEvent]]) -> RemedyResult:
    """Apply the same to each box concerned, one after another."""
    current = _round(now, case)
    if current is None:
        return _NO_ROUND
    if not case.boxes:
        return "no box is named"
    events: list[ev.TableEvent] = []
    for number in case.boxes:
        box = current.boxes.get(number)
        if box is not None and not box.void and not box.forfeited:
            events += do(now.after(events), current, box)
    return events or "no such box is in the round"


def _void_hand(now: Moment, case: MishapCase) -> RemedyResult:
    own_fault = case.mishap == "discard-picked-up"
    done = _each_box(
        now, case, lambda then, current, box: stakes.void_hand(then, box.number, case.clause, own_fault=own_fault)
    )
    if not isinstance(done, list):
        return done
    after = now.after(done)
    left = after.table.live_round
    # No hand is left to play: the round ends without a result.
    if left is not None and left.phase != "betting" and not left.live:
        return [*done, *stakes.void_round(after, case.clause)]
    return done


def _deemed_fold(now: Moment, case: MishapCase) -> RemedyResult:
    if "fold" not in now.book.decide.choices:
        return "no hand is folded in this game"
    return _each_box(now, case, lambda then, current, box: fold_for(then, current, box, case.clause))


def fold_for(now: Moment, current: Round, box: Box, clause: str) -> list[ev.TableEvent]:
    """Fold for a player who is gone: now, or when decisions are due. A bet that was placed is a decision."""
    if not box.owes_decision or box.bet or box.left:
        return []
    if current.phase != "deciding" and not dealt_out(now.book, current):
        return [ev.Left(box=box.number, clause=clause)]
    folded = ev.Decided(box=box.number, choice="fold", deemed=True, clause=clause)
    return [folded, *early_lines(now.book, now.table, box, "fold")]


def _deemed_stay(now: Moment, case: MishapCase) -> RemedyResult:
    if "stay" not in now.book.decide.choices:
        return "no hand stays without a bet in this game"

    def stay(then: Moment, current: Round, box: Box) -> list[ev.TableEvent]:
        if not box.owes_decision or box.bet or not box.cards:
            return []
        # No book says which cards to discard: the table takes the last ones.
        due = now.book.hands.discards - len(box.aside)
        last = box.kept[len(box.kept) - due :] if due > 0 else ()
        aside = [ev.Discarded(box=box.number, card=card, clause=case.clause) for card in last]
        return [*aside, ev.Decided(box=box.number, choice="stay", deemed=True, clause=case.clause)]

    return _each_box(now, case, stay)


def _forfeit(now: Moment, case: MishapCase) -> RemedyResult:
    return _each_box(now, case, lambda then, current, box: stakes.forfeit(then, box.number, case.clause))


def _record_violation(now: Moment, case: MishapCase) -> RemedyResult:
    by = f"box {case.boxes[0]}" if case.boxes else "dealer"
    return [ev.Violated(what=case.mishap.replace("-", " "), by=by, at=now.at, clause=case.clause)]


def _dead_cards(now: Moment, case: MishapCase) -> RemedyResult:
    """Rack cards that may not be looked at again. No book says what becomes of their stakes: that is asked."""

    def dead(then: Moment, current: Round, box: Box) -> list[ev.TableEvent]:
        if not box.cards:
            return []
        # An incomplete hand gets its other cards first.
        incomplete = box.racked or len(box.cards) != then.book.hands.cards
        racked = [] if incomplete else rack_box(current, box.number, case.clause)
        if not box.live or _was_compared(current, box):
            return racked
        what = f"the stakes of box {box.number}, whose cards are gone"
        return [*racked, _asked(then, case, then.book.void.last_word, boxes=(box.number,), silent=what)]

    done = _each_box(now, case, dead)
    return "those cards are in the rack, and their stakes are settled" if isinstance(done, str) and case.boxes else done


# Stakes


def _give_back(now: Moment, case: MishapCase) -> RemedyResult:
    return _each_box(now, case, lambda then, current, box: stakes.give_back(then, box, case.mishap, case.clause))


def _refuse(now: Moment, case: MishapCase) -> RemedyResult:
    """Refuse what was tried; chips placed for it go back."""
    return _give_back(now, case) if case.boxes else "what was tried is not done"


# Questions


def _asked(
    now: Moment, case: MishapCase, of: str, *, boxes: tuple[int, ...] | None = None, silent: str | None = None
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


def _ask_supervisor(now: Moment, case: MishapCase) -> RemedyResult:
    return [_asked(now, case, "supervisor")]


def _ask_house(now: Moment, case: MishapCase) -> RemedyResult:
    return [_asked(now, case, now.book.void.last_word)]


def _unregulated(now: Moment, case: MishapCase) -> RemedyResult:
    return [_asked(now, case, now.book.void.last_word, silent=f"the book has no rule for {case.mishap}")]


def _offer(now: Moment, case: MishapCase) -> RemedyResult:
    """Put the hands right if possible; then each player concerned goes on or takes the bet back."""
    current = now.table.live_round
    if current is None:
        return _NO_ROUND
    size = now.book.hands.cards
    wrong = [number for number in case.boxes if number in current.boxes and len(current.boxes[number].cards) != size]
    if current.settled and not wrong:
        return "the round is reckoned"
    events: list[ev.TableEvent] = []
    concerned = set(case.boxes)
    can_change = cannot_rebuild(current) is None
    if can_change and (case.mishap in MISPLACED or "rebuildable" in case.given):
        # The boxes whose cards went to others, and those that have them, are both affected.
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
    """Return True unless the player has left, folded or declared."""
    return not box.left and not box.ended_early


def _offer_all(now: Moment, case: MishapCase) -> RemedyResult:
    everybody = tuple(box.number for box in now.table.live_round.live) if now.table.live_round is not None else ()
    return _offer(now, MishapCase(case.mishap, case.clause, everybody, case.cards, case.given))


# The courses after a fault of the jackpot


def _course(course: Course) -> Callable[[Moment, MishapCase], RemedyResult]:
    def take(now: Moment, case: MishapCase) -> RemedyResult:
        needs = COURSES[course]
        if needs.boxes and not case.boxes:
            return "no box is named that the fault affects"
        events: list[ev.TableEvent] = [
            ev.CourseTaken(course=course, boxes=case.boxes if needs.boxes else (), clause=case.clause)
        ]
        current = now.table.live_round
        if current is None or current.sequence:
            return events
        # Before the first card, stakes that the course excludes go back.
        if course == "close-table":
            return [*events, *stakes.void_round(now, case.clause)]
        if course == "block-affected-box":
            after = now.after(events)
            boxes = [number for number in case.boxes if number in current.boxes]
            return [*events, *(event for box in boxes for event in stakes.void_hand(after, box, case.clause))]
        back = [event for box in current.boxes.values() for event in stakes.side_back(box, case.clause)]
        return [*events, *back]

    return take


# Decks


def _deck(then: Remedy) -> Callable[[Moment, MishapCase], RemedyResult]:
    """Return a remedy that shuffles, cuts or removes the deck. A deck that is being dealt is not touched."""

    def touch(now: Moment, case: MishapCase) -> RemedyResult:
        table = now.table
        current = table.live_round
        dealt = table.deck if current is not None and current.sequence else None
        names = (table.deck, *table.decks)
        name = next((deck for deck in names if deck is not None and deck in table.decks and deck != dealt), None)
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


_REMEDIES: Mapping[Remedy, Callable[[Moment, MishapCase], RemedyResult]] = {
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
