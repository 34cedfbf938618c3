"""The value of a rule in words."""

from enum import Enum
from fractions import Fraction
from typing import Any

from aceking.cards.card import RANKS
from aceking.cards.hand import Category, HandRank, words
from aceking.rules.odds import Fixed, Posted, Share, odds_text
from aceking.rules.qualifier import ANY_HAND, Alike
from aceking.rules.reading.values import is_amount, is_table, rule_type


def value_text(key: str, value: Any, *, decimals: int) -> str:
    if isinstance(value, HandRank):
        return "any hand" if value == ANY_HAND else words(value) + _kickers(value)
    if isinstance(value, Fraction):
        return (
            f"{float(value * 100):g}%" if key in ("progressive.rate_min", "progressive.increment") else odds_text(value)
        )
    if isinstance(value, Fixed):
        return _money(value.amount, decimals)
    if isinstance(value, Posted):
        return "posted at the table"
    if isinstance(value, Share):
        return f"{value} of the meter"
    if isinstance(value, Category):
        return value.title
    if isinstance(value, Enum):
        return str(value.name).lower()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(one.words if isinstance(one, Alike) else str(one) for one in value) or "none"
    if value is None:
        return "none"
    if isinstance(value, int) and (is_amount(rule_type(key)) or is_table(rule_type(key))):
        return _money(value, decimals)
    return str(value)


def _kickers(ranked: HandRank) -> str:
    """All ranks of a threshold: its words name only the first ones."""
    return f" ({'-'.join(RANKS[value] for value in ranked.ranks)})"


def _money(amount: int, decimals: int) -> str:
    whole, rest = divmod(amount, 10**decimals)
    return f"{whole:,}.{rest:0{decimals}d}" if rest else f"{whole:,}"
