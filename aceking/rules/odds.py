"""Read and write odds, shares and awards as the books have them: `7 to 1`, `10%`, `500`."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NewType

from aceking.cards.hand import Category
from aceking.cards.three import Instant

#: A sum of money in minor units: 1050 for 10.50.
Amount = NewType("Amount", int)
#: What a wager pays to one; 0 if it only returns the stake.
Odds = NewType("Odds", Fraction)
#: A row of a pay table: a category of hand, or an instant winner of three cards.
PayTableRow = Category | Instant
#: What each row pays to one.
Pays = Mapping[PayTableRow, Fraction]
#: What each row pays as a fixed amount.
Prizes = Mapping[Category, Amount]

# Thirty digits are more than any house needs; without a limit a text could exceed Python's limit for int().
_ODDS = re.compile(r"(\d{1,30}(?:\.\d{1,30})?) to (\d{1,30})", re.ASCII)
_PERCENT = re.compile(r"(\d{1,30}(?:\.\d{1,30})?)%", re.ASCII)
_AMOUNT = re.compile(r"(\d{1,30})(?:\.(\d{1,30}))?", re.ASCII)
#: Decimal places tried when a fraction is written; a percentage is read with up to thirty.
_PLACES = 33
#: Characters of a wrong text that an error message quotes.
_QUOTED = 40


class OddsError(ValueError):
    """The text is neither odds, a share nor an amount."""


@dataclass(frozen=True, slots=True)
class Share:
    """An award that is a share of the meter."""

    of_meter: Fraction

    def __str__(self) -> str:
        return f"{decimal(self.of_meter * 100)}%"


@dataclass(frozen=True, slots=True)
class Fixed:
    amount: Amount


@dataclass(frozen=True, slots=True)
class Posted:
    """An award that the book leaves to a sign at the table."""


AwardAmount = Share | Fixed | Posted
Awards = Mapping[Category, AwardAmount]


def odds(text: str) -> Fraction:
    """Return `7 to 1` as a fraction. Raises OddsError for any other wording: "for" would include the stake."""
    if matched := _ODDS.fullmatch(text):
        if int(matched[2]) == 0:
            raise OddsError(f"{text!r} divides by zero")
        return Fraction(matched[1]) / Fraction(matched[2])
    raise OddsError(f"{text[:_QUOTED]!r} is not odds; write them as in '7 to 1'")


def odds_text(value: Fraction) -> str:
    """Return `7 to 1`, `3 to 2`, or `push` for 0."""
    return "push" if value == 0 else f"{value.numerator} to {value.denominator}"


def share(text: str) -> Fraction:
    """Return `70%` as a fraction. Raises OddsError."""
    if matched := _PERCENT.fullmatch(text):
        return Fraction(matched[1]) / 100
    raise OddsError(f"{text[:_QUOTED]!r} is not a share; write it as in '10%'")


@lru_cache(maxsize=1024)
def award(text: str, *, decimals: int) -> AwardAmount:
    """Return the award for `100%`, `500` or `posted`. Raises OddsError."""
    if text == "posted":
        return Posted()
    if text.endswith("%"):
        return Share(share(text))
    return Fixed(amount(text, decimals=decimals))


def amount(text: str, *, decimals: int) -> Amount:
    """Return a decimal amount in minor units. Raises OddsError if it has more decimals than the currency."""
    matched = _AMOUNT.fullmatch(text)
    if matched is None:
        raise OddsError(f"{text[:_QUOTED]!r} is not an amount; write it as in '10' or '10.50'")
    fraction = matched[2] or ""
    if len(fraction) > decimals:
        raise OddsError(f"{text!r} is finer than the smallest coin; {decimals} decimals at the most")
    return Amount(int(matched[1]) * 10**decimals + int(fraction.ljust(decimals, "0") or "0"))


def decimal(value: Fraction) -> str:
    """Write a fraction that has a finite decimal form: `12.5`."""
    places = next((places for places in range(_PLACES) if (value * 10**places).denominator == 1), None)
    assert places is not None, f"{value} has no short decimal form"
    whole, rest = divmod(int(value * 10**places), 10**places)
    return f"{whole}.{rest:0{places}d}" if places else str(whole)
