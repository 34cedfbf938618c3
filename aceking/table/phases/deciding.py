"""The players' part: looking, exchanging, discarding, betting, folding, declaring; and what happens at once."""

from aceking.cards.card import Card
from aceking.cards.three import instant
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.command import Act, Choice
from aceking.table.deal import dealt_out
from aceking.table.evolve import evolve
from aceking.table.phases.blind import is_blind, passed_over, stake_blind, take_back, without_bet
from aceking.table.phases.dealing import is_out
from aceking.table.phases.majors import pause, too_late
from aceking.table.phases.opening import Outcome
from aceking.table.procedure.players import is_thrown_away
from aceking.table.reckon import early_lines, final_lines, miscounted
from aceking.table.state import Box, Round, Table


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
        if table.mode == "electronic":
            # The backs of the other hands cannot be turned there.
            return Refusal(f"{box.player} has looked at box {others[0]}", book.cite("table.hands_seen"))
        from aceking.table.mishaps.report import rule_on

        events += rule_on(book, table, "second-look", boxes=(box.number,), facts=())
    if not dealt_out(book, current):
        events += _picked_up_early(book, table, box)
    return events


def _picked_up_early(book: Book, table: Table, box: Box) -> list[ev.Event]:
    """Cards taken up before the deal is finished: ruled on where the book has a rule for it."""
    from aceking.table.mishaps.report import rule_on

    if not book.rules_on("early-pick-up"):
        return []
    return rule_on(book, table, "early-pick-up", boxes=(box.number,), facts=())


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
    if taken not in range(book.deck.size) or is_out(current, taken):
        return Refusal("that card is dealt already, or there is no such card", "")
    price = box.ante * book.exchange.price_antes
    changed_mind = take_back(book, box) if is_blind(book, box) else []
    return [
        *passed_over(book, table, box.number),
        *changed_mind,
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
    if box.racked:
        return _gone(book, box)
    if box.discard is not None:
        return Refusal("a card is discarded already", clause or "")
    if act.card is None or act.card not in box.cards:
        return Refusal("the discard is not in the hand", "")
    return [ev.Discarded(box=box.number, card=act.card, clause=clause)]


def decide_box(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A box bets, stays, folds or declares."""
    if blind := _blind_bet(book, table, act):
        return blind
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
    events = passed_over(book, table, box.number)
    if is_blind(book, box) and choice != "bet":
        events += take_back(book, box)
        box = without_bet(box)
    if box.bet and choice != "bet":
        return Refusal(f"there is no {choice} with a bet down", book.governs(choice) or book.cite("bet.antes"))
    if choice == "bet":
        staked = _bet(book, box, act, clause)
        if isinstance(staked, Refusal):
            return staked
        events += staked
    if choice == "declare" and box.discard is not None:
        return Refusal("a card is laid aside: the player goes on", book.cite("instant.no_bet"))
    # The card may be laid aside with the decision or after it; the reveal waits for it.
    if book.hands.discards and choice in ("bet", "stay") and box.discard is None and act.card is not None:
        if act.card not in box.cards:
            return Refusal("the discard is not in the hand", "")
        events.append(ev.Discarded(box=box.number, card=act.card, clause=book.cite("bet.antes")))
    key = {"fold": "fold.ante", "declare": "instant.no_bet"}.get(choice, "bet.antes")
    where = book.by_key.get(key)
    events.append(ev.Decided(box=box.number, choice=choice, clause=where.clause if where else clause))
    early = early_lines(book, table, box, choice)
    if choice == "declare":
        events += _declaration(book, table, box)
    return [*events, *early]


def _blind_bet(book: Book, table: Table, act: Act) -> Outcome | None:
    """A bet before the players are asked, or taken back before the dealer goes on, where the book knows such bets."""
    if book.bet.blind != "any" or _choice(book, act) != "bet":
        return None
    found = _box(table, act)
    if isinstance(found, Refusal):
        return found
    current, box = found
    withdraws = act.amount is not None and act.amount < 0
    if current.phase in ("betting", "closed", "dealing"):
        return stake_blind(book, current, box, act)
    if withdraws and is_blind(book, box):
        return stake_blind(book, current, box, act)
    return Refusal("the dealer has gone on", book.cite("bet.blind")) if withdraws else None


def _declaration(book: Book, table: Table, box: Box) -> list[ev.Event]:
    """The dealer verifies a declaration; a wrong one is ruled on."""
    from aceking.table.mishaps.report import rule_on

    held = held_instant(book, box)
    return [] if held else rule_on(book, table, "wrong-declaration", boxes=(box.number,), facts=())


def held_instant(book: Book, box: Box) -> bool:
    """Whether the cards of a box are an instant winner."""
    three = tuple(Card(one) for one in box.cards)
    return book.instant is not None and instant(three, ace_low=book.instant.ace_low) is not None


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


def time_out(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """The posted time has run out: a decision is owed and nobody makes it, as when a player has walked away."""
    from aceking.table.mishaps.report import rule_on

    found = _deciding(book, table, act)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if table.decide_seconds is None:
        return Refusal("no time limit is posted at this table", "")
    left = current.turn_at + table.decide_seconds - at
    if left > 0:
        return Refusal(f"box {box.number} has {left} seconds left", "")
    return rule_on(book, table, "walk-away", boxes=(box.number,), facts=())


def claim(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A player gives notice of a jackpot hand, before the cards are collected."""
    found = _box(table, act)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if book.progressive is None:
        return Refusal("the book has no jackpot", clause or "")
    if box.racked:
        return Refusal("the cards have been collected", book.cite("progressive.claim"))
    if too_late(book, box):
        return Refusal("it was not declared when it was seen", book.cite("progressive.undeclared_major"))
    claimed = ev.Claimed(box=box.number, clause=clause or book.cite("progressive.claim"))
    late = _late_award(book, table, claimed) if current.settled else []
    return [claimed, *pause(book, current, box), *late]


def _late_award(book: Book, table: Table, claimed: ev.Claimed) -> list[ev.Event]:
    """A hand is claimed after the reckoning, with its cards still on the table: its award is added."""
    again = final_lines(book, evolve(table, claimed))
    current = table.live_round
    assert current is not None
    if not isinstance(again, ev.Settled) or not again.lines:
        return []
    if current.from_meter and again.from_meter.get(claimed.box):
        what = "an award from the meter is claimed after another was reckoned"
        return [ev.Asked(question=table.asked + 1, incident="uncovered", of=book.void.last_word, what=what)]
    return [again]


def touch(book: Book, table: Table, act: Act, clause: str | None, at: int) -> Outcome:
    """A player touches cards: one that was thrown away ends the hand of who has exchanged, where the book says so."""
    from aceking.table.mishaps.report import rule_on

    current = table.live_round
    box = current.boxes.get(act.box or 0) if current is not None else None
    ruled = box is not None and box.give is not None and book.rules_on("discard-picked-up")
    if box is None or not ruled or not is_thrown_away(table, act.card):
        return []
    return rule_on(book, table, "discard-picked-up", boxes=(box.number,), facts=())


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


def _gone(book: Book, box: Box) -> Refusal:
    """Nothing is decided on cards that nobody may look at again; the house says what becomes of the stakes."""
    where = book.rules_on("raked-cards") or book.cite("void.last_word")
    return Refusal(f"the cards of box {box.number} are in the rack", where)


def _deciding(book: Book, table: Table, act: Act) -> tuple[Round, Box] | Refusal:
    """The box that decides now."""
    found = _box(table, act)
    if isinstance(found, Refusal):
        return found
    current, box = found
    # Where nobody called the go-ahead, the first decision after the last card is one.
    if current.phase != "deciding" and not (current.phase == "dealing" and dealt_out(book, current)):
        return Refusal("this is not the time for decisions", book.cite("decide.choices"))
    if box.choice is not None:
        key = {"fold": "fold.ante", "declare": "instant.no_bet"}.get(box.choice, "decide.choices")
        key = "bet.blind" if book.bet.blind == "any" and box.choice == "bet" and not box.seen else key
        return Refusal(f"box {box.number} has decided", book.cite(key if key in book.by_key else "decide.choices"))
    if box.racked:
        return _gone(book, box)
    if refused := miscounted(book, box):
        return refused
    if book.decide.order == "clockwise":
        # Blind bets are bets already: the dealer goes on to the next box.
        owing = [one for one in current.dealt_in if one.owes_decision]
        first = next((one.number for one in owing if one.number == box.number or not is_blind(book, one)), box.number)
        if first != box.number:
            return Refusal(f"box {first} decides first", book.cite("decide.order"))
    return current, box
