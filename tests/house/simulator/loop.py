"""An event loop whose time is told: it passes when everybody waits, and no thread runs."""

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from tests.house.store.disk import Crashed

#: Seconds until a thread has done its work, and again until the loop hears of it: mostly short, sometimes long.
_WORK = (0.0002, 0.001, 0.008, 0.3)


class StandStill(Exception):
    """Nobody waits for anything any more: nothing would ever happen again."""


class SimulatedLoop(asyncio.BaseEventLoop):
    """Timers in their order, work of threads after a while by the dice."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__()
        self._dice = dice
        self._seconds = 0.0
        self._selector = self
        self.crashed: Callable[[], None] = _nobody  # told when the process ends in the middle of such work
        self.worked: Callable[[], None] = _nobody  # told after each piece of it

    def time(self) -> float:
        """Seconds since the loop began."""
        return self._seconds

    def select(self, timeout: float | None) -> list[Any]:
        """Nothing comes from outside: the time to the next timer passes at once."""
        if timeout is None:
            raise StandStill
        self._seconds += timeout
        return []

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """The work is done at one moment, and its result is known at a later one; a crash may come between the two."""
        future = self.create_future()

        def work() -> None:
            if future.cancelled():
                return
            try:
                result = func(*args)
            except Crashed:
                self.crashed()
                return
            except Exception as failed:
                self.call_later(self._dice.choice(_WORK), _fail, future, failed)
                return
            self.call_later(self._dice.choice(_WORK), _tell, future, result)
            self.worked()

        self.call_later(self._dice.choice(_WORK), work)
        return future

    def _process_events(self, event_list: list[Any]) -> None:
        """There are none."""

    def _write_to_self(self) -> None:
        """There is no other thread to be woken by."""


def _nobody() -> None:
    """Nobody wants to know."""


def _tell(future: asyncio.Future[Any], result: Any) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Any], failed: Exception) -> None:
    if not future.done():
        future.set_exception(failed)
