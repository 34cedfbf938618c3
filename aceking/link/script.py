"""A script of commands, one JSON object a line, played on a new link.

In a script an amount is a decimal text in the currency of the link, as everywhere on the command line; a command has
minor units. Blank lines and lines that begin with # are for the reader.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import msgspec

from aceking.link.bylaws import Books
from aceking.link.commands import AnyCommand, Configure
from aceking.link.decide import act, before_all, recorded
from aceking.link.events import AnyEvent, Refused
from aceking.link.state import LinkState
from aceking.rules.book import Book
from aceking.rules.load import load_book, with_options
from aceking.rules.odds import OddsError, amount
from aceking.rules.options import OptionError
from aceking.rules.refusal import Refusal
from aceking.rules.wrong import BookError

_MONEY = {
    "configure": ("base", "reset", "limit", "contribution_max", "executive_from"),
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


@dataclass(slots=True)
class Run:
    """A script that is being played: the state, and all that happened."""

    books: dict[str, Book] = field(default_factory=dict)
    state: LinkState = field(default_factory=LinkState)
    events: list[AnyEvent] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)  # the line of each event
    repeated: list[int] = field(default_factory=list)  # lines that were answered before, by their ids

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
        books: Books = self.books
        chosen = books_of(command) if isinstance(command, Configure) else None
        if isinstance(chosen, Refusal):
            barred = before_all(self.state, command)
            self.state, events = recorded(self.state, command, chosen if barred is None else barred)
        else:
            books = books if chosen is None else chosen
            self.state, events = act(books, self.state, command)
        if not events:
            self.repeated.append(line)
        elif not isinstance(events[0], Refused):
            # A book that has left the link still explains the awards that were made under it.
            self.books = {**self.books, **books}
        return self._record(events, line)

    def _record(self, events: tuple[AnyEvent, ...], line: int) -> tuple[AnyEvent, ...]:
        self.events += events
        self.lines += [line] * len(events)
        return events


def books_of(command: Configure) -> dict[str, Book] | Refusal:
    """The books of the link's tables, under the options that the configuration chooses."""
    books: dict[str, Book] = {}
    for name in sorted({*command.tables.values(), *command.options}):
        book = with_options(load_book(name), command.options.get(name, {}))
        if isinstance(book, Refusal):
            return book
        books[name] = book
    return books


def play_script(lines: Iterable[str | bytes]) -> Run:
    """All commands of a script, in order."""
    run = Run()
    for number, text in enumerate(lines, start=1):
        raw = text.decode("utf-8", errors="replace") if isinstance(text, bytes) else text
        if not raw.strip() or raw.lstrip().startswith("#"):
            continue
        try:
            run.give(read_command(raw, decimals=run.decimals), line=number)
        except (ScriptError, OddsError, OptionError, BookError) as wrong:
            raise ScriptError(f"line {number}: {wrong}") from None
    if not run.events:
        raise ScriptError("there is no command")
    return run


def read_command(text: str, *, decimals: int) -> AnyCommand:
    """A command from one JSON object."""
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


def _decimals_of(tables: Any, otherwise: int) -> int:
    """The decimals of the books that a configuration names; what is wrong with its tables is told elsewhere."""
    names = [one for one in tables.values() if isinstance(one, str)] if isinstance(tables, dict) else []
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
