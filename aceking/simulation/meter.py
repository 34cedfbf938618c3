"""The progressive in a simulation: stakes on every seat, fixed awards, and a meter that grows and is hit.

Awards of an amount are only counted. What comes off the meter is paid round by round in the order of play, by the same
arithmetic as at a table (`aceking.settlement.jackpot`); such rounds are rare, and between them the meter grows evenly.
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
from aceking.rules.vocabulary import Progressive
from aceking.settlement.jackpot import Winner, no_order, pay_jackpots
from aceking.simulation.games.game import SimulationError

#: A round in which the meter is hit: its number, and the seats (from 0) with their categories.
Event = tuple[int, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """A stake on the progressive from every seat in every round; money in minor units."""

    rules: Progressive
    awards: Mapping[Category, Share | Fixed]
    rate: Fraction  # what of each stake feeds the meter
    start: Amount
    reset: Amount
    unordered: Unregulated  # what is said of several winners without an order
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
    ) -> "Side":
        """The progressive of a book; what the book leaves open must be given."""
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
            raise SimulationError(f"{book.id} does not say what of a stake feeds the meter; give a rate, as in 70%")
        if begins is None:
            raise SimulationError(f"{book.id} does not say what the meter starts from; give a meter")
        if not 0 <= grows <= 1:
            raise SimulationError(f"a rate of {float(100 * grows):g} % is none; it lies between 0 and 100 %")
        back = begins if back is None else back
        if min(begins, back) < 0:
            raise SimulationError("a meter starts from nothing or more, not from less")
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
        """The categories that are paid."""
        return frozenset(self.awards)

    def on_meter(self, category: Category) -> bool:
        """Whether an award for this category has to do with the meter."""
        return isinstance(self.awards[category], Share) or self.rules.deducts == "all-awards"


@dataclass(slots=True)
class Meter:
    """The meter as it runs, and what it has paid; money in minor units, exact."""

    value: Fraction
    rounds: int = 0  # that it has been fed for
    paid: int = 0  # by shares of the meter, in all
    squares: int = 0  # of those amounts
    hits: dict[str, int] = field(default_factory=dict)  # by category: how often a share was paid
    resets: int = 0
    least_interval: int | None = None  # rounds between two resets
    most_interval: int | None = None
    last_reset: int | None = None
    highest: int = 0  # the most that it showed when it was hit in full
    unregulated: int = 0  # rounds on which the book is silent: nothing was paid

    def replay(self, side: Side, events: Sequence[Event], *, rounds: int, seats: int) -> None:
        """The next rounds: the meter grows with each, and is hit in those of the events."""
        each = side.rate * side.rules.stake * seats
        begin = self.rounds
        for number, winners in events:
            self._feed(each, begin + number + 1)
            self._hit(side, winners)
        self._feed(each, begin + rounds)

    def _feed(self, each: Fraction, until: int) -> None:
        self.value += each * (until - self.rounds)
        self.rounds = until

    def _hit(self, side: Side, winners: tuple[tuple[int, int], ...]) -> None:
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
        for one in awards:
            award = side.awards[category[one.seat]]
            if isinstance(award, Share):
                key = category[one.seat].key
                self.hits[key] = self.hits.get(key, 0) + 1
                self.paid += one.amount
                self.squares += one.amount**2
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
        """All of it, for a checkpoint."""
        return {name: str(self.value) if name == "value" else getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_data(cls, raw: Mapping[str, Any]) -> "Meter":
        """The reverse of `data`."""
        return cls(**{**raw, "value": Fraction(raw["value"])})
