"""Reconstruction: the hands as the order of the cards meant them, and whether a wrong deal can be put right.

Where a deal went wrong the cards that left the deck are laid out again in the places that were due to them. Complete
hands that lie in the wrong place can be moved. Where a card or a hand is still next in the deck, or the dealer's own
place is concerned, a person decides whether that is a reconstruction.
"""

from typing import Literal

from aceking.rules.book import Book
from aceking.rules.words import Incident
from aceking.table import event as ev
from aceking.table.deal import burns, due_places, hand_size, in_packets, up_card_of_packet
from aceking.table.phases.dealing import is_out
from aceking.table.state import Round

#: Mishaps in which cards lie where they should not.
_MISPLACED: frozenset[Incident] = frozenset(
    {"misdeal", "skipped-box", "empty-box-dealt", "player-miscount", "dealer-miscount", "dealing-error"}
)


def last_place(book: Book) -> str:
    """The place that is dealt to last."""
    return "community" if book.hands.community else "dealer"


def held(book: Book, current: Round) -> dict[str, tuple[int, ...]]:
    """What lies at each place now."""
    last = last_place(book)
    hands = {f"box {box.number}": box.cards for box in current.boxes.values() if box.cards or box.ante}
    return {**hands, last: current.community if last == "community" else current.dealer}


def intended(book: Book, current: Round, drawn: tuple[int, ...] = ()) -> dict[str, tuple[int, ...]]:
    """The hands as the order of the cards meant them, as far as cards have left the deck; `boxed` has what is over."""
    cards = [card for card in (*current.sequence, *drawn) if card not in current.boxed]
    due = due_places(book, current)
    hands: dict[str, tuple[int, ...]] = {}
    if burns(book):
        hands["burn"] = tuple(cards[:1])
        cards = cards[1:]
    for place in due:
        hands.setdefault(place.to, ())
    for place, card in zip(due, cards, strict=False):
        hands[place.to] = (*hands[place.to], card)
    over = tuple(cards[len(due) :])
    return {**hands, "boxed": (*current.boxed, *over)} if over else hands


def to_draw(book: Book, current: Round, incident: Incident) -> int:
    """How many cards a reconstruction takes from the deck: none while the deal still runs."""
    complete = len(held(book, current)[last_place(book)]) >= hand_size(book, last_place(book))
    if not complete and incident != "dealer-miscount":
        return 0
    wanted = len(due_places(book, current)) + burns(book)
    return max(0, wanted - len([card for card in current.sequence if card not in current.boxed]))


def can_rebuild(
    book: Book, current: Round, incident: Incident
) -> Literal["rebuildable", "rebuildable-from-stub"] | None:
    """Whether complete hands only need to be moved, or a person must say whether the deal can be put right."""
    if incident not in _MISPLACED or not current.placed:
        return None
    now, meant = held(book, current), intended(book, current)
    everywhere = [place for place in {**now, **meant} if place not in ("burn", "boxed")]
    wrong = [place for place in everywhere if now.get(place, ()) != meant.get(place, ())]
    draws = to_draw(book, current, incident)
    whole = [place for place in wrong if len(meant.get(place, ())) in (0, hand_size(book, place))]
    hands = {frozenset(cards) for cards in now.values()}
    if len(whole) < len(wrong) or any(meant.get(place) and frozenset(meant[place]) not in hands for place in wrong):
        return None
    if not wrong and not draws:
        return None
    if not draws and last_place(book) not in wrong:
        return "rebuildable"
    untouched = all(what != "stub" for what, _ in current.rack)
    asks = book.irregular is not None and book.irregular.rebuild_from_stub == "house-decides"
    return "rebuildable-from-stub" if asks and untouched else None


def rebuilt(
    book: Book, current: Round, clause: str, *, incident: Incident, cards: tuple[int, ...] = ()
) -> list[ev.Event]:
    """The cards go where they were meant to fall; what is missing is drawn from the deck, in order."""
    draws = to_draw(book, current, incident)
    drawn = cards[:draws] if cards else current.order[:draws]
    if len(drawn) < draws or len(set(drawn)) < draws or any(is_out(current, card) for card in drawn):
        return []
    # Who has exchanged or laid aside a card plays on with what he holds.
    if current.settled or any(box.give is not None or box.discard is not None for box in current.boxes.values()):
        return []
    hands = intended(book, current, drawn)
    emptied: dict[str, tuple[int, ...]] = {place: () for place in held(book, current) if place not in hands}
    last = last_place(book)
    events: list[ev.Event] = [ev.Dealt(card=card, to=last, clause=clause) for card in drawn]
    events.append(ev.Rearranged(hands={**emptied, **hands}, clause=clause))
    up = _up_card(book, current, hands[last]) if last == "dealer" else None
    return events if up is None else [*events, ev.UpCard(card=up, clause=clause)]


def _up_card(book: Book, current: Round, dealer: tuple[int, ...]) -> int | None:
    """The card that now lies face up before the dealer, where it is another than before."""
    if current.up in dealer:
        return None
    if in_packets(book):
        turned = current.up is not None and len(dealer) == book.hands.cards
        return up_card_of_packet(book, dealer) if turned else None
    own = [place for place in due_places(book, current) if place.to == "dealer"]
    return next((card for place, card in zip(own, dealer, strict=False) if place.up), None)


def changed_boxes(book: Book, current: Round, incident: Incident) -> tuple[int, ...]:
    """The boxes whose cards a reconstruction changes."""
    now, meant = held(book, current), intended(book, current)
    places = (f"box {box.number}" for box in current.live)
    return tuple(int(place.removeprefix("box ")) for place in places if now.get(place) != meant.get(place))
