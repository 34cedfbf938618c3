"""What every command has, and the shapes that many acts share."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from aceking.rules.words import Actor

CardNumber = Annotated[int, msgspec.Meta(ge=0, le=51)]
#: What is laid aside with a decision: one card, or several where the book wants more than one.
Aside = CardNumber | tuple[CardNumber, ...] | None
Whole = Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]
BoxNumber = Annotated[int, msgspec.Meta(ge=1, le=99)]
Count = Annotated[int, msgspec.Meta(ge=0, le=10**6)]
#: Milliseconds on the table's clock.
Moment = Annotated[int, msgspec.Meta(ge=0, le=10**15)]
Name = Annotated[str, msgspec.Meta(max_length=200)]
Face = Literal["up", "down"]
Side = Literal["left", "right"]
Choice = Literal["bet", "fold", "stay", "declare"]


def laid_aside(aside: Aside) -> tuple[int, ...]:
    """The cards laid aside, however many."""
    if aside is None:
        return ()
    return aside if isinstance(aside, tuple) else (aside,)


def as_aside(cards: Sequence[int]) -> Aside:
    """Cards as a command has them: one by itself."""
    if not cards:
        return None
    return cards[0] if len(cards) == 1 else tuple(cards)


class Command(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False, tag_field="do"
):
    """Who asks, in which part, and when on the table's clock."""

    by: Name = ""
    role: Actor | None = None
    at: Moment | None = None


class Act(Command, frozen=True, kw_only=True):
    """An act of procedure. `remark` is for readers of the record; nothing depends on it."""

    remark: Name | None = None

    @property
    def do(self) -> str:
        """The act's name, as books and scripts have it."""
        return str(self.__struct_config__.tag)

    @property
    def box(self) -> int | None:
        """The box it is about, where there is one."""
        return None

    @property
    def deck(self) -> str | None:
        """The deck it is about, where there is one."""
        return None

    @property
    def player(self) -> str | None:
        """The player it is about, where it names one."""
        return None


class OfDeck(Act, frozen=True, kw_only=True):
    """An act on a deck: the one that is named, else the one in use, else the only one."""

    deck: Name | None = None


class OfBox(Act, frozen=True, kw_only=True):
    """An act about one box."""

    box: BoxNumber


class OfSomeBox(Act, frozen=True, kw_only=True):
    """An act about one box, or about all that are left."""

    box: BoxNumber | None = None


class OfPlayer(OfBox, frozen=True, kw_only=True):
    """An act of a player at a box; who he is may be left to the box."""

    player: Name | None = None
