"""A round to which a remedy is applied, and what follows from it."""

from typing import Any

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.words import Mishap
from aceking.settlement.lines import Line
from aceking.table import event as ev
from aceking.table.cards.shoe import Shoe
from aceking.table.mishaps.case import MishapCase
from aceking.table.moment import Moment
from aceking.table.state import Box, SideWager, TableState
from tests.table import moment as moments
from tests.table.moment import BOB

C = "the clause"
BOOK = load_book("section10")
RETURNS = BOOK.by_key["void.stakes"].clause
ANN = replace(moments.ANN, bet=2000, choice="bet", seen=True)
LINES = (
    Line(1, "ante", 1000, "win", 1000, "W"),
    Line(1, "bet", 2000, "win", 2000, "W"),
    Line(1, "side", 100, "lose", 0, "S", consumed=True),
    Line(2, "ante", 500, "lose", 0, "L"),
)
ROUND = replace(moments.ROUND, boxes={1: ANN, 2: BOB})
MIXED = replace(moments.TABLE.decks["red"], acts=frozenset({"shuffle", "cut"}))
TABLE = replace(moments.TABLE, decks={**moments.TABLE.decks, "red": MIXED}, round=ROUND)


def now(book: Book = BOOK, table: TableState = TABLE, shoe: tuple[int, ...] = (), **changes: Any) -> Moment:
    """A moment in a round that is changed like this; nobody knows how the deck lies, unless it is said."""
    return replace(moments.moment(book, table, **changes), shoe=Shoe({"red": shoe}) if shoe else Shoe())


def ann(**changes: Any) -> dict[int, Box]:
    return {1: replace(ANN, **changes), 2: BOB}


def case(
    mishap: Mishap = "dispute", boxes: tuple[int, ...] = (), cards: tuple[int, ...] = (), *given: Any
) -> MishapCase:
    return MishapCase(mishap, C, boxes, cards, frozenset(given))


def back(box: int, wager: str, amount: int, clause: str = C) -> ev.Returned:
    return ev.Returned(box=box, wager=wager, amount=amount, clause=clause)


def unmoved(*lines: int, clause: str = C) -> list[ev.TableEvent]:
    return [ev.Unmoved(line=line, clause=clause) for line in lines]


END: list[ev.TableEvent] = [
    ev.RoundVoided(clause=C),
    ev.Unshuffled(deck="red", clause=C),
    ev.RoundEnded(at=50, clause=C),
]
SIDES = {"side": SideWager(100), "bonus": SideWager(50), "none": SideWager(0)}
NO_ROUND = replace(TABLE, round=None)
