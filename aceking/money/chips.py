"""Money in whole minor units: write it as decimal text, round it, and pay at odds."""

from fractions import Fraction
from functools import lru_cache

from aceking.rules.odds import Amount


def shown(amount: int, *, decimals: int) -> str:
    """Return an amount in minor units as decimal text: `105009`, `12.50`, `-30`."""
    return _shown(amount, decimals)


@lru_cache(maxsize=4096)  # a view has dozens of amounts; most were in the previous view
def _shown(amount: int, decimals: int) -> str:
    whole, rest = divmod(abs(amount), 10**decimals)
    sign = "-" if amount < 0 else ""
    return f"{sign}{whole}.{rest:0{decimals}d}" if rest else sign + str(whole)


def rounded_up(exact: Fraction) -> Amount:
    """Round an exact amount up to whole minor units."""
    return Amount(-(-exact.numerator // exact.denominator))


def at_odds(stake: int, pays: Fraction) -> Amount:
    """Return what a stake wins at these odds, rounded up to whole minor units."""
    if pays.denominator == 1:
        return Amount(stake * pays.numerator)
    return rounded_up(stake * pays)
