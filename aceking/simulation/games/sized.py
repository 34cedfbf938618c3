"""Stud by columns in which the player chooses the size of the bet: the smallest or the largest, whichever is better."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from aceking.cards.hand import Category
from aceking.exact.stud.money import nets
from aceking.rules.book import Book
from aceking.settlement.amounts import most_antes
from aceking.simulation.chance import Deals
from aceking.simulation.decisions import LARGE, Decisions
from aceking.simulation.games.game import NO_CARD, Codes, Hits, PlayedRounds, RoundOutcome, RowPlaces
from aceking.simulation.games.stud import ENDINGS, HAND, StudGame, endings


@dataclass(frozen=True, eq=False)
class SizedGame:
    """A book in which a hand is folded, or bet with the smallest or the largest bet."""

    game: StudGame
    outcomes: tuple[RoundOutcome, ...]  # with the smallest bet, then with the largest

    @classmethod
    def of(cls, book: Book, decisions: Decisions, *, seats: int, awarded: frozenset[Category]) -> "SizedGame":
        """Return the game of a book; `awarded` are the categories that the progressive pays."""
        sizes = (book.bet.antes, most_antes(book))
        outcomes = [_with_size(outcome, antes) for antes in sizes for outcome in _endings(book, antes)]
        return cls(StudGame.of(book, decisions, seats=seats, awarded=awarded), tuple(outcomes))

    @property
    def seats(self) -> int:
        return self.game.seats

    @property
    def cards(self) -> int:
        return self.game.cards

    def play(self, deals: Deals) -> PlayedRounds:
        table = self.game.table
        dealer = deals[HAND * self.seats : HAND * (self.seats + 1)]
        dealer_strength, up = table.rank(dealer), dealer[0]
        codes = np.empty((self.seats, deals.shape[1]), np.uint8)
        paid: list[tuple[RowPlaces, NDArray[np.uint8]]] = []
        for seat in range(self.seats):
            hand = deals[HAND * seat : HAND * (seat + 1)]
            strength = table.rank(hand)
            decided = self.game.decided(hand, strength, up, up >> 2)
            codes[seat] = table.settle(decided > 0, strength, dealer_strength)
            paid.append(table.paid(strength, codes[seat]))
            codes[seat, decided == LARGE] += ENDINGS
        return PlayedRounds(codes, Hits.of(paid) if table.awarded.any() else Hits.none())

    def given(self, deals: Deals) -> Codes:
        """No card is given up."""
        return np.full((self.seats, deals.shape[1]), NO_CARD, np.uint8)


def _endings(book: Book, antes: int) -> tuple[RoundOutcome, ...]:
    return endings(nets(book, antes=antes))


def _with_size(outcome: RoundOutcome, antes: int) -> RoundOutcome:
    """Return the outcome with the size of the bet in its decision."""
    return outcome if outcome.decision != "bet" else replace(outcome, decision=f"bet {antes}")
