"""One deal under every book, side by side: the same cards, settled by each.

The deal is the player's five cards, the dealer's five, the first of them up, and one card more. Where a card may be
bought, that one comes. Where a hand is two of three cards with three in the middle, the first two of the five and the
one more are dealt, and the other three lie in the middle: laying aside the one more makes the same hand of five.
"""

import secrets
from collections.abc import Mapping
from typing import Literal

import msgspec

from aceking.cards.card import Card, CardError, cards, name
from aceking.cards.deck import DECK
from aceking.exact.games import value
from aceking.lab.movable_lines import EXAMPLE_AWARDS
from aceking.lab.question import Asked, book_of
from aceking.money.chips import shown
from aceking.rules.book import Book
from aceking.rules.odds import Amount, Award, Posted, amount, award
from aceking.rules.options import OptionError
from aceking.rules.reading.load import book_ids
from aceking.rules.refusal import Refusal, Unregulated
from aceking.settlement.lines import Settlement
from aceking.settlement.scenario import Scenario, Seat, Swap
from aceking.settlement.settle import settle

#: What the player does: bets, folds, or takes the best decision of each book.
How = Literal["bet", "fold", "best"]
_HAND = 5
_DIGITS_MAX = 9


class _Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A part of the answer."""


class Line(_Part, frozen=True, kw_only=True):
    """One movement of chips, with its clause."""

    wager: str
    stake: str
    outcome: str
    pays: str
    moves: str  # with its sign
    clause: str


class Under(_Part, frozen=True, kw_only=True):
    """The deal under one book."""

    book: str
    title: str
    house: str
    version: str
    currency: str
    decimals: int
    what_if: bool = False
    did: str = ""  # in the words of `value`: bet, exchange 4d, bet discard Kd
    hand: str | None = None
    dealer: str | None = None
    qualifies: bool | None = None
    lines: tuple[Line, ...] = ()
    net: str | None = None
    says: str | None = None  # why there is no settlement
    clause: str | None = None


class Deal(_Part, frozen=True, kw_only=True):
    """The cards, and what follows under each book."""

    player: tuple[str, ...]
    dealer: tuple[str, ...]
    more: str
    under: tuple[Under, ...]


def deal(
    asked: Asked | None,
    *,
    player: str = "",
    dealer: str = "",
    more: str = "",
    how: How = "bet",
    ante: str = "10",
    side: bool = False,
    meter: str = "100000",
) -> Deal:
    """The deal under every book, and under the book that is asked for where a line of it is moved."""
    five, bank, next_card = _cards(player, dealer, more)
    books = [(book_of(Asked(book=one))[0], False) for one in book_ids()]
    if asked is not None and asked.moved:
        books.append((book_of(asked)[0], True))
    for text, what in ((ante, "ante"), (meter, "meter")):
        if len(text) > _DIGITS_MAX:
            raise OptionError(f"{what}: that is more than a house has")
    return Deal(
        player=tuple(name(one) for one in five),
        dealer=tuple(name(one) for one in bank),
        more=name(next_card),
        under=tuple(
            _under(book, five, bank, next_card, how, ante, side=side, meter=meter, what_if=moved)
            for book, moved in books
        ),
    )


def _cards(player: str, dealer: str, more: str) -> tuple[tuple[Card, ...], tuple[Card, ...], Card]:
    """The cards that are given, and others from the rest of the deck for those that are not."""
    given = []
    for what, text, size in (("the player", player, _HAND), ("the dealer", dealer, _HAND), ("one more", more, 1)):
        found = cards(text) if text.strip() else ()
        if found and len(found) != size:
            raise CardError(f"{what}: {len(found)} card{'s'[: len(found) != 1]}, {size} belong here")
        given.append(found)
    seen = [one for part in given for one in part]
    for one in seen:
        if seen.count(one) > 1:
            raise CardError(f"{name(one)} is dealt twice; there is one deck of 52")
    rest = [one for one in DECK if one not in seen]
    secrets.SystemRandom().shuffle(rest)
    held = given[0] or tuple(rest.pop() for _ in range(_HAND))
    bank = given[1] or tuple(rest.pop() for _ in range(_HAND))
    return held, bank, given[2][0] if given[2] else rest.pop()


def _under(
    book: Book,
    five: tuple[Card, ...],
    bank: tuple[Card, ...],
    more: Card,
    how: How,
    ante: str,
    *,
    side: bool,
    meter: str,
    what_if: bool,
) -> Under:
    dealt = five if book.dealer is not None else (*five[:2], more)
    shared = () if book.dealer is not None else five[2:]
    did = _decision(book, dealt, bank[0] if book.dealer is not None else None, more, how)
    play, _, card_text = did.partition(" discard ") if " discard " in did else did.partition(" ")
    antes = int(card_text) if card_text.isdigit() else None
    given = cards(card_text)[0] if card_text and antes is None else None
    swap = Swap((given,), (more,)) if play == "exchange" and given is not None else None
    stake = amount(ante, decimals=book.decimals)
    if swap is not None and how == "best":
        after = value(book, dealt, bank[0], exchanged=swap)
        play = after.best
    seat = Seat(
        number=1,
        cards=dealt,
        ante=stake,
        play="fold" if play == "fold" else "stay" if play == "stay" else "declare" if play == "declare" else "bet",
        bet=None if antes is None else Amount(stake * antes),
        side=_side(book) if side else Amount(0),
        claims=True,
        swap=swap,
        discard=given if swap is None else None,
        player=None,
    )
    scenario = Scenario(
        seats=(seat,),
        dealer=bank if book.dealer is not None else (),
        community=shared,
        meter=amount(meter, decimals=book.decimals) if side and book.progressive is not None else None,
        reset=Amount(0) if side and book.progressive is not None else None,
        awards=_posted(book),
    )
    told = f"{did}, {play}" if swap is not None else did
    return _told(book, settle(book, scenario), told, what_if=what_if)


def _decision(book: Book, dealt: tuple[Card, ...], up: Card | None, more: Card, how: How) -> str:
    """The decision in the words of `value`. Of three cards the one more is laid aside; who may not fold stays."""
    if how == "best":
        return value(book, dealt, up).best
    if how == "fold" and "fold" in book.decide.choices:
        return "fold"
    play = "stay" if how == "fold" and not book.bet.required else "bet"
    return f"{play} discard {name(more)}" if book.hands.discards else play


def _side(book: Book) -> Amount:
    if book.progressive is not None:
        return book.progressive.stake
    return book.bonus.stake if book.bonus is not None and book.bonus.offered else Amount(0)


def _posted(book: Book) -> Mapping[str, Award]:
    """What a sign has where the book leaves it to one."""
    if book.progressive is None:
        return {}
    own = book.progressive.awards
    asked = [one.key for one, what in own.items() if isinstance(what, Posted)] or ([] if own else list(EXAMPLE_AWARDS))
    return {row: award(EXAMPLE_AWARDS[row], decimals=book.decimals) for row in asked}


def _told(book: Book, done: Settlement | Refusal | Unregulated, did: str, *, what_if: bool) -> Under:
    about = Under(
        book=book.id,
        title=book.title,
        house=book.house,
        version=book.version,
        currency=book.currency,
        decimals=book.decimals,
        what_if=what_if,
        did=did,
    )
    if isinstance(done, Refusal):
        return msgspec.structs.replace(about, says=done.reason, clause=done.clause)
    if isinstance(done, Unregulated):
        return msgspec.structs.replace(about, says=done.reason)
    lines = tuple(
        Line(
            wager=one.wager,
            stake=shown(one.stake, decimals=book.decimals),
            outcome=one.outcome,
            pays=shown(one.pays, decimals=book.decimals),
            moves=shown(one.net, decimals=book.decimals),
            clause=one.clause,
        )
        for one in done.lines
    )
    return msgspec.structs.replace(
        about,
        hand=done.seats[0].hand,
        dealer=None if done.dealer is None else done.dealer.words,
        qualifies=None if done.dealer is None else done.dealer.qualifies,
        lines=lines,
        net=shown(done.seats[0].net, decimals=book.decimals),
    )
