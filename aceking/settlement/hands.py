"""The hands of a round as they are judged: each seat with its stakes, and the dealer's."""

from collections.abc import Sequence

import msgspec

from aceking.cards.card import Card
from aceking.cards.three import Instant, instant
from aceking.rules.book import Book
from aceking.settlement.judge import judge
from aceking.settlement.lines import DealerHand
from aceking.settlement.scenario import Scenario, Seat
from aceking.settlement.stakes import Staked


class HeldHand(msgspec.Struct, frozen=True, gc=False):
    """A seat with its stakes and what its cards are."""

    seat: Seat
    staked: Staked
    strength: int | None  # None: no five-card hand was formed
    words: str | None
    declared: Instant | None  # an instant winner, rightly declared

    @property
    def number(self) -> int:
        """The seat's number."""
        return self.seat.number


class Bank(msgspec.Struct, frozen=True, gc=False):
    """The dealer's hand against which all play."""

    strength: int
    shown: DealerHand


def dealer_hand(book: Book, scenario: Scenario, hands: Sequence[HeldHand]) -> Bank | None:
    """The hand against which all play; None in a game against a pay table, or where all have folded."""
    if book.dealer is None or not scenario.dealer:
        assert book.dealer is None or all(one.seat.play == "fold" or not one.staked.ante for one in hands)
        return None
    return bank_of(book, scenario.dealer)


def bank_of(book: Book, cards: Sequence[Card]) -> Bank:
    """Five cards as the dealer's hand."""
    by = judge(book)
    strength = by.strength(cards)
    return Bank(strength, DealerHand(by.words_at(strength), bool(by.qualifies[strength])))


def held_hand(book: Book, seat: Seat, stakes: Staked, scenario: Scenario) -> HeldHand:
    """A seat's hand: five cards, kept cards with the community, or the cards declared."""
    by = judge(book)
    if book.dealer is not None:
        if not seat.cards:
            return HeldHand(seat, stakes, None, None, None)
        strength = by.strength(seat.hand)
        return HeldHand(seat, stakes, strength, by.words_at(strength), None)
    if seat.play == "declare":
        assert book.instant is not None
        found = instant(seat.cards, ace_low=book.instant.ace_low)
        return HeldHand(seat, stakes, None, None if found is None else found.title, found)
    if seat.play == "fold":
        return HeldHand(seat, stakes, None, None, None)
    strength = by.strength((*seat.kept, *scenario.community))
    return HeldHand(seat, stakes, strength, by.words_at(strength), None)
