"""Money in whole minor units: read from decimal text, written back, and rounded only by a stated rule."""

from fractions import Fraction
from functools import lru_cache

from aceking.rules.odds import Amount


def shown(amount: int, *, decimals: int) -> str:
    """An amount for a person or a program: `105009`, `12.50`, `-30`."""
    return _shown(amount, decimals)


@lru_cache(maxsize=4096)  # a view has dozens of amounts, and most were in the one before
def _shown(amount: int, decimals: int) -> str:
    whole, rest = divmod(abs(amount), 10**decimals)
    sign = "-" if amount < 0 else ""
    return f"{sign}{whole}.{rest:0{decimals}d}" if rest else sign + str(whole)


def rounded_up(exact: Fraction) -> Amount:
    """The least amount that is not below the exact one."""
    return Amount(-(-exact.numerator // exact.denominator))


def at_odds(stake: int, pays: Fraction) -> Amount:
    """What a stake wins at these odds, rounded up where odds are not whole."""
    if pays.denominator == 1:
        return Amount(stake * pays.numerator)
    return rounded_up(stake * pays)
