"""Suit patterns of a hand that may exchange a card: what can be given up, and whether that leaves four of a suit.

Besides the ranks held in the up-card's suit one more thing matters here: four cards of one suit are a draw to a flush.
The patterns split the hands of a category accordingly; each hand is in exactly one.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from math import comb, prod

from aceking.cards.hand import Category
from aceking.exact.stud.counts import SIZES


class DrawPattern(IntEnum):
    """What giving up a card leaves."""

    NONE = 0  # no four cards of one suit
    UP_SUIT = 1  # four cards of the up-card's suit
    OTHER_SUIT = 2  # four cards of another suit
    OTHER_SUIT_BROKEN = 3  # the same, and the card given up was of that suit too


@dataclass(frozen=True, slots=True)
class Give:
    """A card that can be given up: the place of its rank among the ranks of the hand, and what that leaves."""

    place: int
    draw: DrawPattern


@dataclass(frozen=True, slots=True)
class Pattern:
    """Suits of the ranks of a hand."""

    suited: tuple[int, ...]  # the places of the ranks that are held in the up-card's suit
    ways: int
    gives: tuple[Give, ...]


@cache
def patterns(category: Category) -> tuple[Pattern, ...]:
    """Return all patterns of a category. Together they are all ways to give suits to the cards."""
    match category:
        case Category.HIGH_CARD | Category.STRAIGHT:
            return _five_ranks()
        case Category.PAIR:
            return _one_pair()
        case Category.FLUSH | Category.STRAIGHT_FLUSH | Category.ROYAL_FLUSH:
            every = range(5)
            bare = tuple(Give(place, DrawPattern.OTHER_SUIT_BROKEN) for place in every)
            suited = tuple(Give(place, DrawPattern.UP_SUIT) for place in every)
            return Pattern((), 3, bare), Pattern(tuple(every), 1, suited)
        case _:
            return tuple(_without_draw(SIZES[category], {}))


def _five_ranks() -> tuple[Pattern, ...]:
    every = range(5)
    drawing = []
    for odd in every:
        gives = tuple(Give(place, DrawPattern.NONE) for place in every if place != odd)
        others = tuple(place for place in every if place != odd)
        drawing += [
            Pattern(others, 3, (Give(odd, DrawPattern.UP_SUIT), *gives)),
            Pattern((odd,), 3, (Give(odd, DrawPattern.OTHER_SUIT), *gives)),
            Pattern((), 3 * 2, (Give(odd, DrawPattern.OTHER_SUIT), *gives)),
        ]
    taken = {(): 3, tuple(every): 1}  # flushes are not in these categories
    return (*_without_draw(SIZES[Category.HIGH_CARD], _taken(taken, drawing)), *drawing)


def _one_pair() -> tuple[Pattern, ...]:
    # Only one card of the pair can be of the suit that the others share. Giving up the other card of the pair leaves
    # the draw; giving up any other card breaks it.
    gives = tuple(Give(place, DrawPattern.NONE) for place in range(4))
    drawing = [
        Pattern((0, 1, 2, 3), 3, (Give(0, DrawPattern.UP_SUIT), *gives)),
        Pattern((0,), 3, (Give(0, DrawPattern.OTHER_SUIT), *gives)),
        Pattern((), 3 * 2, (Give(0, DrawPattern.OTHER_SUIT), *gives)),
    ]
    return (*_without_draw(SIZES[Category.PAIR], _taken({}, drawing)), *drawing)


def _taken(taken: dict[tuple[int, ...], int], drawing: list[Pattern]) -> dict[tuple[int, ...], int]:
    """Return the ways that other patterns account for, by the places in the up-card's suit."""
    for pattern in drawing:
        taken[pattern.suited] = taken.get(pattern.suited, 0) + pattern.ways
    return taken


def _without_draw(sizes: tuple[int, ...], taken: dict[tuple[int, ...], int]) -> list[Pattern]:
    places = range(len(sizes))
    gives = tuple(Give(place, DrawPattern.NONE) for place in places)
    without_draw = []
    for bits in range(1 << len(sizes)):
        suited = tuple(place for place in places if bits >> place & 1)
        ways = prod(comb(3, size - (bits >> place & 1)) for place, size in enumerate(sizes)) - taken.get(suited, 0)
        if ways:
            without_draw.append(Pattern(suited, ways, gives))
    return without_draw
