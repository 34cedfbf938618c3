"""The three-card hands that win at once in Colorado Hold'em."""

from collections.abc import Sequence
from enum import Enum

from aceking.cards.card import ACE, Card, rank_of, suit_of


class Instant(Enum):
    """Three cards that may be declared an instant winner."""

    THREE_CARD_STRAIGHT_FLUSH = "three_card_straight_flush"
    INSTANT_THREE_OF_A_KIND = "instant_three_of_a_kind"

    @property
    def title(self) -> str:
        """`three card straight flush`."""
        return self.value.removeprefix("instant_").replace("_", " ")


def instant(three: Sequence[Card], *, ace_low: bool) -> Instant | None:
    """The instant winner that three cards make, or None. With `ace_low` the ace may also stand below the two."""
    assert len(three) == 3, "an instant winner is three cards"
    low, middle, high = sorted(rank_of(one) for one in three)
    if low == high:
        return Instant.INSTANT_THREE_OF_A_KIND
    if len({suit_of(one) for one in three}) > 1:
        return None
    in_sequence = low + 2 == middle + 1 == high
    wheel = ace_low and (low, middle, high) == (0, 1, ACE)
    return Instant.THREE_CARD_STRAIGHT_FLUSH if in_sequence or wheel else None
