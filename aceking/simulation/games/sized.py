"""Stud by columns where the player chooses the size of the bet: the least or the greatest, whichever is better."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from aceking.cards.hand import Category
from aceking.exact.stud.money import nets
from aceking.rules.book import Book
from aceking.settlement.amounts import most_antes
from aceking.simulation.chance import Deals
from aceking.simulation.decisions import LARGE, Decisions
from aceking.simulation.games.game import NO_CARD, Codes, Hits, Outcome, Places, Played
from aceking.simulation.games.stud import ENDINGS, HAND, StudGame, endings


@dataclass(frozen=True, eq=False)
class SizedGame:
    """A book in which a hand is folded or bet with few antes or with many."""

    game: StudGame
    outcomes: tuple[Outcome, ...]  # with the least bet, then with the greatest

    @classmethod
    def of(cls, book: Book, decisions: Decisions, *, seats: int, awarded: frozenset[Category]) -> "SizedGame":
        """The game of a book; no awards are paid where there is no side bet."""
        outcomes = [_named(one, antes) for antes in (book.bet.antes, most_antes(book)) for one in _endings(book, antes)]
        return cls(StudGame.of(book, decisions, seats=seats, awarded=awarded), tuple(outcomes))

    @property
    def seats(self) -> int:
        """Hands of players in a round."""
        return self.game.seats

    @property
    def cards(self) -> int:
        """Cards that a round may need."""
        return self.game.cards

    def play(self, deals: Deals) -> Played:
        """Plays the rounds of these deals."""
        table = self.game.table
        dealer = deals[HAND * self.seats : HAND * (self.seats + 1)]
        dealer_strength, up = table.rank(dealer), dealer[0]
        codes = np.empty((self.seats, deals.shape[1]), np.uint8)
        paid: list[tuple[Places, NDArray[np.uint8]]] = []
        for seat in range(self.seats):
            hand = deals[HAND * seat : HAND * (seat + 1)]
            strength = table.rank(hand)
            decided = self.game.decided(hand, strength, up, up >> 2)
            codes[seat] = table.settle(decided > 0, strength, dealer_strength)
            paid.append(table.paid(strength, codes[seat]))
            codes[seat, decided == LARGE] += ENDINGS
        return Played(codes, Hits.of(paid) if table.awarded.any() else Hits.none())

    def given(self, deals: Deals) -> Codes:
        """No card is given up."""
        return np.full((self.seats, deals.shape[1]), NO_CARD, np.uint8)


def _endings(book: Book, antes: int) -> tuple[Outcome, ...]:
    return endings(nets(book, antes=antes))


def _named(one: Outcome, antes: int) -> Outcome:
    """A bet is named by its size."""
    return one if one.decision != "bet" else replace(one, decision=f"bet {antes}")
