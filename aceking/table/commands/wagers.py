"""Bets before the deal."""

from typing import Literal

from aceking.table.commands.base import Act, Aside, Count, Name, OfPlayer, OfSomeBox, Whole


class OpenBets(Act, tag="bets-opened", frozen=True):
    """The call that opens betting on a new round."""


class OpenRound(Act, tag="round-opened", frozen=True):
    """The same, where the house calls it so."""


class Stake(OfPlayer, frozen=True, kw_only=True):
    """Chips go down, or come back with an amount below nothing."""

    amount: Whole | None = None
    means: Name | None = None  # chips, plaques, cash, a coupon
    noticed: bool = True  # False: what is wrong with it slips through
    standing: bool = False  # the player does not sit
    games: Count = 0  # other games that he has on the hand


class Ante(Stake, tag="ante", frozen=True):
    """A player stakes an ante."""


class PlaceForPlayer(Stake, tag="place-for-player", frozen=True, kw_only=True):
    """Staff lay a player's chips down for him, at his request."""

    wager: Literal["ante", "side", "bet"] = "ante"
    side: Name | None = None  # which side wager, where the book has several
    discard: Aside = None


class SideBet(Stake, tag="side-bet", frozen=True, kw_only=True):
    """A side wager, whose light comes on unless the sensor stays dark."""

    wager: Name | None = None  # which, where the book has several
    lit: bool = True


class CloseBets(Act, tag="no-more-bets", frozen=True, kw_only=True):
    """No more bets; with the meter's value where nothing else locks it."""

    meter: Whole | None = None


class LockOut(Act, tag="lock-out", frozen=True):
    """No further side wager registers."""


class CountChips(Act, tag="chip-light-count", frozen=True, kw_only=True):
    """Side chips are held against the lights, then go to the tray."""

    count: Count | None = None
    meter: Whole | None = None


class StartGame(Act, tag="START GAME", frozen=True, kw_only=True):
    """The key that closes all bets and locks the meter."""

    meter: Whole | None = None


class TellOneHand(OfSomeBox, tag="one-hand-notice", frozen=True, kw_only=True):
    """A player of several boxes is told that he may look at one hand."""

    player: Name | None = None
