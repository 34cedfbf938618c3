"""Side wagers by name, by columns: what every box nets that stakes the least on each of them, round by round."""

from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import ColumnRanker
from aceking.cards.card import Card
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import Category
from aceking.cards.three import category_of_three
from aceking.exact.community import play
from aceking.exact.simulate.chance import BLOCK_ROUNDS, Deals
from aceking.exact.simulate.community import STAYED, kind_of_strength
from aceking.exact.simulate.game import Codes, Outcome
from aceking.money.chips import at_odds
from aceking.rules.book import Book
from aceking.rules.odds import Prizes
from aceking.rules.vocabulary import NamedSide
from aceking.settle.judge import judge

Amounts = NDArray[np.int64]
Categories = NDArray[np.uint8]
_CARD_BITS = 6


def left_out_of_rounds(book: Book) -> tuple[str, ...]:
    """Side wagers by name that simulated rounds do not count, each in a sentence with its clause."""
    if book.exchange is None:
        return ()
    return tuple(
        f"the wager {name} ({book.cite(f'sides.{name}.cards')}) is left out: it is counted in games without an exchange"
        for name in book.sides
    )


@dataclass(frozen=True, eq=False)
class SideColumns:
    """One wager of a book, staked on by every seat."""

    name: str
    stake: int  # minor units
    side: NamedSide
    cards: int  # of a player's hand
    seats: int
    rank: ColumnRanker
    category: NDArray[np.uint8]  # by strength of five cards
    three: NDArray[np.uint8] | None  # by three cards of six bits each, where a hand is three
    formed: NDArray[np.uint8] | None  # by outcome the row of the final hand, where it goes by the community
    qualifies: NDArray[np.bool_] | None  # by strength whether the dealer plays, where the wager needs to know
    given_up: NDArray[np.bool_]  # by outcome
    paid: Amounts  # by row what the wager nets
    envy: Amounts  # by row what another's hand pays

    @classmethod
    def of(cls, book: Book, name: str, outcomes: tuple[Outcome, ...], *, seats: int) -> "SideColumns":
        """A wager of a book for a game with these outcomes."""
        side = book.sides[name]
        stake = side.stake or side.min
        assert stake is not None
        ranks = ranker(ace_low=book.hands.ace_low)
        unformed = ("fold", "declare") if side.cards == "own-and-community" else ("fold",)
        gone = np.array([side.folded != "stands" and one.decision in unformed for one in outcomes])
        table: dict[Category, int] = {
            row: at_odds(stake, odds) for row, odds in side.pays.items() if isinstance(row, Category)
        }
        table |= {row: prize - stake for row, prize in side.awards.items()}
        return cls(
            name=name,
            stake=int(stake),
            side=side,
            cards=book.hands.cards,
            seats=seats,
            rank=ColumnRanker(BLOCK_ROUNDS, ace_low=book.hands.ace_low),
            category=np.array(ranks.categories, np.uint8),
            three=_of_three(ace_low=book.hands.ace_low) if side.cards == "own" and book.hands.cards == 3 else None,
            formed=_formed(book, len(outcomes)) if side.cards == "own-and-community" else None,
            qualifies=None if side.needs in (None, "nothing") else np.frombuffer(judge(book).qualifies, np.bool_),
            given_up=gone,
            paid=np.array([table.get(row, -stake) for row in Category], np.int64),
            envy=_by_row(side.envy),
        )

    def nets(self, deals: Deals, codes: Codes) -> Amounts:
        """What each seat nets in each round, envy included, in minor units."""
        rows = np.stack([self._rows(deals, codes, seat) for seat in range(self.seats)])
        gone = self.given_up[codes]
        met = np.full(codes.shape[1], fill_value=True) if self.qualifies is None else self._met(deals)
        found: Amounts = np.where(met, self.paid[rows], -self.stake)
        found = np.where(gone, 0 if self.side.folded == "returned" else -self.stake, found)
        if self.envy.any():
            of_others = np.where(gone | ~met, 0, self.envy[rows])
            found += np.where(gone, 0, of_others.sum(axis=0) - of_others)
        return found

    def _rows(self, deals: Deals, codes: Codes, seat: int) -> Categories:
        """The row that the cards of the wager make, by round; of a hand that was given up it does not matter."""
        hand = deals[self.cards * seat : self.cards * (seat + 1)]
        match self.side.cards:
            case "own-and-community":
                assert self.formed is not None
                return np.asarray(self.formed[codes[seat]])
            case "dealer":
                return self.category.take(self.rank(self._dealer(deals)))
            case "own-and-up-card":
                six = [*hand, self._dealer(deals)[0]]
                best = np.max([self.rank(list(five)) for five in combinations(six, 5)], axis=0)
                return np.asarray(self.category[best])
            case _ if self.three is not None:
                first, second, third = hand.astype(np.intp)
                return np.asarray(self.three[(first << 2 * _CARD_BITS) + (second << _CARD_BITS) + third])
            case _:
                return self.category.take(self.rank(list(hand)))

    def _dealer(self, deals: Deals) -> Deals:
        return deals[self.cards * self.seats : self.cards * (self.seats + 1)]

    def _met(self, deals: Deals) -> NDArray[np.bool_]:
        """By round whether the dealer's hand is as the wager needs it."""
        assert self.qualifies is not None
        plays = self.qualifies.take(self.rank(self._dealer(deals)))
        return plays if self.side.needs == "dealer-qualifies" else ~plays


def _by_row(prizes: Prizes) -> Amounts:
    return np.array([prizes.get(row, 0) for row in Category], np.int64)


def _formed(book: Book, outcomes: int) -> NDArray[np.uint8]:
    """By outcome the row of the final hand: stays and bets go by its kind."""
    deals = play.game(book)
    kinds = int(kind_of_strength(book, deals).max()) + 1
    found = np.zeros(outcomes, np.uint8)
    for code in range(STAYED, outcomes):
        found[code] = deals.kinds.starts[(code - STAYED) % kinds].category
    return found


def _of_three(*, ace_low: bool) -> NDArray[np.uint8]:
    """The row of three cards, in any order."""
    found = np.zeros(1 << 3 * _CARD_BITS, np.uint8)
    for hand in combinations(DECK, 3):
        row = category_of_three([Card(one) for one in hand], ace_low=ace_low)
        for first, second, third in permutations(hand):
            found[(first << 2 * _CARD_BITS) + (second << _CARD_BITS) + third] = row
    return found
