"""What the program came to before it was changed: events of rounds by lot, settlement lines and figures, as marks.

    python -m tests.gate --write

A mark is the SHA-256 of the exact bytes. A change that is meant to move nothing leaves every mark as it is. If
a mark shall move, write the files anew: `git diff` names the book and its rounds, the sheet or the figure.
"""

import hashlib
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from random import Random

from aceking.cards.card import names
from aceking.cards.deck import DECK
from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.refusal import Refusal
from aceking.scenarios.sheets import SheetCase, default_folder, read_sheets
from aceking.settlement.amounts import bet_sizes, usual_ante
from aceking.settlement.scenario_json import INPUT_ERRORS, result_data, scenario_from_data, settle_in
from aceking.table import commands as c
from aceking.table.dealer.driver import Driver, new_table
from aceking.table.replay import events_to_json_lines

FOLDER = Path(__file__).parent
ROUNDS, AT_ONCE = 1_000, 50
_BOXES = (1, 2, 3)
_METER = 100_000
_SIGN = {"royal_flush": "100%", "straight_flush": "10%", "four_of_a_kind": "500", "full_house": "150", "flush": "75"}
#: Hands whose decisions are valued, for each book that deals that number of cards.
_HANDS = 12


def marks_of_rounds(book: Book, rounds: int = ROUNDS) -> Iterator[tuple[str, str]]:
    """Yield the first round of each fifty and the mark of their events, played by lot with three boxes."""
    chance = Random(f"gate {book.id}")
    posted = book.progressive is not None and book.progressive.awards_are in ("posted", "separate")
    driver = Driver(book, new_table(book, awards=_SIGN if posted else {}))
    driver.open_table()
    for first in range(1, rounds + 1, AT_ONCE):
        for _ in range(AT_ONCE):
            _play(driver, book, chance)
        yield f"{book.id} {first}", _mark(events_to_json_lines(driver.events))
        driver.events.clear()


def _play(driver: Driver, book: Book, chance: Random) -> None:
    driver.open_bets(chance.sample(range(len(DECK)), len(DECK)))
    boxes = sorted(chance.sample(_BOXES, chance.randint(1, len(_BOXES))))
    ante = usual_ante(book)
    rules = book.progressive or book.bonus
    for box in boxes:
        driver.must(c.Ante(box=box, player=f"player {box}", amount=ante))
        if rules is not None and chance.random() < 2 / 3:
            driver.must(c.SideBet(box=box, player=f"player {box}", amount=rules.stake))
    driver.close_bets(meter=_METER * 10**book.decimals if book.progressive is not None else None)
    driver.deal()
    for box in boxes:
        driver.look(box)
        _decide(driver, book, chance, box, ante)
    driver.finish()


def _decide(driver: Driver, book: Book, chance: Random, box: int, ante: int) -> None:
    current = driver.table.round
    assert current is not None
    held = current.boxes[box].cards
    if current.boxes[box].choice is not None:
        return  # the look declared an instant winner
    if book.exchange is not None and chance.random() < 1 / 2:
        driver.must(c.Exchange(box=box, give=tuple(chance.sample(held, chance.randint(1, book.exchange.cards)))))
    choice = chance.choice([each for each in ("bet", "stay", "fold") if each in book.decide.choices])
    aside = c.as_aside(tuple(chance.sample(held, book.hands.discards)))
    match choice:
        case "fold":
            driver.must(c.Fold(box=box))
        case "stay":
            driver.must(c.Stay(box=box, discard=aside))
        case _:
            amount = None if book.bet.antes_max is None else chance.choice(bet_sizes(book, ante))
            driver.must(c.Bet(box=box, amount=amount, discard=aside))


def marks_of_lines() -> Iterator[tuple[str, str]]:
    """Yield each sheet of scenarios and the mark of the lines that its cases settle to."""
    for sheet, cases in groupby(read_sheets(default_folder()), key=lambda case: case.sheet):
        results = [_settled(case) for case in cases]
        yield sheet, _mark(json.dumps(results).encode())


def _settled(case: SheetCase) -> object:
    try:
        result = settle_in(scenario_from_data(case.round), case.book)
    except INPUT_ERRORS as wrong:
        return [case.id, type(wrong).__name__]
    if isinstance(result, tuple):
        return result_data(case.id, result)
    return [case.id, result.clause if isinstance(result, Refusal) else "unregulated"]


def marks_of_figures(book_id: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a book that gives figures, and the mark of what it prints as JSON."""
    with tempfile.TemporaryDirectory() as kept:
        for words in _commands(book_id):
            yield " ".join(words), _mark(_printed(words, kept))


def _commands(book_id: str) -> Iterator[list[str]]:
    book = load_book(book_id)
    yield ["edge", book_id]
    yield ["strategy", book_id]
    yield ["simulate", book_id, "--rounds", "20000", "--seed", "7"]
    yield ["simulate", book_id, "--rounds", "20000", "--seed", "7", "--seats", "3"]
    chance = Random(f"gate {book_id}")
    for _ in range(_HANDS):
        dealt = tuple(chance.sample(DECK, book.hands.cards + 1))
        up = [] if book.hands.community else ["--up", names(dealt[:1])]
        yield ["value", book_id, "--cards", names(dealt[1:]), *up]


#: No figures of the book: how long it took, and the hash under which an answer is kept.
_NO_FIGURES = ("seconds", "rounds_per_second", "priced")


def _printed(words: list[str], kept: str) -> bytes:
    done = subprocess.run(
        [sys.executable, "-m", "aceking", *words, "--json"],
        env={"XDG_CACHE_HOME": kept, "PATH": "", "COLUMNS": "100"},
        capture_output=True,
        check=True,
    )
    data = json.loads(done.stdout)
    return json.dumps({key: value for key, value in data.items() if key not in _NO_FIGURES}).encode()


def _mark(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read(name: str) -> dict[str, str]:
    """Return the marks of a file by what they are of."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return {what: mark for mark, _, what in (line.partition(" ") for line in lines)}


def write(name: str, marks: dict[str, str]) -> None:
    """Write the marks of a file, one a line."""
    text = "".join(f"{mark} {what}\n" for what, mark in marks.items())
    (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
