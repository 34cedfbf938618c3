"""Stud with a bet whose size the player chooses: every state with every size.

The value of a bet is linear in its size, because ante and bet are settled by the same two hands. So in each state the
smallest or the largest bet is the best, and no size between is better than both; they are priced all the same.
"""

import numpy as np

from aceking.exact.arrays import Amounts
from aceking.exact.figures import Edge
from aceking.exact.stud.money import StudNets, common_denominator, nets
from aceking.exact.stud.play import StudResults, Worth, figures
from aceking.exact.stud.rows import DEALER_HANDS, STATES
from aceking.exact.stud.states import States, states
from aceking.rules.book import Book
from aceking.settlement.amounts import most_antes


def sizes(book: Book) -> tuple[int, ...]:
    """Return all sizes of a bet, in antes."""
    return tuple(range(book.bet.antes, most_antes(book) + 1))


def edge_by_size(book: Book) -> Edge:
    """Return the exact figures under the best play. Between equal values the order is fold, then the smaller bet."""
    table = states(book)
    return _edge(table, *best_sizes(table))


def best_sizes(table: States) -> tuple[dict[int, StudNets], Amounts]:
    """Return the money of every size, and the best size in each state; 0 for a fold."""
    book = table.book
    money = {antes: nets(book, antes=antes) for antes in sizes(book)}
    scale = common_denominator(*money.values())
    best = np.full(len(table.number), int(nets(book).fold * scale) * DEALER_HANDS, np.int64)
    chosen = np.zeros(len(table.number), np.int64)
    for antes, results in money.items():
        worth = _worth(table, results, scale=scale)
        better = worth > best
        best, chosen = np.where(better, worth, best), np.where(better, antes, chosen)
    return money, chosen


def _worth(table: States, money: StudNets, *, scale: int) -> Amounts:
    """Return the value of one size of bet in each state, over the dealer's hands."""
    values = np.zeros(len(table.number), np.int64)
    for rows, category, nets_ in table.kinds(money):
        places = np.flatnonzero(rows)
        worth = Worth.of(nets_, category, plays=True, hands=DEALER_HANDS, scale=scale)
        values[places] = worth(table.unqualified[places], table.below[places], table.equal[places])
    return values


def _edge(table: States, money: dict[int, StudNets], chosen: Amounts) -> Edge:
    results, bets = StudResults(), 0
    decisions: dict[str, int] = {}
    for antes, nets_ in money.items():
        decisions[f"bet {antes}"] = table.add_bets(results, nets_, chosen == antes)
        bets += decisions[f"bet {antes}"]
    results.add_folds(next(iter(money.values())), (STATES - bets) * DEALER_HANDS)
    played = {"fold": STATES - bets, **{name: number for name, number in decisions.items() if number}}
    return figures(table.book, results, deals=STATES * DEALER_HANDS, decisions=played)
