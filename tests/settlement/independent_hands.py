"""The hands and amounts of the second reading: counted and sorted, nothing clever."""

from collections.abc import Mapping
from fractions import Fraction
from math import ceil
from typing import Any

from aceking.cards.card import card

Scenario = Mapping[str, Any]
Hand = tuple[int, list[int]]

CLASSES = (
    *("high_card", "pair", "two_pair", "three_of_a_kind", "straight"),
    *("flush", "full_house", "four_of_a_kind", "straight_flush", "royal_flush"),
)
HIGH_CARD, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL_HOUSE, QUADS, STRAIGHT_FLUSH, ROYAL = range(10)


def numbers(text: str) -> list[int]:
    return [card(name) for name in text.split()]


def rank(hand: list[int], wheel: bool = True) -> Hand:
    """The class, then its ranks: groups before side cards, high before low."""
    ranks = [one // 4 + 2 for one in hand]
    groups = sorted(((ranks.count(one), one) for one in set(ranks)), reverse=True)
    shape = [size for size, _ in groups]
    order = [one for _, one in groups]
    if wheel and order == [14, 5, 4, 3, 2]:
        order = [5, 4, 3, 2, 1]
    run = len(order) == 5 and order[0] - order[4] == 4
    suited = len({one % 4 for one in hand}) == 1
    if run and suited:
        return (ROYAL if order[0] == 14 else STRAIGHT_FLUSH), order
    if shape == [4, 1]:
        return QUADS, order
    if shape == [3, 2]:
        return FULL_HOUSE, order
    if suited:
        return FLUSH, order
    if run:
        return STRAIGHT, order
    if shape == [3, 1, 1]:
        return TRIPS, order
    if shape == [2, 2, 1]:
        return TWO_PAIR, order
    return (PAIR if shape[0] == 2 else HIGH_CARD), order


def instant_winner(hand: list[int], ace_low: bool) -> str | None:
    """CHP-38(c)(3): three of a kind, or three suited cards in sequence."""
    ranks = sorted(one // 4 + 2 for one in hand)
    if len(set(ranks)) == 1:
        return "instant_three_of_a_kind"
    if len({one % 4 for one in hand}) > 1:
        return None
    if ranks == [2, 3, 14] and ace_low:  # A-CHP-08
        return "three_card_straight_flush"
    return "three_card_straight_flush" if ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2] else None


def cents_up(amount: Fraction) -> Fraction:
    """A-CSP-37: whole cents, never below the exact share."""
    return Fraction(ceil(amount * 100), 100)


def is_share(award: str) -> bool:
    return award.endswith("%")


def share(award: str) -> Fraction:
    return Fraction(award.removesuffix("%")) / 100


def amount(seat: Scenario, key: str) -> Fraction:
    return Fraction(seat.get(key, "0"))


def limit(scenario: Scenario, key: str) -> Fraction | None:
    limits = scenario.get("limits", {})
    return Fraction(limits[key]) if key in limits else None
