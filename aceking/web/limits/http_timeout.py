"""HTTP connections of those who take for ever: a request arrives whole within its time, or its connection is closed.

Without this whoever sends half a request keeps a connection open as long as he likes, and a few thousand of those lock
everybody else out. Who owes for much that was refused is read late (rate_limits.py), strangers when it is their turn
(queue.py).
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from aceking.web.handover import Doors
from aceking.web.limits.middleware import DOOR, Door
from aceking.web.limits.queue import HEARD
from aceking.web.limits.rate_limits import WAITING_MOST, Addresses, place_of

#: What a request that has not arrived whole is in: its head, or its body.
_UNDER_WAY = (h11.IDLE, h11.SEND_BODY)
#: Of a live connection so many bytes are read at a time: thousands of messages at once are refused after the first
#: hundreds, and nobody waits until all of them are read.
BITE = 1_024
#: What is owed for half a request, and for what is no HTTP.
_HALF, _NONSENSE = 5.0, 1.0


class Patient(H11Protocol):
    """A connection with a clock that runs from the first byte of a request to its last, or until there is a first."""

    seconds: float
    addresses: Addresses
    doors: Doors | None  # to other processes
    handed_over: bool = False  # by another process

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come, who may not be silent for ever, and who waits if he owes."""
        super().connection_made(transport)
        self._clock: asyncio.TimerHandle | None = None
        self._upgraded = False
        self._place = place_of(self.client)
        self._door = Door(self._place, stood=self.handed_over)
        self.app_state = {**self.app_state, DOOR: self._door}
        if not self.handed_over and self.addresses.stands_in_queue(self._place):
            transport.pause_reading()
            self.addresses.queue.join(self._place, HEARD, self.addresses.put_back(self._place), self._stood)
            return
        late = self.addresses.late(self._place)
        if late and self.addresses.waiting[self._place] >= WAITING_MOST:
            transport.abort()
            return
        if late:
            transport.pause_reading()
            self.addresses.waiting[self._place] += 1
            self.loop.call_later(late, self._heard)
        self._start()

    def _stood(self, heard: bool) -> None:
        """It is his turn, or he is turned away; his time begins now."""
        if not heard:
            self.transport.abort()
        elif not self.transport.is_closing():
            self._door.stood = True
            self._start()
            self.transport.resume_reading()

    def _heard(self) -> None:
        """He has waited, or has gone."""
        self.addresses.waiting[self._place] -= 1
        if not self.addresses.waiting[self._place]:
            del self.addresses.waiting[self._place]
        if not self.transport.is_closing():
            self.transport.resume_reading()

    def send_400_response(self, msg: str) -> None:
        """That was no HTTP."""
        self.addresses.refused(self._place, _NONSENSE)
        super().send_400_response(msg)

    def data_received(self, data: bytes) -> None:
        """A part of a request, or the whole of one."""
        super().data_received(data)
        if self._upgraded or self.conn.their_state not in _UNDER_WAY:
            self._stop()
        elif self._clock is None:
            self._start()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on the heartbeat of the live connection watches, and what it says is taken in small bites."""
        self._upgraded = True
        if self.doors is not None and not self.handed_over and self._hand_over(self.doors, event):
            return
        self.transport.max_size = BITE  # type: ignore[attr-defined]
        super().handle_websocket_upgrade(event)

    def _hand_over(self, doors: Doors, event: h11.Request) -> bool:
        """Whether another process has taken it, for it comes for a table that it has."""
        to = doors.other(event.target)
        if to is None:
            return False
        lines = [b"%s %s HTTP/1.1" % (event.method, event.target), *[b"%s: %s" % one for one in event.headers]]
        head = b"\r\n".join([*lines, b"", b""]) + self.conn.trailing_data[0]
        if not doors.hand_over(to, self.transport.get_extra_info("socket").fileno(), head):
            return False
        self.connections.discard(self)
        self.transport.abort()  # this process's end of it only
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody to wait for."""
        self._stop()
        super().connection_lost(exc)

    def _start(self) -> None:
        self._clock = self.loop.call_later(self.seconds, self._late)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _late(self) -> None:
        self._clock = None
        if not self._upgraded and self.conn.their_state in _UNDER_WAY:
            self.addresses.refused(self._place, _HALF)
            self.transport.abort()  # not close: who does not read would keep it open


def patient(seconds: float, addresses: Addresses, doors: Doors | None = None) -> type[Any]:
    """Connections that wait so long for a request."""
    return type("Patient", (Patient,), {"seconds": seconds, "addresses": addresses, "doors": doors})
