"""Convert a value from TOML or JSON to the value of a rule, by the rule's type."""

import types
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from aceking.cards.card import RANKS
from aceking.cards.hand import CATEGORY_BY_KEY, Category, HandRank, weakest
from aceking.cards.three import Instant, weakest_of_three
from aceking.rules.odds import (
    Amount,
    Awards,
    Odds,
    OddsError,
    Pays,
    PayTableRow,
    Prizes,
    Share,
    amount,
    award,
    odds,
    share,
)
from aceking.rules.qualifier import ANY_HAND, Alike
from aceking.rules.reading.complaints import short_repr, unknown_word
from aceking.rules.vocabulary import SIDES, STEPS, Least, SideWagerRules, Within

ROWS: Mapping[str, PayTableRow] = {**CATEGORY_BY_KEY, **{one.value: one for one in Instant}}


#: The highest odds to one, and the highest award in minor units.
MOST_ODDS, MOST_AWARD = 100_000, 10**15


class RuleValueError(ValueError):
    """The value is not of the rule's type; the message says what the rule takes."""


@cache
def rule_types() -> Mapping[str, Any]:
    """Return the type of every rule by its key."""
    hints = {step: get_type_hints(section, include_extras=True) for step, section in STEPS.items()}
    return {f"{step}.{field.name}": hints[step][field.name] for step in hints for field in fields(STEPS[step])}


@cache
def side_types() -> Mapping[str, Any]:
    """Return the type of every rule of a named side wager by its field."""
    hints = get_type_hints(SideWagerRules, include_extras=True)
    return {field.name: hints[field.name] for field in fields(SideWagerRules)}


def rule_of(key: str) -> str:
    """Return the rule of a key: `bet.pays` of `bet.pays.flush`, `sides.pairs.pays` of `sides.pairs.pays.flush`."""
    parts = key.split(".")
    return ".".join(parts[: 3 if parts[0] == SIDES else 2])


def row_of(key: str) -> str | None:
    """Return the row of a key: `flush` of `bet.pays.flush`; None if the key is that of a rule."""
    rest = key.removeprefix(rule_of(key))
    return rest[1:] if rest else None


def rule_type(key: str) -> Any:
    """Return the type of the rule of a key; None if there is no such rule."""
    step, *field = rule_of(key).split(".")
    if step == SIDES:
        return side_types().get(field[1]) if len(field) > 1 else None
    return rule_types().get(rule_of(key))


def is_table(kind: Any) -> bool:
    """Return True for a rule with rows: pays, awards or prizes."""
    return kind in (Pays, Awards, Prizes)


def is_amount(kind: Any) -> bool:
    """Return True for a rule that may be a sum of money."""
    bases = [get_args(one)[0] if get_origin(one) is Annotated else one for one in _alternatives(kind)]
    return Amount in bases


def takes(kind: Any) -> str:
    """Return in words what a rule takes, without saying whether it may be left out."""
    return " or ".join(_takes(one) for one in _alternatives(kind) if one is not types.NoneType)


def _takes(kind: Any) -> str:
    origin, parts = get_origin(kind), get_args(kind)
    if kind == Pays:
        return 'rows, each with odds: `flush = "5 to 1"`'
    if kind == Awards:
        return 'rows, each with a share, an amount or `posted`: `flush = "50"`'
    if kind == Prizes:
        return 'rows, each with an amount: `flush = "50"`'
    if origin is Annotated:
        return str(parts[1].words)
    if origin is Literal:
        return ", ".join(f"`{str(one).lower() if isinstance(one, bool) else one}`" for one in parts)
    if origin is tuple:
        return f"a list of {takes(parts[0])}"
    return {
        bool: "`true` or `false`",
        int: "a whole number",
        str: "a text",
        Amount: 'an amount, as in `"5000"`',
        Fraction: 'a share, as in `"70%"`',
        Odds: 'odds, as in `"1 to 1"`, or `push`',
        Category: f"a hand of a pay table: {', '.join(f'`{one}`' for one in CATEGORY_BY_KEY)}",
        HandRank: 'a hand by its ranks, as in `"A K 4 3 2"`, or `any`',
        Least: 'a hand by its ranks, as in `"J J 4 3 2"`; of three cards, as in `"J J 2"`',
        Alike: 'hands by their highest cards, as in `"K Q"`, or by their pair, as in `"4 4"`',
    }[kind]


def may_be_silent(kind: Any) -> bool:
    """Return True for a rule that a book need not set."""
    return types.NoneType in get_args(kind)


def rule_value(kind: Any, raw: Any, *, decimals: int) -> Any:
    """Return the raw value as the rule's type. Raises RuleValueError."""
    refusals = []
    for choice in _alternatives(kind):
        try:
            return _converted(choice, raw, decimals=decimals)
        except (RuleValueError, OddsError) as refused:
            refusals.append(str(refused))
    raise RuleValueError("; or ".join(dict.fromkeys(refusals)))


def row_value(kind: Any, raw: Any, *, decimals: int) -> Any:
    """Return the value of one row of a pay or award table. Raises RuleValueError or OddsError."""
    if isinstance(raw, bool) or not isinstance(raw, str | int) or (isinstance(raw, int) and not 0 <= raw <= MOST_AWARD):
        raise RuleValueError(f"{short_repr(raw)} is neither odds nor an award")
    text = str(raw)
    if kind == Awards:
        awarded = award(text, decimals=decimals)
        if isinstance(awarded, Share) and awarded.of_meter > 1:
            raise RuleValueError(f"{text} is more than the whole meter")
        return awarded
    if kind == Prizes:
        prize = amount(text, decimals=decimals)
        if not 0 < prize <= MOST_AWARD:
            raise RuleValueError(f"{short_repr(text)} is not an amount above 0")
        return prize
    if text == "push":
        return Fraction(0)
    pays = odds(text if " " in text else f"{text} to 1")
    if pays > MOST_ODDS:
        raise RuleValueError(f"{short_repr(text)} is more than {MOST_ODDS:,} to 1")
    return pays


def _alternatives(kind: Any) -> tuple[Any, ...]:
    """Return the members of a union; None last, because "none" may also be a word of the rule."""
    if get_origin(kind) in (Union, types.UnionType):
        return tuple(sorted(get_args(kind), key=lambda one: one is types.NoneType))
    return (kind,)


def _converted(kind: Any, raw: Any, *, decimals: int) -> Any:
    if get_origin(kind) is Annotated:
        kind, within = get_args(kind)
        return _within(within, _converted(kind, raw, decimals=decimals), raw)
    if get_origin(kind) is Literal:
        return _word(get_args(kind), raw)
    if get_origin(kind) is tuple:
        if not isinstance(raw, list | tuple):
            raise RuleValueError(f"{short_repr(raw)} is not a list")
        return tuple(rule_value(get_args(kind)[0], one, decimals=decimals) for one in raw)
    if kind is types.NoneType:
        if raw == "none":
            return None
        raise RuleValueError(f"{short_repr(raw)} is not 'none'")
    if kind is bool or kind is int:
        if type(raw) is not kind:
            raise RuleValueError(f"{short_repr(raw)} is not {'true or false' if kind is bool else 'a whole number'}")
        return raw
    if not isinstance(raw, str):
        raise RuleValueError(f"{short_repr(raw)} is not a text")
    return _from_text(kind, raw, decimals=decimals)


def _from_text(kind: Any, text: str, *, decimals: int) -> Any:
    if kind is str:
        return text
    if kind is Amount:
        return amount(text, decimals=decimals)
    if kind is Fraction:
        return share(text)
    if kind is Odds:
        return Odds(Fraction(0) if text == "push" else odds(text))
    if kind is Category:
        if text not in CATEGORY_BY_KEY:
            raise RuleValueError(unknown_word(text, CATEGORY_BY_KEY))
        return CATEGORY_BY_KEY[text]
    if kind is HandRank:
        return threshold(text)
    if kind is Least:
        return least(text)
    if kind is Alike:
        return _alike(text)
    raise AssertionError(f"no rule has the type {kind}")


def _within(within: Within, value: Any, raw: Any) -> Any:
    if not within.least <= value <= within.most:
        raise RuleValueError(f"{short_repr(raw)} is not {within.words}")
    return value


def _word(words: tuple[Any, ...], raw: Any) -> Any:
    if any(raw == word and type(raw) is type(word) for word in words):
        return raw
    raise RuleValueError(unknown_word(raw, words))


def threshold(text: str) -> HandRank:
    """Read the weakest hand that passes: `A K 4 3 2`, or `any`. Raises RuleValueError."""
    if text == "any":
        return ANY_HAND
    letters = text.split()
    if len(letters) != 5 or any(letter not in RANKS or len(letter) != 1 for letter in letters):
        raise RuleValueError(f"{text!r} is not a hand of five ranks, as in 'A K 4 3 2'")
    if any(letters.count(letter) > 4 for letter in letters):
        raise RuleValueError(f"{text!r} has five cards of one rank")
    return weakest(text)


def least(text: str) -> HandRank:
    """Read the weakest hand that passes, of five ranks or of three: `J J 4 3 2`, `J J 2`. Raises RuleValueError."""
    letters = text.split()
    if len(letters) != 3:
        return threshold(text)
    if any(letter not in RANKS or len(letter) != 1 for letter in letters):
        raise RuleValueError(f"{text!r} is not a hand of three ranks, as in 'J J 2'")
    return weakest_of_three(text)


def _alike(text: str) -> Alike:
    """Read hands by the ranks that they begin with: `K Q`, `4 4`."""
    letters = text.split()
    known = all(letter in RANKS and len(letter) == 1 for letter in letters)
    alike = Alike.of([RANKS.index(letter) for letter in letters]) if known else None
    if alike is None:
        raise RuleValueError(
            f"{short_repr(text)} does not begin a hand; write the highest cards, as in 'K Q', or the pair, as in '4 4'"
        )
    return alike
