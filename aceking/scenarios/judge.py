"""Compare what happened in a script, step by step and at its end, with what it expects."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from aceking.cards.card import CardError, CardId, cards, names
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.odds import OddsError, amount
from aceking.rules.refusal import Refusal
from aceking.table import event as ev
from aceking.table.cards.deal_order import from_the_left
from aceking.table.cards.place import place_from
from aceking.table.money.accounts import chips_on_layout
from aceking.table.state import LAYOUT, METER, TRAY, TableState

_E = TypeVar("_E", bound=ev.TableEvent)


class ScriptError(ValueError):
    """A script that cannot be run; the message names the step and what was expected."""


@dataclass(slots=True)
class StepResult:
    """The result of one step: its events or its refusal, and how it differs from the script."""

    step: int
    what: str
    events: tuple[ev.TableEvent, ...] = ()
    refusal: Refusal | None = None
    problems: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Story:
    """The result of a script: every step, the table at the end, and all differences from what it expects."""

    book: Book
    table: TableState
    before: TableState
    steps: list[StepResult]
    problems: list[str]
    cited: tuple[str, ...]

    @property
    def events(self) -> list[ev.TableEvent]:
        return [event for result in self.steps for event in result.events]


def step_problems(result: StepResult, expects: Mapping[str, Any], *, strict: bool = False) -> list[str]:
    """Return the differences of a step from the script: refusal, breaches, rulings, questions, clause."""
    for key in expects:
        _check_expected(result, key, expects[key])
    return [
        *_refusal_problems(result, expects),
        *_breach_problems(result, expects, strict=strict),
        *_list_problems("rulings are", [one.then for one in _rulings(result)], expects.get("rules")),
        *_list_problems("questions go to", [one.of for one in _of(result, ev.Asked)], expects.get("asks")),
        *_list_problems("act is under", [one.clause or "none" for one in _of(result, ev.Acted)], expects.get("under")),
    ]


def _check_expected(result: StepResult, key: str, wanted: Any) -> None:
    """Raise ScriptError for a malformed expectation: a word is one of several, a list is all of them."""
    word = isinstance(wanted, str) and bool(wanted)
    many = isinstance(wanted, list) and all(isinstance(one, str) and one for one in wanted)
    by_nobody = key == "refused" and wanted == []
    if not (
        word or (key == "refused" and wanted is True) or (key not in ("because", "under") and many and not by_nobody)
    ):
        raise ScriptError(f"step {result.step}: {key} cannot be {wanted!r}")


def _refusal_problems(result: StepResult, expects: Mapping[str, Any]) -> list[str]:
    wanted, refusal = expects.get("refused"), result.refusal
    if refusal is None:
        by = "" if wanted is True else f" by {_listed(_as_list(wanted))}"
        problems = [] if wanted is None else [f"it was not refused{by}"]
        if "because" in expects and wanted is None:
            problems.append("it was not refused, and needs no reason")
        if not result.events:
            problems.append("nothing came of it: it was neither refused nor put on record")
        return problems
    problems = []
    if wanted is None:
        problems.append(f"it was refused: {refusal.reason} ({refusal.clause})")
    elif isinstance(wanted, list):
        found = [refusal.clause, *refusal.also]
        if sorted(found) != sorted(wanted):
            problems.append(f"it was refused by {_listed(found)} ({refusal.reason}), not by {_listed(wanted)}")
    elif wanted is not True and refusal.clause != wanted:
        problems.append(f"it was refused by {refusal.clause or 'no clause'} ({refusal.reason}), not by {wanted}")
    if "because" in expects and expects["because"] not in refusal.reason:
        problems.append(f"the reason is {refusal.reason!r}, without {expects['because']!r}")
    return problems


def _breach_problems(result: StepResult, expects: Mapping[str, Any], *, strict: bool) -> list[str]:
    """Compare the recorded breaches with `violates`: a word must be among them, a list is all of them.

    Without `violates` and `rules` there must be none. With `strict` every breach must be named, as in our own scripts;
    `rules = "record-violation"` names those that a ruling records.
    """
    breaches = {one.clause for one in _of(result, ev.Violated)}
    wanted = expects.get("violates", [])
    named = set(wanted if isinstance(wanted, list) else [wanted])
    problems = [f"it does not breach {clause}, but {_listed(breaches)}" for clause in sorted(named - breaches)]
    if isinstance(expects.get("violates"), str) and not strict:
        return problems
    if "violates" not in expects and expects.get("rules") and not strict:
        return problems
    if "violates" in expects and not named and breaches:
        return [f"it breaches {_listed(breaches)}, and should breach nothing"]
    recorded = {one.clause for one in _rulings(result) if one.then == "record-violation"}
    ruled = recorded if "record-violation" in _as_list(expects.get("rules")) else set()
    unnamed = breaches - named - ruled
    return problems + ([f"it breaches {_listed(unnamed)}, which the script does not say"] if unnamed else [])


def _list_problems(what: str, found: list[str], wanted: Any) -> list[str]:
    """Compare with an expectation: a word must be among what was found, a list is all of it in any order."""
    if isinstance(wanted, list):
        return [] if sorted(found) == sorted(wanted) else [f"the {what} {_listed(found)}, not {_listed(wanted)}"]
    return [] if wanted is None or wanted in found else [f"the {what} {_listed(found)}, without {wanted}"]


def _rulings(result: StepResult) -> list[ev.Ruled | ev.Answered]:
    return [one for one in result.events if isinstance(one, ev.Ruled | ev.Answered)]


def _of(result: StepResult, kind: type[_E]) -> list[_E]:
    return [one for one in result.events if isinstance(one, kind)]


def _as_list(wanted: Any) -> list[str]:
    return wanted if isinstance(wanted, list) else [] if wanted is None else [wanted]


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(sorted(map(str, values))) or "nothing"


def cited(steps: list[StepResult]) -> tuple[str, ...]:
    """Return the clauses cited by any event or refusal after the start."""
    clauses: dict[str, None] = {}
    for result in steps[1:]:
        if result.refusal is not None and result.refusal.clause:
            clauses |= dict.fromkeys((result.refusal.clause, *result.refusal.also))
        for event in result.events:
            if event.clause:
                clauses[event.clause] = None
    return tuple(clauses)


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a script."""

    book: Book
    table: TableState
    steps: list[StepResult]
    cited: tuple[str, ...]
    stub: tuple[int, ...] = ()  # the cards left in the shoe

    def money(self, worth: int) -> str:
        return shown(worth, decimals=self.book.decimals)

    def wanted(self, text: Any, where: str) -> int:
        """Return an expected amount in minor units, from `-30` or `-30.00`. Raises ScriptError."""
        try:
            sign = -1 if str(text).startswith("-") else 1
            return sign * amount(str(text).removeprefix("-"), decimals=self.book.decimals)
        except OddsError as wrong:
            raise ScriptError(f"then: {where}: {wrong}") from None


def differences(
    book: Book,
    table: TableState,
    then: Mapping[str, Any],
    steps: list[StepResult],
    cited: tuple[str, ...],
    stub: tuple[int, ...] = (),
) -> list[str]:
    """Return the differences of the end from what the script says under `then`. Raises ScriptError."""
    end = _End(book, table, steps, cited, stub)
    problems: list[str] = []
    for key, wanted in then.items():
        if key not in _FOLLOWS:
            raise ScriptError(f"then: {key!r} is not known; there are {', '.join(sorted(_FOLLOWS))}")
        kind, judge = _FOLLOWS[key]
        if type(wanted) is not kind:
            raise ScriptError(f"then: {key} is a {_KIND[kind]}, not {wanted!r}")
        problems += judge(end, wanted)
    return problems


def _net(end: _End, then: Mapping[str, str]) -> Iterator[str]:
    for who, text in then.items():
        wanted = end.wanted(text, f"net of {who}")
        player = _player(end, who)
        if player is None:
            yield f"{who} has no box and no chips, so not {text} either"
        elif (found := _worth(end.table, player)) != wanted:
            yield f"{who} has {end.money(found)}, not {text}"


def _accounts(end: _End, then: Mapping[str, str]) -> Iterator[str]:
    for account, text in then.items():
        wanted = end.wanted(text, f"account {account}")
        if account not in end.table.accounts and account not in (TRAY, METER, LAYOUT):
            yield f"there is no account {account}, so not {text} on it either"
        elif (found := end.table.accounts.get(account, 0)) != wanted:
            yield f"the {account} has {end.money(found)}, not {text}"


def _phase(end: _End, wanted: str) -> Iterator[str]:
    if (found := end.table.round.phase if end.table.round else None) != wanted:
        yield f"the round is {found}, not {wanted}"


def _hands(end: _End, then: Mapping[str, str]) -> Iterator[str]:
    for place, text in then.items():
        wanted = _card_names(text, f"hands of {place}")
        number = place.removeprefix("box ")
        known = 1 <= int(number) <= end.book.table.seats_max if number.isdecimal() else place in _FIXED_PLACES
        if not known or end.table.round is None:
            yield f"there is no {place!r} in the round, so no hand {text!r} either"
            continue
        if (found := hand_at(end.book, end.table, place)) != wanted:
            yield f"{place} has {found or 'no cards'}, not {text or 'none'}"


def _up(end: _End, text: str) -> Iterator[str]:
    wanted = _card_names(text, "up")
    found = names_of(end.table.round.up) if end.table.round else ""
    if not wanted or found != wanted:
        yield f"the up-card is {found or 'none'}, not {text}"


def _unregulated(end: _End, wanted: bool) -> Iterator[str]:
    if wanted != any(one.unregulated for result in end.steps for one in _of(result, ev.Asked)):
        yield "the book was not silent" if wanted else "the book was silent"


def _cites(end: _End, wanted: list[str]) -> Iterator[str]:
    for clause in wanted:
        if clause not in end.cited:
            yield f"it cites {', '.join(end.cited) or 'nothing'}, not {clause}"


def _violations(end: _End, wanted: int) -> Iterator[str]:
    if end.table.violations != wanted:
        yield f"{end.table.violations} breaches are on the record, not {wanted}"


def _rounds(end: _End, wanted: int) -> Iterator[str]:
    if end.table.rounds != wanted:
        yield f"{end.table.rounds} rounds were played, not {wanted}"


def _open(end: _End, wanted: bool) -> Iterator[str]:
    if end.table.open != wanted:
        yield f"the table is {'open' if end.table.open else 'closed'}"


def _meter(end: _End, text: str) -> Iterator[str]:
    """Compare the meter after the last settled round."""
    wanted = end.wanted(text, "meter")
    known = [one.meter_after for step in end.steps for one in _of(step, ev.RoundSettled) if one.meter_after is not None]
    if not known or known[-1] != wanted:
        yield f"the meter is {end.money(known[-1]) if known else 'unknown'}, not {text}"


def _lights(end: _End, wanted: list[int]) -> Iterator[str]:
    boxes = end.table.round.boxes if end.table.round else {}
    lit = [number for number in sorted(boxes) if boxes[number].lit]
    if lit != wanted or end.table.round is None:
        yield f"the lights are on at {lit}, not at {wanted}"


def _rack(end: _End, then: Mapping[str, str]) -> Iterator[str]:
    lying = {pile.words: held for pile, held in end.table.round.rack} if end.table.round else {}
    if "stub" in lying:
        lying["stub"] = end.stub
    for what, text in then.items():
        wanted = _card_names(text, f"rack: {what}")
        if what not in lying:
            if not wanted and re.fullmatch(r"(box|discard|exchanged) \d+|dealer|community|burn|boxed|aside|stub", what):
                continue
            yield f"nothing of {what} is in the rack, where {', '.join(lying) or 'nothing'} lies"
        elif (found := names_of(*lying[what])) != wanted:
            yield f"of {what} the rack has {found}, not {text}"


def _decks(end: _End, wanted: list[str]) -> Iterator[str]:
    if sorted(end.table.decks) != sorted(wanted):
        yield f"the decks at the table are {_listed(end.table.decks)}, not {_listed(wanted)}"


#: The keys of `then`: the type of the value, and the function that compares it.
_FOLLOWS: Mapping[str, tuple[type, Callable[[_End, Any], Iterator[str]]]] = {
    "net": (dict, _net),
    "phase": (str, _phase),
    "hands": (dict, _hands),
    "up": (str, _up),
    "unregulated": (bool, _unregulated),
    "cites": (list, _cites),
    "violations": (int, _violations),
    "rounds": (int, _rounds),
    "open": (bool, _open),
    "meter": (str, _meter),
    "lights": (list, _lights),
    "accounts": (dict, _accounts),
    "rack": (dict, _rack),
    "decks": (list, _decks),
}
_KIND = {dict: "table", str: "text", bool: "true or false", list: "list", int: "whole number"}
_FIXED_PLACES = ("dealer", "community", "community from the left", "burn", "boxed")


def _card_names(text: Any, where: str) -> str:
    try:
        return names(cards(text))
    except (CardError, AttributeError, TypeError) as wrong:
        raise ScriptError(f"then: {where}: {wrong}") from None


def _player(end: _End, who: str) -> str | None:
    """Return the player with this name or box number, or None if no box, account, event or step has them.

    A misspelt name would otherwise pass for a player who neither won nor lost.
    """
    boxes = end.table.round.boxes if end.table.round else {}
    if who.isdecimal() and int(who) in boxes:
        return boxes[int(who)].player
    if who in end.table.accounts or who in {box.player for box in boxes.values()}:
        return who
    for result in reversed(end.steps):
        for event in reversed(result.events):
            player = getattr(event, "player", None)
            if player and who in (player, str(getattr(event, "box", None))):
                return str(player)
        if re.search(rf"\bplayer {re.escape(who)}(,|\Z)", result.what):
            return who
    return None


def net_of(book: Book, table: TableState, who: str) -> str:
    """Return the net result of a player, or of the player of a box. Chips on the layout still count as theirs."""
    boxes = table.round.boxes if table.round else {}
    player = boxes[int(who)].player if who.isdecimal() and int(who) in boxes else who
    return shown(_worth(table, player), decimals=book.decimals)


def _worth(table: TableState, player: str) -> int:
    current, lying = table.round, 0
    if current is not None and current.phase not in ("done", "void"):
        lying = sum(chips_on_layout(current, box) for box in current.boxes.values() if box.player == player)
    return table.accounts.get(player, 0) + lying


def hand_at(book: Book, table: TableState, place: str) -> str:
    """Return the names of the cards at a place of the round; empty if there are none."""
    current = table.round
    if current is None:
        return ""
    if place == "community from the left":
        return names_of(*from_the_left(book, current.community))
    return names_of(*current.held(place_from(f"box {place}" if place.isdecimal() else place)))


def names_of(*numbers: int | None) -> str:
    return names(tuple(CardId(one) for one in numbers if one is not None))
