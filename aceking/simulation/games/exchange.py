"""Stud with an exchange by columns: a card is given up and drawn, and the new hand is bet or folded for the best."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aceking.cards.array import Column, Strengths
from aceking.cards.card import RANKS, SUITS
from aceking.cards.hand import Category
from aceking.exact.stud.money import nets
from aceking.rules.book import Book
from aceking.simulation.chance import Deals
from aceking.simulation.decisions import BET, GIVE, GIVE_ODD, MIXED, DecisionRows, Decisions, kinds, suited_with
from aceking.simulation.games.game import NO_CARD, Codes, Hits, PlayedRounds, RoundOutcome, RowPlaces
from aceking.simulation.games.stud import ENDINGS, HAND, StudTable, endings

_SUITS = len(SUITS) - 1


@dataclass(frozen=True, slots=True, eq=False)
class After:
    """The decision for an exchanged hand: by up-card, rank given up and new hand, and by suits if these matter."""

    by_kind: Codes
    mixed: RowPlaces  # the kinds that are MIXED, rising
    column: NDArray[np.int16]  # by the up-card's rank and the set of ranks dead in its suit
    bets: NDArray[np.uint8]  # for each mixed kind: a bit for each column, 1 if it is bet

    def decide(self, up: Column, given: Column, strength: Strengths, seen: Deals) -> NDArray[np.bool_]:
        """Return whether each hand is bet; `seen` are all cards that the player has had in hand."""
        many = len(self.by_kind) // len(RANKS) ** 2
        rank = up >> 2
        kind = (rank * np.intp(len(RANKS)) + (given >> 2)) * many + strength
        codes = self.by_kind.take(kind)
        mixed = np.flatnonzero(codes == MIXED)
        rows = np.searchsorted(self.mixed, kind.take(mixed))
        dead = suited_with(seen.take(mixed, axis=1), up.take(mixed))
        columns = self.column[rank.take(mixed) * np.intp(1 << len(RANKS)) + dead]
        codes[mixed] = self.bets[rows, columns >> 3] >> (columns & 7) & 1
        return np.asarray(codes == BET)


@dataclass(frozen=True, eq=False)
class ExchangeGame:
    """A book in which one card may be bought, with a strategy and a number of seats."""

    seats: int
    table: StudTable
    plain: Decisions  # for hands without four cards of one suit, and for flushes
    drawing: Decisions  # for the others
    after: After
    outcomes: tuple[RoundOutcome, ...]  # as dealt, then of exchanged hands

    @classmethod
    def of(
        cls, book: Book, decisions: tuple[Decisions, Decisions, After], *, seats: int, awarded: frozenset[Category]
    ) -> "ExchangeGame":
        """Return the game of a book; `awarded` are the categories that the progressive pays."""
        outcomes = (*endings(nets(book)), *endings(nets(book, exchanged=True), exchanged=True))
        return cls(seats, StudTable.of(book, awarded), *decisions, outcomes)

    @property
    def cards(self) -> int:
        """The number of cards: five for each seat and the dealer, and one more for each seat that may exchange."""
        return HAND * (self.seats + 1) + self.seats

    def play(self, deals: Deals) -> PlayedRounds:
        """Play the rounds of these deals. Players who exchange draw in turn from the cards that are left."""
        dealer = deals[HAND * self.seats : HAND * (self.seats + 1)]
        stub = deals[HAND * (self.seats + 1) :]
        dealer_strength = self.table.rank(dealer)
        drawn = np.zeros(deals.shape[1], np.intp)
        codes = np.empty((self.seats, deals.shape[1]), np.uint8)
        paid: list[tuple[RowPlaces, NDArray[np.uint8]]] = []
        for seat in range(self.seats):
            hand = deals[HAND * seat : HAND * (seat + 1)]
            strength = self.table.rank(hand)
            decided = self._decide(hand, strength, dealer[0])
            codes[seat] = self.table.settle(decided == BET, strength, dealer_strength)
            at = np.flatnonzero(decided >= GIVE_ODD)
            taken = stub[drawn.take(at), at]
            drawn[at] += 1
            codes[seat, at] = ENDINGS + self._exchange(
                hand.take(at, axis=1), decided.take(at), dealer[0].take(at), taken, dealer_strength.take(at)
            )
            paid.append(self.table.paid(strength, codes[seat]))
        return PlayedRounds(codes, Hits.of(paid) if self.table.awarded.any() else Hits.none())

    def given(self, deals: Deals) -> Codes:
        """Return the card that each hand gives up if it is exchanged."""
        given_up = np.full((self.seats, deals.shape[1]), NO_CARD, np.uint8)
        up = deals[HAND * self.seats]
        for seat in range(self.seats):
            hand = deals[HAND * seat : HAND * (seat + 1)]
            decided = self._decide(hand, self.table.rank(hand), up)
            at = np.flatnonzero(decided >= GIVE_ODD)
            given_up[seat, at] = hand[_given(hand.take(at, axis=1), decided.take(at)), at]
        return given_up

    def held(self, deals: Deals) -> Deals:
        """Return the deals with the hands that players hold at the end."""
        held, given = deals.copy(), self.given(deals)
        stub = deals[HAND * (self.seats + 1) :]
        drawn = np.zeros(deals.shape[1], np.intp)
        for seat in range(self.seats):
            at = np.flatnonzero(given[seat] != NO_CARD)
            hand = slice(HAND * seat, HAND * (seat + 1))
            before, taken = deals[hand, at], stub[drawn.take(at), at]
            held[hand, at] = np.where(before == given[seat, at], taken, before)
            drawn[at] += 1
        return held

    def _decide(self, hand: Deals, strength: Strengths, up: Column) -> Codes:
        kind = kinds(strength, np.right_shift(up, 2))
        codes = self.plain.by_kind.take(kind, mode="wrap")
        four = _four_of_a_suit(hand)
        at = np.flatnonzero(four)
        codes[at] = self.drawing.by_kind.take(kind.take(at))
        unsure = np.flatnonzero(codes == MIXED)
        for decisions, draws in ((self.drawing, True), (self.plain, False)):
            mixed = unsure[four.take(unsure) == draws]
            cards = hand.take(mixed, axis=1)
            odd = np.zeros(len(mixed), np.int64)
            if draws:
                odd += 1 + (cards[_odd_place(cards), np.arange(len(mixed))] >> 2)
            codes[mixed] = decisions.of_mixed(DecisionRows(kind[mixed], suited_with(cards, up[mixed]), odd))
        return codes

    def _exchange(self, hand: Deals, decided: Codes, up: Column, taken: Column, dealer: Strengths) -> Codes:
        """Return how hands end that give up a card for the one taken."""
        place = _given(hand, decided)
        every = np.arange(deals_of(hand))
        given = hand[place, every]
        after = hand.copy()
        after[place, every] = taken
        strength = self.table.rank(after)
        bets = self.after.decide(up, given, strength, np.concatenate([hand, taken[None]]))
        return self.table.settle(bets, strength, dealer)


def deals_of(hand: Deals) -> int:
    return int(hand.shape[1])


def _four_of_a_suit(hand: Deals) -> NDArray[np.bool_]:
    """Return whether exactly four cards of each hand are of one suit: all but one of the first card's suit, or all but
    the first of another."""
    difference = (hand[1:] ^ hand[0]) & np.uint8(_SUITS)
    alike = (difference == 0).view(np.uint8)
    four = np.asarray(alike[0] + alike[1] + alike[2] + alike[3] == HAND - 2)
    second = difference[0]
    differ = (second ^ difference[1]) | (second ^ difference[2]) | (second ^ difference[3])
    four |= (differ == 0) & (second != 0)
    return four


def _main_suit(hand: Deals) -> Column:
    """Return the suit of four cards of one suit: if the first two differ, one of them is odd and the third is not."""
    first, second, third = hand[:3]
    return np.asarray(np.where((first ^ second) & _SUITS == 0, first, third), np.uint8) & np.uint8(_SUITS)


def _odd_place(hand: Deals) -> Codes:
    """Return the place of the card of another suit beside four of one suit."""
    main = _main_suit(hand)
    place = np.zeros(deals_of(hand), np.uint8)
    for number, cards in enumerate(hand):
        place += np.uint8(number) * (cards & np.uint8(_SUITS) != main).view(np.uint8)
    return place


def _given(hand: Deals, decided: Codes) -> RowPlaces:
    """Return the place of the card given up: the odd one, or one of a rank; of several the one that leaves no draw."""
    rank = decided - np.uint8(GIVE)  # if it is the odd one, no card has such a rank
    place, many = np.zeros((2, deals_of(hand)), np.uint8)
    for number, cards in enumerate(hand):
        match = (cards >> 2 == rank).view(np.uint8)
        many += match
        place += np.uint8(number) * match
    odd, several = np.flatnonzero(decided == GIVE_ODD), np.flatnonzero(many > 1)
    place[odd] = _odd_place(hand.take(odd, axis=1))
    place[several] = _of_several(hand.take(several, axis=1), rank.take(several))
    return place.astype(np.intp)


def _of_several(hand: Deals, rank: Codes) -> Codes:
    """Return the last card of that rank, but prefer one of the suit of four cards."""
    main = _main_suit(hand)
    place = np.zeros(deals_of(hand), np.uint8)
    for suited in (False, True):
        for number, cards in enumerate(hand):
            fits = cards >> 2 == rank
            np.copyto(place, number, where=fits & ((cards ^ main) & _SUITS == 0) if suited else fits)
    return place
