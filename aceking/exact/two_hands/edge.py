"""The value of knowing the hand of one neighbour: exact, every deal of two hands and a dealer counted once.

A player who knows ten cards and the up-card leaves the dealer C(41, 4) hands. By ranks alone their counts depend on
the ten dead ranks, whichever hand holds them, and on the up-card's rank: 566,280 choices for each up-card. Suits change
only the dealer's flushes (`aceking.exact.stud.suited`), and the more so the fewer cards of the up-card's suit are dead.
The values with none and with all of them dead bound a bet, and decide most pairs of hands. The others are opened by
suits.

The book is first played with the up-card alone: a hand is bet if that is right for any suits, else folded. Each of
these deals stands for C(42, 5), one for each hand of the neighbour. Then every pair of hands that is played differently
is corrected: its deals are moved from a bet to a fold or back. Nearly all pairs can be skipped, because if the weakest
hand of a kind is bet, all are.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS, SUITS
from aceking.exact.arrays import Amounts, Index, Mask
from aceking.exact.figures import Edge
from aceking.exact.seen_cards import SeeingError, check_dealer
from aceking.exact.stud.counts import DealerRanks, Rank, StudCounts
from aceking.exact.stud.hands import Block, rank_choices
from aceking.exact.stud.money import common_denominator, nets
from aceking.exact.stud.play import StudResults, Worth
from aceking.exact.stud.rows import DEALER_HANDS, STATES, UP_SUITS, RowSpan, RowTally, stud_rows
from aceking.exact.stud.suited import DealerSuited, change_below, change_equal
from aceking.exact.two_hands.dead import ten_ranks
from aceking.exact.two_hands.suits import ANY, SuitPatterns, Ways, opened, suits_of
from aceking.rules.book import Book

_HAND, _HOLE = 5, 4
#: The hands that a neighbour may have once the player's and the dealer's are dealt, and before the dealer's are.
_EACH, _OTHERS = comb(42, _HAND), comb(46, _HAND)
#: The hands that are left for the dealer.
_LEFT = comb(41, _HOLE)
#: Pairs of hands that are compared together, and whose suits are summed together.
_BATCH, _SUMMED = 1 << 18, 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class HandKind:
    """Hands of one category and first rank, weakest first."""

    block: Block
    plays: bool
    alone: Mask  # by up-card's rank and hand: bet for any suits by a player who knows the up-card only
    weakest: Worth  # the lowest payout of this kind or any stronger one
    worth: Worth


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of hands: one is played, the other is known."""

    kind: HandKind
    own: Index  # the hand of the kind
    others: Index  # the place among all choices of five ranks
    columns: Index  # their ten ranks

    def where(self, chosen: NDArray[np.generic] | slice) -> "Pairs":
        """Return the chosen pairs."""
        return Pairs(self.kind, self.own[chosen], self.others[chosen], self.columns[chosen])

    @property
    def groups(self) -> tuple[Index, ...]:
        """The groups of the hands that are played."""
        return tuple(group[self.own] for group in self.kind.block.groups)

    def __len__(self) -> int:
        return len(self.own)


@dataclass(frozen=True, slots=True, eq=False)
class _Suited:
    """Pairs with suits of one pattern: their cards by rank, and the ways to give them such suits."""

    suits: SuitPatterns
    times: int  # how often they are counted; negative: subtracted
    pairs: Pairs
    own: StudCounts
    others: StudCounts
    number: Ways


def two_hands(book: Book, *, progress: Callable[[int, int], None] = lambda done, of: None) -> Edge:
    """Return the exact figures for a player who knows one more hand of the table and plays for the best.

    It takes a minute; `progress` is called after each rank of the up-card. Raises SeeingError and UnpricedError.
    """
    check_dealer(book)
    if book.bet.unlisted == "lost":
        where = f"{book.id}: {book.cite('bet.unlisted')}: bet.unlisted"
        raise SeeingError(f"{where}: two hands are counted where no winner loses the bet; one hand is counted")
    if book.ante.returned_from is not None:
        where = f"{book.id}: {book.cite('ante.returned_from')}: ante.returned_from"
        raise SeeingError(f"{where}: two hands are counted where a beaten ante is lost; one hand is counted")
    table = TwoHands(book)
    for up in range(len(RANKS)):
        UpRank(table, up).play()
        progress(up + 1, len(RANKS))
    deals = STATES * DEALER_HANDS * _EACH
    bets = Fraction(table.bets, STATES * _OTHERS)
    return Edge(
        book=book.id,
        deals=deals,
        outcomes={net: number for net, number in sorted(table.results.outcomes.items(), reverse=True) if number},
        decisions={"fold": 1 - bets, "bet": bets},
        risked=table.results.risked / deals,
    )


class TwoHands:
    """One book: its kinds of hands, and the results of all deals so far."""

    def __init__(self, book: Book) -> None:
        assert book.dealer is not None, f"{book.id} has no dealer's hand"
        self.ace_low = book.hands.ace_low
        self.qualifier = book.dealer.qualifies_with
        self.suited = DealerSuited(ace_low=self.ace_low, dead_max=2 * _HAND)
        self.others = rank_choices(_HAND)
        self.results, self.bets = StudResults(), 0
        self._money = nets(book)
        self._scale = common_denominator(self._money)
        assert min(self._money.win.values()) >= self._money.tie >= self._money.lose, "a stronger hand is worth no less"
        #: The kinds of hands, weakest first.
        self.kinds = [kind for rows in stud_rows(self.qualifier, ace_low=self.ace_low).all for kind in self._play(rows)]
        self.results.add_folds(self._money, (STATES - self.bets) * DEALER_HANDS)
        self.results.times(_EACH)
        self.bets *= _OTHERS

    def move(self, kind: HandKind, states: int, counts: list[int]) -> None:
        """Move states from a fold to a bet, with these counts of dealer's hands; negative numbers move them back."""
        deals = UP_SUITS * states * _LEFT
        unqualified, below, equal = (UP_SUITS * count for count in counts)
        category = kind.block.category
        self.results.add_bets(self._money, category, deals=deals, unqualified=unqualified, below=below, equal=equal)
        self.results.add_folds(self._money, -deals)
        self.bets += UP_SUITS * states

    def _play(self, rows: RowSpan) -> Iterator[HandKind]:
        """Play rows with the up-card alone, and yield them split by their first rank."""
        category = rows.block.category
        worth = Worth.of(self._money, category, plays=rows.plays, hands=DEALER_HANDS, scale=self._scale)
        counts = rows.unqualified, rows.below, rows.equal
        alone = worth.bounds(*counts)[0] > worth.fold
        states = UP_SUITS * int(rows.states[alone].sum(dtype=np.int64))
        unqualified, below, equal = (UP_SUITS * int(tally.total[alone].sum(dtype=np.int64)) for tally in counts)
        self.results.add_bets(
            self._money,
            category,
            deals=states * DEALER_HANDS,
            unqualified=unqualified,
            below=below,
            equal=equal,
        )
        self.bets += states
        least = min((row for row in self._money.win if row >= category), key=self._money.win.__getitem__)
        kept, weakest = (
            Worth.of(self._money, row, plays=rows.plays, hands=_LEFT, scale=self._scale) for row in (category, least)
        )
        first = rows.block.groups[0]
        cuts = [0, *(np.flatnonzero(np.diff(first)) + 1), len(first)] if rows.plays else [0, len(first)]
        for start, stop in pairwise(cuts):
            yield HandKind(rows.block.part(start, stop), rows.plays, alone[:, start:stop], weakest, kept)


class UpRank:
    """All pairs of hands against up-cards of one rank."""

    def __init__(self, table: TwoHands, up: int) -> None:
        self._table = table
        self._up = up
        self._ten = ten_ranks()
        every = np.arange(self._ten.width)
        self._ups = np.full(self._ten.width, up, np.intp)
        live = len(SUITS) - self._ten.dead
        self._possible = live[up] > 0
        live[up] -= self._possible
        self._dealer = DealerRanks(self._ups, live, ace_low=table.ace_low)
        dead = np.zeros(self._ten.width, np.intp)
        for rank in range(len(RANKS)):
            dead |= (self._ten.dead[rank] > 0).astype(np.intp) << rank
        #: The columns of the dealer's hands of one suit if none of that suit is dead, and if all ranks held are.
        self._bare, self._full = (table.suited.columns(self._ups, bits) for bits in (np.zeros_like(dead), dead))
        qualifier = table.qualifier.category, table.qualifier.ranks
        self._unqualified = self._dealer.below(*qualifier, every)
        ranks = table.suited.ranks
        self._unqualified_change = change_below(ranks, *qualifier, np.arange(ranks.width))
        self._nothing = np.zeros(self._ten.width, np.int32)

    def play(self) -> None:
        """Correct every pair that is played differently than with the up-card alone."""
        for pairs in self.doubtful():
            self.decide(pairs)

    def doubtful(self) -> Iterator[Pairs]:
        """Yield the pairs that may be played differently, many at a time."""
        kinds = self._table.kinds
        for place, kind in enumerate(kinds):
            least = self._bounds(kind, self._every(kind, 0), kind.weakest)[0]
            may_fold = self._possible & (least <= kind.worth.fold)
            if kind.plays and not may_fold.any() and all(each.alone[self._up].all() for each in kinds[place:]):
                return  # all of them are bet, and so are all stronger ones
            most = self._bounds(kind, self._every(kind, -1), kind.worth)[1]
            may_bet = self._possible & (most > kind.worth.fold)
            yield from self._pairs(kind, may_fold=may_fold, may_bet=may_bet)

    def _every(self, kind: HandKind, hand: int) -> tuple[tuple[Rank, ...], Index]:
        return tuple(int(group[hand]) for group in kind.block.groups), np.arange(self._ten.width)

    def _pairs(self, kind: HandKind, *, may_fold: Mask, may_bet: Mask) -> Iterator[Pairs]:
        alone = kind.alone[self._up]
        may = np.stack([may_bet, may_fold])
        wanted = np.flatnonzero(np.where(alone, may_fold.any(), may_bet.any()))
        step = _BATCH // self._table.others.shape[1]
        for start in range(0, len(wanted), step):
            own = wanted[start : start + step]
            columns = self._ten.columns(kind.block.held[:, own], self._table.others)
            doubtful = may[alone[own].astype(np.intp)[:, None], np.maximum(columns, 0)] & (columns >= 0)
            row, others = np.nonzero(doubtful)
            yield Pairs(kind, own[row], others, columns[row, others].astype(np.intp))

    def decide(self, pairs: Pairs) -> None:
        """Play pairs for the best, and move the deals of those that are played differently."""
        kind = pairs.kind
        least, most = self._bounds(kind, (pairs.groups, pairs.columns), kind.worth)
        alone = kind.alone[self._up, pairs.own]
        bets, folds = least > kind.worth.fold, most <= kind.worth.fold
        self._sum(pairs.where(bets & ~alone), 1)
        self._sum(pairs.where(folds & alone), -1)
        unsure = ~bets & ~folds
        self._open(pairs.where(unsure & ~alone), 1)
        self._open(pairs.where(unsure & alone), -1)

    # --- counts ---

    def _by_rank(
        self, kind: HandKind, groups: tuple[Rank, ...], columns: Index
    ) -> tuple[StudCounts, StudCounts, StudCounts]:
        unqualified = self._unqualified.take(columns)
        if not kind.plays:
            return unqualified, unqualified, self._nothing[: len(columns)]
        category = kind.block.category
        below, equal = (count(category, groups, columns) for count in (self._dealer.below, self._dealer.equal))
        return unqualified, below, equal

    def _bounds(self, kind: HandKind, hands: tuple[tuple[Rank, ...], Index], worth: Worth) -> tuple[Amounts, Amounts]:
        """Return the least and the most that a bet is worth, for any suits."""
        groups, columns = hands
        by_rank = self._by_rank(kind, groups, columns)
        bare, full = (self._change(kind, groups, at.take(columns)) for at in (self._bare, self._full))
        tallies = (
            RowTally(count, count + none, count + every, count)
            for count, none, every in zip(by_rank, bare, full, strict=True)
        )
        return worth.bounds(*tallies)

    def _change(self, kind: HandKind, groups: tuple[Rank, ...], at: Index) -> tuple[StudCounts, StudCounts, StudCounts]:
        """Return what suits change; `at` says which ranks are dead in the up-card's suit."""
        unqualified = self._unqualified_change.take(at)
        if not kind.plays:
            return unqualified, unqualified, self._nothing[:1]
        ranks, category = self._table.suited.ranks, kind.block.category
        return (
            unqualified,
            change_below(ranks, category, groups, at),
            change_equal(ranks, category, groups, at),
        )

    # --- suits ---

    def _suits(self, pairs: Pairs) -> Iterator[_Suited]:
        """Yield the suits that the pairs may have: any, minus those of one suit if a flush is another category."""
        held, known = pairs.kind.block.held, self._table.others
        for suits, times in suits_of(pairs.kind.block.category):
            chosen, number = pairs, suits.number(self._up, held[:, pairs.own], known[:, pairs.others])
            if suits is ANY and not pairs.kind.plays:
                # Hands that win nothing are worth the same, and here only the ten ranks count: one pair for all.
                columns, first, which = np.unique(pairs.columns, return_index=True, return_inverse=True)
                chosen, number = pairs.where(first), _added(which, number, len(columns))
            for start in range(0, len(chosen), _SUMMED):
                part = chosen.where(slice(start, start + _SUMMED))
                cards = held[:, part.own], known[:, part.others]
                yield _Suited(suits, times, part, *cards, number[start : start + _SUMMED])

    def _sum(self, pairs: Pairs, sign: int) -> None:
        """Move pairs that are played alike for any suits: to a bet, or with -1 to a fold."""
        kind, category = pairs.kind, pairs.kind.block.category
        qualifier = self._table.qualifier
        for suited in self._suits(pairs):
            every = np.arange(len(suited.pairs))
            live = suited.suits.live[suited.own, suited.others]
            ranks = DealerRanks(self._ups[: len(every)], live, ace_low=self._table.ace_low)
            unqualified = change_below(ranks, qualifier.category, qualifier.ranks, every)
            changes = [unqualified, unqualified, 0 * unqualified]
            if kind.plays:
                groups = suited.pairs.groups
                changes[1:] = (change_in(ranks, category, groups, every) for change_in in (change_below, change_equal))
            sums = []
            by_rank = self._by_rank(kind, suited.pairs.groups, suited.pairs.columns)
            for count, change in zip(by_rank, changes, strict=True):
                changed, rest = np.divmod(suited.number * change, suited.suits.parts**_HOLE)
                assert not rest.any(), "suits move whole hands"
                sums.append(sign * suited.times * int((suited.number * count + changed).sum()))
            self._table.move(kind, sign * suited.times * int(suited.number.sum()), sums)

    def _open(self, pairs: Pairs, sign: int) -> None:
        """Move those suits of pairs that are played differently."""
        kind, worth = pairs.kind, pairs.kind.worth
        for suited in self._suits(pairs):
            by_rank = self._by_rank(kind, suited.pairs.groups, suited.pairs.columns)
            for at, dead, ways in opened(suited.suits, self._up, suited.own, suited.others, suited.number):
                groups = tuple(group.take(at) for group in suited.pairs.groups)
                changes = self._change(kind, groups, self._table.suited.columns(self._ups[:1], dead))
                counts = [count.take(at) + change for count, change in zip(by_rank, changes, strict=True)]
                value = worth(*counts)
                moved = np.where(value > worth.fold if sign > 0 else value <= worth.fold, ways, 0)
                sums = [sign * suited.times * int((moved * count).sum()) for count in counts]
                self._table.move(kind, sign * suited.times * int(moved.sum()), sums)


def _added(which: Index, number: Ways, length: int) -> Ways:
    """Return sums by place; all stay far below 2**53, so floating point adds them exactly."""
    return np.bincount(which, weights=number, minlength=length).astype(np.int64)
