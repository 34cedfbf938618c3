"""Long counting for strangers, beside a house that runs: apart from the loop, one at a time, kept, and rationed.

Two lanes, so that a slider does not wait for a sheet. Each is one process of its own that gives way to all others. The
same question is counted once, whoever asks it, and answers are kept as long as there is room. A visitor has so many
seconds of counting at once and gets them back as time goes by; what is kept already costs nothing.
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
#: How much of answers is kept, as JSON has them; and questions that may wait in a lane: of all visitors, and of one.
_KEPT_BYTES = 16_000_000
_WAITING = 24
_WAITING_OF_ONE = 12
#: How long a visitor is kept waiting before he is told to ask again; the counting goes on.
_PATIENCE_SECONDS = 30.0
#: Of his seconds a visitor gets back this part of the time that goes by; one question costs at most so many.
_BACK = 0.5
_COST_MOST = 30.0
#: A process is made anew after so many questions, so that what it keeps does not grow for ever.
_QUESTIONS_OF_A_PROCESS = 500
_LOOK_SECONDS = 2.0
_VISITORS_MOST = 10_000


class Later(Exception):
    """Not now: the reason, and after how many seconds to ask again."""

    def __init__(self, reason: str, seconds: int) -> None:
        super().__init__(reason)
        self.seconds = seconds


class Counting:
    """The two lanes of one server."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._clock = clock
        self._pools: dict[Lane, ProcessPoolExecutor] = {}
        self._stopped = False
        self._kept: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._kept_bytes = 0
        self._running: dict[Hashable, asyncio.Task[Any]] = {}
        self._waiting: dict[Lane, dict[str, int]] = {"quick": {}, "long": {}}
        self._purses: dict[str, tuple[float, float]] = {}

    async def ask(
        self, who: str, lane: Lane, do: Callable[..., Any], *args: Any, keep: bool = True, **more: Any
    ) -> Any:
        """The answer of a function of a module, with arguments that can be sent; raises what it raises, or `Later`."""
        key = (do, args, tuple(sorted(more.items())))
        if keep and key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key][0]
        running = self._running.get(key) if keep else None
        if running is None:
            self._may(who, lane)
            waiting = self._waiting[lane]
            waiting[who] = waiting.get(who, 0) + 1
            running = asyncio.create_task(self._counted(who, lane, key, do, args, more, keep=keep))
            running.add_done_callback(_heard)
            if keep:
                self._running[key] = running
        try:
            return await asyncio.wait_for(asyncio.shield(running), _PATIENCE_SECONDS)
        except TimeoutError:
            raise Later("this is still being counted", 2) from None

    def stop(self) -> None:
        """Lets go of the processes; what they are at is not waited for."""
        self._stopped = True
        for pool in self._pools.values():
            _end(pool)
        self._pools.clear()

    async def _counted(
        self,
        who: str,
        lane: Lane,
        key: Hashable,
        do: Callable[..., Any],
        args: tuple[Any, ...],
        more: dict[str, Any],
        *,
        keep: bool,
    ) -> Any:
        waiting = self._waiting[lane]
        try:
            found, seconds = await self._on_lane(lane, do, args, more)
        finally:
            waiting[who] -= 1
            if not waiting[who]:
                del waiting[who]
            self._running.pop(key, None)
        self._spend(who, seconds)
        if isinstance(found, Exception):
            raise found
        if keep:
            self._keep(key, found)
        return found

    def _keep(self, key: Hashable, found: Any) -> None:
        size = len(msgspec.json.encode(found))
        self._kept[key] = (found, size)
        self._kept_bytes += size
        while self._kept_bytes > _KEPT_BYTES:
            _, (_, gone) = self._kept.popitem(last=False)
            self._kept_bytes -= gone

    async def _on_lane(self, lane: Lane, do: Callable[..., Any], args: Any, more: Any) -> tuple[Any, float]:
        loop = asyncio.get_running_loop()
        for again in (True, False):
            pool = self._pools.get(lane)
            if pool is None:
                pool = self._pools[lane] = _process()
            try:
                return await loop.run_in_executor(pool, _timed, do, args, more)
            except BrokenProcessPool:
                # Ended from outside, for memory perhaps: once more in a fresh one.
                if self._pools.get(lane) is pool:
                    del self._pools[lane]
                if self._stopped or not again:
                    raise Later("the counting was ended from outside", 5) from None
        raise AssertionError("two tries have an end")

    def _may(self, who: str, lane: Lane) -> None:
        waiting = self._waiting[lane]
        if waiting.get(who, 0) >= _WAITING_OF_ONE:
            raise Later("other questions of yours are still being counted", 1)
        if sum(waiting.values()) >= _WAITING:
            raise Later("many are asking; the counting comes to this later", 3)
        left = self._left(who)
        if left <= 0:
            seconds = int(1 - left / _BACK) + 1
            raise Later(f"your seconds of counting are used up; ask again in {seconds} s", seconds)

    def _left(self, who: str) -> float:
        now = self._clock()
        left, at = self._purses.get(who, (self._seconds, now))
        return min(self._seconds, left + (now - at) * _BACK)

    def _spend(self, who: str, seconds: float) -> None:
        if len(self._purses) > _VISITORS_MOST:
            self._purses.clear()
        self._purses[who] = (self._left(who) - min(seconds, _COST_MOST), self._clock())


def _heard(done: "asyncio.Task[Any]") -> None:
    """Nobody may be left to hear what went wrong: all who asked have gone."""
    if not done.cancelled():
        done.exception()


def _process() -> ProcessPoolExecutor:
    """One process. A fresh one, not a copy of this: a copy would share locks of threads that it does not have."""
    return ProcessPoolExecutor(
        1,
        mp_context=get_context("spawn"),
        initializer=_begin,
        initargs=(os.getpid(),),
        max_tasks_per_child=_QUESTIONS_OF_A_PROCESS,
    )


def _end(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())  # there is no other way to end what is at work
    pool.shutdown(wait=False, cancel_futures=True)
    for one in processes:
        one.terminate()


def _begin(parent: int) -> None:
    # Ctrl-C reaches the whole group of processes; it is for the server to end this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(10)
    threading.Thread(target=_outlive, args=(parent,), daemon=True).start()


def _outlive(parent: int) -> None:
    """Ends this process after its server: one that was killed cannot tell."""
    while os.getppid() == parent:
        time.sleep(_LOOK_SECONDS)
    os._exit(0)


def _timed(do: Callable[..., Any], args: tuple[Any, ...], more: dict[str, Any]) -> tuple[Any, float]:
    """The answer, or the wrong input it found, and how long that took."""
    begun = time.process_time()
    try:
        found = do(*args, **more)
    except ValueError as wrong:
        found = wrong
    return found, time.process_time() - begun
