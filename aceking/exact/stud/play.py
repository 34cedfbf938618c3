"""Betting on counts: what a bet is worth in each row, and what comes of the rows that bet."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from aceking.cards.hand import Category, HandRank
from aceking.exact.figures import Edge
from aceking.exact.stud.money import Nets
from aceking.exact.stud.rows import DEALER_HANDS, STATES, UP_SUITS, Rows, StudRows, Tally
from aceking.rules.book import Book
from aceking.rules.odds import OddsError

Amounts = NDArray[np.int64]
# No value is summed over more cards than this that may be drawn.
_CARDS_MAX = 46
#: Numbers of hands.
Numbers = NDArray[np.int32] | NDArray[np.int16]


@dataclass(frozen=True, slots=True)
class Worth:
    """The value of a bet, summed over the dealer's hands: a whole number of the smallest parts of an ante.

    It is linear in three counts of dealer's hands: unqualified, below the player's, equal to it.
    """

    unqualified: int
    below: int
    equal: int
    constant: int
    fold: int  # what folding comes to over the same hands

    @classmethod
    def of(cls, results: Nets, category: Category, *, plays: bool, hands: int, scale: int) -> "Worth":
        """The value for hands of a category. Those below the qualifier lose to all that qualify."""
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

    def __call__(self, unqualified: Numbers, below: Numbers, equal: Numbers) -> Amounts:
        """The value for each state."""
        value = np.multiply(unqualified, self.unqualified, dtype=np.int64)
        value += np.multiply(below, self.below, dtype=np.int64)
        value += np.multiply(equal, self.equal, dtype=np.int64)
        value += self.constant
        return value

    def bounds(self, unqualified: Tally, below: Tally, equal: Tally) -> tuple[Amounts, Amounts]:
        """The least and the most that a bet can be worth in each row, whatever the suits."""
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
class Results:
    """Deals counted by their net result, and chips put down in all of them."""

    outcomes: Counter[Fraction] = field(default_factory=Counter)
    risked: Fraction = Fraction(0)

    def times(self, each: int) -> None:
        """Every deal so far stands for several."""
        self.outcomes = Counter({net: deals * each for net, deals in self.outcomes.items()})
        self.risked *= each

    def add(self, others: "Results") -> None:
        """Adds deals that were counted elsewhere."""
        self.outcomes.update(others.outcomes)
        self.risked += others.risked

    def add_folds(self, results: Nets, deals: int) -> None:
        """So many deals are folded."""
        self.outcomes[results.fold] += deals
        self.risked += results.staked * deals

    def add_bets(
        self, results: Nets, category: Category, *, deals: int, unqualified: int, below: int, equal: int
    ) -> None:
        """So many deals are bet; of the dealer's hands so many do not qualify, are below the player's, tie."""
        self.outcomes[results.unqualified] += unqualified
        self.outcomes[results.win[category]] += below - unqualified
        self.outcomes[results.tie] += equal
        self.outcomes[results.lost(category)] += deals - below - equal
        self.risked += (results.staked + results.bet) * deals


def play(table: StudRows, money: Nets, *, scale: int) -> tuple[Results, int]:
    """Plays every state for the best, bet or fold, and says in how many of them that is a bet."""
    results = Results()
    bets = UP_SUITS * sum(
        _play(table, part, money.at(part.block.weakest), results, scale=scale)
        for rows in table.all
        for part in rows.cut(money.cuts)
    )
    results.add_folds(money, (STATES - bets) * DEALER_HANDS)
    return results, bets


def bets_by_hand(
    table: StudRows, money: Nets | None, *, scale: int, cuts: Sequence[HandRank] = ()
) -> Iterator[tuple[HandRank, int, int]]:
    """The deals that are bet, and in how many of them the dealer does not qualify, in parts of one category each.

    A part is told by its weakest hand, and begins where its category does or at a cut. Without `money` all deals are
    taken, bet or not.
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
class _Bets(Results):
    """Deals that are bet, whatever they net."""

    deals: int = 0
    unqualified: int = 0

    def add_bets(
        self, results: Nets, category: Category, *, deals: int, unqualified: int, below: int, equal: int
    ) -> None:
        self.deals += deals
        self.unqualified += unqualified


def _play(table: StudRows, rows: Rows, money: Nets, results: Results, *, scale: int) -> int:
    """Bets where a bet is worth more than folding, and says in how many states that is, for one suit of the up-card."""
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


def figures(book: Book, results: Results, *, deals: int, decisions: Mapping[str, int]) -> Edge:
    """The figures of a book, from all deals and from the number of states in which each decision is made."""
    return Edge(
        book=book.id,
        deals=deals,
        outcomes={net: number for net, number in sorted(results.outcomes.items(), reverse=True) if number},
        decisions={decision: Fraction(states, STATES) for decision, states in decisions.items()},
        risked=results.risked / deals,
    )
