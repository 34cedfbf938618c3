"""A game against a pay table by columns: three cards each, one laid aside, three shared."""

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import Column, ColumnRanker
from aceking.cards.card import SUITS, CardId
from aceking.cards.fast import ranker
from aceking.cards.three import Instant
from aceking.exact.community import play
from aceking.exact.community.edge import main_nets
from aceking.exact.side_bets.bonus import bonus_nets
from aceking.rules.book import Book
from aceking.simulation.chance import BLOCK_ROUNDS, Deals
from aceking.simulation.games.game import NO_CARD, Codes, Hits, PlayedRounds, RoundOutcome

HAND = 3
#: The only shape that these columns are made for: cards of a hand, cards on the board, cards laid aside.
SHAPE = (HAND, 3, 1)
#: Outcomes in order: a fold, an instant winner of each kind, then the kinds of hands with a stay and with a bet.
FOLDED = 0
DECLARED = dict(zip(Instant, range(1, 3), strict=True))
STAYED = 1 + len(Instant)
#: The decision for three cards: an outcome that needs no more cards; from this code up, stay or bet and the place of
#: the card laid aside.
_GOES_ON = 8
_CARD_BITS = 6


@dataclass(frozen=True, eq=False)
class CommunityGame:
    """A book with a pay table, a strategy and a number of seats."""

    seats: int
    rank: ColumnRanker
    does: Codes  # by three cards of six bits each
    kind: Codes  # by strength of the final hand
    outcomes: tuple[RoundOutcome, ...]

    @classmethod
    def of(cls, book: Book, columns: tuple[int, ...], *, seats: int) -> "CommunityGame":
        """Return the game of a book; `columns` has the decision of each class of hands (`aceking.exact.community`)."""
        deals = play.game(book)
        kind = kind_of_strength(book, deals)
        rank = ColumnRanker(BLOCK_ROUNDS, ace_low=book.hands.ace_low)
        return cls(seats, rank, _does(deals, columns), kind, outcomes_of(book, deals))

    @property
    def cards(self) -> int:
        """The number of cards: three for each seat, and three that all share."""
        return HAND * (self.seats + 1)

    def play(self, deals: Deals) -> PlayedRounds:
        shared = deals[HAND * self.seats :]
        kinds = int(self.kind.max()) + 1
        codes = np.empty((self.seats, deals.shape[1]), np.uint8)
        for seat in range(self.seats):
            first, second, third = deals[HAND * seat : HAND * (seat + 1)]
            does = self._does(first, second, third)
            discard = does & 3
            kept = np.where(discard == 0, third, first), np.where(discard == 1, third, second)
            ends = self.kind.take(self.rank([*kept, *shared]))
            ends += STAYED
            ends += (does >> 2 == _GOES_ON >> 2 | 1).view(np.uint8) * np.uint8(kinds)
            codes[seat] = np.where(does < _GOES_ON, does, ends)
        return PlayedRounds(codes, Hits.none())

    def _does(self, first: Column, second: Column, third: Column) -> Codes:
        place = np.left_shift(first, 2 * _CARD_BITS, dtype=np.intp)
        place += np.left_shift(second, _CARD_BITS, dtype=np.intp)
        place += third
        return self.does.take(place, mode="wrap")

    def given(self, deals: Deals) -> Codes:
        """Return the card that each hand lays aside if it goes on."""
        aside_cards = np.full((self.seats, deals.shape[1]), NO_CARD, np.uint8)
        for seat in range(self.seats):
            hand = deals[HAND * seat : HAND * (seat + 1)]
            does = self._does(*hand)
            at = np.flatnonzero(does >= _GOES_ON)
            aside_cards[seat, at] = hand[(does & 3)[at], at]
        return aside_cards


def kind_of_strength(book: Book, deals: play.CommunityPlay) -> Codes:
    """Return the kind of a final hand, by its strength."""
    ranks = ranker(ace_low=book.hands.ace_low).ranks
    return np.array([bisect_right(deals.kinds.starts, rank) - 1 for rank in ranks], np.uint8)


def outcomes_of(book: Book, deals: play.CommunityPlay) -> tuple[RoundOutcome, ...]:
    """Return all ways in which a hand can end: folded, declared, or by its kind with a stay or a bet."""
    main = main_nets(book, deals.kinds)
    bonus = None if book.bonus is None or not book.bonus.offered else bonus_nets(book, deals.kinds)
    nothing = (Fraction(0),) * len(deals.kinds.starts)  # never used if a player may not stay

    def kinds(
        decision: str, nets: tuple[Fraction, ...] | None, side: tuple[Fraction, ...] | None
    ) -> list[RoundOutcome]:
        names = [f"{start.category.title} {place}" for place, start in enumerate(deals.kinds.starts)]
        sides: list[Fraction | None] = [None] * len(names) if side is None else list(side)
        return [RoundOutcome(decision, *fields) for fields in zip(names, nets or nothing, sides, strict=True)]

    return (
        RoundOutcome(
            "fold", "fold", Fraction(0) if main.fold is None else main.fold, None if bonus is None else bonus.fold
        ),
        *(
            RoundOutcome(
                "declare",
                which.title,
                main.declare.get(which, Fraction(0)),
                None if bonus is None else bonus.declare.get(which),
            )
            for which in Instant
        ),
        *kinds("stay", main.stay, None if bonus is None else bonus.stay),
        *kinds("bet", main.bet, None if bonus is None else bonus.bet),
    )


def _does(deals: play.CommunityPlay, columns: tuple[int, ...]) -> Codes:
    """Return the decision for three cards in any order."""
    codes = np.zeros(1 << 3 * _CARD_BITS, np.uint8)
    for row, example in enumerate(deals.hands.cards.tolist()):
        # All hands of a class are its example with suits renamed; of two equal cards either may be laid aside.
        for suits in permutations(range(len(SUITS))):
            hand = tuple(CardId(card & ~3 | suits[card & 3]) for card in example)
            _set(deals, codes, hand, columns[row], deals.instants.get(row))
    return codes


def _set(
    deals: play.CommunityPlay, codes: NDArray[np.uint8], hand: tuple[CardId, ...], column: int, instant: Instant | None
) -> None:
    """Store the decision for a hand whose cards stand in the order in which discards are numbered."""
    for cards in permutations(hand):
        at = cards[0] << 2 * _CARD_BITS | cards[1] << _CARD_BITS | cards[2]
        if column == play.FOLD:
            codes[at] = FOLDED
        elif column == play.DECLARE:
            assert instant is not None, "only an instant winner is declared"
            codes[at] = DECLARED[instant]
        else:
            bets = column >= deals.bet.start
            codes[at] = _GOES_ON + 4 * bets + cards.index(hand[deals.aside(column)[0]])
