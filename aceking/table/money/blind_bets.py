"""A bet laid down before its box is asked: it stands as a bet unless the player changes his mind at once."""

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.settlement.amounts import bet_sizes
from aceking.table import event as ev
from aceking.table.commands import Bet
from aceking.table.moment import Done
from aceking.table.state import Box, Round, Table


def is_blind(book: Book, box: Box) -> bool:
    """Whether a bet lies on a box that has not been asked yet."""
    return book.bet.blind == "any" and box.bet > 0 and box.choice is None


def stake_blind(book: Book, current: Round, box: Box, act: Bet) -> Done:
    """A bet with the ante, before anybody is asked; an amount below nothing takes it back."""
    clause = book.cite("bet.blind")
    if act.amount is not None and act.amount < 0:
        whole = -act.amount == box.bet
        return take_back(book, box) if whole else Refusal("all of the bet is taken back, or none", clause)
    if box.bet:
        return Refusal("there is a bet down already", clause)
    sizes = bet_sizes(book, box.ante)
    amount = sizes[0] if act.amount is None else act.amount
    if amount <= 0 or (amount not in sizes and act.noticed):
        return Refusal("the bet is not the size that the book prescribes", book.cite("bet.antes"))
    return [ev.Staked(box=box.number, player=box.player, wager="bet", amount=amount, clause=clause)]


def take_back(book: Book, box: Box) -> list[ev.Event]:
    """The player changes his mind in time."""
    return [ev.Returned(box=box.number, wager="bet", amount=box.bet, clause=book.cite("bet.blind"))]


def without_bet(box: Box) -> Box:
    """The box after its blind bet was taken back."""
    return replace(box, bet=0)


def passed_over(book: Book, table: Table, until: int | None) -> list[ev.Event]:
    """The dealer goes on to a box, or to the reveal: blind bets before it are bets for good."""
    if book.bet.blind != "any":
        return []
    current = table.live_round
    assert current is not None
    return [
        ev.Decided(box=box.number, choice="bet", clause=book.cite("bet.blind"))
        for box in current.live
        if is_blind(book, box) and (until is None or box.number < until)
    ]
