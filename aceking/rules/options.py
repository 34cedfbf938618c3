"""The options of a house: turn the value it chose into rules, or refuse it with the clause."""

from collections.abc import Mapping
from typing import Any

from aceking.rules.clause import Option, OptionKind
from aceking.rules.odds import Fixed, OddsError, Posted, Share, amount, share
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.reading.values import ROWS, RuleValueError, row_of, row_value, rule_type, rule_value
from aceking.rules.refusal import Refusal
from aceking.rules.value_text import value_text


class OptionError(ValueError):
    """The book has no such option, or the option does not take that value."""


def unknown_option(book: str, name: str, known: Mapping[str, Option]) -> OptionError:
    return OptionError(f"{book} has no option {name!r}; it has {', '.join(sorted(known))}{suggestion(name, known)}")


#: What each kind of option takes besides the words that it lists.
_OTHER_VALUES: Mapping[OptionKind, str] = {
    "amount": "an amount",
    "award": "a share or an amount",
    "awards": "rows of a table",
    "number": "a number",
    "odds": "odds",
    "pays": "rows of a table",
    "percent": "a percentage",
    "text": "a text",
}


def allowed_values(option: Option) -> str:
    """Return what an option may be, in words: the words that it lists, then any other values and their floor."""
    least = f" from {' or '.join(option.floor.values())}" if option.floor else ""
    others = () if option.kind == "choice" else (f"{_OTHER_VALUES[option.kind]}{least}",)
    return ", ".join((*option.values, *others))


def option_rules(option: Option, raw: Any, *, decimals: int, minimums: Mapping[str, Any]) -> dict[str, Any] | Refusal:
    """Return the rules that an option's value decides, by key, or a refusal. Raises OptionError for a malformed value.

    `minimums` are the rules as the text sets them; rows of a pay table may not go below them.
    """
    kind = rule_type(option.rule)
    try:
        match option.kind:
            case "choice":
                return {option.rule: _choice(option, raw, kind, decimals=decimals)}
            case "pays" | "awards":
                return _rows(option, raw, kind, decimals=decimals, minimums=minimums)
            case "odds":
                return {option.rule: row_value(kind, option.means.get(_word(raw), raw), decimals=decimals)}
            case "award":
                return _award(option, raw, kind, decimals=decimals)
            case _:
                return _measure(option, raw, kind, decimals=decimals)
    except (RuleValueError, OddsError) as refused:
        raise OptionError(f"option {option.name}: {refused}") from None


def _choice(option: Option, raw: Any, kind: Any, *, decimals: int) -> Any:
    value = next((one for one in option.values if _word(one) == _word(raw)), None)
    if value is None:
        raise OptionError(
            f"option {option.name} is one of {', '.join(option.values)}, not {raw!r}{suggestion(raw, option.values)}"
        )
    meant = option.means.get(value, value)
    if row_of(option.rule) is not None:
        return row_value(kind, meant, decimals=decimals)
    return rule_value(kind, meant, decimals=decimals)


def _word(raw: Any) -> str:
    return str(raw).strip().lower().replace(" ", "-") if not isinstance(raw, bool) else str(raw).lower()


def _rows(
    option: Option, raw: Any, kind: Any, *, decimals: int, minimums: Mapping[str, Any]
) -> dict[str, Any] | Refusal:
    if not isinstance(raw, Mapping):
        raise OptionError(f"option {option.name} takes rows, as in {{'flush': '6'}}, not {raw!r}")
    rules: dict[str, Any] = {}
    for row, value in raw.items():
        key = _row_key(option, row, minimums)
        if row not in ROWS:
            raise OptionError(f"option {option.name}: there is no row {row!r}{suggestion(row, ROWS)}")
        # A table that is issued separately has no rows of its own: any row may be posted.
        if key not in minimums and minimums.get("progressive.awards_are") != "separate":
            raise OptionError(f"option {option.name}: the book has no row {row!r} to raise")
        rules[key] = row_value(kind, value, decimals=decimals)
        if key in minimums and _is_fixed(option, rules[key], minimums[key], minimums):
            return Refusal(f"the book leaves no such choice for {row}", clause=option.clause)
        if key in minimums and is_less(rules[key], minimums[key]):
            least = value_text(key, minimums[key], decimals=decimals)
            return Refusal(f"{row} pays at least {least}, not {value}", clause=option.clause)
    return rules


def _is_fixed(option: Option, value: Any, least: Any, minimums: Mapping[str, Any]) -> bool:
    """Return True if the book fixes this award, or wants an amount on a sign, and the value is something else."""
    if option.kind != "awards" or minimums.get("progressive.awards_are") == "minimums":
        return False
    return not isinstance(value, Fixed) if isinstance(least, Posted) else bool(value != least)


def _row_key(option: Option, row: str, minimums: Mapping[str, Any]) -> str:
    """Return the rule of a row. The instant winners are in the same printed table as the hands of the bet."""
    instant = f"instant.pays.{row}"
    return instant if option.rule == "bet.pays" and instant in minimums else f"{option.rule}.{row}"


def is_less(value: Any, least: Any) -> bool:
    """Return True if a row is below its minimum, or not comparable with it. A posted award has no minimum."""
    if isinstance(least, Posted):
        return False
    if isinstance(least, Share):
        return not isinstance(value, Share) or value.of_meter < least.of_meter
    if isinstance(least, Fixed):
        return not isinstance(value, Fixed) or value.amount < least.amount
    return bool(value < least)


def _award(option: Option, raw: Any, kind: Any, *, decimals: int) -> dict[str, Any] | Refusal:
    """One award that may be a share or an amount, each with its own floor."""
    text = option.means.get(_word(raw), raw)
    value = row_value(kind, text, decimals=decimals)
    if refused := award_refusal(option, value, decimals=decimals):
        return refused
    return {option.rule: value}


def award_refusal(option: Option, value: Any, *, decimals: int) -> Refusal | None:
    """Return the refusal of a share or an amount below the option's floor, or None."""
    if isinstance(value, Share) and value.of_meter < share(option.floor.get("share", "0%")):
        return Refusal(f"the award is at least {option.floor['share']} of the meter", clause=option.clause)
    if isinstance(value, Fixed) and value.amount < amount(option.floor.get("amount", "0"), decimals=decimals):
        return Refusal(f"the award is at least {option.floor['amount']}", clause=option.clause)
    return None


def _measure(option: Option, raw: Any, kind: Any, *, decimals: int) -> dict[str, Any] | Refusal:
    """An amount, a percentage, a number or a text."""
    if _word(raw) in option.values:
        return {option.rule: rule_value(kind, option.means.get(_word(raw), _word(raw)), decimals=decimals)}
    if option.kind in ("amount", "percent") and not isinstance(raw, bool):
        raw = str(raw)
    if option.kind == "number" and isinstance(raw, str) and raw.isdecimal() and raw.isascii() and len(raw) <= 18:
        raw = int(raw)
    name = {"amount": "amount", "percent": "share"}.get(option.kind, "number")
    if name in option.floor and _is_under(name, raw, option.floor[name], decimals=decimals):
        return Refusal(f"{option.name} is at least {option.floor[name]}, not {raw}", clause=option.clause)
    return {option.rule: rule_value(kind, raw, decimals=decimals)}


def _is_under(name: str, raw: Any, least: str, *, decimals: int) -> bool:
    """Return True if a value is below the floor. `rule_value` refuses a value of another type."""
    if raw == "none":
        return True
    if name == "number" and type(raw) is not int:
        return False
    return bool(_floor(name, str(raw), decimals=decimals) < _floor(name, least, decimals=decimals))


def _floor(name: str, text: str, *, decimals: int) -> Any:
    match name:
        case "amount":
            return amount(text, decimals=decimals)
        case "share":
            return share(text)
        case _:
            return int(text)
