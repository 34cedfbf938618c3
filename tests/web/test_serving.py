"""How a server opens its socket."""

import asyncio
import socket

import pytest

from aceking.house.settings import Settings
from aceking.web.serving import NoHouse, listening_at


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_small_answers_are_sent_at_once(host: str) -> None:
    """Two that follow each other would otherwise be 40 ms apart, as long as the other side delays its receipt."""

    async def connected() -> int:
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def came(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            done.set_result(
                writer.get_extra_info("socket").getsockopt(
                    socket.IPPROTO_TCP, socket.TCP_NODELAY
                )  # as the kernel has it
            )
            writer.close()

        with listening_at(Settings(listen=f"{host}:0")) as listening:
            server = await asyncio.start_server(came, sock=listening)
            async with server:
                _, writer = await asyncio.open_connection(*listening.getsockname()[:2])
                found = await done
                writer.close()
                await writer.wait_closed()
        return found

    assert asyncio.run(connected())


def test_a_place_where_somebody_listens_is_said_to_be_taken() -> None:
    with listening_at(Settings(listen="127.0.0.1:0")) as first, pytest.raises(NoHouse, match="cannot listen at 127"):
        listening_at(Settings(listen=f"127.0.0.1:{first.getsockname()[1]}"))
