"""The players' acts: look, exchange, discard, bet, stay, fold, declare, claim."""

from collections.abc import Mapping
from typing import Any

from aceking.cards.card import CardId
from aceking.cards.three import instant
from aceking.rules.book import Book
from aceking.rules.decisions import CHOICES, DECISIONS, Choice
from aceking.rules.refusal import Refusal, refusal
from aceking.rules.rulings import rulings_on
from aceking.rules.sentence import said
from aceking.settlement.amounts import bet_sizes, exchange_limit_text, exchange_price
from aceking.table import event as ev
from aceking.table.base_procedure import base
from aceking.table.cards.deal_order import dealt_out, has_hand
from aceking.table.cards.next_card import next_cards
from aceking.table.commands import (
    Bet,
    Claim,
    DecisionAct,
    Discard,
    Exchange,
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
from aceking.table.mishaps.case import MishapCase
from aceking.table.mishaps.consequences import apply_remedy
from aceking.table.mishaps.ruling import rule_on
from aceking.table.moment import Done, Moment
from aceking.table.money.award_lines import too_late
from aceking.table.money.blind_bets import (
    confirm_blind_bets,
    decides_before,
    is_blind,
    stake_blind,
    take_back,
    without_bet,
)
from aceking.table.money.limits import decision_deadline
from aceking.table.money.settling import ante_in_play, early_lines, miscounted
from aceking.table.phases.betting import ante, has_left, side_bet
from aceking.table.phases.majors import pause
from aceking.table.procedure.conditions.deciding import fee_exact, is_thrown_away, once_only
from aceking.table.state import Box, Round


def place(now: Moment, act: PlaceForPlayer) -> Done:
    """Place a player's chips by staff: an ante, a side wager or a bet, as if the player had done it."""
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


def look(now: Moment, act: Look) -> Done:
    """Look at a hand of the player's own."""
    in_round = now.box(act.box)
    if isinstance(in_round, Refusal):
        return in_round
    current, box = in_round
    if left := has_left(now, box):
        return left
    if not box.cards or box.racked:
        return now.no("there are no cards to look at", "time")
    if box.seen:
        return []
    if box.gave_up:
        return refusal(said("the hand of box {box} is given up", box=box.number), _why_given_up(now.book, current, box))
    events: list[ev.TableEvent] = [ev.Looked(box=box.number, at=now.at, clause=now.clause)]
    others = [one.number for one in current.dealt_in if one.player == box.player and one.seen]
    if now.book.table.hands_seen is not None and len(others) >= now.book.table.hands_seen:
        if now.table.mode == "electronic":
            # On a screen the other hands are simply not shown, so a second look can be refused.
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


def exchange(now: Moment, act: Exchange) -> Done:
    """Exchange cards for the next of the deck, in order, at a price that is lost."""
    deciding = _deciding(now, act)
    if isinstance(deciding, Refusal):
        return deciding
    _, box = deciding
    rules = now.book.exchange
    assert rules is not None, "the gate knows of no exchange in a book without one"
    if not 1 <= len(act.give) <= rules.cards:
        return Refusal(exchange_limit_text(now.book), now.book.cite("exchange.cards"))
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
        *confirm_blind_bets(now.book, now.table, box.number),
        *changed_mind,
        ev.Staked(box=box.number, player=box.player, wager="exchange", amount=amount, clause=now.clause),
        *(
            ev.Swapped(box=box.number, give=gave, take=took, clause=now.clause)
            for gave, took in zip(act.give, taken, strict=True)
        ),
        ev.Looked(box=box.number, at=now.at, clause=now.clause),
    ]


def discard(now: Moment, act: Discard) -> Done:
    """Discard a card of a box that goes on."""
    in_round = now.box(act.box)
    if isinstance(in_round, Refusal):
        return in_round
    current, box = in_round
    if not now.book.hands.discards or current.phase != "deciding":
        return now.no("no card is discarded now", "time")
    if box.racked:
        return _gone(now.book, box)
    if box.ended_early:
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
    # No bet follows: a player who discards without one goes on with the ante alone.
    asked = _deciding(now, act)
    if isinstance(asked, Refusal):
        return asked
    return [aside, ev.Decided(box=box.number, choice="stay", clause=now.book.cite("bet.antes"))]


def decide_box(now: Moment, act: DecisionAct) -> Done:
    """Decide for a box: bet, stay, fold or declare."""
    if isinstance(act, Bet) and (blind := _blind_bet(now, act)) is not None:
        return blind
    choice = _choice(now.book, act)
    if choice == "stay" and _says_so_too(now, act.box):
        return []
    if choice == "declare" and _has_laid_aside(now, act.box):
        return Refusal(
            "a card is laid aside: the player goes on", now.book.cite_first("instant.no_bet", "decide.choices")
        )
    deciding = _deciding(now, act)
    if isinstance(deciding, Refusal):
        return deciding
    _, box = deciding
    if choice == "stay" and now.book.bet.required:
        return Refusal("staying in takes a bet", now.book.cite("bet.required"))
    if choice not in now.book.decide.choices:
        return refusal(said("{choice} is not offered", choice=choice), now.book.cite("decide.choices"))
    events = confirm_blind_bets(now.book, now.table, box.number)
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
    where_set = now.book.by_key.get(DECISIONS[choice].rule)
    decided = ev.Decided(box=box.number, choice=choice, clause=where_set.clause if where_set else now.clause)
    events += [*aside, decided]
    early = early_lines(now.book, now.table, box, choice)
    if choice == "declare" and not held_instant(now.book, box):
        wrong = rule_on(now.after(events), "wrong-declaration", boxes=(box.number,))
        if isinstance(wrong, Refusal):
            return wrong
        events += wrong
    return [*events, *early]


def _says_so_too(now: Moment, number: int) -> bool:
    """Return True if a box that has stayed in by its discard now says that it stays."""
    current = now.table.live_round
    box = current.boxes.get(number) if current is not None and current.phase == "deciding" else None
    return box is not None and box.choice == "stay" and "discard" in box.acts and "stay" not in box.acts


def _has_laid_aside(now: Moment, number: int) -> bool:
    """Return True if a box has discarded and goes on without a bet."""
    current = now.table.live_round
    box = current.boxes.get(number) if current is not None else None
    return box is not None and box.discard is not None and not box.bet


_CHOICES: Mapping[str, Choice] = {one: one for one in CHOICES}


def _choice(book: Book, act: DecisionAct) -> Choice:
    """Return the choice of a decision: a bet of zero is a stay, if the book lets a box stay."""
    if isinstance(act, Bet) and act.amount == 0 and not book.bet.required:
        return "stay"
    return _CHOICES[act.do]


def _laid_aside(now: Moment, box: Box, act: DecisionAct) -> Done:
    """Discard with the decision; a discard may also come later, and the reveal waits for it."""
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


def _blind_bet(now: Moment, act: Bet) -> Done | None:
    """Stake a bet before the box is asked, or take it back in time; None if it is not such a bet."""
    if now.book.bet.blind != "any" or act.amount == 0:
        return None
    in_round = now.box(act.box)
    if isinstance(in_round, Refusal):
        return in_round
    current, box = in_round
    if left := has_left(now, box):
        return left
    withdraws = act.amount is not None and act.amount < 0
    if current.phase in ("betting", "closed", "dealing"):
        return stake_blind(now.book, current, box, act)
    if withdraws and is_blind(now.book, box):
        return stake_blind(now.book, current, box, act)
    if withdraws:
        return Refusal("the dealer has gone on", now.book.cite("bet.blind"))
    if box.seen or box.bet or box.choice is not None:
        return None
    # Asked and not looked yet: the player may change their mind until the dealer goes on to the next box.
    asked = _deciding(now, act)
    if isinstance(asked, Refusal):
        return asked
    staked = _bet(now, box, act)
    return staked if isinstance(staked, Refusal) else [*confirm_blind_bets(now.book, now.table, box.number), *staked]


def held_instant(book: Book, box: Box) -> bool:
    """Return True if the cards of a box are an instant winner."""
    three = tuple(CardId(one) for one in box.cards)
    return book.instant is not None and instant(three, ace_low=book.instant.ace_low) is not None


def _bet(now: Moment, box: Box, act: Bet) -> Done:
    """Stake a bet of an allowed size, or of another size if nobody notices."""
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


def before_time(now: Moment, current: Round, box: Box) -> Refusal | None:
    """Refuse to act for a box whose posted time has not run out."""
    ends = decision_deadline(now.table, current)
    if ends is None:
        return base("limit", "no time limit is posted at this table")
    left = -((now.at - ends) // 1000)
    return base("limit", said("box {box} has {count} seconds left", box=box.number, count=left)) if left > 0 else None


def time_out(now: Moment, act: TimeOut) -> Done:
    """Rule on a decision that is owed when the posted time has run out, as if the player had walked away.

    If no staff is there, the posted rule of the house answers for the supervisor, and is recorded as the ruling.
    """
    deciding = _deciding(now, act)
    if isinstance(deciding, Refusal):
        return deciding
    current, box = deciding
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
    done = apply_remedy(after.after([answered]), answered.then, MishapCase("walk-away", clause, (box.number,)))
    assert isinstance(done, list), "a box that owes a decision can be decided for"
    return [*events, answered, *done]


def claim(now: Moment, act: Claim) -> Done:
    """Announce a jackpot hand, before the cards are collected."""
    in_round = now.box(act.box)
    if isinstance(in_round, Refusal):
        return in_round
    current, box = in_round
    if not has_hand(now.book, current, box):
        return now.no("there is no hand yet to give notice of", "time")
    if box.racked:
        return Refusal("the cards have been collected", now.book.cite("progressive.claim"))
    if too_late(now.book, current, box):
        return Refusal("it was not declared when it was seen", now.book.cite("progressive.undeclared_major"))
    claimed = ev.Claimed(box=box.number, clause=now.clause or now.book.cite("progressive.claim"))
    return [claimed, *pause(now.book, current, box)]


def touch(now: Moment, act: TouchCards) -> Done:
    """Record that a player touches cards; by the book, a discarded one may end the hand of a box that exchanged."""
    current = now.table.live_round
    box = current.boxes.get(act.box) if current is not None and act.box is not None else None
    ruled = box is not None and box.give is not None and not box.void and now.book.rules_on("discard-picked-up")
    if current is None or box is None or not ruled or not is_thrown_away(now.table, act.card):
        return []
    # A hand that was given up, or settled and cleared, is not changed by what its player does then.
    if box.gave_up or any(
        line.seat == box.number and place in current.moved for place, line in enumerate(current.lines) if not line.early
    ):
        return []
    return rule_on(now, "discard-picked-up", boxes=(box.number,))


def talk(now: Moment, act: Talk) -> Done:
    """Record talk about a hand, and rule on it at once if the book has a rule for it."""
    current = now.table.live_round
    if current is None or act.box is None or not now.book.rules_on("talking"):
        return []
    return rule_on(now, "talking", boxes=(act.box,))


def _gone(book: Book, box: Box) -> Refusal:
    """Refuse a decision on cards in the rack; the house decides what becomes of the stakes."""
    where = book.rules_on("raked-cards") or book.cite("void.last_word")
    return refusal(said("the cards of box {box} are in the rack", box=box.number), where)


def _why_given_up(book: Book, current: Round, box: Box) -> str:
    """The clause by which a hand was given up: by its player's choice, or because the player walked away."""
    assert box.choice is not None, "who gave a hand up has decided"
    left = {one.clause for one in current.found if one.mishap == "walk-away" and box.number in one.boxes}
    deemed = (clause for clause, ruling in rulings_on(book, "walk-away") if ruling.then == "deemed-fold")
    return next(
        (clause for clause in deemed if clause in left), book.cite_first(DECISIONS[box.choice].rule, "decide.choices")
    )


def _deciding(now: Moment, act: OfBox) -> tuple[Round, Box] | Refusal:
    """Return the round and the box that decides now, or why it may not."""
    in_round = now.box(act.box)
    if isinstance(in_round, Refusal):
        return in_round
    current, box = in_round
    book = now.book
    if box.gave_up:
        return refusal(said("box {box} has decided", box=box.number), _why_given_up(book, current, box))
    if box.choice is not None:
        key = DECISIONS[box.choice].rule if box.ended_early else "decide.choices"
        key = "bet.blind" if book.bet.blind == "any" and box.unseen else key
        return refusal(
            said("box {box} has decided", box=box.number), book.cite(key if key in book.by_key else "decide.choices")
        )
    # Without a go-ahead, the first decision after the last card is one.
    if current.phase != "deciding" and not (current.phase == "dealing" and dealt_out(book, current)):
        return Refusal("this is not the time for decisions", book.cite("decide.choices"))
    if left := has_left(now, box):
        return left
    if box.racked:
        return _gone(book, box)
    if refused := miscounted(book, box):
        return refused
    if (first := decides_before(book, current, box)) is not None:
        return refusal(said("box {box} decides first", box=first), book.cite("decide.order"))
    return current, box
