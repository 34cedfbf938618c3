"""Exchanges against one rank of the up-card: the value of giving up a card, and the hands that follow.

An exchange is given by the four cards kept, the rank given up, the ranks that the player held in the up-card's suit,
and the draw to a flush that is left. Its value is the sum over the 46 cards that may be drawn, each followed by the
better of a bet and a fold. Most exchanges need no such sum: a bound by ranks alone shows that they are worse than none.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from aceking.cards.card import RANKS
from aceking.cards.hand import Category, HandRank
from aceking.exact.arrays import Amounts, Index
from aceking.exact.exchange.counts import DEALER_HANDS_AFTER, DRAWS, DrawPart, ExchangeCounts
from aceking.exact.exchange.patterns import DrawPattern
from aceking.exact.stud.money import StudNets
from aceking.exact.stud.play import StudResults, Worth

#: Exchanges that are valued together.
_AT_A_TIME = 1 << 14

Truth = NDArray[np.bool_]
Worths = Mapping[tuple[Category, bool], Worth]


@dataclass(frozen=True, slots=True, eq=False)
class Exchanges:
    """Several exchanges, one entry each."""

    fours: Index  # the cards kept, by place
    given: Index  # the rank given up
    suited: Index  # the ranks held in the up-card's suit before, as bits
    draw: Index  # a DrawPattern

    def __len__(self) -> int:
        return len(self.fours)

    def __getitem__(self, chosen: Index | slice) -> "Exchanges":
        return Exchanges(self.fours[chosen], self.given[chosen], self.suited[chosen], self.draw[chosen])

    @classmethod
    def joined(cls, several: Sequence["Exchanges"]) -> "Exchanges":
        """Return all of them, one after the other."""
        parts = [(each.fours, each.given, each.suited, each.draw) for each in several]
        return cls(*(np.concatenate(part) for part in zip(*parts, strict=True)))


@dataclass(frozen=True, slots=True, eq=False)
class _Mixed:
    """New hands that are not of one suit, at most one from each exchange."""

    exchange: Index  # the entry of Exchanges
    cards: NDArray[np.int8]  # how many cards lead to the hand; 0 if it is folded
    at: Index  # the rank given up and the hand, in the flat table
    change: Index  # what suits change, in the flat table


@dataclass(frozen=True, slots=True, eq=False)
class _Flushes:
    """New hands of one suit, at most one from each exchange; one card leads to each."""

    exchange: Index
    at: Index  # suits, the rank given up and the hand, in the flat table


@dataclass(frozen=True, slots=True, eq=False)
class PlayedExchange:
    """Exchanges with the hands that are drawn."""

    values: Amounts  # summed over the cards that may be drawn and the dealer's hands after that
    mixed: list[_Mixed]  # the new hands that may be bet
    flushes: list[_Flushes]


@dataclass(frozen=True, slots=True, eq=False)
class _NewHands:
    """How often each new hand comes from the exchanges that are made."""

    mixed: Amounts  # by rank given up and hand
    flush: Amounts  # by suits, rank given up and hand
    changed: Amounts  # what suits change in the counts, by code


@dataclass(frozen=True, slots=True, eq=False)
class Gains:
    """How much more a bet on a new hand is worth than a fold, by rank given up and new hand, for any suits."""

    least: Amounts
    most: Amounts
    flushes_bet: bool  # a bet is better for every new hand of one suit


class UpCardPlay:
    """One rank of the up-card, under one table of pays for exchanged hands."""

    def __init__(self, counts: ExchangeCounts, up: int, worths: Worths) -> None:
        self._counts = counts
        self._up = counts.ups[up]
        self.fold = next(iter(worths.values())).fold
        self._held = counts.changes.fours.astype(np.int8)  # cards of each rank among four
        # By rank given up and new hand, without suits.
        self._bets: Amounts = np.empty(self._up.mixed.below.shape, np.int64)
        self._change: Amounts = np.empty(self._up.change.below.shape, np.int64)  # what suits change in that
        self._flush_bets: Amounts = np.empty(self._up.flush.below.shape, np.int64)
        for part in counts.mixed:
            worth, at, codes = worths[part.block.category, part.plays], np.s_[:, part.places], self._codes(part)
            self._bets[at] = worth(*self._up.mixed[at])
            self._change[codes] = worth(*self._up.change[codes]) - worth.constant
        for part in counts.flushes:
            flush = np.s_[..., part.places]
            self._flush_bets[flush] = worths[part.block.category, part.plays](*self._up.flush[flush])
        #: An upper bound of a new hand's value.
        self._most = np.maximum(self._bets + self._change.max(axis=1)[counts.code], self.fold)
        self._may_bet = self._most > self.fold

    def _codes(self, part: DrawPart) -> slice:
        codes = self._counts.code[part.places]
        return slice(int(codes[0]), int(codes[-1]) + 1)

    def gains(self) -> Gains:
        """Return the least and the most by which a bet on each new hand is better than a fold."""
        code = self._counts.code
        return Gains(
            least=self._bets + self._change.min(axis=1)[code] - self.fold,
            most=self._bets + self._change.max(axis=1)[code] - self.fold,
            flushes_bet=bool((self._flush_bets > self.fold).all()),
        )

    def bets_by_column(self, given: int, hand: int) -> Truth:
        """Return whether a new hand is bet, by the column of ranks that are dead in the up-card's suit."""
        bets: Truth = self._bets[given, hand] + self._change[self._counts.code[hand]] > self.fold
        return bets

    def bounds(self) -> tuple[Amounts, Amounts]:
        """Return the most that an exchange can be worth, without a draw and with one, by rank given up and cards."""
        after, fours = self._counts.changes.after, self._counts.changes.fours
        plain = np.empty((len(RANKS), fours.shape[1]), np.int64)
        drawing = np.empty_like(plain)
        flush = self._flush_bets.max(axis=(0, 1))
        ranks, kept, one_suit = self._counts.changes.to_one_suit
        left = 4 - fours
        left[self._up.up] -= 1
        for given in range(len(RANKS)):
            live = left.copy()
            live[given] -= 1
            most = self._most[given].take(after)
            plain[given] = np.einsum("rf,rf->f", most, np.maximum(live, 0))
            better = np.zeros_like(most)
            better[ranks, kept] = np.maximum(flush[given].take(one_suit) - most[ranks, kept], 0)
            drawing[given] = plain[given] + better.sum(axis=0)
        return plain, drawing

    def value(self, exchanges: Exchanges) -> Amounts:
        """Return the value of each exchange, summed over the cards drawn and the dealer's hands after that."""
        # The draws are not stored, and one part at a time fits into the processor's cache.
        values = np.empty(len(exchanges), np.int64)
        for start in range(0, len(exchanges), _AT_A_TIME):
            part = slice(start, start + _AT_A_TIME)
            values[part] = self.play(exchanges[part], keep=False).values
        return values

    def settle(self, exchanges: Exchanges, states: Amounts, money: StudNets, results: StudResults) -> None:
        """Add the deals of exchanges; `states` says in how many states each is made."""
        self.settle_played(self.play(exchanges), states, money, results)

    def play(self, exchanges: Exchanges, *, keep: bool = True, folded: bool = False) -> PlayedExchange:
        """Draw to the exchanges; each new hand is bet or folded, whichever is better.

        With `keep` the new hands that are bet are stored, and with `folded` also those that are folded.
        """
        values = np.full(len(exchanges), DRAWS * self.fold)
        played = PlayedExchange(values, [], [])
        of_up, of_other, broken = (
            exchanges.draw == draw
            for draw in (DrawPattern.UP_SUIT, DrawPattern.OTHER_SUIT, DrawPattern.OTHER_SUIT_BROKEN)
        )
        for rank in range(len(RANKS)):
            hand = self._counts.changes.after[rank].take(exchanges.fours)
            had = self._held[rank].take(exchanges.fours)
            given = exchanges.given == rank
            # The card of the up-card's suit may be drawn and may make a flush; so may one card of another suit.
            suited = (exchanges.suited & 1 << rank == 0) & (rank != self._up.up)
            other = (had == 0) & (of_other | (broken & ~given))
            left = 4 - (rank == self._up.up) - had
            for gone in (given, suited, other):
                left -= gone.view(np.int8)
            for drawn in self._mixed(exchanges, rank, hand, left, suited & ~of_up, folded=folded):
                gain = self._bets.take(drawn.at) + self._change.take(drawn.change) - self.fold
                values[drawn.exchange] += drawn.cards * np.maximum(gain, 0)
                if keep:
                    played.mixed.append(drawn if folded else replace(drawn, cards=drawn.cards * (gain > 0)))
            for flushes in self._flushes(exchanges, hand, other, suited & of_up):
                gain = self._flush_bets.take(flushes.at) - self.fold
                values[flushes.exchange] += np.maximum(gain, 0)
                if not keep:
                    continue
                better = np.flatnonzero((gain > 0) | folded)
                played.flushes.append(_Flushes(flushes.exchange.take(better), flushes.at.take(better)))
        return played

    def _mixed(
        self, exchanges: Exchanges, rank: int, hand: Index, left: NDArray[np.int8], suited: Truth, *, folded: bool
    ) -> Iterator[_Mixed]:
        """Yield new hands by the cards left of a rank, and by the one of the up-card's suit, unless folded anyway."""
        at = exchanges.given * self._bets.shape[-1] + hand
        worth_it = self._may_bet.take(at) | folded
        code = self._counts.code.take(hand) * self._change.shape[-1]
        chosen = np.flatnonzero(worth_it & (left > 0))
        column = self._up.column.take(exchanges.suited.take(chosen))
        yield _Mixed(chosen, left.take(chosen), at.take(chosen), code.take(chosen) + column)
        chosen = np.flatnonzero(worth_it & suited)
        column = self._up.column.take(exchanges.suited.take(chosen) | 1 << rank)
        yield _Mixed(chosen, np.ones(len(chosen), np.int8), at.take(chosen), code.take(chosen) + column)

    def _flushes(self, exchanges: Exchanges, hand: Index, *made: Truth) -> Iterator[_Flushes]:
        """Yield new hands of one suit: first of another suit than the up-card's, then of the up-card's."""
        for up_suit, drawn in enumerate(made):
            chosen = np.flatnonzero(drawn)
            given = exchanges.given[chosen]
            held = exchanges.suited[chosen] >> given & 1  # the card given up was of the up-card's suit
            one_suit = self._counts.changes.of_one_suit.take(hand[chosen])
            at = ((2 * up_suit + held) * len(RANKS) + given) * self._flush_bets.shape[-1] + one_suit
            yield _Flushes(chosen, at)

    def settle_played(self, played: PlayedExchange, states: Amounts, money: StudNets, results: StudResults) -> None:
        """Add the deals of exchanges after the draw, each in `states` states. New hands that are not bet are folded."""
        new = self._new_hands(played, states)
        folds = DRAWS * int(states.sum()) - int(new.mixed.sum()) - int(new.flush.sum())
        results.add_folds(money, folds * DEALER_HANDS_AFTER)
        for part, number, sums in self._by_part(new):
            _add_bets(results, money, part, number, sums)

    def final_hands(
        self, played: PlayedExchange, states: Amounts, cuts: Sequence[HandRank]
    ) -> Iterator[tuple[HandRank, int, int | None]]:
        """Yield the deals of exchanges after the draw by new hand: parts of a category, each with its weakest hand.

        The third number is the deals in which the dealer does not qualify; None if the category is split into parts.
        """
        new = self._new_hands(played, states)
        for part, number, (unqualified, _, _) in self._by_part(new):
            starts = sorted({0, *(part.block.first_not_below(cut) for cut in cuts)} - {len(part.block)})
            if len(starts) == 1:
                yield part.block.weakest, number * DEALER_HANDS_AFTER, unqualified
                continue
            table = new.flush if part in self._counts.flushes else new.mixed
            for start, stop in pairwise((*starts, len(part.block))):
                here = np.s_[..., part.places.start + start : part.places.start + stop]
                yield part.block.part(start, stop).weakest, int(table[here].sum()) * DEALER_HANDS_AFTER, None

    def _new_hands(self, played: PlayedExchange, states: Amounts) -> _NewHands:
        mixed, flush = np.zeros_like(self._bets), np.zeros_like(self._flush_bets)
        suits = np.zeros_like(self._change)  # how often each change by suits is met
        for bet in played.mixed:
            number = states.take(bet.exchange) * bet.cards  # 0 if the exchange was valued but is not made
            np.add.at(mixed.reshape(-1), bet.at, number)
            np.add.at(suits.reshape(-1), bet.change, number)
        for suited in played.flushes:
            np.add.at(flush.reshape(-1), suited.at, states.take(suited.exchange))
        changed = np.stack([(suits * count).sum(axis=1) for count in self._up.change])
        return _NewHands(mixed, flush, changed)

    def _by_part(self, new: _NewHands) -> Iterator[tuple[DrawPart, int, Sequence[int]]]:
        """Yield for each part the number of new hands, and the dealer's hands against them, as in Counted."""
        for part in self._counts.mixed:
            at = np.s_[:, part.places]
            more = new.changed[:, self._codes(part)].sum(axis=1).tolist()
            sums = [each + change for each, change in zip(self._up.mixed[at].sums(new.mixed[at]), more, strict=True)]
            yield part, int(new.mixed[at].sum()), sums
        for part in self._counts.flushes:
            here = np.s_[..., part.places]
            yield part, int(new.flush[here].sum()), self._up.flush[here].sums(new.flush[here])


def _add_bets(results: StudResults, money: StudNets, part: DrawPart, number: int, sums: Sequence[int]) -> None:
    unqualified, below, equal = sums
    deals = number * DEALER_HANDS_AFTER
    results.add_bets(money, part.block.category, deals=deals, unqualified=unqualified, below=below, equal=equal)
