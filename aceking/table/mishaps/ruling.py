"""What a book rules on a mishap, with what follows from it; or a question to the person with the last word."""

from msgspec.structs import replace

from aceking.rules.refusal import Refusal
from aceking.rules.rulings import ruling_for
from aceking.rules.words import Circumstance, Mishap
from aceking.table import event as ev
from aceking.table.cards.deal_order import in_packets
from aceking.table.mishaps.case import Case
from aceking.table.mishaps.circumstances import OF_THE_CARDS, circumstances
from aceking.table.mishaps.consequences import follow
from aceking.table.moment import Done, Now
from aceking.table.state import JACKPOT


def rule_on(
    now: Now,
    mishap: Mishap,
    *,
    boxes: tuple[int, ...] = (),
    cards: tuple[int, ...] = (),
    told: frozenset[Circumstance] = frozenset(),
    count: int | None = None,
) -> Done:
    """The ruling of the book with what follows from it, or an open question; refused where a card must be named."""
    known = circumstances(now.book, now.table, now.shoe, mishap, boxes=boxes, cards=cards, told=told)
    if count is not None:
        known.add("52-cards" if count == now.book.deck.size else "not-52-cards")
    found = ruling_for(now.book, mishap, known)
    if found is not None and _is_over(now, mishap) and "before-next-round" not in found[1].wants:
        # Once a round is settled only what the book says of that time applies.
        found = None
    if found is None:
        return [ask_last_word(now, mishap, boxes=boxes, cards=cards, given=known)]
    clause, ruling = found
    case = Case(mishap=mishap, clause=clause, boxes=boxes, cards=cards, given=frozenset(known))
    ruled = ev.Ruled(
        mishap=mishap,
        given=tuple(sorted(ruling.wants)),
        then=ruling.then,
        boxes=boxes,
        cards=cards,
        clause=clause,
    )
    after = now.after([ruled])
    if ruling.then == "as-miscount":
        return _with([ruled], _as_miscount(after, told))
    done = follow(after, ruling.then, case)
    if isinstance(done, Refusal):
        return done
    if isinstance(done, str):
        return [replace(ruled, why=done)]
    if ruling.then == "discard-and-use-next" and in_packets(now.book) and isinstance(done[0], ev.Rearranged):
        # A stack without the card is a hand too short; of one that is still to come nothing is missing.
        return _with([ruled, *done], _as_miscount(after.after(done), told))
    return [ruled, *done]


def with_fault(mishap: Mishap, done: Done) -> Done:
    """A fault of the jackpot that was ruled on leaves it out of order until it is fitted anew."""
    if isinstance(done, Refusal) or mishap != "jackpot-fault" or not isinstance(done[0], ev.Ruled):
        return done
    return [*done, ev.DeviceSet(device=JACKPOT, status="faulty", clause=done[0].clause)]


def _is_over(now: Now, mishap: Mishap) -> bool:
    """Whether a mishap of the cards is found after its round is settled."""
    return now.table.live_round is None and now.table.round is not None and mishap in OF_THE_CARDS


def _with(events: list[ev.Event], more: Done) -> Done:
    return more if isinstance(more, Refusal) else [*events, *more]


def _as_miscount(now: Now, told: frozenset[Circumstance]) -> Done:
    """Hands with a wrong number of cards are ruled on as what they are."""
    current = now.table.live_round
    if current is None:
        return []
    size = now.book.hands.cards
    wrong = tuple(box.number for box in current.live if len(box.cards) != size and box.cards)
    if wrong:
        return rule_on(now, "player-miscount", boxes=wrong, told=told)
    if now.book.dealer is not None and len(current.dealer) != size:
        return rule_on(now, "dealer-miscount", told=told)
    if len(current.community) != now.book.hands.community:
        return rule_on(now, "community-miscount", told=told)
    return []


def ask_last_word(
    now: Now,
    mishap: Mishap,
    *,
    boxes: tuple[int, ...],
    cards: tuple[int, ...],
    given: set[Circumstance],
    what: str = "",
    record: str = "",
) -> ev.Asked:
    """A question to the person whom the book gives the last word: it is silent, or record and claim differ."""
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
