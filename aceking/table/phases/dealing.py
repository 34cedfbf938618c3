"""The deal: one card or one packet at a time, to the place that is due, or to where it really went."""

from aceking.rules.refusal import Refusal, refusal
from aceking.rules.sentence import said
from aceking.rules.words import Circumstance, Mishap
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.deal_order import (
    burns,
    dealt_out,
    due_places,
    hand_size,
    in_packets,
    last_place,
    next_due,
    up_card_of_packet,
)
from aceking.table.cards.discard_rack import stub_size
from aceking.table.cards.next_card import next_card, next_cards
from aceking.table.cards.place import BURN, COMMUNITY, DEALER, STUB, Place
from aceking.table.commands import Burn, CountStub, DealCard, DealPacket, Face, GoAhead, RackStub, TurnUpCard
from aceking.table.devices import AUTOMATED_SHOE, kind_of, was_removed
from aceking.table.mishaps.circumstances import is_misdealt
from aceking.table.mishaps.ruling import rule_on
from aceking.table.moment import Done, Moment
from aceking.table.procedure.orders import breach_of, clause_for
from aceking.table.state import Round


def _ready(now: Moment) -> Round | Refusal:
    """Return the round if betting is closed and cards are to be dealt, else a refusal."""
    current = now.table.live_round
    if current is None or current.phase not in ("closed", "dealing"):
        return Refusal("this is not the time to deal", now.book.cite("wagers.closes"))
    return current


def burn(now: Moment, act: Burn) -> Done:
    """Burn the first card, if the book burns one."""
    current = _ready(now)
    if isinstance(current, Refusal):
        return current
    if not burns(now.book) or current.burn or current.placed:
        return Refusal("no card is burnt now", now.book.cite("deal.burn"))
    card = next_card(now, act.card)
    return card if isinstance(card, Refusal) else [ev.Dealt(card=card, to=BURN, clause=now.clause)]


def deal_card(now: Moment, act: DealCard) -> Done:
    """Deal one card to the place that is due, unless the command names another."""
    current = _ready(now)
    if isinstance(current, Refusal):
        return current
    if in_packets(now.book) and act.to is None:
        return Refusal("hands are dealt in packets here", now.book.cite("deal.packets"))
    expected = next_due(now.book, current)
    to = _place(now, act, expected.to if expected is not None else None)
    if isinstance(to, Refusal):
        return to
    card = next_card(now, act.card)
    if isinstance(card, Refusal):
        return card
    straight = expected is not None and expected.to == to
    due_up = straight and expected is not None and expected.up and current.up is None
    # A card dealt face down by mistake shows nothing until it is turned.
    face: Face = "up" if due_up and act.face != "down" else "down"
    events: list[ev.TableEvent] = [ev.Dealt(card=card, to=to, face=face, stray=not straight, clause=now.clause)]
    if not straight:
        what = f"a card went to {to.words}" + (f" and was due to {expected.to.words}" if expected else "; none was due")
        stray = _out_of_order(now, act, what)
        if isinstance(stray, Refusal):
            return stray
        events.append(stray)
    return events if act.face != "up" or due_up else _exposed(now, events, (card,))


def _exposed(now: Moment, events: list[ev.TableEvent], cards: tuple[int, ...]) -> Done:
    """Rule on cards that were dealt face up by mistake."""
    after = now.after(events)
    current = after.table.live_round
    assert current is not None
    mishap: Mishap = "hole-card-exposed" if cards[0] in current.dealer else "cards-exposed"
    boxes = tuple(box.number for box in current.boxes.values() if cards[0] in box.cards)
    ruled = rule_on(after, mishap, boxes=boxes, cards=cards)
    return ruled if isinstance(ruled, Refusal) else [*events, *ruled]


def _place(now: Moment, act: DealCard | DealPacket, expected: Place | None) -> Place | Refusal:
    if act.to is None and expected is not None:
        return expected
    to = act.to
    if to is None:
        reason, demanded = "every hand has its cards", clause_for(now.book, now.table, act, now.role, "deal-in-order")
        return refusal(reason, demanded) if demanded else now.no(reason, "time")
    fits = (
        (to == DEALER and now.book.dealer is not None)
        or (to == COMMUNITY and now.book.hands.community > 0)
        or (to.kind == "box" and 1 <= to.number <= now.book.table.seats_max)
    )
    return to if fits else base("input", said("there is no place {place} to deal to", place=repr(to.words)))


def _out_of_order(now: Moment, act: DealCard | DealPacket, what: str) -> ev.Violated | Refusal:
    otherwise = now.book.cite("deal.methods")
    return breach_of(now.book, now.table, act, "deal-in-order", what, at=now.at, otherwise=otherwise)


def deal_packet(now: Moment, act: DealPacket) -> Done:
    """Deal a whole hand, as the device gives it."""
    current = _ready(now)
    if isinstance(current, Refusal):
        return current
    if not in_packets(now.book):
        return Refusal("cards are dealt one at a time here", now.book.cite("deal.up_single"))
    if kind_of(now.book.deal.method) == AUTOMATED_SHOE and was_removed(now.table, AUTOMATED_SHOE):
        return now.no("the automated shoe is off the table", "deck")
    due = next_due(now.book, current)
    expected = due.to if due is not None else None
    to = _place(now, act, expected)
    if isinstance(to, Refusal):
        return to
    size = hand_size(now.book, to)
    if act.cards is not None and not 0 < len(act.cards) <= size:
        return now.no(said("a packet has {size} cards", size=size), "deck", book="deal.packets")
    packet = next_cards(now, len(act.cards) if act.cards is not None else size, act.cards)
    if isinstance(packet, Refusal):
        return packet
    # A short stack is the device's fault, not the dealer's: it is ruled on as a misdeal.
    astray = expected != to or len(packet) < size
    events: list[ev.TableEvent] = [ev.Dealt(card=card, to=to, stray=astray, clause=now.clause) for card in packet]
    if expected != to:
        due_to = f" and was due to {expected.words}" if expected else "; none was due"
        stray = _out_of_order(now, act, f"a packet went to {to.words}{due_to}")
        if isinstance(stray, Refusal):
            return stray
        events.append(stray)
    return events if act.face != "up" else _exposed(now, events, tuple(packet))


def turn_up(now: Moment, act: TurnUpCard) -> Done:
    """Turn the up-card of a packet, or one that went to a wrong place; a card dealt face up needs no turning."""
    current = now.table.live_round
    if current is None or not current.dealer:
        return now.no("the dealer has no cards", "time")
    if current.up is not None:
        return []
    single = not in_packets(now.book) and now.book.deal.up_shown != "turned-face-up"
    own = current.dealer[0 if now.book.deal.up_single == "first" else -1]
    face_down = single and now.book.deal.up_single == "first" and not current.strayed
    if not dealt_out(now.book, current) and not face_down:
        return now.no("the up-card is dealt face up" if single else "the deal is not finished", "time")
    return [ev.UpCard(card=own if single else up_card_of_packet(now.book, current.dealer), clause=now.clause)]


def stub_to_rack(now: Moment, act: RackStub) -> Done:
    """Put the rest of the deck in the discard rack."""
    current = now.table.live_round
    if current is None or not current.placed:
        return now.no("nothing has been dealt", "time")
    if current.stub_racked:
        return now.no("the stub is in the rack already", "deck")
    exposed = act.face == "up"
    return [ev.Racked(what=STUB, count=stub_size(now.book, current), exposed=exposed, clause=now.clause)]


def count_stub(now: Moment, act: CountStub) -> Done:
    """Count the stub; with the cards dealt it must be a whole deck, in hands of the right size."""
    current = now.table.live_round
    if current is None or not current.placed:
        return now.no("nothing has been dealt", "time")
    if not _may_be_counted(now, current):
        return now.no("the deal is not finished", "time")
    count = act.count if act.count is not None else stub_size(now.book, current)
    whole = len(current.sequence) + count
    if whole == now.book.deck.size and not is_misdealt(now.book, current):
        return []
    reported: frozenset[Circumstance] = frozenset({"found-by-stub-count"})
    return rule_on(now, "stub-miscount", reported=reported, count=whole)


def _may_be_counted(now: Moment, current: Round) -> bool:
    """Return True if the cards left are a stub: only the last place may still lack cards, and it has some.

    The record cannot tell whether the last place lacks a card by mistake; it can tell that players do, or that the last
    place has no stack.
    """
    last = last_place(now.book)
    if not current.strayed:
        to_come = due_places(now.book, current)[current.placed :]
        return bool(current.held(last)) and all(one.to == last for one in to_come)
    least = 1 if in_packets(now.book) else hand_size(now.book, last) - 1
    return current.phase not in ("closed", "dealing") or len(current.held(last)) >= least


def go_ahead(now: Moment, act: GoAhead) -> Done:
    """Let the players look."""
    current = now.table.live_round
    if current is None or not dealt_out(now.book, current):
        return now.no("the deal is not finished", "time")
    if current.phase == "revealed":
        return now.no("the cards show already", "time")
    # A second call would give the deciding box its full time again.
    return now.no("the players were told already", "time") if "go-ahead" in current.acts else []
