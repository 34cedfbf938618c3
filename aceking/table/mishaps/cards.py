"""Cards after a mishap: a hand completed, a card laid aside or used, an up-card changed, a deal put right."""

from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.deal_order import burns, in_packets, next_due
from aceking.table.cards.next_card import next_card, next_cards
from aceking.table.cards.place import BOXED, BURN, COMMUNITY, DEALER, Pile, Place, box_place
from aceking.table.mishaps.case import Case, Follow
from aceking.table.mishaps.rebuilding import rebuilt, to_draw, why_not
from aceking.table.moment import Now
from aceking.table.state import Round

_NO_ROUND = "there is no round whose cards could move"


def holder(current: Round, card: int) -> Place | None:
    """The place whose hand has the card. What lies in the rack is in no hand."""
    if any(card in cards for _, cards in current.rack):
        return None
    places = (DEALER, COMMUNITY, *(box_place(number) for number in current.boxes))
    return next((place for place in places if card in current.held(place)), None)


def _open_deal(now: Now) -> Round | str:
    """The round, while cards of it can still move."""
    current = now.table.live_round
    if current is None or current.phase == "betting":
        return _NO_ROUND
    return "the round is reckoned: its cards do not move any more" if current.settled else current


def complete_hand(now: Now, case: Case) -> Follow:
    """The dealer's hand gets the card that it lacks; what was reckoned without it is reckoned anew."""
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
    """The hand without the card, which lies with those that were laid aside."""
    left = tuple(one for one in current.held(place) if one != card)
    return ev.Rearranged(hands=((place, left), (BOXED, (*current.boxed, card))), clause=clause)


def discard_and_use_next(now: Now, case: Case) -> Follow:
    """A card is laid aside; the next one takes its place. In a stack nothing does: it is a hand too short then."""
    current = _open_deal(now)
    if isinstance(current, str):
        return current
    card = case.cards[0] if case.cards else None
    if card is not None and (place := holder(current, card)) is not None:
        return [_taken_out(current, place, card, case.clause)]
    off = next_card(now, card)
    return off if isinstance(off, Refusal) else [ev.Dealt(card=off, to=BOXED, clause=case.clause)]


def replace_from_stub(now: Now, case: Case) -> Follow:
    """A card is taken out of a stack, and the next of the stub fills it."""
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


def use_as_next(now: Now, case: Case) -> Follow:
    """The card is used as though it were the next one: it is the next one."""
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


def deal_next(now: Now, card: int, clause: str) -> list[ev.Event]:
    """A card goes to the place that is due: the burnt card first, where the book burns one."""
    current = now.table.live_round
    assert current is not None
    if burns(now.book) and not current.burn and not current.placed:
        return [ev.Dealt(card=card, to=BURN, clause=clause)]
    place = next_due(now.book, current)
    if place is None:
        return []
    up = place.up and current.up is None
    return [ev.Dealt(card=card, to=place.to, face="up" if up else "down", clause=clause)]


def becomes_up_card(now: Now, case: Case) -> Follow:
    """A card of the dealer's that was seen is the one that all may see."""
    current = _open_deal(now)
    if isinstance(current, str):
        return current
    if now.book.dealer is None:
        return "there is no dealer's hand"
    if not case.cards:
        return base("input", "which card of the dealer was seen?")
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


def rebuild(now: Now, case: Case) -> Follow:
    """The cards go where they were meant to fall; what is missing is drawn from the deck, in order."""
    current = now.table.live_round
    if current is None:
        return _NO_ROUND
    if case.mishap == "raked-cards" and now.book.collection.rebuildable is False:
        return "cards that were raked in are not brought back"
    if case.mishap == "raked-cards" and (back := _from_rack(current, case)):
        return back
    if (reason := why_not(current)) is not None:
        return reason
    drawn = next_cards(now, to_draw(now.book, current, case.mishap), case.cards or None)
    return drawn if isinstance(drawn, Refusal) else rebuilt(now.book, current, case.clause, drawn=drawn)


def _from_rack(current: Round, case: Case) -> list[ev.Event]:
    """Hands that went to the rack by mistake lie before their boxes again."""
    hands = [Pile(kind, number) for number in case.boxes for kind in ("hand", "discard")]
    return [
        ev.Racked(what=what, cards=cards, back=True, clause=case.clause)
        for what, cards in current.rack
        if what in hands
    ]
