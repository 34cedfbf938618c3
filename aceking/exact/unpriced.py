"""Rules that can be played but are not priced: the refusal of each names its clause and what is possible instead."""

from collections.abc import Iterator

from aceking.cards.hand import HandRank
from aceking.exact.caps import is_shared_cap, one_ante
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.decisions import DECISIONS
from aceking.rules.reading.complaints import BookError

#: Caps in words.
_MOST = {"bet.cap": "the most that a bet pays", "table.round_cap": "the most that a round pays"}


class UnpricedError(BookError):
    """The book can be dealt and settled, but it has no exact figure here; the message names the clause."""


def unpriced_choices(book: Book) -> tuple[str, ...]:
    """Return the player's choices that are not priced; empty if the book can be priced."""
    return tuple(one for one in book.decide.choices if one not in DECISIONS or not DECISIONS[one].priced)


def check_choices(book: Book) -> None:
    """Raise UnpricedError for a choice that is not priced: without it the figures would be those of another game."""
    for choice in unpriced_choices(book):
        where = f"{book.id}: {book.cite('decide.choices')}: decide.choices"
        raise UnpricedError(f"{where}: a game with the choice {choice!r} is settled and played, and not priced")


def check_exchange(book: Book) -> None:
    """Raise UnpricedError for rules that the count of an exchange does not support."""
    check_bought(book)
    check_rows(book, "an exchange is counted over all hands")
    if book.exchange is not None and book.exchange.cards > 1:
        where = f"{book.id}: {book.cite('exchange.cards')}: exchange.cards"
        raise UnpricedError(
            f"{where}: an exchange of one card is counted over all hands; `aceking value` prices one hand of this book"
        )
    if book.dealer is not None and book.dealer.qualifies_too:
        where = f"{book.id}: {book.cite('dealer.qualifies_too')}: dealer.qualifies_too"
        raise UnpricedError(
            f"{where}: it is not priced in a game with an exchange; `aceking value` prices one hand of it"
        )
    if book.bet.unlisted == "lost":
        where = f"{book.id}: {book.cite('bet.unlisted')}: bet.unlisted"
        raise UnpricedError(f"{where}: 'lost' is not priced in a game with an exchange, 'push' is")


def check_rows(book: Book, what: str) -> None:
    """Raise UnpricedError for a threshold of the ante within a row of hands: `what` supports whole rows only."""
    for key, least in (("ante.pays_from", book.ante.pays_from), ("ante.returned_from", book.ante.returned_from)):
        if isinstance(least, HandRank):
            where = f"{book.id}: {book.cite(key)}: {key}"
            raise UnpricedError(f"{where}: {what} where it is a whole row, as in 'pair'")


def check_bought(book: Book) -> None:
    """Raise UnpricedError for a card bought for the dealer: the value of seeing their hand first is not counted."""
    if book.bought is not None:
        where = f"{book.id}: {book.cite('bought.price_antes')}: bought.price_antes"
        raise UnpricedError(f"{where}: a game with a bought card is settled and played, and not priced")


def check_one_size(book: Book, what: str) -> None:
    """Raise UnpricedError if bets have several sizes and `what` supports only one."""
    if book.bet.antes_max is not None:
        where = f"{book.id}: {book.cite('bet.antes_max')}: bet.antes_max"
        raise UnpricedError(f"{where}: {what} for one size of bet; `aceking edge` and `aceking value` price every size")


def has_rules_to_carry(book: Book) -> bool:
    """Return True if rules of thumb, charts and strategy files are made for hands of this shape."""
    return book.dealer is not None or (book.hands.cards, book.hands.community, book.hands.discards) == (3, 3, 1)


def check_shape(book: Book, what: str) -> None:
    """Raise UnpricedError if `what` supports only two cards kept of three, with three on the board."""
    if not has_rules_to_carry(book):
        where = f"{book.id}: {book.cite('hands.cards')}: hands.cards"
        raise UnpricedError(
            f"{where}: {what} for two cards kept of three, with three on the board; "
            "`aceking edge` and `aceking value` price every hand"
        )


def left_out(book: Book, *, boxes: int = 1) -> tuple[str, ...]:
    """Return a sentence with its clause for each cap in force that the figures of `boxes` boxes leave out."""
    alone = "which are in antes: a cap bites from some amount of money on; --ante counts it for one amount"
    shared = f"which are those of {boxes} boxes: all of them share it; it is counted for one box alone"
    return tuple(
        f"{_cap(book, key, cap)} is left out of the figures, {alone if one_ante(book) is None else shared}"
        for key, cap in _caps(book)
        if not _is_counted(book, key, boxes)
    )


def counted_caps(book: Book, *, boxes: int = 1) -> tuple[str, ...]:
    """Return a sentence with its clause and ante for each cap that the figures of `boxes` boxes count."""
    return tuple(
        f"{_cap(book, key, cap)} is counted, for an ante of {_ante(book)}{_for_whom(book, key)}"
        for key, cap in _caps(book)
        if _is_counted(book, key, boxes)
    )


def _is_counted(book: Book, key: str, boxes: int) -> bool:
    return one_ante(book) is not None and (boxes == 1 or not is_shared_cap(book, key))


def _for_whom(book: Book, key: str) -> str:
    """Return for whom a cap on the round is counted, if others could share it; else an empty text."""
    if key == "table.round_cap" and is_shared_cap(book, key):
        return " and one box alone at the table: where several share it, it pays them less"
    several = book.table.round_cap_for == "player" and book.table.boxes_per_player != "one"
    return " and a player with one box" if several and key == "table.round_cap" else ""


def _ante(book: Book) -> str:
    ante = one_ante(book)
    assert ante is not None
    return f"{shown(ante, decimals=book.decimals)} {book.currency}"


def _caps(book: Book) -> Iterator[tuple[str, int]]:
    for key, cap in (("bet.cap", book.bet.cap), ("table.round_cap", book.table.round_cap)):
        if cap is not None:
            yield key, cap


def _cap(book: Book, key: str, cap: int) -> str:
    return f"{_MOST[key]}, {shown(cap, decimals=book.decimals)} {book.currency} ({book.cite(key)}),"
