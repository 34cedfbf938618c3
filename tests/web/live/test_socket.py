"""A live connection: whole frames out, answers before views, of views the newest; every message in, in any pieces."""

import asyncio
import base64
import json
import os
import random
import socket
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side, State

from aceking.web.live import hub
from aceking.web.live import messages as m
from aceking.web.live.hub import UNSENT_REPLIES_MAX, Connection
from aceking.web.live.socket import ends_with_frame, single_text, text_frame
from aceking.web.sessions import Visitor
from tests.web.served import Served, founded


def _read(data: bytes) -> list[Frame]:
    """Return the frames that a client reads in the bytes."""
    client = Protocol(Side.CLIENT, state=State.OPEN)
    client.receive_data(data)
    assert client.parser_exc is None
    return [event for event in client.events_received() if isinstance(event, Frame)]


def _texts(writes: list[bytes]) -> list[str]:
    return [bytes(frame.data).decode() for data in writes for frame in _read(data)]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536])
def test_a_frame_of_any_length_is_read_as_it_was_meant(size: int) -> None:
    text = b"x" * size
    (frame,) = _read(text_frame(text))
    assert (frame.opcode, bytes(frame.data), frame.fin) == (Opcode.TEXT, text, True)


def test_what_is_sent_goes_out_at_once_and_what_is_owed_with_the_view_that_follows() -> None:
    async def run() -> None:
        writes: list[bytes] = []
        one = Connection(Visitor(), writes.append)
        one.answer(m.Pong(number=1))
        assert len(writes) == 1
        one.queue_reply(m.Pong(number=2))
        assert len(writes) == 1, "it waits for the view"
        one.show("table/1", text_frame(b'"view"'))
        assert len(writes) == 2, "one write for both"
        assert [json.loads(text) for text in _texts(writes[1:])] == [{"is": "pong", "number": 2}, "view"]

    asyncio.run(run())


def test_a_client_that_stalls_is_sent_the_answers_and_the_newest_view_when_it_reads_again() -> None:
    async def run() -> None:
        writes: list[bytes] = []
        one = Connection(Visitor(), writes.append)
        one.pause_writing()
        assert not one.writable
        one.show("table/1", text_frame(b'"old"'))
        one.answer(m.Pong(number=1))
        one.show("table/1", text_frame(b'"new"'))
        one.answer(m.Pong(number=2))
        assert not writes
        one.resume_writing()
        assert one.writable
        assert len(writes) == 1
        assert [json.loads(text) for text in _texts(writes)][2:] == ["new"]
        assert not one.closing.is_set()

    asyncio.run(run())


def test_a_client_that_reads_nothing_for_long_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "STALLED_SECONDS", 0.01)

    async def run() -> None:
        one = Connection(Visitor(), lambda _: None)
        one.pause_writing()
        await asyncio.wait_for(one.closing.wait(), 60)
        assert one.close_reason[0] == hub.CLOSED_SLOW

    asyncio.run(run())


def test_a_client_with_too_many_unsent_replies_is_disconnected() -> None:
    async def run() -> None:
        one = Connection(Visitor(), lambda _: None)
        one.pause_writing()
        for number in range(UNSENT_REPLIES_MAX):
            one.answer(m.Pong(number=number))
        assert not one.closing.is_set()
        one.answer(m.Pong(number=0))
        assert one.closing.is_set()
        one.resume_writing()

    asyncio.run(run())


# What comes in


def _is_read_to_its_end(data: bytes) -> bool:
    """Whether the parser of the library is done with all of it: the next message is heard as it is."""
    house = Protocol(Side.SERVER, state=State.OPEN, max_size=64_000)
    house.receive_data(data)
    house.events_received()
    house.receive_data(_said(Protocol(Side.CLIENT, state=State.OPEN), b"the next"))
    then = [event for event in house.events_received() if isinstance(event, Frame)]
    return house.parser_exc is None and [bytes(one.data) for one in then] == [b"the next"]


def _said(client: Protocol, text: bytes) -> bytes:
    client.send_text(text)
    return b"".join(client.data_to_send())


@given(st.binary(max_size=1_000))
def test_a_single_text_is_what_the_parser_reads_and_all_else_is_left_to_it(text: bytes) -> None:
    data = _said(Protocol(Side.CLIENT, state=State.OPEN), text)
    try:
        wanted = text.decode()
    except UnicodeDecodeError:
        wanted = None
    assert single_text(data) == wanted
    assert ends_with_frame(data)
    for other in (data[:-1], data + b"\x00", data + data, b"\x01" + data[1:], b"\xc1" + data[1:], text_frame(text)):
        assert single_text(other) is None


@given(st.lists(st.tuples(st.sampled_from(["text", "part", "ping"]), st.binary(max_size=200)), max_size=5), st.data())
def test_where_frames_end_is_where_the_parser_ends(many: list[tuple[str, bytes]], data: st.DataObject) -> None:
    client, sent, inside = Protocol(Side.CLIENT, state=State.OPEN), b"", False
    for kind, payload in many:
        if kind == "ping":
            client.send_ping(payload[:100])
        elif inside:
            client.send_continuation(payload, kind == "text")
        else:
            client.send_text(payload, kind == "text")
        inside = inside if kind == "ping" else kind == "part"
        sent += b"".join(client.data_to_send())
    cut = sent[: data.draw(st.integers(0, len(sent)))]
    assert ends_with_frame(sent)
    assert ends_with_frame(cut) == (cut in _prefixes(sent))
    if not inside:
        assert _is_read_to_its_end(sent)


def _prefixes(sent: bytes) -> set[bytes]:
    """The beginnings of these bytes after which the parser waits for a new frame."""
    house, found = Protocol(Side.SERVER, state=State.OPEN), {b""}
    for ends in range(1, len(sent) + 1):
        house.receive_data(sent[ends - 1 : ends])
        if any(isinstance(event, Frame) for event in house.events_received()):
            found.add(sent[:ends])
    return found


def _live(served: Served, client: Protocol) -> socket.socket:
    """A live connection of nobody, of which the client has read what it was told."""
    host, _, port = served.address.removeprefix("http://").partition(":")
    raw = socket.create_connection((host, int(port)), timeout=20)
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    key = base64.b64encode(os.urandom(16)).decode()
    head = (
        f"GET /api/live HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    raw.sendall(head.encode())
    told = b""
    while b"\r\n\r\n" not in told:
        told += raw.recv(65536)
    client.receive_data(told.partition(b"\r\n\r\n")[2])
    return raw


def _told(raw: socket.socket, client: Protocol, many: int) -> list[dict[str, Any]]:
    """Return the next messages of the house, the welcome left out."""
    heard: list[dict[str, Any]] = []
    while True:
        heard += [
            json.loads(bytes(event.data))
            for event in client.events_received()
            if isinstance(event, Frame) and event.opcode is Opcode.TEXT
        ]
        if len(heard) > many:
            assert heard[0]["is"] == "welcome"
            return heard[1:]
        client.receive_data(raw.recv(65536))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of a house to which nobody is connected."""
    folder = tmp_path_factory.mktemp("wire")
    url = f"sqlite:///{folder / 'house.db'}"
    founded(url, quick=True)
    found = Served(url, folder).start()
    yield found
    found.stop()
    assert "Traceback" not in found.told


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.proof
def test_every_message_is_heard_once_in_whatever_pieces_it_comes(seed: int, served: Served) -> None:
    client, chance = Protocol(Side.CLIENT, state=State.OPEN), random.Random(seed)
    with _live(served, client) as raw:
        for number in range(60):
            text = json.dumps({"is": "ping", "number": number}).encode()
            match chance.choice(["whole"] * 6 + ["parts", "with-ping"]) if seed else "whole":
                case "whole":
                    client.send_text(text)
                case "parts":
                    client.send_text(text[:9], False)
                    client.send_ping(b"between")
                    client.send_continuation(text[9:], True)
                case _:
                    client.send_ping(b"before")
                    client.send_text(text)
            data = b"".join(client.data_to_send())
            cuts = sorted(chance.sample(range(1, len(data)), chance.choice((0, 1, 2)) if number > 20 * seed else 0))
            for begins, ends in zip((0, *cuts), (*cuts, len(data)), strict=True):
                raw.sendall(data[begins:ends])
                time.sleep(0.002)
        # Number 0 is left out, as every default is.
        assert [one.get("number", 0) for one in _told(raw, client, 60)] == list(range(60))


@pytest.mark.proof
def test_a_piece_of_a_frame_that_looks_like_a_message_is_none(served: Served) -> None:
    client = Protocol(Side.CLIENT, state=State.OPEN)
    with _live(served, client) as raw:
        inner = _said(client, b'{"is":"ping","number":77}')
        outer = bytes((0x82, 0x80 | len(inner))) + bytes(4)  # bytes, and a mask of nothing
        for piece in (outer, inner, _said(client, b'{"is":"ping","number":78}')):
            raw.sendall(piece)
            time.sleep(0.05)
        assert [(one["is"], one.get("number")) for one in _told(raw, client, 2)] == [("sorry", None), ("pong", 78)]
