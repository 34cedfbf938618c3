"""An event loop with simulated time: time passes only when everything waits, and no thread runs."""

import asyncio
import random
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from tests.house.store.disk import Crashed

#: Seconds until a thread has done its work, and again until the loop receives the result.
_WORK = (0.0002, 0.001, 0.008, 0.3)


class StandStill(Exception):
    """No timer is left, so nothing would ever happen again."""


class SimulatedLoop(asyncio.BaseEventLoop):
    """Runs timers in order. Work for a thread runs in the loop, after a random delay."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__()
        self._dice = dice
        self._seconds = 0.0
        self._selector = self
        self.crashed: Callable[[], None] = _nobody  # called if the process crashes during such work
        self.worked: Callable[[], None] = _nobody  # called after each piece of work

    def time(self) -> float:
        """Return the simulated seconds since the loop began."""
        return self._seconds

    def select(self, timeout: float | None) -> list[Any]:
        """Move the time to the next timer. Raises StandStill if there is none."""
        if timeout is None:
            raise StandStill
        self._seconds += timeout
        return []

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Run the work at one moment and deliver its result at a later one; a crash may come in between."""
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
        """No events come from outside."""

    def _write_to_self(self) -> None:
        """No other thread exists that could wake the loop."""


def _nobody() -> None:
    """Do nothing: nobody asked for this callback."""


def _tell(future: asyncio.Future[Any], result: Any) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[Any], failed: Exception) -> None:
    if not future.done():
        future.set_exception(failed)
