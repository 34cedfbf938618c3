"""The queue in which connections and requests of limited addresses wait for their turn.

Turns have a pace that does not depend on the number of addresses. The next turn goes to the address whose last turn is
longest ago, so that an address with many connections delays the others no more than an address with one.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from aceking.web.limits.leaky_bucket import MonotonicClock, keep

#: Places in the queue. If all are taken, the address with the latest turn loses its newest place.
QUEUE_MOST = 64
#: Seconds that a turn takes: of a connection or request, and of a log-in, which costs a tenth of a second of work.
REQUEST_SECONDS, LOG_IN_SECONDS = 0.05, 0.5

Turn = Callable[[bool], None]  # called with True at the turn, with False if the place is lost


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    address: str
    seconds: float
    turn: Turn


class Queue:
    """Who waits for a turn, and when the next turn is."""

    def __init__(self, clock: MonotonicClock) -> None:
        self._clock = clock
        self._waiting: list[_Waiting] = []  # in the order in which they came
        self._last_turn: dict[str, float] = {}  # by address
        self._next_turn = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._waiting)

    def join(self, address: str, seconds: float, turn: Turn) -> None:
        """Take a place in the queue; the event loop calls `turn` later, or at once if there is no place."""
        self._waiting.append(_Waiting(address, seconds, turn))
        if len(self._waiting) > QUEUE_MOST:
            loses = max(reversed(self._waiting), key=self._had_turn)
            self._waiting.remove(loses)
            loses.turn(False)
        if self._timer is None:
            self._wake_after(self._next_turn - self._clock())

    async def wait_turn(self, address: str, seconds: float) -> bool:
        """Wait for a turn. Return False if the queue was full and the request is refused."""
        result: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def turn(is_turn: bool) -> None:
            if not result.done():
                result.set_result(is_turn)

        self.join(address, seconds, turn)
        return await result

    def advance(self) -> float | None:
        """Give the turns that are due. Return the seconds until the next one, None if nobody waits."""
        while self._waiting:
            now = self._clock()
            if now < self._next_turn:
                return self._next_turn - now
            first = min(self._waiting, key=self._had_turn)
            self._waiting.remove(first)
            self._next_turn = now + first.seconds
            keep(self._last_turn, first.address, now)
            first.turn(True)
        return None

    def _had_turn(self, one: _Waiting) -> float:
        return self._last_turn.get(one.address, -1.0)

    def _wake_after(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(max(0.0, seconds), self._wake)

    def _wake(self) -> None:
        self._timer = None
        seconds = self.advance()
        if seconds is not None:
            self._wake_after(seconds)
