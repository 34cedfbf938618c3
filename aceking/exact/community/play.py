"""What every decision of every hand nets at a pay table, the best of them, and the deals that follow from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import lcm

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import Card
from aceking.cards.hand import HandRank
from aceking.cards.three import Instant
from aceking.exact.community import boards
from aceking.exact.community.boards import Shape
from aceking.exact.community.counts import Counts, counts, kept_states
from aceking.exact.community.hands import Hands, hands, hands_of
from aceking.exact.community.kinds import Kinds, Whole
from aceking.exact.figures import Edge
from aceking.rules.book import Book

#: Exact whole numbers: machine words where they suffice, else Python's own.
Exact = NDArray[np.int64] | NDArray[np.object_]
Allowed = NDArray[np.bool_]

#: The decisions as columns; then come a stay and a bet with each way to lay cards aside. Of equal ones the first is
#: taken: it puts down less, and lays aside the lower card.
DECLARE, FOLD = 0, 1
_GOES_ON = 2

#: The shape that ranks and suits apart count in a moment.
TWO_OF_THREE = Shape(3, 3, 1)

_WORD = 2**62
#: Whole numbers of any size are multiplied so many rows at a time: they take room.
_ROWS = 1 << 16


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

    shape: Shape
    counts: Counts
    hands: Hands
    instants: Mapping[int, Instant]

    @property
    def kinds(self) -> Kinds:
        """The kinds of final hands that the book's thresholds part."""
        return self.counts.kinds

    @property
    def stay(self) -> slice:
        """The columns of a stay."""
        return slice(_GOES_ON, _GOES_ON + len(self.shape.aside))

    @property
    def bet(self) -> slice:
        """The columns of a bet."""
        return slice(self.stay.stop, self.stay.stop + len(self.shape.aside))

    def decision(self, column: int) -> str:
        """What is done, without the cards laid aside."""
        if column < _GOES_ON:
            return ("declare", "fold")[column]
        return "stay" if column < self.bet.start else "bet"

    def aside(self, column: int) -> tuple[int, ...]:
        """The places, among rising cards, of those that a decision lays aside."""
        return self.shape.aside[(column - _GOES_ON) % len(self.shape.aside)] if column >= _GOES_ON else ()

    def rows(self, hand: Sequence[Card]) -> Whole | boards.Table:
        """For one hand of rising cards: by each way to lay cards aside, how many boards make each kind."""
        cards = np.array([hand], np.int64)
        if self.shape == TWO_OF_THREE:
            quick: Whole = self.counts.table[kept_states(cards)[0]]
            return quick
        found: boards.Table = boards.rows(self.kinds, self.shape, cards)[0]
        return found


def game(book: Book) -> Game:
    """The deals of a book; made once for each set of thresholds and rules about the ace."""
    if book.paytable is None:
        raise ValueError(f"{book.id} is played against a dealer, not against a pay table")
    thresholds = [book.paytable.wins_with, book.paytable.pushes_with]
    if book.bonus is not None:
        thresholds.append(book.bonus.pushes_with)
    for side in book.sides.values():
        if side.cards == "own-and-community":
            thresholds += [one for one in (side.pays_from, side.returned_from) if isinstance(one, HandRank)]
    kinds = Kinds.of(thresholds, ace_low=book.hands.ace_low)
    shape = Shape(book.hands.cards, book.hands.community, book.hands.discards)
    ace_low = None if book.instant is None else book.instant.ace_low
    return _game(kinds, ace_low) if shape == TWO_OF_THREE else _board_game(shape, kinds, ace_low)


@lru_cache(maxsize=16)
def _game(kinds: Kinds, instant_ace_low: bool | None) -> Game:
    return Game(TWO_OF_THREE, counts(kinds), hands(), _instants(hands(), instant_ace_low))


@lru_cache(maxsize=2)  # the largest takes 80 megabytes
def _board_game(shape: Shape, kinds: Kinds, instant_ace_low: bool | None) -> Game:
    every = hands_of(shape.cards, ways=len(shape.aside))
    table = boards.rows(kinds, shape, every.cards).reshape(-1, len(kinds.starts))
    return Game(shape, Counts(kinds, table), every, _instants(every, instant_ace_low))


def _instants(every: Hands, ace_low: bool | None) -> dict[int, Instant]:
    return {} if ace_low is None else dict(every.instants(ace_low=ace_low))


def scale(*nets: Nets) -> int:
    """The least number that makes all amounts whole."""
    return lcm(*(amount.denominator for each in nets for amount in each.all()))


def worth(deals: Game, nets: Nets, unit: int) -> Exact:
    """The value of each decision (a column) of each hand (a row): antes times `unit`, summed over the boards."""
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


def _times(table: Whole | boards.Table, nets: Exact) -> Exact:
    parts = [table[first : first + _ROWS] @ nets for first in range(0, len(table), _ROWS)]
    total: Exact = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return total


def _whole(numbers: Sequence[int], *, wide: bool) -> Exact:
    return np.array(numbers, np.object_) if wide else np.array(numbers, np.int64)


def open_to(deals: Game, nets: Nets) -> Allowed:
    """Which decisions each hand has."""
    table = np.zeros((len(deals.hands.deals), deals.bet.stop), np.bool_)
    table[:, deals.bet] = True
    table[:, deals.stay] = nets.stay is not None
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

    shape: Shape
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
        deals = self.shape.hands * self.shape.boards
        share = {"bet": sum(self.bet), "stay": sum(self.stay), "fold": self.fold, "declare": sum(self.declare.values())}
        decisions = {name: Fraction(number, deals) for name, number in share.items() if number}
        risked = ante + bet * decisions.get("bet", Fraction(0))
        return Edge(book.id, deals, dict(sorted(outcomes.items(), reverse=True)), decisions, risked)


def tally(deals: Game, chosen: Whole) -> Tally:
    """The deals that follow when each hand takes the decision of its column."""

    def by_kind(columns: slice) -> tuple[int, ...]:
        rows = np.flatnonzero((chosen >= columns.start) & (chosen < columns.stop))
        kept = deals.hands.states[rows, chosen[rows] - columns.start]
        # At most some 4,700,000,000 deals: far inside a machine word.
        return tuple(int(total) for total in deals.hands.deals[rows] @ deals.counts.table[kept])

    declared: dict[Instant, int] = dict.fromkeys(Instant, 0)
    for row, which in deals.instants.items():
        if chosen[row] == DECLARE:
            declared[which] += int(deals.hands.deals[row]) * deals.shape.boards
    folded = int(deals.hands.deals[chosen == FOLD].sum()) * deals.shape.boards
    return Tally(deals.shape, by_kind(deals.bet), by_kind(deals.stay), folded, declared)
