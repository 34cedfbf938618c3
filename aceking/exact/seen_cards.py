"""What it is worth to see several of the dealer's cards: exact, every deal counted once.

A player sees his five cards and k of the dealer's; the other 5 - k may be any of the 47 - k cards that are left. Leave
flushes aside and only ranks matter: for each choice of k ranks seen and of five ranks in hand, the ranks that complete
the dealer's hand come in a product of binomials of ways, and stand below, at or above the player's hand. All 7,462
kinds of hands are counted at once, for each choice of ranks that are seen and that complete them.

The dealer can have a flush only if the cards seen are of one suit. Then the completions in that suit are moved from
where their ranks alone would put them to where they belong, unless the player holds one of them: so such states are
parted further by the ranks that the player holds in that suit. With one card seen it is always so, and the figures are
those of the book's edge; with five nothing is left to chance. Both are known otherwise, and tests compare them.
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
from aceking.exact.figures import Edge
from aceking.exact.stud.hands import blocks, rank_choices
from aceking.exact.stud.money import Nets, common_denominator, nets
from aceking.exact.stud.play import Results, Worth
from aceking.exact.stud.rows import FLUSHES, UP_SUITS
from aceking.exact.unpriced import check_one_size, check_rows
from aceking.rules.book import Book

_HAND = 5
_SETS = 1 << len(RANKS)
_KEYS = 5 ** np.arange(len(RANKS))
#: Hands whose place below the dealer's flushes and straights is not the same for all of their category.
_SINGLE = (Category.HIGH_CARD, Category.STRAIGHT, *FLUSHES)

Amounts = NDArray[np.int64]
Index = NDArray[np.intp]


class SeeingError(ValueError):
    """The question has no answer here; the message says why."""


def seeing(book: Book, *, dealer_cards: int) -> Edge:
    """The exact figures for a player who sees so many of the dealer's cards, one to five, and plays for the best."""
    check_dealer(book)
    if not 1 <= dealer_cards <= _HAND:
        raise SeeingError(f"a dealer has one to five cards to be seen, not {dealer_cards}")
    return _Seeing(book, dealer_cards).edge()


def check_dealer(book: Book) -> None:
    """Refuses books for which seeing more is not counted."""
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
    """All kinds of hands, a column each, weakest first, so that a column's number is the strength of its hands."""

    held: NDArray[np.int32]  # 13 rows: cards of each rank
    category: NDArray[np.uint8]
    of_one_suit: NDArray[np.bool_]
    ranks: Index  # as bits
    plain: dict[int, int]  # by choice of five ranks: the strength in mixed suits
    flush: dict[int, int]  # by bits of five ranks: the strength in one suit
    # Rows: a kind and the ranks that are held in one given suit, as bits, and in how many ways.
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
    """Dealer's hands that do not qualify, are below the player's and equal to it, one entry for each state."""

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
        self.money: Nets = nets(book)
        self.results = Results()
        self.states = 0
        self.bets = 0
        self._worths()
        held = self.kinds.held
        take = np.array([[comb(n, m) for n in range(5)] for m in range(_HAND)], np.int32)
        both = np.array([[comb(4, s) * comb(4 - s, h) for h in range(5)] for s in range(5)], np.int64)
        #: By rank and cards of it that are seen: the choices of suits for them and for those in hand, for each kind.
        self._choices = [[both[s][held[rank]] for s in range(5)] for rank in range(len(RANKS))]
        self._sums: dict[int, list[int]] = {int(category): [0, 0, 0, 0] for category in Category}
        #: By rank, cards of it that are seen, and cards that complete the dealer's hand: the ways, for each kind.
        self._ways = [
            [[take[m][np.maximum(4 - s - held[rank], 0)] for m in range(_HAND)] for s in range(5)]
            for rank in range(len(RANKS))
        ]
        self._plays = np.arange(len(self.kinds.category)) >= self.qualifier
        row_category = self.kinds.category[self.kinds.row_kind]
        self._categories = np.flatnonzero(np.diff(row_category, prepend=99))
        # Below the qualifier only that threshold counts.
        self._single = np.flatnonzero(np.isin(row_category, _SINGLE) & self._plays[self.kinds.row_kind])
        self._row_plays = self._plays[self.kinds.row_kind]
        self._row_worth = self.worth[:, self.kinds.row_kind]
        #: The rows of a category, and the strength of its first kind, where that alone counts.
        self._alike = [
            (slice(int(rows[0]), int(rows[-1]) + 1), int(self.kinds.row_kind[rows].min()))
            for category in Category
            if category not in _SINGLE
            for rows in [np.flatnonzero(row_category == category)]
        ]

    def _worths(self) -> None:
        """The value of a bet is linear in three counts; the four numbers of that, for each kind."""
        scale = common_denominator(self.money)
        worths = {}
        for category in Category:
            for plays in (False, True):
                worths[category, plays] = Worth.of(self.money, category, plays=plays, hands=self.hands, scale=scale)
        kinds = [worths[Category(c), at >= self.qualifier] for at, c in enumerate(self.kinds.category.tolist())]
        self.fold = kinds[0].fold
        self.worth = np.array([(one.unqualified, one.below, one.equal, one.constant) for one in kinds], np.int64).T

    def edge(self) -> Edge:
        """All choices of ranks that are seen, and all suits of them."""
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
        """The dealer's hands against each kind, suits aside."""
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
        """For each kind: how many states with these ranks seen, if not in one suit."""
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
            # Whole numbers far below 2^53: bincount weighs in floating point and stays exact.
            number -= UP_SUITS * np.bincount(kinds.row_kind, weights=ways, minlength=len(number)).astype(np.int64)
        return number

    def _play_suited(self, seen: int, by_rank: _Counts) -> None:
        """The states in which the cards seen are of one suit."""
        kinds, kind, suited = self.kinds, self.kinds.row_kind, self.kinds.row_suited
        ways = np.where(suited & seen, 0, UP_SUITS * kinds.row_ways)
        made = self._flushes(seen)
        if self.seen == _HAND:
            self._play_known(made[0][2], ways)
            return
        unqualified = by_rank.unqualified[kind] + self._change(made, self.qualifier)[suited]
        below, equal = by_rank.below[kind], by_rank.equal[kind]
        changes: dict[tuple[int, ...], Amounts] = {}
        for rows, first in self._alike:
            # Pairs, two pairs and threes stand alike among straights and flushes; so do full houses and fours.
            moved = tuple((flush < first) - (plain < first) for _, plain, flush in made)
            if moved not in changes:
                changes[moved] = self._change(made, first)
            below[rows] += changes[moved][suited[rows]]
        strength, dead = kind[self._single], suited[self._single]
        less, same = np.zeros((2, len(dead)), np.int16)
        for mask, plain, flush in made:
            open_ = dead & mask == 0
            less += open_ & (strength > flush)
            less -= open_ & (strength > plain)
            same += open_ & (strength == flush)
            same -= open_ & (strength == plain)
        below[self._single] += less
        equal[self._single] += same
        self._play(kind, _Counts(unqualified, below, equal), ways, self._categories, self._row_plays, self._row_worth)

    def _play_known(self, flush: int, ways: Amounts) -> None:
        """The dealer's flush lies open: what the player holds of its suit changes nothing."""
        every = np.arange(len(self.kinds.category))
        number = np.bincount(self.kinds.row_kind, weights=ways, minlength=len(every)).astype(np.int64)
        counts = _Counts(
            *(
                (one * np.ones_like(every)).astype(np.int64)
                for one in (flush < self.qualifier, every > flush, every == flush)
            )
        )
        starts = np.flatnonzero(np.diff(self.kinds.category, prepend=99))
        self._play(every, counts, number, starts, self._plays, self.worth)

    def _flushes(self, seen: int) -> list[tuple[int, int, int]]:
        """Completions in the suit of the cards seen: their ranks as bits, and the strengths by rank and as a flush."""
        free = [rank for rank in range(len(RANKS)) if not seen >> rank & 1]
        found = []
        for ranks in combinations(free, _HAND - self.seen):
            mask = sum(1 << rank for rank in ranks)
            five = mask | seen
            key = sum(int(_KEYS[rank]) for rank in range(len(RANKS)) if five >> rank & 1)
            found.append((mask, self.kinds.plain[key], self.kinds.flush[five]))
        return found

    def _change(self, made: list[tuple[int, int, int]], threshold: int) -> Amounts:
        """By the ranks that are dead in the suit: what the flushes change in the number below a strength."""
        table = np.zeros(_SETS, np.int64)
        for mask, plain, flush in made:
            table[mask] += (flush < threshold) - (plain < threshold)
        # Sums over all subsets; what is not dead is the set to take subsets of.
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
        """Bets wherever that is worth more than a fold, and adds the deals; `categories` is where each begins."""
        below = np.where(plays, counts.below, counts.unqualified)
        equal = np.where(plays, counts.equal, 0)
        value = each[0] * counts.unqualified + each[1] * below + each[2] * equal + each[3]
        bet = np.where(value > self.fold, number, 0)
        self.states += int(number.sum())
        sums = [np.add.reduceat(bet * count, categories).tolist() for count in (1, counts.unqualified, below, equal)]
        for at, *more in zip(categories, *sums, strict=True):
            total = self._sums[int(self.kinds.category[kind[at]])]
            total[:] = [one + other for one, other in zip(total, more, strict=True)]
