"""What a viewer of a table may do now, from its state: acts with their amounts, and what is left to choose.

An offer is made where the gate and the clauses of the book have nothing against the act. A test holds the offers
against the engine: every act that is offered is taken, without a breach.
"""

from collections.abc import Collection, Iterable, Iterator
from operator import attrgetter

import msgspec

from aceking.cards.card import named
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.rules.vocabulary import Exchange
from aceking.rules.words import Remedy
from aceking.settlement.amounts import bet_sizes, exchange_price
from aceking.table import commands as c
from aceking.table.cards.deal_order import dealt_out, has_hand, keeping
from aceking.table.cards.shoe import NO_SHOE
from aceking.table.dealer.next_act import due
from aceking.table.gate import completed, gate
from aceking.table.mishaps.answers import answers
from aceking.table.mishaps.consequences import may_choose
from aceking.table.moment import Now
from aceking.table.money.award_lines import holds_major, too_late
from aceking.table.money.blind_bets import is_blind
from aceking.table.money.limits import ante_limits
from aceking.table.money.settling import ante_in_play, miscounted
from aceking.table.procedure.conditions.wagers import too_many_boxes
from aceking.table.procedure.orders import is_clear
from aceking.table.state import Box, Round, Table

_number = attrgetter("number")


class Offer(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something that may be done: the parts of the command, and what is left to choose."""

    do: str
    box: int | None = None
    wager: str | None = None  # which side wager, where the book has it by name
    amount: str | None = None  # exactly this
    least: str | None = None  # or any amount from this
    most: str | None = None  # to this
    loses: str | None = None  # what is given up with it
    cards: tuple[str, ...] = ()  # one of these is given away or laid aside, or `count` of them
    question: int | None = None
    go_on: bool | None = None
    antes: int | None = None  # the size of a bet, where the player chooses it
    count: int | None = None  # how many of the cards are given, where that is not one
    answers: tuple[Remedy, ...] = ()  # of which one is given, with a reason


def is_free(book: Book, table: Table, act: c.Act) -> bool:
    """Whether gate and book let an act pass without a breach."""
    passed = gate(book, table, act)
    if isinstance(passed, Refusal):
        return False
    full = completed(book, table, act, passed)
    if isinstance(full, Refusal):
        return False
    return is_clear(book, table, full, passed.role, passed.at)


def player_offers(book: Book, table: Table, player: str, seats: Collection[int] | None = None) -> tuple[Offer, ...]:
    """What a player may do now, at his own boxes or at free ones; where places are given out, at his `seats` only."""
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


def dealer_offers(book: Book, table: Table) -> tuple[Offer, ...]:
    """What is due next from the dealer, the devices or the staff."""
    act = due(book, table)
    if isinstance(act, c.Report):
        return (Offer(do="report", box=act.boxes[0] if act.boxes else None),)
    return () if act is None else (Offer(do=act.do, box=act.box),)


def question_offers(book: Book, table: Table) -> tuple[Offer, ...]:
    """The questions that wait for a person of rank, each with the answers that would be taken."""
    now = Now(book, table, NO_SHOE, table.clock, "", "house")
    return tuple(
        Offer(do="rule", question=one.number, answers=answers(now, one))
        for one in table.questions
        if one.of != "players"
    )


def _choices(book: Book, table: Table, current: Round, player: str) -> Iterator[Offer]:
    """Go on with the hand, or take the bet back, where the book asks."""
    for one in table.questions:
        for number in one.boxes if one.of == "players" else ():
            box = current.boxes.get(number)
            if box is None or box.player != player or not may_choose(box):
                continue
            whole = len(box.cards) == book.hands.cards or not dealt_out(book, current)
            if whole:
                yield Offer(do="choose", question=one.number, box=number, go_on=True)
            yield Offer(do="choose", question=one.number, box=number, go_on=False)


def _stakes(book: Book, table: Table, current: Round, player: str, places: Iterable[int]) -> Iterator[Offer]:
    """Antes on free or own boxes within the limits, the side bet beside one, and the way back."""
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


def _sides(book: Book, table: Table, box: Box) -> Iterator[Offer]:
    rules = book.progressive or book.bonus
    offered = book.bonus is None or book.bonus.offered
    if rules is None or not offered or table.course == "play-without-jackpot":
        return
    amount = -box.side if box.side else rules.stake
    act = c.SideBet(box=box.number, player=box.player, role="player", amount=amount)
    if is_free(book, table, act):
        yield Offer(do="side-bet", box=box.number, amount=_shown(book, amount))


def _named(book: Book, table: Table, box: Box) -> Iterator[Offer]:
    """The side wagers by name: each within its limits, or the way back."""
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


def _blind(book: Book, table: Table, box: Box) -> Iterator[Offer]:
    """A bet before the box is asked, where the book knows such bets, and the way back."""
    if box.left:
        return
    for amount in (-box.bet,) if box.bet else bet_sizes(book, box.ante):
        if is_free(book, table, c.Bet(box=box.number, player=box.player, role="player", amount=amount)):
            yield Offer(do="bet", box=box.number, amount=_shown(book, amount), antes=_antes(book, amount, box.ante))


def _at_box(book: Book, table: Table, current: Round, box: Box) -> Iterator[Offer]:
    """A look, an exchange, a decision or a claim. What depends on the cards is offered to those who have seen them."""
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
    if held and number in keeping(book, current) and current.phase == "deciding" and not box.racked:
        act = c.Discard(box=number, player=player, role="player", card=box.kept[0])
        if is_free(book, table, act):
            yield Offer(do="discard", box=number, cards=held)
    if box.seen and book.progressive is not None and _may_claim(book, table, current, box):
        yield Offer(do="claim", box=number)


def _may_look(book: Book, table: Table, current: Round, box: Box) -> bool:
    """Who may look at one hand of several has not looked at another; a look before the deal is over is no offer."""
    if box.left or box.racked or box.choice == "fold" or not dealt_out(book, current):
        return False
    if book.table.hands_seen is not None:
        seen = [one for one in current.dealt_in if one.player == box.player and one.seen]
        if len(seen) >= book.table.hands_seen:
            return False
    return is_free(book, table, c.Look(box=box.number, player=box.player, role="player"))


def _may_claim(book: Book, table: Table, current: Round, box: Box) -> bool:
    """Whether the box has something to tell, and in time."""
    if box.claimed or box.racked or not has_hand(book, current, box):
        return False
    if not (box.lit or holds_major(book, box)) or too_late(book, current, box):
        return False
    return is_free(book, table, c.Claim(box=box.number, player=box.player))


def _is_asked(book: Book, current: Round, box: Box) -> bool:
    """Whether the box owes a decision, and it is its turn."""
    if not box.owes_decision or box.racked or miscounted(book, box) is not None:
        return False
    if current.phase != "deciding" and not (current.phase == "dealing" and dealt_out(book, current)):
        return False
    if book.decide.order != "clockwise":
        return True
    owing = [one for one in current.dealt_in if one.owes_decision]
    first = next((one for one in owing if one.number == box.number or not is_blind(book, one)), box)
    return first.number == box.number


def _exchange(book: Book, rules: Exchange, table: Table, box: Box, held: tuple[str, ...]) -> Iterator[Offer]:
    for count in range(1, rules.cards + 1):
        price = exchange_price(book, ante_in_play(book, table, box), count)
        act = c.Exchange(box=box.number, player=box.player, role="player", give=box.cards[:count], amount=price)
        if is_free(book, table, act):
            several = None if count == 1 else count
            yield Offer(do="exchange", box=box.number, amount=_shown(book, price), cards=held, count=several)


def _dealer_card(book: Book, table: Table, current: Round, player: str) -> Iterator[Offer]:
    """A card for a dealer without a hand, at its price, or none."""
    assert book.bought is not None, "only a book with a bought card offers one"
    for box in current.buying:
        if box.player != player:
            continue
        price = _shown(book, ante_in_play(book, table, box) * book.bought.price_antes)
        for buys in (True, False):
            act = c.BuyDealerCard(box=box.number, player=player, role="player", buys=buys)
            if is_free(book, table, act):
                yield Offer(do="buy-dealer-card", box=box.number, amount=price if buys else None, go_on=buys)


def _decisions(book: Book, table: Table, box: Box, held: tuple[str, ...]) -> Iterator[Offer]:
    number, player = box.number, box.player
    with_card = held if book.hands.discards else ()
    has_bet = box.bet and not is_blind(book, box)
    for choice in book.decide.choices:
        match choice:
            case "bet":
                yield from _bets(book, table, box, with_card)
            case "stay" if not has_bet and not book.bet.required:
                if is_free(book, table, c.Stay(box=number, player=player, role="player")):
                    yield Offer(do="stay", box=number, cards=with_card)
            case "fold" if not has_bet:
                if is_free(book, table, c.Fold(box=number, player=player, role="player")):
                    loses = _shown(book, box.ante) if book.fold is not None else None
                    yield Offer(do="fold", box=number, loses=loses)
            case "declare" if not has_bet and box.seen:
                if is_free(book, table, c.Declare(box=number, player=player, role="player")):
                    yield Offer(do="declare", box=number)


def _bets(book: Book, table: Table, box: Box, cards: tuple[str, ...]) -> Iterator[Offer]:
    """The bet that lies there already, or one of each size that the book has."""
    ante = ante_in_play(book, table, box)
    for size in (box.bet,) if box.bet else bet_sizes(book, ante):
        antes = None if box.bet else _antes(book, size, ante)
        act = c.Bet(box=box.number, player=box.player, role="player", amount=None if antes is None else size)
        if is_free(book, table, act):
            yield Offer(do="bet", box=box.number, amount=_shown(book, size), cards=cards, antes=antes)


def _antes(book: Book, amount: int, ante: int) -> int | None:
    """The size of a bet in antes, where the player chooses it and does not take it back."""
    return None if book.bet.antes_max is None or amount < 0 else amount // ante


def _shown(book: Book, amount: int) -> str:
    return shown(amount, decimals=book.decimals)
