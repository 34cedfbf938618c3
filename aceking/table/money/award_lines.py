"""Awards of the progressive in a round: the line, the hand that the cards show, and whether it is signed."""

from functools import cache, lru_cache

from aceking.award.steps import is_final, terms_of
from aceking.cards.card import CardId
from aceking.rules.book import Book
from aceking.rules.odds import Share
from aceking.settlement.judge import judge
from aceking.settlement.lines import Line
from aceking.table.state import Box, Round


def is_award(line: Line) -> bool:
    """Return True for an award of the progressive, which has its own workflow."""
    return line.wager == "side" and line.consumed and line.outcome == "win"


def is_out_of_round(current: Round, line: Line) -> bool:
    """Return True if the box of a line is out of the round, so that the line's chips do not move."""
    box = current.boxes[line.seat]
    return box.void or box.forfeited


def award_line(current: Round, box: int) -> tuple[int, Line] | None:
    """Return the line of a box's award with its index in the settlement; None if it has none."""
    lines = ((number, line) for number, line in enumerate(current.lines) if line.seat == box and is_award(line))
    return next((one for one in lines if not is_out_of_round(current, one[1])), None)


def is_signed(book: Book, current: Round, number: int) -> bool:
    """Return True if an award cannot be undone: the card was swiped, or, in a book without cards, it was validated."""
    award = current.awards.get(number)
    return award is not None and is_final(award, terms_of(book))


def held_row(book: Book, box: Box) -> str:
    """Return the row of the award table that the cards of a box show."""
    return _row(book, box.cards)


@lru_cache(maxsize=4096)  # a hand is asked about again after every act of its round
def _row(book: Book, cards: tuple[int, ...]) -> str:
    rater = judge(book)
    return rater.categories[rater.strength([CardId(one) for one in cards])].key


@cache
def _major_rows(book: Book) -> frozenset[str]:
    """Return the rows whose hands win a share of the meter, if the games are suspended for it."""
    rules = book.progressive
    if rules is None or rules.tables_meanwhile != "suspended":
        return frozenset()
    return frozenset(category.key for category, prize in rules.awards.items() if isinstance(prize, Share))


def has_majors(book: Book) -> bool:
    """Return True if the book has such hands."""
    return bool(_major_rows(book))


def holds_major(book: Book, box: Box) -> bool:
    """Return True if a box was dealt a hand that wins a share of the meter, with or without a side wager."""
    majors = _major_rows(book)
    if not majors or box.give is not None or len(box.cards) != book.hands.cards:
        return False
    return held_row(book, box) in majors


def is_decided_on(current: Round, box: Box) -> bool:
    """Return True if the box has decided on what it saw. For a bet made unseen that is at the reveal."""
    return current.phase == "revealed" if box.unseen else box.choice is not None


def too_late(book: Book, current: Round, box: Box) -> bool:
    """Return True if a major hand that was seen was not announced before the decision, and the house forfeits it."""
    rules = book.progressive
    forfeits = rules is not None and rules.undeclared_major == "forfeit"
    return forfeits and box.seen and box.lit and is_decided_on(current, box) and holds_major(book, box)


def unqualified(book: Book, current: Round) -> bool:
    """Return True if the dealer's cards are turned and do not qualify."""
    if book.dealer is None or len(current.dealer) != book.hands.cards or current.phase not in ("revealed", "done"):
        return False
    return not plays(book, current.dealer)


@lru_cache(maxsize=1024)
def plays(book: Book, dealer: tuple[int, ...]) -> bool:
    """Return True if a dealer's hand qualifies; cached, since it is asked often while a round is cleared."""
    rater = judge(book)
    return bool(rater.qualifies[rater.strength([CardId(one) for one in dealer])])
