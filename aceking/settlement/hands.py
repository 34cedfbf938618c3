"""The hands of a round as they are judged: each seat with its stakes, and the dealer's."""

from collections.abc import Sequence

import msgspec

from aceking.cards.card import CardId
from aceking.cards.three import Instant, instant
from aceking.rules.book import Book
from aceking.settlement.judge import judge
from aceking.settlement.lines import DealerHand
from aceking.settlement.scenario import Scenario, Seat
from aceking.settlement.stakes import StakedSeat


class HeldHand(msgspec.Struct, frozen=True, gc=False):
    """A seat with its stakes and what its cards form."""

    seat: Seat
    staked: StakedSeat
    strength: int | None  # None: no five-card hand was formed
    words: str | None
    declared: Instant | None  # an instant winner, correctly declared

    @property
    def number(self) -> int:
        return self.seat.number


class Bank(msgspec.Struct, frozen=True, gc=False):
    """The dealer's hand against which all play."""

    strength: int
    shown: DealerHand


def dealer_hand(book: Book, scenario: Scenario, hands: Sequence[HeldHand]) -> Bank | None:
    """Return the dealer's hand; None in a game against a pay table, or if all have folded."""
    if book.dealer is None or not scenario.dealer:
        assert book.dealer is None or all(one.seat.gave_up or not one.staked.ante for one in hands)
        return None
    return bank_of(book, scenario.dealer)


def bank_of(book: Book, cards: Sequence[CardId]) -> Bank:
    rater = judge(book)
    strength = rater.strength(cards)
    return Bank(strength, DealerHand(rater.words_at(strength), bool(rater.qualifies[strength])))


def held_hand(book: Book, seat: Seat, stakes: StakedSeat, scenario: Scenario) -> HeldHand:
    """Return a seat's hand: five cards, kept cards with the community, or the cards declared."""
    rater = judge(book)
    if book.dealer is not None:
        if not seat.cards:
            return HeldHand(seat, stakes, None, None, None)
        strength = rater.strength(seat.hand)
        return HeldHand(seat, stakes, strength, rater.words_at(strength), None)
    if seat.play == "declare":
        assert book.instant is not None
        declared = instant(seat.cards, ace_low=book.instant.ace_low)
        return HeldHand(seat, stakes, None, None if declared is None else declared.title, declared)
    if seat.gave_up:
        return HeldHand(seat, stakes, None, None, None)
    strength = rater.strength((*seat.kept, *scenario.community))
    return HeldHand(seat, stakes, strength, rater.words_at(strength), None)
