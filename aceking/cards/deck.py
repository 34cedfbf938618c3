"""The deck of 52 cards, and the check that cards come from one deck."""

from collections.abc import Iterable

from aceking.cards.card import CardError, CardId, name

DECK: tuple[CardId, ...] = tuple(CardId(number) for number in range(52))


def one_deck(places: Iterable[tuple[str, tuple[CardId, ...]]]) -> None:
    """Raise CardError if a card is in two places; the message names both."""
    seen: dict[CardId, str] = {}
    for place, held in places:
        for card in held:
            if card in seen:
                raise CardError(f"{name(card)} is in {seen[card]} and again in {place}; there is one deck of 52")
            seen[card] = place
