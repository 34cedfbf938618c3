"""The deal: one card or one packet at a time, each to the place that is due, or to where it really went."""

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.command import Act
from aceking.table.deal import burns, dealt_out, due_places, in_packets, up_card_of_packet
from aceking.table.phases.opening import Outcome
from aceking.table.procedure.orders import clause_for
from aceking.table.state import Round, Table


def burn(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The first card is thrown away, where the book burns one."""
    current = _ready(book, table)
    if isinstance(current, Refusal):
        return current
    if not burns(book) or current.burn or current.placed:
        return Refusal("no card is burnt now", book.cite("deal.burn"))
    card = _next_card(current, act.card)
    return card if isinstance(card, Refusal) else [ev.Dealt(card=card, to="burn", clause=clause)]


def deal_card(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """One card, to the place that is due unless it went elsewhere."""
    current = _ready(book, table)
    if isinstance(current, Refusal):
        return current
    if in_packets(book) and act.to is None:
        return Refusal("hands are dealt in packets here", book.cite("deal.packets"))
    due = due_places(book, current)
    if current.placed >= len(due) and act.to is None:
        return Refusal("every hand has its cards", clause or "")
    card = _next_card(current, act.card)
    if isinstance(card, Refusal):
        return card
    expected = due[current.placed] if current.placed < len(due) else None
    to = act.to or (expected.to if expected else "")
    if problem := _no_such_place(book, to):
        return problem
    up = expected is not None and expected.to == to and expected.up and current.up is None
    events: list[ev.Event] = [ev.Dealt(card=card, to=to, face="up" if up else "down", clause=clause)]
    if expected is None or expected.to != to:
        what = f"a card went to {to}" + (f" and was due to {expected.to}" if expected else "; none was due")
        events.append(_out_of_order(book, table, act, what, clause, at))
    return events


def _out_of_order(book: Book, table: Table, act: Act, what: str, clause: str | None, at: int) -> ev.Violated:
    clause = clause_for(book, table, act, "deal-in-order") or clause or book.cite("deal.methods")
    return ev.Violated(what=what, by=act.by or "dealer", at=at, clause=clause)


def deal_packet(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A whole hand."""
    current = _ready(book, table)
    if isinstance(current, Refusal):
        return current
    if not in_packets(book):
        return Refusal("cards are dealt one at a time here", book.cite("deal.up_single"))
    due = due_places(book, current)
    if current.placed >= len(due) and act.to is None:
        return Refusal("every hand has its cards", clause or "")
    expected = due[current.placed].to if current.placed < len(due) else None
    to = act.to or expected or ""
    if problem := _no_such_place(book, to):
        return problem
    size = book.hands.community if to == "community" else book.hands.cards
    packet = act.cards if act.cards is not None else current.order[:size]
    if len(packet) != size:
        return Refusal(f"a packet has {size} cards", clause or book.cite("deal.packets"))
    if any(is_out(current, card) for card in packet):
        return Refusal("a card of that packet is dealt already", clause or "")
    events: list[ev.Event] = [ev.Dealt(card=card, to=to, clause=clause) for card in packet]
    if expected != to:
        what = f"a packet went to {to}" + (f" and was due to {expected}" if expected else "; none was due")
        events.append(_out_of_order(book, table, act, what, clause, at))
    return events


def turn_up(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The dealer's up-card of a packet is turned; a card dealt face up is up already."""
    current = table.live_round
    if current is None or not current.dealer:
        return Refusal("the dealer has no cards", clause or "")
    if current.up is not None:
        return []
    if not in_packets(book) and book.deal.up_shown != "turned-face-up":
        return Refusal("the up-card is dealt face up", clause or "")
    if not dealt_out(book, current):
        return Refusal("the deal is not finished", clause or "")
    return [ev.UpCard(card=up_card_of_packet(book, current.dealer), clause=clause)]


def stub_to_rack(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """What is left of the deck goes to the discard rack, unseen."""
    current = table.live_round
    if current is None or not current.placed:
        return Refusal("nothing has been dealt", clause or "")
    return [ev.Racked(what="stub", cards=current.order, clause=clause)]


def count_stub(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The stub is counted; with the cards dealt it must make a whole deck, or the book's ruling follows."""
    from aceking.table.mishaps.report import on_stub_count

    current = table.live_round
    if current is None or not current.placed:
        return Refusal("nothing has been dealt", clause or "")
    count = act.count if act.count is not None else len(current.order)
    return on_stub_count(book, table, count)


def go_ahead(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """Players may look."""
    current = table.live_round
    if current is None or not dealt_out(book, current):
        return Refusal("the deal is not finished", clause or "")
    return []


def _ready(book: Book, table: Table) -> Round | Refusal:
    """The round, with betting closed and cards to deal."""
    current = table.live_round
    if current is None or current.phase not in ("closed", "dealing"):
        return Refusal("this is not the time to deal", book.cite("wagers.closes"))
    return current


def _next_card(current: Round, card: int | None) -> int | Refusal:
    """The card that comes next: the deck's, or at a live table the one that the dealer names."""
    if current.order:
        if card is not None and card != current.order[0]:
            return Refusal("that is not the next card of the deck", "")
        return current.order[0]
    if card is None:
        return Refusal("which card is it?", "")
    if is_out(current, card):
        return Refusal("that card is dealt already", "")
    return card


def is_out(current: Round, card: int) -> bool:
    """Whether a card has left the deck, wherever it lies now: in a hand, aside, or in the rack."""
    aside = (current.dealer, current.community, current.burn, current.boxed, *(cards for _, cards in current.rack))
    return any(card in held for held in aside) or any(
        card in box.cards or card == box.give for box in current.boxes.values()
    )


def _no_such_place(book: Book, to: str) -> Refusal | None:
    if to == "dealer" and book.dealer is not None:
        return None
    if to == "community" and book.hands.community:
        return None
    number = to.removeprefix("box ")
    if to.startswith("box ") and number.isdecimal() and 1 <= int(number) <= book.table.seats_max:
        return None
    return Refusal(f"there is no place {to!r}", "")
