"""Every book by the mathematics it needs: the edge, the value of a hand, and a book with any line changed."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from math import lcm
from typing import Any

from aceking.cards.card import Card, CardError, name, names
from aceking.cards.hand import Category
from aceking.exact.caps import at_ante
from aceking.exact.figures import Edge, Values
from aceking.rules.book import Book, Rule
from aceking.rules.odds import Amount, OddsError, Pays, Row, amount, odds
from aceking.rules.options import OptionError
from aceking.rules.reading.did_you_mean import near
from aceking.rules.reading.load import what_if
from aceking.rules.reading.values import MOST_ODDS, ROWS, RuleValueError, row_value, side_types
from aceking.rules.side_wagers import table_of
from aceking.rules.vocabulary import SIDES
from aceking.settlement.amounts import may_exchange
from aceking.settlement.scenario import Swap

#: Beyond these the sums of 64-bit whole numbers would no longer be proved not to overflow.
PARTS_MAX = 100

#: Pay tables beside that of the bet, by the word that stands before a row of theirs: `exchange.four_of_a_kind`.
_TABLES = ("exchange", "instant", "bonus")


def edge(book: Book) -> Edge:
    """What the book costs with the best play, over every deal."""
    if book.dealer is None:
        from aceking.exact.community import edge as community

        return community.edge(book)
    from aceking.exact.stud import edge as stud

    return stud.edge(book)


def edge_data(figures: Edge) -> dict[str, Any]:
    """The figures as JSON has them: exact ones as "p/q", shown ones as numbers."""
    return {
        "book": figures.book,
        "house_edge": rounded(figures.house_edge),
        "net_per_ante": str(figures.net_per_ante),
        "element_of_risk": rounded(figures.element_of_risk),
        "standard_deviation": rounded(figures.standard_deviation),
        "decisions": {name: rounded(share) for name, share in figures.decisions.items()},
        "outcomes": {str(net): count for net, count in figures.outcomes.items()},
        "deals": figures.deals,
        "exact": {
            "house_edge": str(figures.house_edge),
            "element_of_risk": str(figures.element_of_risk),
            "risked": str(figures.risked),
            "variance": str(figures.variance),
            "decisions": {name: str(share) for name, share in figures.decisions.items()},
        },
    }


def rounded(exact: Fraction | float) -> float:
    """A number to be shown: twelve places after the point."""
    return round(float(exact), 12)


def value(book: Book, hand: Sequence[Card], up: Card | None, *, exchanged: Swap | None = None) -> Values:
    """What every decision is worth with this hand, against this up-card where the game has a dealer.

    After an exchange the hand is still the one that was dealt; `exchanged` has the cards given and those that came.
    What is left then is to fold or to bet, and the price is counted in both.
    """
    _check_cards(book, hand, up)
    if exchanged is not None:
        from aceking.exact.exchange.edge import value_after

        _check_exchange(book, hand, up, exchanged)
        assert up is not None, "an exchange is bought against a dealer"
        return value_after(book, hand, up, exchanged)
    if up is None:
        from aceking.exact.community import edge as community

        return community.value(book, hand)
    from aceking.exact.stud import edge as stud

    return stud.value(book, hand, up)


def _check_exchange(book: Book, hand: Sequence[Card], up: Card | None, exchanged: Swap) -> None:
    if book.exchange is None:
        raise CardError(f"{book.id} has no exchange")
    for gave in exchanged.give:
        if gave not in hand:
            raise CardError(f"{name(gave)} is given away and is not in the hand")
    for took in exchanged.take:
        if took in hand or took == up:
            raise CardError(f"{name(took)} cannot come: it is {'the up-card' if took == up else 'in the hand'}")
    for cards in (exchanged.give, exchanged.take):
        if len(set(cards)) < len(cards):
            raise CardError(f"{names(cards)}: a card comes twice; there is one deck of 52")
    if not 1 <= len(exchanged.give) <= book.exchange.cards:
        raise CardError(f"{names(exchanged.give) or 'nothing'} is given away; {may_exchange(book)} in {book.id}")
    if len(exchanged.give) != len(exchanged.take):
        raise CardError(f"{len(exchanged.give)} given away and {len(exchanged.take)} that came; as many come as go")


def _check_cards(book: Book, hand: Sequence[Card], up: Card | None) -> None:
    size = book.hands.cards
    if len(hand) != size:
        raise CardError(
            f"{names(tuple(hand))!r} is {len(hand)} card{'s'[: len(hand) != 1]}; a hand of {book.id} is {size}"
        )
    for one in hand:
        if list(hand).count(one) > 1:
            raise CardError(f"{name(one)} is in the hand twice; there is one deck of 52")
    if book.dealer is None and up is not None:
        raise CardError(f"{book.id} is played against a pay table; there is no up-card")
    if book.dealer is not None and up is None:
        raise CardError(f"{book.id} is played against a dealer; the up-card is missing")
    if up in hand:
        assert up is not None
        raise CardError(f"the up-card {name(up)} is in the hand; there is one deck of 52")


def changed(
    book: Book,
    *,
    options: Mapping[str, Any] | None = None,
    pays: Mapping[str, Any] | None = None,
    qualifies_with: str | None = None,
    ante: str | int | None = None,
) -> tuple[Book, tuple[str, ...]]:
    """The book with lines changed, and a warning for each change that the book does not allow.

    A row of `pays` is one of the bet's table, as in `full_house`, or of another table, as in
    `exchange.four_of_a_kind`, `instant.three_card_straight_flush` or `bonus.flush`. With an `ante`, in the book's
    currency, the figures are those of this amount, and caps on what is paid are counted.
    """
    given = {row: _odds_text(row, odds_given) for row, odds_given in (pays or {}).items()}
    of_bet = {row: text for row, text in given.items() if not _table_of(book, row)}
    for row in of_bet:
        if f"bet.pays.{row}" not in book.by_key:
            known = pay_rows(book)
            raise OptionError(f"{book.id} has no pay row {row!r}; it has {', '.join(known)}{near(row, known)}")
    # A threshold is read as people write cards: in any case, and a ten with two digits.
    threshold = None if qualifies_with is None else qualifies_with.upper().replace("10", "T")
    found, warnings = what_if(book, options=options or {}, pays=of_bet, qualifies_with=threshold)
    told = list(warnings)
    for row, text in given.items():
        if table := _table_of(book, row):
            found = _with_row(found, table, row.removeprefix(f"{table}."), text, told)
    _check_size(found)
    return (found if ante is None else at_ante(found, _ante(found, ante))), tuple(told)


def _ante(book: Book, given: str | int) -> Amount:
    try:
        found = amount(str(given), decimals=book.decimals)
    except OddsError as refused:
        raise OptionError(f"ante: {refused}") from None
    if not found:
        raise OptionError("ante: there is no ante of nothing")
    return found


def pay_rows(book: Book) -> tuple[str, ...]:
    """The rows that `changed` takes: the bet's by their own names, the others with their table before them."""
    rows = [key.removeprefix("bet.pays.") for key in book.by_key if key.startswith("bet.pays.")]
    for table in _TABLES:
        prefix = f"{table}.pays."
        rows += [f"{table}.{key.removeprefix(prefix)}" for key in book.by_key if key.startswith(prefix)]
    for wager, side in book.sides.items():
        rows += [f"{wager}.{row.key}" for row in Category if row in (side.pays or side.awards)]
    return tuple(rows)


def _table_of(book: Book, row: str) -> str | None:
    """The table that a row names before its point. An instant winner needs none: no other table of a book pays it."""
    if row in ROWS and f"instant.pays.{row}" in book.by_key:
        return "instant"
    table, point, name_ = row.partition(".")
    if table in book.sides:
        return table if row in pay_rows(book) else None
    return table if point and table in _TABLES and f"{table}.pays.{name_}" in book.by_key else None


def _with_row(book: Book, table: str, row: str, text: str, told: list[str]) -> Book:
    """One row of a table that belongs to another step than the bet, or to a side wager by name."""
    if table in book.sides:
        return _with_side_row(book, table, row, text, told)
    key = f"{table}.pays.{row}"
    # A row that the house chooses by an option has no least of its own.
    least, paid = book.minimums.get(key, book.by_key[key]), odds(text)
    if paid < least.value:
        told.append(f"{text} for {table} {row} is under what {least.clause} says; a what-if only")
    elif paid != least.value and table == "exchange":
        told.append(f"{book.id} pays {row} of an exchanged hand at fixed odds ({least.clause}); {text} is a what-if")
    section = getattr(book, table)
    rows: dict[Row, Fraction] = {**section.pays, ROWS[row]: paid}
    by_key = {**book.by_key, key: Rule(paid, least.clause)}
    parts = {table: replace(section, pays=rows), "by_key": by_key}
    return replace(book, **parts)


def _with_side_row(book: Book, wager: str, row: str, text: str, told: list[str]) -> Book:
    """One row of a named side wager: odds, or an amount where it has awards."""
    side = book.sides[wager]
    field = table_of(side)
    key = f"{SIDES}.{wager}.{field}.{row}"
    try:
        # What was made odds of a plain number is an amount where the wager pays amounts.
        paid = row_value(side_types()[field], text.removesuffix(" to 1"), decimals=book.decimals)
    except (RuleValueError, OddsError) as refused:
        raise OptionError(f"pays {wager}.{row}: {refused}") from None
    own = book.by_key[key]
    if paid != own.value:
        told.append(
            f"{book.id} pays {row} on the {wager} as {own.clause} says; {text.removesuffix(' to 1')} is a what-if"
        )
    rows = {**getattr(side, field), ROWS[row]: paid}
    changed = replace(side, pays=rows) if field == "pays" else replace(side, awards=rows)
    by_key = {**book.by_key, key: Rule(paid, own.clause)}
    return replace(book, sides={**book.sides, wager: changed}, by_key=by_key)


def _odds_text(row: str, given: Any) -> str:
    """Odds as a book writes them, from `8`, `"8"`, `"3 to 2"` or Fraction(3, 2)."""
    if isinstance(given, Fraction):
        return f"{given.numerator} to {given.denominator}"
    if isinstance(given, bool) or not isinstance(given, int | str):
        raise OptionError(f"pays {row}: {given!r} is not odds; write them as in 8, '3 to 2' or Fraction(3, 2)")
    text = str(given).strip()
    text = text if " " in text else f"{text} to 1"
    try:
        odds(text)
    except ZeroDivisionError:
        raise OptionError(f"pays {row}: {text!r} divides by nothing") from None
    except OddsError as refused:
        raise OptionError(f"pays {row}: {refused}") from None
    return text


def _check_size(book: Book) -> None:
    """Refuses odds that the whole numbers of the mathematics are not made for."""
    paid = {f"{step}.{row}": value for step, table in _pay_tables(book) for row, value in table.items()}
    for row, value in paid.items():
        if value > MOST_ODDS:
            raise OptionError(f"pays {row}: more than {MOST_ODDS:,} to 1 is more than is computed")
    if lcm(*(value.denominator for value in paid.values())) > PARTS_MAX:
        raise OptionError(f"the odds together need parts of an ante finer than 1/{PARTS_MAX:,}; round them")


def _pay_tables(book: Book) -> list[tuple[str, Pays]]:
    """All pay tables of the book, each with the name of its step."""
    found = []
    for field in fields(book):
        pays = getattr(getattr(book, field.name), "pays", None)
        if isinstance(pays, Mapping):
            found.append((field.name, pays))
    return found
