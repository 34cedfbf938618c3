"""The players' part: looking, exchanging, discarding, betting, folding, declaring; and what happens at once."""

from aceking.play import event as ev
from aceking.play.command import Act, Choice
from aceking.play.opening import Outcome
from aceking.play.reckon import early_lines
from aceking.play.state import Box, Round, Table
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal


def look(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A player looks at a hand of his."""
    found = _box(table, act)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if len(box.cards) == 0:
        return Refusal("there are no cards to look at", clause or "")
    if box.seen:
        return []
    events: list[ev.Event] = [ev.Looked(box=box.number, at=at, clause=clause)]
    others = [one.number for one in current.dealt_in if one.player == box.player and one.seen and one is not box]
    if book.table.hands_seen is not None and len(others) >= book.table.hands_seen:
        from aceking.play.irregular import rule_on

        events += rule_on(book, table, "second-look", boxes=(box.number,), facts=())
    return events


def exchange(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """One card is given for the next of the deck, at a price that is lost."""
    found = _deciding(book, table, act)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if book.exchange is None or "exchange" not in book.decide.choices:
        return Refusal("no card may be exchanged", book.cite("decide.choices"))
    if box.give is not None:
        return Refusal("one card may be exchanged, once", book.cite("exchange.cards"))
    given = act.cards[0] if act.cards else act.card
    if given is None or given not in box.cards:
        return Refusal("the card given away is not in the hand", "")
    taken = current.order[0] if current.order else act.count
    if taken is None:
        return Refusal("which card was drawn?", "")
    price = box.ante * book.exchange.price_antes
    return [
        ev.Staked(box=box.number, player=box.player, wager="exchange", amount=price, clause=clause),
        ev.Swapped(box=box.number, give=given, take=taken, clause=clause),
        ev.Looked(box=box.number, at=at, clause=clause),
    ]


def discard(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """One of three cards is laid aside."""
    found = _box(table, act)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if not book.hands.discards or current.phase != "deciding":
        return Refusal("no card is discarded now", clause or "")
    if box.discard is not None:
        return Refusal("a card is discarded already", clause or "")
    if act.card is None or act.card not in box.cards:
        return Refusal("the discard is not in the hand", "")
    return [ev.Discarded(box=box.number, card=act.card, clause=clause)]


def decide_box(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A box bets, stays, folds or declares."""
    found = _deciding(book, table, act)
    if isinstance(found, Refusal):
        return found
    _, box = found
    choice = _choice(book, act)
    if choice is None:
        return Refusal("what does the player do?", book.cite("decide.choices"))
    if choice == "stay" and book.bet.required:
        return Refusal("staying in takes a bet", book.cite("bet.required"))
    if choice not in book.decide.choices:
        return Refusal(f"{choice} is not offered", book.cite("decide.choices"))
    if box.bet and choice != "bet":
        return Refusal(f"there is no {choice} with a bet down", book.governs(choice) or book.cite("bet.antes"))
    events: list[ev.Event] = []
    if choice == "bet":
        staked = _bet(book, box, act, clause)
        if isinstance(staked, Refusal):
            return staked
        events += staked
    if book.hands.discards and choice in ("bet", "stay") and box.discard is None:
        if act.card is None:
            return Refusal("one card must be discarded", book.cite("bet.antes"))
        if act.card not in box.cards:
            return Refusal("the discard is not in the hand", "")
        events.append(ev.Discarded(box=box.number, card=act.card, clause=clause))
    key = {"fold": "fold.ante", "declare": "instant.no_bet"}.get(choice, "bet.antes")
    where = book.by_key.get(key)
    events.append(ev.Decided(box=box.number, choice=choice, clause=where.clause if where else clause))
    return [*events, *early_lines(book, table, box, choice)]


def _choice(book: Book, act: Act) -> Choice | None:
    if act.do == "bet":
        return "stay" if act.amount == 0 and not book.bet.required else "bet"
    if act.do == "fold":
        return "fold"
    if act.do == "declare":
        return "declare"
    return act.choice


def _bet(book: Book, box: Box, act: Act, clause: str | None) -> Outcome:
    exact = box.ante * book.bet.antes
    amount = act.amount if act.amount is not None else exact
    if box.bet:
        amount = 0 if act.amount is None else act.amount
        if amount:
            return Refusal("there is a bet down already", book.cite("bet.antes"))
        return []
    if amount != exact and act.note != "unnoticed":
        return Refusal("the bet is not the size that the book prescribes", book.cite("bet.antes"))
    if amount <= 0:
        return Refusal("a bet is more than nothing", book.cite("bet.antes"))
    return [ev.Staked(box=box.number, player=box.player, wager="bet", amount=amount, clause=book.cite("bet.antes"))]


def claim(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A player gives notice of a jackpot hand, before the cards are collected."""
    found = _box(table, act)
    if isinstance(found, Refusal):
        return found
    _, box = found
    if book.progressive is None:
        return Refusal("the book has no jackpot", clause or "")
    if box.racked:
        return Refusal("the cards have been collected", book.cite("progressive.claim"))
    return [ev.Claimed(box=box.number, clause=clause or book.cite("progressive.claim"))]


def talk(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """Players tell of their hands: a violation, or what the book makes of it once a supervisor reports it."""
    return []


def _box(table: Table, act: Act) -> tuple[Round, Box] | Refusal:
    current = table.live_round
    if current is None:
        return Refusal("there is no round", "")
    box = current.boxes.get(act.box) if act.box is not None else None
    if box is None or not box.ante:
        return Refusal("that box is not in the round", "")
    if act.player is not None and box.player != act.player:
        return Refusal(f"box {box.number} is {box.player}'s", "")
    if box.void or box.forfeited:
        return Refusal(f"box {box.number} is out of the round", "")
    return current, box


def _deciding(book: Book, table: Table, act: Act) -> tuple[Round, Box] | Refusal:
    """The box that decides now."""
    found = _box(table, act)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if current.phase != "deciding":
        return Refusal("this is not the time for decisions", book.cite("decide.choices"))
    if box.choice is not None:
        return Refusal(f"box {box.number} has decided", book.cite("decide.choices"))
    if book.decide.order == "clockwise":
        first = next(one.number for one in current.dealt_in if one.owes_decision)
        if first != box.number:
            return Refusal(f"box {first} decides first", book.cite("decide.order"))
    return current, box
