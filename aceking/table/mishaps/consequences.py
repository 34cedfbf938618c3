"""What follows from a ruling: stakes back, hands out, cards moved, questions asked. Each outcome once."""

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.words import Circumstance, Incident, Outcome
from aceking.table import event as ev
from aceking.table.deal import due_places, in_packets
from aceking.table.mishaps.rebuilding import changed_boxes, rebuilt
from aceking.table.phases.dealing import is_out
from aceking.table.phases.opening import DECK_OUTCOMES, deck_outcome
from aceking.table.rack import rack_box
from aceking.table.reckon import early_lines, is_out_of_round
from aceking.table.state import Box, Round, Table

#: Outcomes that leave cards and chips as they are.
_NOTHING_MOVES = frozenset(
    {
        *("continue", "stands", "settle", "settle-at-maximum", "settle-as-staked", "no-effect"),
        *("raise-or-withdraw", "pay-at-last-value", "lose-ante", "may-raise"),
    }
)


def apply(
    book: Book,
    table: Table,
    then: Outcome,
    *,
    clause: str,
    incident: Incident,
    boxes: tuple[int, ...],
    cards: tuple[int, ...],
    given: tuple[Circumstance, ...],
) -> list[ev.Event]:
    """The events of an outcome."""
    if then in DECK_OUTCOMES:
        return deck_outcome(table, then, clause)
    if then in _COURSES:
        return _course(book, table, then, clause, boxes)
    if then == "ask-supervisor":
        return [_ask(table, incident, "supervisor", boxes, clause, given)]
    current = table.live_round or _just_over(table, given)
    if then in _NOTHING_MOVES or current is None:
        return []
    match then:
        case "void-round" | "return-all-stakes":
            return void_round(book, table, clause)
        case "void-round-and-remove-deck":
            gone: list[ev.Event] = [ev.DeckGone(deck=table.deck, clause=clause)] if table.deck else []
            return [*void_round(book, table, clause), *gone]
        case "void-hand" | "valid-without-box":
            return [one for number in boxes for one in void_hand(book, table, number, incident, clause)]
        case "deemed-fold":
            return [one for number in boxes for one in _deemed_fold(book, table, number, clause)]
        case "forfeit-wagers":
            return [one for number in boxes for one in _forfeit(current, number, clause)]
        case "record-violation":
            return [
                ev.Violated(what=incident, by=f"box {boxes[0]}" if boxes else "dealer", at=table.clock, clause=clause)
            ]
        case "offer-choice" | "offer-choice-to-all":
            return _offer(book, table, then, clause=clause, incident=incident, boxes=boxes, cards=cards, given=given)
        case "hold-deal":
            return [_ask(table, incident, "supervisor", boxes, clause, given)]
        case "unregulated":
            asked_of = _ask(table, incident, book.void.last_word, boxes, clause, given)
            return [replace(asked_of, unregulated=True, what=f"the book has no rule for {incident}")]
        case "ask-house" | "choose-course":
            return [_ask(table, incident, book.void.last_word, boxes, clause, given)]
        case "dead-cards":
            return [one for number in boxes for one in _dead_cards(book, table, number, incident, clause, given)]
        case "return-stake" | "return-excess" | "refuse":
            return [one for number in boxes for one in _give_back(book, table, number, incident, clause)]
        case _:
            return _cards_move(book, table, current, then, clause=clause, incident=incident, cards=cards)


#: What the house does for later rounds when the jackpot does not work.
_COURSES = frozenset({"close-table", "block-box", "play-without-jackpot"})


def _just_over(table: Table, given: tuple[Circumstance, ...]) -> Round | None:
    """A round that is settled, while no later one has begun: some books still put right what is found then."""
    over = table.round
    return over if over is not None and over.phase == "done" and "before-next-round" in given else None


def _course(book: Book, table: Table, then: Outcome, clause: str, boxes: tuple[int, ...]) -> list[ev.Event]:
    """The house's course after a jackpot fault; stakes of a round without a card that it cannot take go back."""
    events: list[ev.Event] = [ev.TableSet(key="course", value=then, clause=clause)]
    if then == "block-box":
        events += [ev.TableSet(key=f"blocked {number}", value="yes", clause=clause) for number in boxes]
    current = table.live_round
    if current is None or current.sequence:
        return events
    if then == "close-table":
        return [*events, *void_round(book, table, clause)]
    if then == "block-box":
        return [*events, *(one for box in boxes for one in void_hand(book, table, box, "jackpot-fault", clause))]
    with_side = [box for box in current.boxes.values() if box.side]
    return [*events, *(ev.Returned(box=box.number, wager="side", amount=box.side, clause=clause) for box in with_side)]


def _offer(
    book: Book,
    table: Table,
    then: Outcome,
    *,
    clause: str,
    incident: Incident,
    boxes: tuple[int, ...],
    cards: tuple[int, ...],
    given: tuple[Circumstance, ...],
) -> list[ev.Event]:
    """The hands are put right where they can be; then each player concerned goes on or takes the bet back."""
    current = table.live_round
    if current is None:
        return []
    everybody = tuple(box.number for box in current.live)
    events: list[ev.Event] = []
    concerned = set(boxes)
    if "rebuildable" in given:
        events += rebuilt(book, current, clause, incident=incident, cards=cards)
        concerned |= set(changed_boxes(book, current, incident))
    asked = tuple(number for number in everybody if number in concerned)
    if then == "offer-choice-to-all" or not concerned:
        asked = everybody
    return [*events, _ask(table, incident, "players", asked, clause, given)] if asked else events


def _cards_move(
    book: Book,
    table: Table,
    current: Round,
    then: Outcome,
    *,
    clause: str,
    incident: Incident,
    cards: tuple[int, ...],
) -> list[ev.Event]:
    """Outcomes that move cards or decks."""
    next_card = cards[0] if cards else (current.order[0] if current.order else None)
    if current.phase == "betting" or current.settled:
        next_card = None
    # A card that lies in a hand already cannot come off the deck once more.
    fresh = next_card is not None and not is_out(current, next_card)
    if book.dealer is None and then in ("complete-hand", "becomes-up-card"):
        return []
    match then:
        case "complete-hand" if next_card is not None and fresh and len(current.dealer) < book.hands.cards:
            return [ev.Dealt(card=next_card, to="dealer", clause=clause)]
        case "discard-and-use-next" if next_card is not None and fresh:
            return [ev.Dealt(card=next_card, to="boxed", clause=clause)]
        case "use-as-next" if next_card is not None:
            # In a packet the card simply comes with its hand.
            return [] if in_packets(book) or not fresh else deal_next(book, current, next_card, clause)
        case "becomes-up-card" if next_card is not None:
            if next_card in current.dealer:
                return [ev.UpCard(card=next_card, clause=clause)]
            if in_packets(book) and next_card in current.order[: book.hands.cards]:
                # The card comes with the dealer's packet, and is turned there.
                return [
                    *(ev.Dealt(card=one, to="dealer", clause=clause) for one in current.order[: book.hands.cards]),
                    ev.UpCard(card=next_card, clause=clause),
                ]
            return [ev.Dealt(card=next_card, to="dealer", face="up", clause=clause)] if fresh else []
        case "rebuild":
            return rebuilt(book, current, clause, incident=incident, cards=cards)
        case _:
            return []


def _ask(
    table: Table,
    incident: Incident,
    of: str,
    boxes: tuple[int, ...],
    clause: str,
    given: tuple[Circumstance, ...],
) -> ev.Asked:
    return ev.Asked(question=table.asked + 1, incident=incident, of=of, boxes=boxes, clause=clause, given=given)


def deal_next(book: Book, current: Round, card: int, clause: str) -> list[ev.Event]:
    """A card goes to the place that is due."""
    due = due_places(book, current)
    if card in current.sequence or current.placed >= len(due):
        return []
    place = due[current.placed]
    up = place.up and current.up is None
    return [ev.Dealt(card=card, to=place.to, face="up" if up else "down", clause=clause)]


def void_round(book: Book, table: Table, clause: str) -> list[ev.Event]:
    """Every stake of the round goes back, once; what was taken or paid already is undone."""
    current = table.round
    assert current is not None
    where = book.by_key.get("void.stakes")
    returns = where.clause if where is not None else clause
    open_only = book.void.scope == "open-hands-only"
    events: list[ev.Event] = []
    kept = {box.number for box in current.boxes.values() if open_only and box.choice in ("fold", "declare")}
    for number, line in enumerate(current.lines):
        if is_out_of_round(current, line):
            continue
        if number in current.moved and line.seat not in kept:
            events.append(ev.Unmoved(line=number, clause=returns))
        if number not in current.moved and line.seat in kept:
            events.append(ev.Moved(line=number, clause=line.clause))
    for box in current.boxes.values():
        if box.number in kept or box.void or box.forfeited:
            continue
        events += _all_back(box, returns, with_fee=True)
    return [*events, *end_void(table, clause)]


def end_void(table: Table, clause: str) -> list[ev.Event]:
    """The round has no result and ends; its cards are shuffled again."""
    current = table.round
    assert current is not None
    if current.phase == "done":
        return [ev.RoundVoided(clause=clause)]
    deck: list[ev.Event] = [ev.Unshuffled(deck=table.deck, clause=clause)] if table.deck is not None else []
    ended = ev.RoundEnded(at=table.clock, counted=current.counted, clause=clause)
    return [ev.RoundVoided(clause=clause), *deck, ended]


def void_hand(book: Book, table: Table, number: int, incident: Incident, clause: str) -> list[ev.Event]:
    """One box is out; its stakes go back."""
    current = table.round
    assert current is not None
    box = current.boxes.get(number)
    if box is None or box.void or box.forfeited:
        return []
    own_fault = incident == "discard-picked-up"
    with_fee = not own_fault or (book.exchange is not None and book.exchange.price_on_player_void == "returned")
    lines = [place for place, line in enumerate(current.lines) if line.seat == number and place in current.moved]
    undone: list[ev.Event] = [ev.Unmoved(line=place, clause=clause) for place in lines]
    lost: list[ev.Event] = []
    if box.fee and not with_fee:
        lost = [ev.Kept(box=number, amount=box.fee, clause=clause)]
    return [*undone, *_all_back(box, clause, with_fee=with_fee), *lost, ev.HandVoided(box=number, clause=clause)]


def _all_back(box: Box, clause: str, *, with_fee: bool) -> list[ev.Event]:
    fee = box.fee if with_fee else 0
    stakes: tuple[tuple[ev.WagerName, int], ...]
    stakes = (("ante", box.ante), ("bet", box.bet), ("side", box.side), ("exchange", fee))
    return [
        ev.Returned(box=box.number, wager=wager, amount=amount, clause=clause) for wager, amount in stakes if amount
    ]


def _forfeit(current: Round, number: int, clause: str) -> list[ev.Event]:
    """A box loses all its wagers; what it was paid already comes back first."""
    box = current.boxes.get(number)
    if box is None or box.void or box.forfeited:
        return []
    lines = [place for place, line in enumerate(current.lines) if line.seat == number and place in current.moved]
    return [*(ev.Unmoved(line=place, clause=clause) for place in lines), ev.Forfeited(box=number, clause=clause)]


def _deemed_fold(book: Book, table: Table, number: int, clause: str) -> list[ev.Event]:
    current = table.live_round
    box = current.boxes.get(number) if current is not None else None
    # A bet that lies on the box already is a decision.
    if current is None or box is None or not box.owes_decision or current.phase == "betting" or box.bet:
        return []
    folded = ev.Decided(box=number, choice="fold", deemed=True, clause=clause)
    return [folded, *early_lines(book, table, box, "fold")]


def _dead_cards(
    book: Book,
    table: Table,
    number: int,
    incident: Incident,
    clause: str,
    given: tuple[Circumstance, ...],
) -> list[ev.Event]:
    """Cards that nobody may look at again. What becomes of stakes that still lie with them no book says."""
    current = table.live_round
    box = current.boxes.get(number) if current is not None else None
    if current is None or box is None or not box.cards:
        return []
    # A hand that is not complete gets its other cards first.
    incomplete = box.racked or len(box.cards) != book.hands.cards
    racked = [] if incomplete else rack_box(current, number, clause)
    open_stakes = box.live and not any(line.seat == number for line in current.lines)
    if not open_stakes:
        return racked
    asked = _ask(table, incident, book.void.last_word, (number,), clause, given)
    return [*racked, replace(asked, unregulated=True, what=f"the stakes of box {number}, whose cards are gone")]


def _give_back(book: Book, table: Table, number: int, incident: Incident, clause: str) -> list[ev.Event]:
    """The excess of a stake, or a stake that should not be there."""
    current = table.live_round
    box = current.boxes.get(number) if current is not None else None
    # What is reckoned already is paid or taken by its lines.
    if current is None or box is None or any(line.seat == number for line in current.lines):
        return []
    if incident == "over-maximum" and table.ante_max is not None and box.ante > table.ante_max:
        return [ev.Returned(box=number, wager="ante", amount=box.ante - table.ante_max, clause=clause)]
    if incident == "bet-over" and box.bet > box.ante * book.bet.antes:
        return [ev.Returned(box=number, wager="bet", amount=box.bet - box.ante * book.bet.antes, clause=clause)]
    dark = incident == "chip-light-mismatch" and not box.lit
    if (dark or incident in ("side-bet-without-ante", "unlit-chip", "jackpot-fault")) and box.side:
        return [ev.Returned(box=number, wager="side", amount=box.side, clause=clause)]
    return []
