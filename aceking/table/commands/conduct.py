"""Conduct of people at the table besides playing."""

from aceking.table.commands.base import Act, CardNumber, OfBox, OfSomeBox, ShortText


class KeepInView(OfSomeBox, tag="keep-in-view", frozen=True, kw_only=True):
    """Whether cards are kept in view; False is a breach that was seen."""

    player: ShortText | None = None
    kept: bool = True


class StaySeated(OfBox, tag="stay-seated", frozen=True, kw_only=True):
    """Whether a player stays seated; `left` is true if the player left the seat."""

    player: ShortText | None = None
    left: bool = False


class TouchCards(OfSomeBox, tag="touch-cards", frozen=True, kw_only=True):
    """Somebody touches cards."""

    player: ShortText | None = None
    card: CardNumber | None = None


class Talk(OfSomeBox, tag="talk", frozen=True):
    """Somebody talks about a hand."""


class Sit(OfSomeBox, tag="sit", frozen=True, kw_only=True):
    """Somebody sits at the table."""

    player: ShortText | None = None


class Reconstruct(Act, tag="reconstruct", frozen=True):
    """The hands of a round are rebuilt from the rack."""
