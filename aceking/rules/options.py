"""The house's choices: from the value that was given to the value of the rule, or a refusal by clause."""

from collections.abc import Mapping
from typing import Any

from aceking.rules.clause import Option, OptionKind
from aceking.rules.odds import Fixed, OddsError, Posted, Share, amount, share
from aceking.rules.reading.did_you_mean import near
from aceking.rules.reading.values import ROWS, RuleValueError, row_of, row_value, rule_type, rule_value
from aceking.rules.refusal import Refusal
from aceking.rules.value_text import value_text


class OptionError(ValueError):
    """There is no such option, or it does not take that value."""


def unknown_option(book: str, name: str, known: Mapping[str, Option]) -> OptionError:
    """The error for an option that the book does not have."""
    return OptionError(f"{book} has no option {name!r}; it has {', '.join(sorted(known))}{near(name, known)}")


#: What may be given besides the words that an option lists.
_BESIDES: Mapping[OptionKind, str] = {
    "amount": "an amount",
    "award": "a share or an amount",
    "awards": "rows of a table",
    "number": "a number",
    "odds": "odds",
    "pays": "rows of a table",
    "percent": "a percentage",
    "text": "a text",
}


def may_be(option: Option) -> str:
    """All that an option may be: its words, and what may be given besides them, with its least."""
    least = f" from {' or '.join(option.floor.values())}" if option.floor else ""
    besides = () if option.kind == "choice" else (f"{_BESIDES[option.kind]}{least}",)
    return ", ".join((*option.values, *besides))


def option_rules(option: Option, raw: Any, *, decimals: int, minimums: Mapping[str, Any]) -> dict[str, Any] | Refusal:
    """The rules that an option's value decides, by key. `minimums` are the rows the text sets as the least."""
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
            f"option {option.name} is one of {', '.join(option.values)}, not {raw!r}{near(raw, option.values)}"
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
            raise OptionError(f"option {option.name}: there is no row {row!r}{near(row, ROWS)}")
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
    """Whether a book that fixes its awards, or posts amounts on a sign, is asked for something else."""
    if option.kind != "awards" or minimums.get("progressive.awards_are") == "minimums":
        return False
    return not isinstance(value, Fixed) if isinstance(least, Posted) else bool(value != least)


def _row_key(option: Option, row: str, minimums: Mapping[str, Any]) -> str:
    """The rule behind a row. The instant winners stand in the same printed table as the hands of the bet."""
    instant = f"instant.pays.{row}"
    return instant if option.rule == "bet.pays" and instant in minimums else f"{option.rule}.{row}"


def is_less(value: Any, least: Any) -> bool:
    """Whether a row is under its minimum. A share and an amount cannot be weighed; what a sign posts has no least."""
    if isinstance(least, Posted):
        return False
    if isinstance(least, Share):
        return not isinstance(value, Share) or value.of_meter < least.of_meter
    if isinstance(least, Fixed):
        return not isinstance(value, Fixed) or value.amount < least.amount
    return bool(value < least)


def _award(option: Option, raw: Any, kind: Any, *, decimals: int) -> dict[str, Any] | Refusal:
    """One award of which the book gives two forms, each with its least: a share, or an amount."""
    text = option.means.get(_word(raw), raw)
    value = row_value(kind, text, decimals=decimals)
    if refused := award_refusal(option, value, decimals=decimals):
        return refused
    return {option.rule: value}


def award_refusal(option: Option, value: Any, *, decimals: int) -> Refusal | None:
    """Whether an award is under the option's floor for its form."""
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
    if option.kind == "number" and isinstance(raw, str) and raw.isdecimal() and len(raw) <= 18:
        raw = int(raw)
    name = {"amount": "amount", "percent": "share"}.get(option.kind, "number")
    if name in option.floor and _is_under(name, raw, option.floor[name], decimals=decimals):
        return Refusal(f"{option.name} is at least {option.floor[name]}, not {raw}", clause=option.clause)
    return {option.rule: rule_value(kind, raw, decimals=decimals)}


def _is_under(name: str, raw: Any, least: str, *, decimals: int) -> bool:
    """Whether a value is under the book's own least; what is no such value at all is told elsewhere."""
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
