"""The entry points for every book: the edge, the value of a hand, and a book with any line changed."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from math import lcm
from typing import Any

from aceking.cards.card import CardError, CardId, name, names
from aceking.cards.hand import Category
from aceking.exact.caps import at_ante
from aceking.exact.figures import Edge, Values
from aceking.rules.book import Book, Rule
from aceking.rules.odds import Amount, OddsError, Pays, PayTableRow, amount, odds
from aceking.rules.options import OptionError
from aceking.rules.reading.did_you_mean import suggestion
from aceking.rules.reading.load import what_if
from aceking.rules.reading.values import MOST_ODDS, ROWS, RuleValueError, row_value, side_types
from aceking.rules.side_wagers import table_of
from aceking.rules.vocabulary import SIDES
from aceking.settlement.amounts import exchange_limit_text
from aceking.settlement.scenario import Swap

#: Beyond this denominator, sums of 64-bit integers are no longer proved not to overflow.
PARTS_MAX = 100

#: Pay tables besides the bet's. A row of theirs has the table's name before it: `exchange.four_of_a_kind`.
_TABLES = ("exchange", "instant", "bonus")


def edge(book: Book) -> Edge:
    """Return the exact figures of the book under the best play."""
    if book.dealer is None:
        from aceking.exact.community import edge as community

        return community.edge(book)
    from aceking.exact.stud import edge as stud

    return stud.edge(book)


def edge_data(figures: Edge) -> dict[str, Any]:
    """Return the figures as JSON data: exact ones as "p/q", rounded ones as numbers."""
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
    """Return a number for display, with twelve decimals."""
    return round(float(exact), 12)


def value(book: Book, hand: Sequence[CardId], up: CardId | None, *, exchanged: Swap | None = None) -> Values:
    """Return what every decision is worth with this hand, against this up-card if the game has a dealer.

    After an exchange the hand is still the one that was dealt; `exchanged` has the cards given and the cards drawn.
    The decisions left are fold and bet, and the price of the exchange is counted in both. Raises CardError.
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


def _check_exchange(book: Book, hand: Sequence[CardId], up: CardId | None, exchanged: Swap) -> None:
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
        raise CardError(f"{names(exchanged.give) or 'nothing'} is given away; {exchange_limit_text(book)} in {book.id}")
    if len(exchanged.give) != len(exchanged.take):
        raise CardError(f"{len(exchanged.give)} given away and {len(exchanged.take)} that came; as many come as go")


def _check_cards(book: Book, hand: Sequence[CardId], up: CardId | None) -> None:
    size = book.hands.cards
    if len(hand) != size:
        raise CardError(
            f"{names(tuple(hand))!r} is {len(hand)} card{'s'[: len(hand) != 1]}; a hand of {book.id} is {size}"
        )
    for card in hand:
        if list(hand).count(card) > 1:
            raise CardError(f"{name(card)} is in the hand twice; there is one deck of 52")
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
    """Return the book with lines changed, and a warning for each change that the book does not allow.

    A row of `pays` is one of the bet's table, as in `full_house`, or of another table, as in
    `exchange.four_of_a_kind`, `instant.three_card_straight_flush` or `bonus.flush`. With an `ante`, in the book's
    currency, the figures are those for this amount, and caps on payouts are counted. Raises OptionError.
    """
    odds_by_row = {row: _odds_text(row, odds_given) for row, odds_given in (pays or {}).items()}
    of_bet = {row: text for row, text in odds_by_row.items() if not _table_of(book, row)}
    for row in of_bet:
        if f"bet.pays.{row}" not in book.by_key:
            known = pay_rows(book)
            raise OptionError(f"{book.id} has no pay row {row!r}; it has {', '.join(known)}{suggestion(row, known)}")
    # Thresholds are read as people write cards: in upper or lower case, and a ten with two digits.
    threshold = None if qualifies_with is None else qualifies_with.upper().replace("10", "T")
    changed_book, warnings = what_if(book, options=options or {}, pays=of_bet, qualifies_with=threshold)
    all_warnings = list(warnings)
    for row, text in odds_by_row.items():
        if table := _table_of(book, row):
            changed_book = _with_row(changed_book, table, row.removeprefix(f"{table}."), text, all_warnings)
    _check_size(changed_book)
    return (changed_book if ante is None else at_ante(changed_book, _ante(changed_book, ante))), tuple(all_warnings)


def _ante(book: Book, given: str | int) -> Amount:
    try:
        ante = amount(str(given), decimals=book.decimals)
    except OddsError as refused:
        raise OptionError(f"ante: {refused}") from None
    if not ante:
        raise OptionError("ante: the ante cannot be 0")
    return ante


def pay_rows(book: Book) -> tuple[str, ...]:
    """Return the rows that `changed` accepts: the bet's by their own names, the others with their table before them."""
    rows = [key.removeprefix("bet.pays.") for key in book.by_key if key.startswith("bet.pays.")]
    for table in _TABLES:
        prefix = f"{table}.pays."
        rows += [f"{table}.{key.removeprefix(prefix)}" for key in book.by_key if key.startswith(prefix)]
    for wager, side in book.sides.items():
        rows += [f"{wager}.{row.key}" for row in Category if row in (side.pays or side.awards)]
    return tuple(rows)


def _table_of(book: Book, row: str) -> str | None:
    """Return the table that a row names before its point. An instant winner needs none: no other table pays it."""
    if row in ROWS and f"instant.pays.{row}" in book.by_key:
        return "instant"
    table, point, name_ = row.partition(".")
    if table in book.sides:
        return table if row in pay_rows(book) else None
    return table if point and table in _TABLES and f"{table}.pays.{name_}" in book.by_key else None


def _with_row(book: Book, table: str, row: str, text: str, warnings: list[str]) -> Book:
    """Return the book with one row changed, of another step than the bet or of a named side wager."""
    if table in book.sides:
        return _with_side_row(book, table, row, text, warnings)
    key = f"{table}.pays.{row}"
    # A row that the house chooses by an option has no minimum.
    least, paid = book.minimums.get(key, book.by_key[key]), odds(text)
    if paid < least.value:
        warnings.append(f"{text} for {table} {row} is under what {least.clause} says; a what-if only")
    elif paid != least.value and table == "exchange":
        fixed = f"{book.id} pays {row} of an exchanged hand at fixed odds ({least.clause})"
        warnings.append(f"{fixed}; {text} is a what-if")
    section = getattr(book, table)
    rows: dict[PayTableRow, Fraction] = {**section.pays, ROWS[row]: paid}
    by_key = {**book.by_key, key: Rule(paid, least.clause)}
    parts = {table: replace(section, pays=rows), "by_key": by_key}
    return replace(book, **parts)


def _with_side_row(book: Book, wager: str, row: str, text: str, warnings: list[str]) -> Book:
    """Return the book with one row of a named side wager changed: odds, or an amount if the wager has awards."""
    side = book.sides[wager]
    field = table_of(side)
    key = f"{SIDES}.{wager}.{field}.{row}"
    try:
        # `_odds_text` made odds of a plain number; if the wager pays amounts, it is an amount.
        paid = row_value(side_types()[field], text.removesuffix(" to 1"), decimals=book.decimals)
    except (RuleValueError, OddsError) as refused:
        raise OptionError(f"pays {wager}.{row}: {refused}") from None
    own = book.by_key[key]
    if paid != own.value:
        warnings.append(
            f"{book.id} pays {row} on the {wager} as {own.clause} says; {text.removesuffix(' to 1')} is a what-if"
        )
    rows = {**getattr(side, field), ROWS[row]: paid}
    changed = replace(side, pays=rows) if field == "pays" else replace(side, awards=rows)
    by_key = {**book.by_key, key: Rule(paid, own.clause)}
    return replace(book, sides={**book.sides, wager: changed}, by_key=by_key)


def _odds_text(row: str, given: Any) -> str:
    """Return odds as a book writes them, from `8`, `"8"`, `"3 to 2"` or Fraction(3, 2)."""
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
    """Raise OptionError for odds that would overflow the integers of the mathematics."""
    paid = {f"{step}.{row}": value for step, table in _pay_tables(book) for row, value in table.items()}
    for row, value in paid.items():
        if value > MOST_ODDS:
            raise OptionError(f"pays {row}: odds above {MOST_ODDS:,} to 1 are not computed")
    if lcm(*(value.denominator for value in paid.values())) > PARTS_MAX:
        raise OptionError(f"the odds together need fractions of an ante finer than 1/{PARTS_MAX:,}; round them")


def _pay_tables(book: Book) -> list[tuple[str, Pays]]:
    """Return all pay tables of the book, each with the name of its step."""
    tables = []
    for field in fields(book):
        pays = getattr(getattr(book, field.name), "pays", None)
        if isinstance(pays, Mapping):
            tables.append((field.name, pays))
    return tables
