"""The trainer: a hand to decide, with the exact value of every choice; of any family, or like one that went wrong.

Families divide hands by what makes them hard, so that a page can deal more of those that a player gets wrong. A hand
like another is the same one with its suits renamed, so it is worth exactly the same.
"""

import random
from collections.abc import Sequence
from typing import Literal

import msgspec

from aceking.cards.card import ACE, FIVE, CardError, CardId, cards, name, rank_of, suit_of
from aceking.cards.deck import DECK
from aceking.cards.hand import Category, rank
from aceking.cards.three import instant
from aceking.exact.games import value
from aceking.exact.stud.counts import straight_ranks
from aceking.lab.question import LabQuestion, book_of
from aceking.rules.book import Book
from aceking.rules.decisions import DECISIONS, DockPlace

Family = Literal[
    "above",  # better than any hand of the qualifier's category
    "border-matched",  # of that category and good enough to qualify, with a card of the up-card's rank
    "border",  # the same without such a card
    "below",  # less than the qualifier
    "four-suited",  # four of one suit, if a card may be bought
    "straight-draw",  # four to a straight, if a card may be bought
    "instant",  # three cards that may be declared
    "pair",  # a pair in three cards
    "high",  # a card whose pair wins
    "low",  # no such card
]
_AGAINST_DEALER: tuple[Family, ...] = ("above", "border-matched", "border", "below")
_DRAWS: tuple[Family, ...] = ("four-suited", "straight-draw")
_THREE: tuple[Family, ...] = ("instant", "pair", "high", "low")
#: An instant winner comes about once in 220 hands.
_TRIES = 4_000


class TrainerChoice(msgspec.Struct, frozen=True, kw_only=True):
    """A choice for the hand, and its exact value in antes."""

    choice: str
    worth: str
    costs: str  # against the best
    place: DockPlace  # where its button stands


class TrainerHand(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A hand to decide."""

    cards: tuple[str, ...]
    family: Family
    families: tuple[Family, ...]  # all of this book
    choices: tuple[TrainerChoice, ...]  # best first
    best: str
    up: str | None = None


def families(book: Book) -> tuple[Family, ...]:
    """Return the families of a book's hands."""
    if book.dealer is None:
        return _THREE
    return (*_AGAINST_DEALER, *_DRAWS) if book.exchange is not None else _AGAINST_DEALER


def hand(
    question: LabQuestion, *, family: Family | None = None, like: str = "", seed: bytes | None = None
) -> TrainerHand:
    """Return a hand of the family (by default any), or the hand `like` with its suits renamed. Raises CardError.

    It is drawn from the seed, or from the system if there is none.
    """
    book, _ = book_of(question)
    dice = random.SystemRandom() if seed is None else random.Random(seed)
    if like.strip():
        held, up = _renamed(book, like, dice)
    else:
        if family is not None and family not in families(book):
            raise CardError(f"{book.id} has no hands of the family {family!r}; it has {', '.join(families(book))}")
        held, up = _dealt(book, dice.choice(families(book)) if family is None else family, dice)
    values = value(book, held, up)
    best = values.decisions[values.best]
    return TrainerHand(
        cards=tuple(name(card) for card in held),
        up=None if up is None else name(up),
        family=family_of(book, held, up),
        families=families(book),
        choices=tuple(
            TrainerChoice(choice=choice, worth=str(worth), costs=str(best - worth), place=_place(choice))
            for choice, worth in values.decisions.items()
        ),
        best=values.best,
    )


def _place(choice: str) -> DockPlace:
    """Where the button of a choice in the words of `value` stands."""
    return next(one.place for one in DECISIONS.values() if one.key == choice.split()[0])


def family_of(book: Book, held: Sequence[CardId], up: CardId | None) -> Family:
    """Return the family of a hand: what makes it easy or hard."""
    if book.dealer is None or up is None:
        return _of_three(book, held)
    least = book.dealer.qualifies_with
    ranked = rank(held, ace_low=book.hands.ace_low)
    if book.exchange is not None and ranked.category <= Category.PAIR:
        suits = [suit_of(card) for card in held]
        if max(suits.count(suit) for suit in suits) == 4:
            return "four-suited"
        if ranked.category is Category.HIGH_CARD and _straight_draw(held, ace_low=book.hands.ace_low):
            return "straight-draw"
    if ranked.category > least.category:
        return "above"
    if ranked < least:
        return "below"
    return "border-matched" if rank_of(up) in {rank_of(card) for card in held} else "border"


def _of_three(book: Book, held: Sequence[CardId]) -> Family:
    assert book.paytable is not None, f"{book.id} has neither a dealer nor a pay table"
    if book.instant is not None and instant(held, ace_low=book.instant.ace_low) is not None:
        return "instant"
    ranks = {rank_of(card) for card in held}
    if len(ranks) < len(held):
        return "pair"
    wins = book.paytable.wins_with
    high = wins.category < Category.PAIR or (wins.category is Category.PAIR and max(ranks) >= wins.ranks[0])
    return "high" if high else "low"


def _straight_draw(held: Sequence[CardId], *, ace_low: bool) -> bool:
    ranks = {rank_of(card) for card in held}
    runs = (straight_ranks(high, ace_low=ace_low) for high in range(FIVE, ACE + 1))
    return any(len(ranks & set(run)) == 4 for run in runs)


def _dealt(book: Book, family: Family, dice: random.Random) -> tuple[tuple[CardId, ...], CardId | None]:
    """Return a random hand of the family; after many failed tries any hand."""
    size = book.hands.cards
    for _ in range(_TRIES):
        drawn = dice.sample(DECK, size + 1)
        held, up = tuple(drawn[:size]), drawn[size] if book.dealer is not None else None
        if family_of(book, held, up) == family:
            break
    return held, up


def _renamed(book: Book, like: str, dice: random.Random) -> tuple[tuple[CardId, ...], CardId | None]:
    given = cards(like)
    size = book.hands.cards + (book.dealer is not None)
    if len(given) != size or len(set(given)) != size:
        raise CardError(f"like: {size} different cards belong here, the up-card last where there is a dealer")
    suits = [0, 1, 2, 3]
    dice.shuffle(suits)
    other = [CardId(4 * rank_of(card) + suits[suit_of(card)]) for card in given]
    held = other[: book.hands.cards]
    dice.shuffle(held)
    return tuple(held), other[-1] if book.dealer is not None else None
