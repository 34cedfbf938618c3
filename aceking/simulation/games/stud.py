"""Stud by columns: rounds are dealt, ranked by tables, decided by look-up and paid by the book's net results."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import Column, ColumnRanker, Strengths
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank
from aceking.exact.stud.money import StudNets, nets
from aceking.rules.book import Book
from aceking.rules.qualifier import Qualifier, qualifier
from aceking.settlement.judge import judge
from aceking.simulation.chance import BLOCK_ROUNDS, Deals
from aceking.simulation.decisions import MIXED, DecisionRows, Decisions, kinds, suited_with
from aceking.simulation.games.game import (
    NO_CARD,
    Codes,
    Hits,
    PlayedRounds,
    RoundOutcome,
    RowPlaces,
    awarded_by_strength,
)

HAND = 5
#: Outcomes in order: those that do not win, a win by category, a loss that leaves the ante, and a win whose ante is
#: paid although weaker hands of its category get it back.
FOLDED, UNQUALIFIED, LOST, TIED, WON = range(5)
SAVED = WON + len(Category)
PAID = SAVED + 1
ENDINGS = PAID + 1


def endings(money: StudNets, *, exchanged: bool = False) -> tuple[RoundOutcome, ...]:
    """Return the outcomes of a hand as dealt, or of one that was exchanged."""
    bought = "exchange" if exchanged else ""
    plain = (
        RoundOutcome(bought or "fold", "fold", money.fold),
        RoundOutcome(bought or "bet", "the dealer does not qualify", money.unqualified),
        RoundOutcome(bought or "bet", "lose", money.lose),
        RoundOutcome(bought or "bet", "tie", money.tie),
    )
    wins = (RoundOutcome(bought or "bet", f"win with {category.title}", money.win[category]) for category in Category)
    saved = RoundOutcome(bought or "bet", "lose, the ante comes back", money.lose + 1)
    paid = RoundOutcome(bought or "bet", "win, the ante is paid", money.paid)
    return (*plain, *wins, saved, paid)


@dataclass(frozen=True, slots=True, eq=False)
class StudTable:
    """The rules of a book by strengths of hands."""

    rank: ColumnRanker
    qualifies: Qualifier  # the hands with which the dealer plays
    categories: NDArray[np.uint8]  # by strength
    awarded: NDArray[np.bool_]  # by strength: the progressive pays such a hand
    paid_folded: bool  # also if it was folded
    saved: int | None  # from this strength up a beaten hand gets its ante back
    paid_within: tuple[int, int] | None  # from the first strength up to the second, the ante of a win is paid

    @classmethod
    def of(cls, book: Book, awarded: frozenset[Category]) -> "StudTable":
        """Return the table of a book; `awarded` are the categories for which a side bet on every seat is paid."""
        assert book.dealer is not None, f"{book.id} has no dealer's hand"
        ranks = ranker(ace_low=book.hands.ace_low)
        return cls(
            rank=ColumnRanker(BLOCK_ROUNDS, ace_low=book.hands.ace_low),
            qualifies=qualifier(book.dealer.qualifies_with, book.dealer.qualifies_too, ace_low=book.hands.ace_low),
            categories=np.array(ranks.categories, np.uint8),
            awarded=awarded_by_strength(ranks.categories, awarded),
            paid_folded=book.progressive is not None and book.progressive.folded == "payable",
            saved=None if book.ante.returned_from is None else judge(book).ante_saved_at,
            paid_within=_paid_within(book),
        )

    def settle(self, bets: NDArray[np.bool_], player: Strengths, dealer: Strengths) -> Codes:
        """Return how each hand ends."""
        ends = (player > dealer).view(np.uint8)
        ends <<= 1
        ends += (player == dealer).view(np.uint8)
        ends += 1  # the dealer plays: 1 lose, 2 tie, 3 win
        ends *= self._plays(dealer).view(np.uint8)
        ends += 1
        ends *= bets.view(np.uint8)
        won = np.flatnonzero(ends == WON)
        ends[won] += self.categories.take(player.take(won))
        if self.saved is not None:
            lost = np.flatnonzero(ends == LOST)
            ends[lost[player.take(lost) >= self.saved]] = SAVED
        if self.paid_within is not None:
            first, end = self.paid_within
            strength = player.take(won)
            ends[won[(strength >= first) & (strength < end)]] = PAID
        return ends

    def _plays(self, dealer: Strengths) -> NDArray[np.bool_]:
        """Return whether each of the dealer's hands plays."""
        plays: NDArray[np.bool_] = dealer >= self.qualifies.weakest
        for first, end in self.qualifies.too:
            plays |= (dealer >= first) & (dealer < end)
        return plays

    def paid(self, strength: Strengths, codes: Codes) -> tuple[RowPlaces, NDArray[np.uint8]]:
        """Return the rounds in which the progressive pays the hand, and its category: never an exchanged hand."""
        if not self.awarded.any():
            return np.empty(0, np.intp), np.empty(0, np.uint8)
        at = np.flatnonzero(self.awarded.take(strength))
        at = at[codes[at] < ENDINGS]
        if not self.paid_folded:
            at = at[codes[at] != FOLDED]
        return at, self.categories[strength[at]]


def _paid_within(book: Book) -> tuple[int, int] | None:
    """Return the strengths of one category whose ante is paid; None if whole categories decide it."""
    least = book.ante.pays_from
    if not isinstance(least, HandRank):
        return None
    categories = ranker(ace_low=book.hands.ace_low).categories
    first = judge(book).ante_paid_at
    return first, first + sum(category is least.category for category in categories[first:])


@dataclass(frozen=True, eq=False)
class StudGame:
    """A book in which a hand is bet or folded, with a strategy and a number of seats."""

    seats: int
    table: StudTable
    decisions: Decisions
    outcomes: tuple[RoundOutcome, ...]

    @classmethod
    def of(cls, book: Book, decisions: Decisions, *, seats: int, awarded: frozenset[Category]) -> "StudGame":
        """Return the game of a book; `awarded` are the categories that the progressive pays."""
        return cls(seats, StudTable.of(book, awarded), decisions, endings(nets(book)))

    @property
    def cards(self) -> int:
        """The number of cards: five for each seat, and the dealer's five, of which the first is up."""
        return HAND * (self.seats + 1)

    def play(self, deals: Deals) -> PlayedRounds:
        dealer = deals[HAND * self.seats : HAND * (self.seats + 1)]
        dealer_strength, up = self.table.rank(dealer), dealer[0]
        up_rank = up >> 2
        codes = np.empty((self.seats, deals.shape[1]), np.uint8)
        paid: list[tuple[RowPlaces, NDArray[np.uint8]]] = []
        for seat in range(self.seats):
            hand = deals[HAND * seat : HAND * (seat + 1)]
            strength = self.table.rank(hand)
            bets = self.bets(hand, strength, up, up_rank)
            codes[seat] = self.table.settle(bets, strength, dealer_strength)
            paid.append(self.table.paid(strength, codes[seat]))
        return PlayedRounds(codes, Hits.of(paid) if self.table.awarded.any() else Hits.none())

    def given(self, deals: Deals) -> Codes:
        """No card is given up."""
        return np.full((self.seats, deals.shape[1]), NO_CARD, np.uint8)

    def bets(self, hand: Deals, strength: Strengths, up: Column, up_rank: Column) -> NDArray[np.bool_]:
        """Return whether the strategy bets each hand."""
        return self.decided(hand, strength, up, up_rank).view(np.bool_)

    def decided(self, hand: Deals, strength: Strengths, up: Column, up_rank: Column) -> Codes:
        """Return the decision for each hand, in the codes of `Decisions`."""
        kind = kinds(strength, up_rank)
        codes = self.decisions.by_kind.take(kind, mode="wrap")
        if len(self.decisions.keys):
            mixed = np.flatnonzero(codes == MIXED)
            suited = suited_with(hand.take(mixed, axis=1), up.take(mixed))
            rows = DecisionRows(kind.take(mixed), suited, np.zeros(len(mixed), np.int64))
            codes[mixed] = self.decisions.of_mixed(rows)
        return codes
