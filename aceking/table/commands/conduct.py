"""What people do at the table besides playing."""

from aceking.table.commands.base import Act, CardNumber, Name, OfBox, OfSomeBox


class KeepInView(OfSomeBox, tag="keep-in-view", frozen=True, kw_only=True):
    """Whether cards are kept in view; False is a breach that somebody saw."""

    player: Name | None = None
    kept: bool = True


class StaySeated(OfBox, tag="stay-seated", frozen=True, kw_only=True):
    """Whether a player keeps his seat; True: he left it."""

    player: Name | None = None
    left: bool = False


class TouchCards(OfSomeBox, tag="touch-cards", frozen=True, kw_only=True):
    """Somebody touches cards."""

    player: Name | None = None
    card: CardNumber | None = None


class Talk(OfSomeBox, tag="talk", frozen=True):
    """Somebody talks about a hand."""


class Sit(OfSomeBox, tag="sit", frozen=True, kw_only=True):
    """Somebody sits at the table."""

    player: Name | None = None


class Reconstruct(Act, tag="reconstruct", frozen=True):
    """The hands of a round are rebuilt from the rack."""
