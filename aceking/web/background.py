"""Computations for visitors of the lab, in processes beside the server, with a cache and a time budget per visitor.

There are two lanes, so that a slider does not wait for a sheet. Each lane is one process with a low priority. The same
question is computed once for all visitors, and answers are cached while there is room. A visitor has a budget of
seconds that is refilled as time passes; a cached answer costs nothing.
"""

import asyncio
import os
import signal
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any, Literal

import msgspec

Lane = Literal["quick", "long"]
#: Bytes of cached answers as JSON.
_CACHE_BYTES_MAX = 16_000_000
#: Questions that may wait in a lane: of all visitors, and of one.
_WAITING_MAX = 24
_WAITING_OF_ONE_MAX = 12
#: Seconds a visitor waits before they are told to ask again; the computation goes on.
_ANSWER_SECONDS = 30.0
#: Seconds of budget refilled per second, and the most that one question costs.
_REFILL = 0.5
_COST_SECONDS_MAX = 30.0
#: A process is replaced after this many questions, so that its caches do not grow for ever.
_QUESTIONS_PER_PROCESS = 500
_PARENT_CHECK_SECONDS = 2.0
_BUDGETS_MAX = 10_000


class TryLater(Exception):
    """The question is not answered now; ask again after `seconds`."""

    def __init__(self, reason: str, seconds: int) -> None:
        super().__init__(reason)
        self.seconds = seconds


class Computation:
    """The two lanes of one server."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._pools: dict[Lane, ProcessPoolExecutor] = {}
        self._stopped = False
        self._cache: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._cache_bytes = 0
        self._running: dict[Hashable, asyncio.Task[Any]] = {}
        self._waiting: dict[Lane, dict[str, int]] = {"quick": {}, "long": {}}
        self._budgets: dict[str, tuple[float, float]] = {}  # seconds left, and when that was

    async def ask(
        self, visitor: str, lane: Lane, function: Callable[..., Any], *args: Any, cached: bool = True, **more: Any
    ) -> Any:
        """Return the result of a module's function; its arguments must be picklable.

        Raises ValueError if the function does, and TryLater. `cached`: the answer may come from the cache and go there.
        """
        key = (function, args, tuple(sorted(more.items())))
        if cached and key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key][0]
        running = self._running.get(key) if cached else None
        if running is None:
            self._check_limits(visitor, lane)
            waiting = self._waiting[lane]
            waiting[visitor] = waiting.get(visitor, 0) + 1
            running = asyncio.create_task(self._compute(visitor, lane, key, function, args, more, cached=cached))
            running.add_done_callback(_retrieve_exception)
            if cached:
                self._running[key] = running
        try:
            return await asyncio.wait_for(asyncio.shield(running), _ANSWER_SECONDS)
        except TimeoutError:
            raise TryLater("this is still being computed", 2) from None

    def stop(self) -> None:
        """End the processes without waiting for their work."""
        self._stopped = True
        for pool in self._pools.values():
            _terminate(pool)
        self._pools.clear()

    async def _compute(
        self,
        visitor: str,
        lane: Lane,
        key: Hashable,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        more: dict[str, Any],
        *,
        cached: bool,
    ) -> Any:
        waiting = self._waiting[lane]
        try:
            result, seconds = await self._run(lane, function, args, more)
        finally:
            waiting[visitor] -= 1
            if not waiting[visitor]:
                del waiting[visitor]
            self._running.pop(key, None)
        self._spend(visitor, seconds)
        if isinstance(result, Exception):
            raise result
        if cached:
            self._store(key, result)
        return result

    def _store(self, key: Hashable, result: Any) -> None:
        size = len(msgspec.json.encode(result))
        self._cache[key] = (result, size)
        self._cache_bytes += size
        while self._cache_bytes > _CACHE_BYTES_MAX:
            _, (_, removed) = self._cache.popitem(last=False)
            self._cache_bytes -= removed

    async def _run(self, lane: Lane, function: Callable[..., Any], args: Any, more: Any) -> tuple[Any, float]:
        loop = asyncio.get_running_loop()
        for retry in (True, False):
            pool = self._pools.get(lane)
            if pool is None:
                pool = self._pools[lane] = _process()
            try:
                return await loop.run_in_executor(pool, _timed, function, args, more)
            except BrokenProcessPool:
                # The process was killed, perhaps for its memory: retry once in a new one.
                if self._pools.get(lane) is pool:
                    del self._pools[lane]
                if self._stopped or not retry:
                    raise TryLater("the computation was killed", 5) from None
        raise AssertionError("unreachable: the second try returns or raises")

    def _check_limits(self, visitor: str, lane: Lane) -> None:
        waiting = self._waiting[lane]
        if waiting.get(visitor, 0) >= _WAITING_OF_ONE_MAX:
            raise TryLater("your other questions are still being computed", 1)
        if sum(waiting.values()) >= _WAITING_MAX:
            raise TryLater("too many questions are waiting", 3)
        left = self._budget(visitor)
        if left <= 0:
            seconds = int(1 - left / _REFILL) + 1
            raise TryLater(f"your computing time is used up; ask again in {seconds} s", seconds)

    def _budget(self, visitor: str) -> float:
        now = self._clock()
        left, at = self._budgets.get(visitor, (self._seconds, now))
        return min(self._seconds, left + (now - at) * _REFILL)

    def _spend(self, visitor: str, seconds: float) -> None:
        if len(self._budgets) > _BUDGETS_MAX:
            self._budgets.clear()
        self._budgets[visitor] = (self._budget(visitor) - min(seconds, _COST_SECONDS_MAX), self._clock())


def _retrieve_exception(done: "asyncio.Task[Any]") -> None:
    """Keep asyncio from logging an exception that no visitor waits for any more."""
    if not done.cancelled():
        done.exception()


def _process() -> ProcessPoolExecutor:
    """Return a pool of one process. It is spawned: a fork would copy locks that threads of this process hold."""
    return ProcessPoolExecutor(
        1,
        mp_context=get_context("spawn"),
        initializer=_initialize,
        initargs=(os.getpid(),),
        max_tasks_per_child=_QUESTIONS_PER_PROCESS,
    )


def _terminate(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())  # the public interface cannot end a busy process
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.terminate()


def _initialize(parent: int) -> None:
    # Ctrl-C reaches the whole process group; the server ends this process.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    threading.Thread(target=_exit_after_parent, args=(parent,), daemon=True).start()


def _exit_after_parent(parent: int) -> None:
    """End this process once its server is gone; a killed server cannot end it."""
    while os.getppid() == parent:
        time.sleep(_PARENT_CHECK_SECONDS)
    os._exit(0)


def _timed(function: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> tuple[Any, float]:
    """Return the result, or the ValueError that was raised, and the seconds of processor time."""
    begun = time.process_time()
    try:
        result = function(*args, **more)
    except ValueError as wrong:
        result = wrong
    return result, time.process_time() - begun
