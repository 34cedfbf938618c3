"""Suit patterns of a hand that may exchange a card: what can be given up, and whether that leaves four of a suit.

Beside the ranks held in the up-card's suit one more thing matters here: four cards of one suit are a draw to a flush.
The patterns part the hands of a category accordingly, each hand into exactly one.
"""

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from math import comb, prod

from aceking.cards.hand import Category
from aceking.exact.stud.counts import SIZES


class Draw(IntEnum):
    """What giving up a card leaves."""

    NONE = 0  # no four cards of one suit
    UP_SUIT = 1  # four cards of the up-card's suit
    OTHER_SUIT = 2  # four cards of another suit
    OTHER_SUIT_BROKEN = 3  # the same, and the card given up was of that suit too


@dataclass(frozen=True, slots=True)
class Give:
    """A card that can be given up: its rank by place among the ranks of the hand, and what that leaves."""

    place: int
    draw: Draw


@dataclass(frozen=True, slots=True)
class Pattern:
    """Suits laid over the ranks of a hand."""

    suited: tuple[int, ...]  # the places of the ranks that are held in the up-card's suit
    ways: int
    gives: tuple[Give, ...]


@cache
def patterns(category: Category) -> tuple[Pattern, ...]:
    """All patterns of a category. Together they are all ways to give suits to the cards."""
    match category:
        case Category.HIGH_CARD | Category.STRAIGHT:
            return _five_ranks()
        case Category.PAIR:
            return _one_pair()
        case Category.FLUSH | Category.STRAIGHT_FLUSH | Category.ROYAL_FLUSH:
            every = range(5)
            bare = tuple(Give(place, Draw.OTHER_SUIT_BROKEN) for place in every)
            suited = tuple(Give(place, Draw.UP_SUIT) for place in every)
            return Pattern((), 3, bare), Pattern(tuple(every), 1, suited)
        case _:
            return tuple(_without_draw(SIZES[category], {}))


def _five_ranks() -> tuple[Pattern, ...]:
    every = range(5)
    drawing = []
    for odd in every:
        gives = tuple(Give(place, Draw.NONE) for place in every if place != odd)
        others = tuple(place for place in every if place != odd)
        drawing += [
            Pattern(others, 3, (Give(odd, Draw.UP_SUIT), *gives)),
            Pattern((odd,), 3, (Give(odd, Draw.OTHER_SUIT), *gives)),
            Pattern((), 3 * 2, (Give(odd, Draw.OTHER_SUIT), *gives)),
        ]
    taken = {(): 3, tuple(every): 1}  # flushes are no part of these categories
    return (*_without_draw(SIZES[Category.HIGH_CARD], _taken(taken, drawing)), *drawing)


def _one_pair() -> tuple[Pattern, ...]:
    # Only one card of the pair can be of the suit that the others share. To give up its fellow leaves the draw, to
    # give up any other card breaks it.
    gives = tuple(Give(place, Draw.NONE) for place in range(4))
    drawing = [
        Pattern((0, 1, 2, 3), 3, (Give(0, Draw.UP_SUIT), *gives)),
        Pattern((0,), 3, (Give(0, Draw.OTHER_SUIT), *gives)),
        Pattern((), 3 * 2, (Give(0, Draw.OTHER_SUIT), *gives)),
    ]
    return (*_without_draw(SIZES[Category.PAIR], _taken({}, drawing)), *drawing)


def _taken(taken: dict[tuple[int, ...], int], drawing: list[Pattern]) -> dict[tuple[int, ...], int]:
    """The ways that other patterns account for, by the places in the up-card's suit."""
    for pattern in drawing:
        taken[pattern.suited] = taken.get(pattern.suited, 0) + pattern.ways
    return taken


def _without_draw(sizes: tuple[int, ...], taken: dict[tuple[int, ...], int]) -> list[Pattern]:
    places = range(len(sizes))
    gives = tuple(Give(place, Draw.NONE) for place in places)
    found = []
    for bits in range(1 << len(sizes)):
        suited = tuple(place for place in places if bits >> place & 1)
        ways = prod(comb(3, size - (bits >> place & 1)) for place, size in enumerate(sizes)) - taken.get(suited, 0)
        if ways:
            found.append(Pattern(suited, ways, gives))
    return found
