"""One hand that may exchange several cards: every choice of cards, every draw, every hand of the dealer, counted.

After a draw the dealer's hole cards are four of those that are neither known nor drawn. How many of those hands have a
property is counted by inclusion and exclusion: all hands, less those with one of the drawn cards, plus those with two,
and so on to four. So each draw needs at most 31 numbers from tables that are made once for hand and up-card, and a
hand of which five cards may be given is valued over all 2.3 million draws in a few seconds.
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
from aceking.cards.card import Card, name
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.exact.stud.money import Nets, common_denominator, nets
from aceking.exact.unpriced import UnpricedError
from aceking.rules.book import Book
from aceking.rules.qualifier import qualifier

_UNSEEN = 46
_HOLE = 4
#: Draws that are valued together.
_AT_A_TIME = 1 << 16
_SAFE = 2**62

Places = NDArray[np.intp]
Numbers = NDArray[np.int64]


def exchanges(book: Book, hand: Sequence[Card], up: Card) -> dict[str, Fraction]:
    """What every exchange that the book allows is worth, in antes, by its name among the values."""
    assert book.exchange is not None, f"{book.id} has no exchange"
    dealer = _Dealer(book, hand, up)
    rising = sorted(hand)
    found = {}
    for count in range(1, book.exchange.cards + 1):
        money = _money(book, count)
        for given in combinations(rising, count):
            kept = [one for one in rising if one not in given]
            total = dealer.total(kept, count, money)
            draws = comb(_UNSEEN, count) * comb(_UNSEEN - count, _HOLE)
            found[f"exchange {' '.join(name(one) for one in given)}"] = Fraction(total, money.scale * draws)
    return found


@dataclass(frozen=True, slots=True)
class _Money:
    """What a changed hand comes to, in whole parts of an ante; by strength where it depends on the hand."""

    scale: int
    fold: int
    unqualified: int
    tie: int
    win: Numbers
    lose: Numbers


def _money(book: Book, count: int) -> _Money:
    money: Nets = nets(book, exchanged=count)
    scale = common_denominator(money)
    largest = max(abs(int(one * scale)) for one in money.all) + scale
    if largest * comb(_UNSEEN, count) * comb(_UNSEEN, _HOLE) > _SAFE:
        where = f"{book.id}: {book.cite('exchange.prices')}: exchange.prices"
        raise UnpricedError(f"{where}: pays and prices together need parts of an ante too fine to be summed")
    by_hand = [(one.category, money.at(one)) for one in ranker(ace_low=book.hands.ace_low).ranks]
    return _Money(
        scale=scale,
        fold=int(money.fold * scale),
        unqualified=int(money.unqualified * scale),
        tie=int(money.tie * scale),
        win=np.array([int(own.win[one] * scale) for one, own in by_hand], np.int64),
        lose=np.array([int(own.lost(one) * scale) for one, own in by_hand], np.int64),
    )


class _Dealer:
    """The dealer's hands that these five cards may meet, counted by the unseen cards that they hold."""

    def __init__(self, book: Book, hand: Sequence[Card], up: Card) -> None:
        assert book.dealer is not None, f"{book.id} has no dealer's hand"
        self._ace_low = book.hands.ace_low
        rules = book.dealer
        plays = qualifier(rules.qualifies_with, rules.qualifies_too, ace_low=self._ace_low).plays
        self._unseen = np.array([one for one in DECK if one != up and one not in hand], np.uint8)
        holes = _choices(_HOLE)
        hands = np.concatenate([np.full((len(holes), 1), up, np.uint8), self._unseen[holes]], axis=1)
        held = strengths(hands, ace_low=self._ace_low)
        playing = np.array([plays(one) for one in range(len(ranker(ace_low=self._ace_low).ranks))])[held]
        #: The strengths that a dealer who plays can have, rising; a hand that does not play has the level after them.
        self._levels = np.unique(held[playing])
        self._level = np.where(playing, np.searchsorted(self._levels, held), len(self._levels))
        #: By number of cards, which they are, and level: hands with these cards below the level, that play or do not.
        self._below = [self._counted(size) for size in range(_HOLE)]

    def _counted(self, size: int) -> NDArray[np.int32]:
        """For every choice of so many unseen cards: the hands that hold them, below each level."""
        counts = np.zeros((comb(_UNSEEN, size), len(self._levels) + 2), np.int32 if size < _HOLE - 1 else np.int8)
        for places in combinations(range(_HOLE), size):
            np.add.at(counts, (_number(_choices(_HOLE)[:, places]), self._level + 1), 1)
        return np.cumsum(counts, axis=1, dtype=counts.dtype, out=counts)

    def total(self, kept: Sequence[Card], count: int, money: _Money) -> int:
        """The sum over all draws and the dealer's hands after each, bet or folded as is better."""
        return sum(self._sum(kept, draws, money) for draws in _parts(_choices(count)))

    def _sum(self, kept: Sequence[Card], draws: Places, money: _Money) -> int:
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

    def _holding(self, draws: Places) -> Iterator[tuple[int, Places]]:
        """Every choice of up to four among the drawn cards: how many, and which for each draw."""
        for size in range(min(draws.shape[1], _HOLE) + 1):
            for places in combinations(range(draws.shape[1]), size):
                yield size, _number(draws[:, places])

    def _count(self, dead: Sequence[tuple[int, Places]], level: Places) -> Numbers:
        """The dealer's hands without a drawn card that play and are below the level."""
        found = np.zeros(len(level), np.int64)
        for size, which in dead:
            here = self._level[which] < level if size == _HOLE else self._below[size][which, level]
            found += here if size % 2 == 0 else -here.astype(np.int64)
        return found


def _parts(draws: Places) -> Iterator[Places]:
    for start in range(0, len(draws), _AT_A_TIME):
        yield draws[start : start + _AT_A_TIME]


@cache
def _choices(size: int) -> Places:
    """All choices of so many unseen cards, by rising place; each stands at its own number."""
    flat = chain.from_iterable(combinations(range(_UNSEEN - 1, -1, -1), size))
    found = np.fromiter(flat, np.intp, size * comb(_UNSEEN, size)).reshape(-1, size)
    return found[::-1, ::-1].copy()


@cache
def _binomials(size: int) -> Places:
    return np.array([comb(place, size) for place in range(_UNSEEN)], np.intp)


def _number(chosen: Places) -> Places:
    """The number of a choice of rising places among all choices of its size."""
    found = np.zeros(len(chosen), np.intp)
    for place in range(chosen.shape[1]):
        found += _binomials(place + 1)[chosen[:, place]]
    return found
