"""The lines of a settlement: a wager, its outcome, and the clause that decides it."""

from typing import Literal

import msgspec

from aceking.rules.book import Book
from aceking.rules.odds import Amount

Wager = Literal["ante", "bet", "exchange", "bought", "side"]
#: The wagers of the main game; every other is a side wager.
MAIN: frozenset[str] = frozenset({"ante", "bet", "exchange", "bought"})
Outcome = Literal["win", "lose", "push", "returned", "void"]


class Line(msgspec.Struct, frozen=True, gc=False):
    """The outcome of one wager: chips that move, or stay on purpose."""

    seat: int
    wager: str  # a word of Wager, or the name of a side wager of the book
    stake: int
    outcome: Outcome
    pays: int
    clause: str
    early: bool = False  # settled before the reveal: a fold, a declaration, the price of an exchange
    consumed: bool = False  # a stake that is spent even when it wins: on a progressive, or on fixed awards
    envy_of: int | msgspec.UnsetType = msgspec.UNSET  # the seat whose hand it is paid for, if not this one

    @property
    def net(self) -> int:
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
        """Return "meter" if any part comes off the meter, else "tray"."""
        return "meter" if self.from_meter else "tray"


class MeterResult(msgspec.Struct, frozen=True, gc=False):
    """The jackpot before and after a round. `after` is None if it was won and no reset value was given."""

    before: Amount
    after: Amount | None


class DealerHand(msgspec.Struct, frozen=True, gc=False):
    words: str
    qualifies: bool


class SeatResult(msgspec.Struct, frozen=True, gc=False):
    seat: int
    hand: str | None
    net: int


class Settlement(msgspec.Struct, frozen=True, gc=False):
    """A settled round; the lines are in the order in which the dealer takes and pays."""

    book: str
    dealer: DealerHand | None
    seats: tuple[SeatResult, ...]
    lines: tuple[Line, ...]
    awards: tuple[JackpotAward, ...]
    meter: MeterResult | None
    breaches: tuple[str, ...] = ()  # duties that were neglected without a sanction
    bought: DealerHand | None = None  # the dealer's hand with a bought card, for those who paid


def paying_place(book: Book, seat: int) -> int:
    """Where a seat stands in the order in which the dealer turns hands, takes and pays; the least comes first."""
    match book.collection.order:
        case "from-right" | "any":
            return -seat
