"""Stud where the player chooses the size of the bet: every state with every size.

What a bet is worth is linear in its size: ante and bet are settled by the same two hands. So the least or the greatest
bet is best in each state, and the sizes between are never better than both; they are priced all the same.
"""

import numpy as np

from aceking.exact.figures import Edge
from aceking.exact.stud.money import Nets, common_denominator, nets
from aceking.exact.stud.play import Amounts, Results, Worth, figures
from aceking.exact.stud.rows import DEALER_HANDS, STATES
from aceking.exact.stud.states import States, states
from aceking.rules.book import Book
from aceking.settlement.amounts import most_antes


def sizes(book: Book) -> tuple[int, ...]:
    """All bets, in antes."""
    return tuple(range(book.bet.antes, most_antes(book) + 1))


def edge_by_size(book: Book) -> Edge:
    """The exact figures under the best play. Of what is worth the same the fold goes first, then the smaller bet."""
    table = states(book)
    return _edge(table, *best_sizes(table))


def best_sizes(table: States) -> tuple[dict[int, Nets], Amounts]:
    """The money of every size, and the size that is best in each state; nought for a fold."""
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


def _worth(table: States, money: Nets, *, scale: int) -> Amounts:
    """What one size of bet is worth in each state, over the dealer's hands."""
    found = np.zeros(len(table.number), np.int64)
    for rows, category, nets_ in table.kinds(money):
        mine = np.flatnonzero(rows)
        worth = Worth.of(nets_, category, plays=True, hands=DEALER_HANDS, scale=scale)
        found[mine] = worth(table.unqualified[mine], table.below[mine], table.equal[mine])
    return found


def _edge(table: States, money: dict[int, Nets], chosen: Amounts) -> Edge:
    results, bets = Results(), 0
    decisions: dict[str, int] = {}
    for antes, nets_ in money.items():
        decisions[f"bet {antes}"] = table.add_bets(results, nets_, chosen == antes)
        bets += decisions[f"bet {antes}"]
    results.add_folds(next(iter(money.values())), (STATES - bets) * DEALER_HANDS)
    played = {"fold": STATES - bets, **{name: number for name, number in decisions.items() if number}}
    return figures(table.book, results, deals=STATES * DEALER_HANDS, decisions=played)
