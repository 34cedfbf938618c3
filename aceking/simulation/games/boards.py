"""A game against a pay table by columns, in any shape: kept cards and shared cards make five."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import ColumnRanker
from aceking.exact.community import play
from aceking.exact.community.boards import Shape
from aceking.exact.community.subsets import place, renamed
from aceking.rules.book import Book
from aceking.simulation.chance import BLOCK_ROUNDS, Deals
from aceking.simulation.games.community import DECLARED, FOLDED, STAYED, kind_of_strength, outcomes_of
from aceking.simulation.games.game import NO_CARD, Codes, Hits, PlayedRounds, RoundOutcome

BoardPlaces = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class BoardGame:
    """A book with a pay table, a strategy and a number of seats."""

    seats: int
    shape: Shape
    rank: ColumnRanker
    does: Codes  # by a hand's place: an outcome that needs no more cards; from STAYED up, stay or bet and the way
    kind: Codes  # by strength of the final hand
    outcomes: tuple[RoundOutcome, ...]

    @classmethod
    def of(cls, book: Book, columns: tuple[int, ...], *, seats: int) -> "BoardGame":
        """Return the game of a book; `columns` has the decision of each class of hands (`aceking.exact.community`)."""
        deals = play.game(book)
        kind = kind_of_strength(book, deals)
        rank = ColumnRanker(BLOCK_ROUNDS, ace_low=book.hands.ace_low)
        return cls(seats, deals.shape, rank, _does(deals, columns), kind, outcomes_of(book, deals))

    @property
    def cards(self) -> int:
        """The number of cards of all seats and of the cards that all share."""
        return self.shape.cards * self.seats + self.shape.community

    def play(self, deals: Deals) -> PlayedRounds:
        shared = deals[self.shape.cards * self.seats :]
        kinds = int(self.kind.max()) + 1
        codes = np.empty((self.seats, deals.shape[1]), np.uint8)
        every = range(self.shape.cards)
        kept = np.array([[at for at in every if at not in aside] for aside in self.shape.aside])
        for seat in range(self.seats):
            hand, source, does = self._seat(deals, seat)
            bets, way = np.divmod(np.maximum(does, STAYED) - STAYED, len(kept))
            columns = np.take_along_axis(source, kept[way], axis=1)
            held = np.take_along_axis(hand, columns, axis=1)
            ends = self.kind.take(self.rank([*np.ascontiguousarray(held.T), *shared])) + STAYED + bets * kinds
            codes[seat] = np.where(does < STAYED, does, ends)
        return PlayedRounds(codes, Hits.none())

    def _seat(self, deals: Deals, seat: int) -> tuple[Codes, BoardPlaces, BoardPlaces]:
        """Return the cards of a seat, the column of each card of its class, and the decision."""
        hand = deals[self.shape.cards * seat : self.shape.cards * (seat + 1)].T
        other, source = renamed(hand)
        return hand, source, self.does[place(other)].astype(np.int64)

    def given(self, deals: Deals) -> Codes:
        """Return the cards that each hand lays aside if it goes on."""
        aside_cards = np.full((self.seats, deals.shape[1], self.shape.discards), NO_CARD, np.uint8)
        aside = np.array(self.shape.aside, np.int64).reshape(len(self.shape.aside), self.shape.discards)
        for seat in range(self.seats):
            hand, source, does = self._seat(deals, seat)
            at = np.flatnonzero(does >= STAYED)
            columns = np.take_along_axis(source[at], aside[(does[at] - STAYED) % len(aside)], axis=1)
            aside_cards[seat, at] = np.take_along_axis(hand[at], columns, axis=1)
        return aside_cards


def _does(deals: play.CommunityPlay, columns: tuple[int, ...]) -> Codes:
    """Return the decision for the hand of each class, by its place."""
    by_place = np.zeros(deals.shape.hands, np.uint8)
    taken = np.array(columns)
    does = np.where(taken == play.FOLD, FOLDED, taken - deals.stay.start + STAYED)
    for row, which in deals.instants.items():
        if taken[row] == play.DECLARE:
            does[row] = DECLARED[which]
    by_place[place(deals.hands.cards)] = does
    return by_place
