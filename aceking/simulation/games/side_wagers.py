"""Named side wagers by columns: the net result of every box that stakes the least on each of them, round by round."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import ColumnRanker
from aceking.cards.card import CardId
from aceking.cards.deck import DECK
from aceking.cards.fast import ranker
from aceking.cards.hand import HandRank
from aceking.cards.three import rank_of_three
from aceking.exact.arrays import Amounts
from aceking.exact.community import play
from aceking.money.chips import at_odds
from aceking.rules.book import Book
from aceking.rules.vocabulary import SideWagerRules
from aceking.settlement.judge import judge
from aceking.settlement.side_wagers import comes_back, is_paid
from aceking.simulation.chance import BLOCK_ROUNDS, Deals
from aceking.simulation.games.community import STAYED, kind_of_strength
from aceking.simulation.games.exchange import ExchangeGame
from aceking.simulation.games.game import Codes, Game

#: Kinds of hands, by their numbers.
SideKinds = NDArray[np.uint16]
_CARD_BITS = 6


@dataclass(frozen=True, eq=False)
class SideColumns:
    """One wager of a book, staked on by every seat."""

    name: str
    stake: int  # minor units
    side: SideWagerRules
    cards: int  # of a player's hand
    seats: int
    rank: ColumnRanker
    three: SideKinds | None  # by three cards of six bits each, if a hand is three cards
    formed: SideKinds | None  # by outcome: the kind of the final hand, if it is made with the community
    qualifies: NDArray[np.bool_] | None  # by strength: whether the dealer plays, if the wager depends on it
    given_up: NDArray[np.bool_]  # by outcome
    exchange: ExchangeGame | None  # the game whose players exchange before their hands count
    paid: Amounts  # by kind of hand: the net result of the wager
    envy: Amounts  # by kind of hand: what another's hand pays

    @classmethod
    def of(cls, book: Book, name: str, game: Game) -> "SideColumns":
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
        gone = [outcome.decision in unformed or outcome.ends == "fold" for outcome in game.outcomes]
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
        """Return the net result of each seat in each round, envy included, in minor units."""
        held = deals if self.exchange is None else self.exchange.held(deals)
        kinds = np.stack([self._kinds(held, codes, seat) for seat in range(self.seats)])
        gone = self.given_up[codes]
        met = np.full(codes.shape[1], fill_value=True) if self.qualifies is None else self._met(deals)
        result: Amounts = np.where(met, self.paid[kinds], -self.stake)
        result = np.where(gone, 0 if self.side.folded == "returned" else -self.stake, result)
        if self.envy.any():
            of_others = np.where(gone | ~met, 0, self.envy[kinds])
            result += np.where(gone, 0, of_others.sum(axis=0) - of_others)
        return result

    def _kinds(self, deals: Deals, codes: Codes, seat: int) -> SideKinds:
        """Return the kind of hand of the wager's cards, by round; it has no meaning for a hand that was given up."""
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
        """Return by round whether the dealer's hand meets the wager's condition."""
        assert self.qualifies is not None
        plays = self.qualifies.take(self.rank(self._dealer(deals)))
        return plays if self.side.needs == "dealer-qualifies" else ~plays


def _net(book: Book, side: SideWagerRules, stake: int, hand: HandRank) -> int:
    """Return the net result of a stake with a hand that counts."""
    if not is_paid(side, hand):
        return 0 if comes_back(book, side, hand) else -stake
    return side.awards[hand.category] - stake if side.awards else at_odds(stake, side.pays[hand.category])


def _formed(book: Book, outcomes: int) -> SideKinds:
    """Return the kind of the final hand by outcome: of stays and bets."""
    deals = play.game(book)
    kinds = int(kind_of_strength(book, deals).max()) + 1
    by_outcome = np.zeros(outcomes, np.uint16)
    by_outcome[STAYED:] = (np.arange(STAYED, outcomes) - STAYED) % kinds
    return by_outcome


def _of_three(*, ace_low: bool) -> tuple[Sequence[HandRank], SideKinds]:
    """Return the kinds of hands of three cards, and the kind of each three cards in any order."""
    ranks = {hand: rank_of_three([CardId(card) for card in hand], ace_low=ace_low) for hand in combinations(DECK, 3)}
    kinds = sorted(set(ranks.values()))
    place = {kind: number for number, kind in enumerate(kinds)}
    by_cards = np.zeros(1 << 3 * _CARD_BITS, np.uint16)
    for hand, rank in ranks.items():
        for first, second, third in permutations(hand):
            by_cards[(first << 2 * _CARD_BITS) + (second << _CARD_BITS) + third] = place[rank]
    return kinds, by_cards
