"""Run scripts of a table: a round step by step, with what is expected (given, when, then).

A script names its book, sets up the table, lets the driver bring it to a starting state, and then says what people do.
Each step may have what it expects: the clause that refuses it, the breach it records, the ruling, the question.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from aceking.cards.card import CardError, cards
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.odds import OddsError
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.scenarios.judge import ScriptError, StepResult, Story, cited, differences, step_problems
from aceking.scenarios.script_shape import EXPECTS, STARTS, check_shape
from aceking.scenarios.sheets import BookCase
from aceking.scenarios.spelling import StepError, command_from, money
from aceking.table import commands as c
from aceking.table.cards.decks import deck_in_use
from aceking.table.dealer.driver import Driver, DriverError, new_table
from aceking.table.state import TableState, balance


@dataclass(frozen=True, slots=True)
class ScriptCase(BookCase):
    """One script under one book."""

    raw: Mapping[str, Any]


def read_scripts(folder: Path) -> list[ScriptCase]:
    """Read all scripts of the files in a folder, one case for each book. Raises ScriptError."""
    cases = []
    for file in sorted(folder.glob("*.toml")):
        with file.open("rb") as stream:
            try:
                scripts = tomllib.load(stream).get("script")
            except tomllib.TOMLDecodeError as broken:
                raise ScriptError(f"{file.name}: this is not TOML: {broken}") from None
        if not isinstance(scripts, list):
            raise ScriptError(f"{file.name}: this is no file of scripts: it has no [[script]]")
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


def run_script(raw: Mapping[str, Any], book_id: str | None = None, *, strict: bool = False) -> Story:
    """Run a script; with `strict` every breach must be named. Raises ScriptError if it cannot be run."""
    check_shape(raw)
    name = book_id or raw.get("book")
    if not name:
        raise ScriptError("there must be a key `book` or `books`")
    book = with_options(load_book(name), raw.get("options", {}))
    if isinstance(book, Refusal):
        raise ScriptError(f"options: {book.reason} ({book.clause})")
    driver = Driver(book, _table(book, raw))
    order = _order(raw.get("order", ""))
    steps = [StepResult(0, "start")]
    try:
        _bring_to(driver, raw, order)
    except DriverError as stuck:
        raise ScriptError(f"start: {stuck}") from None
    before = driver.table
    steps[0].events = tuple(driver.events)
    for number, step in enumerate(raw.get("when", []), start=1):
        steps.append(_step(driver, book, number, _with_meter(driver, raw, step), strict=strict))
    problems = [problem for result in steps for problem in result.problems]
    clauses = cited(steps)
    current = driver.table.round
    stub = driver.shoe.ahead(current) if current is not None else ()
    problems += differences(book, driver.table, raw.get("then", {}), steps, clauses, stub)
    if balance(driver.table.accounts):
        problems.append(f"chips were made or lost: {driver.table.accounts}")
    return Story(book, driver.table, before, steps, problems, clauses)


def _question(driver: Driver, step: Mapping[str, Any]) -> dict[str, int]:
    """The question that an answer without a number is for: the first, or the first open one of its kind."""
    of_players = "choose" in step
    numbers = [one.number for one in driver.table.questions if (one.of == "players") == of_players]
    asked = ("rule" in step or of_players) and "question" not in step and numbers
    return {"question": numbers[0]} if asked and 1 not in numbers else {}


#: The acts that record the value of the meter.
_CLOSES = ("no-more-bets", "START GAME", "chip-light-count")


def _with_meter(driver: Driver, raw: Mapping[str, Any], step: Mapping[str, Any]) -> Mapping[str, Any]:
    """Add the script's meter to the step that closes the bets of the first round, unless it has its own."""
    later = driver.table.rounds != raw.get("rounds", 0)
    if "meter" not in raw or later or "meter" in step or "amount" in step:
        return step
    closes = step.get("drive") == "close" or step.get("do") in _CLOSES
    return {**step, "meter": raw["meter"]} if closes else step


def _table(book: Book, raw: Mapping[str, Any]) -> TableState:
    _meter(book, raw)  # raises ScriptError now, though a later step uses it
    limits = {key: _money(book, value) for key, value in raw.get("limits", {}).items()}
    least, most = limits.get("min"), limits.get("max")
    if least is not None and most is not None and least > most:
        raise ScriptError("limits: the minimum is above the maximum")
    people = raw.get("people", {})
    return new_table(
        book,
        mode=raw.get("mode", "electronic"),
        people={role: (named,) if isinstance(named, str) else tuple(named) for role, named in people.items()},
        ante_min=least,
        ante_max=most,
        decide_seconds=raw.get("seconds"),
        awards=dict(raw.get("awards", {})),
        reset=_money(book, raw["reset"]) if "reset" in raw else None,
        attended=bool(raw.get("attended", True)),
    )


def _money(book: Book, text: Any) -> int:
    """Return an amount of the table. Raises ScriptError if it is negative."""
    try:
        amount = money(book, text)
    except OddsError as wrong:
        raise ScriptError(str(wrong)) from None
    if amount < 0:
        raise ScriptError(f"{text!r} is negative")
    return amount


def _meter(book: Book, raw: Mapping[str, Any]) -> int | None:
    return _money(book, raw["meter"]) if "meter" in raw else None


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
    """Let the driver act for the house up to the starting state."""
    stage = STARTS.index(raw.get("start", "betting"))
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
        driver.close_bets(_meter(driver.book, raw))
    if stage >= STARTS.index("dealt"):
        driver.deal()
    if stage >= STARTS.index("decided"):
        for box in raw.get("boxes", []):
            _play(driver, box)
    if stage >= STARTS.index("revealed"):
        driver.must(c.Reveal())


def _stake(driver: Driver, raw: Mapping[str, Any]) -> None:
    """Place the stakes of a box, as steps would."""
    number, player = raw["box"], raw.get("player", f"player {raw['box']}")
    note = _noted(raw["note"]) if "note" in raw else {}
    if "ante" in raw:
        _must(driver, {"do": "ante", "box": number, "player": player, "amount": raw["ante"], **note})
    if "side" in raw:
        light = _noted(raw["light"]) if "light" in raw else note
        _must(driver, {"do": "side-bet", "box": number, "player": player, "amount": raw["side"], **light})
    for wager, amount in raw.get("sides", {}).items():
        _must(driver, {"do": "side-bet", "box": number, "player": player, "amount": amount, "wager": wager})


def _noted(note: Any) -> dict[str, Any]:
    """What the note of a box says of its stakes: it was not noticed, its light stayed dark, the player stood."""
    known = {"unnoticed": {"noticed": False}, "dark": {"lit": False}, "standing": {"standing": True}}
    return known.get(str(note), {"remark": note})


def _must(driver: Driver, raw: Mapping[str, Any]) -> None:
    try:
        act = command_from(driver.book, raw)
    except StepError as wrong:
        raise ScriptError(f"boxes: {wrong}") from None
    assert isinstance(act, c.Act)
    driver.must(act)


def _play(driver: Driver, raw: Mapping[str, Any]) -> None:
    """Play the hand of a box: it bets unless the script says otherwise."""
    if "ante" not in raw or driver.table.live_round is None:
        return
    number = raw["box"]
    if raw.get("look", True):
        driver.look(number, declares=raw.get("claims", driver.table.mode == "electronic"))
    if "exchange" in raw:
        _must(driver, {"do": "exchange", "box": number, "give": raw["exchange"]})
    play: dict[str, Any] = {"do": raw.get("play", "bet"), "box": number}
    if "bet" in raw:
        play |= {"amount": raw["bet"], "noticed": False}
    if "discard" in raw:
        play["discard"] = raw["discard"]
    _must(driver, play)


def _step(driver: Driver, book: Book, number: int, raw: Mapping[str, Any], *, strict: bool) -> StepResult:
    expects = {key: raw[key] for key in EXPECTS if key in raw}
    rest = {key: value for key, value in raw.items() if key not in EXPECTS}
    if "drive" in rest:
        return _drive(driver, number, rest, expects, strict=strict)
    order = _sealed(rest)
    rest |= _question(driver, rest)
    try:
        command = command_from(
            driver.book, {key: value for key, value in rest.items() if order is None or key != "cards"}
        )
    except StepError as wrong:
        raise ScriptError(f"step {number}: {wrong}") from None
    if order is not None and isinstance(command, c.Shuffle):
        command = replace(command, sealed=True)
        deck = deck_in_use(driver.table, command.deck)
        driver.shoe = driver.shoe.with_order(deck.name if deck is not None else "", order)
    outcome = driver.do(command)
    result = StepResult(number, _words(rest))
    if isinstance(outcome, Refusal):
        result.refusal = outcome
    else:
        result.events = outcome
    result.problems = [
        f"step {number} ({result.what}): {problem}" for problem in step_problems(result, expects, strict=strict)
    ]
    return result


def _drive(
    driver: Driver, number: int, raw: Mapping[str, Any], expects: Mapping[str, Any], *, strict: bool
) -> StepResult:
    """Let the driver act for the house: open, bets, close, deal, cards, after-deal or finish."""
    before = len(driver.events)
    stage = raw["drive"]
    result = StepResult(number, f"the house: {stage}")
    stages = {
        "open": driver.open_table,
        "bets": lambda: driver.open_bets(_order(raw.get("order", ""))),
        "close": lambda: driver.close_bets(_meter(driver.book, raw)),
        "deal": lambda: driver.deal(raw.get("count")),
        "cards": lambda: driver.deal_some(raw["count"]),
        "after-deal": driver.after_deal,
        "finish": driver.finish,
    }
    if stage not in stages:
        raise ScriptError(f"step {number}: drive is one of {', '.join(stages)}, not {stage!r}")
    try:
        stages[stage]()
    except DriverError as stuck:
        result.problems.append(f"step {number} ({result.what}): {stuck}")
    result.events = tuple(driver.events[before:])
    result.problems += [
        f"step {number} ({result.what}): {problem}" for problem in step_problems(result, expects, strict=strict)
    ]
    return result


def _sealed(raw: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Return the order of the deck in a shuffle step; it goes to the shoe, because the table must not know it."""
    if raw.get("do") != "shuffle" or "cards" not in raw:
        return None
    try:
        order = cards(str(raw["cards"]))
    except CardError as wrong:
        raise ScriptError(f"shuffle: {wrong}") from None
    if sorted(order) != list(DECK):
        raise ScriptError(f"shuffle: a shuffled deck has each of its {len(DECK)} cards once")
    return order


def _words(raw: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in raw.items())
