"""The named side wagers of a book: their names, their typed rules, and what makes a wager unplayable."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any

from aceking.cards.hand import Category, HandRank
from aceking.cards.three import THREE_CARD_ORDER, ThreeRank
from aceking.rules.book import Book, Rule
from aceking.rules.decisions import ENDS_EARLY, GIVES_UP
from aceking.rules.odds import PayTableRow
from aceking.rules.qualifier import ANY_HAND
from aceking.rules.reading.complaints import Complaint
from aceking.rules.reading.values import ROWS, is_table, may_be_silent, side_types
from aceking.rules.thresholds import is_weakest, least_words, place
from aceking.rules.vocabulary import SIDES, SideWagerRules

#: A layout has room for no more.
MOST_SIDES = 8
_NAME = re.compile(r"(?=.{1,20}\Z)[a-z]+(?:-[a-z0-9]+)*")
#: Names that mean something else at a table.
_RESERVED = (
    "ante",
    "bet",
    "side",
    "fee",
    "exchange",
    "bought",
    "progressive",
    "bonus",
    "jackpot",
    "envy",
    "meter",
    "tray",
    "layout",
)
#: The cards that may decide a wager, in games against a dealer's hand and against a table of pays.
_AGAINST_DEALER = ("own", "own-and-up-card", "dealer")
_AGAINST_PAYTABLE = ("own", "own-and-community")


def wrong_name(name: str) -> str | None:
    """Return why a side wager cannot have this name, or None if it can."""
    if name in _RESERVED:
        return f"a side wager is not called {name}, which is another thing at the table"
    if not _NAME.fullmatch(name):
        return "the name of a side wager is lower-case words with dashes, up to 20 letters, as in 'five-plus-one'"
    return None


def names_in(keys: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the named side wagers that have one of these keys, in the order of the book."""
    names = (key.split(".")[1] for key in keys if key.startswith(f"{SIDES}."))
    return tuple(dict.fromkeys(names))


def gaps(settings: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of required rules of the named side wagers that are not set."""
    for name in names_in(settings):
        for field, kind in side_types().items():
            key = f"{SIDES}.{name}.{field}"
            if key not in settings and not is_table(kind) and not may_be_silent(kind):
                yield key


def named_sides(by_key: Mapping[str, Rule]) -> dict[str, SideWagerRules]:
    """Return the typed rules of each named side wager."""
    return {name: _side(name, by_key) for name in names_in(by_key)}


def _side(name: str, by_key: Mapping[str, Rule]) -> SideWagerRules:
    values: dict[str, Any] = {}
    for field in fields(SideWagerRules):
        key = f"{SIDES}.{name}.{field.name}"
        if is_table(side_types()[field.name]):
            prefix = f"{key}."
            values[field.name] = {
                ROWS[one.removeprefix(prefix)]: rule.value for one, rule in by_key.items() if one.startswith(prefix)
            }
        else:
            values[field.name] = by_key[key].value if key in by_key else None
    return SideWagerRules(**values)


def table_of(side: SideWagerRules) -> str:
    """Return the table that a wager is paid by: `pays` or `awards`."""
    return "pays" if side.pays else "awards"


def rows_of(book: Book, side: SideWagerRules) -> tuple[Category, ...]:
    """Return the rows that the hand of a wager can make, lowest first: of five cards, or of three."""
    return THREE_CARD_ORDER if book.hands.cards == 3 and side.cards == "own" else tuple(Category)


def unplayable(book: Book, settings: Mapping[str, Any] | None) -> Iterator[Complaint]:
    """Yield what makes the named side wagers of a book unplayable.

    `settings` also has the rows that are "none". Without it missing rows are not reported: the loader has done so.
    """
    names = tuple(book.sides)
    if len(names) > MOST_SIDES:
        yield _cite(book, names[MOST_SIDES]), f"{SIDES}: {len(names)} side wagers; {MOST_SIDES} at the most"
    for name, side in book.sides.items():
        for field, says in (
            *_stake(book, side),
            *_cards(book, side),
            *_needs(book, side),
            *_folded(book, side),
            *_exchanged(book, side),
            *_rows(book, name, side, settings),
            *_least(book, side),
            *_envy(book, side),
        ):
            yield _cite(book, name, field), f"{SIDES}.{name}.{field}: {says}"


def _cite(book: Book, name: str, field: str = "") -> str | None:
    keys = [key for key in book.by_key if key.startswith(f"{SIDES}.{name}.{field}")]
    return book.by_key[keys[0]].clause if keys else book.cite(f"{SIDES}.{name}.cards")


def _stake(book: Book, side: SideWagerRules) -> Iterator[tuple[str, str]]:
    if (side.stake is None) == (side.min is None) or (side.min is None) != (side.max is None):
        yield "stake", "a wager has one stake, or a least and a greatest (min and max)"
        return
    if side.awards and side.stake is None:
        yield "awards", "fixed awards are for one stake; where the player chooses, pays are at odds"
    least = side.stake if side.min is None else side.min
    assert least is not None
    if side.max is not None and least > side.max:
        yield "min", "the least stake is more than the greatest"
    if book.table.wager_max is not None and least > book.table.wager_max:
        yield "stake" if side.min is None else "min", "no single wager may be so high (table.wager_max)"


def _cards(book: Book, side: SideWagerRules) -> Iterator[tuple[str, str]]:
    known = _AGAINST_DEALER if book.dealer is not None else _AGAINST_PAYTABLE
    if side.cards not in known:
        against = "a dealer's hand" if book.dealer is not None else "a table of pays"
        yield "cards", f"there is no {side.cards} in a game against {against}; there is {' or '.join(known)}"
    elif side.cards == "own" and book.hands.cards not in (3, 5):
        yield "cards", f"a hand of {book.hands.cards} cards has no rows of its own: of three or five cards it has"
    elif side.cards == "own-and-up-card" and book.hands.cards != 5:
        yield "cards", "the up-card makes the sixth to a hand of five"


def _needs(book: Book, side: SideWagerRules) -> Iterator[tuple[str, str]]:
    must = book.dealer is not None and book.dealer.qualifies_with != ANY_HAND
    if side.needs not in (None, "nothing") and not must:
        yield "needs", "it means nothing in a game without a dealer who must qualify"


def _folded(book: Book, side: SideWagerRules) -> Iterator[tuple[str, str]]:
    """`folded` must be set if a hand can be given up before the wager is settled, and must not be set otherwise."""
    unformed = side.cards == "own-and-community"
    may_be = any(one in (ENDS_EARLY if unformed else GIVES_UP) for one in book.decide.choices)
    if may_be and side.folded is None:
        yield "folded", "nothing says what becomes of it when the hand is given up: stands, lost or returned"
    if not may_be and side.folded is not None:
        yield "folded", "it means nothing in a game in which no hand is given up"
    if side.folded == "stands" and unformed:
        yield "folded", "a hand that is given up before the reveal is never formed: lost or returned"


def _exchanged(book: Book, side: SideWagerRules) -> Iterator[tuple[str, str]]:
    if side.exchanged is not None and book.exchange is None:
        yield "exchanged", "it means nothing in a game without an exchange"
    elif side.exchanged is not None and side.cards == "dealer":
        yield "exchanged", "it means nothing for the dealer's hand: players exchange their own"


def _rows(book: Book, name: str, side: SideWagerRules, settings: Mapping[str, Any] | None) -> Iterator[tuple[str, str]]:
    if bool(side.pays) == bool(side.awards):
        yield "pays", "a wager is paid by rows at odds (pays) or of fixed amounts (awards): one of the two"
        return
    table, order = table_of(side), rows_of(book, side)
    for field in (table, "envy"):
        rows: Mapping[PayTableRow, Any] = getattr(side, field)
        if strange := [ROWS_BY_VALUE[one] for one in rows if one not in order]:
            yield field, f"{', '.join(strange)}: no hand of these cards makes it; there are {_keys(order)}"
            return
        lowest = next((place for place, one in enumerate(order) if one in rows), None)
        if settings is None or lowest is None:
            continue
        for one in order[lowest:]:
            if one not in rows and f"{SIDES}.{name}.{field}.{one.key}" not in settings:
                says = f"a better hand than a {order[lowest].title} has no row: {one.key}; write none where it has none"
                yield field, says


def _least(book: Book, side: SideWagerRules) -> Iterator[tuple[str, str]]:
    """`pays_from` is a hand of the lowest paid row; `returned_from` is below what is paid."""
    paid, back, order = side.pays_from, side.returned_from, rows_of(book, side)
    lowest = next((one for one in order if one in (side.pays or side.awards)), None)
    if lowest is None or (paid is None and back is None):
        return
    number = 3 if order is THREE_CARD_ORDER else 5
    written = "'J J 2'" if number == 3 else "'J J 4 3 2'"
    for field, hand in (("pays_from", paid), ("returned_from", back)):
        if isinstance(hand, HandRank) and isinstance(hand, ThreeRank) != (number == 3):
            yield field, f"the wager goes by {number} cards; a hand of them is written as in {written}"
            return
    if paid is not None and paid.category is not lowest:
        says = f"{least_words(paid)} is no {lowest.title}, the lowest row that is paid; it is a hand of that row"
        yield "pays_from", says
        return
    if paid is not None and is_weakest(paid):
        yield "pays_from", f"every {lowest.title} is that or more; leave it out"
    if back is None:
        return
    if side.awards:
        yield "returned_from", "a stake on fixed awards is spent; write what comes back as an award"
    elif back not in order and isinstance(back, Category):
        yield "returned_from", f"{back.key}: no hand of these cards makes it; there are {_keys(order)}"
    elif place(back, order) >= place(lowest if paid is None else paid, order):
        first = lowest.title if paid is None else least_words(paid)
        yield "returned_from", f"from {first} on hands are paid; it lies below that"
    elif back is order[0] or (isinstance(back, HandRank) and back.category is order[0] and is_weakest(back)):
        yield "returned_from", "every hand is that or more, and the wager could not be lost"


def _envy(book: Book, side: SideWagerRules) -> Iterator[tuple[str, str]]:
    if side.envy and side.cards == "dealer":
        yield "envy", "the dealer's hand is nobody's; envy is for a hand of another player"
    if side.envy and book.table.seats_max < 2:
        yield "envy", "it means nothing at a table with one box"


def _keys(rows: tuple[Category, ...]) -> str:
    return ", ".join(one.key for one in rows)


#: The name of each row.
ROWS_BY_VALUE = {value: name for name, value in ROWS.items()}
