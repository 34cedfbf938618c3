"""How a step of a script is written, and how it was written before: from its words to a typed command.

Amounts are in the table's currency, cards by name, places in words, times in seconds. The first edition had one form
for all acts; where a key had another name then, the old one is understood too (`RENAMED`), and `upgraded` rewrites it.
"""

import difflib
import re
from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any, get_args

import msgspec

from aceking.cards.card import CardError, card, cards
from aceking.rules.book import Book
from aceking.rules.odds import OddsError, amount
from aceking.rules.words import ActName, Mishap, Remedy
from aceking.table.acts import ACTS
from aceking.table.cards.place import place_from
from aceking.table.commands import Choose, Command, Report, Rule

Raw = Mapping[str, Any]
_KINDS = ("do", "report", "rule", "choose")
_MONEY = ("amount", "meter")
_CARD = ("card", "take", "discard")
_CARDS = ("cards", "give")


class StepError(ValueError):
    """A step that cannot be read: the message says what was expected."""


def command_from(book: Book, raw: Raw) -> Command:
    """A command from a step of a script."""
    step = upgraded(raw)
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
        raise StepError(_plain(wrong)) from None
    except (CardError, OddsError, ValueError) as wrong:
        raise StepError(f"{wrong}{_meant(step[kind])}") from None


_OUR_WORDS = {
    "Object contains unknown field": "there is no key",
    "Object missing required field": "there must be a key",
    "Expected `int` >= 0": "a number is not below nothing",
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
#: What a key of a command is called in a step.
_IN_A_STEP = {"then": "rule", "mishap": "report"}


def _plain(wrong: msgspec.ValidationError) -> str:
    """What is wrong with a step, in words of ours, with the key where it is."""
    what, _, place = str(wrong).partition(" - at ")
    place = place.strip("`").removeprefix("$.")
    what = what.replace(" | null", "")
    for theirs, ours in _OUR_WORDS.items():
        what = what.replace(theirs, ours)
    if what.startswith("there is no '") and place in _IN_A_STEP:
        what += _meant(what.split("'")[1])
    return f"{_IN_A_STEP.get(place, place)}: {what}" if place else what


def _tag(step: Raw, kind: str) -> str:
    return str(step["do"]) if kind == "do" else kind


def _type(step: Raw, kind: str) -> type[Command]:
    if kind != "do":
        asking: dict[str, type[Command]] = {"report": Report, "rule": Rule, "choose": Choose}
        return asking[kind]
    if step["do"] not in ACTS:
        raise StepError(f"there is no act {step['do']!r}{_meant(step['do'])}")
    return ACTS[step["do"]].command


def _own(step: Raw, kind: str) -> dict[str, Any]:
    """What the key of a step itself says."""
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
    """What a key of a step means to the table."""
    if key in _MONEY and value is not None:
        return money(book, value)
    if key in (*_CARD, *_CARDS, "to"):
        _text(key, value)
    if key in ("discard", "take"):
        found = cards(value)
        return found if len(found) > 1 else card(value)
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


def _is_word(step: Raw, key: str) -> bool:
    """Whether the card of a step is no playing card."""
    return key == "card" and step.get("do") == "card-swipe"


def _correction(raw: Raw) -> dict[str, Any]:
    """What a corrected record says: the cards at a place, a look, a light."""
    if "place" in raw:
        where = msgspec.to_builtins(place_from(_text("place", raw["place"])))
        return {"what": "hand", "place": where, "cards": cards(_text("cards", raw.get("cards", "")))}
    if "seen" in raw:
        return {"what": "look", "box": raw.get("box"), "seen": raw["seen"]}
    return {"what": "light", "box": raw.get("box"), "lit": raw.get("lit")}


def money(book: Book, text: Any) -> int:
    """An amount in minor units; below nothing it is taken back."""
    written = str(text)
    sign = -1 if written.startswith("-") else 1
    return sign * amount(written.removeprefix("-"), decimals=book.decimals)


def moment(seconds: Any) -> int:
    """A time on the table's clock, in milliseconds, from seconds."""
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


# The spelling of the first edition


def upgraded(raw: Raw) -> dict[str, Any]:
    """A step in the spelling of today."""
    step = dict(raw)
    if step.get("do") == "decision":
        choice = step.pop("choice", None)
        if choice is None:
            raise StepError("what does the player do? decision needs a choice")
        step["do"] = choice
    for key, renamed in RENAMED.get(str(step.get("do")), {}).items():
        if key in step:
            value = step.pop(key)
            for name, new in renamed(value, step).items():
                step.setdefault(name, new)
    if "note" in step and ("do" in step or "report" in step):
        step["remark"] = step.pop("note")
    if step.get("report") == "card-drawn-in-error" and "unseen" in step.get("facts", ()):
        step["facts"] = ["not-exposed" if one == "unseen" else one for one in step["facts"]]
    for key in ("rule", "rules", "facts"):
        if key in step:
            step[key] = _course(step[key])
    return step


def _course(word: Any) -> Any:
    """The course that was called block-box has the word of the book's option."""
    if isinstance(word, list):
        return [_course(one) for one in word]
    return {"block-box": "block-affected-box", "course-block-box": "course-block-affected-box"}.get(word, word)


Renamed = Callable[[Any, Raw], dict[str, Any]]


def _to(name: str) -> Renamed:
    return lambda value, step: {name: value}


def _back(value: Any, step: Raw) -> dict[str, Any]:
    text = str(value)
    return (
        {"back": text.removeprefix("mixed ").strip() or text, "uniform": False} if "mixed" in text else {"back": text}
    )


_EXTRA = re.compile(r"(?P<before>[\w ]*?)(?P<kind>cutting card|cover card)(?: \((?P<colour>[^)]*)\))?")


def _extras(value: Any, step: Raw) -> dict[str, Any]:
    extras = []
    for said in str(value).split(","):
        found = _EXTRA.fullmatch(said.strip())
        if found is None:
            continue
        colour = (found["colour"] or found["before"] or "").strip() or None
        clear = colour is not None and "transparent" in colour
        solid = colour is None or not re.search(r"striped|\band\b", colour)
        extra: dict[str, Any] = {"kind": found["kind"], "opaque": not clear, "solid": solid}
        extras.append(extra | ({"colour": colour} if colour and not clear else {}))
    return {"extras": extras}


def _unnoticed(value: Any, step: Raw) -> dict[str, Any]:
    """What a note said of a stake: it slipped through, the light stayed dark, the player stood."""
    known = {"unnoticed": {"noticed": False}, "dark": {"lit": False}, "standing": {"standing": True}}
    return dict(known.get(str(value), {"remark": value}))


def _device(value: Any, step: Raw) -> dict[str, Any]:
    """What `method` was of a device: what it is for, where it stands, its model, its functions or its version."""
    device = str(step.get("device", "")).lower()
    if value == "dealing":
        return {"for_dealing": True}
    if value in ("left", "right"):
        return {"side": value}
    if "display" in device:
        return {"functions": [one.strip() for one in str(value).split(",") if one.strip()]}
    return {"model" if "shuffler" in device and not str(value)[:1].isdigit() else "version": value}


_TOPICS = {
    "rules": r"\brules?\b|regulation",
    "limits": r"limit|minimum|maximum",
    "pays": r"\bpays\b|pay table|\d (?:to|for) \d",
    "games": r"number of games|\bgames\b",
    "jackpot": r"jackpot bet\b|jackpot amount",
    "no-jackpot-bets": r"no jackpot bets",
}


def _notice(value: Any, step: Raw) -> dict[str, Any]:
    """What a note of a notice was about; one that names an option announces its change."""
    text = str(value)
    about = [topic for topic, words in _TOPICS.items() if re.search(words, text, re.IGNORECASE)]
    found: dict[str, Any] = {"about": [one for one in about if one != "jackpot" or "no-jackpot-bets" not in about]}
    if re.search(r"\d[\s-]+(to|for)[\s-]+\d", text):
        found["odds"] = text
    if re.fullmatch(r"[a-z]+(-[a-z]+)+", text) and not about:
        found["option"] = text
    return found


def _kept(value: Any, step: Raw) -> dict[str, Any]:
    return {"kept": False, "remark": value}


def _seat_left(value: Any, step: Raw) -> dict[str, Any]:
    return {"left": True} if value == "left" else {"remark": value}


def _given(value: Any, step: Raw) -> dict[str, Any]:
    return {"give": value}


_STAKE: dict[str, Renamed] = {"note": _unnoticed, "count": _to("games")}
_DECISION: dict[str, Renamed] = {"card": _to("discard"), "note": _unnoticed}
#: Keys that had another name in the first edition, by act.
RENAMED: Mapping[str, Mapping[str, Renamed]] = {
    "deck-registered": {"method": _back, "note": _extras},
    "spread": {"method": lambda value, step: {"in_sequence": value == "suit-and-sequence"}},
    "table-configured": {"method": _to("layout"), "count": _to("packet"), "note": _to("odds")},
    "table-opened": {"method": _to("elsewhere")},
    "deck-held": {"method": _to("hand")},
    "card-dealt": {"method": _to("hand")},
    "device-registered": {"method": _device, "note": _to("maker")},
    "notice-given": {"note": _notice, "method": _to("where")},
    "approval-recorded": {"note": _to("of"), "method": _to("model")},
    "ante": _STAKE,
    "place-for-player": _STAKE,
    "side-bet": _STAKE,
    "bet": _DECISION,
    "stay": {**_DECISION, "amount": lambda value, step: {}},
    "fold": {"note": _unnoticed, "card": lambda value, step: {}, "amount": lambda value, step: {}},
    "declare": {"note": _unnoticed, "card": lambda value, step: {}, "amount": lambda value, step: {}},
    "exchange": {"card": _given, "cards": _given, "draws": _to("take"), "count": _to("take")},
    "chip-light-count": {"amount": _to("meter")},
    "START GAME": {"amount": _to("meter")},
    "no-more-bets": {"amount": _to("meter")},
    "card-swipe": {"method": _to("card")},
    "suspend-tables": {"note": _to("cause")},
    "keep-in-view": {"note": _kept},
    "stay-seated": {"note": _seat_left},
    "manual-adjustment": {"note": _to("reason")},
}
