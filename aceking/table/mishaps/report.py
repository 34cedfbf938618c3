"""When something goes wrong: a report is held against the record, and ruled on.

What the record refutes moves nothing: it becomes a question to the person with the last word, record and claim side by
side. What the record cannot tell is believed of those who may say it, and asked about where it comes from others.
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
    TOLD,
    circumstances,
    counted_cards,
    is_of_earlier_round,
)
from aceking.table.mishaps.evidence import CANNOT_TELL, borne_out, may_tell, not_by_count, refuted
from aceking.table.mishaps.ruling import ask_last_word, rule_on, with_fault
from aceking.table.moment import Done, Now

#: What can happen to cards and devices while no round runs.
_WITHOUT_ROUND: frozenset[Mishap] = frozenset(
    {"improper-cut", "shuffler-fault", "device-count-wrong", "device-still-on-table", "jackpot-fault", "dispute"}
)
#: What the table finds by itself, or what has no cause: nobody reports it.
NOT_REPORTED: frozenset[Mishap] = frozenset({"void-round", "stub-miscount", "wrong-declaration"})


def report(now: Now, command: Report) -> Done:
    """A mishap is put on the record, and ruled on."""
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
        return base("input", "from which box did the player walk away?")
    for number in command.boxes:
        if number > book.table.seats_max:
            return refusal(said("there is no box {box}", box=number), book.cite("table.seats_max"))
    command = _just_dealt(now, command)
    boxes = _boxes_concerned(now, command)
    if is_of_earlier_round(table, mishap):
        return _of_earlier_round(now, command)
    if (repeated := _told_before(now, command, boxes)) is not None:
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


def _just_dealt(now: Now, command: Report) -> Report:
    """A card of the dealer's that nobody names was seen as it was dealt: the last one, while it is the last of all."""
    current = now.table.live_round
    if command.mishap != "hole-card-exposed" or command.cards or command.facts or current is None:
        return command
    last = current.sequence[-1:] if current.phase == "dealing" and not in_packets(now.book) else ()
    seen = [card for card in last if card in current.dealer and card != current.up]
    return replace(command, cards=tuple(seen))


def _of_earlier_round(now: Now, command: Report) -> Done:
    """An error of a round before, found when another has begun: the book's word on that, or a question."""
    if ruling_for(now.book, "late-found-error", {"after-next-round"}) is not None:
        return rule_on(now, "late-found-error", boxes=command.boxes, cards=command.cards)
    what = f"{now.by} reports {command.mishap.replace('-', ' ')}"
    record = "no card of this round is out: it can only be of a round before"
    asked = ask_last_word(
        now, command.mishap, boxes=command.boxes, cards=command.cards, given=set(), what=what, record=record
    )
    return [_asked_already(now, asked) or asked]


def _rule(now: Now, command: Report, boxes: tuple[int, ...]) -> Done:
    """Exposed cards of the dealer and of others are two mishaps, each with its own ruling."""
    current, told = now.table.round, frozenset(command.facts)
    exposed: tuple[Mishap, ...] = ("hole-card-exposed", "cards-exposed")
    if current is None or command.mishap not in exposed or now.book.dealer is None or not command.cards:
        return rule_on(now, command.mishap, boxes=boxes, cards=command.cards, told=told, count=command.count)
    others = tuple(card for card in command.cards if any(card in box.cards for box in current.boxes.values()))
    own = tuple(card for card in command.cards if card not in others)
    if command.mishap == "cards-exposed" and not any(card in current.dealer for card in own):
        return rule_on(now, command.mishap, boxes=boxes, cards=command.cards, told=told)
    parts: list[tuple[Mishap, tuple[int, ...]]] = [("hole-card-exposed", own), ("cards-exposed", others)]
    events: list[ev.Event] = []
    for mishap, cards in parts:
        after = now.after(events)
        if not cards or (events and after.table.live_round is None):
            continue
        done = rule_on(after, mishap, boxes=boxes if mishap == "cards-exposed" else (), cards=cards, told=told)
        if isinstance(done, Refusal):
            return done
        events += done
    return events


def _boxes_concerned(now: Now, command: Report) -> tuple[int, ...]:
    """The boxes that were named, or those whose cards they are; who walks away leaves all his boxes."""
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
    gone = {current.boxes[number].player for number in boxes if number in current.boxes}
    return tuple(sorted({*boxes, *(box.number for box in current.boxes.values() if box.player in gone)}))


def _told_before(now: Now, command: Report, boxes: tuple[int, ...]) -> ev.Ruled | None:
    """The same mishap again is one mishap: on the record it is already."""
    current = now.table.round
    if current is None or not (command.cards or command.boxes):
        return None
    if borne_out(now.book, now.table, now.shoe, command):
        return None  # what the record still shows is not dealt with
    for one in current.found:
        same_cards = bool(command.cards) and not counted_cards(current, command.mishap, command.cards)
        same_boxes = not command.cards and set(one.boxes) >= set(command.boxes) and not one.cards
        if one.mishap == command.mishap and (same_cards or same_boxes) and _is_single(command):
            return ev.Ruled(
                mishap=command.mishap,
                given=(),
                then="no-effect",
                boxes=boxes,
                clause=one.clause,
                why="it is on the record already",
            )
    return None


def _of_void_round(now: Now, command: Report) -> ev.Ruled | None:
    """Whatever else went wrong with the cards of a void round, there is nothing left that it could change."""
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


def _asked_already(now: Now, asked: ev.Asked) -> ev.Ruled | None:
    """The same question while it is open is one question."""
    for one in now.table.questions:
        same = (one.mishap, one.boxes, one.cards) == (asked.mishap, asked.boxes, asked.cards)
        if same and (one.record, one.what) == (asked.record, asked.what):
            return ev.Ruled(
                mishap=asked.mishap,
                given=(),
                then="no-effect",
                boxes=asked.boxes,
                clause=one.clause,
                why=f"question {one.number} asks it already",
            )
    return None


def _is_single(command: Report) -> bool:
    """A mishap of cards or hands happens once to them; people may talk, leave or dispute again."""
    return command.mishap in OF_THE_CARDS or command.mishap == "second-look"


def _against(now: Now, command: Report, boxes: tuple[int, ...]) -> ev.Asked | None:
    """The question that a report becomes: where the record refutes it, or where its word is not enough."""
    record = refuted(now.book, now.table, now.shoe, command)
    known = circumstances(
        now.book, now.table, now.shoe, command.mishap, boxes=boxes, cards=command.cards, told=frozenset()
    )
    wrong = [fact for fact in command.facts if fact in KNOWN and fact not in known]
    if record is None and wrong and now.table.round is not None:
        record = f"the record does not have: {', '.join(one.replace('-', ' ') for one in wrong)}"
    if record is None and "two-or-more" in command.facts and command.cards and "two-or-more" not in known:
        record = "the record has one card of these"
    if record is None and "found-by-stub-count" in command.facts and now.table.round is not None:
        record = not_by_count(now.table.round, command.mishap)
    untold = [fact for fact in command.facts if fact in TOLD and now.role not in TOLD[fact]]
    believed = may_tell(command.mishap, now.role) or borne_out(now.book, now.table, now.shoe, command)
    if record is None and (untold or not believed):
        record = CANNOT_TELL
    if record is None:
        return None
    what = f"{now.by} reports {command.mishap.replace('-', ' ')}"
    if command.facts:
        what += f" ({', '.join(command.facts)})"
    return ask_last_word(now, command.mishap, boxes=boxes, cards=command.cards, given=known, what=what, record=record)
