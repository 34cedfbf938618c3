"""Leaky buckets: a level for each key that rises with every refusal and falls with time."""

from collections.abc import Callable
from typing import TypeVar

#: Keys that are remembered; the one that was changed longest ago is forgotten first.
KEPT = 10_000

MonotonicClock = Callable[[], float]
KeptValue = TypeVar("KeptValue")


class LeakyBucket:
    """A leaky bucket per key: each refusal adds its cost, and the level falls by `leak` a second."""

    def __init__(self, leak: float, *, limit: float, capacity: float, clock: MonotonicClock) -> None:
        self._leak = leak
        self._limit = limit
        self._capacity = capacity
        self._clock = clock
        self._levels: dict[str, tuple[float, float]] = {}  # the level, and when it was that

    def __len__(self) -> int:
        return len(self._levels)

    def level(self, key: str) -> float:
        """Return the level of `key` now; 0 for a key that is not known."""
        level, when = self._levels.get(key, (0.0, 0.0))
        return max(0.0, level - (self._clock() - when) * self._leak)

    def over(self, key: str) -> bool:
        """Return True if the level of `key` is above the limit."""
        return self.level(key) > self._limit

    def add(self, key: str, cost: float) -> None:
        """Add `cost` to the level of `key`. The level never rises above the capacity."""
        keep(self._levels, key, (min(self._capacity, self.level(key) + cost), self._clock()))


def keep(kept: dict[str, KeptValue], key: str, value: KeptValue) -> None:
    """Set a key as the newest one; above `KEPT` keys the oldest one goes."""
    kept.pop(key, None)
    if len(kept) >= KEPT:
        del kept[next(iter(kept))]
    kept[key] = value
