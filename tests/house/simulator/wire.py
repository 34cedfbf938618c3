"""A simulated live connection with the properties of TCP: bytes arrive in order, late, or not at all once it breaks.

The near end is the server's. As with a real transport, it is paused while the far end does not read fast enough.
The far end chooses its reading speed.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from aceking.web.live.socket import MessageHandler

if TYPE_CHECKING:
    from tests.house.simulator.server import Process
    from tests.house.simulator.world import World

#: Seconds between two reads of a slow reader.
_READS_EVERY = 0.25
#: Seconds between two deliveries: timers of the same moment would fire in any order.
_APART = 1e-6
#: Seconds until the server notices a broken connection: at once, or when a heartbeat is not answered.
_NOTICED = (0.0, 0.1, 2.0, 20.0)


class Far(Protocol):
    """The client at the far end."""

    reads: float  # bytes per read

    def leaves_the_house(self, frames: bytes) -> None:
        """The server writes these frames; they may never arrive."""
        ...

    def has_come(self, data: bytes) -> None:
        """Take bytes that arrive from the server."""
        ...

    def server_heard(self, text: bytes) -> None:
        """A message of the client has arrived at the server."""
        ...

    def over(self, why: tuple[int, str] | None) -> None:
        """The connection has ended, with a close code and reason; None if it broke."""
        ...


class SimulatedWire:
    """One connection, from the handshake to its end."""

    def __init__(self, world: "World", far: Far, *, marks: tuple[int, int]) -> None:
        self.world, self.far = world, far
        self.process: Process | None = None
        self.handler: MessageHandler | None = None
        self.stalled_at: float | None = None  # since when the write buffer is too full; None if it is not
        self.stalled_last, self.flowed_at = 0.0, 0.0  # when it last became too full, and when it was no longer so
        self.closed_at = 0.0
        self.ended = False
        self._high, self._low = marks
        self._unsent = bytearray()
        self._early: list[bytes] = []  # messages that arrived before a handler was attached
        self._gone = asyncio.Event()
        self._pumping, self._known_over = False, False
        self._next_there = self._next_here = 0.0

    # The near end

    async def left(self) -> None:
        """Wait until the server notices that the far end has gone."""
        await self._gone.wait()

    def attach(self, handler: MessageHandler) -> None:
        """Pass every message to this handler from now on."""
        self.handler = handler
        early, self._early = self._early, []
        for text in early:
            self._hears(text)

    def write(self, frames: bytes) -> None:
        """Send whole frames."""
        if self.ended:
            return
        self.world.does(lambda: self.far.leaves_the_house(frames))
        self._unsent += frames
        if len(self._unsent) > self._high and self.stalled_at is None and self.handler is not None:
            self.stalled_at = self.stalled_last = self.world.loop.time()
            self.handler.pause_writing()
        self._pump_later(self._delay())

    def closes(self, why: tuple[int, str] | None) -> None:
        """Close from the server's side. Bytes that the far end has not read are lost."""
        if not self.ended:
            self.ended, self.closed_at = True, self.world.loop.time()
            self._arrives(lambda: self._over(why))

    # The far end

    def send(self, text: bytes) -> None:
        """Send one message to the server."""
        self._next_here = max(self._next_here + _APART, self.world.loop.time() + self._delay())
        self.world.later(self._next_here - self.world.loop.time(), lambda: self._hears(text))

    def breaks(self) -> None:
        """Break the connection: no byte passes any more, and the server notices it later."""
        if not self.ended:
            self.ended = True
            dice = self.world.dice
            self.world.later(dice.choice(_NOTICED), self._gone.set)
            self.world.later(self._delay(), lambda: self._over(None))

    def wakes(self) -> None:
        """Read again: the far end reads faster now."""
        self._pump_later(0.0)

    # In between

    def _hears(self, text: bytes) -> None:
        if self.ended or self.process is None or not self.process.alive:
            return
        if self.handler is None:
            self._early.append(text)
            return
        self.far.server_heard(text)
        self.process.inside(lambda: self.handler.message_received(text) if self.handler is not None else None)

    def _pump_later(self, seconds: float) -> None:
        if not self._pumping:
            self._pumping = True
            self.world.later(seconds, self._pump)

    def _pump(self) -> None:
        self._pumping = False
        if self.ended:
            return
        taken = bytes(self._unsent[: int(min(self.far.reads, len(self._unsent)))])
        if taken:
            del self._unsent[: len(taken)]
            self._arrives(lambda: self._comes(taken))
        if self.stalled_at is not None and len(self._unsent) <= self._low:
            self.stalled_at, self.flowed_at = None, self.world.loop.time()
            if self.handler is not None and self.process is not None:
                self.process.inside(self.handler.resume_writing)
        if self._unsent and self.far.reads:
            self._pump_later(_READS_EVERY)

    def _comes(self, data: bytes) -> None:
        if not self._known_over:
            self.far.has_come(data)

    def _over(self, why: tuple[int, str] | None) -> None:
        """End the far end. Bytes still on their way are lost."""
        self._known_over = True
        self.far.over(why)

    def _arrives(self, does: Callable[[], None]) -> None:
        self._next_there = max(self._next_there + _APART, self.world.loop.time() + self._delay())
        self.world.later(self._next_there - self.world.loop.time(), does)

    def _delay(self) -> float:
        return self.world.dice.expovariate(1 / self.world.network.slow)
