"""What goes out on a live connection: whole frames, answers before views, of views the newest; who stalls waits."""

import asyncio
import json

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side, State

from aceking.web import hub
from aceking.web import messages as m
from aceking.web.hub import ANSWERS_MOST, Connection
from aceking.web.visitors import Visitor
from aceking.web.wire import framed


def _read(data: bytes) -> list[Frame]:
    """As a client reads it."""
    client = Protocol(Side.CLIENT, state=State.OPEN)
    client.receive_data(data)
    assert client.parser_exc is None
    return [event for event in client.events_received() if isinstance(event, Frame)]


def _texts(writes: list[bytes]) -> list[str]:
    return [bytes(frame.data).decode() for data in writes for frame in _read(data)]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536])
def test_a_frame_of_any_length_is_read_as_it_was_meant(size: int) -> None:
    text = b"x" * size
    (frame,) = _read(framed(text))
    assert (frame.opcode, bytes(frame.data), frame.fin) == (Opcode.TEXT, text, True)


def test_what_is_sent_goes_out_at_once_and_what_is_owed_with_the_view_that_follows() -> None:
    async def run() -> None:
        writes: list[bytes] = []
        one = Connection(Visitor(), writes.append)
        one.answer(m.Pong(number=1))
        assert len(writes) == 1
        one.owe(m.Pong(number=2))
        assert len(writes) == 1, "it waits for the view"
        one.show("table/1", framed(b'"view"'))
        assert len(writes) == 2, "one write for both"
        assert [json.loads(text) for text in _texts(writes[1:])] == [{"is": "pong", "number": 2}, "view"]

    asyncio.run(run())


def test_who_stalls_is_sent_the_answers_and_the_newest_view_when_he_reads_again() -> None:
    async def run() -> None:
        writes: list[bytes] = []
        one = Connection(Visitor(), writes.append)
        one.stalls()
        assert not one.flowing
        one.show("table/1", framed(b'"old"'))
        one.answer(m.Pong(number=1))
        one.show("table/1", framed(b'"new"'))
        one.answer(m.Pong(number=2))
        assert not writes
        one.flows()
        assert one.flowing
        assert len(writes) == 1
        assert [json.loads(text) for text in _texts(writes)][2:] == ["new"]
        assert not one.gone.is_set()

    asyncio.run(run())


def test_who_takes_nothing_for_long_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "STALLED_SECONDS", 0.01)

    async def run() -> None:
        one = Connection(Visitor(), lambda _: None)
        one.stalls()
        await asyncio.wait_for(one.gone.wait(), 5)
        assert one.why[0] == hub.CLOSED_SLOW

    asyncio.run(run())


def test_who_lets_a_thousand_answers_wait_is_let_go() -> None:
    async def run() -> None:
        one = Connection(Visitor(), lambda _: None)
        one.stalls()
        for number in range(ANSWERS_MOST):
            one.answer(m.Pong(number=number))
        assert not one.gone.is_set()
        one.answer(m.Pong(number=0))
        assert one.gone.is_set()
        one.flows()

    asyncio.run(run())
