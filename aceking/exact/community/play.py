"""What every decision of every hand nets at a pay table, the best of them, and the deals that follow from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from aceking.cards.three import Instant
from aceking.exact.community.counts import COMMUNITIES, Counts, counts
from aceking.exact.community.hands import HANDS, Hands, hands
from aceking.exact.community.kinds import Kinds, Whole
from aceking.exact.figures import Edge
from aceking.rules.book import Book

#: Exact whole numbers: machine words where they suffice, else Python's own.
Exact = NDArray[np.int64] | NDArray[np.object_]
Allowed = NDArray[np.bool_]

#: The decisions as columns. Of equal ones the first is taken: it puts down less, and lays aside the lower card.
DECLARE, FOLD = 0, 1
STAY, BET = slice(2, 5), slice(5, 8)
DECISIONS = ("declare", "fold", "stay", "stay", "stay", "bet", "bet", "bet")

_WORD = 2**62


@dataclass(frozen=True, slots=True)
class Nets:
    """What a wager nets, in antes, by decision; by kind of final hand where cards are still to come."""

    bet: tuple[Fraction, ...]
    stay: tuple[Fraction, ...] | None  # None: the book does not allow it
    fold: Fraction | None
    declare: Mapping[Instant, Fraction]

    def plus(self, other: "Nets", *, times: Fraction) -> "Nets":
        """Both wagers together, the other at so many antes."""

        def together(first: Sequence[Fraction], second: Sequence[Fraction]) -> tuple[Fraction, ...]:
            return tuple(one + times * two for one, two in zip(first, second, strict=True))

        return Nets(
            bet=together(self.bet, other.bet),
            stay=None if self.stay is None or other.stay is None else together(self.stay, other.stay),
            fold=None if self.fold is None or other.fold is None else self.fold + times * other.fold,
            declare={which: net + times * other.declare[which] for which, net in self.declare.items()},
        )

    def all(self) -> list[Fraction]:
        """Every amount that can come of it."""
        fold = [] if self.fold is None else [self.fold]
        return [*self.bet, *(self.stay or ()), *fold, *self.declare.values()]


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """The deals of a book, as far as they do not depend on its pays."""

    counts: Counts
    hands: Hands
    instants: Mapping[int, Instant]

    @property
    def kinds(self) -> Kinds:
        """The kinds of final hands that the book's thresholds part."""
        return self.counts.kinds


def game(book: Book) -> Game:
    """The deals of a book; made once for each set of thresholds and rules about the ace."""
    if book.paytable is None:
        raise ValueError(f"{book.id} is played against a dealer, not against a pay table")
    thresholds = [book.paytable.wins_with, book.paytable.pushes_with]
    if book.bonus is not None:
        thresholds.append(book.bonus.pushes_with)
    kinds = Kinds.of(thresholds, ace_low=book.hands.ace_low)
    return _game(kinds, None if book.instant is None else book.instant.ace_low)


@lru_cache(maxsize=16)
def _game(kinds: Kinds, instant_ace_low: bool | None) -> Game:
    found = {} if instant_ace_low is None else dict(hands().instants(ace_low=instant_ace_low))
    return Game(counts(kinds), hands(), found)


def scale(*nets: Nets) -> int:
    """The least number that makes all amounts whole."""
    return lcm(*(amount.denominator for each in nets for amount in each.all()))


def worth(deals: Game, nets: Nets, unit: int) -> Exact:
    """The value of each decision (a column) of each hand (a row): antes times `unit`, summed over the communities."""
    largest = max(abs(amount) for amount in nets.all()) * unit * COMMUNITIES
    wide = largest >= _WORD
    table = _whole([0], wide=wide) * np.zeros((len(deals.hands.deals), len(DECISIONS)), np.int64)
    for columns, by_kind in ((BET, nets.bet), (STAY, nets.stay)):
        if by_kind is not None:
            nets_whole = _whole([int(net * unit) for net in by_kind], wide=wide)
            table[:, columns] = (deals.counts.table @ nets_whole)[deals.hands.states]
    if nets.fold is not None:
        table[:, FOLD] = int(nets.fold * unit) * COMMUNITIES
    for row, which in deals.instants.items():
        table[row, DECLARE] = int(nets.declare[which] * unit) * COMMUNITIES
    return table


def _whole(numbers: Sequence[int], *, wide: bool) -> Exact:
    return np.array(numbers, np.object_) if wide else np.array(numbers, np.int64)


def open_to(deals: Game, nets: Nets) -> Allowed:
    """Which decisions each hand has."""
    table = np.zeros((len(deals.hands.deals), len(DECISIONS)), np.bool_)
    table[:, BET] = True
    table[:, STAY] = nets.stay is not None
    table[:, FOLD] = nets.fold is not None
    table[list(deals.instants), DECLARE] = True
    return table


def best(values: Exact, allowed: Allowed) -> Allowed:
    """The decisions of each hand that are worth the most among those allowed."""
    lowest = np.where(allowed, values, values.min() - 1)
    chosen: Allowed = allowed & (lowest == lowest.max(axis=1, keepdims=True))
    return chosen


@dataclass(frozen=True, slots=True)
class Tally:
    """What one way of playing all hands leads to, in deals."""

    bet: tuple[int, ...]  # by kind of final hand
    stay: tuple[int, ...]
    fold: int
    declare: Mapping[Instant, int]

    def edge(self, book: Book, nets: Nets, *, ante: Fraction = Fraction(1), bet: Fraction) -> Edge:
        """The figures of a wager that nets so much, where so many antes are put down at once and with a bet."""
        outcomes: dict[Fraction, int] = {}
        paid = [*zip(nets.bet, self.bet, strict=True), *zip(nets.stay or (), self.stay, strict=False)]
        paid += [(nets.declare[which], number) for which, number in self.declare.items() if number]
        if nets.fold is not None:
            paid.append((nets.fold, self.fold))
        for net, number in paid:
            if number:
                outcomes[net] = outcomes.get(net, 0) + number
        deals = HANDS * COMMUNITIES
        share = {"bet": sum(self.bet), "stay": sum(self.stay), "fold": self.fold, "declare": sum(self.declare.values())}
        decisions = {name: Fraction(number, deals) for name, number in share.items() if number}
        risked = ante + bet * decisions.get("bet", Fraction(0))
        return Edge(book.id, deals, dict(sorted(outcomes.items(), reverse=True)), decisions, risked)


def tally(deals: Game, chosen: Whole) -> Tally:
    """The deals that follow when each hand takes the decision of its column."""

    def by_kind(columns: slice) -> tuple[int, ...]:
        rows = np.flatnonzero((chosen >= columns.start) & (chosen < columns.stop))
        kept = deals.hands.states[rows, chosen[rows] - columns.start]
        # At most 407,170,400 deals: far inside a machine word.
        return tuple(int(total) for total in deals.hands.deals[rows] @ deals.counts.table[kept])

    declared: dict[Instant, int] = dict.fromkeys(Instant, 0)
    for row, which in deals.instants.items():
        if chosen[row] == DECLARE:
            declared[which] += int(deals.hands.deals[row]) * COMMUNITIES
    folded = int(deals.hands.deals[chosen == FOLD].sum()) * COMMUNITIES
    return Tally(by_kind(BET), by_kind(STAY), folded, declared)
