"""HTTP connections with a timeout: a request that does not arrive whole in time closes its connection.

Without it, clients that send half a request keep their connections open for ever, and a few thousand of these lock
everybody else out. A connection from an address over its limit is not read before its turn (queue.py).
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from aceking.web.handover import Handover
from aceking.web.limits.middleware import CONNECTION_ADDRESS
from aceking.web.limits.queue import REQUEST_SECONDS
from aceking.web.limits.rate_limits import RateLimits, address_of

#: States of a request that has not arrived whole: its head, or its body.
_INCOMPLETE = (h11.IDLE, h11.SEND_BODY)
#: Bytes read at a time from a live connection: of thousands of messages the first hundreds are read and refused, and
#: the others do not delay anybody.
LIVE_READ_BYTES = 1_024
_INCOMPLETE_COST, _NOT_HTTP_COST = 5.0, 1.0


class TimedConnection(H11Protocol):
    """A connection with a timeout from the first byte of a request to its last, and until there is a first."""

    seconds: float
    limits: RateLimits
    handover: Handover | None  # to other processes
    handed_over: bool = False  # by another process

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout, after the connection had its turn if it needs one."""
        super().connection_made(transport)
        self._timeout: asyncio.TimerHandle | None = None
        self._upgraded = False
        self._address = address_of(self.client)
        self.app_state = {**self.app_state, CONNECTION_ADDRESS: self._address}
        if self.handed_over or not self.limits.limited(self._address):
            self._start()
            return
        transport.pause_reading()
        self.limits.queue.join(self._address, REQUEST_SECONDS, self._turn)

    def _turn(self, is_turn: bool) -> None:
        if not is_turn:
            self.transport.abort()
        elif not self.transport.is_closing():
            self._start()
            self.transport.resume_reading()

    def send_400_response(self, msg: str) -> None:
        """Refuse bytes that are not HTTP."""
        self.limits.refused(self._address, _NOT_HTTP_COST)
        super().send_400_response(msg)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request; the timeout ends with its last byte."""
        super().data_received(data)
        if self._upgraded or self.conn.their_state not in _INCOMPLETE:
            self._stop()
        elif self._timeout is None:
            self._start()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Leave timeouts to the heartbeat of the live connection, and read it in small parts."""
        self._upgraded = True
        if self.handover is not None and not self.handed_over and self._hand_over(self.handover, event):
            return
        self.transport.max_size = LIVE_READ_BYTES  # type: ignore[attr-defined]
        super().handle_websocket_upgrade(event)

    def _hand_over(self, handover: Handover, event: h11.Request) -> bool:
        """Give the connection to the process that has its table. Return False if it stays here."""
        to = handover.other(event.target)
        if to is None:
            return False
        lines = [b"%s %s HTTP/1.1" % (event.method, event.target), *[b"%s: %s" % header for header in event.headers]]
        head = b"\r\n".join([*lines, b"", b""]) + self.conn.trailing_data[0]
        if not handover.hand_over(to, self.transport.get_extra_info("socket").fileno(), head):
            return False
        self.connections.discard(self)
        self.transport.abort()  # this process's end of it only
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._stop()
        super().connection_lost(exc)

    def _start(self) -> None:
        self._timeout = self.loop.call_later(self.seconds, self._timed_out)

    def _stop(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None

    def _timed_out(self) -> None:
        self._timeout = None
        if not self._upgraded and self.conn.their_state in _INCOMPLETE:
            self.limits.refused(self._address, _INCOMPLETE_COST)
            self.transport.abort()  # not close: a client that does not read would keep it open


def timed_connections(seconds: float, limits: RateLimits, handover: Handover | None = None) -> type[Any]:
    """Return the protocol class of connections whose requests have `seconds` to arrive."""
    return type("TimedConnection", (TimedConnection,), {"seconds": seconds, "limits": limits, "handover": handover})
