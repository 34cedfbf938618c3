"""Scripts of a table: a round told step by step, with what must follow. Given, when, then.

A script names its book, lays out the table, lets the driver bring it to a starting point, and then says what people
do. Each step may say what follows from it: the clause that refuses it, the breach it records, the ruling, the question.
"""

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import msgspec

from aceking.cards.card import CardError, card, cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.load import load_book, with_options
from aceking.rules.odds import OddsError, amount
from aceking.rules.refusal import Refusal
from aceking.rules.words import ActName, Incident, Outcome
from aceking.scenarios.judge import ScriptError, Story, Told, cited, differences, step_problems
from aceking.table.command import Act, Choose, Command, Report, Rule
from aceking.table.dealer.driver import Driver, DriverError, new_table
from aceking.table.decide import run
from aceking.table.state import Table, balance

#: How far the driver brings the table before the first step.
STARTS = ("new", "opened", "shuffled", "betting", "closed", "dealt", "decided", "revealed")
_SCRIPT = {
    *("id", "name", "why", "book", "books", "options", "mode", "people", "limits", "awards", "meter", "reset", "order"),
    *("boxes", "rounds", "seconds", "start", "when", "then", "proves"),
}
_EXPECTS = {"refused", "violates", "rules", "asks", "because"}
_MONEY = {"amount"}
_CARD = {"card"}
_CARDS = {"cards"}


@dataclass(frozen=True, slots=True)
class ScriptCase:
    """One script under one book."""

    sheet: str
    id: str
    name: str
    book: str
    proves: tuple[str, ...]
    raw: Mapping[str, Any]

    @property
    def title(self) -> str:
        """A name for a test."""
        return f"{self.book}: {self.id}: {self.name}"


def read_scripts(folder: Path) -> list[ScriptCase]:
    """All scripts of the sheets in a folder, one case for each book."""
    cases = []
    for file in sorted(folder.glob("*.toml")):
        with file.open("rb") as stream:
            scripts = tomllib.load(stream)["script"]
        for raw in scripts:
            cases += _cases(file, raw)
    return cases


def _cases(file: Path, raw: Mapping[str, Any]) -> list[ScriptCase]:
    where = f"{file.name}: {raw.get('id', 'a script without an id')}"
    for key in ("id", "name", "books"):
        if not raw.get(key):
            raise ScriptError(f"{where}: it has no {key}")
    known = {clause for book in raw["books"] for clause in load_book(book).clauses}
    for clause in set(raw.get("proves", [])) - known:
        raise ScriptError(f"{where}: none of its books has the clause {clause}")
    cases = []
    for book in raw["books"]:
        then = raw.get("then", {})
        expected = then.get(book, {}) if then and set(then) <= set(raw["books"]) else then
        proves = tuple(one for one in raw.get("proves", []) if one in load_book(book).clauses)
        script = {key: value for key, value in raw.items() if key != "books"} | {"then": expected}
        cases.append(ScriptCase(file.stem, raw["id"], raw["name"], book, proves, script))
    return cases


def run_script(raw: Mapping[str, Any], book_id: str | None = None) -> Story:
    """Runs a script through decide and evolve."""
    for key in set(raw) - _SCRIPT:
        raise ScriptError(f"{key!r} is no part of a script; there are {', '.join(sorted(_SCRIPT))}")
    name = book_id or raw.get("book")
    if not name:
        raise ScriptError("which book is it played by?")
    book = with_options(load_book(name), raw.get("options", {}))
    if isinstance(book, Refusal):
        raise ScriptError(f"options: {book.reason} ({book.clause})")
    driver = Driver(book, _table(book, raw))
    order = _order(raw.get("order", ""))
    steps = [Told(0, "start")]
    try:
        _bring_to(driver, raw, order)
    except DriverError as stuck:
        raise ScriptError(f"start: {stuck}") from None
    before = driver.table
    steps[0].events = tuple(driver.events)
    for number, step in enumerate(raw.get("when", []), start=1):
        steps.append(_step(driver, book, number, step))
    problems = [problem for told in steps for problem in told.problems]
    found = cited(steps)
    problems += differences(book, driver.table, raw.get("then", {}), steps, found)
    if balance(driver.table.accounts):
        problems.append(f"chips were made or lost: {driver.table.accounts}")
    return Story(book, driver.table, before, steps, problems, found)


def _table(book: Book, raw: Mapping[str, Any]) -> Table:
    limits = raw.get("limits", {})
    return new_table(
        book,
        mode=raw.get("mode", "electronic"),
        people={role: tuple(many) for role, many in raw.get("people", {}).items()},
        ante_min=_money(book, limits["min"]) if "min" in limits else None,
        ante_max=_money(book, limits["max"]) if "max" in limits else None,
        decide_seconds=raw.get("seconds"),
        awards=dict(raw.get("awards", {})),
        reset=_money(book, raw["reset"]) if "reset" in raw else None,
    )


def _money(book: Book, text: Any) -> int:
    try:
        sign = -1 if str(text).startswith("-") else 1
        return sign * amount(str(text).removeprefix("-"), decimals=book.decimals)
    except OddsError as wrong:
        raise ScriptError(str(wrong)) from None


def _order(text: str) -> tuple[int, ...]:
    """The deck from the top: the cards named, then all others."""
    try:
        first = cards(text)
    except CardError as wrong:
        raise ScriptError(f"order: {wrong}") from None
    if len(set(first)) < len(first):
        raise ScriptError("order: a card comes twice")
    return (*first, *(one for one in DECK if one not in first))


def _bring_to(driver: Driver, raw: Mapping[str, Any], order: tuple[int, ...]) -> None:
    """Lets the driver do the house's part up to the starting point."""
    start = raw.get("start", "betting")
    if start not in STARTS:
        raise ScriptError(f"start: {start!r} is not one of {', '.join(STARTS)}")
    stage = STARTS.index(start)
    if stage >= STARTS.index("opened"):
        driver.open_table()
    driver.play_rounds(raw.get("rounds", 0))
    if stage == STARTS.index("shuffled"):
        driver.shuffle(order)
    if stage >= STARTS.index("betting"):
        driver.open_bets(order)
        for box in raw.get("boxes", []):
            _stake(driver, box)
    if stage >= STARTS.index("closed"):
        driver.close_bets(_money(driver.book, raw["meter"]) if "meter" in raw else None)
    if stage >= STARTS.index("dealt"):
        driver.deal()
    if stage >= STARTS.index("decided"):
        for box in raw.get("boxes", []):
            _play(driver, box)
    if stage >= STARTS.index("revealed"):
        driver.must(Act(do="reveal"))


def _stake(driver: Driver, raw: Mapping[str, Any]) -> None:
    number, player = raw["box"], raw.get("player", f"player {raw['box']}")
    note = raw.get("note")
    if "ante" in raw:
        driver.must(Act(do="ante", box=number, player=player, amount=_money(driver.book, raw["ante"]), note=note))
    if "side" in raw:
        side = _money(driver.book, raw["side"])
        driver.must(Act(do="side-bet", box=number, player=player, amount=side, note=raw.get("light", note)))


def _play(driver: Driver, raw: Mapping[str, Any]) -> None:
    if "ante" not in raw or driver.table.live_round is None:
        return
    number = raw["box"]
    if raw.get("look", True):
        driver.look(number, declares=raw.get("claims", driver.table.mode == "electronic"))
    if "exchange" in raw:
        driver.must(Act(do="exchange", box=number, card=card(raw["exchange"])))
    bet = _money(driver.book, raw["bet"]) if "bet" in raw else None
    discard = card(raw["discard"]) if "discard" in raw else None
    note = "unnoticed" if "bet" in raw else None
    driver.must(Act(do="decision", box=number, choice=raw.get("play", "bet"), amount=bet, card=discard, note=note))


def _step(driver: Driver, book: Book, number: int, raw: Mapping[str, Any]) -> Told:
    expects = {key: raw[key] for key in _EXPECTS if key in raw}
    rest = {key: value for key, value in raw.items() if key not in _EXPECTS}
    if "drive" in rest:
        return _drive(driver, number, rest, expects)
    command = command_from(book, rest, place=f"step {number}")
    result = run(book, driver.table, command)
    told = Told(number, _words(rest))
    if isinstance(result, Refusal):
        told.refusal = result
    else:
        driver.table, told.events = result
    told.problems = [f"step {number} ({told.what}): {problem}" for problem in step_problems(told, expects)]
    return told


def _drive(driver: Driver, number: int, raw: Mapping[str, Any], expects: Mapping[str, Any]) -> Told:
    """Lets the driver do a stage: close, deal, after-deal, finish."""
    before = len(driver.events)
    stage = raw["drive"]
    told = Told(number, f"the house: {stage}")
    stages = {
        "open": driver.open_table,
        "bets": lambda: driver.open_bets(_order(raw.get("order", ""))),
        "close": lambda: driver.close_bets(_money(driver.book, raw["meter"]) if "meter" in raw else None),
        "deal": lambda: driver.deal(raw.get("count")),
        "cards": lambda: driver.deal_some(int(raw["count"])),
        "after-deal": driver.after_deal,
        "finish": driver.finish,
    }
    if stage not in stages:
        raise ScriptError(f"step {number}: drive is one of {', '.join(stages)}, not {stage!r}")
    try:
        stages[stage]()
    except DriverError as stuck:
        told.problems.append(f"step {number} ({told.what}): {stuck}")
    told.events = tuple(driver.events[before:])
    told.problems += [f"step {number} ({told.what}): {problem}" for problem in step_problems(told, expects)]
    return told


_KINDS = ("do", "report", "rule", "choose")


def _convert(data: Mapping[str, Any]) -> Command:
    return msgspec.convert(data, Act | Report | Rule | Choose)


def command_from(book: Book, raw: Mapping[str, Any], *, place: str) -> Command:
    """A command from a step of a script: amounts in the table's currency, cards by name."""
    kind = next((name for name in _KINDS if name in raw), None)
    if kind is None:
        raise ScriptError(f"{place}: a step says do, report, rule, choose or drive")
    data: dict[str, Any] = dict(raw)
    try:
        for key in _MONEY & set(data):
            data[key] = _money(book, data[key])
        for key in _CARD & set(data):
            data[key] = card(data[key])
        for key in _CARDS & set(data):
            data[key] = cards(data[key])
        if kind == "report":
            data["incident"] = data.pop("report")
        elif kind == "rule":
            data["then"] = data.pop("rule")
            data.setdefault("question", 1)
        elif kind == "choose":
            data["go_on"] = {"go on": True, "withdraw": False}[data.pop("choose")]
            data.setdefault("question", 1)
        if kind == "do" and "draws" in data:
            data["count"] = card(data.pop("draws"))
        return _convert({"is": "act" if kind == "do" else kind, **data})
    except (CardError, ScriptError, KeyError) as wrong:
        raise ScriptError(f"{place}: {wrong}") from None
    except msgspec.ValidationError as wrong:
        raise ScriptError(f"{place}: {wrong}{_meant(raw[kind])}") from None


def _meant(word: Any) -> str:
    """The nearest word that a step can have."""
    known = (*get_args(ActName), *get_args(Incident), *get_args(Outcome))
    near = difflib.get_close_matches(str(word), known, n=1)
    return f"; did you mean {near[0]}?" if near and near[0] != word else ""


def _words(raw: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in raw.items())
