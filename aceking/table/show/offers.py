"""Offers: what a viewer of a table may do now, worked out from its state.

An act is offered if neither the gate nor a clause of the book is against it. A test compares the offers with the
engine: every offered act is accepted, without a breach.
"""

from collections.abc import Collection, Iterable, Iterator
from operator import attrgetter
from typing import Any

import msgspec

from aceking.cards.card import named
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.decisions import DECISIONS, BookChoice, DockPlace
from aceking.rules.refusal import Refusal
from aceking.rules.vocabulary import ExchangeRules
from aceking.rules.words import Remedy
from aceking.settlement.amounts import bet_sizes, exchange_price
from aceking.table import commands as c
from aceking.table.cards.deal_order import boxes_to_discard, dealt_out, has_hand
from aceking.table.cards.shoe import NO_SHOE
from aceking.table.dealer.next_act import due
from aceking.table.gate import completed, gate
from aceking.table.mishaps.answers import answers
from aceking.table.mishaps.consequences import may_choose
from aceking.table.moment import Moment
from aceking.table.money.award_lines import holds_major, too_late
from aceking.table.money.blind_bets import decides_before, is_blind
from aceking.table.money.limits import ante_limits
from aceking.table.money.settling import ante_in_play, lost_by_giving_up, miscounted
from aceking.table.procedure.conditions.wagers import too_many_boxes
from aceking.table.procedure.orders import is_clear
from aceking.table.state import Box, Round, TableState

_number = attrgetter("number")


class Offer(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An act that may be done: the fields of the command, and what is left to choose."""

    do: str
    box: int | None = None
    wager: str | None = None  # the name of a named side wager
    amount: str | None = None  # exactly this amount
    least: str | None = None  # or any amount from `least`
    most: str | None = None  # to `most`
    loses: str | None = None  # if the hand is given up: all chips of the box that cannot come back after it
    cards: tuple[str, ...] = ()  # one of these is exchanged or discarded, or `count` of them
    question: int | None = None
    go_on: bool | None = None
    antes: int | None = None  # the size of a bet, if the player chooses it
    count: int | None = None  # the number of cards given, if not one
    answers: tuple[Remedy, ...] = ()  # one of these is given, with a reason
    letter: str | None = None  # the key of a choice of the player
    place: DockPlace | None = None  # where the button of a choice stands


def is_free(book: Book, table: TableState, act: c.Act) -> bool:
    """Return True if gate and book let an act pass without a breach."""
    passed = gate(book, table, act)
    if isinstance(passed, Refusal):
        return False
    full = completed(book, table, act, passed)
    if isinstance(full, Refusal):
        return False
    return is_clear(book, table, full, passed.role, passed.at)


def player_offers(
    book: Book, table: TableState, player: str, seats: Collection[int] | None = None
) -> tuple[Offer, ...]:
    """Return what a player may do now at their own boxes or at free ones; with `seats`, at those places only."""
    current = table.live_round
    if current is None:
        return ()
    choices = tuple(_choices(book, table, current, player)) if table.questions else ()
    if table.holding is not None:
        return choices
    if current.phase == "betting":
        places = range(1, book.table.seats_max + 1) if seats is None else sorted(seats)
        return (*choices, *_stakes(book, table, current, player, places))
    if current.buying:
        choices = (*choices, *_dealer_card(book, table, current, player))
    own = [box for box in current.boxes.values() if box.player == player and box.live]
    if len(own) > 1:
        own.sort(key=_number)
    return (*choices, *[offer for box in own for offer in _at_box(book, table, current, box)])


def dealer_offers(book: Book, table: TableState) -> tuple[Offer, ...]:
    """Return what is due next from the dealer, the devices or the staff."""
    act = due(book, table)
    if isinstance(act, c.Report):
        return (Offer(do="report", box=act.boxes[0] if act.boxes else None),)
    return () if act is None else (Offer(do=act.do, box=act.box),)


def question_offers(book: Book, table: TableState) -> tuple[Offer, ...]:
    """Return the questions to persons of rank, each with the answers that would be accepted."""
    now = Moment(book, table, NO_SHOE, table.clock, "", "house")
    return tuple(
        Offer(do="rule", question=question.number, answers=answers(now, question))
        for question in table.questions
        if question.of != "players"
    )


def _choices(book: Book, table: TableState, current: Round, player: str) -> Iterator[Offer]:
    """Go on with the hand, or take the bet back, if the book asks."""
    for question in table.questions:
        for number in question.boxes if question.of == "players" else ():
            box = current.boxes.get(number)
            if box is None or box.player != player or not may_choose(box):
                continue
            whole = len(box.cards) == book.hands.cards or not dealt_out(book, current)
            if whole:
                yield Offer(do="choose", question=question.number, box=number, go_on=True)
            yield Offer(do="choose", question=question.number, box=number, go_on=False)


def _stakes(book: Book, table: TableState, current: Round, player: str, places: Iterable[int]) -> Iterator[Offer]:
    """Antes on free or own boxes within the limits, side bets beside an ante, and taking them back."""
    low, high = ante_limits(book, table)
    least = low or 1
    for number in places:
        box = current.boxes.get(number)
        if box is not None and (box.void or box.forfeited or box.left or (box.taken and box.player != player)):
            continue
        if box is not None and box.ante:
            back = c.Ante(box=number, player=player, role="player", amount=-box.ante)
            if is_free(book, table, back):
                yield Offer(do="ante", box=number, amount=_shown(book, -box.ante))
            yield from _sides(book, table, box)
            if book.sides:
                yield from _named(book, table, box)
            if book.bet.blind == "any":
                yield from _blind(book, table, box)
        elif too_many_boxes(book, current, player, number):
            continue
        elif is_free(book, table, c.Ante(box=number, player=player, role="player", amount=least)):
            most = None if high is None else _shown(book, high)
            yield Offer(do="ante", box=number, least=_shown(book, least), most=most)


def _sides(book: Book, table: TableState, box: Box) -> Iterator[Offer]:
    rules = book.progressive or book.bonus
    offered = book.bonus is None or book.bonus.offered
    if rules is None or not offered or table.course == "play-without-jackpot":
        return
    amount = -box.side if box.side else rules.stake
    act = c.SideBet(box=box.number, player=box.player, role="player", amount=amount)
    if is_free(book, table, act):
        yield Offer(do="side-bet", box=box.number, amount=_shown(book, amount))


def _named(book: Book, table: TableState, box: Box) -> Iterator[Offer]:
    """The named side wagers: each within its limits, or taking it back."""
    for wager, side in book.sides.items():
        placed = box.sides.get(wager)
        least = -placed.stake if placed is not None else side.stake or side.min
        act = c.SideBet(box=box.number, player=box.player, role="player", amount=least, wager=wager)
        if not is_free(book, table, act):
            continue
        assert least is not None
        if placed is not None or side.max is None:
            yield Offer(do="side-bet", box=box.number, wager=wager, amount=_shown(book, least))
        else:
            low, high = _shown(book, least), _shown(book, side.max)
            yield Offer(do="side-bet", box=box.number, wager=wager, least=low, most=high)


def _blind(book: Book, table: TableState, box: Box) -> Iterator[Offer]:
    """A bet before the box is asked, if the book has blind bets, or taking it back."""
    if box.left:
        return
    for amount in (-box.bet,) if box.bet else bet_sizes(book, box.ante):
        if is_free(book, table, c.Bet(box=box.number, player=box.player, role="player", amount=amount)):
            yield _choice("bet", box, amount=_shown(book, amount), antes=_antes(book, amount, box.ante))


def _at_box(book: Book, table: TableState, current: Round, box: Box) -> Iterator[Offer]:
    """A look, an exchange, a decision or a claim. Offers that depend on the cards need a look first."""
    number, player = box.number, box.player
    if not box.seen and box.cards and _may_look(book, table, current, box):
        yield Offer(do="look", box=number)
    if book.bet.blind == "any" and not dealt_out(book, current):
        yield from _blind(book, table, box)
    held = named(box.kept) if box.seen else ()
    if _is_asked(book, current, box):
        if book.exchange is not None and box.give is None and held:
            yield from _exchange(book, book.exchange, table, box, held)
        yield from _decisions(book, table, box, held)
    if held and number in boxes_to_discard(book, current) and current.phase == "deciding" and not box.racked:
        act = c.Discard(box=number, player=player, role="player", card=box.kept[0])
        if is_free(book, table, act):
            yield Offer(do="discard", box=number, cards=held)
    if box.seen and book.progressive is not None and _may_claim(book, table, current, box):
        yield Offer(do="claim", box=number)


def _may_look(book: Book, table: TableState, current: Round, box: Box) -> bool:
    """Return True if the player may look: after the deal, and within the number of hands that they may see."""
    if box.left or box.racked or box.gave_up or not dealt_out(book, current):
        return False
    if book.table.hands_seen is not None:
        seen = [one for one in current.dealt_in if one.player == box.player and one.seen]
        if len(seen) >= book.table.hands_seen:
            return False
    return is_free(book, table, c.Look(box=box.number, player=box.player, role="player"))


def _may_claim(book: Book, table: TableState, current: Round, box: Box) -> bool:
    """Return True if the box has a hand to announce, and in time."""
    if box.claimed or box.racked or not has_hand(book, current, box):
        return False
    if not (box.lit or holds_major(book, box)) or too_late(book, current, box):
        return False
    return is_free(book, table, c.Claim(box=box.number, player=box.player))


def _is_asked(book: Book, current: Round, box: Box) -> bool:
    """Return True if the box owes a decision, and it is its turn."""
    if not box.owes_decision or box.racked or miscounted(book, box) is not None:
        return False
    if current.phase != "deciding" and not (current.phase == "dealing" and dealt_out(book, current)):
        return False
    return decides_before(book, current, box) is None


def _exchange(book: Book, rules: ExchangeRules, table: TableState, box: Box, held: tuple[str, ...]) -> Iterator[Offer]:
    for count in range(1, rules.cards + 1):
        price = exchange_price(book, ante_in_play(book, table, box), count)
        act = c.Exchange(box=box.number, player=box.player, role="player", give=box.cards[:count], amount=price)
        if is_free(book, table, act):
            several = None if count == 1 else count
            yield _choice("exchange", box, amount=_shown(book, price), cards=held, count=several)


def _dealer_card(book: Book, table: TableState, current: Round, player: str) -> Iterator[Offer]:
    """A card for a dealer without a hand, at its price, or declining it."""
    assert book.bought is not None, "only a book with a bought card offers one"
    for box in current.buying:
        if box.player != player:
            continue
        price = _shown(book, ante_in_play(book, table, box) * book.bought.price_antes)
        for buys in (True, False):
            act = c.BuyDealerCard(box=box.number, player=player, role="player", buys=buys)
            if is_free(book, table, act):
                yield Offer(do="buy-dealer-card", box=box.number, amount=price if buys else None, go_on=buys)


def _decisions(book: Book, table: TableState, box: Box, held: tuple[str, ...]) -> Iterator[Offer]:
    with_card = held if book.hands.discards else ()
    has_bet = box.bet and not is_blind(book, box)
    for choice in book.decide.choices:
        if choice == "bet":
            yield from _bets(book, table, box, with_card)
        elif choice == "exchange" or has_bet or (choice == "stay" and book.bet.required):
            continue
        elif is_free(book, table, c.DECISION_ACTS[choice](box=box.number, player=box.player, role="player")):
            entry = DECISIONS[choice]
            lost = lost_by_giving_up(book, table, box, choice) if entry.gives_up else None
            cards = with_card if entry.takes_cards else ()
            if box.seen or not entry.needs_look:
                yield _choice(choice, box, cards=cards, loses=None if lost is None else _shown(book, lost))


def _choice(choice: BookChoice, box: Box, **known: Any) -> Offer:
    entry = DECISIONS[choice]
    return Offer(do=choice, box=box.number, letter=entry.letter, place=entry.place, **known)


def _bets(book: Book, table: TableState, box: Box, cards: tuple[str, ...]) -> Iterator[Offer]:
    """The bet that was placed already, or one of each allowed size."""
    ante = ante_in_play(book, table, box)
    for size in (box.bet,) if box.bet else bet_sizes(book, ante):
        antes = None if box.bet else _antes(book, size, ante)
        act = c.Bet(box=box.number, player=box.player, role="player", amount=None if antes is None else size)
        if is_free(book, table, act):
            yield _choice("bet", box, amount=_shown(book, size), cards=cards, antes=antes)


def _antes(book: Book, amount: int, ante: int) -> int | None:
    """Return the size of a bet in antes; None if the player does not choose it, or takes it back."""
    return None if book.bet.antes_max is None or amount < 0 else amount // ante


def _shown(book: Book, amount: int) -> str:
    return shown(amount, decimals=book.decimals)
