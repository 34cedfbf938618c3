"""What a viewer of a table may do now: acts that the engine would take without a breach, with their amounts."""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from aceking.cards.card import Card, name
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.command import Act, Choice
from aceking.table.dealer.due import due
from aceking.table.decide import decide
from aceking.table.state import Box, Round, Table


class Offer(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Something that may be done: the parts of the command, and what is left to choose."""

    do: str
    box: int | None = None
    choice: Choice | None = None
    amount: str | None = None  # exactly this
    least: str | None = None  # or any amount from this
    most: str | None = None  # to this
    cards: tuple[str, ...] = ()  # one of these is given away or laid aside
    question: int | None = None
    go_on: bool | None = None


def player_offers(book: Book, table: Table, player: str) -> tuple[Offer, ...]:
    """What a player may do now, at his own boxes or at free ones."""
    current = table.live_round
    choices = [
        Offer(do="choose", question=one.number, box=number, go_on=go_on)
        for one in table.questions
        if one.of == "players" and current is not None
        for number in one.boxes
        if number in current.boxes and current.boxes[number].player == player
        for go_on in (True, False)
    ]
    if choices or current is None:
        return tuple(choices)
    if current.phase == "betting":
        return tuple(_stakes(book, table, current, player))
    own = [box for box in current.dealt_in if box.player == player]
    return tuple(offer for box in own for offer in _at_box(book, table, box))


def dealer_offers(book: Book, table: Table) -> tuple[Offer, ...]:
    """What is due next from the dealer, the devices or the staff."""
    act = due(book, table)
    if act is None:
        return ()
    amount = None if act.amount is None else shown(act.amount, decimals=book.decimals)
    return (Offer(do=act.do, box=act.box, amount=amount),)


def question_offers(table: Table) -> tuple[Offer, ...]:
    """The questions that wait for a person of rank."""
    return tuple(Offer(do="rule", question=one.number) for one in table.questions if one.of != "players")


def _stakes(book: Book, table: Table, current: Round, player: str) -> Iterator[Offer]:
    """Antes on free or own boxes within the limits, the side bet beside one, and the way back."""
    least = table.ante_min or 1
    most = None if table.ante_max is None else shown(table.ante_max, decimals=book.decimals)
    for number in range(1, book.table.seats_max + 1):
        box = current.boxes.get(number)
        staked = box.ante if box is not None and box.player == player else 0
        if staked:
            back = Act(do="ante", box=number, player=player, amount=-staked)
            if _is_free(book, table, back):
                yield Offer(do="ante", box=number, amount=shown(-staked, decimals=book.decimals))
            yield from _side_bet(book, table, number, player)
        elif _is_free(book, table, Act(do="ante", box=number, player=player, amount=least)):
            yield Offer(do="ante", box=number, least=shown(least, decimals=book.decimals), most=most)


def _side_bet(book: Book, table: Table, number: int, player: str) -> Iterator[Offer]:
    rules = book.progressive or book.bonus
    if rules is None:
        return
    if _is_free(book, table, Act(do="side-bet", box=number, player=player, amount=rules.stake)):
        yield Offer(do="side-bet", box=number, amount=shown(rules.stake, decimals=book.decimals))


def _at_box(book: Book, table: Table, box: Box) -> Iterator[Offer]:
    """A look, an exchange, a decision or a claim. What depends on the cards is offered to those who have seen them."""
    number = box.number
    if not box.seen and _is_free(book, table, Act(do="look", box=number, player=box.player)):
        yield Offer(do="look", box=number)
    held = tuple(name(Card(one)) for one in box.cards if one != box.discard) if box.seen else ()
    some_card = box.cards[0] if box.cards else None
    if held and book.exchange is not None:
        act = Act(do="exchange", box=number, player=box.player, card=some_card)
        if table.round is not None and not table.round.order:
            act = replace(act, count=_undealt(table.round))
        if _is_free(book, table, act):
            price = shown(box.ante * book.exchange.price_antes, decimals=book.decimals)
            yield Offer(do="exchange", box=number, amount=price, cards=held)
    yield from _decisions(book, table, box, held)
    if box.seen and not box.claimed and _is_free(book, table, Act(do="claim", box=number)):
        yield Offer(do="claim", box=number)


def _decisions(book: Book, table: Table, box: Box, held: tuple[str, ...]) -> Iterator[Offer]:
    lays_aside = book.hands.discards > 0 and box.discard is None
    some_card = box.cards[0] if lays_aside and box.cards else None
    for choice in book.decide.choices:
        if choice == "exchange" or (choice == "declare" and not box.seen):
            continue
        act = Act(do="decision", box=box.number, player=box.player, choice=choice, card=some_card)
        if choice in ("fold", "declare"):
            act = replace(act, card=None)
        if not _is_free(book, table, act):
            continue
        amount = shown(box.ante * book.bet.antes, decimals=book.decimals) if choice == "bet" else None
        with_card = lays_aside and choice in ("bet", "stay")
        yield Offer(do="decision", box=box.number, choice=choice, amount=amount, cards=held if with_card else ())
    if lays_aside and box.choice in ("bet", "stay") and held:
        yield Offer(do="discard", box=box.number, cards=held)


def _undealt(current: Round) -> int:
    """Some card that has not been seen, to try an act whose card a dealer will name."""
    return next(card for card in range(52) if card not in current.sequence)


def _is_free(book: Book, table: Table, act: Act) -> bool:
    """Whether the engine takes an act without a breach and without a ruling."""
    result = decide(book, table, act)
    if isinstance(result, Refusal):
        return False
    return not any(isinstance(one, ev.Violated | ev.Ruled | ev.Asked) for one in result)
