"""Remedies that move cards: complete a hand, lay a card aside or use it, change the up-card, put a deal right."""

from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.deal_order import burns, in_packets, next_due
from aceking.table.cards.next_card import next_card, next_cards
from aceking.table.cards.place import BOXED, BURN, COMMUNITY, DEALER, Pile, Place, box_place
from aceking.table.mishaps.case import MishapCase, RemedyResult
from aceking.table.mishaps.rebuilding import cannot_rebuild, rebuilt, to_draw
from aceking.table.moment import Moment
from aceking.table.state import Round

_NO_ROUND = "there is no round whose cards could move"


def holder(current: Round, card: int) -> Place | None:
    """Return the place whose hand has the card; None if no hand has it, or it is in the rack."""
    if any(card in cards for _, cards in current.rack):
        return None
    places = (DEALER, COMMUNITY, *(box_place(number) for number in current.boxes))
    return next((place for place in places if card in current.held(place)), None)


def _open_deal(now: Moment) -> Round | str:
    """Return the round while its cards can still move, else why not."""
    current = now.table.live_round
    if current is None or current.phase == "betting":
        return _NO_ROUND
    return "the round is reckoned: its cards do not move any more" if current.settled else current


def complete_hand(now: Moment, case: MishapCase) -> RemedyResult:
    """Give the dealer's hand the card that it lacks; a settlement made without it is made again."""
    current = now.table.live_round
    if current is None or current.phase == "betting":
        return _NO_ROUND
    if now.book.dealer is None or len(current.dealer) != now.book.hands.cards - 1:
        return "the dealer's hand does not lack one card"
    if current.in_rack(DEALER):
        return "the dealer's cards are in the rack"
    card = next_card(now, case.cards[0] if case.cards else None)
    if isinstance(card, Refusal):
        return card
    due = next_due(now.book, current)
    shows = current.up is None and due is not None and due.up
    return [ev.Dealt(card=card, to=DEALER, face="up" if shows else "down", clause=case.clause)]


def _taken_out(current: Round, place: Place, card: int, clause: str) -> ev.Rearranged:
    """Return the hand without the card, which is laid aside."""
    left = tuple(one for one in current.held(place) if one != card)
    return ev.Rearranged(hands=((place, left), (BOXED, (*current.boxed, card))), clause=clause)


def discard_and_use_next(now: Moment, case: MishapCase) -> RemedyResult:
    """Lay a card aside; the next one takes its place. In a stack it is not replaced: the hand is short."""
    current = _open_deal(now)
    if isinstance(current, str):
        return current
    card = case.cards[0] if case.cards else None
    if card is not None and (place := holder(current, card)) is not None:
        return [_taken_out(current, place, card, case.clause)]
    off = next_card(now, card)
    return off if isinstance(off, Refusal) else [ev.Dealt(card=off, to=BOXED, clause=case.clause)]


def replace_from_stub(now: Moment, case: MishapCase) -> RemedyResult:
    """Take a card out of a stack, and fill it with the next of the stub."""
    current = _open_deal(now)
    if isinstance(current, str):
        return current
    card = case.cards[0] if case.cards else None
    if card is None or (place := holder(current, card)) is None:
        return discard_and_use_next(now, case)
    filled = next_card(now, case.cards[1] if len(case.cards) > 1 else None)
    if isinstance(filled, Refusal):
        return filled
    return [_taken_out(current, place, card, case.clause), ev.Dealt(card=filled, to=place, clause=case.clause)]


def use_as_next(now: Moment, case: MishapCase) -> RemedyResult:
    """Use the card as the next one."""
    current = _open_deal(now)
    if isinstance(current, str):
        return current
    card = case.cards[0] if case.cards else None
    if card is not None and holder(current, card) is not None:
        return "the card lies where it was due"
    if in_packets(now.book):
        return "the card comes with its hand"
    drawn = next_card(now, card)
    return drawn if isinstance(drawn, Refusal) else deal_next(now, drawn, case.clause)


def deal_next(now: Moment, card: int, clause: str) -> list[ev.TableEvent]:
    """Deal a card to the place that is due: first the burnt card, if the book burns one."""
    current = now.table.live_round
    assert current is not None
    if burns(now.book) and not current.burn and not current.placed:
        return [ev.Dealt(card=card, to=BURN, clause=clause)]
    place = next_due(now.book, current)
    if place is None:
        return []
    up = place.up and current.up is None
    return [ev.Dealt(card=card, to=place.to, face="up" if up else "down", clause=clause)]


def becomes_up_card(now: Moment, case: MishapCase) -> RemedyResult:
    """Make a card of the dealer that was seen the up-card."""
    current = _open_deal(now)
    if isinstance(current, str):
        return current
    if now.book.dealer is None:
        return "there is no dealer's hand"
    if not case.cards:
        return base("input", "name the card of the dealer that was seen")
    card = case.cards[0]
    if card in current.dealer:
        return [ev.UpCard(card=card, clause=case.clause)]
    due = next_due(now.book, current)
    if due is None or due.to != DEALER:
        return "no card of the dealer's is next"
    if in_packets(now.book):
        packet = next_cards(now, now.book.hands.cards, None)
        if isinstance(packet, Refusal):
            return packet
        if card not in packet:
            return base("deck", "that card is not of the dealer's hand")
        dealt = [ev.Dealt(card=one, to=DEALER, clause=case.clause) for one in packet]
        return [*dealt, ev.UpCard(card=card, clause=case.clause)]
    drawn = next_card(now, card)
    return drawn if isinstance(drawn, Refusal) else [ev.Dealt(card=drawn, to=DEALER, face="up", clause=case.clause)]


def rebuild(now: Moment, case: MishapCase) -> RemedyResult:
    """Move the cards to where they should have been dealt; missing ones are drawn from the deck, in order."""
    current = now.table.live_round
    if current is None:
        return _NO_ROUND
    if case.mishap == "raked-cards" and now.book.collection.rebuildable is False:
        return "cards that were raked in are not brought back"
    if case.mishap == "raked-cards" and (back := _from_rack(current, case)):
        return back
    if (reason := cannot_rebuild(current)) is not None:
        return reason
    drawn = next_cards(now, to_draw(now.book, current, case.mishap), case.cards or None)
    return drawn if isinstance(drawn, Refusal) else rebuilt(now.book, current, case.clause, drawn=drawn)


def _from_rack(current: Round, case: MishapCase) -> list[ev.TableEvent]:
    """Take hands that went to the rack by mistake out again."""
    hands = [Pile(kind, number) for number in case.boxes for kind in ("hand", "discard")]
    return [
        ev.Racked(what=what, cards=cards, back=True, clause=case.clause)
        for what, cards in current.rack
        if what in hands
    ]
