"""An award of the progressive as the round has it: its line, the hand that the cards show, and whether it is signed."""

from functools import cache, lru_cache

from aceking.award.steps import is_final, terms_of
from aceking.cards.card import Card
from aceking.rules.book import Book
from aceking.rules.odds import Share
from aceking.settlement.judge import judge
from aceking.settlement.lines import Line
from aceking.table.state import Box, Round


def is_award(line: Line) -> bool:
    """An award of the progressive has its own workflow."""
    return line.wager == "side" and line.consumed and line.outcome == "win"


def is_out_of_round(current: Round, line: Line) -> bool:
    """Whether the box of a line was taken out of the round since: nothing of it moves any more."""
    box = current.boxes[line.seat]
    return box.void or box.forfeited


def award_line(current: Round, box: int) -> tuple[int, Line] | None:
    """The line of a box's award, with its place in the settlement."""
    found = ((number, line) for number, line in enumerate(current.lines) if line.seat == box and is_award(line))
    return next((one for one in found if not is_out_of_round(current, one[1])), None)


def is_signed(book: Book, current: Round, number: int) -> bool:
    """Whether an award is past undoing: the card was swiped, or, where the book has no card, it was validated."""
    award = current.awards.get(number)
    return award is not None and is_final(award, terms_of(book))


def held_row(book: Book, box: Box) -> str:
    """The row of the award table that the cards of a box show."""
    return _row(book, box.cards)


@lru_cache(maxsize=4096)  # a hand is asked about again after every act of its round
def _row(book: Book, cards: tuple[int, ...]) -> str:
    by = judge(book)
    return by.categories[by.strength([Card(one) for one in cards])].key


@cache
def _major_rows(book: Book) -> frozenset[str]:
    """The rows whose hands win a share of the meter, where the games are suspended for it."""
    rules = book.progressive
    if rules is None or rules.tables_meanwhile != "suspended":
        return frozenset()
    return frozenset(category.key for category, prize in rules.awards.items() if isinstance(prize, Share))


def has_majors(book: Book) -> bool:
    """Whether any hand does."""
    return bool(_major_rows(book))


def holds_major(book: Book, box: Box) -> bool:
    """Whether a box holds, as dealt, a hand that wins a share of the meter, with or without a side wager."""
    majors = _major_rows(book)
    if not majors or box.give is not None or len(box.cards) != book.hands.cards:
        return False
    return held_row(book, box) in majors


def is_decided_on(current: Round, box: Box) -> bool:
    """Whether what was seen has been decided on. Who bet unseen has nothing left to decide: his time is the reveal."""
    return current.phase == "revealed" if box.unseen else box.choice is not None


def too_late(book: Book, current: Round, box: Box) -> bool:
    """Whether a major hand that was seen was not declared before the decision, and the house takes that for silence."""
    rules = book.progressive
    forfeits = rules is not None and rules.undeclared_major == "forfeit"
    return forfeits and box.seen and box.lit and is_decided_on(current, box) and holds_major(book, box)


def unqualified(book: Book, current: Round) -> bool:
    """Whether the dealer's cards are turned and make no hand that plays."""
    if book.dealer is None or len(current.dealer) != book.hands.cards or current.phase not in ("revealed", "done"):
        return False
    return not plays(book, current.dealer)


@lru_cache(maxsize=1024)
def plays(book: Book, dealer: tuple[int, ...]) -> bool:
    """Whether a dealer's hand plays; asked many times while a round is cleared."""
    by = judge(book)
    return bool(by.qualifies[by.strength([Card(one) for one in dealer])])
