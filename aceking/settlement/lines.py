"""The lines of a settlement: each a wager, what became of it, and the clause that decides it."""

from typing import Literal

import msgspec

from aceking.rules.odds import Amount

Wager = Literal["ante", "bet", "exchange", "bought", "side"]
#: The wagers of the game itself; every other is beside it.
MAIN: frozenset[str] = frozenset({"ante", "bet", "exchange", "bought"})
Outcome = Literal["win", "lose", "push", "returned", "void"]


class Line(msgspec.Struct, frozen=True, gc=False):
    """One movement, or deliberate rest, of chips."""

    seat: int
    wager: str  # a word of Wager, or the name of a side wager of the book
    stake: int
    outcome: Outcome
    pays: int
    clause: str
    early: bool = False  # settled before the reveal: a fold, a declaration, the price of an exchange
    consumed: bool = False  # a stake that is spent even when it wins: on a progressive, or on fixed awards
    envy_of: int | msgspec.UnsetType = msgspec.UNSET  # the seat whose hand it is paid for, where that is another's

    @property
    def net(self) -> int:
        """What the player is better off by."""
        if self.outcome == "lose":
            return -self.stake
        return self.pays - self.stake if self.consumed else self.pays


class JackpotAward(msgspec.Struct, frozen=True, gc=False):
    """An award of the progressive, and where the money comes from."""

    seat: int
    amount: Amount
    from_meter: Amount

    @property
    def source(self) -> Literal["meter", "tray"]:
        """The meter where any of it comes off the meter, else the tray."""
        return "meter" if self.from_meter else "tray"


class Meter(msgspec.Struct, frozen=True, gc=False):
    """The jackpot before and after a round. `after` is None where it was won and no reset value was given."""

    before: Amount
    after: Amount | None


class DealerHand(msgspec.Struct, frozen=True, gc=False):
    """The dealer's hand in words, and whether it plays."""

    words: str
    qualifies: bool


class SeatResult(msgspec.Struct, frozen=True, gc=False):
    """What a seat held, and its net."""

    seat: int
    hand: str | None
    net: int


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """A round settled: all lines in the order in which the dealer takes and pays."""

    book: str
    dealer: DealerHand | None
    seats: tuple[SeatResult, ...]
    lines: tuple[Line, ...]
    awards: tuple[JackpotAward, ...]
    meter: Meter | None
    breaches: tuple[str, ...] = ()  # duties that were neglected without a sanction
    bought: DealerHand | None = None  # the dealer's hand with a bought card, for those who paid
