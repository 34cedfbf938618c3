"""Evenings on record: commands that were given once, and what each of them came to then.

    python -m tests.table.recorded --write

A line has a mark, what the command came to, and the command. The mark is of everything that followed from it: the
events to the last field or the reason of a refusal, the state, what somebody saw, what was offered to somebody, what
was due, and at the end of a round its story. So no change of what the table does goes unnoticed: who means it writes
the record anew, and the lines that changed show what else has changed with it.
"""

import hashlib
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from aceking.rules.book import Book
from aceking.rules.reading.load import book_ids, load_book, with_options
from aceking.rules.refusal import Refusal
from aceking.table import commands as c
from aceking.table import event as ev
from aceking.table.cards.shoe import NO_SHOE, Shoe
from aceking.table.dealer.next_act import due
from aceking.table.decide import decide
from aceking.table.evolve import evolve
from aceking.table.options import in_force
from aceking.table.replay import events_to_json_lines
from aceking.table.show.explain import explain
from aceking.table.show.offers import player_offers
from aceking.table.show.view import view
from aceking.table.state import TableState
from tests.table.saved import dump, load
from tests.table.walk import ANY_COMMAND, PLAYERS, VIEWERS, new_walk
from tests.table.walk_commands import some_command

FOLDER = Path(__file__).parent
STEPS = 400
#: Evenings kept of each book, and evenings tried: those that show the most are kept.
EVENINGS, TRIED = 5, 60
_READ: msgspec.json.Decoder[c.TableCommand] = msgspec.json.Decoder(ANY_COMMAND)


@dataclass(slots=True)
class Step:
    """A command, how the decks were laid before it, and what it came to."""

    command: c.TableCommand
    laid: dict[str, tuple[int, ...]]
    came_to: str = ""


@dataclass(slots=True)
class Evening:
    """A table from its opening on."""

    book: Book
    start: TableState
    steps: list[Step]

    def replayed(self) -> Iterator[tuple[Step, str]]:
        """Each step with what it comes to now."""
        table, shoe, events = self.start, NO_SHOE, list[ev.TableEvent]()
        for number, step in enumerate(self.steps):
            for deck, order in step.laid.items():
                shoe = shoe.with_order(deck, order)
            answer = decide(self.book, table, step.command, shoe)
            if not isinstance(answer, Refusal):
                for event in answer:
                    if isinstance(event, ev.RoundOpened):
                        events = []
                    events.append(event)
                    table, shoe = evolve(table, event), shoe.after(event)
            yield step, _came_to(self.book, table, answer, _shown(self.book, table, events, number))

    def write(self) -> str:
        """As text, one line for each step."""
        lines = [f"{self.book.id} {_without_digest(self.book, dump(self.start)).decode()}"]
        for step in self.steps:
            lines += [f"deck {deck} {' '.join(map(str, order))}" for deck, order in step.laid.items()]
            lines.append(f"{step.came_to} {msgspec.json.encode(step.command).decode()}")
        return "\n".join(lines) + "\n"


def read(path: Path) -> Evening:
    """An evening from its file."""
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    name, start = first.split(" ", 1)
    older = load_book(name)
    table = load(start.replace(_DIGEST, older.digest))
    book = with_options(older, table.options)
    assert isinstance(book, Book)
    evening, laid = Evening(book, table, []), dict[str, tuple[int, ...]]()
    for line in lines:
        if line.startswith("deck "):
            _, deck, *order = line.split(" ")
            laid[deck] = tuple(map(int, order))
            continue
        came_to, _, command = line.partition(" {")
        evening.steps.append(Step(_READ.decode(f"{{{command}"), laid, came_to))
        laid = {}
    return evening


_DIGEST = "the digest of the book"


def _without_digest(book: Book, data: bytes) -> bytes:
    """The text of a book may change where the table does not."""
    return data.replace(book.digest.encode(), _DIGEST.encode())


def _came_to(book: Book, table: TableState, answer: tuple[ev.TableEvent, ...] | Refusal, shown: bytes) -> str:
    if isinstance(answer, Refusal):
        told, whole = f"refused by {answer.clause}", answer.reason.encode()
    else:
        told = " ".join(str(event.__struct_config__.tag) for event in answer) or "nothing"
        whole = events_to_json_lines(answer)
    seen = _without_digest(book, whole + dump(table) + shown)
    return f"{hashlib.sha256(seen).hexdigest()[:6]} {told}"


def _shown(book: Book, table: TableState, events: list[ev.TableEvent], number: int) -> bytes:
    """What somebody sees and may do, another one each time; what is due; and a round that is over is told."""
    now = in_force(book, table)
    player = PLAYERS[number % len(PLAYERS)]
    seen: list[Any] = [
        view(book, table, VIEWERS[number % len(VIEWERS)]),
        player_offers(now, table, player),
        due(now, table),
        explain(book, events) if events and isinstance(events[-1], ev.RoundEnded | ev.RoundVoided) else (),
    ]
    return msgspec.json.encode(msgspec.to_builtins(seen, str_keys=True, order="deterministic"))


# Making a record


def walked(book_id: str, seed: int) -> tuple[Evening, frozenset[str]]:
    """An evening by dice, and what was to be seen in it."""
    chance = random.Random(f"recorded {book_id} {seed}")
    walk = new_walk(book_id, chance)
    start, steps, kinds = walk.table, list[Step](), set[str]()
    for _ in range(STEPS):
        before = walk.shoe
        command = some_command(walk, chance)
        steps.append(Step(command, _laid(before, walk.shoe)))
        kinds |= _kinds(walk.take(command))
    evening = Evening(walk.text, start, steps)
    for step, came_to in evening.replayed():
        step.came_to = came_to
    return evening, frozenset(kinds)


def _laid(before: Shoe, after: Shoe) -> dict[str, tuple[int, ...]]:
    return {deck: order for deck, order in after.orders.items() if before.orders.get(deck) != order}


def _kinds(answer: tuple[ev.TableEvent, ...] | Refusal) -> set[str]:
    """What kinds of things an answer shows: events with their words, reasons without their numbers."""
    if isinstance(answer, Refusal):
        return {f"{answer.clause} {re.sub(r'[0-9]+', '', answer.reason)}"}
    return {f"{type(one).__name__} {one.clause} {_words(one)}" for one in answer}


def _words(event: ev.TableEvent) -> str:
    parts = (getattr(event, name, None) for name in ("act", "mishap", "then", "choice", "wager", "device", "face"))
    return " ".join(str(part) for part in parts if part is not None)


def write_all() -> Iterator[Path]:
    """Of the evenings that were tried those that show the most, each beside the ones before it."""
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    for book_id in book_ids():
        tried = [walked(book_id, seed) for seed in range(TRIED)]
        seen: frozenset[str] = frozenset()
        for number in range(1, EVENINGS + 1):
            evening, kinds = max(tried, key=lambda one: len(one[1] - seen))
            seen |= kinds
            path = FOLDER / f"{book_id}-{number}.txt"
            path.write_text(evening.write(), encoding="utf-8")
            yield path
