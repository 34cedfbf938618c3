"""A bet placed before its box is asked: it stands as a bet unless the player takes it back in time."""

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.refusal import Refusal
from aceking.settlement.amounts import bet_sizes
from aceking.table import event as ev
from aceking.table.commands import Bet
from aceking.table.moment import Done
from aceking.table.state import Box, Round, TableState


def is_blind(book: Book, box: Box) -> bool:
    """Return True if a box that has not been asked yet has a bet."""
    return book.bet.blind == "any" and box.bet > 0 and box.choice is None


def decides_before(book: Book, current: Round, box: Box) -> int | None:
    """Return the box that decides before this one; None if it is this box's turn.

    Blind bets are bets already: the dealer goes on to the next box.
    """
    if book.decide.order == "any":
        return None
    owing = [one for one in current.dealt_in if one.owes_decision]
    first = next((one.number for one in owing if one.number == box.number or not is_blind(book, one)), box.number)
    return None if first == box.number else first


def stake_blind(book: Book, current: Round, box: Box, act: Bet) -> Done:
    """Stake a bet with the ante, before the box is asked; a negative amount takes it back."""
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


def take_back(book: Book, box: Box) -> list[ev.TableEvent]:
    """Return the blind bet to its player."""
    return [ev.Returned(box=box.number, wager="bet", amount=box.bet, clause=book.cite("bet.blind"))]


def without_bet(box: Box) -> Box:
    """Return the box without its blind bet."""
    return replace(box, bet=0)


def confirm_blind_bets(book: Book, table: TableState, until: int | None) -> list[ev.TableEvent]:
    """Make blind bets final in the boxes before `until`, or in all boxes at the reveal."""
    if book.bet.blind != "any":
        return []
    current = table.live_round
    assert current is not None
    return [
        ev.Decided(box=box.number, choice="bet", clause=book.cite("bet.blind"))
        for box in current.live
        if is_blind(book, box) and (until is None or box.number < until)
    ]
