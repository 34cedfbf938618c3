"""What a wager on a must-hit-by meter is worth, exactly: no deal decides it, only the value and the limit.

The trigger is a whole number of minor units, each equally likely; whoever has seen the display at d without a hit knows
that it lies from d + 1 up to the limit L, each still equally likely. The n-th wager from now brings the display to
d(n) = min(L, floor(value + n feeds)), hits with d(n) - d(n-1) chances of L - d, and wins d(n). So

    wagers to the hit     E = sum of (L - d(n)) / (L - d) over n = 0, 1, … while d(n) < L
    award                 E = sum of (d(n) - d(n-1)) d(n) / (L - d)

Both sums are taken without walking through them: the first by Euclid's way for sums of floors, the second because
d(n)² - d(n-1)² telescopes and the steps are only ever one of two lengths.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class MustHit:
    """A must-hit-by meter as a player sees it. Money in minor units; `feed` is what one wager adds."""

    limit: int
    stake: int
    feed: Fraction

    def next_wager(self, value: Fraction) -> tuple[Fraction, int]:
        """The chance that the next wager wins at this value, and what it wins then."""
        before, after = self._shown(value, 0), self._shown(value, 1)
        return Fraction(after - before, self.limit - before), after

    def worth(self, value: Fraction) -> Fraction:
        """What the next wager is worth at this value, in minor units."""
        chance, award = self.next_wager(value)
        return chance * award

    def wagers_to_hit(self, value: Fraction) -> Fraction:
        """How many wagers it takes from this value, the one that hits included, on average."""
        most, scale = self.wagers_most(value), self._scale(value)
        shown = floor_sum(most, scale, int(self.feed * scale), int(value * scale))
        return Fraction(most * self.limit - shown, self.limit - int(value))

    def award(self, value: Fraction) -> Fraction:
        """What the hit pays from this value, on average."""
        first, uncapped = int(value), self.wagers_most(value) - 1
        last = self._shown(value, uncapped)
        short = int(self.feed)
        longer = last - first - short * uncapped  # so many steps are one coin longer
        squares = uncapped * short**2 + longer * (2 * short + 1)
        before = Fraction(last**2 - first**2 + squares, 2)
        return (before + (self.limit - last) * self.limit) / (self.limit - first)

    def wagers_most(self, value: Fraction) -> int:
        """By how many wagers it has been hit for certain."""
        return -(
            (int(value * self._scale(value)) - self.limit * self._scale(value)) // int(self.feed * self._scale(value))
        )

    def worth_at_display(self, shown: int) -> Fraction:
        """What the next wager is worth to somebody who reads the display: each hidden fraction of a coin is as likely
        as any other, so that a feed of 7.5 coins moves the display by 7 or by 8.
        """
        short, left = int(self.feed), self.limit - shown
        part = self.feed - short
        worth = Fraction(0)
        for step, chance in ((short, 1 - part), (short + 1, part)):
            worth += chance * Fraction(min(step, left), left) * min(shown + step, self.limit)
        return worth

    def breaks_even(self, returned: Fraction = Fraction(0)) -> int | None:
        """The least display at which a wager of which `returned` comes back otherwise is worth its stake, if any."""
        wanted = self.stake * (1 - returned)
        if self.worth_at_display(self.limit - 1) < wanted:
            return None
        low, high = 0, self.limit - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.worth_at_display(middle) >= wanted else (middle + 1, high)
        return low

    def _shown(self, value: Fraction, wagers: int) -> int:
        return min(self.limit, int(value + wagers * self.feed))

    def _scale(self, value: Fraction) -> int:
        return value.denominator * self.feed.denominator


def floor_sum(count: int, divisor: int, step: int, start: int) -> int:
    """The sum of (start + n * step) // divisor for n from 0 to count - 1, none of them negative."""
    total = 0
    while count > 0:
        total += count * (count - 1) // 2 * (step // divisor) + count * (start // divisor)
        step, start = step % divisor, start % divisor
        reach = step * count + start
        if reach < divisor:
            break
        count, start, divisor, step = reach // divisor, reach % divisor, step, divisor
    return total
