"""Side wagers by name, by columns: what every box nets that stakes the least on each of them, round by round."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import ColumnRanker
from aceking.cards.card import Card
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import HandRank
from aceking.cards.three import rank_of_three
from aceking.exact.community import play
from aceking.money.chips import at_odds
from aceking.rules.book import Book
from aceking.rules.vocabulary import NamedSide
from aceking.settlement.judge import judge
from aceking.settlement.side_wagers import comes_back, is_paid
from aceking.simulation.chance import BLOCK_ROUNDS, Deals
from aceking.simulation.games.community import STAYED, kind_of_strength
from aceking.simulation.games.exchange import ExchangeGame
from aceking.simulation.games.game import Codes, Game

Amounts = NDArray[np.int64]
#: Kinds of hands, by their numbers.
Kinds = NDArray[np.uint16]
_CARD_BITS = 6


@dataclass(frozen=True, eq=False)
class SideColumns:
    """One wager of a book, staked on by every seat."""

    name: str
    stake: int  # minor units
    side: NamedSide
    cards: int  # of a player's hand
    seats: int
    rank: ColumnRanker
    three: Kinds | None  # by three cards of six bits each, where a hand is three
    formed: Kinds | None  # by outcome the kind of the final hand, where it goes by the community
    qualifies: NDArray[np.bool_] | None  # by strength whether the dealer plays, where the wager needs to know
    given_up: NDArray[np.bool_]  # by outcome
    exchange: ExchangeGame | None  # whose players exchange before their hands count
    paid: Amounts  # by kind of hand what the wager nets
    envy: Amounts  # by kind what another's hand pays

    @classmethod
    def of(cls, book: Book, name: str, game: Game) -> "SideColumns":
        """A wager of a book in a game of it."""
        side = book.sides[name]
        stake = side.stake or side.min
        assert stake is not None
        by_three, by_community = side.cards == "own" and book.hands.cards == 3, side.cards == "own-and-community"
        kinds: Sequence[HandRank] = ranker(ace_low=book.hands.ace_low).ranks
        three = formed = None
        if by_three:
            kinds, three = _of_three(ace_low=book.hands.ace_low)
        elif by_community:
            kinds, formed = play.game(book).kinds.starts, _formed(book, len(game.outcomes))
        unformed = ("fold", "declare") if by_community else ("fold",)
        gone = [one.decision in unformed or one.ends == "fold" for one in game.outcomes]
        counts_final = side.cards != "dealer" and side.exchanged != "first-hand"
        return cls(
            name=name,
            stake=int(stake),
            side=side,
            cards=book.hands.cards,
            seats=game.seats,
            rank=ColumnRanker(BLOCK_ROUNDS, ace_low=book.hands.ace_low),
            three=three,
            formed=formed,
            qualifies=None if side.needs in (None, "nothing") else np.frombuffer(judge(book).qualifies, np.bool_),
            given_up=np.array(gone) & (side.folded != "stands"),
            exchange=game if isinstance(game, ExchangeGame) and counts_final else None,
            paid=np.array([_net(book, side, stake, kind) for kind in kinds], np.int64),
            envy=np.array([side.envy.get(kind.category, 0) for kind in kinds], np.int64),
        )

    def nets(self, deals: Deals, codes: Codes) -> Amounts:
        """What each seat nets in each round, envy included, in minor units."""
        held = deals if self.exchange is None else self.exchange.held(deals)
        kinds = np.stack([self._kinds(held, codes, seat) for seat in range(self.seats)])
        gone = self.given_up[codes]
        met = np.full(codes.shape[1], fill_value=True) if self.qualifies is None else self._met(deals)
        found: Amounts = np.where(met, self.paid[kinds], -self.stake)
        found = np.where(gone, 0 if self.side.folded == "returned" else -self.stake, found)
        if self.envy.any():
            of_others = np.where(gone | ~met, 0, self.envy[kinds])
            found += np.where(gone, 0, of_others.sum(axis=0) - of_others)
        return found

    def _kinds(self, deals: Deals, codes: Codes, seat: int) -> Kinds:
        """The kind of hand that the cards of the wager make, by round; of one that was given up it does not matter."""
        hand = deals[self.cards * seat : self.cards * (seat + 1)]
        match self.side.cards:
            case "own-and-community":
                assert self.formed is not None
                return np.asarray(self.formed[codes[seat]])
            case "dealer":
                return np.asarray(self.rank(self._dealer(deals)))
            case "own-and-up-card":
                six = [*hand, self._dealer(deals)[0]]
                return np.asarray(np.max([self.rank(list(five)) for five in combinations(six, 5)], axis=0))
            case _ if self.three is not None:
                first, second, third = hand.astype(np.intp)
                return np.asarray(self.three[(first << 2 * _CARD_BITS) + (second << _CARD_BITS) + third])
            case _:
                return np.asarray(self.rank(list(hand)))

    def _dealer(self, deals: Deals) -> Deals:
        return deals[self.cards * self.seats : self.cards * (self.seats + 1)]

    def _met(self, deals: Deals) -> NDArray[np.bool_]:
        """By round whether the dealer's hand is as the wager needs it."""
        assert self.qualifies is not None
        plays = self.qualifies.take(self.rank(self._dealer(deals)))
        return plays if self.side.needs == "dealer-qualifies" else ~plays


def _net(book: Book, side: NamedSide, stake: int, made: HandRank) -> int:
    """What a stake nets with a hand that counts."""
    if not is_paid(side, made):
        return 0 if comes_back(book, side, made) else -stake
    return side.awards[made.category] - stake if side.awards else at_odds(stake, side.pays[made.category])


def _formed(book: Book, outcomes: int) -> Kinds:
    """By outcome the kind of the final hand: stays and bets go by it."""
    deals = play.game(book)
    kinds = int(kind_of_strength(book, deals).max()) + 1
    found = np.zeros(outcomes, np.uint16)
    found[STAYED:] = (np.arange(STAYED, outcomes) - STAYED) % kinds
    return found


def _of_three(*, ace_low: bool) -> tuple[Sequence[HandRank], Kinds]:
    """The kinds of hands of three cards, and by cards, in any order, the kind of each."""
    ranks = {hand: rank_of_three([Card(one) for one in hand], ace_low=ace_low) for hand in combinations(DECK, 3)}
    kinds = sorted(set(ranks.values()))
    place = {kind: number for number, kind in enumerate(kinds)}
    found = np.zeros(1 << 3 * _CARD_BITS, np.uint16)
    for hand, rank in ranks.items():
        for first, second, third in permutations(hand):
            found[(first << 2 * _CARD_BITS) + (second << _CARD_BITS) + third] = place[rank]
    return kinds, found
