"""Caps on what is paid, as the figures know them: a cap is an amount of money, and so it is counted for one ante.

One ante is known where the least ante of a book is its greatest. Then a cap is so many antes, and every result of a
round is cut as settlement cuts it. A cap that all boxes of a table share is counted as it is for one box alone: what is
left of it for several hangs on all their hands. Where several antes may be staked, and where several boxes play, the
figures leave it out, and say so (`unpriced.left_out`).
"""

from dataclasses import replace
from fractions import Fraction

from aceking.money.chips import shown
from aceking.rules.book import Book, Rule
from aceking.rules.odds import Amount
from aceking.rules.options import OptionError

#: The rules that leave one ante where they are the same.
LIMITS = ("ante.min", "ante.max")


def one_ante(book: Book) -> Amount | None:
    """The only ante that a book takes; None where it takes several."""
    return book.ante.min if book.ante.min is not None and book.ante.min == book.ante.max else None


def is_capped(book: Book) -> bool:
    """Whether anything caps what is paid."""
    return book.bet.cap is not None or book.table.round_cap is not None


def at_ante(book: Book, ante: Amount) -> Book:
    """The book at a table that takes this ante and no other; refused where the book's limits forbid it."""
    least, most = book.ante.min, book.ante.max
    if (least is not None and ante < least) or (most is not None and ante > most):
        limits = " to ".join(shown(one, decimals=book.decimals) for one in (least, most) if one is not None)
        raise OptionError(f"{book.id} takes no ante of {shown(ante, decimals=book.decimals)}; it takes {limits}")
    return with_ante(book, ante)


def with_ante(book: Book, ante: Amount) -> Book:
    """The book as if this were the only ante."""
    clause = book.cite("ante.required")
    by_key = {**book.by_key, **{key: Rule(ante, clause) for key in LIMITS}}
    return replace(book, ante=replace(book.ante, min=ante, max=ante), by_key=by_key)


def is_shared_cap(book: Book, key: str) -> bool:
    """Whether a cap is one for several boxes, so that it hangs on the others' hands."""
    return key == "table.round_cap" and book.table.round_cap_for == "table" and book.table.seats_max > 1


def without_shared_cap(book: Book) -> Book:
    """The book as if no cap were shared by several boxes."""
    if not is_shared_cap(book, "table.round_cap"):
        return book
    return replace(book, table=replace(book.table, round_cap=None, round_cap_for=None, round_cap_cut=None))


def under_caps(book: Book, *, ante: Fraction, bet: Fraction) -> Fraction:
    """What is left of the wins of one box on both, in antes; what is lost is below nothing and stays so."""
    known = one_ante(book)
    if known is None:
        return ante + bet
    if book.bet.cap is not None:
        ante, bet = _under_bet_cap(book, Fraction(book.bet.cap, known), ante, bet)
    if book.table.round_cap is None:
        return ante + bet
    won = sum((one for one in (ante, bet) if one > 0), Fraction(0))
    return ante + bet - max(won - Fraction(book.table.round_cap, known), Fraction(0))


def _under_bet_cap(book: Book, cap: Fraction, ante: Fraction, bet: Fraction) -> tuple[Fraction, Fraction]:
    """The cap of one hand: on its bet, on each of its wagers, or on both together."""
    match book.bet.cap_on:
        case "bet":
            return ante, min(bet, cap)
        case "each-wager":
            return min(ante, cap), min(bet, cap)
        case _:
            return Fraction(0), min(ante + bet, cap)
