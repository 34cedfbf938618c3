"""HTTP connections of those who take for ever: a request arrives whole within its time, or its connection is closed.

Without this whoever sends half a request keeps a connection open as long as he likes, and a few thousand of those lock
everybody else out.
"""

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

#: What a request that has not arrived whole is in: its head, or its body.
_UNDER_WAY = (h11.IDLE, h11.SEND_BODY)


class Patient(H11Protocol):
    """A connection with a clock that runs from the first byte of a request to its last, or until there is a first."""

    seconds: float

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody has come, who may not be silent for ever."""
        super().connection_made(transport)
        self._clock: asyncio.TimerHandle | None = None
        self._upgraded = False
        self._start()

    def data_received(self, data: bytes) -> None:
        """A part of a request, or the whole of one."""
        super().data_received(data)
        if self._upgraded or self.conn.their_state not in _UNDER_WAY:
            self._stop()
        elif self._clock is None:
            self._start()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on the heartbeat of the live connection watches."""
        self._upgraded = True
        super().handle_websocket_upgrade(event)

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
            self.transport.abort()  # not close: who does not read would keep it open


def patient(seconds: float) -> type[Any]:
    """Connections that wait so long for a request."""
    return type("Patient", (Patient,), {"seconds": seconds})
