"""The progressive in a simulation: stakes on every seat, fixed awards, and a meter that grows and is hit.

Awards of a fixed amount are only counted. Awards from the meter are paid round by round in the order of play, by the
same arithmetic as at a table (`aceking.settlement.jackpot`). Such rounds are rare, and between them the meter grows
linearly.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from aceking.cards.hand import Category
from aceking.exact.side_bets.progressive import rows
from aceking.rules.book import Book
from aceking.rules.odds import Amount, Awards, Fixed, Share
from aceking.rules.refusal import Unregulated
from aceking.rules.vocabulary import ProgressiveRules
from aceking.settlement.jackpot import Winner, no_order, pay_jackpots
from aceking.simulation.games.game import SimulationError

#: A round in which the meter is hit: its number, and the winning seats (from 0) with their categories.
MeterMove = tuple[int, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedSide:
    """A stake on the progressive from every seat in every round; money in minor units."""

    rules: ProgressiveRules
    awards: Mapping[Category, Share | Fixed]
    rate: Fraction  # the share of each stake that feeds the meter
    start: Amount
    reset: Amount
    unordered: Unregulated  # the ruling on several winners without an order
    returned: bool  # the stake of a player who exchanges goes back

    @classmethod
    def of(
        cls,
        book: Book,
        *,
        awards: Awards | None = None,
        rate: Fraction | None = None,
        start: int | None = None,
        reset: int | None = None,
    ) -> "SimulatedSide":
        """Return the progressive of a book. Raises SimulationError if a value is missing that the book leaves open."""
        rules = book.progressive
        if rules is None:
            raise SimulationError(f"{book.id} has no progressive to bet on")
        try:
            table = rows(book, awards)
        except ValueError as left_open:
            raise SimulationError(str(left_open)) from None
        grows = rules.increment if rate is None else rate
        back = rules.reset if reset is None else reset
        begins = start if start is not None else rules.seed if rules.seed is not None else back
        if grows is None:
            raise SimulationError(f"{book.id} does not say how much of a stake feeds the meter; give a rate, as in 70%")
        if begins is None:
            raise SimulationError(f"{book.id} does not say where the meter starts; give a meter")
        if not 0 <= grows <= 1:
            raise SimulationError(f"a rate lies between 0 and 100 %, not {float(100 * grows):g} %")
        back = begins if back is None else back
        if min(begins, back) < 0:
            raise SimulationError("a meter cannot start below 0")
        return cls(
            rules=rules,
            awards=table,
            rate=grows,
            start=Amount(begins),
            reset=Amount(back),
            unordered=no_order(book),
            returned=book.exchange is not None and book.exchange.side == "returned",
        )

    @property
    def awarded(self) -> frozenset[Category]:
        return frozenset(self.awards)

    def on_meter(self, category: Category) -> bool:
        """Return True if an award for this category is paid from the meter."""
        return isinstance(self.awards[category], Share) or self.rules.deducts == "all-awards"


@dataclass(slots=True)
class SimulatedMeter:
    """The meter as it runs, and what it has paid; money in minor units, exact."""

    value: Fraction
    rounds: int = 0  # rounds that have fed it
    paid: int = 0  # the sum of all shares of the meter
    squares: int = 0  # the sum of the squares of these amounts
    hits: dict[str, int] = field(default_factory=dict)  # by category: how often a share was paid
    resets: int = 0
    least_interval: int | None = None  # rounds between two resets
    most_interval: int | None = None
    last_reset: int | None = None
    highest: int = 0  # the highest value at a full hit
    unregulated: int = 0  # rounds that the book does not regulate: nothing was paid

    def replay(self, side: SimulatedSide, events: Sequence[MeterMove], *, rounds: int, seats: int) -> None:
        """Play the next rounds: the meter grows with each, and is hit in the rounds of the events."""
        each = side.rate * side.rules.stake * seats
        begin = self.rounds
        for number, winners in events:
            self._feed(each, begin + number + 1)
            self._hit(side, winners)
        self._feed(each, begin + rounds)

    def _feed(self, each: Fraction, until: int) -> None:
        self.value += each * (until - self.rounds)
        self.rounds = until

    def _hit(self, side: SimulatedSide, winners: tuple[tuple[int, int], ...]) -> None:
        shown = int(self.value)
        paid = pay_jackpots(
            side.rules,
            [Winner(seat + 1, Category(which), side.awards[Category(which)]) for seat, which in winners],
            meter=Amount(shown),
            reset=side.reset,
            unordered=side.unordered,
        )
        if isinstance(paid, Unregulated):
            self.unregulated += 1
            return
        awards, after = paid
        assert after is not None, "the reset value is known"
        self.value += after - shown
        category = {seat + 1: Category(which) for seat, which in winners}
        full = False
        for payment in awards:
            award = side.awards[category[payment.seat]]
            if isinstance(award, Share):
                key = category[payment.seat].key
                self.hits[key] = self.hits.get(key, 0) + 1
                self.paid += payment.amount
                self.squares += payment.amount**2
                full |= award.of_meter >= 1
        if full:
            self._was_reset(shown)

    def _was_reset(self, shown: int) -> None:
        self.resets += 1
        self.highest = max(self.highest, shown)
        if self.last_reset is not None:
            interval = self.rounds - self.last_reset
            self.least_interval = interval if self.least_interval is None else min(self.least_interval, interval)
            self.most_interval = interval if self.most_interval is None else max(self.most_interval, interval)
        self.last_reset = self.rounds

    def data(self) -> dict[str, Any]:
        """Return all fields, for a checkpoint."""
        return {name: str(self.value) if name == "value" else getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_data(cls, raw: Mapping[str, Any]) -> "SimulatedMeter":
        """Return the meter that `data` described."""
        return cls(**{**raw, "value": Fraction(raw["value"])})
