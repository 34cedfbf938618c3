"""The live connection below the application: texts in and frames out, without a turn of the event loop for each.

An application is asked for every message through ASGI: a queue, reading stopped and begun again, a task that waits, and
as many layers on the way back. A live connection takes the session check and the handshake that way, and from then on
hears and writes here, directly.
"""

from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

#: Under this name the application finds the wire among the extensions of a connection.
WIRE = "aceking.wire"
_TEXT = 0x81  # a whole message in one frame
_MASKED = 0x80
_HEAD_ENDS = b"\r\n\r\n"  # of the request that asks for the connection


class Client(Protocol):
    """Whoever takes a wire over."""

    def hears(self, text: str | bytes) -> None:
        """A message has come."""
        ...

    def stalls(self) -> None:
        """The other side does not take what was written; what comes is to wait."""
        ...

    def flows(self) -> None:
        """It takes it again."""
        ...


class Wire(WebSocketsSansIOProtocol):
    """A WebSocket that can be taken over once it is open."""

    _client: Client | None = None
    _whole: bool | None = None  # whether all that has come ends where a frame does; None: nothing has come

    async def run_asgi(self) -> None:
        """The application, which finds the wire in its scope."""
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[WIRE] = self
        await super().run_asgi()

    def take(self, client: Client) -> None:
        """From now on every message is this client's, those that came before among them."""
        self._client = client
        events = []
        while not self.queue.empty():
            events.append(self.queue.get_nowait())
        for event in events:
            if event["type"] == "websocket.receive":
                client.hears(event.get("text") or event.get("bytes") or b"")
            else:
                self.queue.put_nowait(event)
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Nearly every message is a text in one frame that comes by itself, and is read here; all else as usual.

        Who sends a frame in pieces is read as usual from then on: where the next begins, only its parser knows.
        """
        if self._whole:
            client = self._client
            if client is not None and not self.frames and not self.close_sent:
                text = lone_text(data)
                if text is not None:
                    client.hears(text)
                    return
            self._whole = ends_whole(data)
        elif self._whole is None:
            self._whole = data.endswith(_HEAD_ENDS)
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        """A message is whole."""
        client = self._client
        if client is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        if self.curr_msg_data_type == "bytes":
            self.frames = []
            client.hears(bytes(data))
            return
        try:
            text = str(data, "utf-8")
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # which closes with the right code
            return
        self.frames = []
        client.hears(text)

    @property
    def open(self) -> bool:
        """Whether what is written now may arrive."""
        return not (self.close_sent or self.disconnected or self.transport.is_closing())

    def write(self, frames: bytes) -> None:
        """Whole frames."""
        if self.open:
            self.transport.write(frames)

    def pause_writing(self) -> None:
        """The other side is slow."""
        super().pause_writing()
        if self._client is not None:
            self._client.stalls()

    def resume_writing(self) -> None:
        """It is not any more."""
        super().resume_writing()
        if self._client is not None:
            self._client.flows()


def framed(text: bytes) -> bytes:
    """A text as one frame of a server: the same bytes for everybody who is sent it."""
    size = len(text)
    if size < 126:
        return bytes((_TEXT, size)) + text
    if size < 1 << 16:
        return bytes((_TEXT, 126)) + size.to_bytes(2) + text
    return bytes((_TEXT, 127)) + size.to_bytes(8) + text


def _bounds(data: bytes, begins: int) -> tuple[int, int] | None:
    """Of a client's frame that begins there: where its mask is and where it ends; None where its head is cut off."""
    if len(data) < begins + 2:
        return None
    size, mask = data[begins + 1] & ~_MASKED, begins + 2
    if size >= 126:
        wide = 2 if size == 126 else 8
        size, mask = int.from_bytes(data[mask : mask + wide]), mask + wide
    return (mask, mask + 4 + size) if len(data) >= mask + 4 else None


def ends_whole(data: bytes) -> bool:
    """Whether frames of a client end where the data does, of which the first begins with it."""
    ends = 0
    while ends < len(data):
        found = _bounds(data, ends)
        if found is None:
            return False
        ends = found[1]
    return ends == len(data)


def lone_text(data: bytes) -> str | None:
    """The text of a client, where the data is one frame that is a whole message; None for all else, good and bad."""
    if len(data) < 6 or data[0] != _TEXT or not data[1] & _MASKED:
        return None
    found = _bounds(data, 0)
    if found is None or found[1] != len(data):
        return None
    mask, ends = found
    begins, size = mask + 4, ends - mask - 4
    key = data[mask:begins] * (size // 4 + 1)
    plain = int.from_bytes(data[begins:]) ^ int.from_bytes(key[:size])
    try:
        return str(plain.to_bytes(size), "utf-8")
    except UnicodeDecodeError:
        return None  # it is for the parser to say so
