"""The base classes of commands, and the field types that many share."""

from collections.abc import Sequence
from typing import Annotated, Literal

import msgspec

from aceking.rules.words import Actor

CardNumber = Annotated[int, msgspec.Meta(ge=0, le=51)]
#: Discards of a decision: one card, or several if the book asks for more than one.
Aside = CardNumber | tuple[CardNumber, ...] | None
Whole = Annotated[int, msgspec.Meta(ge=-(10**15), le=10**15)]
BoxNumber = Annotated[int, msgspec.Meta(ge=1, le=99)]
Count = Annotated[int, msgspec.Meta(ge=0, le=10**6)]
#: Milliseconds on the table's clock.
TableTime = Annotated[int, msgspec.Meta(ge=0, le=10**15)]
ShortText = Annotated[str, msgspec.Meta(max_length=200)]
Face = Literal["up", "down"]
TableSide = Literal["left", "right"]


def laid_aside(aside: Aside) -> tuple[int, ...]:
    """Return the discards as a tuple."""
    if aside is None:
        return ()
    return aside if isinstance(aside, tuple) else (aside,)


def as_aside(cards: Sequence[int]) -> Aside:
    """Return discards in the form that a command has them."""
    if not cards:
        return None
    return cards[0] if len(cards) == 1 else tuple(cards)


class TableCommand(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False, tag_field="do"
):
    """A request: who asks, in which role, and when on the table's clock."""

    by: ShortText = ""
    role: Actor | None = None
    at: TableTime | None = None


class Act(TableCommand, frozen=True, kw_only=True):
    """An act of procedure. `remark` is for readers of the record; nothing depends on it."""

    remark: ShortText | None = None

    @property
    def do(self) -> str:
        """Return the name of the act, as in books and scripts."""
        return str(self.__struct_config__.tag)

    @property
    def box(self) -> int | None:
        """Return the box of the act; None if it has none."""
        return None

    @property
    def deck(self) -> str | None:
        """Return the deck of the act; None if it has none."""
        return None

    @property
    def player(self) -> str | None:
        """Return the player of the act; None if it names none."""
        return None


class OfDeck(Act, frozen=True, kw_only=True):
    """An act on a deck: the named one, else the one in use, else the only one."""

    deck: ShortText | None = None


class OfBox(Act, frozen=True, kw_only=True):
    """An act about one box."""

    box: BoxNumber


class OfSomeBox(Act, frozen=True, kw_only=True):
    """An act about one box, or about all that are left."""

    box: BoxNumber | None = None


class OfPlayer(OfBox, frozen=True, kw_only=True):
    """An act of a player at a box; without a name it is the player of the box."""

    player: ShortText | None = None
