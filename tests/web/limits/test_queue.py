"""The queue: its pace, whose turn is next, and who finds no place in it."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from aceking.web.limits.queue import LOG_IN_SECONDS, QUEUE_MOST, REQUEST_SECONDS, Queue


class SetClock:
    """A clock that the test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def _in_loop(test: Callable[[SetClock], Any]) -> None:
    """Run a test of a queue that wants an event loop; turns are given when the test asks for them."""

    async def run() -> None:
        test(SetClock())

    asyncio.run(run())


def _join(queue: Queue, turns: list[str], address: str, seconds: float = REQUEST_SECONDS) -> None:
    queue.join(address, seconds, lambda is_turn: turns.append(address if is_turn else f"not {address}"))


def test_turns_have_a_pace_whatever_the_number_of_addresses() -> None:
    def test(clock: SetClock) -> None:
        queue, turns = Queue(clock), list[str]()
        for number in range(50):
            _join(queue, turns, f"{number}")
        for given in range(1, 10):
            assert queue.advance() == pytest.approx(REQUEST_SECONDS)
            assert turns == [f"{number}" for number in range(given)]
            clock.now += REQUEST_SECONDS

    _in_loop(test)


def test_after_a_log_in_the_next_waits_longer() -> None:
    def test(clock: SetClock) -> None:
        queue, turns = Queue(clock), list[str]()
        _join(queue, turns, "guesses", LOG_IN_SECONDS)
        _join(queue, turns, "other")
        assert queue.advance() == pytest.approx(LOG_IN_SECONDS)
        clock.now = LOG_IN_SECONDS
        assert queue.advance() is None
        assert turns == ["guesses", "other"]

    _in_loop(test)


def test_the_address_whose_last_turn_is_longest_ago_is_next() -> None:
    def test(clock: SetClock) -> None:
        queue, turns = Queue(clock), list[str]()
        for _ in range(5):
            _join(queue, turns, "crowd")
        queue.advance()
        _join(queue, turns, "first")
        _join(queue, turns, "second")
        while len(queue):
            clock.now += REQUEST_SECONDS
            queue.advance()
        assert turns == ["crowd", "first", "second", "crowd", "crowd", "crowd", "crowd"]

    _in_loop(test)


def test_in_a_full_queue_the_newest_of_the_address_with_the_latest_turn_loses_its_place() -> None:
    def test(clock: SetClock) -> None:
        queue, turns = Queue(clock), list[str]()
        _join(queue, turns, "crowd")
        queue.advance()
        for _ in range(QUEUE_MOST):
            _join(queue, turns, "crowd")
        assert (len(queue), turns) == (QUEUE_MOST, ["crowd"])
        _join(queue, turns, "crowd")
        assert (len(queue), turns) == (QUEUE_MOST, ["crowd", "not crowd"])
        _join(queue, turns, "other")
        assert (len(queue), turns) == (QUEUE_MOST, ["crowd", "not crowd", "not crowd"])
        clock.now += REQUEST_SECONDS
        queue.advance()
        assert turns[3:] == ["other"]

    _in_loop(test)


def test_the_queue_advances_by_itself() -> None:
    async def run() -> list[bool]:
        queue = Queue(asyncio.get_running_loop().time)
        return await asyncio.gather(*(queue.wait_turn(f"{number}", 0.001) for number in range(QUEUE_MOST + 1)))

    assert asyncio.run(run()) == [True] * QUEUE_MOST + [False]
