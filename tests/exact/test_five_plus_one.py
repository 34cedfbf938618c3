"""Five plus one that a fold takes along, hand by hand: every hand of five against every up-card, bet or folded, ranked
with the up-card six times over."""

from fractions import Fraction
from itertools import chain, combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import strengths
from aceking.cards.card import RANKS, SUITS
from aceking.cards.fast import ranker
from aceking.exact.side_bets.side_wagers import named_edge
from aceking.rules.reading.load import load_book
from aceking.simulation.decisions import BET
from aceking.simulation.games.stud import StudGame
from aceking.simulation.plan import plan
from tests.named_sides import LANTERN

_OTHERS = comb(51, 5)


def _bet_by_best_of_six(game: StudGame, up: int, hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How many of these hands are bet, by the strength of the best five with the up-card."""
    own = strengths(hands)
    column = np.full(len(hands), up, np.uint8)
    bets = game.decided(hands.T, own, column, np.right_shift(column, 2)) == BET
    best = own
    for place in range(5):
        six = hands.copy()
        six[:, place] = up
        best = np.maximum(best, strengths(six))
    return np.bincount(best[bets], minlength=len(ranker(ace_low=True).ranks))


def test_what_it_pays_is_what_every_hand_against_every_up_card_comes_to() -> None:
    book = load_book(LANTERN.parent / "gulf.toml")
    game = plan(book, rounds=1).game
    assert isinstance(game, StudGame)
    places = np.fromiter(chain.from_iterable(combinations(range(51), 5)), np.uint8, 5 * _OTHERS).reshape(-1, 5)
    number = np.zeros(len(ranker(ace_low=True).ranks), np.int64)
    for rank in range(len(RANKS)):
        up = rank * len(SUITS)  # of one suit: the others are its mirror
        number += _bet_by_best_of_six(game, up, places + (places >= up))
    found, whole = named_edge(book, "five-plus-one"), len(RANKS) * _OTHERS
    categories = np.array(ranker(ace_low=True).categories)
    assert found.rows == {row: Fraction(int(number[categories == row].sum()), whole) for row in found.rows}
    pays = book.sides["five-plus-one"].pays
    won = sum((Fraction(int(number[categories == row].sum()), whole) * (pays[row] + 1) for row in pays), Fraction(0))
    assert found.house_edge == 1 - won == Fraction(2029869, 10179260)
