"""The deck of 52, and the proof that cards come from one deck."""

from collections.abc import Iterable

from aceking.cards.card import Card, CardError, name

DECK: tuple[Card, ...] = tuple(Card(number) for number in range(52))


def one_deck(places: Iterable[tuple[str, tuple[Card, ...]]]) -> None:
    """Refuses a card that lies in two places, and names both."""
    seen: dict[Card, str] = {}
    for place, held in places:
        for one in held:
            if one in seen:
                raise CardError(f"{name(one)} is in {seen[one]} and again in {place}; there is one deck of 52")
            seen[one] = place
