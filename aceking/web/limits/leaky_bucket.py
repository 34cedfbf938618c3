"""What somebody owes for what was refused to him; time pays it off."""

from collections.abc import Callable

#: So many are remembered; who has owed for longest is forgotten first.
KEPT = 10_000

Clock = Callable[[], float]


class Debts:
    """By whoever owes: an address, a person."""

    def __init__(self, a_second: float, most: float, clock: Clock) -> None:
        self.a_second = a_second
        self._most = most
        self._clock = clock
        self._debts: dict[str, tuple[float, float]] = {}  # how much, and when it was that

    def __len__(self) -> int:
        return len(self._debts)

    def of(self, who: str) -> float:
        """What he owes by now."""
        debt, when = self._debts.get(who, (0.0, 0.0))
        return max(0.0, debt - (self._clock() - when) * self.a_second)

    def add(self, who: str, cost: float) -> None:
        """He owes so much more; less, where it is given back."""
        owes = max(0.0, min(self._most, self.of(who) + cost))
        self._debts.pop(who, None)
        if len(self._debts) >= KEPT:
            del self._debts[next(iter(self._debts))]
        self._debts[who] = (owes, self._clock())
