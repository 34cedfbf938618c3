"""Reveal, settlement, awards, and the end of a round."""

from typing import Literal

from aceking.table.commands.base import Act, Count, OfBox, OfSomeBox, ShortText, Whole


class Reveal(Act, tag="reveal", frozen=True):
    """The hidden cards are turned."""


class TurnHand(OfBox, tag="turn-hand", frozen=True):
    """A player's hand is turned."""


class Compare(OfSomeBox, tag="compare", frozen=True):
    """A hand is compared with the dealer's."""


class Reckon(Act, tag="reckon", frozen=True):
    """The amounts owed to all boxes are worked out."""


class AnnounceNoHand(Act, tag="announce-no-hand", frozen=True):
    """The dealer says that the bank has no hand."""


class CollectChips(OfSomeBox, tag="collect-chips", frozen=True):
    """Losing wagers go to the tray."""


class Pay(OfSomeBox, tag="pay", frozen=True):
    """Winning wagers are paid, and stakes that are kept go back."""


class CollectCards(OfSomeBox, tag="collect-cards", frozen=True, kw_only=True):
    """Cards go to the rack."""

    count: Count | None = None


class CollectAwardCards(OfSomeBox, tag="collect-award-cards", frozen=True, kw_only=True):
    """The cards of an award go to the rack."""

    count: Count | None = None


class CountFold(OfBox, tag="fold-count", frozen=True, kw_only=True):
    """Folded cards are spread and counted."""

    count: Count


class SelectWinner(OfBox, tag="select-winner", frozen=True, kw_only=True):
    """The dealer picks the box and hand of an award; the same pick again takes it back."""

    hand: ShortText | None = None


class CallSupervisor(OfBox, tag="call-supervisor", frozen=True):
    """The dealer calls for the check of an award."""


class Validate(OfBox, tag="supervisor-validated", frozen=True):
    """A supervisor confirms an award."""


class SwipeCard(OfBox, tag="card-swipe", frozen=True, kw_only=True):
    """A card is swiped for an award."""

    card: Literal["supervisor", "executive"] | None = None
    amount: Whole | None = None


class PrintWinPage(OfBox, tag="win-page", frozen=True):
    """The paper of an award is printed."""


class CompletePapers(OfBox, tag="documentation-complete", frozen=True):
    """The documents of an award are complete."""


class PayAward(OfBox, tag="pay-award", frozen=True):
    """A confirmed award is paid."""


class LockAward(OfBox, tag="award-locked", frozen=True, kw_only=True):
    """The meter gives the amount of an award, and the part that comes off the meter."""

    amount: Whole
    from_meter: Whole = 0


class Adjust(OfBox, tag="manual-adjustment", frozen=True, kw_only=True):
    """A signed award is backed out by hand."""

    reason: ShortText = ""


class EndGame(Act, tag="END GAME", frozen=True):
    """The key that ends the game."""


class EndRound(Act, tag="round-ended", frozen=True):
    """The round is over."""
