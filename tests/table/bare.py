"""A book that is not ours: it has side wagers, exchanges and bought cards, and orders none of their acts."""

from importlib.resources import files
from pathlib import Path

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book

_ROWS = (
    'royal_flush = "50{0}", straight_flush = "40{0}", four_of_a_kind = "30{0}", full_house = "6{0}", flush = "5{0}",'
    ' straight = "4{0}", three_of_a_kind = "3{0}", two_pair = "2{0}", pair = "1{0}"'
)
_MORE = f"""
[[clause]]
id = "6.1"
topic = "decisions"
actor = "player"
says = "Up to three cards are exchanged, each for an ante."
[clause.set.exchange]
cards = 3
price_antes = 1
prices = [1, 2, 3]
price = "lost"
price_on_player_void = "retained"
side = "lost"
pays = {{ {_ROWS.format(" to 1")}, high_card = "1 to 1" }}
[[clause.option]]
name = "wheel"
rule = "hands.ace_low"
values = ["allowed", "not-allowed"]
means = {{ allowed = true, not-allowed = false }}
default = "allowed"

[[clause]]
id = "6.2"
topic = "qualify"
actor = "player"
says = "A card is bought for a dealer without a hand, for one ante."
[clause.set.bought]
price_antes = 1
price = "lost"
replaces = "highest"
counts_for = "who-paid"
unqualified_ante = "1 to 1"
unqualified_bet = "returned"

[[clause]]
id = "6.3"
topic = "side-bets"
actor = "house"
says = "Two wagers by name: the glow, which pays for the hands of others too, and the spark."
[clause.set.sides.glow]
stake = "5"
cards = "own"
folded = "stands"
awards = {{ {_ROWS.format("")} }}
envy = {{ {_ROWS.format("")} }}
[clause.set.sides.spark]
min = "1"
max = "30"
cards = "dealer"
folded = "stands"
pays = {{ {_ROWS.format(" to 1")} }}
"""


def written(folder: Path, boxes: str = "one") -> Path:
    """Write the file of the book and return it; `boxes` is what `boxes_per_player` says."""
    text = (files("aceking.books") / "new" / "stud.toml").read_text(encoding="utf-8")
    for old, new in (
        ('"fold", "dealer",', '"fold", "exchange", "dealer", "bought",'),
        ('choices = ["bet", "fold"]', 'choices = ["bet", "fold", "exchange"]'),
        ('seats_max = 7, boxes_per_player = "one"', f'seats_max = 4, boxes_per_player = "{boxes}"'),
        ("ace_low = true, ", ""),
    ):
        assert text.count(old) == 1, f"the new book has no {old}"
        text = text.replace(old, new)
    file = folder / f"bare-{boxes}.toml"
    file.write_text(text + _MORE, encoding="utf-8")
    return file


def bare(folder: Path, boxes: str = "one") -> Book:
    """Write the book, load it and return it."""
    return load_book(str(written(folder, boxes)))
