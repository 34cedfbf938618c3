"""Houses against a table of pays with hands of every shape: the cards dealt, on the board and laid aside."""

from pathlib import Path

from aceking.rules.book import Book
from aceking.rules.reading.load import load_book, with_options

SHAPES = ((2, 3, 0), (3, 2, 0), (3, 3, 1), (3, 4, 2), (4, 2, 1), (4, 3, 2), (5, 2, 2))

_STEPS = (
    *("hands", "table", "deck", "opening", "shuffle", "cut", "wagers", "deal", "stub", "ante", "bet", "decide"),
    *("paytable", "collection", "void", "irregular"),
)
#: What a house drops that has neither instant winners nor a bonus.
_DROPS = ("CHP-38(c)(3)(i)", "CHP-38(g)(1)", "CHP-38(g)(2)", "CHP-38(g)(4)", "CHP-38(o)(4)")
_OF_BASE = {
    "colorado-required": ("CHP-38(k)(2)#instant", "CHP-38(m)(2)", "CHP-38(m)(4)"),
    "colorado-permissible": ("CHP-38(l)(2)(ii)", "CHP-38(l)(2)(ii)(A)", "CHP-38(n)(2)", "CHP-38(n)(4)"),
}
#: Clauses on a third card: of a player, and on the board.
_OF_THIRD = {
    "CHP-38(h)(3)(v)": (0, 3),
    "CHP-38(i)(3)(v)": (0, 3),
    "CHP-38(h)(3)(vi)": (1, 3),
    "CHP-38(i)(3)(vi)": (1, 3),
}
_FOLD = """
[[clause]]
id = "CHP-38(k)(2)#fold"
topic = "decisions"
actor = "player"
says = "Who folds loses the ante."
set.fold.ante = "lost"
act = [{ do = "fold", by = "player" }]
"""


def text(shape: tuple[int, int, int], *, base: str = "colorado-required") -> str:
    """A house with hands of this shape and neither instant winners nor a bonus, in TOML."""
    cards, board, aside = shape
    gone = [clause for clause, (number, least) in _OF_THIRD.items() if shape[number] < least]
    folds = base == "colorado-required"
    steps = [*_STEPS, "fold"] if folds else [*_STEPS]
    choices = ["bet", "fold"] if folds else ["bet", "stay"]
    name = f"{base.partition('-')[2]}-{cards}-{board}-{aside}"
    return f"""
from = "{base}"
id = "{name}"
steps = {steps}
drops = {[*_DROPS, *_OF_BASE[base], *gone]}

[[clause]]
id = "SHAPE-1"
topic = "hands"
actor = "dealer"
says = "Cards for each player, cards that all share, and cards that are laid aside."
set.hands.cards = {cards}
set.hands.community = {board}
set.hands.discards = {aside}
set.table.seats_max = 7
set.decide.choices = {choices}
set.paytable = {{ wins_with = "T T 4 3 2", pushes_with = "7 7 4 3 2", loses_below = "7 7 4 3 2" }}
set.bet.pays_are = "fixed"
set.bet.pays = {{ royal_flush = "100 to 1", straight_flush = "25 to 1", four_of_a_kind = "10 to 1", \
full_house = "6 to 1", flush = "5 to 1", straight = "4 to 1", three_of_a_kind = "5 to 2", two_pair = "2 to 1", \
pair = "1 to 1" }}
{_FOLD if folds else ""}"""


def shaped(
    folder: Path, shape: tuple[int, int, int], *, base: str = "colorado-required", method: str = "manual-shoe"
) -> Book:
    """The same as a book, dealt in this way."""
    file = folder / f"{'-'.join(map(str, shape))}-{base}.toml"
    file.write_text(text(shape, base=base), encoding="utf-8")
    book = with_options(load_book(str(file)), {"dealing-method": method})
    assert isinstance(book, Book), book
    return book
