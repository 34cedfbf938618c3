"""Stud by columns: rounds dealt, ranked by the project's tables, decided by look-up and paid from the book's nets."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import Column, ColumnRanker, Strengths
from aceking.cards.fast import ranker
from aceking.cards.hand import Category, HandRank
from aceking.exact.stud.money import Nets, nets
from aceking.rules.book import Book
from aceking.rules.qualifier import Qualifier, qualifier
from aceking.settlement.judge import judge
from aceking.simulation.chance import BLOCK_ROUNDS, Deals
from aceking.simulation.decisions import MIXED, Decisions, Rows, kinds, suited_with
from aceking.simulation.games.game import NO_CARD, Codes, Hits, Outcome, Places, Played, awarded_by_strength

HAND = 5
#: Outcomes in their order: those that are no win, then a win by category, then a loss that leaves the ante, and a win
#: whose ante is paid where weaker hands of its category get it back.
FOLDED, UNQUALIFIED, LOST, TIED, WON = range(5)
SAVED = WON + len(Category)
PAID = SAVED + 1
ENDINGS = PAID + 1


def endings(money: Nets, *, exchanged: bool = False) -> tuple[Outcome, ...]:
    """The outcomes of a hand as dealt, or of one that was exchanged."""
    bought = "exchange" if exchanged else ""
    plain = (
        Outcome(bought or "fold", "fold", money.fold),
        Outcome(bought or "bet", "the dealer does not qualify", money.unqualified),
        Outcome(bought or "bet", "lose", money.lose),
        Outcome(bought or "bet", "tie", money.tie),
    )
    wins = (Outcome(bought or "bet", f"win with {one.title}", money.win[one]) for one in Category)
    saved = Outcome(bought or "bet", "lose, the ante comes back", money.lose + 1)
    paid = Outcome(bought or "bet", "win, the ante is paid", money.paid)
    return (*plain, *wins, saved, paid)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """What the cards come to under a book, in strengths of hands."""

    rank: ColumnRanker
    qualifies: Qualifier  # the hands with which the dealer plays
    categories: NDArray[np.uint8]  # by strength
    awarded: NDArray[np.bool_]  # by strength: the progressive pays such a hand
    paid_folded: bool  # also if it was folded
    saved: int | None  # from this strength on a beaten hand gets its ante back
    paid_within: tuple[int, int] | None  # from this strength on, up to another, the hand decides that its ante is paid

    @classmethod
    def of(cls, book: Book, awarded: frozenset[Category]) -> "Table":
        """The table of a book; `awarded` are the categories that a side bet on every seat is paid for."""
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
        """How each hand ends."""
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
        """Whether each of the dealer's hands plays."""
        found: NDArray[np.bool_] = dealer >= self.qualifies.weakest
        for first, end in self.qualifies.too:
            found |= (dealer >= first) & (dealer < end)
        return found

    def paid(self, strength: Strengths, codes: Codes) -> tuple[Places, NDArray[np.uint8]]:
        """The rounds in which the progressive pays the hand, and its category: never one that was exchanged."""
        if not self.awarded.any():
            return np.empty(0, np.intp), np.empty(0, np.uint8)
        at = np.flatnonzero(self.awarded.take(strength))
        at = at[codes[at] < ENDINGS]
        if not self.paid_folded:
            at = at[codes[at] != FOLDED]
        return at, self.categories[strength[at]]


def _paid_within(book: Book) -> tuple[int, int] | None:
    """The strengths of one category from the hand on by which its ante is paid; None where rows tell them apart."""
    least = book.ante.pays_from
    if not isinstance(least, HandRank):
        return None
    categories = ranker(ace_low=book.hands.ace_low).categories
    first = judge(book).ante_paid_at
    return first, first + sum(one is least.category for one in categories[first:])


@dataclass(frozen=True, eq=False)
class StudGame:
    """A book in which a hand is bet or folded, with a strategy and so many seats."""

    seats: int
    table: Table
    decisions: Decisions
    outcomes: tuple[Outcome, ...]

    @classmethod
    def of(cls, book: Book, decisions: Decisions, *, seats: int, awarded: frozenset[Category]) -> "StudGame":
        """The game of a book; no awards are paid where there is no side bet."""
        return cls(seats, Table.of(book, awarded), decisions, endings(nets(book)))

    @property
    def cards(self) -> int:
        """Five for each seat, and the dealer's five, of which the first is up."""
        return HAND * (self.seats + 1)

    def play(self, deals: Deals) -> Played:
        """Plays the rounds of these deals."""
        dealer = deals[HAND * self.seats : HAND * (self.seats + 1)]
        dealer_strength, up = self.table.rank(dealer), dealer[0]
        up_rank = up >> 2
        codes = np.empty((self.seats, deals.shape[1]), np.uint8)
        paid: list[tuple[Places, NDArray[np.uint8]]] = []
        for seat in range(self.seats):
            hand = deals[HAND * seat : HAND * (seat + 1)]
            strength = self.table.rank(hand)
            bets = self.bets(hand, strength, up, up_rank)
            codes[seat] = self.table.settle(bets, strength, dealer_strength)
            paid.append(self.table.paid(strength, codes[seat]))
        return Played(codes, Hits.of(paid) if self.table.awarded.any() else Hits.none())

    def given(self, deals: Deals) -> Codes:
        """No card is given up."""
        return np.full((self.seats, deals.shape[1]), NO_CARD, np.uint8)

    def bets(self, hand: Deals, strength: Strengths, up: Column, up_rank: Column) -> NDArray[np.bool_]:
        """Whether the strategy bets each hand."""
        return self.decided(hand, strength, up, up_rank).view(np.bool_)

    def decided(self, hand: Deals, strength: Strengths, up: Column, up_rank: Column) -> Codes:
        """What the strategy does with each hand, in the codes of `Decisions`."""
        kind = kinds(strength, up_rank)
        found = self.decisions.by_kind.take(kind, mode="wrap")
        if len(self.decisions.keys):
            mixed = np.flatnonzero(found == MIXED)
            suited = suited_with(hand.take(mixed, axis=1), up.take(mixed))
            rows = Rows(kind.take(mixed), suited, np.zeros(len(mixed), np.int64))
            found[mixed] = self.decisions.of_mixed(rows)
        return found
