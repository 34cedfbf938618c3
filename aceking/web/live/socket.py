"""The WebSocket protocol of live connections, which bypasses ASGI once the connection is open.

Through ASGI every message costs a queue, a pause and resume of reading, a waiting task and several layers on the way
back. Session check and handshake use ASGI; after `attach` messages are read and written here directly.
"""

from typing import Any, Protocol

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

#: The key of the protocol object in the extensions of the ASGI scope.
EXTENSION = "aceking.socket"
_TEXT = 0x81  # a whole message in one frame
_MASKED = 0x80
_HEAD_END = b"\r\n\r\n"  # of the HTTP request that opens the connection


class MessageHandler(Protocol):
    """Receives the messages of an open live connection."""

    def message_received(self, text: str | bytes) -> None:
        """Handle one message."""
        ...

    def pause_writing(self) -> None:
        """The client does not read: queue what is written from now on."""
        ...

    def resume_writing(self) -> None:
        """The client reads again."""
        ...


class LiveProtocol(WebSocketsSansIOProtocol):
    """A WebSocket whose messages go to a `MessageHandler` once one is attached."""

    _handler: MessageHandler | None = None
    _at_frame_end: bool | None = None  # whether the data so far ends with a whole frame; None: no data yet

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope["extensions"]
        extensions[EXTENSION] = self
        await super().run_asgi()

    def attach(self, handler: MessageHandler) -> None:
        """Pass every message to this handler from now on, beginning with those that came before."""
        self._handler = handler
        events = []
        while not self.queue.empty():
            events.append(self.queue.get_nowait())
        for event in events:
            if event["type"] == "websocket.receive":
                handler.message_received(event.get("text") or event.get("bytes") or b"")
            else:
                self.queue.put_nowait(event)
        if self.read_paused:
            self.read_paused = False
            self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Read data that is one whole text message here, which nearly all data is; leave the rest to the library.

        Once a frame comes in pieces, the library reads everything: only its parser knows where the next frame begins.
        """
        if self._at_frame_end:
            handler = self._handler
            if handler is not None and not self.frames and not self.close_sent:
                text = single_text(data)
                if text is not None:
                    handler.message_received(text)
                    return
            self._at_frame_end = ends_with_frame(data)
        elif self._at_frame_end is None:
            self._at_frame_end = data.endswith(_HEAD_END)
        super().data_received(data)

    def send_receive_event_to_app(self) -> None:
        handler = self._handler
        if handler is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        if self.curr_msg_data_type == "bytes":
            self.frames = []
            handler.message_received(bytes(data))
            return
        try:
            text = str(data, "utf-8")
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # it closes with the right code
            return
        self.frames = []
        handler.message_received(text)

    @property
    def open(self) -> bool:
        return not (self.close_sent or self.disconnected or self.transport.is_closing())

    def write(self, frames: bytes) -> None:
        """Send whole frames; does nothing once the connection is closing."""
        if self.open:
            self.transport.write(frames)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._handler is not None:
            self._handler.pause_writing()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._handler is not None:
            self._handler.resume_writing()


def text_frame(text: bytes) -> bytes:
    """Return the text as one WebSocket frame. A server's frames have no mask, so all clients can get the same bytes."""
    size = len(text)
    if size < 126:
        return bytes((_TEXT, size)) + text
    if size < 1 << 16:
        return bytes((_TEXT, 126)) + size.to_bytes(2) + text
    return bytes((_TEXT, 127)) + size.to_bytes(8) + text


def _frame_bounds(data: bytes, begins: int) -> tuple[int, int] | None:
    """Return the offsets of the mask and of the end of a client's frame. None if its header is incomplete."""
    if len(data) < begins + 2:
        return None
    size, mask = data[begins + 1] & ~_MASKED, begins + 2
    if size >= 126:
        wide = 2 if size == 126 else 8
        size, mask = int.from_bytes(data[mask : mask + wide]), mask + wide
    return (mask, mask + 4 + size) if len(data) >= mask + 4 else None


def ends_with_frame(data: bytes) -> bool:
    """Return True if the data, which begins with a client's frame, ends where a frame ends."""
    ends = 0
    while ends < len(data):
        bounds = _frame_bounds(data, ends)
        if bounds is None:
            return False
        ends = bounds[1]
    return ends == len(data)


def single_text(data: bytes) -> str | None:
    """Return the text if the data is exactly one frame that is a whole text message; otherwise None."""
    if len(data) < 6 or data[0] != _TEXT or not data[1] & _MASKED:
        return None
    bounds = _frame_bounds(data, 0)
    if bounds is None or bounds[1] != len(data):
        return None
    mask, ends = bounds
    begins, size = mask + 4, ends - mask - 4
    key = data[mask:begins] * (size // 4 + 1)
    plain = int.from_bytes(data[begins:]) ^ int.from_bytes(key[:size])
    try:
        return str(plain.to_bytes(size), "utf-8")
    except UnicodeDecodeError:
        return None  # the parser closes with the right code
