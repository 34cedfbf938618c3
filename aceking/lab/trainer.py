"""The trainer: a hand to decide, with the exact value of every choice; of any family, or like one that went wrong.

Families part hands by what makes them hard, so that a page can deal more of those in which somebody errs. A hand that
is like another is the same one with its suits named otherwise, which is worth exactly the same.
"""

import secrets
from collections.abc import Sequence
from typing import Literal

import msgspec

from aceking.cards.card import ACE, FIVE, Card, CardError, cards, name, rank_of, suit_of
from aceking.cards.deck import DECK
from aceking.cards.hand import Category, rank
from aceking.cards.three import instant
from aceking.exact.games import value
from aceking.exact.stud.counts import straight_ranks
from aceking.lab.question import Asked, book_of
from aceking.rules.book import Book

Family = Literal[
    "above",  # better than any hand of the qualifier's category
    "border-matched",  # of that category and good enough to qualify, with a card of the up-card's rank
    "border",  # and without one
    "below",  # less than the qualifier
    "four-suited",  # four of one suit, where a card may be bought
    "straight-draw",  # four to a straight, where a card may be bought
    "instant",  # three cards that may be declared
    "pair",  # a pair in three cards
    "high",  # a card whose pair wins
    "low",  # none
]
_AGAINST_DEALER: tuple[Family, ...] = ("above", "border-matched", "border", "below")
_DRAWS: tuple[Family, ...] = ("four-suited", "straight-draw")
_THREE: tuple[Family, ...] = ("instant", "pair", "high", "low")
#: An instant winner comes once in some 220 hands.
_TRIES = 4_000
_RANDOM = secrets.SystemRandom()


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What can be done with the hand, and what it is worth, exactly, in antes."""

    choice: str
    worth: str
    costs: str  # against the best


class Hand(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hand to decide."""

    cards: tuple[str, ...]
    family: Family
    families: tuple[Family, ...]  # all of this book
    choices: tuple[Choice, ...]  # best first
    best: str
    up: str | None = None


def families(book: Book) -> tuple[Family, ...]:
    """The families of a book's hands."""
    if book.dealer is None:
        return _THREE
    return (*_AGAINST_DEALER, *_DRAWS) if book.exchange is not None else _AGAINST_DEALER


def hand(asked: Asked, *, family: Family | None = None, like: str = "") -> Hand:
    """A hand of the family, any family where none is given, or the same hand with its suits named otherwise."""
    book, _ = book_of(asked)
    if like.strip():
        held, up = _renamed(book, like)
    else:
        if family is not None and family not in families(book):
            raise CardError(f"{book.id} has no hands of the family {family!r}; it has {', '.join(families(book))}")
        held, up = _dealt(book, _RANDOM.choice(families(book)) if family is None else family)
    found = value(book, held, up)
    best = found.decisions[found.best]
    return Hand(
        cards=tuple(name(one) for one in held),
        up=None if up is None else name(up),
        family=family_of(book, held, up),
        families=families(book),
        choices=tuple(
            Choice(choice=choice, worth=str(worth), costs=str(best - worth))
            for choice, worth in found.decisions.items()
        ),
        best=found.best,
    )


def family_of(book: Book, held: Sequence[Card], up: Card | None) -> Family:
    """What makes the hand easy or hard."""
    if book.dealer is None or up is None:
        return _of_three(book, held)
    least = book.dealer.qualifies_with
    ranked = rank(held, ace_low=book.hands.ace_low)
    if book.exchange is not None and ranked.category <= Category.PAIR:
        suits = [suit_of(one) for one in held]
        if max(suits.count(one) for one in suits) == 4:
            return "four-suited"
        if ranked.category is Category.HIGH_CARD and _straight_draw(held, ace_low=book.hands.ace_low):
            return "straight-draw"
    if ranked.category > least.category:
        return "above"
    if ranked < least:
        return "below"
    return "border-matched" if rank_of(up) in {rank_of(one) for one in held} else "border"


def _of_three(book: Book, held: Sequence[Card]) -> Family:
    assert book.paytable is not None, f"{book.id} has neither a dealer nor a pay table"
    if book.instant is not None and instant(held, ace_low=book.instant.ace_low) is not None:
        return "instant"
    ranks = {rank_of(one) for one in held}
    if len(ranks) < len(held):
        return "pair"
    wins = book.paytable.wins_with
    high = wins.category < Category.PAIR or (wins.category is Category.PAIR and max(ranks) >= wins.ranks[0])
    return "high" if high else "low"


def _straight_draw(held: Sequence[Card], *, ace_low: bool) -> bool:
    ranks = {rank_of(one) for one in held}
    runs = (straight_ranks(high, ace_low=ace_low) for high in range(FIVE, ACE + 1))
    return any(len(ranks & set(run)) == 4 for run in runs)


def _dealt(book: Book, family: Family) -> tuple[tuple[Card, ...], Card | None]:
    """A hand of the family, all of them equally likely; after many tries in vain any hand."""
    size = book.hands.cards
    for _ in range(_TRIES):
        found = _RANDOM.sample(DECK, size + 1)
        held, up = tuple(found[:size]), found[size] if book.dealer is not None else None
        if family_of(book, held, up) == family:
            break
    return held, up


def _renamed(book: Book, like: str) -> tuple[tuple[Card, ...], Card | None]:
    given = cards(like)
    size = book.hands.cards + (book.dealer is not None)
    if len(given) != size or len(set(given)) != size:
        raise CardError(f"like: {size} different cards belong here, the up-card last where there is a dealer")
    suits = [0, 1, 2, 3]
    _RANDOM.shuffle(suits)
    other = [Card(4 * rank_of(one) + suits[suit_of(one)]) for one in given]
    held = other[: book.hands.cards]
    _RANDOM.shuffle(held)
    return tuple(held), other[-1] if book.dealer is not None else None
