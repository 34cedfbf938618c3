"""The value of seeing several of the dealer's cards: exact, every deal counted once.

A player sees their own five cards and k of the dealer's; the other 5 - k may be any of the 47 - k cards that are left.
Without flushes only ranks matter: for each choice of k ranks seen and of five ranks in hand, the number of ways to
complete the dealer's hand with given ranks is a product of binomials, and the completed hand is below, equal to or
above the player's hand. All 7,462 kinds of hands are counted at once, for each choice of ranks seen and completing.

The dealer can have a flush only if the cards seen are of one suit. Then the completions in that suit are moved from
the place of their ranks to the place of their flush, unless the player holds one of the cards. So these states are
split further by the ranks that the player holds in that suit. With one card seen this is always the case, and the
figures are those of the book's edge; with five cards seen nothing is left to chance. Both results are known from other
computations, and tests compare them.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS
from aceking.cards.fast import ranker
from aceking.cards.hand import Category
from aceking.exact.arrays import Amounts, Index
from aceking.exact.figures import Edge
from aceking.exact.stud.hands import blocks, rank_choices
from aceking.exact.stud.money import StudNets, common_denominator, nets
from aceking.exact.stud.play import StudResults, Worth
from aceking.exact.stud.rows import FLUSHES, UP_SUITS
from aceking.exact.unpriced import check_one_size, check_rows
from aceking.rules.book import Book

_HAND = 5
_SETS = 1 << len(RANKS)
_KEYS = 5 ** np.arange(len(RANKS))
#: Categories whose hands do not all have the same place among the dealer's flushes and straights.
_SINGLE = (Category.HIGH_CARD, Category.STRAIGHT, *FLUSHES)


class SeeingError(ValueError):
    """The book or the number of cards is not one that can be counted; the message says why."""


def seeing(book: Book, *, dealer_cards: int) -> Edge:
    """Return the exact figures for a player who sees one to five of the dealer's cards and plays for the best."""
    check_dealer(book)
    if not 1 <= dealer_cards <= _HAND:
        raise SeeingError(f"a dealer has one to five cards to be seen, not {dealer_cards}")
    return _Seeing(book, dealer_cards).edge()


def check_dealer(book: Book) -> None:
    """Raise SeeingError or ValueError for books for which this is not counted."""
    check_one_size(book, "what seeing more is worth is counted")
    check_rows(book, "what seeing more is worth is counted")
    if book.dealer is None:
        raise SeeingError(f"{book.id} has no dealer whose cards could be seen")
    if book.exchange is not None:
        raise SeeingError(f"{book.id} has an exchange; what seeing more is worth is counted for books without one")
    if book.dealer.qualifies_too:
        raise SeeingError(
            f"{book.id}: {book.cite('dealer.qualifies_too')}: what seeing more is worth is counted for dealers who"
            " qualify from one hand on"
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Kinds:
    """All kinds of hands, one column each, weakest first, so a column's index is the strength of its hands."""

    held: NDArray[np.int32]  # 13 rows: cards of each rank
    category: NDArray[np.uint8]
    of_one_suit: NDArray[np.bool_]
    ranks: Index  # as bits
    plain: dict[int, int]  # by choice of five ranks: the strength in mixed suits
    flush: dict[int, int]  # by bits of five ranks: the strength in one suit
    # Rows: a kind and the ranks held in one given suit, as bits, and the number of ways.
    row_kind: Index
    row_suited: Index
    row_ways: Amounts


@cache
def _kinds(*, ace_low: bool) -> _Kinds:
    every = blocks(ace_low=ace_low)
    held = np.concatenate([block.held for block in every], axis=1)
    starts = np.cumsum([0, *map(len, every)])
    category = np.concatenate([np.full(len(block), block.category, np.uint8) for block in every])
    of_one_suit = np.isin(category, FLUSHES)
    bits = (1 << np.arange(len(RANKS))) @ (held > 0)
    keys = _KEYS @ held
    assert len(category) == len(ranker(ace_low=ace_low).ranks), "a column for every kind of hand"
    kinds, suited, ways = [], [], []
    for block, start in zip(every, starts, strict=False):
        kinds.append(np.tile(np.arange(start, start + len(block)), len(block.ways)))
        suited.append(block.suited.ravel())
        ways.append(np.repeat(block.ways.astype(np.int64), len(block)))
    return _Kinds(
        held=held,
        category=category,
        of_one_suit=of_one_suit,
        ranks=bits,
        plain={int(key): at for at, key in enumerate(keys) if not of_one_suit[at]},
        flush={int(mask): at for at, mask in enumerate(bits) if of_one_suit[at]},
        row_kind=np.concatenate(kinds),
        row_suited=np.concatenate(suited),
        row_ways=np.concatenate(ways),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Counts:
    """Dealer's hands that do not qualify, are below the player's, and are equal to it; one entry per state."""

    unqualified: Amounts
    below: Amounts
    equal: Amounts


class _Seeing:
    """The count for one book and one number of cards seen."""

    def __init__(self, book: Book, seen: int) -> None:
        assert book.dealer is not None
        self.book, self.seen = book, seen
        self.kinds = _kinds(ace_low=book.hands.ace_low)
        ranks = ranker(ace_low=book.hands.ace_low).ranks
        self.qualifier = next(at for at, rank in enumerate(ranks) if rank >= book.dealer.qualifies_with)
        self.hands = comb(52 - _HAND - seen, _HAND - seen)
        self.money: StudNets = nets(book)
        self.results = StudResults()
        self.states = 0
        self.bets = 0
        self._worths()
        held = self.kinds.held
        take = np.array([[comb(n, m) for n in range(5)] for m in range(_HAND)], np.int32)
        both = np.array([[comb(4, s) * comb(4 - s, h) for h in range(5)] for s in range(5)], np.int64)
        #: By rank and number of its cards seen: the choices of suits for these and those in hand, for each kind.
        self._choices = [[both[s][held[rank]] for s in range(5)] for rank in range(len(RANKS))]
        self._sums: dict[int, list[int]] = {int(category): [0, 0, 0, 0] for category in Category}
        #: By rank, number of its cards seen, and number that complete the dealer's hand: the ways, for each kind.
        self._ways = [
            [[take[m][np.maximum(4 - s - held[rank], 0)] for m in range(_HAND)] for s in range(5)]
            for rank in range(len(RANKS))
        ]
        self._plays = np.arange(len(self.kinds.category)) >= self.qualifier
        row_category = self.kinds.category[self.kinds.row_kind]
        self._categories = np.flatnonzero(np.diff(row_category, prepend=99))
        # Below the qualifier only the qualifier's threshold counts.
        self._single = np.flatnonzero(np.isin(row_category, _SINGLE) & self._plays[self.kinds.row_kind])
        self._row_plays = self._plays[self.kinds.row_kind]
        self._row_worth = self.worth[:, self.kinds.row_kind]
        #: For categories whose hands all count alike: their rows, and the strength of their first kind.
        self._alike = [
            (slice(int(rows[0]), int(rows[-1]) + 1), int(self.kinds.row_kind[rows].min()))
            for category in Category
            if category not in _SINGLE
            for rows in [np.flatnonzero(row_category == category)]
        ]

    def _worths(self) -> None:
        """Set the four coefficients of a bet's value for each kind: three counts and a constant."""
        scale = common_denominator(self.money)
        worths = {}
        for category in Category:
            for plays in (False, True):
                worths[category, plays] = Worth.of(self.money, category, plays=plays, hands=self.hands, scale=scale)
        kinds = [worths[Category(c), at >= self.qualifier] for at, c in enumerate(self.kinds.category.tolist())]
        self.fold = kinds[0].fold
        self.worth = np.array([(kind.unqualified, kind.below, kind.equal, kind.constant) for kind in kinds], np.int64).T

    def edge(self) -> Edge:
        """Return the figures over all choices of ranks and suits that are seen."""
        completions = rank_choices(_HAND - self.seen)
        keys = _KEYS @ completions
        every = np.arange(len(self.kinds.category))
        starts = np.flatnonzero(np.diff(self.kinds.category, prepend=99))
        for ranks in rank_choices(self.seen).T:
            counts = self._by_rank(ranks, completions, keys)
            of_one_suit = int(ranks.max()) == 1
            mixed = self._mixed_number(ranks, suited=of_one_suit)
            self._play(every, counts, mixed, starts, self._plays, self.worth)
            if of_one_suit:
                self._play_suited(int((1 << np.arange(len(RANKS))) @ ranks), counts)
        assert self.states == comb(52, _HAND) * comb(52 - _HAND, self.seen), "every state is counted once"
        deals = self.states * self.hands
        for category, (many, unqualified, below, equal) in self._sums.items():
            self.bets += many
            counted = {"unqualified": unqualified, "below": below, "equal": equal}
            self.results.add_bets(self.money, Category(category), deals=many * self.hands, **counted)
        self.results.add_folds(self.money, (self.states - self.bets) * self.hands)
        shares = {"fold": self.states - self.bets, "bet": self.bets}
        return Edge(
            book=self.book.id,
            deals=deals,
            outcomes={net: many for net, many in sorted(self.results.outcomes.items(), reverse=True) if many},
            decisions={name: Fraction(many, self.states) for name, many in shares.items()},
            risked=self.results.risked / deals,
        )

    def _by_rank(self, seen: NDArray[np.int32], completions: NDArray[np.int32], keys: Index) -> _Counts:
        """Return the dealer's hands against each kind, without suits."""
        number = len(self.kinds.category)
        unqualified, below, equal = np.zeros((3, number), np.int32)
        own = int(_KEYS @ seen)
        possible = np.flatnonzero((completions + seen[:, None]).max(axis=0) <= 4)
        for at in possible.tolist():
            strength = self.kinds.plain[own + int(keys[at])]
            ways: NDArray[np.int32] | None = None
            for rank in np.flatnonzero(completions[:, at]).tolist():
                factor = self._ways[rank][int(seen[rank])][int(completions[rank, at])]
                ways = factor if ways is None else ways * factor
            if ways is None:
                ways = np.ones(number, np.int32)
            if strength < self.qualifier:
                unqualified += ways
            below[strength + 1 :] += ways[strength + 1 :]
            equal[strength] += ways[strength]
        return _Counts(*(count.astype(np.int64) for count in (unqualified, below, equal)))

    def _mixed_number(self, seen: NDArray[np.int32], *, suited: bool) -> Amounts:
        """Return the number of states for each kind with these ranks seen and not all in one suit."""
        held, kinds = self.kinds.held, self.kinds
        all_ways = np.ones(held.shape[1], np.int64)
        flush_ways = np.full(held.shape[1], UP_SUITS, np.int64)
        for rank, many in enumerate(seen.tolist()):
            all_ways *= self._choices[rank][many]
            if many:
                flush_ways *= np.where(held[rank] > 0, comb(3, many), comb(4, many))
        single = held.max(axis=0) == 1
        number = np.where(kinds.of_one_suit, flush_ways, all_ways - np.where(single, flush_ways, 0))
        if suited:
            mask = int((1 << np.arange(len(RANKS))) @ seen)
            ways = np.where(kinds.row_suited & mask, 0, kinds.row_ways)
            # Integers far below 2^53: bincount weighs in floating point and stays exact.
            number -= UP_SUITS * np.bincount(kinds.row_kind, weights=ways, minlength=len(number)).astype(np.int64)
        return number

    def _play_suited(self, seen: int, by_rank: _Counts) -> None:
        """Play the states in which the cards seen are of one suit."""
        kinds, kind, suited = self.kinds, self.kinds.row_kind, self.kinds.row_suited
        ways = np.where(suited & seen, 0, UP_SUITS * kinds.row_ways)
        flushes = self._flushes(seen)
        if self.seen == _HAND:
            self._play_known(flushes[0][2], ways)
            return
        unqualified = by_rank.unqualified[kind] + self._change(flushes, self.qualifier)[suited]
        below, equal = by_rank.below[kind], by_rank.equal[kind]
        changes: dict[tuple[int, ...], Amounts] = {}
        for rows, first in self._alike:
            # Pairs, two pairs and threes have the same place among straights and flushes; so do full houses and fours.
            moved = tuple((flush < first) - (plain < first) for _, plain, flush in flushes)
            if moved not in changes:
                changes[moved] = self._change(flushes, first)
            below[rows] += changes[moved][suited[rows]]
        strength, dead = kind[self._single], suited[self._single]
        less, same = np.zeros((2, len(dead)), np.int16)
        for mask, plain, flush in flushes:
            open_ = dead & mask == 0
            less += open_ & (strength > flush)
            less -= open_ & (strength > plain)
            same += open_ & (strength == flush)
            same -= open_ & (strength == plain)
        below[self._single] += less
        equal[self._single] += same
        self._play(kind, _Counts(unqualified, below, equal), ways, self._categories, self._row_plays, self._row_worth)

    def _play_known(self, flush: int, ways: Amounts) -> None:
        """Play the states in which all five of the dealer's cards are seen and are a flush."""
        every = np.arange(len(self.kinds.category))
        number = np.bincount(self.kinds.row_kind, weights=ways, minlength=len(every)).astype(np.int64)
        counts = _Counts(
            *(
                (count * np.ones_like(every)).astype(np.int64)
                for count in (flush < self.qualifier, every > flush, every == flush)
            )
        )
        starts = np.flatnonzero(np.diff(self.kinds.category, prepend=99))
        self._play(every, counts, number, starts, self._plays, self.worth)

    def _flushes(self, seen: int) -> list[tuple[int, int, int]]:
        """Return the completions in the suit seen: ranks as bits, strength by ranks, strength as a flush."""
        free = [rank for rank in range(len(RANKS)) if not seen >> rank & 1]
        completions = []
        for ranks in combinations(free, _HAND - self.seen):
            mask = sum(1 << rank for rank in ranks)
            five = mask | seen
            key = sum(int(_KEYS[rank]) for rank in range(len(RANKS)) if five >> rank & 1)
            completions.append((mask, self.kinds.plain[key], self.kinds.flush[five]))
        return completions

    def _change(self, flushes: list[tuple[int, int, int]], threshold: int) -> Amounts:
        """Return, by the ranks dead in the suit, what the flushes change in the number of hands below a strength."""
        table = np.zeros(_SETS, np.int64)
        for mask, plain, flush in flushes:
            table[mask] += (flush < threshold) - (plain < threshold)
        # Sums over all subsets of the ranks that are not dead.
        for rank in range(len(RANKS)):
            halves = table.reshape(-1, 2, 1 << rank)
            halves[:, 1] += halves[:, 0]
        return table[::-1]

    def _play(
        self,
        kind: Index,
        counts: _Counts,
        number: Amounts,
        categories: Index,
        plays: NDArray[np.bool_],
        each: Amounts,
    ) -> None:
        """Bet where that is worth more than a fold, and add up the deals; `categories` has each category's start."""
        below = np.where(plays, counts.below, counts.unqualified)
        equal = np.where(plays, counts.equal, 0)
        value = each[0] * counts.unqualified + each[1] * below + each[2] * equal + each[3]
        bet = np.where(value > self.fold, number, 0)
        self.states += int(number.sum())
        sums = [np.add.reduceat(bet * count, categories).tolist() for count in (1, counts.unqualified, below, equal)]
        for at, *more in zip(categories, *sums, strict=True):
            total = self._sums[int(self.kinds.category[kind[at]])]
            total[:] = [old + new for old, new in zip(total, more, strict=True)]
