"""The players' part: looking, exchanging, discarding, betting, staying, folding, declaring, claiming."""

from collections.abc import Mapping
from typing import Any, get_args

from aceking.cards.card import Card
from aceking.cards.three import instant
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal, refusal
from aceking.rules.rulings import rulings_on
from aceking.rules.sentence import said
from aceking.settlement.amounts import bet_sizes, exchange_price, may_exchange
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.deal_order import dealt_out, has_hand
from aceking.table.cards.next_card import next_cards
from aceking.table.commands import (
    Bet,
    Choice,
    Claim,
    Declare,
    Discard,
    Exchange,
    Fold,
    Look,
    OfBox,
    PlaceForPlayer,
    SideBet,
    Stay,
    Talk,
    TimeOut,
    TouchCards,
    laid_aside,
)
from aceking.table.mishaps.case import Case
from aceking.table.mishaps.consequences import follow
from aceking.table.mishaps.ruling import rule_on
from aceking.table.moment import Done, Now
from aceking.table.money.award_lines import too_late
from aceking.table.money.blind_bets import is_blind, passed_over, stake_blind, take_back, without_bet
from aceking.table.money.limits import time_is_up
from aceking.table.money.settling import ante_in_play, early_lines, miscounted
from aceking.table.phases.betting import ante, has_left, side_bet
from aceking.table.phases.majors import pause
from aceking.table.procedure.conditions.deciding import fee_exact, is_thrown_away, once_only
from aceking.table.state import Box, Round

Decision = Bet | Stay | Fold | Declare


def place(now: Now, act: PlaceForPlayer) -> Done:
    """Staff lay a player's chips down for him: an ante, a side wager or a bet, as if he had done it."""
    common: dict[str, Any] = {
        "box": act.box,
        "player": act.player,
        "amount": act.amount,
        "means": act.means,
        "noticed": act.noticed,
    }
    match act.wager:
        case "side":
            return side_bet(now, SideBet(**common, wager=act.side, standing=act.standing, games=act.games))
        case "bet":
            return decide_box(now, Bet(**common, discard=act.discard))
        case "ante":
            return ante(now, act)


def look(now: Now, act: Look) -> Done:
    """A player looks at a hand of his."""
    found = now.box(act.box)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if gone := has_left(now, box):
        return gone
    if not box.cards or box.racked:
        return now.no("there are no cards to look at", "time")
    if box.seen:
        return []
    if box.choice == "fold":
        return refusal(said("the hand of box {box} is given up", box=box.number), _why_folded(now.book, current, box))
    events: list[ev.Event] = [ev.Looked(box=box.number, at=now.at, clause=now.clause)]
    others = [one.number for one in current.dealt_in if one.player == box.player and one.seen]
    if now.book.table.hands_seen is not None and len(others) >= now.book.table.hands_seen:
        if now.table.mode == "electronic":
            # The backs of the other hands cannot be turned there.
            return refusal(
                said("{player} has looked at box {other}", player=box.player, other=others[0]),
                now.book.cite("table.hands_seen"),
            )
        ruled = rule_on(now.after(events), "second-look", boxes=(box.number,))
        if isinstance(ruled, Refusal):
            return ruled
        events += ruled
    if not dealt_out(now.book, current) and now.book.rules_on("early-pick-up"):
        early = rule_on(now.after(events), "early-pick-up", boxes=(box.number,))
        if isinstance(early, Refusal):
            return early
        events += early
    return events


def exchange(now: Now, act: Exchange) -> Done:
    """Cards are given for the next of the deck, in order, at a price that is lost."""
    found = _deciding(now, act)
    if isinstance(found, Refusal):
        return found
    _, box = found
    rules = now.book.exchange
    assert rules is not None, "the gate knows of no exchange in a book without one"
    if not 1 <= len(act.give) <= rules.cards:
        return Refusal(may_exchange(now.book), now.book.cite("exchange.cards"))
    if any(given not in box.cards for given in act.give):
        return base("deck", "the card given away is not in the hand")
    if len(set(act.give)) < len(act.give):
        return base("deck", "a card is given away twice")
    if again := once_only(now.book, now.table, act):
        return Refusal(again, now.book.cite("exchange.cards"))
    if wrong := fee_exact(now.book, now.table, act):
        return Refusal(wrong, now.book.cite_first("exchange.prices", "exchange.price_antes"))
    price = exchange_price(now.book, ante_in_play(now.book, now.table, box), len(act.give))
    named = (act.take,) if isinstance(act.take, int) else act.take
    taken = next_cards(now, len(act.give), named)
    if isinstance(taken, Refusal):
        return taken
    changed_mind = take_back(now.book, box) if is_blind(now.book, box) else []
    amount = price if act.amount is None else act.amount
    return [
        *passed_over(now.book, now.table, box.number),
        *changed_mind,
        ev.Staked(box=box.number, player=box.player, wager="exchange", amount=amount, clause=now.clause),
        *(
            ev.Swapped(box=box.number, give=gave, take=took, clause=now.clause)
            for gave, took in zip(act.give, taken, strict=True)
        ),
        ev.Looked(box=box.number, at=now.at, clause=now.clause),
    ]


def discard(now: Now, act: Discard) -> Done:
    """A card is laid aside by who goes on."""
    found = now.box(act.box)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if not now.book.hands.discards or current.phase != "deciding":
        return now.no("no card is discarded now", "time")
    if box.racked:
        return _gone(now.book, box)
    if box.choice in ("fold", "declare"):
        return now.no(said("box {box} has decided, and has no card to lay aside", box=box.number), "time")
    if len(box.aside) >= now.book.hands.discards:
        if now.book.hands.discards == 1:
            return now.no("a card is discarded already", "time")
        return now.no(said("{count} cards are discarded already", count=len(box.aside)), "time")
    if act.card not in box.kept:
        return base("deck", "the discard is not in the hand")
    aside = ev.Discarded(box=box.number, card=act.card, clause=now.clause)
    if box.choice is not None or now.book.bet.required:
        return [aside]
    # No bet comes after it: who lays a card aside without one goes on with the ante alone.
    asked = _deciding(now, act)
    if isinstance(asked, Refusal):
        return asked
    return [aside, ev.Decided(box=box.number, choice="stay", clause=now.book.cite("bet.antes"))]


def decide_box(now: Now, act: Decision) -> Done:
    """A box bets, stays, folds or declares."""
    if isinstance(act, Bet) and (blind := _blind_bet(now, act)) is not None:
        return blind
    choice = _choice(now.book, act)
    if choice == "stay" and _says_so_too(now, act.box):
        return []
    if choice == "declare" and _has_laid_aside(now, act.box):
        return Refusal(
            "a card is laid aside: the player goes on", now.book.cite_first("instant.no_bet", "decide.choices")
        )
    found = _deciding(now, act)
    if isinstance(found, Refusal):
        return found
    _, box = found
    if choice == "stay" and now.book.bet.required:
        return Refusal("staying in takes a bet", now.book.cite("bet.required"))
    if choice not in now.book.decide.choices:
        return refusal(said("{choice} is not offered", choice=choice), now.book.cite("decide.choices"))
    events = passed_over(now.book, now.table, box.number)
    if is_blind(now.book, box) and choice != "bet":
        events += take_back(now.book, box)
        box = without_bet(box)
    if box.bet and choice != "bet":
        where = now.book.governs(choice) or now.book.cite("bet.antes")
        return refusal(said("there is no {choice} with a bet down", choice=choice), where)
    if isinstance(act, Bet) and choice == "bet":
        staked = _bet(now, box, act)
        if isinstance(staked, Refusal):
            return staked
        events += staked
    aside = _laid_aside(now, box, act)
    if isinstance(aside, Refusal):
        return aside
    key = {"fold": "fold.ante", "declare": "instant.no_bet"}.get(choice, "bet.antes")
    where_set = now.book.by_key.get(key)
    decided = ev.Decided(box=box.number, choice=choice, clause=where_set.clause if where_set else now.clause)
    events += [*aside, decided]
    early = early_lines(now.book, now.table, box, choice)
    if choice == "declare" and not held_instant(now.book, box):
        wrong = rule_on(now.after(events), "wrong-declaration", boxes=(box.number,))
        if isinstance(wrong, Refusal):
            return wrong
        events += wrong
    return [*events, *early]


def _says_so_too(now: Now, number: int) -> bool:
    """Whether a box that has laid its card aside, and so stays in, now says that it does."""
    current = now.table.live_round
    box = current.boxes.get(number) if current is not None and current.phase == "deciding" else None
    return box is not None and box.choice == "stay" and "discard" in box.acts and "stay" not in box.acts


def _has_laid_aside(now: Now, number: int) -> bool:
    """Whether a box goes on without a bet."""
    current = now.table.live_round
    box = current.boxes.get(number) if current is not None else None
    return box is not None and box.discard is not None and not box.bet


_CHOICES: Mapping[str, Choice] = {one: one for one in get_args(Choice)}


def _choice(book: Book, act: Decision) -> Choice:
    """What a decision is: a bet of nothing stays in, where the book lets a box stay."""
    if isinstance(act, Bet) and act.amount == 0 and not book.bet.required:
        return "stay"
    return _CHOICES[act.do]


def _laid_aside(now: Now, box: Box, act: Decision) -> Done:
    """Cards may be laid aside with the decision or after it; the reveal waits for them."""
    cards = laid_aside(act.discard) if isinstance(act, (Bet, Stay)) else ()
    left = now.book.hands.discards - len(box.aside)
    if not cards or left <= 0:
        return []
    if len(cards) > left:
        most = now.book.hands.discards
        return Refusal(f"{most} card{'s'[: most != 1]} may be laid aside, not more", now.book.cite("hands.discards"))
    if any(one not in box.kept for one in cards) or len(set(cards)) < len(cards):
        return base("deck", "the discard is not in the hand")
    clause = now.book.cite("bet.antes")
    return [ev.Discarded(box=box.number, card=one, clause=clause) for one in cards]


def _blind_bet(now: Now, act: Bet) -> Done | None:
    """A bet before the players are asked, or taken back before the dealer goes on, where the book knows such bets."""
    if now.book.bet.blind != "any" or act.amount == 0:
        return None
    found = now.box(act.box)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if gone := has_left(now, box):
        return gone
    withdraws = act.amount is not None and act.amount < 0
    if current.phase in ("betting", "closed", "dealing"):
        return stake_blind(now.book, current, box, act)
    if withdraws and is_blind(now.book, box):
        return stake_blind(now.book, current, box, act)
    if withdraws:
        return Refusal("the dealer has gone on", now.book.cite("bet.blind"))
    if box.seen or box.bet or box.choice is not None:
        return None
    # Asked, and not looked at: he may change his mind until the dealer goes on to the next box.
    asked = _deciding(now, act)
    if isinstance(asked, Refusal):
        return asked
    staked = _bet(now, box, act)
    return staked if isinstance(staked, Refusal) else [*passed_over(now.book, now.table, box.number), *staked]


def held_instant(book: Book, box: Box) -> bool:
    """Whether the cards of a box are an instant winner."""
    three = tuple(Card(one) for one in box.cards)
    return book.instant is not None and instant(three, ace_low=book.instant.ace_low) is not None


def _bet(now: Now, box: Box, act: Bet) -> Done:
    """The chips of a bet: of a size that the book has, unless nobody noticed that they are not."""
    sizes = bet_sizes(now.book, ante_in_play(now.book, now.table, box))
    if box.bet:
        again = act.amount not in (None, 0)
        return Refusal("there is a bet down already", now.book.cite("bet.antes")) if again else []
    amount = act.amount if act.amount is not None else sizes[0]
    if amount <= 0:
        return Refusal("a bet is more than nothing", now.book.cite("bet.antes"))
    if act.noticed and amount not in sizes and amount not in bet_sizes(now.book, box.ante):
        return Refusal("the bet is not the size that the book prescribes", now.book.cite("bet.antes"))
    if now.book.table.wager_max is not None and amount > now.book.table.wager_max:
        return Refusal("the bet would pass the limit of a single wager", now.book.cite("table.wager_max"))
    clause = now.book.cite("bet.antes")
    return [ev.Staked(box=box.number, player=box.player, wager="bet", amount=amount, clause=clause)]


def before_time(now: Now, current: Round, box: Box) -> Refusal | None:
    """Why nobody may speak for a box yet: the posted time has not run out."""
    ends = time_is_up(now.table, current)
    if ends is None:
        return base("limit", "no time limit is posted at this table")
    left = -((now.at - ends) // 1000)
    return base("limit", said("box {box} has {count} seconds left", box=box.number, count=left)) if left > 0 else None


def time_out(now: Now, act: TimeOut) -> Done:
    """The posted time has run out: a decision is owed and nobody makes it, as when a player has walked away.

    Where nobody of the pit is there, the house's posted rule answers for the supervisor, and is recorded as the ruling.
    """
    found = _deciding(now, act)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if early := before_time(now, current, box):
        return early
    events = rule_on(now, "walk-away", boxes=(box.number,))
    if isinstance(events, Refusal):
        return events
    asked = [one for one in events if isinstance(one, ev.Asked)]
    if now.table.attended or not asked:
        return events
    after, question = now.after(events), asked[0]
    clause = question.clause
    answered = ev.Answered(
        question=question.question,
        then="deemed-fold" if "fold" in now.book.decide.choices else "deemed-stay",
        by="house",
        reason="the posted rule of the house for a time that runs out",
        clause=clause,
    )
    done = follow(after.after([answered]), answered.then, Case("walk-away", clause, (box.number,)))
    assert isinstance(done, list), "a box that owes a decision can be decided for"
    return [*events, answered, *done]


def claim(now: Now, act: Claim) -> Done:
    """A player gives notice of a jackpot hand, before the cards are collected."""
    found = now.box(act.box)
    if isinstance(found, Refusal):
        return found
    current, box = found
    if not has_hand(now.book, current, box):
        return now.no("there is no hand yet to give notice of", "time")
    if box.racked:
        return Refusal("the cards have been collected", now.book.cite("progressive.claim"))
    if too_late(now.book, current, box):
        return Refusal("it was not declared when it was seen", now.book.cite("progressive.undeclared_major"))
    claimed = ev.Claimed(box=box.number, clause=now.clause or now.book.cite("progressive.claim"))
    return [claimed, *pause(now.book, current, box)]


def touch(now: Now, act: TouchCards) -> Done:
    """A player touches cards: one that was thrown away ends the hand of who has exchanged, where the book says so."""
    current = now.table.live_round
    box = current.boxes.get(act.box) if current is not None and act.box is not None else None
    ruled = box is not None and box.give is not None and not box.void and now.book.rules_on("discard-picked-up")
    if current is None or box is None or not ruled or not is_thrown_away(now.table, act.card):
        return []
    # What is given up, or settled and cleared away, is not undone by what its player does then.
    if box.choice == "fold" or any(
        line.seat == box.number and place in current.moved for place, line in enumerate(current.lines) if not line.early
    ):
        return []
    return rule_on(now, "discard-picked-up", boxes=(box.number,))


def talk(now: Now, act: Talk) -> Done:
    """Somebody talks about a hand: ruled on when it happens, where the book has a rule for it."""
    current = now.table.live_round
    if current is None or act.box is None or not now.book.rules_on("talking"):
        return []
    return rule_on(now, "talking", boxes=(act.box,))


def _gone(book: Book, box: Box) -> Refusal:
    """Nothing is decided on cards that nobody may look at again; the house says what becomes of the stakes."""
    where = book.rules_on("raked-cards") or book.cite("void.last_word")
    return refusal(said("the cards of box {box} are in the rack", box=box.number), where)


def _why_folded(book: Book, current: Round, box: Box) -> str:
    """The clause by which a hand was given up: its player folded, or walked away."""
    left = {one.clause for one in current.found if one.mishap == "walk-away" and box.number in one.boxes}
    deemed = (clause for clause, ruling in rulings_on(book, "walk-away") if ruling.then == "deemed-fold")
    return next((clause for clause in deemed if clause in left), book.cite_first("fold.ante", "decide.choices"))


def _deciding(now: Now, act: OfBox) -> tuple[Round, Box] | Refusal:
    """The box that decides now."""
    found = now.box(act.box)
    if isinstance(found, Refusal):
        return found
    current, box = found
    book = now.book
    if box.choice == "fold":
        return refusal(said("box {box} has decided", box=box.number), _why_folded(book, current, box))
    if box.choice is not None:
        key = "instant.no_bet" if box.choice == "declare" else "decide.choices"
        key = "bet.blind" if book.bet.blind == "any" and box.unseen else key
        return refusal(
            said("box {box} has decided", box=box.number), book.cite(key if key in book.by_key else "decide.choices")
        )
    # Where nobody called the go-ahead, the first decision after the last card is one.
    if current.phase != "deciding" and not (current.phase == "dealing" and dealt_out(book, current)):
        return Refusal("this is not the time for decisions", book.cite("decide.choices"))
    if gone := has_left(now, box):
        return gone
    if box.racked:
        return _gone(book, box)
    if refused := miscounted(book, box):
        return refused
    if book.decide.order == "clockwise":
        # Blind bets are bets already: the dealer goes on to the next box.
        owing = [one for one in current.dealt_in if one.owes_decision]
        first = next((one.number for one in owing if one.number == box.number or not is_blind(book, one)), box.number)
        if first != box.number:
            return refusal(said("box {box} decides first", box=first), book.cite("decide.order"))
    return current, box
