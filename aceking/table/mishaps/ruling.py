"""Rule on a mishap by the book, or ask the person with the last word."""

from msgspec.structs import replace

from aceking.rules.refusal import Refusal
from aceking.rules.rulings import ruling_for
from aceking.rules.words import Circumstance, Mishap
from aceking.table import event as ev
from aceking.table.cards.deal_order import in_packets
from aceking.table.mishaps.case import MishapCase
from aceking.table.mishaps.circumstances import OF_THE_CARDS, circumstances
from aceking.table.mishaps.consequences import apply_remedy
from aceking.table.moment import Done, Moment
from aceking.table.state import JACKPOT


def rule_on(
    now: Moment,
    mishap: Mishap,
    *,
    boxes: tuple[int, ...] = (),
    cards: tuple[int, ...] = (),
    reported: frozenset[Circumstance] = frozenset(),
    count: int | None = None,
) -> Done:
    """Return the book's ruling with its consequences, or an open question; a refusal if a card must be named."""
    known = circumstances(now.book, now.table, now.shoe, mishap, boxes=boxes, cards=cards, reported=reported)
    if count is not None:
        known.add("52-cards" if count == now.book.deck.size else "not-52-cards")
    by_book = ruling_for(now.book, mishap, known)
    if by_book is not None and _is_over(now, mishap) and "before-next-round" not in by_book[1].circumstances:
        # Once a round is settled, only a ruling for that time applies.
        by_book = None
    if by_book is None:
        return [ask_last_word(now, mishap, boxes=boxes, cards=cards, given=known)]
    clause, ruling = by_book
    case = MishapCase(mishap=mishap, clause=clause, boxes=boxes, cards=cards, given=frozenset(known))
    ruled = ev.Ruled(
        mishap=mishap,
        given=tuple(sorted(ruling.circumstances)),
        then=ruling.then,
        boxes=boxes,
        cards=cards,
        clause=clause,
    )
    after = now.after([ruled])
    if ruling.then == "as-miscount":
        return _with([ruled], _as_miscount(after, reported))
    done = apply_remedy(after, ruling.then, case)
    if isinstance(done, Refusal):
        return done
    if isinstance(done, str):
        return [replace(ruled, why=done)]
    if ruling.then == "discard-and-use-next" and in_packets(now.book) and isinstance(done[0], ev.Rearranged):
        # A stack without the card is a short hand; one that is still to come lacks nothing.
        return _with([ruled, *done], _as_miscount(after.after(done), reported))
    return [ruled, *done]


def with_fault(mishap: Mishap, done: Done) -> Done:
    """Mark the jackpot as faulty after a ruling on its fault, until it is fitted anew."""
    if isinstance(done, Refusal) or mishap != "jackpot-fault" or not isinstance(done[0], ev.Ruled):
        return done
    return [*done, ev.DeviceSet(device=JACKPOT, status="faulty", clause=done[0].clause)]


def _is_over(now: Moment, mishap: Mishap) -> bool:
    """Return True if a mishap of the cards is found after its round is settled."""
    return now.table.live_round is None and now.table.round is not None and mishap in OF_THE_CARDS


def _with(events: list[ev.TableEvent], more: Done) -> Done:
    return more if isinstance(more, Refusal) else [*events, *more]


def _as_miscount(now: Moment, reported: frozenset[Circumstance]) -> Done:
    """Rule on hands with a wrong number of cards as miscounts."""
    current = now.table.live_round
    if current is None:
        return []
    size = now.book.hands.cards
    wrong = tuple(box.number for box in current.live if len(box.cards) != size and box.cards)
    if wrong:
        return rule_on(now, "player-miscount", boxes=wrong, reported=reported)
    if now.book.dealer is not None and len(current.dealer) != size:
        return rule_on(now, "dealer-miscount", reported=reported)
    if len(current.community) != now.book.hands.community:
        return rule_on(now, "community-miscount", reported=reported)
    return []


def ask_last_word(
    now: Moment,
    mishap: Mishap,
    *,
    boxes: tuple[int, ...],
    cards: tuple[int, ...],
    given: set[Circumstance],
    what: str = "",
    record: str = "",
) -> ev.Asked:
    """Ask the person with the last word, since the book is silent or the record and the claim differ."""
    silent = ruling_for(now.book, "uncovered", set())
    return ev.Asked(
        question=now.table.asked + 1,
        mishap=mishap,
        of=now.book.void.last_word,
        boxes=boxes,
        cards=cards,
        unregulated=not record,
        what=what or f"the book has no rule for {mishap}",
        record=record,
        given=tuple(sorted(given)),
        clause=silent[0] if silent is not None else now.book.cite("void.last_word"),
    )
