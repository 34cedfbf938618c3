"""A live connection as TCP has it: what is sent arrives whole and in order, late, or not at all once it breaks.

The near end is the server's: it is told when the far one does not take what was written, as a real transport tells it.
How fast the far end reads is for whoever sits there.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from aceking.web.live.socket import Client

if TYPE_CHECKING:
    from tests.house.simulator.server import Process
    from tests.house.simulator.world import World

#: Seconds between two looks of somebody who reads slowly.
_READS_EVERY = 0.25
#: Two timers of one moment ring in any order; what is sent one after the other arrives so.
_APART = 1e-6
#: Seconds until the server knows of a connection that broke on the way: at once, or when its heartbeat is not answered.
_NOTICED = (0.0, 0.1, 2.0, 20.0)


class Far(Protocol):
    """Whoever is at the far end."""

    reads: float  # bytes that he takes each time he looks

    def leaves_the_house(self, frames: bytes) -> None:
        """The server writes this; he may never see it."""
        ...

    def has_come(self, data: bytes) -> None:
        """Some bytes more."""
        ...

    def server_heard(self, text: bytes) -> None:
        """What he sent has come to the server."""
        ...

    def over(self, why: tuple[int, str] | None) -> None:
        """The connection has ended; None: it broke."""
        ...


class SimulatedWire:
    """One connection, from the handshake to its end."""

    def __init__(self, world: "World", far: Far, *, marks: tuple[int, int]) -> None:
        self.world, self.far = world, far
        self.process: Process | None = None
        self.client: Client | None = None
        self.stalled_at: float | None = None  # since when the far end does not take enough
        self.stalled_last, self.flowed_at = 0.0, 0.0  # when it last began not to, and when it last took it again
        self.closed_at = 0.0
        self.ended = False
        self._high, self._low = marks
        self._unsent = bytearray()
        self._early: list[bytes] = []  # what came before anybody took the wire
        self._gone = asyncio.Event()
        self._pumping, self._known_over = False, False
        self._next_there = self._next_here = 0.0

    # The near end

    async def left(self) -> None:
        """Until the far end has gone, as far as the server can know."""
        await self._gone.wait()

    def take(self, client: Client) -> None:
        """From now on every message is this client's."""
        self.client = client
        early, self._early = self._early, []
        for text in early:
            self._hears(text)

    def write(self, frames: bytes) -> None:
        """Whole frames."""
        if self.ended:
            return
        self.world.does(lambda: self.far.leaves_the_house(frames))
        self._unsent += frames
        if len(self._unsent) > self._high and self.stalled_at is None and self.client is not None:
            self.stalled_at = self.stalled_last = self.world.loop.time()
            self.client.stalls()
        self._pump_later(self._delay())

    def closes(self, why: tuple[int, str] | None) -> None:
        """The server ends it: what the far end did not take is lost."""
        if not self.ended:
            self.ended, self.closed_at = True, self.world.loop.time()
            self._arrives(lambda: self._over(why))

    # The far end

    def send(self, text: bytes) -> None:
        """One message."""
        self._next_here = max(self._next_here + _APART, self.world.loop.time() + self._delay())
        self.world.later(self._next_here - self.world.loop.time(), lambda: self._hears(text))

    def breaks(self) -> None:
        """No byte goes through any more; the server learns it some time, if it lives."""
        if not self.ended:
            self.ended = True
            dice = self.world.dice
            self.world.later(dice.choice(_NOTICED), self._gone.set)
            self.world.later(self._delay(), lambda: self._over(None))

    def wakes(self) -> None:
        """The far end reads again, or faster."""
        self._pump_later(0.0)

    # In between

    def _hears(self, text: bytes) -> None:
        if self.ended or self.process is None or not self.process.alive:
            return
        if self.client is None:
            self._early.append(text)
            return
        self.far.server_heard(text)
        self.process.inside(lambda: self.client.hears(text) if self.client is not None else None)

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
            if self.client is not None and self.process is not None:
                self.process.inside(self.client.flows)
        if self._unsent and self.far.reads:
            self._pump_later(_READS_EVERY)

    def _comes(self, data: bytes) -> None:
        if not self._known_over:
            self.far.has_come(data)

    def _over(self, why: tuple[int, str] | None) -> None:
        """What is still on its way is lost."""
        self._known_over = True
        self.far.over(why)

    def _arrives(self, does: Callable[[], None]) -> None:
        self._next_there = max(self._next_there + _APART, self.world.loop.time() + self._delay())
        self.world.later(self._next_there - self.world.loop.time(), does)

    def _delay(self) -> float:
        return self.world.dice.expovariate(1 / self.world.network.slow)
