"""The places where cards lie: a box, the dealer, the community, the burnt card, and what was laid aside."""

from functools import cache
from typing import Literal

import msgspec

PlaceKind = Literal["box", "dealer", "community", "burn", "boxed", "aside"]


class Place(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """A place on the layout; a box by its number."""

    kind: PlaceKind
    number: int = 0

    @property
    def words(self) -> str:
        """Return the name used in scripts and messages: "box 3", "dealer"."""
        return f"box {self.number}" if self.kind == "box" else self.kind


DEALER = Place("dealer")
COMMUNITY = Place("community")
BURN = Place("burn")
BOXED = Place("boxed")
#: Face down, until it is known where the cards belong.
ASIDE = Place("aside")
_FIXED = {one.kind: one for one in (DEALER, COMMUNITY, BURN, BOXED, ASIDE)}


@cache
def box_place(number: int) -> Place:
    return Place("box", number)


def place_from(text: str) -> Place:
    """Return the place with this name. Raises ValueError."""
    number = text.removeprefix("box ")
    if text.startswith("box ") and number.isdecimal() and len(number) < 4:
        return box_place(int(number))
    if text in _FIXED:
        return _FIXED[text]
    raise ValueError(f"there is no place {text!r}: it is box 1, box 2 …, {', '.join(_FIXED)}")


class Pile(msgspec.Struct, frozen=True, array_like=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    """Cards together in the rack: a hand, a box's discards or exchanged cards, the dealer's cards, the stub."""

    kind: Literal["hand", "discard", "exchanged", "dealer", "bought", "community", "burn", "boxed", "aside", "stub"]
    number: int = 0

    @property
    def words(self) -> str:
        """Return the name used in scripts: "box 3", "discard 3", "stub"."""
        return f"box {self.number}" if self.kind == "hand" else f"{self.kind} {self.number}".removesuffix(" 0")


STUB = Pile("stub")


def pile_of(place: Place) -> Pile:
    """Return the pile that the cards of a place form in the rack."""
    return Pile("hand" if place.kind == "box" else place.kind, place.number)
