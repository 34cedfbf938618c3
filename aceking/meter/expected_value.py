"""The exact expected value of a wager on a must-hit-by meter. It depends on the value and the limit, not on cards.

The trigger is a whole number of minor units, each equally likely. If the display shows d without a hit, the trigger is
uniform from d + 1 to the limit L. The n-th wager from now brings the display to d(n) = min(L, floor(value + n feeds)),
hits with probability (d(n) - d(n-1)) / (L - d), and wins d(n). So

    wagers to the hit     E = sum of (L - d(n)) / (L - d) over n = 0, 1, … while d(n) < L
    award                 E = sum of (d(n) - d(n-1)) d(n) / (L - d)

Neither sum is computed term by term: the first is a floor sum (Euclid's algorithm); in the second d(n)² - d(n-1)²
telescopes, and the steps have only two lengths.
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
        """Return the probability that the next wager wins at this value, and what it wins."""
        before, after = self._shown(value, 0), self._shown(value, 1)
        return Fraction(after - before, self.limit - before), after

    def worth(self, value: Fraction) -> Fraction:
        """Return the expected award of the next wager at this value, in minor units."""
        chance, award = self.next_wager(value)
        return chance * award

    def wagers_to_hit(self, value: Fraction) -> Fraction:
        """Return the average number of wagers to the hit from this value, including the one that hits."""
        most, scale = self.wagers_most(value), self._scale(value)
        shown = floor_sum(most, scale, int(self.feed * scale), int(value * scale))
        return Fraction(most * self.limit - shown, self.limit - int(value))

    def award(self, value: Fraction) -> Fraction:
        """Return the average award of the hit from this value, in minor units."""
        first, uncapped = int(value), self.wagers_most(value) - 1
        last = self._shown(value, uncapped)
        short = int(self.feed)
        longer = last - first - short * uncapped  # the number of steps that are one coin longer
        squares = uncapped * short**2 + longer * (2 * short + 1)
        before = Fraction(last**2 - first**2 + squares, 2)
        return (before + (self.limit - last) * self.limit) / (self.limit - first)

    def wagers_most(self, value: Fraction) -> int:
        """Return the number of wagers after which the hit is certain."""
        return -(
            (int(value * self._scale(value)) - self.limit * self._scale(value)) // int(self.feed * self._scale(value))
        )

    def worth_at_display(self, shown: int) -> Fraction:
        """Return the expected award of the next wager for a player who sees only whole coins on the display.

        Each hidden fraction of a coin is equally likely, so that a feed of 7.5 coins moves the display by 7 or by 8.
        """
        short, left = int(self.feed), self.limit - shown
        part = self.feed - short
        worth = Fraction(0)
        for step, chance in ((short, 1 - part), (short + 1, part)):
            worth += chance * Fraction(min(step, left), left) * min(shown + step, self.limit)
        return worth

    def breaks_even(self, returned: Fraction = Fraction(0)) -> int | None:
        """Return the least display at which a wager is worth its stake, or None. `returned` is its return elsewhere."""
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
    """Return the sum of (start + n * step) // divisor for n from 0 to count - 1; no argument may be negative."""
    total = 0
    while count > 0:
        total += count * (count - 1) // 2 * (step // divisor) + count * (start // divisor)
        step, start = step % divisor, start % divisor
        reach = step * count + start
        if reach < divisor:
            break
        count, start, divisor, step = reach // divisor, reach % divisor, step, divisor
    return total
