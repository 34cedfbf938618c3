"""Books with named side wagers, for tests."""

from pathlib import Path

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book

LANTERN = Path(__file__).resolve().parent.parent / "examples" / "books" / "lantern.toml"

#: Rows from a row on, as most houses pay them.
TRIPS_UP = (
    '{ royal_flush = "1000 to 1", straight_flush = "200 to 1", four_of_a_kind = "100 to 1", full_house = "20 to 1",'
    ' flush = "15 to 1", straight = "10 to 1", three_of_a_kind = "7 to 1" }'
)
PAIRS_UP = (
    '{ royal_flush = "50 to 1", straight_flush = "40 to 1", three_of_a_kind = "30 to 1", straight = "6 to 1",'
    ' flush = "3 to 1", pair = "1 to 1" }'
)


def with_side(rules: str, older: str = "section10", more: str = "") -> str:
    """The text of an heir with one side wager called `extra`."""
    return f"""
from = "{older}"
id = "heir"
{more}
[[clause]]
id = "X-1"
topic = "side-bets"
actor = "house"
says = "There is a side wager."
[clause.set.sides.extra]
{rules}
"""


def lantern() -> Book:
    return load_book(str(LANTERN))
