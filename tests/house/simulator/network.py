"""A simulated network that loses, repeats, delays and reorders messages."""

import random
from collections.abc import Callable


class Network:
    """Delivers each message after a random delay of its own."""

    def __init__(
        self, later: Callable[[float, Callable[[], None]], None], dice: random.Random, *, lost: float, twice: float
    ) -> None:
        self._later, self._dice = later, dice
        self.lost, self.twice, self.slow = lost, twice, 0.01

    def reaches(self, arrives: Callable[[], None]) -> None:
        """Deliver exactly once, as a TCP connection is opened."""
        self._later(self._dice.expovariate(1 / self.slow), arrives)

    def send(self, arrives: Callable[[], None]) -> None:
        """Deliver once, twice or not at all."""
        if self._dice.random() < self.lost:
            return
        for _ in range(2 if self._dice.random() < self.twice else 1):
            self._later(self._dice.expovariate(1 / self.slow), arrives)
