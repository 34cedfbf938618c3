"""How a step of a script is written: from its words to a typed command.

Amounts are in the table's currency, cards by name, places in words, times in seconds.
"""

import difflib
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, get_args

import msgspec

from aceking.cards.card import CardError, card, cards
from aceking.rules.book import Book
from aceking.rules.odds import OddsError, amount
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.words import ActName, Mishap, Remedy
from aceking.table.acts import ACTS
from aceking.table.cards.place import place_from
from aceking.table.commands import Choose, GiveRuling, Report, TableCommand

RawStep = Mapping[str, Any]
_KINDS = ("do", "report", "rule", "choose")
_MONEY = ("amount", "meter")
_CARD = ("card", "take", "discard")
_CARDS = ("cards", "give")


class StepError(ValueError):
    """A step that cannot be read; the message says what was expected."""


def command_from(book: Book, step: RawStep) -> TableCommand:
    """Return the command of a step. Raises StepError."""
    kind = next((name for name in _KINDS if name in step), None)
    if kind is None:
        raise StepError("a step says do, report, rule, choose or drive")
    data = {key: value for key, value in step.items() if key != kind}
    try:
        data = {key: value if _is_word(step, key) else _value(book, key, value) for key, value in data.items()}
        return msgspec.convert({"do": _tag(step, kind), **data, **_own(step, kind)}, _type(step, kind))
    except StepError:
        raise
    except msgspec.ValidationError as wrong:
        raise StepError(_plain(wrong, _type(step, kind).__struct_fields__)) from None
    except (CardError, OddsError, ValueError) as wrong:
        raise StepError(f"{wrong}{_meant(step[kind])}") from None


_PLAIN_WORDS = {
    "Object contains unknown field": "there is no key",
    "Object missing required field": "there must be a key",
    "Expected `int` >= 0": "a number is not negative",
    "Invalid enum value": "there is no",
    "Expected `int`, got": "a whole number is wanted, not",
    "Expected `str`, got": "a text is wanted, not",
    "Expected `bool`, got": "true or false is wanted, not",
    "Expected `array`, got": "a list is wanted, not",
    "`str`": "a text",
    "`int`": "a number",
    "`float`": "a fraction",
    "`bool`": "true or false",
    "`array`": "a list",
    "`object`": "a table",
}
#: The name in a step of a command's field.
_IN_A_STEP = {"then": "rule", "mishap": "report"}


def _plain(wrong: msgspec.ValidationError, keys: tuple[str, ...]) -> str:
    """Return an error of msgspec about a step with these keys in plain words, with its key."""
    what, _, place = str(wrong).partition(" - at ")
    place = place.strip("`").removeprefix("$.")
    what = what.replace(" | null", "")
    for technical, plain in _PLAIN_WORDS.items():
        what = what.replace(technical, plain)
    if what.startswith("there is no key `") and not place:
        what += suggestion(what.split("`")[1], keys)
    if what.startswith("there is no '") and place in _IN_A_STEP:
        what += _meant(what.split("'")[1])
    return f"{_IN_A_STEP.get(place, place)}: {what}" if place else what


def _tag(step: RawStep, kind: str) -> str:
    return str(step["do"]) if kind == "do" else kind


def _type(step: RawStep, kind: str) -> type[TableCommand]:
    if kind != "do":
        asking: dict[str, type[TableCommand]] = {"report": Report, "rule": GiveRuling, "choose": Choose}
        return asking[kind]
    if step["do"] not in ACTS:
        raise StepError(f"there is no act {step['do']!r}{_meant(step['do'])}")
    return ACTS[step["do"]].command


def _own(step: RawStep, kind: str) -> dict[str, Any]:
    """Return the fields that follow from the kind of a step."""
    match kind:
        case "report":
            return {"mishap": step["report"]}
        case "rule":
            return {"then": step["rule"], "question": step.get("question", 1)}
        case "choose":
            choices = {"go on": True, "withdraw": False}
            if step["choose"] not in choices:
                raise StepError(f"a player chooses to {' or to '.join(choices)}, not {step['choose']!r}")
            return {"go_on": choices[step["choose"]], "question": step.get("question", 1)}
        case _:
            return {}


def _value(book: Book, key: str, value: Any) -> Any:
    """Return a value of a step as the command takes it."""
    if key in _MONEY and value is not None:
        return money(book, value)
    if key in (*_CARD, *_CARDS, "to"):
        _text(key, value)
    if key in ("discard", "take"):
        several = cards(value)
        return several if len(several) > 1 else card(value)
    if key in _CARD:
        return card(value)
    if key in _CARDS:
        return cards(value)
    if key == "to":
        return msgspec.to_builtins(place_from(value))
    if key == "at":
        return moment(value)
    if key == "corrects":
        if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
            raise StepError("corrects: it is a list, as in [{ place = 'box 1', cards = 'As Td 9c 5s 2h' }]")
        return [_correction(one) for one in value]
    return value


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise StepError(f"{key}: it is a text, as in 'As Td' or 'box 1', not {value!r}")
    return value


def _is_word(step: RawStep, key: str) -> bool:
    """Return True if the card of a step is not a playing card."""
    return key == "card" and step.get("do") == "card-swipe"


def _correction(raw: RawStep) -> dict[str, Any]:
    """Return a correction of the record: the cards at a place, a look or a light."""
    if "place" in raw:
        where = msgspec.to_builtins(place_from(_text("place", raw["place"])))
        return {"what": "hand", "place": where, "cards": cards(_text("cards", raw.get("cards", "")))}
    if "seen" in raw:
        return {"what": "look", "box": raw.get("box"), "seen": raw["seen"]}
    return {"what": "light", "box": raw.get("box"), "lit": raw.get("lit")}


def money(book: Book, text: Any) -> int:
    """Return an amount in minor units; a negative one is taken back. Raises OddsError."""
    written = str(text)
    sign = -1 if written.startswith("-") else 1
    return sign * amount(written.removeprefix("-"), decimals=book.decimals)


def moment(seconds: Any) -> int:
    """Convert seconds on the table's clock to milliseconds. Raises StepError."""
    try:
        exact = Decimal(str(seconds)) * 1000
    except InvalidOperation:
        raise StepError(f"a time is a number of seconds, not {seconds!r}") from None
    if exact != exact.to_integral_value():
        raise StepError(f"the clock counts thousandths of a second, not {seconds!r}")
    return int(exact)


def _meant(word: Any) -> str:
    """The nearest word that a step can have."""
    known = (*get_args(ActName), *get_args(Mishap), *get_args(Remedy))
    near = difflib.get_close_matches(str(word), known, n=1)
    return f"; did you mean {near[0]}?" if near and near[0] != word else ""
