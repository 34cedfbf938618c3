"""One hand that may exchange several cards: every choice of cards, every draw, every hand of the dealer is counted.

After a draw the dealer's hole cards are four of those that are neither known nor drawn. How many of those hands have a
property is counted by inclusion and exclusion: all hands, minus those with one of the drawn cards, plus those with two,
and so on to four. So each draw needs at most 31 numbers from tables that are made once for hand and up-card, and a
hand that may give up five cards is valued over all 2.3 million draws in a few seconds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import strengths
from aceking.cards.card import CardId, name
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.exact.stud.money import StudNets, common_denominator, nets
from aceking.exact.unpriced import UnpricedError
from aceking.rules.book import Book
from aceking.rules.qualifier import qualifier

_UNSEEN = 46
_HOLE = 4
#: Draws that are valued together.
_AT_A_TIME = 1 << 16
_SAFE = 2**62

DrawPlaces = NDArray[np.intp]
DrawNumbers = NDArray[np.int64]


def exchanges(book: Book, hand: Sequence[CardId], up: CardId) -> dict[str, Fraction]:
    """Return the value of every exchange that the book allows, in antes, by its name among the values."""
    assert book.exchange is not None, f"{book.id} has no exchange"
    dealer = _Dealer(book, hand, up)
    rising = sorted(hand)
    values = {}
    for count in range(1, book.exchange.cards + 1):
        money = _money(book, count)
        for given in combinations(rising, count):
            kept = [card for card in rising if card not in given]
            total = dealer.total(kept, count, money)
            draws = comb(_UNSEEN, count) * comb(_UNSEEN - count, _HOLE)
            values[f"exchange {' '.join(name(card) for card in given)}"] = Fraction(total, money.scale * draws)
    return values


@dataclass(frozen=True, slots=True)
class _Money:
    """The results of a changed hand, in integer fractions of an ante; by strength if they depend on the hand."""

    scale: int
    fold: int
    unqualified: int
    tie: int
    win: DrawNumbers
    lose: DrawNumbers


def _money(book: Book, count: int) -> _Money:
    money: StudNets = nets(book, exchanged=count)
    scale = common_denominator(money)
    largest = max(abs(int(net * scale)) for net in money.all) + scale
    if largest * comb(_UNSEEN, count) * comb(_UNSEEN, _HOLE) > _SAFE:
        where = f"{book.id}: {book.cite('exchange.prices')}: exchange.prices"
        raise UnpricedError(f"{where}: pays and prices together need fractions of an ante too fine to be summed")
    by_hand = [(rank.category, money.at(rank)) for rank in ranker(ace_low=book.hands.ace_low).ranks]
    return _Money(
        scale=scale,
        fold=int(money.fold * scale),
        unqualified=int(money.unqualified * scale),
        tie=int(money.tie * scale),
        win=np.array([int(own.win[category] * scale) for category, own in by_hand], np.int64),
        lose=np.array([int(own.lost(category) * scale) for category, own in by_hand], np.int64),
    )


class _Dealer:
    """The dealer's possible hands against these five cards, counted by the unseen cards that they hold."""

    def __init__(self, book: Book, hand: Sequence[CardId], up: CardId) -> None:
        assert book.dealer is not None, f"{book.id} has no dealer's hand"
        self._ace_low = book.hands.ace_low
        rules = book.dealer
        plays = qualifier(rules.qualifies_with, rules.qualifies_too, ace_low=self._ace_low).plays
        self._unseen = np.array([card for card in DECK if card != up and card not in hand], np.uint8)
        holes = _choices(_HOLE)
        hands = np.concatenate([np.full((len(holes), 1), up, np.uint8), self._unseen[holes]], axis=1)
        held = strengths(hands, ace_low=self._ace_low)
        playing = np.array([plays(strength) for strength in range(len(ranker(ace_low=self._ace_low).ranks))])[held]
        #: The strengths of dealers' hands that play, rising; a hand that does not play has the level after them.
        self._levels = np.unique(held[playing])
        self._level = np.where(playing, np.searchsorted(self._levels, held), len(self._levels))
        #: By size of a set of cards, its number, and level: the hands with these cards that are below the level.
        self._below = [self._counted(size) for size in range(_HOLE)]

    def _counted(self, size: int) -> NDArray[np.int32]:
        """Return, for every choice of `size` unseen cards, the hands that hold them below each level."""
        counts = np.zeros((comb(_UNSEEN, size), len(self._levels) + 2), np.int32 if size < _HOLE - 1 else np.int8)
        for places in combinations(range(_HOLE), size):
            np.add.at(counts, (_number(_choices(_HOLE)[:, places]), self._level + 1), 1)
        return np.cumsum(counts, axis=1, dtype=counts.dtype, out=counts)

    def total(self, kept: Sequence[CardId], count: int, money: _Money) -> int:
        """Return the sum over all draws and the dealer's hands after each, bet or folded, whichever is better."""
        return sum(self._sum(kept, draws, money) for draws in _parts(_choices(count)))

    def _sum(self, kept: Sequence[CardId], draws: DrawPlaces, money: _Money) -> int:
        fixed = np.tile(np.array(kept, np.uint8), (len(draws), 1))
        held = strengths(np.concatenate([fixed, self._unseen[draws]], axis=1), ace_low=self._ace_low)
        level = np.searchsorted(self._levels, held)
        tied = np.append(self._levels, 0)[level] == held
        dead = list(self._holding(draws))
        below = self._count(dead, level)
        equal = np.where(tied, self._count(dead, level + 1) - below, 0)
        playing = self._count(dead, np.full(len(draws), len(self._levels)))
        hands = comb(_UNSEEN - draws.shape[1], _HOLE)
        bet = (
            money.unqualified * (hands - playing)
            + money.win[held] * below
            + money.tie * equal
            + money.lose[held] * (playing - below - equal)
        )
        return int(np.maximum(bet, money.fold * hands).sum())

    def _holding(self, draws: DrawPlaces) -> Iterator[tuple[int, DrawPlaces]]:
        """Yield every choice of up to four of the drawn cards: its size, and its number for each draw."""
        for size in range(min(draws.shape[1], _HOLE) + 1):
            for places in combinations(range(draws.shape[1]), size):
                yield size, _number(draws[:, places])

    def _count(self, dead: Sequence[tuple[int, DrawPlaces]], level: DrawPlaces) -> DrawNumbers:
        """Return the number of dealer's hands without a drawn card that play and are below the level."""
        total = np.zeros(len(level), np.int64)
        for size, which in dead:
            here = self._level[which] < level if size == _HOLE else self._below[size][which, level]
            total += here if size % 2 == 0 else -here.astype(np.int64)
        return total


def _parts(draws: DrawPlaces) -> Iterator[DrawPlaces]:
    for start in range(0, len(draws), _AT_A_TIME):
        yield draws[start : start + _AT_A_TIME]


@cache
def _choices(size: int) -> DrawPlaces:
    """Return all choices of `size` unseen cards, by rising place; each stands at its own number."""
    flat = chain.from_iterable(combinations(range(_UNSEEN - 1, -1, -1), size))
    places = np.fromiter(flat, np.intp, size * comb(_UNSEEN, size)).reshape(-1, size)
    return places[::-1, ::-1].copy()


@cache
def _binomials(size: int) -> DrawPlaces:
    return np.array([comb(place, size) for place in range(_UNSEEN)], np.intp)


def _number(chosen: DrawPlaces) -> DrawPlaces:
    """Return the number of each choice of rising places among all choices of its size."""
    number = np.zeros(len(chosen), np.intp)
    for place in range(chosen.shape[1]):
        number += _binomials(place + 1)[chosen[:, place]]
    return number
