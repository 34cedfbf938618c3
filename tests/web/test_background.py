"""Computation for unknown visitors: in other processes, once per question, limited, and again if a process ended."""

import asyncio
import os
import signal
import time
from collections.abc import Callable

import pytest

from aceking.rules.options import OptionError
from aceking.web.background import Computation, TryLater

pytestmark = pytest.mark.proof


def _pid() -> int:
    return os.getpid()


def _slept(seconds: float, mark: int) -> tuple[int, int]:
    time.sleep(seconds)
    return mark, time.monotonic_ns()


def _busy(seconds: float, mark: int) -> int:
    ends = time.process_time() + seconds
    while time.process_time() < ends:
        pass
    return mark


def _wrong() -> None:
    raise OptionError("that is no option")


def _niceness() -> int:
    return os.nice(0)


class _Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _run(test: Callable[[Computation, _Clock], object], seconds: float = 60) -> None:
    async def inside() -> None:
        clock = _Clock()
        counting = Computation(seconds, clock)
        try:
            await test(counting, clock)  # type: ignore[misc]
        finally:
            counting.stop()

    asyncio.run(inside())


def test_it_counts_in_a_process_of_its_own_that_gives_way() -> None:
    async def test(counting: Computation, _: _Clock) -> None:
        assert await counting.ask("a", "quick", _pid) != os.getpid()
        assert await counting.ask("a", "quick", _niceness) >= os.nice(0) + 10 or os.nice(0) > 9

    _run(test)


def test_two_who_ask_the_same_get_one_counting_and_the_answer_is_kept() -> None:
    async def test(counting: Computation, _: _Clock) -> None:
        first, second = await asyncio.gather(
            counting.ask("a", "quick", _slept, 0.2, 1), counting.ask("b", "quick", _slept, 0.2, 1)
        )
        assert first == second
        assert await counting.ask("c", "quick", _slept, 0.2, 1) == first
        assert await counting.ask("c", "quick", _slept, 0.2, 1, cached=False) != first

    _run(test)


def test_the_loop_goes_on_meanwhile_and_the_quick_lane_does_not_wait_for_the_long_one() -> None:
    async def test(counting: Computation, _: _Clock) -> None:
        await counting.ask("a", "quick", _pid)
        long = asyncio.create_task(counting.ask("a", "long", _slept, 4.0, 1))
        await asyncio.sleep(0.1)
        assert await counting.ask("a", "quick", _busy, 0.01, 7) == 7
        assert not long.done()

    _run(test)


def test_wrong_input_is_raised_where_it_was_asked() -> None:
    async def test(counting: Computation, _: _Clock) -> None:
        with pytest.raises(OptionError, match="that is no option"):
            await counting.ask("a", "quick", _wrong)

    _run(test)


def test_a_visitor_who_has_used_up_their_seconds_waits_and_others_do_not() -> None:
    async def test(counting: Computation, clock: _Clock) -> None:
        for mark in range(2):
            await counting.ask("a", "quick", _busy, 0.15, mark)
        with pytest.raises(TryLater, match="your computing time is used up") as told:
            await counting.ask("a", "quick", _busy, 0.01, 9)
        assert told.value.seconds >= 1
        assert await counting.ask("a", "quick", _busy, 0.15, 0) == 0  # what is kept costs nothing
        assert await counting.ask("b", "quick", _busy, 0.01, 9) == 9
        clock.now += told.value.seconds
        assert await counting.ask("a", "quick", _busy, 0.01, 10) == 10

    _run(test, seconds=0.2)


def test_a_visitor_has_a_limited_number_of_questions_at_once() -> None:
    async def test(counting: Computation, _: _Clock) -> None:
        asked = [asyncio.create_task(counting.ask("a", "quick", _slept, 0.05, mark)) for mark in range(12)]
        await asyncio.sleep(0)
        with pytest.raises(TryLater, match="your other questions"):
            await counting.ask("a", "quick", _slept, 0.05, 99)
        more = [asyncio.create_task(counting.ask("b", "quick", _slept, 0.05, mark + 50)) for mark in range(12)]
        await asyncio.sleep(0)
        with pytest.raises(TryLater, match="too many questions"):
            await counting.ask("c", "quick", _slept, 0.05, 99)
        assert [mark for mark, _ in await asyncio.gather(*asked, *more)] == [*range(12), *range(50, 62)]

    _run(test)


def test_a_process_that_was_ended_is_replaced_and_asked_again() -> None:
    async def test(counting: Computation, _: _Clock) -> None:
        first = await counting.ask("a", "quick", _pid, cached=False)
        os.kill(first, signal.SIGKILL)
        second = await counting.ask("a", "quick", _pid, cached=False)
        assert second not in (first, os.getpid())

    _run(test)


def test_when_the_server_stops_its_processes_end() -> None:
    async def test(counting: Computation, _: _Clock) -> None:
        pid = await counting.ask("a", "quick", _pid)
        asyncio.create_task(counting.ask("a", "quick", _slept, 60, 1)).add_done_callback(lambda done: done.exception())
        await asyncio.sleep(0.1)
        counting.stop()
        ends = time.monotonic() + 20
        while _alive(pid):
            assert time.monotonic() < ends
            await asyncio.sleep(0.05)

    _run(test)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
