"""What follows from a ruling: stakes back, hands out, cards moved, questions asked. Each outcome once."""

from aceking.play import event as ev
from aceking.play.deal import burns, hands_from, places
from aceking.play.reckon import early_lines
from aceking.play.state import Box, Round, Table
from aceking.rules.book import Book
from aceking.rules.words import Circumstance, Incident, Outcome

#: Outcomes that leave cards and chips as they are.
_NOTHING_MOVES = frozenset(
    {
        *("continue", "stands", "settle", "settle-at-maximum", "settle-as-staked", "no-effect", "refuse", "dead-cards"),
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
    current = table.live_round
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
            return [ev.Forfeited(box=number, clause=clause) for number in boxes if number in current.boxes]
        case "record-violation":
            return [
                ev.Violated(what=incident, by=f"box {boxes[0]}" if boxes else "dealer", at=table.clock, clause=clause)
            ]
        case "offer-choice" | "offer-choice-to-all":
            everybody = tuple(box.number for box in current.live)
            asked = everybody if then == "offer-choice-to-all" or not boxes else boxes
            rebuilt = _rebuilt(book, current, clause) if "rebuildable" in given else []
            return [*rebuilt, _ask(table, incident, "players", asked, clause, given)]
        case "ask-supervisor" | "hold-deal":
            return [_ask(table, incident, "supervisor", boxes, clause, given)]
        case "ask-house" | "choose-course":
            return [_ask(table, incident, book.void.last_word, boxes, clause, given)]
        case "close-table" | "play-without-jackpot":
            return [ev.TableSet(key="course", value=then, clause=clause)]
        case "block-box":
            return [ev.TableSet(key=f"blocked {number}", value="yes", clause=clause) for number in boxes]
        case "return-stake" | "return-excess":
            return [one for number in boxes for one in _give_back(book, table, number, incident, clause)]
        case _:
            return _cards_move(book, table, current, then, clause=clause, cards=cards)


def _cards_move(
    book: Book, table: Table, current: Round, then: Outcome, *, clause: str, cards: tuple[int, ...]
) -> list[ev.Event]:
    """Outcomes that move cards or decks."""
    next_card = cards[0] if cards else (current.order[0] if current.order else None)
    match then:
        case "complete-hand" if next_card is not None:
            return [ev.Dealt(card=next_card, to="dealer", clause=clause)]
        case "discard-and-use-next" if next_card is not None:
            return [ev.Dealt(card=next_card, to="boxed", clause=clause)]
        case "use-as-next" if next_card is not None:
            due = places(book, [box.number for box in current.dealt_in])
            if next_card in current.sequence or current.placed >= len(due):
                return []
            place = due[current.placed]
            up = place.up and current.up is None
            return [ev.Dealt(card=next_card, to=place.to, face="up" if up else "down", clause=clause)]
        case "becomes-up-card" if next_card is not None:
            if next_card in current.dealer:
                return [ev.UpCard(card=next_card, clause=clause)]
            return [ev.Dealt(card=next_card, to="dealer", face="up", clause=clause)]
        case "rebuild":
            return _rebuilt(book, current, clause)
        case "reshuffle":
            return [ev.Unshuffled(deck=table.deck, clause=clause)] if table.deck else []
        case "remove-deck":
            return [ev.DeckGone(deck=table.deck, clause=clause)] if table.deck else []
        case "recut":
            if table.deck is None:
                return []
            deck = table.decks[table.deck]
            method = deck.shuffled or "manual"
            return [ev.Shuffled(deck=table.deck, method=method, order=deck.order, clause=clause)]
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


def _rebuilt(book: Book, current: Round, clause: str) -> list[ev.Event]:
    """The hands as the order of the cards meant them: what was dealt, then what is still in the deck."""
    order = (*current.sequence, *current.order)
    boxes = [box.number for box in current.dealt_in]
    needed = len(places(book, boxes)) + (1 if burns(book) else 0)
    if len(order) < needed:
        return []
    hands = hands_from(book, boxes, order)
    strangers = {f"box {one.number}": () for one in current.boxes.values() if one.cards and not one.ante}
    return [ev.Rearranged(hands={**strangers, **hands}, clause=clause)]


def void_round(book: Book, table: Table, clause: str) -> list[ev.Event]:
    """Every stake of the round goes back, once; what was taken or paid already is undone."""
    current = table.live_round
    assert current is not None
    where = book.by_key.get("void.stakes")
    returns = where.clause if where is not None else clause
    open_only = book.void.scope == "open-hands-only"
    events: list[ev.Event] = []
    kept = {box.number for box in current.boxes.values() if open_only and box.choice in ("fold", "declare")}
    for number, line in enumerate(current.lines):
        if number in current.moved and line.seat not in kept:
            events.append(ev.Unmoved(line=number, clause=returns))
    for box in current.boxes.values():
        if box.number in kept or box.void or box.forfeited:
            continue
        events += _all_back(box, returns, with_fee=True)
    events.append(ev.RoundVoided(clause=clause))
    if table.deck is not None:
        events.append(ev.Unshuffled(deck=table.deck, clause=clause))
    return [*events, ev.RoundEnded(at=table.clock, counted=current.counted, clause=clause)]


def void_hand(book: Book, table: Table, number: int, incident: Incident, clause: str) -> list[ev.Event]:
    """One box is out; its stakes go back."""
    current = table.live_round
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
    stakes = (("ante", box.ante), ("bet", box.bet), ("side", box.side), ("exchange", box.fee if with_fee else 0))
    return [
        ev.Returned(box=box.number, wager=wager, amount=amount, clause=clause)  # type: ignore[arg-type]
        for wager, amount in stakes
        if amount
    ]


def _deemed_fold(book: Book, table: Table, number: int, clause: str) -> list[ev.Event]:
    current = table.live_round
    assert current is not None
    box = current.boxes.get(number)
    if box is None or not box.owes_decision or not box.cards:
        return []
    folded = ev.Decided(box=number, choice="fold", deemed=True, clause=clause)
    return [folded, *early_lines(book, table, box, "fold")]


def _give_back(book: Book, table: Table, number: int, incident: Incident, clause: str) -> list[ev.Event]:
    """The excess of a stake, or a stake that should not be there."""
    current = table.live_round
    assert current is not None
    box = current.boxes.get(number)
    if box is None:
        return []
    if incident == "over-maximum" and table.ante_max is not None and box.ante > table.ante_max:
        return [ev.Returned(box=number, wager="ante", amount=box.ante - table.ante_max, clause=clause)]
    if incident == "bet-over" and box.bet > box.ante * book.bet.antes:
        return [ev.Returned(box=number, wager="bet", amount=box.bet - box.ante * book.bet.antes, clause=clause)]
    if incident in ("side-bet-without-ante", "unlit-chip") and box.side:
        return [ev.Returned(box=number, wager="side", amount=box.side, clause=clause)]
    return []
