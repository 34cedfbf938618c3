"""A minimal live connection: whole text frames out, whole frames in.

The measuring clients share the cores with the house: whatever they use, the house lacks.
"""

import asyncio
import base64
import os
import socket
from collections.abc import Callable
from typing import Any

import msgspec

from aceking.web.sessions import COOKIE

_WRITE = msgspec.json.Encoder()
_MASK = bytes(4)  # a zero mask is allowed, and leaves the payload as it is
_BITE = 1 << 18
_TEXT, _PING, _PONG = 1, 9, 10


class Socket:
    """An open connection."""

    def __init__(self, raw: socket.socket, hears: Callable[[bytes], None], rest: bytes) -> None:
        self._raw, self._hears, self._held = raw, hears, b""
        self._loop = asyncio.get_running_loop()
        self.resume()
        self._take(rest)

    def send(self, message: Any) -> None:
        self._write(_TEXT, _WRITE.encode(message))

    def fileno(self) -> int:
        return self._raw.fileno()

    def pause(self) -> None:
        """Stop reading in the background; the connection stays open."""
        self._loop.remove_reader(self._raw.fileno())

    def resume(self) -> None:
        """Read in the background."""
        self._loop.add_reader(self._raw.fileno(), self.read)

    def close(self) -> None:
        if self._raw.fileno() >= 0:
            self._loop.remove_reader(self._raw.fileno())
            self._raw.close()

    def read(self) -> None:
        """Read what has come, and close at the end."""
        try:
            data = self._raw.recv(_BITE)
        except BlockingIOError:
            return
        except ConnectionError:
            data = b""
        if data:
            self._take(data)
        else:
            self.close()

    def _take(self, data: bytes) -> None:
        """Pass every whole frame on."""
        if self._held:
            data = self._held + data
        taken, size = 0, len(data)
        while size >= taken + 2:
            length, begins = data[taken + 1], taken + 2
            if length >= 126:
                wide = 2 if length == 126 else 8
                length, begins = int.from_bytes(data[begins : begins + wide]), begins + wide
            ends = begins + length
            if size < ends:
                break
            kind = data[taken] & 15
            if kind == _TEXT:
                self._hears(data[begins:ends])
            elif kind == _PING:
                self._write(_PONG, data[begins:ends])
            taken = ends
        self._held = data[taken:]

    def _write(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes((128 | kind, 128 | size)) if size < 126 else bytes((128 | kind, 254)) + size.to_bytes(2)
        frame = length + _MASK + payload
        sent = self._raw.send(frame) if self._raw.fileno() >= 0 else len(frame)
        assert sent == len(frame), "the house takes what it is sent"


async def connect(host: str, port: int, hears: Callable[[bytes], None], token: str, table: str = "") -> Socket:
    """Open a live connection, for a table or for none."""
    loop = asyncio.get_running_loop()
    raw = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    raw.setblocking(False)
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    await loop.sock_connect(raw, (host, port))
    key = base64.b64encode(os.urandom(16)).decode()
    asked = (
        f"GET /api/live?table={table} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\nCookie: {COOKIE}={token}\r\n\r\n"
    )
    await loop.sock_sendall(raw, asked.encode())
    told = b""
    while b"\r\n\r\n" not in told:
        data = await loop.sock_recv(raw, _BITE)
        if not data:
            raise ConnectionError("the house does not take the connection")
        told += data
    head, _, rest = told.partition(b"\r\n\r\n")
    assert b" 101 " in head.partition(b"\r\n")[0], head
    return Socket(raw, hears, rest)
