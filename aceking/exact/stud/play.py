"""Betting on counts: the value of a bet in each row, and the deals of the rows that bet."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from aceking.cards.hand import Category, HandRank
from aceking.exact.arrays import Amounts
from aceking.exact.figures import Edge
from aceking.exact.stud.money import StudNets
from aceking.exact.stud.rows import DEALER_HANDS, STATES, UP_SUITS, RowSpan, RowTally, StudRows
from aceking.rules.book import Book
from aceking.rules.odds import OddsError

# No value is summed over more drawn cards than this.
_CARDS_MAX = 46
#: Numbers of hands.
NetNumbers = NDArray[np.int32] | NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a bet, summed over the dealer's hands, in the smallest fractions of an ante (an integer).

    It is linear in three counts of dealer's hands: unqualified, below the player's, equal to it.
    """

    unqualified: int
    below: int
    equal: int
    constant: int
    fold: int  # the value of folding, over the same hands

    @classmethod
    def of(cls, results: StudNets, category: Category, *, plays: bool, hands: int, scale: int) -> "Worth":
        """Return the value for hands of a category; unless `plays`, they lose to all that qualify. Raises OddsError."""
        win = results.win[category] if plays else results.unqualified
        lost = results.lost(category)
        parts = (results.unqualified - win, win - lost, results.tie - lost, lost * hands)
        unqualified, below, equal, constant, fold = (int(part * scale) for part in (*parts, results.fold * hands))
        largest = (abs(unqualified) + abs(below) + abs(equal)) * hands + abs(constant) + abs(fold)
        if largest * _CARDS_MAX >= 2**62:
            raise OddsError(
                f"{category.title}: the pays are too large, or of too many denominators, to be summed exactly"
            )
        return cls(unqualified, below, equal, constant, fold)

    def __call__(self, unqualified: NetNumbers, below: NetNumbers, equal: NetNumbers) -> Amounts:
        """Return the value for each state."""
        value = np.multiply(unqualified, self.unqualified, dtype=np.int64)
        value += np.multiply(below, self.below, dtype=np.int64)
        value += np.multiply(equal, self.equal, dtype=np.int64)
        value += self.constant
        return value

    def bounds(self, unqualified: RowTally, below: RowTally, equal: RowTally) -> tuple[Amounts, Amounts]:
        """Return the least and the most that a bet can be worth in each row, for any suits."""
        shape = unqualified.bare.shape
        least, most = np.full(shape, self.constant, np.int64), np.full(shape, self.constant, np.int64)
        for each, tally in ((self.unqualified, unqualified), (self.below, below), (self.equal, equal)):
            if each:
                bare = np.multiply(tally.bare, each, dtype=np.int64)
                full = np.multiply(tally.full, each, dtype=np.int64)
                least += np.minimum(bare, full)
                most += np.maximum(bare, full)
        return least, most


@dataclass(slots=True)
class StudResults:
    """Deals counted by their net result, and the chips put down in all of them."""

    outcomes: Counter[Fraction] = field(default_factory=Counter)
    risked: Fraction = Fraction(0)

    def times(self, factor: int) -> None:
        """Multiply every deal so far by a factor."""
        self.outcomes = Counter({net: deals * factor for net, deals in self.outcomes.items()})
        self.risked *= factor

    def add(self, others: "StudResults") -> None:
        self.outcomes.update(others.outcomes)
        self.risked += others.risked

    def add_folds(self, results: StudNets, deals: int) -> None:
        self.outcomes[results.fold] += deals
        self.risked += results.staked * deals

    def add_bets(
        self, results: StudNets, category: Category, *, deals: int, unqualified: int, below: int, equal: int
    ) -> None:
        """Add deals that are bet; `unqualified`, `below` and `equal` count the dealer's hands in them."""
        self.outcomes[results.unqualified] += unqualified
        self.outcomes[results.win[category]] += below - unqualified
        self.outcomes[results.tie] += equal
        self.outcomes[results.lost(category)] += deals - below - equal
        self.risked += (results.staked + results.bet) * deals


def play(table: StudRows, money: StudNets, *, scale: int) -> tuple[StudResults, int]:
    """Play every state for the best, bet or fold; return the results and the number of states that are bet."""
    results = StudResults()
    bets = UP_SUITS * sum(
        _play(table, part, money.at(part.block.weakest), results, scale=scale)
        for rows in table.all
        for part in rows.cut(money.cuts)
    )
    results.add_folds(money, (STATES - bets) * DEALER_HANDS)
    return results, bets


def bets_by_hand(
    table: StudRows, money: StudNets | None, *, scale: int, cuts: Sequence[HandRank] = ()
) -> Iterator[tuple[HandRank, int, int]]:
    """Yield the deals that are bet, and those of them in which the dealer does not qualify, in parts of one category.

    A part is identified by its weakest hand, and begins where its category does or at a cut. Without `money` all deals
    are counted, bet or not.
    """
    for rows in table.all:
        for part in rows.cut((*cuts, *(() if money is None else money.cuts))):
            weakest = part.block.weakest
            if money is None:
                deals = UP_SUITS * int(part.states.sum(dtype=np.int64)) * DEALER_HANDS
                yield weakest, deals, UP_SUITS * int(part.unqualified.total.sum(dtype=np.int64))
            else:
                counted = _Bets()
                _play(table, part, money.at(weakest), counted, scale=scale)
                yield weakest, counted.deals, counted.unqualified


@dataclass(slots=True)
class _Bets(StudResults):
    """The deals that are bet, whatever their result."""

    deals: int = 0
    unqualified: int = 0

    def add_bets(
        self, results: StudNets, category: Category, *, deals: int, unqualified: int, below: int, equal: int
    ) -> None:
        self.deals += deals
        self.unqualified += unqualified


def _play(table: StudRows, rows: RowSpan, money: StudNets, results: StudResults, *, scale: int) -> int:
    """Bet where a bet is worth more than folding; return the number of such states for one suit of the up-card."""
    worth = Worth.of(money, rows.block.category, plays=rows.plays, hands=DEALER_HANDS, scale=scale)
    counts = rows.unqualified, rows.below, rows.equal
    least, most = worth.bounds(*counts)
    bet = least > worth.fold
    states = [int(rows.states[bet].sum(dtype=np.int64))]
    sums = [[int(tally.total[bet].sum(dtype=np.int64)) for tally in counts]]
    ups, columns = np.nonzero((most > worth.fold) & ~bet)
    if len(ups):
        opened = table.open(rows, ups, columns)
        each = opened.unqualified, opened.below, opened.equal
        ways = np.where(worth(*each) > worth.fold, opened.states, 0).astype(np.int64)
        states.append(int(ways.sum()))
        sums.append([int((ways * count).sum()) for count in each])
    deals = UP_SUITS * sum(states) * DEALER_HANDS
    unqualified, below, equal = (UP_SUITS * sum(part) for part in zip(*sums, strict=True))
    results.add_bets(money, rows.block.category, deals=deals, unqualified=unqualified, below=below, equal=equal)
    return sum(states)


def figures(book: Book, results: StudResults, *, deals: int, decisions: Mapping[str, int]) -> Edge:
    """Return the figures of a book, from all deals and from the number of states in which each decision is made."""
    return Edge(
        book=book.id,
        deals=deals,
        outcomes={net: number for net, number in sorted(results.outcomes.items(), reverse=True) if number},
        decisions={decision: Fraction(states, STATES) for decision, states in decisions.items()},
        risked=results.risked / deals,
    )
