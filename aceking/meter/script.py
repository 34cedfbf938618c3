"""Play a script of commands, one JSON object per line, on a new meter.

In a script an amount is a decimal text in the currency of the meter; a command has minor units. A draw in a script has
its seed; the command has the commitment, and the seed is kept outside state and events. Blank lines and lines that
begin with # are ignored.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec.structs import replace

from aceking.meter.commands import AnyCommand, Configure
from aceking.meter.decide import decide, decided_without_books, recorded
from aceking.meter.events import AnyEvent, MeterRefused
from aceking.meter.governing_rules import Books
from aceking.meter.state import MeterState
from aceking.rules.book import Book
from aceking.rules.odds import OddsError, amount
from aceking.rules.options import OptionError
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import No, Refusal
from aceking.seal import SEED_BYTES, commitment

_MONEY = {
    "configure": ("base", "reset", "limit", "contribution_max", "executive_from", "must_hit_by"),
    "sign": ("amount",),
    "pay": ("amount",),
    "adjust": ("amount",),
}
#: Decimals of the currency before the meter is configured.
_DECIMALS = 2
#: Characters in the text of an amount.
_AMOUNT_LONGEST = 30
_WORDS = {
    "Object contains unknown field": "there is no key",
    "Object missing required field": "there must be a key",
    "Expected `datetime` with a timezone component": "a moment has its offset, as in 2026-01-05T21:00:05Z",
    "Invalid RFC3339 encoded datetime": "a moment is written as in 2026-01-05T21:00:05Z",
}


class MeterScriptError(ValueError):
    """A line that is not a valid command; the message has its number."""


class ScriptQuestion(NamedTuple):
    """A command with its books and its decision, which is not carried out yet."""

    command: AnyCommand
    books: Books
    decided: tuple[AnyEvent, ...] | No

    @property
    def refused(self) -> bool:
        return not isinstance(self.decided, tuple)


@dataclass(slots=True)
class Run:
    """A meter while a script is played: its state and all events."""

    books: dict[str, Book] = field(default_factory=dict)
    state: MeterState = field(default_factory=MeterState)
    events: list[AnyEvent] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # the line of each event
    repeated: list[int] = field(default_factory=list)  # lines whose ids were answered before
    seeds: dict[str, bytes] = field(default_factory=dict)  # of triggers, by commitment; not in state: they are secret

    @property
    def decimals(self) -> int:
        return next((book.decimals for book in self.books.values()), _DECIMALS)

    @property
    def refused(self) -> list[tuple[int, MeterRefused]]:
        """The refused commands with their lines."""
        pairs = zip(self.lines, self.events, strict=True)
        return [(line, event) for line, event in pairs if isinstance(event, MeterRefused)]

    def give(self, command: AnyCommand, *, line: int = 0) -> tuple[AnyEvent, ...]:
        """Decide a command, carry it out or record its refusal, and return the events."""
        return self.take(self.ask(command), line=line)

    def ask(self, command: AnyCommand) -> ScriptQuestion:
        """Decide a command without carrying it out."""
        if not isinstance(command, Configure):
            return ScriptQuestion(command, self.books, decide(self.books, self.state, command, self.seeds))
        command, chosen = with_books(command)
        if isinstance(chosen, Refusal):
            barred = decided_without_books(self.state, command)
            return ScriptQuestion(command, self.books, chosen if barred is None else barred)
        return ScriptQuestion(command, chosen, decide(chosen, self.state, command, self.seeds))

    def take(self, asked: ScriptQuestion, *, line: int = 0) -> tuple[AnyEvent, ...]:
        """Carry a decision out or record its refusal, and return the events."""
        self.state, events = recorded(self.state, asked.command, asked.decided)
        if not events:
            self.repeated.append(line)
        elif not isinstance(events[0], MeterRefused):
            # A book that has left the meter is kept for the awards that were made under it.
            self.books = {**self.books, **asked.books}
        self.events += events
        self.lines += [line] * len(events)
        return events


def with_books(command: Configure) -> tuple[Configure, dict[str, Book] | Refusal]:
    """Return the configuration with files replaced by book ids, and the books under its options, or a refusal."""
    named = {name: load_book(name) for name in sorted({*command.tables.values(), *command.options})}
    books: dict[str, Book] = {}
    for name, text in named.items():
        book = with_options(text, command.options.get(name, {}))
        if isinstance(book, Refusal):
            return command, book
        if book.id in books:
            raise MeterScriptError(f"{name}: the meter has another book with the id {book.id}")
        books[book.id] = book
    ids = {name: book.id for name, book in named.items()}
    tables = {table: ids[name] for table, name in command.tables.items()}
    options = {ids[name]: chosen for name, chosen in command.options.items()}
    return replace(command, tables=tables, options=options), books


def play_lines(lines: Iterable[str | bytes], give: Callable[[dict[str, Any], int], None]) -> None:
    """Call `give` with each object of a script and its line. Raises MeterScriptError with the line."""
    for number, text in enumerate(lines, start=1):
        raw = text.decode("utf-8", errors="replace") if isinstance(text, bytes) else text
        if not raw.strip() or raw.lstrip().startswith("#"):
            continue
        try:
            give(read_object(raw), number)
        except (MeterScriptError, OddsError, OptionError, BookError) as wrong:
            raise MeterScriptError(f"line {number}: {wrong}") from None


def take_seed(raw: dict[str, Any]) -> dict[str, bytes]:
    """Replace the seed of a draw by its commitment, and return the seed by its commitment; empty if there is none."""
    if raw.get("do") != "draw" or "seed" not in raw:
        return {}
    try:
        seed = bytes.fromhex(raw.pop("seed"))
    except (TypeError, ValueError):
        raise MeterScriptError("seed: a seed is written in hexadecimal digits") from None
    if len(seed) != SEED_BYTES:
        raise MeterScriptError(f"seed: a seed has {2 * SEED_BYTES} hexadecimal digits, this one has {2 * len(seed)}")
    raw["commitment"] = commitment(seed)
    return {commitment(seed): seed}


def read_object(text: str) -> dict[str, Any]:
    """Read one JSON object that has the key `do`. Raises MeterScriptError."""
    try:
        raw = msgspec.json.decode(text)
    except msgspec.DecodeError as broken:
        raise MeterScriptError(f"this is not JSON: {broken}") from None
    except RecursionError:
        raise MeterScriptError("this is nested too deeply for a command") from None
    if not isinstance(raw, dict):
        raise MeterScriptError('a command is an object, as in {"do": "open", …}')
    if "do" not in raw:
        raise MeterScriptError(f"there must be a key `do`, the command: {', '.join(_commands())}")
    return raw


def _commands() -> tuple[str, ...]:
    """Return the names of all commands, in the order of the reference."""
    return tuple(str(one.__struct_config__.tag) for one in get_args(AnyCommand))


def command_of(raw: dict[str, Any], *, decimals: int) -> AnyCommand:
    """Return the command of an object with amounts as texts. Raises MeterScriptError."""
    if raw["do"] == "configure":
        decimals = _decimals_of(raw.get("tables"), decimals)
    for key in _MONEY.get(str(raw["do"]), ()):
        if raw.get(key) is not None:
            raw[key] = _minor_units(raw[key], key, decimals)
    try:
        # The tag of the union picks the command.
        command: AnyCommand = msgspec.convert(raw, AnyCommand)
    except msgspec.ValidationError as refused:
        raise MeterScriptError(_plain(refused, raw)) from None
    return command


def _decimals_of(tables: object, otherwise: int) -> int:
    """Return the decimals of the first book that a configuration names; `configure` checks the rest."""
    names = [name for name in tables.values() if isinstance(name, str)] if isinstance(tables, dict) else []
    return load_book(names[0]).decimals if names else otherwise


def _minor_units(raw: Any, key: str, decimals: int) -> int:
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise MeterScriptError(f"{key}: an amount is a text, as in '10.50', so that no cent is lost")
    text = str(raw)
    if len(text) > _AMOUNT_LONGEST:
        raise MeterScriptError(f"{key}: the amount is too large")
    try:
        return -amount(text[1:], decimals=decimals) if text.startswith("-") else amount(text, decimals=decimals)
    except OddsError as wrong:
        raise MeterScriptError(f"{key}: {wrong}") from None


def _plain(refused: msgspec.ValidationError, raw: dict[str, Any]) -> str:
    what, _, place = str(refused).partition(" - at ")
    place = place.strip("`").removeprefix("$").lstrip(".")
    if what.startswith("Invalid value") and place == "do":
        return f"do: there is no command {raw['do']!r}{suggestion(raw['do'], _commands())}"
    for technical, plain in _WORDS.items():
        what = what.replace(technical, plain)
    return f"{place}: {what}" if place else what
