"""A round as it lay on the table: cards, chips and what each player did. No rule is applied here."""

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from aceking.cards.card import Card
from aceking.rules.odds import Amount, Award

Play = Literal["bet", "fold", "stay", "declare"]
#: What a hand has laid aside: one card, or several where the book wants more than one.
Discard = Card | tuple[Card, ...] | None


def discards(aside: Sequence[Card]) -> Discard:
    """Cards laid aside as a seat has them."""
    if not aside:
        return None
    return aside[0] if len(aside) == 1 else tuple(aside)


class ScenarioError(ValueError):
    """The scenario is not a round that could lie on a table; the message says what and where."""


class Swap(msgspec.Struct, frozen=True, gc=False):
    """Cards given for others: the first taken comes for the first given."""

    give: tuple[Card, ...]
    take: tuple[Card, ...]


class Limits(msgspec.Struct, frozen=True, gc=False):
    """The table's least and greatest ante."""

    least: Amount | None
    most: Amount | None


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One box: seat 1 is at the dealer's far left."""

    number: int
    cards: tuple[Card, ...]
    ante: Amount
    play: Play
    bet: Amount | None  # None: the size that the book prescribes
    side: Amount
    claims: bool
    swap: Swap | None
    discard: Discard
    player: str | None  # None: nobody else's
    buys: bool = False  # has paid for a card for the dealer
    sides: tuple[tuple[str, Amount], ...] = ()  # the named side wagers

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards after an exchange."""
        if self.swap is None:
            return self.cards
        came = dict(zip(self.swap.give, self.swap.take, strict=True))
        return tuple([came.get(one, one) for one in self.cards])

    @property
    def laid_aside(self) -> tuple[Card, ...]:
        """The discards, however many."""
        if self.discard is None:
            return ()
        return self.discard if isinstance(self.discard, tuple) else (self.discard,)

    @property
    def kept(self) -> tuple[Card, ...]:
        """The cards without the discards."""
        aside = self.laid_aside
        return tuple([one for one in self.cards if one not in aside])


class Scenario(msgspec.Struct, frozen=True, gc=False):
    """A round to be settled."""

    seats: tuple[Seat, ...]
    dealer: tuple[Card, ...] = ()
    community: tuple[Card, ...] = ()
    meter: Amount | None = None
    reset: Amount | None = None
    limits: Limits | None = None
    awards: Mapping[str, Award] = {}
    bought: Card | None = None  # what came for the dealer
    up: Card | None = None  # the dealer's card that lay face up; None: the first of them

    @property
    def up_card(self) -> Card | None:
        """The dealer's card that lay face up; None where no card of the dealer is known."""
        return self.up if self.up is not None or not self.dealer else self.dealer[0]
