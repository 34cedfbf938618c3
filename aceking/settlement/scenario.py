"""A round as it lay on the table: cards, chips and the players' decisions. No rule is applied here."""

from collections.abc import Mapping, Sequence

import msgspec

from aceking.cards.card import CardId
from aceking.rules.decisions import ENDS_EARLY, GIVES_UP, Choice
from aceking.rules.odds import Amount, AwardAmount

#: The discards of a hand: one card, or several if the book asks for more than one.
DiscardedCards = CardId | tuple[CardId, ...] | None


def discards(cards: Sequence[CardId]) -> DiscardedCards:
    """Return discards in the form that a seat has them."""
    if not cards:
        return None
    return cards[0] if len(cards) == 1 else tuple(cards)


class ScenarioError(ValueError):
    """The scenario could not lie on a table; the message says what is wrong and where."""


class Swap(msgspec.Struct, frozen=True, gc=False):
    """Cards exchanged: the first taken replaces the first given."""

    give: tuple[CardId, ...]
    take: tuple[CardId, ...]


class AnteLimits(msgspec.Struct, frozen=True, gc=False):
    least: Amount | None
    most: Amount | None


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One box: seat 1 is at the dealer's far left."""

    number: int
    cards: tuple[CardId, ...]
    ante: Amount
    play: Choice
    bet: Amount | None  # None: the size that the book prescribes
    side: Amount
    claims: bool
    swap: Swap | None
    discard: DiscardedCards
    player: str | None  # None: no other seat belongs to the same player
    buys: bool = False  # has paid for a card for the dealer
    sides: tuple[tuple[str, Amount], ...] = ()  # the named side wagers

    @property
    def ended_early(self) -> bool:
        """Whether the hand is settled before the reveal."""
        return self.play in ENDS_EARLY

    @property
    def gave_up(self) -> bool:
        """Whether the hand was thrown away."""
        return self.play in GIVES_UP

    @property
    def hand(self) -> tuple[CardId, ...]:
        """Return the cards after an exchange."""
        if self.swap is None:
            return self.cards
        replacements = dict(zip(self.swap.give, self.swap.take, strict=True))
        return tuple([replacements.get(one, one) for one in self.cards])

    @property
    def laid_aside(self) -> tuple[CardId, ...]:
        """Return the discards as a tuple."""
        if self.discard is None:
            return ()
        return self.discard if isinstance(self.discard, tuple) else (self.discard,)

    @property
    def kept(self) -> tuple[CardId, ...]:
        """Return the cards without the discards."""
        discarded = self.laid_aside
        return tuple([one for one in self.cards if one not in discarded])


class Scenario(msgspec.Struct, frozen=True, gc=False):
    seats: tuple[Seat, ...]
    dealer: tuple[CardId, ...] = ()
    community: tuple[CardId, ...] = ()
    meter: Amount | None = None
    reset: Amount | None = None
    limits: AnteLimits | None = None
    awards: Mapping[str, AwardAmount] = {}
    bought: CardId | None = None  # the card bought for the dealer
    up: CardId | None = None  # the dealer's face-up card; None: the first of the dealer's cards

    @property
    def up_card(self) -> CardId | None:
        """Return the dealer's face-up card; None if no card of the dealer is known."""
        return self.up if self.up is not None or not self.dealer else self.dealer[0]
