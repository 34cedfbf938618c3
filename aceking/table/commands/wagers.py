"""Bets before the deal."""

from typing import Literal

from aceking.table.commands.base import Act, Aside, Count, OfPlayer, OfSomeBox, ShortText, Whole


class OpenBets(Act, tag="bets-opened", frozen=True):
    """The call that opens betting on a new round."""


class OpenRound(Act, tag="round-opened", frozen=True):
    """The same call under another name."""


class Stake(OfPlayer, frozen=True, kw_only=True):
    """Chips are placed, or taken back with a negative amount."""

    amount: Whole | None = None
    means: ShortText | None = None  # chips, plaques, cash, a coupon
    noticed: bool = True  # False: nobody notices what is wrong with it
    standing: bool = False  # the player does not sit
    games: Count = 0  # other games that the player has on the hand


class Ante(Stake, tag="ante", frozen=True):
    """A player stakes an ante."""


class PlaceForPlayer(Stake, tag="place-for-player", frozen=True, kw_only=True):
    """Staff place a player's chips at the player's request."""

    wager: Literal["ante", "side", "bet"] = "ante"
    side: ShortText | None = None  # which side wager, if the book has several
    discard: Aside = None


class SideBet(Stake, tag="side-bet", frozen=True, kw_only=True):
    """A side wager; its light comes on unless the sensor fails."""

    wager: ShortText | None = None  # which one, if the book has several
    lit: bool = True


class CloseBets(Act, tag="no-more-bets", frozen=True, kw_only=True):
    """No more bets; with the meter's value if nothing else locks it."""

    meter: Whole | None = None


class LockOut(Act, tag="lock-out", frozen=True):
    """No further side wager is registered."""


class CountChips(Act, tag="chip-light-count", frozen=True, kw_only=True):
    """Side chips are compared with the lights, then go to the tray."""

    count: Count | None = None
    meter: Whole | None = None


class StartGame(Act, tag="START GAME", frozen=True, kw_only=True):
    """The key that closes all bets and locks the meter."""

    meter: Whole | None = None


class TellOneHand(OfSomeBox, tag="one-hand-notice", frozen=True, kw_only=True):
    """A player with several boxes is told that they may look at one hand."""

    player: ShortText | None = None
