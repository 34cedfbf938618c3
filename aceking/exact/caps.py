"""Caps on payouts in the exact figures. A cap is an amount of money, so it is counted only if the ante is known.

The ante is known if the book's smallest ante is also its largest. Then the cap is a number of antes, and every result
of a round is cut as settlement cuts it. A cap that all boxes of a table share is counted for one box alone, because
with several boxes the rest of it depends on all their hands. If several antes may be staked, or several boxes play,
the figures leave the cap out and say so (`unpriced.left_out`).
"""

from dataclasses import replace
from fractions import Fraction

from aceking.money.chips import shown
from aceking.rules.book import Book, Rule
from aceking.rules.odds import Amount
from aceking.rules.options import OptionError

#: The rules that allow only one ante if they are equal.
LIMITS = ("ante.min", "ante.max")


def one_ante(book: Book) -> Amount | None:
    """Return the only ante that the book takes; None if it takes several."""
    return book.ante.min if book.ante.min is not None and book.ante.min == book.ante.max else None


def is_capped(book: Book) -> bool:
    return book.bet.cap is not None or book.table.round_cap is not None


def at_ante(book: Book, ante: Amount) -> Book:
    """Return the book for a table that takes only this ante. Raises OptionError if the ante is outside the limits."""
    least, most = book.ante.min, book.ante.max
    if (least is not None and ante < least) or (most is not None and ante > most):
        limits = " to ".join(shown(limit, decimals=book.decimals) for limit in (least, most) if limit is not None)
        raise OptionError(f"{book.id} takes no ante of {shown(ante, decimals=book.decimals)}; it takes {limits}")
    return with_ante(book, ante)


def with_ante(book: Book, ante: Amount) -> Book:
    """Return the book with this as its only ante, whatever its limits."""
    clause = book.cite("ante.required")
    by_key = {**book.by_key, **{key: Rule(ante, clause) for key in LIMITS}}
    return replace(book, ante=replace(book.ante, min=ante, max=ante), by_key=by_key)


def is_shared_cap(book: Book, key: str) -> bool:
    """Return True if the cap is shared by several boxes, so that it depends on the hands of the others."""
    return key == "table.round_cap" and book.table.round_cap_for == "table" and book.table.seats_max > 1


def without_shared_cap(book: Book) -> Book:
    """Return the book without a cap that several boxes share."""
    if not is_shared_cap(book, "table.round_cap"):
        return book
    return replace(book, table=replace(book.table, round_cap=None, round_cap_for=None, round_cap_cut=None))


def under_caps(book: Book, *, ante: Fraction, bet: Fraction) -> Fraction:
    """Return the net result of one box on ante and bet, in antes, with its wins cut by the caps. Losses are not cut."""
    unit = one_ante(book)
    if unit is None:
        return ante + bet
    if book.bet.cap is not None:
        ante, bet = _under_bet_cap(book, Fraction(book.bet.cap, unit), ante, bet)
    if book.table.round_cap is None:
        return ante + bet
    won = sum((one for one in (ante, bet) if one > 0), Fraction(0))
    return ante + bet - max(won - Fraction(book.table.round_cap, unit), Fraction(0))


def _under_bet_cap(book: Book, cap: Fraction, ante: Fraction, bet: Fraction) -> tuple[Fraction, Fraction]:
    match book.bet.cap_on:
        case "bet":
            return ante, min(bet, cap)
        case "each-wager":
            return min(ante, cap), min(bet, cap)
        case _:
            return Fraction(0), min(ante + bet, cap)
