"""Reports of mishaps: a report is checked against the record, and ruled on.

A report that the record refutes changes nothing: it becomes a question to the person with the last word, with both the
record and the claim. If the record cannot tell, some roles are believed, and the reports of others become questions.
"""

from msgspec.structs import replace

from aceking.rules.refusal import Refusal, refusal
from aceking.rules.rulings import ruling_for
from aceking.rules.sentence import said
from aceking.rules.words import Mishap
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.deal_order import in_packets
from aceking.table.commands import Report
from aceking.table.mishaps.circumstances import (
    KNOWN,
    OF_THE_CARDS,
    REPORTERS,
    circumstances,
    counted_cards,
    is_of_earlier_round,
)
from aceking.table.mishaps.evidence import CANNOT_TELL, is_believed, is_confirmed, not_by_count, refuted
from aceking.table.mishaps.ruling import ask_last_word, rule_on, with_fault
from aceking.table.moment import Done, Moment

#: Mishaps that can happen to cards and devices without a round.
_WITHOUT_ROUND: frozenset[Mishap] = frozenset(
    {"improper-cut", "shuffler-fault", "device-count-wrong", "device-still-on-table", "jackpot-fault", "dispute"}
)
#: Mishaps that the table finds by itself, or that have no cause: nobody reports them.
NOT_REPORTED: frozenset[Mishap] = frozenset({"void-round", "stub-miscount", "wrong-declaration"})


def report(now: Moment, command: Report) -> Done:
    """Record a mishap and rule on it. Return the events, or a refusal."""
    book, table, mishap = now.book, now.table, command.mishap
    if mishap in NOT_REPORTED and "earlier-rounds" not in command.facts:
        why, clause = "the table finds that by itself", book.rules_on(mishap)
        if mishap == "void-round":
            why, clause = (
                "a round is void for a cause",
                book.cite("void.stakes") if "void.stakes" in book.by_key else None,
            )
        return Refusal(why, clause) if clause is not None else base("record", why)
    if table.round is None and mishap not in _WITHOUT_ROUND:
        return base("time", "there has been no round")
    if mishap == "walk-away" and not command.boxes and book.rules_on(mishap) is not None:
        return base("input", "name the box that the player left")
    for number in command.boxes:
        if number > book.table.seats_max:
            return refusal(said("there is no box {box}", box=number), book.cite("table.seats_max"))
    command = _just_dealt(now, command)
    boxes = _boxes_concerned(now, command)
    if is_of_earlier_round(table, mishap):
        return _of_earlier_round(now, command)
    if (repeated := _already_reported(now, command, boxes)) is not None:
        return [repeated]
    if (nothing := _of_void_round(now, command)) is not None:
        return [nothing]
    if (against := _against(now, command, boxes)) is not None:
        return [_asked_already(now, against) or against]
    events = _rule(now, command, boxes)
    asked = [one for one in events if isinstance(one, ev.Asked)] if isinstance(events, list) else []
    if len(asked) == 1 and (again := _asked_already(now, asked[0])) is not None:
        return [again]
    return with_fault(mishap, events)


def _just_dealt(now: Moment, command: Report) -> Report:
    """Fill in a dealer's card that nobody named: the last card dealt, while it is the last of the deal."""
    current = now.table.live_round
    if command.mishap != "hole-card-exposed" or command.cards or command.facts or current is None:
        return command
    last = current.sequence[-1:] if current.phase == "dealing" and not in_packets(now.book) else ()
    seen = [card for card in last if card in current.dealer and card != current.up]
    return replace(command, cards=tuple(seen))


def _of_earlier_round(now: Moment, command: Report) -> Done:
    """Rule on an error of an earlier round, found when another has begun: by the book, or as a question."""
    if ruling_for(now.book, "late-found-error", {"after-next-round"}) is not None:
        return rule_on(now, "late-found-error", boxes=command.boxes, cards=command.cards)
    what = f"{now.by} reports {command.mishap.replace('-', ' ')}"
    record = "no card of this round is out: it can only be of a round before"
    asked = ask_last_word(
        now, command.mishap, boxes=command.boxes, cards=command.cards, given=set(), what=what, record=record
    )
    return [_asked_already(now, asked) or asked]


def _rule(now: Moment, command: Report, boxes: tuple[int, ...]) -> Done:
    """Rule on a report. Exposed cards of the dealer and of others are two mishaps, each with its own ruling."""
    current, reported = now.table.round, frozenset(command.facts)
    exposed: tuple[Mishap, ...] = ("hole-card-exposed", "cards-exposed")
    if current is None or command.mishap not in exposed or now.book.dealer is None or not command.cards:
        return rule_on(now, command.mishap, boxes=boxes, cards=command.cards, reported=reported, count=command.count)
    others = tuple(card for card in command.cards if any(card in box.cards for box in current.boxes.values()))
    own = tuple(card for card in command.cards if card not in others)
    if command.mishap == "cards-exposed" and not any(card in current.dealer for card in own):
        return rule_on(now, command.mishap, boxes=boxes, cards=command.cards, reported=reported)
    parts: list[tuple[Mishap, tuple[int, ...]]] = [("hole-card-exposed", own), ("cards-exposed", others)]
    events: list[ev.TableEvent] = []
    for mishap, cards in parts:
        after = now.after(events)
        if not cards or (events and after.table.live_round is None):
            continue
        done = rule_on(after, mishap, boxes=boxes if mishap == "cards-exposed" else (), cards=cards, reported=reported)
        if isinstance(done, Refusal):
            return done
        events += done
    return events


def _boxes_concerned(now: Moment, command: Report) -> tuple[int, ...]:
    """Return the named boxes, or those with the named cards; for a player who walks away, all boxes of that player."""
    current = now.table.round
    if current is None:
        return command.boxes
    boxes = command.boxes or tuple(
        box.number for box in current.boxes.values() if any(card in box.cards for card in command.cards)
    )
    if command.mishap == "player-miscount" and not boxes:
        size = now.book.hands.cards
        boxes = tuple(box.number for box in current.live if len(box.cards) != size)
    if command.mishap != "walk-away":
        return boxes
    absent = {current.boxes[number].player for number in boxes if number in current.boxes}
    return tuple(sorted({*boxes, *(box.number for box in current.boxes.values() if box.player in absent)}))


def _already_reported(now: Moment, command: Report, boxes: tuple[int, ...]) -> ev.Ruled | None:
    """Return the answer to a mishap that is on the record already; None if it is new."""
    current = now.table.round
    if current is None or not (command.cards or command.boxes):
        return None
    if is_confirmed(now.book, now.table, now.shoe, command):
        return None  # the record still shows it, so it is not dealt with
    for earlier in current.found:
        same_cards = bool(command.cards) and not counted_cards(current, command.mishap, command.cards)
        same_boxes = not command.cards and set(earlier.boxes) >= set(command.boxes) and not earlier.cards
        if earlier.mishap == command.mishap and (same_cards or same_boxes) and _is_single(command):
            return ev.Ruled(
                mishap=command.mishap,
                given=(),
                then="no-effect",
                boxes=boxes,
                clause=earlier.clause,
                why="it is on the record already",
            )
    return None


def _of_void_round(now: Moment, command: Report) -> ev.Ruled | None:
    """Return the answer to a mishap of a void round's cards, which changes nothing; None for any other."""
    current = now.table.round
    if current is None or current.phase != "void" or command.mishap not in OF_THE_CARDS:
        return None
    clause = current.found[-1].clause if current.found else None
    return ev.Ruled(
        mishap=command.mishap,
        given=(),
        then="no-effect",
        boxes=command.boxes,
        cards=command.cards,
        clause=clause or "BASE-record",
        why="the round is void",
    )


def _asked_already(now: Moment, asked: ev.Asked) -> ev.Ruled | None:
    """Return the answer to a question that is open already; None if it is new."""
    for question in now.table.questions:
        same = (question.mishap, question.boxes, question.cards) == (asked.mishap, asked.boxes, asked.cards)
        if same and (question.record, question.what) == (asked.record, asked.what):
            return ev.Ruled(
                mishap=asked.mishap,
                given=(),
                then="no-effect",
                boxes=asked.boxes,
                clause=question.clause,
                why=f"question {question.number} asks it already",
            )
    return None


def _is_single(command: Report) -> bool:
    """Return True if the mishap happens once to its cards or hands; people may talk, leave or dispute again."""
    return command.mishap in OF_THE_CARDS or command.mishap == "second-look"


def _against(now: Moment, command: Report, boxes: tuple[int, ...]) -> ev.Asked | None:
    """Return the question that a report becomes if the record refutes it or the role is not believed; else None."""
    record = refuted(now.book, now.table, now.shoe, command)
    known = circumstances(
        now.book, now.table, now.shoe, command.mishap, boxes=boxes, cards=command.cards, reported=frozenset()
    )
    wrong = [fact for fact in command.facts if fact in KNOWN and fact not in known]
    if record is None and wrong and now.table.round is not None:
        record = f"the record does not have: {', '.join(one.replace('-', ' ') for one in wrong)}"
    if record is None and "two-or-more" in command.facts and command.cards and "two-or-more" not in known:
        record = "the record has one card of these"
    if record is None and "found-by-stub-count" in command.facts and now.table.round is not None:
        record = not_by_count(now.table.round, command.mishap)
    not_allowed = [fact for fact in command.facts if fact in REPORTERS and now.role not in REPORTERS[fact]]
    believed = is_believed(command.mishap, now.role) or is_confirmed(now.book, now.table, now.shoe, command)
    if record is None and (not_allowed or not believed):
        record = CANNOT_TELL
    if record is None:
        return None
    what = f"{now.by} reports {command.mishap.replace('-', ' ')}"
    if command.facts:
        what += f" ({', '.join(command.facts)})"
    return ask_last_word(now, command.mishap, boxes=boxes, cards=command.cards, given=known, what=what, record=record)
