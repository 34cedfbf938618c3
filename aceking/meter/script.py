"""A script of commands, one JSON object a line, played on a new link.

In a script an amount is a decimal text in the currency of the link, as everywhere on the command line; a command has
minor units. A draw has its seed; the command has the commitment, and the seed lies apart from all that happened.
Blank lines and lines that begin with # are for the reader.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from aceking.meter.commands import AnyCommand, Configure
from aceking.meter.decide import before_all, decide, recorded
from aceking.meter.events import AnyEvent, Refused
from aceking.meter.governing_rules import Books, No
from aceking.meter.state import LinkState
from aceking.rules.book import Book
from aceking.rules.odds import OddsError, amount
from aceking.rules.options import OptionError
from aceking.rules.reading.complaints import BookError
from aceking.rules.reading.load import load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.seal import SEED_BYTES, commitment

_MONEY = {
    "configure": ("base", "reset", "limit", "contribution_max", "executive_from", "must_hit_by"),
    "sign": ("amount",),
    "pay": ("amount",),
    "adjust": ("amount",),
}
#: The decimals of a link before it is configured by a book.
_DECIMALS = 2
#: How long the text of an amount may be.
_AMOUNT_LONGEST = 30
_WORDS = {
    "Object contains unknown field": "there is no key",
    "Object missing required field": "there must be a key",
    "Expected `datetime` with a timezone component": "a moment has its offset, as in 2026-01-05T21:00:05Z",
    "Invalid RFC3339 encoded datetime": "a moment is written as in 2026-01-05T21:00:05Z",
}


class ScriptError(ValueError):
    """A line that is no command; the message has its number."""


class Asked(NamedTuple):
    """A command with the books that it is decided by, and what follows from it. Nothing has moved yet."""

    command: AnyCommand
    books: Books
    decided: tuple[AnyEvent, ...] | No

    @property
    def refused(self) -> bool:
        """Whether it is not carried out."""
        return not isinstance(self.decided, tuple)


@dataclass(slots=True)
class Run:
    """A script that is being played: the state, and all that happened."""

    books: dict[str, Book] = field(default_factory=dict)
    state: LinkState = field(default_factory=LinkState)
    events: list[AnyEvent] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # the line of each event
    repeated: list[int] = field(default_factory=list)  # lines that were answered before, by their ids
    seeds: dict[str, bytes] = field(default_factory=dict)  # of triggers, by commitment: apart from state and events

    @property
    def decimals(self) -> int:
        """How many decimals the currency of the link has."""
        return next((book.decimals for book in self.books.values()), _DECIMALS)

    @property
    def refused(self) -> list[tuple[int, Refused]]:
        """The commands that were not carried out, with their lines."""
        pairs = zip(self.lines, self.events, strict=True)
        return [(line, event) for line, event in pairs if isinstance(event, Refused)]

    def give(self, command: AnyCommand, *, line: int = 0) -> tuple[AnyEvent, ...]:
        """One command, carried out or refused."""
        return self.take(self.ask(command), line=line)

    def ask(self, command: AnyCommand) -> Asked:
        """What would follow from a command."""
        if not isinstance(command, Configure):
            return Asked(command, self.books, decide(self.books, self.state, command, self.seeds))
        command, chosen = with_books(command)
        if isinstance(chosen, Refusal):
            barred = before_all(self.state, command)
            return Asked(command, self.books, chosen if barred is None else barred)
        return Asked(command, chosen, decide(chosen, self.state, command, self.seeds))

    def take(self, asked: Asked, *, line: int = 0) -> tuple[AnyEvent, ...]:
        """What was decided happens, and a refusal is on the record."""
        self.state, events = recorded(self.state, asked.command, asked.decided)
        if not events:
            self.repeated.append(line)
        elif not isinstance(events[0], Refused):
            # A book that has left the link still explains the awards that were made under it.
            self.books = {**self.books, **asked.books}
        self.events += events
        self.lines += [line] * len(events)
        return events


def with_books(command: Configure) -> tuple[Configure, dict[str, Book] | Refusal]:
    """The configuration with books by their ids where it named files, and the books under the options it chooses."""
    named = {name: load_book(name) for name in sorted({*command.tables.values(), *command.options})}
    books: dict[str, Book] = {}
    for name, text in named.items():
        book = with_options(text, command.options.get(name, {}))
        if isinstance(book, Refusal):
            return command, book
        if book.id in books:
            raise ScriptError(f"{name}: the link has another book with the id {book.id}")
        books[book.id] = book
    ids = {name: book.id for name, book in named.items()}
    tables = {table: ids[name] for table, name in command.tables.items()}
    options = {ids[name]: chosen for name, chosen in command.options.items()}
    return replace(command, tables=tables, options=options), books


def play_script(lines: Iterable[str | bytes]) -> Run:
    """All commands of a script of one meter, in order."""
    run = Run()

    def give(raw: dict[str, Any], number: int) -> None:
        run.seeds |= take_seed(raw)
        run.give(command_of(raw, decimals=run.decimals), line=number)

    play_lines(lines, give)
    if not run.events:
        raise ScriptError("there is no command")
    return run


def play_lines(lines: Iterable[str | bytes], give: Callable[[dict[str, Any], int], None]) -> None:
    """Gives each object of a script with its line; what is wrong with one is told with its line."""
    for number, text in enumerate(lines, start=1):
        raw = text.decode("utf-8", errors="replace") if isinstance(text, bytes) else text
        if not raw.strip() or raw.lstrip().startswith("#"):
            continue
        try:
            give(read_object(raw), number)
        except (ScriptError, OddsError, OptionError, BookError) as wrong:
            raise ScriptError(f"line {number}: {wrong}") from None


def read_command(text: str, *, decimals: int) -> AnyCommand:
    """A command from one JSON object; of a draw, what is on the record: its commitment."""
    raw = read_object(text)
    take_seed(raw)
    return command_of(raw, decimals=decimals)


def take_seed(raw: dict[str, Any]) -> dict[str, bytes]:
    """Takes the seed out of a draw and puts its commitment there instead; the seed by its commitment."""
    if raw.get("do") != "draw" or "seed" not in raw:
        return {}
    try:
        seed = bytes.fromhex(raw.pop("seed"))
    except (TypeError, ValueError):
        raise ScriptError("seed: a seed is written in hexadecimal digits") from None
    if len(seed) != SEED_BYTES:
        raise ScriptError(f"seed: a seed has {2 * SEED_BYTES} hexadecimal digits, this one has {2 * len(seed)}")
    raw["commitment"] = commitment(seed)
    return {commitment(seed): seed}


def read_object(text: str) -> dict[str, Any]:
    """One JSON object that says which command it is."""
    try:
        raw = msgspec.json.decode(text)
    except msgspec.DecodeError as broken:
        raise ScriptError(f"this is not JSON: {broken}") from None
    except RecursionError:
        raise ScriptError("this is nested too deeply for a command") from None
    if not isinstance(raw, dict):
        raise ScriptError('a command is an object, as in {"do": "open", …}')
    if "do" not in raw:
        raise ScriptError("do: which command is it?")
    return raw


def command_of(raw: dict[str, Any], *, decimals: int) -> AnyCommand:
    """A command from its object, in which amounts are still texts."""
    if raw["do"] == "configure":
        decimals = _decimals_of(raw.get("tables"), decimals)
    for key in _MONEY.get(str(raw["do"]), ()):
        if raw.get(key) is not None:
            raw[key] = _minor_units(raw[key], key, decimals)
    try:
        # The tag of the union picks the command.
        command: AnyCommand = msgspec.convert(raw, AnyCommand)
    except msgspec.ValidationError as refused:
        raise ScriptError(_plain(refused, raw)) from None
    return command


def _decimals_of(tables: object, otherwise: int) -> int:
    """The decimals of the books that a configuration names; what else is wrong with it is told later."""
    names = [name for name in tables.values() if isinstance(name, str)] if isinstance(tables, dict) else []
    return load_book(names[0]).decimals if names else otherwise


def _minor_units(raw: Any, key: str, decimals: int) -> int:
    if isinstance(raw, bool) or not isinstance(raw, str | int):
        raise ScriptError(f"{key}: an amount is a text, as in '10.50', so that no cent is lost")
    text = str(raw)
    if len(text) > _AMOUNT_LONGEST:
        raise ScriptError(f"{key}: no amount is so large")
    try:
        return -amount(text[1:], decimals=decimals) if text.startswith("-") else amount(text, decimals=decimals)
    except OddsError as wrong:
        raise ScriptError(f"{key}: {wrong}") from None


def _plain(refused: msgspec.ValidationError, raw: dict[str, Any]) -> str:
    what, _, place = str(refused).partition(" - at ")
    place = place.strip("`").removeprefix("$").lstrip(".")
    if what.startswith("Invalid value") and place == "do":
        return f"do: there is no command {raw['do']!r}"
    for theirs, ours in _WORDS.items():
        what = what.replace(theirs, ours)
    return f"{place}: {what}" if place else what
