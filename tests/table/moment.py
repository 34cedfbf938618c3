"""Moments of a round made by hand, which differ in one thing: what a mishap finds there, and what an answer does."""

from typing import Any

from msgspec.structs import replace

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book
from aceking.rules.words import Actor
from aceking.table.cards.shoe import Shoe
from aceking.table.moment import Moment
from aceking.table.state import Box, Deck, Round, SideWager, TableState

SECTION10, RWS, EXCHANGE = load_book("section10"), load_book("rws"), load_book("exchange")
WASHINGTON, COLORADO = load_book("washington"), load_book("colorado-required")
#: Two boxes and the dealer, dealt one by one: the cards fell in the order of their numbers.
ANN = Box(number=1, player="Ann", ante=1000, cards=(0, 3, 6, 9, 12))
BOB = Box(number=2, player="Bob", ante=500, cards=(1, 4, 7, 10, 13))
ROUND = Round(
    number=1,
    at=1,
    deck="red",
    phase="deciding",
    boxes={1: ANN, 2: BOB},
    sequence=tuple(range(15)),
    placed=15,
    dealer=(2, 5, 8, 11, 14),
    up=2,
)
TABLE = TableState(
    id="t",
    book="section10",
    digest="d",
    mode="live",
    decks={"red": Deck("red", "red", 1), "blue": Deck("blue", "blue", 1)},
    deck="red",
    round=ROUND,
    asked=3,
    rounds=4,
)
NO_ROUND = replace(TABLE, round=None)
SIDE = {"side": SideWager(100)}
DARK = {"side": SideWager(100, lit=False)}
#: An order of the deck of which ROUND is the beginning.
IN_ORDER = tuple(range(52))


def moment(book: Book = SECTION10, table: TableState = TABLE, *, role: Actor = "supervisor", **changes: Any) -> Moment:
    """A moment in a round that is changed like this; a sealed deck lies in the order of its numbers."""
    if changes:
        assert table.round is not None
        table = replace(table, round=replace(table.round, **changes))
    return Moment(book, table, Shoe({"red": IN_ORDER}), 50, "Sue", role)


def boxes(*others: Box, ann: dict[str, Any] | None = None, bob: dict[str, Any] | None = None) -> dict[int, Box]:
    """The boxes of Ann and Bob with these changes, and others."""
    return {
        1: replace(ANN, **(ann or {})),
        2: replace(BOB, **(bob or {})),
        **{one.number: one for one in others},
    }


def dealing(count: int, book: Book = SECTION10, **changes: Any) -> dict[str, Any]:
    """Return the round after `count` cards: dealt singly, or hand by hand where the book deals stacks."""
    stacks = book.deal.method in book.deal.packets
    places = [n // book.hands.cards if stacks else n % 3 for n in range(count)]
    ann, bob, last = (tuple(n for n, place in enumerate(places) if place == which) for which in range(3))
    dealt: dict[str, Any] = {
        "phase": "dealing" if count else "closed",
        "boxes": boxes(ann={"cards": ann}, bob={"cards": bob}),
        "sequence": tuple(range(count)),
        "placed": count,
        "dealer": () if book.dealer is None else last,
        "community": last if book.dealer is None else (),
        "up": None,
    }
    if not stacks and book.deal.up_single == "first" and last:
        dealt["up"] = last[0]
    return {**dealt, **changes}
