"""Attackers from many addresses: strangers stand in a queue, guests do not, and who wants to log in still can."""

import asyncio
import random
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from aceking.web.live.endpoint import CLOSED_TOO_MUCH
from aceking.web.sessions import COOKIE
from benchmarks.hostile import Attack
from tests.web.served import PASSWORD, Served, founded, table

pytestmark = [pytest.mark.xdist_group("web"), pytest.mark.timeout(300)]
_T = TypeVar("_T")
GUEST, STRANGER = "127.0.0.30", "127.0.0.20"


@contextmanager
def _served(folder: Path, refusals_a_minute: int) -> Iterator[Served]:
    url = f"sqlite:///{folder / 'house.db'}"
    founded(url, table("t0", "section10"))
    found = Served(
        url, folder, env={"ACEKING_HEARTBEAT_SECONDS": "2", "ACEKING_REFUSALS_A_MINUTE": str(refusals_a_minute)}
    ).start()
    try:
        yield found
        assert "Traceback" not in found.told, found.told
    finally:
        found.ended()


def _from(served: Served, address: str, forwarded: str = "") -> httpx.Client:
    """Somebody who comes from there, with a new connection each time; or for whom a proxy does."""
    headers = {"Connection": "close", **({"X-Forwarded-For": forwarded} if forwarded else {})}
    there = httpx.HTTPTransport(local_address=address)
    return httpx.Client(transport=there, base_url=served.address, headers=headers, timeout=120)


@contextmanager
def _logged_in(served: Served, address: str, name: str, forwarded: str = "") -> Iterator[httpx.Client]:
    """Somebody at this address, to whom something is refused now and then, as to anybody."""
    with _from(served, address, forwarded) as found:
        found.get("/api/house").raise_for_status()
        csrf = {"x-csrftoken": found.cookies["csrftoken"]}
        found.post("/api/login", json={"name": name, "password": PASSWORD}, headers=csrf).raise_for_status()
        found.get("/api/me").raise_for_status()
        assert found.get("/api/log").status_code == 403
        yield found


def _nonsense(served: Served, address: str) -> socket.socket:
    """A connection from there, over which something was sent that is no HTTP."""
    port = int(served.address.rpartition(":")[2])
    raw = socket.create_connection(("127.0.0.1", port), source_address=(address, 0))
    raw.sendall(b"\0nonsense\r\n\r\n")
    return raw


@contextmanager
def _besieged(served: Served) -> Iterator[None]:
    """One bad request from each of thirty addresses: more than fifteen are refused, and there is a queue."""
    with ExitStack() as kept:
        sent = [kept.enter_context(_nonsense(served, f"127.0.0.{number}")) for number in range(100, 130)]
        for raw in sent[:17]:
            assert raw.recv(100).startswith(b"HTTP/1.1 400")
        yield


@contextmanager
def _refused(served: Served, address: str, forwarded: str = "") -> Iterator[httpx.Client]:
    """Somebody to whom something was refused before: who is new waits a moment only."""
    with _from(served, address, forwarded) as found:
        assert found.get("/api/me").status_code == 401
        yield found


def _goes_first(guest: httpx.Client, stranger: "Future[_T]") -> _T:
    """The guest has ten answers, one after the other, before the stranger, who came before him, has one: that one."""
    for _ in range(10):
        assert guest.get("/api/me").status_code == 200
    assert not stranger.done()
    return stranger.result(120)


def test_a_guest_is_served_while_strangers_stand_in_line_and_they_are_heard_in_the_end(tmp_path: Path) -> None:
    with (
        _served(tmp_path, 60) as served,
        ThreadPoolExecutor(1) as pool,
        _refused(served, STRANGER) as stranger,
        _logged_in(served, GUEST, "p1") as guest,
        _besieged(served),
    ):
        assert _goes_first(guest, pool.submit(stranger.get, "/api/house")).status_code == 200


def test_what_is_no_http_at_all_stands_in_queue_too(tmp_path: Path) -> None:
    with (
        _served(tmp_path, 60) as served,
        ThreadPoolExecutor(1) as pool,
        _refused(served, STRANGER),
        _logged_in(served, GUEST, "p1") as guest,
        _besieged(served),
        _nonsense(served, STRANGER) as raw,
    ):
        assert _goes_first(guest, pool.submit(raw.recv, 100)).startswith(b"HTTP/1.1 400")


def test_a_connection_that_a_stranger_has_already_does_not_save_him_the_line(tmp_path: Path) -> None:
    with (
        _served(tmp_path, 60) as served,
        ThreadPoolExecutor(1) as pool,
        _logged_in(served, GUEST, "p1") as guest,
        _refused(served, STRANGER) as stranger,
    ):
        stranger.headers["Connection"] = "keep-alive"
        assert stranger.get("/api/house").status_code == 200
        with _besieged(served):
            assert _goes_first(guest, pool.submit(stranger.get, "/api/house")).status_code == 200


def test_behind_a_proxy_guests_are_those_whom_it_speaks_for(tmp_path: Path) -> None:
    with (
        _served(tmp_path, 60) as served,
        ThreadPoolExecutor(1) as pool,
        _refused(served, "127.0.0.1", "192.0.2.2") as stranger,
        _logged_in(served, "127.0.0.1", "p1", "192.0.2.1") as guest,
        _besieged(served),
    ):
        assert _goes_first(guest, pool.submit(stranger.get, "/api/house")).status_code == 200


def test_a_session_that_floods_makes_strangers_of_its_addresses_and_none_of_its_connections_is_cut(
    tmp_path: Path,
) -> None:
    with (
        _served(tmp_path, 60) as served,
        ThreadPoolExecutor(1) as pool,
        _refused(served, STRANGER) as stranger,
        _logged_in(served, GUEST, "p1") as guest,
        _logged_in(served, "127.0.0.40", "p2") as other,
    ):
        cookie = f"{COOKIE}={other.cookies[COOKIE]}"
        with _live(served, "127.0.0.40", cookie) as behaves:
            for number in range(41, 45):
                with _live(served, f"127.0.0.{number}", cookie) as floods:
                    assert _flooded(floods) == CLOSED_TOO_MUCH
            assert _goes_first(guest, pool.submit(stranger.get, "/api/house")).status_code == 200
            behaves.send('{"is":"ping","number":7}')
            assert '"pong"' in str(behaves.recv(timeout=30))


@contextmanager
def _live(served: Served, address: str, cookie: str) -> Iterator[ClientConnection]:
    url = served.address.replace("http", "ws", 1) + "/api/live"
    with connect(url, additional_headers={"Cookie": cookie}, source_address=(address, 0)) as found:
        assert '"p2"' in str(found.recv(timeout=30))
        yield found


def _flooded(live: ClientConnection) -> int:
    """What a connection is closed with, over which much too much is said."""
    try:
        for _ in range(400):
            live.send('{"is":"ping","number":1}')
        while True:
            live.recv(timeout=30)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd is not None else 0


def test_in_the_midst_of_an_attack_from_many_addresses_somebody_logs_in_from_a_new_one(tmp_path: Path) -> None:
    with _served(tmp_path, 300) as served, _logged_in(served, GUEST, "p2") as somebody:
        host, _, port = served.address.removeprefix("http://").partition(":")
        attack = Attack(host, int(port), somebody.cookies[COOKIE], random.Random(5), addresses=36)
        attacks = threading.Thread(target=lambda: asyncio.run(attack.goes_on(14, at_once=2)))
        attacks.start()
        while attack.seen.statuses.total() < 30:  # by then there is a queue
            assert attacks.is_alive()
            attacks.join(0.1)
        with _logged_in(served, "127.0.0.200", "p1") as new:
            assert new.get("/api/me").json()["name"] == "p1"
        assert attacks.is_alive()
        attacks.join()
        assert attack.seen.tried.total() > 36
