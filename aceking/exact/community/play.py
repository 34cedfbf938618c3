"""Play against a pay table: the net result of every decision of every hand, the best decision, and its deals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import CardId
from aceking.cards.hand import HandRank
from aceking.cards.three import Instant
from aceking.exact.community import boards
from aceking.exact.community.boards import Shape
from aceking.exact.community.counts import CommunityCounts, counts, kept_states
from aceking.exact.community.hands import CommunityHands, hands, hands_of
from aceking.exact.community.kinds import CommunityKinds, WholeNumbers
from aceking.exact.figures import Edge
from aceking.rules.book import Book

#: Exact integers: 64-bit if they suffice, else Python's own.
Exact = NDArray[np.int64] | NDArray[np.object_]
Allowed = NDArray[np.bool_]

#: The columns of the decisions; then follow a stay and a bet with each way to lay cards aside. Of equal decisions the
#: first is taken: it stakes less, and lays aside the lower card.
DECLARE, FOLD = 0, 1
_GOES_ON = 2

#: The shape that `counts` counts quickly, with ranks and suits separated.
TWO_OF_THREE = Shape(3, 3, 1)

_WORD = 2**62
#: Python's integers are multiplied this many rows at a time, because they take much memory.
_ROWS = 1 << 16


@dataclass(frozen=True, slots=True)
class CommunityNets:
    """The net result of a wager in antes, by decision; by kind of final hand if cards are still to come."""

    bet: tuple[Fraction, ...]
    stay: tuple[Fraction, ...] | None  # None: the book does not allow it
    fold: Fraction | None
    declare: Mapping[Instant, Fraction]

    def plus(self, other: "CommunityNets", *, times: Fraction) -> "CommunityNets":
        """Return the net result of both wagers together, with `times` antes on the other."""

        def together(first: Sequence[Fraction], second: Sequence[Fraction]) -> tuple[Fraction, ...]:
            return tuple(own + times * more for own, more in zip(first, second, strict=True))

        return CommunityNets(
            bet=together(self.bet, other.bet),
            stay=None if self.stay is None or other.stay is None else together(self.stay, other.stay),
            fold=None if self.fold is None or other.fold is None else self.fold + times * other.fold,
            declare={which: net + times * other.declare[which] for which, net in self.declare.items()},
        )

    def all(self) -> list[Fraction]:
        """Return every possible amount."""
        fold = [] if self.fold is None else [self.fold]
        return [*self.bet, *(self.stay or ()), *fold, *self.declare.values()]


@dataclass(frozen=True, slots=True, eq=False)
class CommunityPlay:
    """The deals of a book, as far as they do not depend on its pays."""

    shape: Shape
    counts: CommunityCounts
    hands: CommunityHands
    instants: Mapping[int, Instant]

    @property
    def kinds(self) -> CommunityKinds:
        """The kinds of final hands that the book's thresholds distinguish."""
        return self.counts.kinds

    @property
    def stay(self) -> slice:
        return slice(_GOES_ON, _GOES_ON + len(self.shape.aside))

    @property
    def bet(self) -> slice:
        return slice(self.stay.stop, self.stay.stop + len(self.shape.aside))

    def decision(self, column: int) -> str:
        """Return the name of the decision, without the cards laid aside."""
        if column < _GOES_ON:
            return ("declare", "fold")[column]
        return "stay" if column < self.bet.start else "bet"

    def aside(self, column: int) -> tuple[int, ...]:
        """Return the places, among rising cards, of the cards that a decision lays aside."""
        return self.shape.aside[(column - _GOES_ON) % len(self.shape.aside)] if column >= _GOES_ON else ()

    def rows(self, hand: Sequence[CardId]) -> WholeNumbers | boards.CountTable:
        """Return how many boards make each kind for one hand of rising cards, by way to lay cards aside."""
        cards = np.array([hand], np.int64)
        if self.shape == TWO_OF_THREE:
            quick: WholeNumbers = self.counts.table[kept_states(cards)[0]]
            return quick
        counted: boards.CountTable = boards.rows(self.kinds, self.shape, cards)[0]
        return counted


def game(book: Book) -> CommunityPlay:
    """Return the deals of a book, cached by thresholds and rules about the ace. ValueError if it has no pay table."""
    if book.paytable is None:
        raise ValueError(f"{book.id} is played against a dealer, not against a pay table")
    thresholds = [book.paytable.wins_with, book.paytable.pushes_with]
    if book.bonus is not None:
        thresholds.append(book.bonus.pushes_with)
    for side in book.sides.values():
        if side.cards == "own-and-community":
            thresholds += [cut for cut in (side.pays_from, side.returned_from) if isinstance(cut, HandRank)]
    kinds = CommunityKinds.of(thresholds, ace_low=book.hands.ace_low)
    shape = Shape(book.hands.cards, book.hands.community, book.hands.discards)
    ace_low = None if book.instant is None else book.instant.ace_low
    return _game(kinds, ace_low) if shape == TWO_OF_THREE else _board_game(shape, kinds, ace_low)


@lru_cache(maxsize=16)
def _game(kinds: CommunityKinds, instant_ace_low: bool | None) -> CommunityPlay:
    return CommunityPlay(TWO_OF_THREE, counts(kinds), hands(), _instants(hands(), instant_ace_low))


@lru_cache(maxsize=2)  # the largest takes 80 megabytes
def _board_game(shape: Shape, kinds: CommunityKinds, instant_ace_low: bool | None) -> CommunityPlay:
    every = hands_of(shape.cards, ways=len(shape.aside))
    table = boards.rows(kinds, shape, every.cards).reshape(-1, len(kinds.starts))
    return CommunityPlay(shape, CommunityCounts(kinds, table), every, _instants(every, instant_ace_low))


def _instants(every: CommunityHands, ace_low: bool | None) -> dict[int, Instant]:
    return {} if ace_low is None else dict(every.instants(ace_low=ace_low))


def scale(*nets: CommunityNets) -> int:
    """Return the smallest factor that makes all amounts integers."""
    return lcm(*(amount.denominator for each in nets for amount in each.all()))


def worth(deals: CommunityPlay, nets: CommunityNets, unit: int) -> Exact:
    """Return the value of each decision (a column) of each hand (a row): antes times `unit`, summed over the boards."""
    boards_of = deals.shape.boards
    largest = max(abs(amount) for amount in nets.all()) * unit * boards_of
    wide = largest >= _WORD
    table = _whole([0], wide=wide) * np.zeros((len(deals.hands.deals), deals.bet.stop), np.int64)
    for columns, by_kind in ((deals.bet, nets.bet), (deals.stay, nets.stay)):
        if by_kind is not None:
            nets_whole = _whole([int(net * unit) for net in by_kind], wide=wide)
            table[:, columns] = _times(deals.counts.table, nets_whole)[deals.hands.states]
    if nets.fold is not None:
        table[:, FOLD] = int(nets.fold * unit) * boards_of
    for row, which in deals.instants.items():
        table[row, DECLARE] = int(nets.declare[which] * unit) * boards_of
    return table


def _times(table: WholeNumbers | boards.CountTable, nets: Exact) -> Exact:
    parts = [table[first : first + _ROWS] @ nets for first in range(0, len(table), _ROWS)]
    total: Exact = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return total


def _whole(numbers: Sequence[int], *, wide: bool) -> Exact:
    return np.array(numbers, np.object_) if wide else np.array(numbers, np.int64)


def open_to(deals: CommunityPlay, nets: CommunityNets) -> Allowed:
    """Return which decisions each hand has."""
    table = np.zeros((len(deals.hands.deals), deals.bet.stop), np.bool_)
    table[:, deals.bet] = True
    table[:, deals.stay] = nets.stay is not None
    table[:, FOLD] = nets.fold is not None
    table[list(deals.instants), DECLARE] = True
    return table


def best(values: Exact, allowed: Allowed) -> Allowed:
    """Return the decisions of each hand that are worth the most among those allowed."""
    lowest = np.where(allowed, values, values.min() - 1)
    chosen: Allowed = allowed & (lowest == lowest.max(axis=1, keepdims=True))
    return chosen


@dataclass(frozen=True, slots=True)
class CommunityTally:
    """The deals that follow from one way of playing all hands."""

    shape: Shape
    bet: tuple[int, ...]  # by kind of final hand
    stay: tuple[int, ...]
    fold: int
    declare: Mapping[Instant, int]

    def edge(self, book: Book, nets: CommunityNets, *, ante: Fraction = Fraction(1), bet: Fraction) -> Edge:
        """Return the figures of a wager with these net results; `ante` and `bet` are the chips staked, in antes."""
        outcomes: dict[Fraction, int] = {}
        paid = [*zip(nets.bet, self.bet, strict=True), *zip(nets.stay or (), self.stay, strict=False)]
        paid += [(nets.declare[which], number) for which, number in self.declare.items() if number]
        if nets.fold is not None:
            paid.append((nets.fold, self.fold))
        for net, number in paid:
            if number:
                outcomes[net] = outcomes.get(net, 0) + number
        deals = self.shape.hands * self.shape.boards
        share = {"bet": sum(self.bet), "stay": sum(self.stay), "fold": self.fold, "declare": sum(self.declare.values())}
        decisions = {name: Fraction(number, deals) for name, number in share.items() if number}
        risked = ante + bet * decisions.get("bet", Fraction(0))
        return Edge(book.id, deals, dict(sorted(outcomes.items(), reverse=True)), decisions, risked)


def tally(deals: CommunityPlay, chosen: WholeNumbers) -> CommunityTally:
    """Return the deals that follow if each hand takes the decision of its column."""

    def by_kind(columns: slice) -> tuple[int, ...]:
        rows = np.flatnonzero((chosen >= columns.start) & (chosen < columns.stop))
        kept = deals.hands.states[rows, chosen[rows] - columns.start]
        # At most about 4,700,000,000 deals: far below 2**63.
        return tuple(int(total) for total in deals.hands.deals[rows] @ deals.counts.table[kept])

    declared: dict[Instant, int] = dict.fromkeys(Instant, 0)
    for row, which in deals.instants.items():
        if chosen[row] == DECLARE:
            declared[which] += int(deals.hands.deals[row]) * deals.shape.boards
    folded = int(deals.hands.deals[chosen == FOLD].sum()) * deals.shape.boards
    return CommunityTally(deals.shape, by_kind(deals.bet), by_kind(deals.stay), folded, declared)
